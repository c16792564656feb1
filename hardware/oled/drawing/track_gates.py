"""Draws the gates: a bar across every turn of the track, and one at each skunk line."""

from PIL import Image, ImageDraw

from hardware.oled.drawing import font
from hardware.oled.track_in_pixels import Pixel, Track, runs_right
from pegboard.core.rules import Hole

LETTER = font.HEIGHT + 2
"""Rows from a letter to the next."""

BESIDE = {True: 3, False: -5}
"""Columns from a gate to the letters beside it, at the right and at the left."""


def draw(
    image: Image.Image,
    pen: ImageDraw.ImageDraw,
    track: Track,
    skunk_lines: tuple[Hole, ...],
    *,
    up: int,
    down: int,
    letter: str,
) -> None:
    """Draw every gate: whole on a skunk line, else dotted; with a letter for each skunk of a loser who stops before it.

    Args:
        image: the panel.
        pen: a pen on it.
        track: where the holes are.
        skunk_lines: the last holes of a skunked loser.
        up: rows that a gate within a street reaches above the first lane.
        down: rows that it reaches below the last.
        letter: S, or what else a skunk is called by.
    """
    turns = {track.street * (street + 1): street for street in range(track.streets - 1)}
    for hole, street in turns.items():
        _draw_turn_gate(image, pen, track, street, letter * _skunks(hole, skunk_lines))
    for line in skunk_lines:
        if line not in turns:
            _draw_dotted_gate(pen, track, line, up, down)


def _skunks(hole: Hole, skunk_lines: tuple[Hole, ...]) -> int:
    """The skunks of a loser who stops at a hole; 0 where no skunk line lies on it."""
    return sum(line >= hole for line in skunk_lines) if hole in skunk_lines else 0


def _draw_turn_gate(image: Image.Image, pen: ImageDraw.ImageDraw, track: Track, street: int, letters: str) -> None:
    x = track.turn_gate(street)
    top, bottom = track.row(street, 0), track.row(street + 1, track.lanes - 1)
    pen.point([(x, y) for y in range(top, bottom + 1, 1 if letters else 2)], 1)
    x, y = _letters_at(x, top, bottom, LETTER * len(letters) - 2, right=runs_right(street))
    for n, letter in enumerate(letters):
        image.paste(font.render(letter), (x, y + LETTER * n))


def _letters_at(x: int, top: int, bottom: int, rows: int, *, right: bool) -> Pixel:
    """Where the letters of a gate stand: above it at the right where there is room, else beside it."""
    if right and top > rows:
        return x, top - rows - 1
    return x + BESIDE[right], (top + bottom + 1 - rows) // 2


def _draw_dotted_gate(pen: ImageDraw.ImageDraw, track: Track, line: Hole, up: int, down: int) -> None:
    """Draw a gate between two holes of a street: dotted, for it crosses the lanes."""
    street = (line - 1) // track.street
    before, behind = track.hole_at(0, line)[0], track.hole_at(0, line + 1)[0]
    x = (before + behind + (before > behind)) // 2
    pen.point([(x, y) for y in range(track.row(street, 0) - up, track.row(street, track.lanes - 1) + down + 1, 2)], 1)
