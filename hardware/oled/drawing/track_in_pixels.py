"""Track geometry in pixels of an OLED panel: the position of each hole, in streets or around a classic board."""

from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from pegboard.core.rules import STREET, Hole

Pixel: TypeAlias = tuple[int, int]
"""Column and row, counted from the top left."""


class Room(NamedTuple):
    """The part of the panel with the holes of the streets, in pixels."""

    left: int
    top: int
    columns: int
    rows: int


WHOLE = Room(8, 0, 93, 64)
"""The room for streets with pegs in holes, beside the scores."""

TO_GATE = 2
"""Columns from a street's outermost hole to the gate across the turn, which two streets share."""

TO_START, TO_WAITING = 4, 7
"""Columns from a street's outermost hole to the front peg's start hole, and to the rear peg's start hole."""

TO_GAME_HOLE = {True: 5, False: -4}
"""Columns from the last hole to the center of the shared game hole, by whether the last street runs right; it is drawn
from two columns left of that to one column right."""


@dataclass(frozen=True, slots=True)
class Track:
    """The track of a game.

    Attributes:
        lanes: the number of parallel lanes.
        game_hole: the hole that wins; shared if the track has turns, else each lane has its own.
        room: the track's part of the panel.
        street: the number of holes per street.
        fives: whether to put a pixel between fives, if the room is wide enough to give each hole a pixel.
        gates: the holes with a free column after them.
        even: whether all adjacent lanes are equally far apart, also those of neighboring streets.
        loops: on a classic board, the panel rows of each lane's outer and inner row, which streets use in turn.
    """

    lanes: int
    game_hole: Hole
    room: Room = WHOLE
    street: int = STREET
    fives: bool = True
    gates: tuple[Hole, ...] = ()
    even: bool = False
    loops: tuple[tuple[int, int], ...] = ()

    @property
    def streets(self) -> int:
        """The number of streets."""
        return max(1, -(-(self.game_hole - 1) // self.street))

    @property
    def turns(self) -> bool:
        """Whether the track turns after each street, with one game hole at the end."""
        return self.street < self.game_hole

    def lap_of(self, hole: Hole) -> int:
        """How often a peg in a hole has been all the way around a classic board; 0 on other boards."""
        return max(0, min(hole, self.game_hole - 1) - 1) // (2 * self.street) if self.loops else 0

    @property
    def pitch(self) -> int:
        """Rows from lane to lane; for a single lane, from street to street."""
        if self.even or self.lanes == 1:
            return self._street_rows // self.lanes
        return min(FARTHEST, max(CLOSEST, LANE_SHARE[self.lanes] * self._street_rows // WHOLE_SHARE))

    @property
    def step(self) -> int:
        """Columns from hole to hole; 0 if several holes share a column."""
        among, beyond = self.room.columns - 1 - self.fives * ((self.street - 1) // 5), self.street - 1
        return among // beyond if beyond else among

    @property
    def right(self) -> int:
        """The column of the rightmost hole."""
        return self.column(self.street - 1)

    @property
    def _street_rows(self) -> int:
        return self.room.rows // self.streets

    def column(self, place: int) -> int:
        """The column of the `place`-th hole of a street from the left."""
        if self.fives and self.step:
            return self.room.left + self.step * place + place // 5
        return self.room.left + place * (self.room.columns - 1) // (self.street - 1)

    def row(self, street: int, lane: int) -> int:
        """The row of a lane in a street."""
        if self.loops:
            return self.loops[lane][street % 2]
        first = (self._street_rows - (self.lanes - 1) * self.pitch) // 2
        if not self.even and self.pitch >= FARTHEST and self._street_rows % PAGE == 0:
            first += IN_PAGE - first % PAGE
        return self.room.top + street * self._street_rows + first + lane * self.pitch

    def hole_at(self, lane: int, hole: Hole) -> Pixel:
        """The position of a hole; hole 0 is the front peg's start hole."""
        if hole == 0:
            return self.room.left - (TO_START if self.turns else max(1, self.step)), self.row(0, lane)
        if hole == self.game_hole and self.turns:
            return self._shared_game_hole()
        street, place = divmod(hole - 1, self.street)
        free = sum(gate < hole for gate in self.gates)
        return self.column(place if runs_right(street) else self.street - 1 - place) + free, self.row(street, lane)

    def turn_gate(self, street: int) -> int:
        """The column of the gate across the turn at the end of a street."""
        return self.right + TO_GATE if runs_right(street) else self.room.left - TO_GATE

    def waiting_at(self, lane: int) -> Pixel:
        """The position of the rear peg until its first move, if pegs are drawn in holes."""
        return self.room.left - TO_WAITING, self.row(0, lane)

    def _shared_game_hole(self) -> Pixel:
        if self.loops:
            rows = [row for loop in self.loops for row in loop]
            return self.room.left + TO_GAME_HOLE[False], (min(rows) + max(rows)) // 2
        last = self.streets - 1
        x = self.hole_at(0, self.game_hole - 1)[0]
        middle = (self.row(last, 0) + self.row(last, self.lanes - 1)) // 2
        return x + TO_GAME_HOLE[runs_right(last)], middle


CLOSEST = 5
"""Minimum rows from lane to lane: a peg and a free row."""

FARTHEST = 9
"""Maximum rows from lane to lane: a tall peg and two free rows, so that lanes are closer than streets."""

PAGE, IN_PAGE = 8, 3
"""Rows of a panel page, and the row in it for holes of tall pegs, so that such a peg is sent in one piece."""

LANE_SHARE, WHOLE_SHARE = {2: 7, 3: 5}, 16
"""Rows from lane to lane by the number of lanes, out of 16 rows of a street; the rest is between the streets."""


def runs_right(street: int) -> bool:
    """Whether a street runs from left to right."""
    return street % 2 == 0
