"""The layout to be read from afar: large digits, and pegs that stay two however close they stand."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.oled.drawing import font
from hardware.oled.drawing.draw import Style, draw
from pegboard.core.view import Device
from tests.hardware.oled.test_layout_streets import VARIANT, shows
from tests.support.views import table

FAR, LOW_FAR = Style((128, 64), "far"), Style((128, 32), "far")

DIGITS = {(FAR, 1): 30, (FAR, 2): 30, (FAR, 3): 24, (LOW_FAR, 1): 18, (LOW_FAR, 2): 18, (LOW_FAR, 3): 15}
"""Rows of a digit."""

LINES = {2: (46, 58), 3: (39, 49, 59)}
"""The row of each lane's line on the large panel: so many lanes share the lower 24 or 30 rows."""


def column(hole):
    """A pixel a hole after the start hole in column 2, and a free column behind each gate."""
    return 2 + hole + (hole > 60) + (hole > 90)


def row(picture, y, at):
    return [int(bool(picture.getpixel((x, y)))) for x in range(at - 2, at + 3)]


@pytest.mark.parametrize(("look", "lanes"), DIGITS)
def test_digits_are_as_tall_as_the_panel_allows(look, lanes):
    """An 8 is lit in its first and its last row."""
    picture = draw(table(*[(88, 88)] * lanes, variant=VARIANT[lanes]), look)
    first = min(y for y in range(9) if any(picture.getpixel((x, y)) for x in range(8, 128)))
    last = first + DIGITS[look, lanes] - 1
    widths = [sum(bool(picture.getpixel((x, y))) for x in range(8, 120)) for y in (first, last, last + 1)]
    assert widths[0] > 10
    assert widths[1] > 10
    assert widths[2] == 0, "a row is free below"


@pytest.mark.parametrize("lanes", [2, 3])
@given(data=st.data())
def test_front_peg_stands_on_its_line_solid_and_the_rear_peg_hangs_below_it_hollow(lanes, data):
    pair = st.tuples(st.integers(1, 119), st.integers(1, 29)).map(lambda p: (min(120, p[0] + p[1]), p[0]))
    pegs = [data.draw(pair) for _ in range(lanes)]
    picture = draw(table(*pegs, variant=VARIANT[lanes]), FAR)
    thick = 2 if lanes == 2 else 1
    for (front, rear), y in zip(pegs, LINES[lanes], strict=True):
        above = [row(picture, y - n, column(front)) for n in (1, 2, 3)]
        below = [row(picture, y + thick - 1 + n, column(rear)) for n in (1, 2, 4)]
        assert above == [[0, 0, 1, 0, 0], [0, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
        assert below == [[0, 0, 1, 0, 0], [0, 1, 0, 1, 0], [1, 1, 1, 1, 1]]


@pytest.mark.parametrize("lanes", [2, 3])
def test_trail_reaches_the_rear_peg_and_holes_follow_in_fives(lanes):
    picture = draw(table(*[(40, 31)] * lanes, variant=VARIANT[lanes]), FAR)
    for y in LINES[lanes]:
        assert all(picture.getpixel((column(hole), y)) for hole in range(1, 32))
        beyond = [hole for hole in range(32, 60) if picture.getpixel((column(hole), y))]
        assert beyond == [35, 40, 45, 50, 55]


@pytest.mark.parametrize(("look", "lanes"), [key for key in DIGITS if key[1] > 1])
def test_gates_stand_behind_their_skunk_lines_in_columns_of_their_own(look, lanes):
    picture = draw(table(*[(0, 0)] * lanes, variant=VARIANT[lanes]), look)
    low = look.size[1]
    for line in (60, 90):
        x = column(line) + 1
        assert sum(bool(picture.getpixel((x, y))) for y in range(low - 12, low)) >= 5
        assert x < column(line + 1)


@pytest.mark.parametrize(("look", "lanes"), DIGITS)
def test_d_points_dialled_games_and_skunks_are_told(look, lanes):
    pegs = [(121, 109), (80, 68), (85, 80)][:lanes]
    going = table(*pegs, variant=VARIANT[lanes], dealer=lanes - 1, dialled=(0, 7, 0)[:lanes] if lanes > 1 else (7,))
    picture = draw(going, look)
    assert shows(picture, font.badge("D"))
    assert shows(picture, font.badge("+7"))
    if lanes > 1:
        assert shows(picture, font.render("+12"))
        over = table(*pegs, variant=VARIANT[lanes], winner=0, skunks=(0, 1, 1)[:lanes])
        assert shows(draw(over, look), font.badge("S"))


def test_game_of_61_holes_has_two_pixels_a_hole():
    """And a free column behind its skunk line, 30."""
    picture = draw(table((40, 31), (0, 0), variant="short"), FAR)
    columns = [2 + 2 * hole + 1 for hole in range(32, 61)]
    assert [x for x in range(columns[0], columns[-1] + 1) if picture.getpixel((x, 46))] == columns


def test_trouble_is_named_between_two_scores():
    picture = draw(replace(table((87, 75), (64, 58)), devices=(Device("LED strip", "no answer"),)), FAR)
    assert shows(picture, font.badge("!"))
    assert shows(picture, font.render("STRIP"))
