"""Where every hole of the track lies on a panel of 128 x 64 pixels: streets of thirty holes, to and fro."""

from dataclasses import dataclass
from typing import TypeAlias

from pegboard.core.rules import Hole

Pixel: TypeAlias = tuple[int, int]
"""Column and row, counted from the top left."""

STREET = 30
"""Holes of a street; so both skunk lines fall on a turn."""

LEFT, RIGHT = 9, 101
"""Columns of a street's outermost holes."""

LEFT_GATE, RIGHT_GATE = 7, 103
"""Columns of the gates across the turns."""

START_FRONT, START_REAR = 5, 2
"""Columns of the two start holes: the front peg's, and the one its rear peg waits in."""

GAME_HOLE = 4
"""Column of the game hole where the last street runs to the left."""

HEIGHT = 64


@dataclass(frozen=True, slots=True)
class Track:
    """The track of a game with `lanes` lanes."""

    lanes: int
    game_hole: Hole

    @property
    def streets(self) -> int:
        """How many streets there are."""
        return -(-(self.game_hole - 1) // STREET)

    @property
    def pitch(self) -> int:
        """Rows from lane to lane."""
        return (0, 7, 5)[self.lanes - 1] * self._street_pitch // 16

    @property
    def _street_pitch(self) -> int:
        return HEIGHT // self.streets

    def row(self, street: int, lane: int) -> int:
        """The row of a lane in a street."""
        first = (self._street_pitch - (self.lanes - 1) * self.pitch) // 2
        return street * self._street_pitch + first + lane * self.pitch

    def hole_at(self, lane: int, hole: Hole) -> Pixel:
        """Where a hole lies; hole 0 is the front peg's start hole, the game hole is shared."""
        if hole == 0:
            return START_FRONT, self.row(0, lane)
        if hole == self.game_hole:
            return self._game_hole_at()
        street, place = divmod(hole - 1, STREET)
        return column(place if runs_right(street) else STREET - 1 - place), self.row(street, lane)

    def waiting_at(self, lane: int) -> Pixel:
        """Where the rear peg stands until its first leap."""
        return START_REAR, self.row(0, lane)

    def _game_hole_at(self) -> Pixel:
        last = self.streets - 1
        middle = (self.row(last, 0) + self.row(last, self.lanes - 1)) // 2
        return RIGHT_GATE + 1 if runs_right(last) else GAME_HOLE, middle


def column(place: int) -> int:
    """The column of the `place`-th hole of a street from the left: three pixels a hole, one more after every fifth."""
    return LEFT + 3 * place + place // 5


def runs_right(street: int) -> bool:
    """Whether a street runs from left to right."""
    return street % 2 == 0
