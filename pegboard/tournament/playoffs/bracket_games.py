"""Rows of a bracket that are stored, and what is read from them: games, matches, sides, places."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from pegboard.tournament.ids import PlayerId

MatchKey: TypeAlias = str
"""Of a match: "main:1:2" is the second match from the top in the first round of the bracket "main"."""


class Ending(StrEnum):
    """How a game of a bracket ended."""

    PLAYED = "played"
    NO_SHOW = "no_show"


class MatchState(StrEnum):
    """Where a match stands."""

    BYE = "bye"
    WAITING = "waiting"
    READY = "ready"
    DECIDED = "decided"


@dataclass(frozen=True, slots=True)
class BracketGame:
    """A game of a match, or several that somebody lost at once by not coming: a stored row.

    Attributes:
        match: whose game it is.
        players: who met; the row counts only while these two meet in that match.
        winner: one of them.
        how: whether it was played.
        margin: holes that it was won by; None where nobody played, or nobody wrote them down.
        games: how many games the row stands for.
    """

    match: MatchKey
    players: tuple[PlayerId, PlayerId]
    winner: PlayerId
    how: Ending = Ending.PLAYED
    margin: int | None = None
    games: int = 1


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a match.

    Attributes:
        player: who plays there; None where nobody does, or not yet.
        awaited: whether a match before has to be decided first.
        source: that match; None in the first round.
    """

    player: PlayerId | None
    awaited: bool = False
    source: MatchKey | None = None


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """A match as it stands.

    Attributes:
        key: of the match.
        round: from 1.
        number: from 1 at the top of the bracket.
        sides: upper and lower.
        best_of: its length in games.
        state: whether it can be played, or is over.
        winner: who goes on; None where nobody does, or not yet.
        won: games that each side has won.
        games: those that count, as they were entered.
        rows: where each of them stands among the games of the bracket, from 0.
        by_departure: whether the winner goes on because the other one is gone.
    """

    key: MatchKey
    round: int
    number: int
    sides: tuple[Side, Side]
    best_of: int
    state: MatchState
    winner: PlayerId | None = None
    won: tuple[int, int] = (0, 0)
    games: tuple[BracketGame, ...] = ()
    rows: tuple[int, ...] = ()
    by_departure: bool = False

    @property
    def players(self) -> tuple[PlayerId | None, PlayerId | None]:
        """Who plays on each side, as far as that is known."""
        return self.sides[0].player, self.sides[1].player

    @property
    def loser(self) -> PlayerId | None:
        """Who is out by it; None where nobody is, or not yet."""
        if self.state is not MatchState.DECIDED:
            return None
        return next((one for one in self.players if one != self.winner), None)


@dataclass(frozen=True, slots=True)
class BracketPlace:
    """Places of a bracket, such as 3 to 4, and who shares them as far as that is known."""

    first: int
    last: int
    players: tuple[PlayerId, ...]


def match_key(bracket: str, round_number: int, number: int) -> MatchKey:
    """The key of a match."""
    return f"{bracket}:{round_number}:{number}"
