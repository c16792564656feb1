"""Qualifying cutoff: rules for how many players qualify for playoffs, the qualifiers, and ties to be decided.

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

# --- ties that no tie-break has broken: kinds, players, places at stake, decisions ---
#
# A ranking lists the players by place, best first; players of one place tie, and their order there means nothing.


Ranking: TypeAlias = tuple[tuple[PlayerId, ...], ...]
"""Places, best first; several players in one place tie, in no order."""


class TieKind(StrEnum):
    """Kinds of ties: for qualifying, for a seed, or for being the best player who does not qualify."""

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
    """Players who share a place that matters.

    Attributes:
        kind: the kind of tie.
        players: the tied players, in no order.
        first: the first place they cover, from 1.
        places: how many of them win the tie: playoff places at the cutoff, 1 for other ties.
    """

    kind: TieKind
    players: tuple[PlayerId, ...]
    first: int
    places: int = 1

    @property
    def last(self) -> int:
        """The last place they cover."""
        return self.first + len(self.players) - 1


@dataclass(frozen=True, slots=True)
class TieDecision:
    """A stored decision of a tie.

    Attributes:
        groups: all tied players, better groups first; players of one group stay tied.
        how: how the tie was decided: by a one-game playoff, by cutting cards, or by the director.
    """

    groups: Ranking
    how: Decider = Decider.GAME

    @property
    def players(self) -> frozenset[PlayerId]:
        """All tied players."""
        return frozenset(player for group in self.groups for player in group)


def spans(ranking: Ranking) -> Iterator[tuple[int, tuple[PlayerId, ...]]]:
    """The first place each group covers, from 1, and the group."""
    first = 1
    for group in ranking:
        yield first, group
        first += len(group)


def strict_order(ranking: Ranking) -> tuple[PlayerId, ...]:
    """The players in order, best first.

    Raises:
        RuleError: some players tie; the order of entry must not decide.
    """
    for first, group in spans(ranking):
        if len(group) > 1:
            raise RuleError("playoffs_seed_tied", first=first, last=first + len(group) - 1)
    return tuple(player for group in ranking for player in group)


def say_tie(tie: Tie, names: Mapping[PlayerId, str]) -> Message:
    """A sentence on which players tie, for what, and how the tie is decided."""
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
    """A rule for how many players qualify.

    Attributes:
        numerator: the numerator of the fraction of entrants who qualify.
        denominator: the denominator of that fraction.
        fixed: a fixed number of qualifiers; 0 if a fraction qualifies.
    """

    numerator: int = 1
    denominator: int = 4
    fixed: int = 0

    @property
    def text(self) -> str:
        """The rule as stored: "1/4", or "8" for a fixed number; `read_cut_rule` parses it."""
        return str(self.fixed) if self.fixed else f"{self.numerator}/{self.denominator}"

    def count_qualifiers(self, entrants: int) -> int:
        """How many of the entrants qualify: the fraction rounded up, and never more than all of them."""
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
"""Cutoffs by name; a custom one is written as a fraction ("2/5") or a number ("6")."""

DIGITS = 4
"""Maximum digits of a number in a cutoff."""


def read_cut_rule(text: str) -> CutRule:
    """Parse a cutoff: a name ("quarter"), a fraction of the entrants ("1/4") or a number of players ("8").

    Raises:
        RuleError: the text is not one of these, or more than all players, or nobody, would qualify.
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
    """The standings with a cutoff after a number of places.

    Attributes:
        ranking: the entrants by place.
        places: how many of them qualify.
    """

    ranking: Ranking
    places: int

    @property
    def tie(self) -> Tie | None:
        """The tie at the cutoff: some of its players qualify and others do not. None if there is none."""
        for first, group in spans(self.ranking):
            if first <= self.places < first + len(group) - 1:
                return Tie(TieKind.CUT, group, first, self.places - first + 1)
        return None

    @property
    def seed_ties(self) -> tuple[Tie, ...]:
        """Ties among players who all qualify: only their seeds, and thus the byes, are open."""
        return tuple(
            Tie(TieKind.SEED, group, first)
            for first, group in spans(self.ranking)
            if len(group) > 1 and first + len(group) - 1 <= self.places
        )

    @property
    def qualifiers(self) -> frozenset[PlayerId]:
        """Players who certainly qualify, without any who are tied at the cutoff."""
        through = [group for first, group in spans(self.ranking) if first + len(group) - 1 <= self.places]
        return frozenset(player for group in through for player in group)

    @property
    def high_non_qualifiers(self) -> tuple[PlayerId, ...]:
        """The best players who do not qualify, several if they tie; empty while a tie at the cutoff is open."""
        below = [group for first, group in spans(self.ranking) if first == self.places + 1]
        return below[0] if below else ()

    @property
    def tie_below(self) -> Tie | None:
        """The tie of the best players who do not qualify, or None."""
        tied = self.high_non_qualifiers
        return Tie(TieKind.HIGH_NON_QUALIFIER, tied, self.places + 1) if len(tied) > 1 else None

    def order_seeds(self) -> tuple[PlayerId, ...]:
        """The qualifiers by seed, best first.

        Raises:
            RuleError: there is a tie at the cutoff or among seeds.
        """
        if self.tie is not None:
            raise RuleError("playoffs_cut_tied", places=self.places)
        return strict_order(tuple(group for first, group in spans(self.ranking) if first <= self.places))


def cut(ranking: Ranking, rule: CutRule = QUARTER) -> Cut:
    """Apply a cutoff rule to the standings; players whose tie was decided have separate places from `standings.rank`.

    Raises:
        RuleError: there are no entrants.
    """
    entrants = sum(len(group) for group in ranking)
    if entrants == 0:
        raise RuleError("playoffs_cut_no_entrants")
    return Cut(ranking, rule.count_qualifiers(entrants))
