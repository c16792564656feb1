"""Pairings: one game of a round between two players, its key; the order of player ids; names joined in sentences."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId

# --- lists of names in a sentence: "Ann", "Ann and Bob", "Ann, Bob and Cy" ---


def join_pair(name: str, partner: str) -> str:
    """The names of two players who play as one, the same in any language; the first name if there is no partner."""
    return f"{name} & {partner}" if partner else name


def join_names(players: Iterable[PlayerId], names: Mapping[PlayerId, str]) -> str:
    """The names of players in order, as a message value; a player without a name is shown by id."""
    row = [names.get(player, player) for player in players]
    if len(row) < 2:  # noqa: PLR2004 - one name has no "and"
        return "".join(row)
    return Message("playoffs_names_in_a_row", others=", ".join(row[:-1]), last=row[-1])


GameKey: TypeAlias = str
"""Key of a game: "r3:p1-p7", the round and both players, the lower number first."""


@dataclass(frozen=True, slots=True)
class Pairing:
    """One game of a round.

    Attributes:
        round: the number of the round, from 1.
        players: the two players, in seat order.
    """

    round: int
    players: tuple[PlayerId, PlayerId]

    @property
    def key(self) -> GameKey:
        """The key of the game; the same for either order of the players."""
        return game_key(self.round, *self.players)


@lru_cache(maxsize=8192)
def game_key(round_number: int, one: PlayerId, other: PlayerId) -> GameKey:
    """The key of the game of two players in a round."""
    low, high = sorted((one, other), key=player_number)
    return f"r{round_number}:{low}-{high}"


def player_number(player: PlayerId) -> tuple[int, int, str]:
    """Sort key for players: "p2" before "p10"; ids of any other form sort last, alphabetically."""
    digits = player[1:]
    is_number = digits.isascii() and digits.isdigit()
    return (0, int(digits), player) if is_number else (1, 0, player)
