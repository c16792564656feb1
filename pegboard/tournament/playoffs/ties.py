"""Ties in the standings that every tie-break left: who ties for what, what decides, and what has been decided.

A ranking has the players by place, best first; players of one place tie. Nothing here reads an order among them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.joined_names import join_names

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
