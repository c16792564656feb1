"""What differs from table to table, as data: a variant is one row of `VARIANTS`."""

from dataclasses import dataclass
from typing import TypeAlias

from pegboard.errors import RuleError

Hole: TypeAlias = int
"""A hole of a lane; 0 is the start."""

Seat: TypeAlias = int
"""A player's place at the table, counted from 0; the deal passes to the next higher seat."""

MOST_AT_ONCE = 29
"""The best hand there is; nothing scores more at one time."""

IMPOSSIBLE_SHOWS = frozenset({19, 25, 26, 27})
"""No four cards and starter count to these."""

MOST_FOR_A_CARD = 15
"""The most that one card is allowed in the play (RULES: possible points for one card are 0 to 15)."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one game.

    Attributes:
        variant: the name of the row they come from.
        seats: players at the table, 1 to 4.
        lanes: rows of holes; partners share one, seat s pegs in lane s modulo lanes.
        game_hole: the hole that wins.
        skunk_lines: the last holes of a skunked loser, highest first: on 90 a skunk, on 60 a double skunk.
        worth: match points for a win, a skunk, a double skunk; the last counts for anything beyond.
        first_deal: who deals first in the next game: "loser", "winner" or "alternate".
        last_deal: the deal whose hand ends the game (solitaire), or 0 where only the game hole ends it.
        enough: the hole that still wins when the last deal ends the game.
    """

    variant: str = "standard"
    seats: int = 2
    lanes: int = 2
    game_hole: Hole = 121
    skunk_lines: tuple[Hole, ...] = (90, 60)
    worth: tuple[int, ...] = (1, 2, 3)
    first_deal: str = "loser"
    last_deal: int = 0
    enough: Hole = 0

    @staticmethod
    def named(variant: str) -> "Rules":
        """The rules of a named variant.

        Raises:
            RuleError: no variant has that name.
        """
        try:
            return VARIANTS[variant]
        except KeyError:
            raise RuleError(f"there is no variant {variant!r}; these are known: {', '.join(VARIANTS)}") from None

    def lane_of(self, seat: Seat) -> int:
        """The lane in which the player at `seat` pegs."""
        return seat % self.lanes

    def after(self, seat: Seat) -> Seat:
        """The seat to the left of `seat`."""
        return (seat + 1) % self.seats

    def skunks_of(self, front: Hole) -> int:
        """How many skunk lines a loser whose front peg stands at `front` has missed."""
        return sum(front <= line for line in self.skunk_lines)


VARIANTS = {
    rules.variant: rules
    for rules in (
        Rules("standard"),
        Rules("short", game_hole=61, skunk_lines=(30,)),
        Rules("three-handed", seats=3, lanes=3),
        Rules("partners", seats=4),
        Rules("solitaire", seats=1, lanes=1, skunk_lines=(), last_deal=7, enough=91),
    )
}
"""The named variants (rule sheets of RULES: two-handed guide, once around, three-handed, partnerships, solitaire)."""
