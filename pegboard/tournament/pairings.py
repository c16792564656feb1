"""Pairings: one game of a round between two players, and the key by which everybody knows it."""

from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from pegboard.tournament.ids import PlayerId

GameKey: TypeAlias = str
"""Of a game: "r3:p1-p7", the round and both players, the lower number first."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a round.

    Attributes:
        round: counts from 1.
        players: both, in the order of their seats.
    """

    round: int
    players: tuple[PlayerId, PlayerId]

    @property
    def key(self) -> GameKey:
        """The same whichever of the two stands first."""
        return game_key(self.round, *self.players)


@lru_cache(maxsize=8192)
def game_key(round_number: int, one: PlayerId, other: PlayerId) -> GameKey:
    """The key of the game of two players in a round."""
    low, high = sorted((one, other), key=player_number)
    return f"r{round_number}:{low}-{high}"


def player_number(player: PlayerId) -> tuple[int, int, str]:
    """By what players are sorted, "p2" before "p10"; ids of another form come last, by their letters."""
    digits = player[1:]
    is_number = digits.isascii() and digits.isdigit()
    return (0, int(digits), player) if is_number else (1, 0, player)
