"""Pegs on lines: lanes drawn as lines, the front peg solid above its line, the rear peg hollow below its line.

A hole takes only a few pixels, but pegs one hole apart stay distinct, and each points at its hole.
"""

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageOps

from hardware.oled.drawing import font
from hardware.oled.drawing.pegs_in_holes import draw_laps
from hardware.oled.drawing.track_in_pixels import Pixel, Track
from pegboard.core.position import Lane

FRONT = {5: "#####/#####/#####/.###./..#..", 4: "#####/#####/.###./..#..", 3: "#####/.###./..#..", 2: "###/.#."}
"""The front peg, by the rows available above the line."""

REAR = {
    5: "..#../.#.#./#...#/#...#/#####",
    4: "..#../.#.#./#...#/#####",
    3: "..#../.#.#./#####",
    2: ".#./#.#",
    1: "###",
}
"""The rear peg, by the rows available below the line; solid in a single row, as two dots would look like two pegs."""

MOST = 5
"""Maximum rows of a peg above or below the line."""

THICK_FROM = 11
"""Line spacing in rows from which a line is two rows thick."""


@dataclass(frozen=True, slots=True)
class PegRows:
    """The rows of the front peg, of the line, and of the rear peg; a row between lanes stays free."""

    front: int
    line: int
    rear: int


def sizes(rows: int) -> PegRows:
    """The rows that fit a line spacing of `rows`."""
    line = 2 if rows >= THICK_FROM else 1
    left = min(rows - 1 - line, 2 * MOST)
    return PegRows(left - left // 2, line, left // 2)


def draw_holes(pen: ImageDraw.ImageDraw, track: Track, rows: PegRows) -> None:
    """Draw a pixel for each hole, or for every fifth hole if there are no gaps between holes."""
    every = 1 if track.step > 1 else 5
    for lane in range(track.lanes):
        for hole in (0, *range(every, track.game_hole, every)):
            x, y = track.hole_at(lane, hole)
            pen.line((x, y, x, y + rows.line - 1), 1)


def draw_finish(pen: ImageDraw.ImageDraw, track: Track, rows: PegRows) -> None:
    """Draw a bar through each lane's own game hole."""
    (x, top), (_, bottom) = (track.hole_at(lane, track.game_hole) for lane in (0, track.lanes - 1))
    pen.line((x, top - rows.front, x, bottom + rows.line - 1 + rows.rear), 1)


def draw_pegs(
    image: Image.Image, pen: ImageDraw.ImageDraw, track: Track, lane: int, stand: Lane, *, rows: PegRows
) -> None:
    """Draw the trail and the two pegs of a lane; a peg in a shared game hole is drawn with the game hole."""
    if track.loops and rows.line > 1:
        draw_laps(pen, track, lane, stand.rear)
    elif track.lap_of(stand.rear) == track.lap_of(stand.front):
        _draw_trail(pen, track, lane, stand.rear, rows)
    if stand.front < track.game_hole or not track.turns:
        x, y = track.hole_at(lane, stand.front)
        pen.line((x, y, x, y + rows.line - 1), 1)
        _paste_peg(image, FRONT[rows.front], (x, y - rows.front))
    x, y = track.hole_at(lane, stand.rear)
    _paste_peg(image, REAR[rows.rear], (x, y + rows.line))


def _paste_peg(image: Image.Image, shape: str, at: Pixel) -> None:
    peg = _with_margin(shape)
    image.paste(peg, (at[0] - peg.width // 2, at[1]))


@lru_cache(maxsize=16)
def _with_margin(shape: str) -> Image.Image:
    """A peg with a free column on each side."""
    return ImageOps.expand(font.render_shape(shape), (1, 0))


def _draw_trail(pen: ImageDraw.ImageDraw, track: Track, lane: int, rear: int, rows: PegRows) -> None:
    """Draw the trail from the first hole of this lap to the rear peg."""
    for street in range(2 * track.lap_of(rear), -(-rear // track.street)):
        first, last = street * track.street + 1, min((street + 1) * track.street, rear)
        (a, y), (b, _) = track.hole_at(lane, first), track.hole_at(lane, last)
        pen.rectangle((min(a, b), y, max(a, b), y + rows.line - 1), fill=1)
