"""Pegs in holes: lanes drawn as rows of holes, the front peg solid, the rear peg hollow, with a trail behind."""

from collections.abc import Iterator
from typing import NamedTuple

from PIL import ImageDraw

from hardware.oled.drawing.track_in_pixels import Pixel, Track, runs_right
from pegboard.core.position import Lane

CLOSE, TALL, WIDE = 5, 9, 11
"""Lane spacing in rows: up to `CLOSE` pegs are four rows high, from `TALL` on seven, from `WIDE` on eight."""


TENS_INSIDE = 6
"""Rows from a row of holes to its marks of ten inside a loop."""


class PegSize(NamedTuple):
    """The size of a peg: its rows above and below its hole."""

    up: int
    down: int


def reach(rows: int) -> PegSize:
    """The size that leaves a free row between pegs that are `rows` rows apart."""
    if rows <= CLOSE:
        return PegSize(2, 1)
    if rows < TALL:
        return PegSize(2, 2)
    return PegSize(3, 4) if rows >= WIDE else PegSize(3, 3)


def draw_holes(pen: ImageDraw.ImageDraw, track: Track) -> None:
    """Draw a pixel for each hole but the game hole, two start holes per lane, and a mark at every tenth hole."""
    pen.point(list(_tens_of_loops(track) if track.loops else _tens(track)), 1)
    for lane in range(track.lanes):
        pen.point([track.hole_at(lane, hole) for hole in range(track.game_hole)], 1)
        pen.point(track.waiting_at(lane), 1)


def _tens(track: Track) -> Iterator[Pixel]:
    """The marks after the 10th and 20th hole of each street, between lanes or above a single lane, clear of pegs."""
    if track.pitch <= CLOSE:
        return
    for lane in range(max(track.lanes - 1, 1)):
        for street in range(track.streets):
            for hole in (10, 20):
                (x, y), (beyond, _) = (track.hole_at(lane, track.street * street + n) for n in (hole, hole + 1))
                yield (x + beyond) // 2, y + track.pitch // 2 * (1 if track.lanes > 1 else -1)


def _tens_of_loops(track: Track) -> Iterator[Pixel]:
    """The same on a classic board: inside each lane's loop, clear of pegs."""
    for outer, inner in track.loops:
        toward = 1 if inner > outer else -1
        for place in (9, 19):
            x = (track.column(place) + track.column(place + 1)) // 2
            yield from ((x, outer + TENS_INSIDE * toward), (x, inner - TENS_INSIDE * toward))


def draw_pegs(pen: ImageDraw.ImageDraw, track: Track, lane: int, stand: Lane, size: PegSize) -> None:
    """Draw the trail and the two pegs of a lane; a peg in the game hole is drawn with the game hole."""
    if track.loops:
        draw_laps(pen, track, lane, stand.rear)
    else:
        _draw_trail(pen, track, lane, stand.rear)
    rear = track.hole_at(lane, stand.rear) if stand.front else track.waiting_at(lane)
    _clear_around(pen, rear, size)
    if stand.front < track.game_hole:
        front = track.hole_at(lane, stand.front)
        _clear_around(pen, front, size)
        _draw_peg(pen, front, size, solid=True)
    _draw_peg(pen, rear, size, solid=False)


def _draw_trail(pen: ImageDraw.ImageDraw, track: Track, lane: int, rear: int) -> None:
    """Draw the trail behind the rear peg, one pixel clear of it."""
    whole, passed = divmod(max(rear - 1, 0), track.street)
    for street in range(whole):
        y = track.row(street, lane)
        pen.line((track.room.left, y, track.right, y), 1)
    if passed:
        x, y = track.hole_at(lane, rear)
        pen.line((track.room.left, y, x - 3, y) if runs_right(whole) else (x + 3, y, track.right, y), 1)


def draw_laps(pen: ImageDraw.ImageDraw, track: Track, lane: int, rear: int) -> None:
    """Draw the trail on a classic board: a line just below the holes passed, and from the second lap on through them.

    So holes ahead can be counted on every lap, and a new lap erases nothing.
    """
    laps = track.lap_of(rear)
    passed = rear - laps * 2 * track.street - 1
    for row in range(2):
        holes = min(max(passed - row * track.street, 0), track.street)
        for below, number in ((1, track.street if laps else holes), (0, holes if laps else 0)):
            if number:
                (first, y), (last, _) = (track.hole_at(lane, row * track.street + hole) for hole in (1, number))
                pen.line((first, y + below, last, y + below), 1)


def _clear_around(pen: ImageDraw.ImageDraw, at: Pixel, size: PegSize) -> None:
    x, y = at
    pen.rectangle((x - 2, y - size.up, x + 2, y + size.down), fill=0)


def _draw_peg(pen: ImageDraw.ImageDraw, at: Pixel, size: PegSize, *, solid: bool) -> None:
    x, y = at
    pen.rectangle((x - 1, y - size.up, x + 1, y + size.down), fill=int(solid), outline=1)
