"""Drawn rounds: the games of a schedule with table and first dealer, and who sits out."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.movement.remarks import Remark
from pegboard.tournament.pairings import Pairing


@dataclass(frozen=True, slots=True)
class DrawnGame:
    """A pairing with its place.

    Attributes:
        pairing: round and players, in the order of their seats.
        table: counts from 1.
        dealer: who deals first.
    """

    pairing: Pairing
    table: int
    dealer: PlayerId


@dataclass(frozen=True, slots=True)
class DrawnRound:
    """A round.

    Attributes:
        number: counts from 1.
        games: by their tables.
        sitting: who has no game in it, though there are some to come or were too many players.
        finished: who has had all games, and may go home.
    """

    number: int
    games: tuple[DrawnGame, ...]
    sitting: tuple[PlayerId, ...] = ()
    finished: tuple[PlayerId, ...] = ()


@dataclass(frozen=True, slots=True)
class Schedule:
    """The rounds that were drawn, and what has to be said of them."""

    rounds: tuple[DrawnRound, ...] = ()
    remarks: tuple[Remark, ...] = ()

    @property
    def pairings(self) -> tuple[Pairing, ...]:
        """Of all rounds, in their order."""
        return tuple(game.pairing for drawn in self.rounds for game in drawn.games)

    @property
    def sit_outs(self) -> Mapping[PlayerId, int]:
        """How often each sits out in these rounds; who never does is missing."""
        return Counter(player for drawn in self.rounds for player in drawn.sitting)
