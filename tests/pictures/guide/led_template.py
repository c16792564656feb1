"""A template for the holes of two lanes, to be printed in true size: A4 pages side by side, a hole for each LED."""

from typing import NamedTuple

from hardware.strip.layouts import HOLES, layout
from pegboard.core.rules import STREET
from tests.pictures.guide.pdf import A4, Page, circle_mark, document

LANES = 2
DENSITIES = (30, 60, 144)
"""LEDs of a strip on a metre."""

LANE_MM, STREET_MM, TOP_MM = 18.0, 42.0, 34.0
"""From lane to lane of a street, from street to street, and from the page's upper edge to the first lane."""

MARGIN_MM = 10.0
"""What printers leave white."""

RULER_MM = 100

MARKS = {"Hole": circle_mark(2.5, 4.0), "Start": circle_mark(2.5, 4.0, dashed=True)}
NARROW = {"Hole": circle_mark(1.5, 2.6), "Start": circle_mark(1.5, 2.6, dashed=True)}
"""Holes of 5 mm, and of 3 mm where LEDs lie close."""


class Spot(NamedTuple):
    """A hole of the board.

    Attributes:
        lane: from 0.
        hole: 1 to 121; 0 and -1 are start holes.
        column: pitches from the first hole of a street to the right.
        y: millimetres from the upper edge.
    """

    lane: int
    hole: int
    column: int
    y: float


def spot(lane, hole):
    """Where a hole lies: streets to and fro, start holes and game holes a pitch or two to the left."""
    if hole == HOLES:
        street, column = 3, -1
    elif hole < 1:
        street, column = 0, hole - 1
    else:
        street, along = divmod(hole - 1, STREET)
        column = along if street % 2 == 0 else STREET - 1 - along
    return Spot(lane, hole, column, TOP_MM + street * STREET_MM + lane * LANE_MM)


def spots():
    """All holes of two lanes, start holes too."""
    return [spot(lane, hole) for lane in range(LANES) for hole in range(-1, HOLES + 1)]


def template(density):
    """The PDF for so many LEDs a metre."""
    pitch = 1000 / density
    columns = int((A4[0] - 2 * MARGIN_MM) / pitch)
    firsts = range(-2, STREET, columns)
    pages = [page(density, first, min(columns, STREET - first), n, len(firsts)) for n, first in enumerate(firsts, 1)]
    return document(f"pegboard: holes for {density} LEDs per meter", pages, NARROW if pitch < 10 else MARKS)


def page(density, first, columns, number, pages):
    """One page: so many columns from the first on; its neighbours are joined half a pitch beside its outer holes."""
    pitch, drawn = 1000 / density, Page()
    drawn.text(MARGIN_MM, 14, f"pegboard, {density} LEDs per meter, two lanes: page {number} of {pages}", 3.6)
    drawn.text(MARGIN_MM, 19, "Print on A4 at 100 %, not fitted to the page; measure the ruler below before you drill.")
    if pages > 1:
        drawn.text(MARGIN_MM, 23.5, "Cut along the dashed lines; join the pages edge to edge.")
    left = MARGIN_MM + pitch / 2
    numbers = led_numbers()
    for one in spots():
        if first <= one.column < first + columns:
            x = left + (one.column - first) * pitch
            drawn.mark("Hole" if one.hole > 0 else "Start", x, one.y)
            if one.hole < 1:
                drawn.text(x, one.y - 5, "start", 2.3, middle=True)
            elif one.hole == HOLES:
                drawn.text(x, one.y - 5, f"{HOLES}", 2.3, middle=True)
            elif one.hole % 5 == 0 or one.hole % STREET == 1:
                drawn.text(x, one.y - 5, str(one.hole), 2.3, middle=True)
    for row in range(4 * LANES):
        row_words(drawn, left, row, numbers)
    joined = [MARGIN_MM] * (number > 1) + [MARGIN_MM + columns * pitch] * (number < pages)
    for x in joined:
        drawn.line([(x, 26), (x, 190)], dashed=True)
    ruler(drawn)
    return drawn


def led_numbers():
    """The LED of each lane's hole, counted from 1, without start holes."""
    lanes = layout("serpentine", LANES).lanes
    return {(lane, hole): led + 1 for lane, leds in enumerate(lanes) for hole, led in enumerate(leds, 1)}


def row_words(drawn, left, row, numbers):
    """Whose row it is, and which LEDs lie on it, in the order of the data."""
    street, lane = divmod(row, LANES)
    ends = [numbers[lane, street * STREET + 1], numbers[lane, (street + 1) * STREET]]
    to_the_right = (street % 2 == 0) == (ends[0] < ends[1])
    arrow = "data to the right -->" if to_the_right else "<-- data to the left"
    y = TOP_MM + street * STREET_MM + lane * LANE_MM + 6.5
    words = f"player {'AB'[lane]}, LEDs {min(ends)} to {max(ends)}, {arrow}"
    if street == 3:
        words += f"; hole {HOLES} is LED {numbers[lane, HOLES]}"
    drawn.text(left, y, words, 2.3)


def ruler(drawn):
    """A line of a hundred millimetres, with a tick for each centimetre."""
    y, left = A4[1] - MARGIN_MM, MARGIN_MM
    drawn.line([(left, y), (left + RULER_MM, y)], width=0.25)
    for tick in range(0, RULER_MM + 1, 10):
        drawn.line([(left + tick, y - (3 if tick % 50 == 0 else 2)), (left + tick, y)], width=0.25)
    drawn.text(left + RULER_MM + 4, y, f"from end to end {RULER_MM} mm: if not, print again without scaling")


def templates():
    """Each template by the name of its file."""
    return {f"holes_{density}_per_metre": template(density) for density in DENSITIES}
