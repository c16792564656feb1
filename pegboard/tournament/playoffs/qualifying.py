"""The cut: how many players qualify for the play-offs, who they are, and which ties are still open.

ACC 13: a quarter of the entrants qualify, rounded up; that number is never rounded to a full bracket.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import join_names

# --- ties in the standings that every tie-break left: who ties for what, what decides, and what has been decided ---
#
# A ranking has the players by place, best first; players of one place tie. Nothing here reads an order among them.


Ranking: TypeAlias = tuple[tuple[PlayerId, ...], ...]
"""Places, best first; several players of one place tie, in no order."""


class TieKind(StrEnum):
    """What players tie for."""

    CUT = "cut"
    SEED = "seed"
    HIGH_NON_QUALIFIER = "high_non_qualifier"


class Decider(StrEnum):
    """How a tie was decided."""

    GAME = "game"
    DRAW = "draw"
    DIRECTOR = "director"


@dataclass(frozen=True, slots=True)
class Tie:
    """Players who share a place on which something hangs.

    Attributes:
        kind: what hangs on it.
        players: who tie, in no order.
        first: the first place that they cover, from 1.
        places: how many of them get what they tie for: places in the play-offs at the cut, 1 elsewhere.
    """

    kind: TieKind
    players: tuple[PlayerId, ...]
    first: int
    places: int = 1

    @property
    def last(self) -> int:
        """The last place that they cover."""
        return self.first + len(self.players) - 1


@dataclass(frozen=True, slots=True)
class TieDecision:
    """The stored fact that a tie was decided.

    Attributes:
        groups: everybody who tied, the better ones first; players of one group go on to tie.
        how: by a one-game play-off, by cutting cards, or by the director.
    """

    groups: Ranking
    how: Decider = Decider.GAME

    @property
    def players(self) -> frozenset[PlayerId]:
        """Everybody who tied."""
        return frozenset(player for group in self.groups for player in group)


def spans(ranking: Ranking) -> Iterator[tuple[int, tuple[PlayerId, ...]]]:
    """The first place that each group covers, from 1, and the group."""
    first = 1
    for group in ranking:
        yield first, group
        first += len(group)


def strict_order(ranking: Ranking) -> tuple[PlayerId, ...]:
    """The players one by one, best first.

    Raises:
        RuleError: some of them tie: nobody goes before another one by the order of entry.
    """
    for first, group in spans(ranking):
        if len(group) > 1:
            raise RuleError("playoffs_seed_tied", first=first, last=first + len(group) - 1)
    return tuple(player for group in ranking for player in group)


def say_tie(tie: Tie, names: Mapping[PlayerId, str]) -> Message:
    """Who ties for what, and what decides."""
    row = join_names(tie.players, names)
    if tie.kind is TieKind.SEED:
        key = "playoffs_seed_tie" if tie.last == tie.first + 1 else "playoffs_seed_tie_more"
        return Message(key, names=row, first=tie.first, last=tie.last)
    if tie.kind is TieKind.HIGH_NON_QUALIFIER:
        return Message("playoffs_cut_tie_below", names=row)
    if tie.last == tie.first + 1:
        return Message("playoffs_cut_tie_of_two", names=row)
    return Message("playoffs_cut_tie_of_more", names=row, places=tie.places)


@dataclass(frozen=True, slots=True)
class CutRule:
    """How many qualify.

    Attributes:
        numerator: of the part of the entrants that qualifies.
        denominator: of that part.
        fixed: how many qualify whoever has entered; 0 where a part of the entrants does.
    """

    numerator: int = 1
    denominator: int = 4
    fixed: int = 0

    @property
    def text(self) -> str:
        """As it is stored: "1/4", or "8" for a fixed number; `read_cut_rule` reads it back."""
        return str(self.fixed) if self.fixed else f"{self.numerator}/{self.denominator}"

    def count_qualifiers(self, entrants: int) -> int:
        """How many of so many entrants qualify: the part rounded up, and never more than there are."""
        wanted = self.fixed or -(-entrants * self.numerator // self.denominator)
        return min(wanted, entrants)


QUARTER = CutRule()


CUT_RULES: Mapping[str, CutRule] = {
    "quarter": QUARTER,
    "third": CutRule(1, 3),
    "half": CutRule(1, 2),
    "all": CutRule(1, 1),
    "top 2": CutRule(fixed=2),
    "top 4": CutRule(fixed=4),
    "top 8": CutRule(fixed=8),
    "top 16": CutRule(fixed=16),
}
"""Cuts by their names; a house's own is written as a part ("2/5") or a number ("6")."""


DIGITS = 4
"""Digits of the largest number in a cut."""


def read_cut_rule(text: str) -> CutRule:
    """The cut of a name ("quarter"), of a part of the entrants ("1/4") or of a number of players ("8").

    Raises:
        RuleError: it is none of them, or more than everybody, or nobody, would qualify.
    """
    name = " ".join(text.split()).lower()
    if name in CUT_RULES:
        return CUT_RULES[name]
    parts = [part.strip() for part in name.split("/")]
    if len(parts) <= 2 and all(_is_number(part) for part in parts):  # noqa: PLR2004 - numerator and denominator
        numbers = [int(part) for part in parts]
        if len(numbers) == 1:
            return CutRule(fixed=numbers[0])
        if numbers[0] <= numbers[1]:
            return CutRule(*numbers)
    raise RuleError("playoffs_cut_rule_unknown", rule=repr(text), known=", ".join(CUT_RULES))


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= DIGITS and int(text) > 0


@dataclass(frozen=True, slots=True)
class Cut:
    """The standings cut after so many places.

    Attributes:
        ranking: the entrants by place.
        places: how many of them qualify.
    """

    ranking: Ranking
    places: int

    @property
    def tie(self) -> Tie | None:
        """The tie at the cut: some of its players qualify and others do not. None where there is none."""
        for first, group in spans(self.ranking):
            if first <= self.places < first + len(group) - 1:
                return Tie(TieKind.CUT, group, first, self.places - first + 1)
        return None

    @property
    def seed_ties(self) -> tuple[Tie, ...]:
        """Ties of players who all qualify: only their seeds, and so the byes, are open."""
        return tuple(
            Tie(TieKind.SEED, group, first)
            for first, group in spans(self.ranking)
            if len(group) > 1 and first + len(group) - 1 <= self.places
        )

    @property
    def qualifiers(self) -> frozenset[PlayerId]:
        """Who qualifies for certain: without those who tie at the cut."""
        through = [group for first, group in spans(self.ranking) if first + len(group) - 1 <= self.places]
        return frozenset(player for group in through for player in group)

    @property
    def high_non_qualifiers(self) -> tuple[PlayerId, ...]:
        """The highest of those who do not qualify, several where they tie; nobody while a tie at the cut is open."""
        below = [group for first, group in spans(self.ranking) if first == self.places + 1]
        return below[0] if below else ()

    @property
    def tie_below(self) -> Tie | None:
        """The tie of the highest who do not qualify; None where there is none."""
        tied = self.high_non_qualifiers
        return Tie(TieKind.HIGH_NON_QUALIFIER, tied, self.places + 1) if len(tied) > 1 else None

    def order_seeds(self) -> tuple[PlayerId, ...]:
        """The qualifiers by seed, best first.

        Raises:
            RuleError: the cut is tied, or seeds are.
        """
        if self.tie is not None:
            raise RuleError("playoffs_cut_tied", places=self.places)
        return strict_order(tuple(group for first, group in spans(self.ranking) if first <= self.places))


def cut(ranking: Ranking, rule: CutRule = QUARTER) -> Cut:
    """The cut of the standings by a rule; whose tie was decided `standings.rank` has given places of their own.

    Raises:
        RuleError: nobody has entered.
    """
    entrants = sum(len(group) for group in ranking)
    if entrants == 0:
        raise RuleError("playoffs_cut_no_entrants")
    return Cut(ranking, rule.count_qualifiers(entrants))
