"""Pairings: one game of a round between two players, and the key by which everybody knows it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId

# --- names in a row, as a sentence has them: "Ann", "Ann and Bob", "Ann, Bob and Cy" ---


def join_pair(name: str, partner: str) -> str:
    """Two who play as one, under both their names in any language; one without a partner under the own one."""
    return f"{name} & {partner}" if partner else name


def join_names(players: Iterable[PlayerId], names: Mapping[PlayerId, str]) -> str:
    """The names of players in their order, as a value of a message; one without a name is called by the id."""
    row = [names.get(player, player) for player in players]
    if len(row) < 2:  # noqa: PLR2004 - one name has no "and"
        return "".join(row)
    return Message("playoffs_names_in_a_row", others=", ".join(row[:-1]), last=row[-1])


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
