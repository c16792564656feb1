"""Drawn rounds: the games of a schedule with table, seats and first dealer, and who sits out."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

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

    @property
    def seats(self) -> tuple[int, int]:
        """The numbers of both seats, in the order of the players: table 1 has seats 1 and 2, table 2 has 3 and 4."""
        return 2 * self.table - 1, 2 * self.table

    def as_json(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "key": self.pairing.key,
            "round": self.pairing.round,
            "players": list(self.pairing.players),
            "table": self.table,
            "seats": list(self.seats),
            "dealer": self.dealer,
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "DrawnGame":
        """The game of `as_json`."""
        one, other = values["players"]
        return cls(Pairing(values["round"], (one, other)), values["table"], values["dealer"])


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

    def as_json(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "round": self.number,
            "games": [game.as_json() for game in self.games],
            "sitting": list(self.sitting),
            "finished": list(self.finished),
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "DrawnRound":
        """The round of `as_json`."""
        games = tuple(DrawnGame.from_json(game) for game in values["games"])
        return cls(values["round"], games, tuple(values["sitting"]), tuple(values["finished"]))


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

    def as_json(self) -> dict[str, Any]:
        """JSON-ready: `rounds` and `remarks`."""
        return {
            "rounds": [drawn.as_json() for drawn in self.rounds],
            "remarks": [remark.as_json() for remark in self.remarks],
        }

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> "Schedule":
        """The schedule of `as_json`."""
        rounds = tuple(DrawnRound.from_json(drawn) for drawn in values["rounds"])
        return cls(rounds, tuple(Remark.from_json(remark) for remark in values["remarks"]))
