"""The classic board on the panel, read back by where every hole lies: rows and columns are written out here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.oled.display import Oled
from hardware.oled.drawing import font
from hardware.oled.drawing.draw import Style, draw
from hardware.simulator.simulated_buses import SimulatedBuses
from pegboard.config import OledSettings, Settings, TableSettings
from pegboard.core.rules import Rules
from tests.hardware.oled.every_frame import lit
from tests.hardware.oled.test_layout_streets import COLUMNS, VARIANT, around, gate, is_hollow, is_solid, shows
from tests.support.views import table

CLASSIC, LOW = Style((128, 64), "classic"), Style((128, 32), "classic")

ROWS = {1: [(19, 43)], 2: [(3, 19), (59, 43)], 3: [(5, 18), (26, 38), (59, 46)]}
"""The outer and the inner row of each lane on the large panel; the lower lanes have their outer row at the bottom."""

HEIGHTS = {1: (3, 4), 2: (3, 4), 3: (2, 1)}
"""Rows of a peg above and below its hole."""


def spot(lanes, lane, hole):
    """Down the outside to 30, up the inside to 60, and round again."""
    place = (hole - 1) % 60
    outer, inner = ROWS[lanes][lane]
    return (COLUMNS[place], outer) if place < 30 else (COLUMNS[59 - place], inner)


def peg_pairs(last):
    return st.tuples(st.integers(1, last - 1), st.integers(1, 29)).map(lambda p: (min(p[0] + p[1], last), p[0]))


@pytest.mark.parametrize("lanes", [1, 2, 3])
@given(data=st.data())
def test_pegs_of_both_laps_are_read_back_from_the_picture(lanes, data):
    pegs = [data.draw(peg_pairs(120)) for _ in range(lanes)]
    picture = draw(table(*pegs, variant=VARIANT[lanes]), CLASSIC)
    for lane, (front, rear) in enumerate(pegs):
        assert is_solid(around(picture, spot(lanes, lane, front), HEIGHTS[lanes]))
        assert is_hollow(around(picture, spot(lanes, lane, rear), HEIGHTS[lanes]))


@pytest.mark.parametrize("lanes", [1, 2, 3])
def test_each_lane_has_sixty_holes_of_its_own(lanes):
    picture = draw(table(*[(0, 0)] * lanes, variant=VARIANT[lanes]), CLASSIC)
    spots = {spot(lanes, lane, hole) for lane in range(lanes) for hole in range(1, 121)}
    assert len(spots) == 60 * lanes
    assert all(picture.getpixel(at) for at in spots)


SAID = {(CLASSIC, 1): "LAP 2", (CLASSIC, 2): "LAP 2", (LOW, 1): "2ND", (LOW, 2): "2ND"}


@pytest.mark.parametrize(("look", "lanes"), SAID)
def test_second_lap_is_said_in_the_lane_whose_front_peg_is_on_it(look, lanes):
    """The half of the panel that is the lane's; a peg in the hole 60 is still on the first lap, one in 61 is not."""
    half = look.size[1] // lanes
    for front, said in ((60, False), (61, True), (120, True)):
        picture = draw(table((front, front - 9), *[(30, 20)] * (lanes - 1), variant=VARIANT[lanes]), look)
        assert shows(picture, font.render(SAID[look, lanes]), (0, 0, 105, half)) is said
        assert lanes == 1 or not shows(picture, font.render(SAID[look, lanes]), (0, half, 105, look.size[1]))


def test_three_lanes_on_the_low_panel_say_the_lap_by_its_number():
    picture = draw(table((61, 52), (30, 20), (90, 80), variant="three-handed"), LOW)
    assert [shows(picture, font.render("2"), (77, top, 82, top + 10)) for top in (0, 11, 22)] == [True, False, True]


@pytest.mark.parametrize(("game_hole", "said"), [(181, "LAP 3"), (241, "LAP 4"), (301, "LAP 5"), (361, "LAP 6")])
def test_longer_games_go_round_more_often(game_hole, said):
    rules = Rules("longer", game_hole=game_hole, skunk_lines=(game_hole - 31,))
    picture = draw(table((game_hole - 1, game_hole - 9), (0, 0), rules=rules), CLASSIC)
    assert shows(picture, font.render(said), (0, 0, 105, 32))


def between_holes(picture, hole):
    """What lies after a hole of Ann's outer row: in the row of the holes, and in the row below it."""
    return tuple(bool(picture.getpixel((COLUMNS[hole - 1] + 1, y))) for y in (3, 4))


def test_line_beside_the_holes_is_the_trail_of_the_first_lap_and_one_through_them_that_of_the_second():
    first, second = (draw(table((front, rear), (0, 0)), CLASSIC) for front, rear in ((25, 20), (85, 80)))
    assert [between_holes(first, hole) for hole in (5, 28)] == [(False, True), (False, False)]
    assert [between_holes(second, hole) for hole in (5, 28)] == [(True, True), (False, True)]


def test_holes_ahead_can_be_counted_on_the_second_lap():
    """A pixel each in their own row, above the line."""
    picture = draw(table((70, 65), (0, 0)), CLASSIC)
    assert [x for x in range(COLUMNS[12], 101) if picture.getpixel((x, 3))] == COLUMNS[12:]


def test_peg_a_lap_behind_stands_before_the_front_peg_at_the_end_of_its_trail():
    picture = draw(table((63, 55), (0, 0)), CLASSIC)
    assert is_hollow(around(picture, spot(2, 0, 55), (3, 4)))
    assert is_solid(around(picture, spot(2, 0, 63), (3, 4)))
    assert between_holes(picture, 10) == (False, True)


@pytest.mark.parametrize("lanes", [2, 3])
def test_skunk_gates_lie_at_the_ends_of_each_loop(lanes):
    """The far end is 90|91 in a game to 121, the near end 60|61."""
    picture = draw(table(*[(10, 5)] * lanes, variant=VARIANT[lanes]), CLASSIC)
    for lane, (outer, inner) in enumerate(ROWS[lanes]):
        top, bottom = sorted((outer, inner))
        assert gate(picture, 102, top, bottom) == 1
        assert shows(picture, font.render("S"), (94, top, 102, bottom))
        assert gate(picture, 6, top, bottom) == 1 or (lanes, lane) == (3, 1), "the game hole lies there"
        assert shows(picture, font.render("SS"), (7, top, 20, bottom))


def test_short_game_is_once_around_and_its_skunk_line_is_the_far_end():
    picture = draw(table((0, 0), (0, 0), variant="short"), CLASSIC)
    assert gate(picture, 102, 3, 19) == 1
    assert gate(picture, 6, 8, 14) == 0, "nothing ends there"


@pytest.mark.parametrize(("variant", "game_hole"), [("standard", 121), ("short", 61)])
def test_game_hole_between_the_lanes_is_filled_when_somebody_has_won(variant, game_hole):
    box = [(x, y) for x in range(3, 5) for y in range(30, 33)]
    won = draw(table((game_hole, game_hole - 9), (30, 20), variant=variant, winner=0), CLASSIC)
    assert all(won.getpixel(at) for at in box)
    assert not any(draw(table((0, 0), (0, 0), variant=variant), CLASSIC).getpixel(at) for at in box)


@pytest.mark.filterwarnings("ignore:Image.Image.getdata")  # luma's; pillow is kept below 14 for it
@pytest.mark.parametrize(
    ("board", "layout", "drawn"),
    [
        ("streets", "board", "streets"),
        ("classic", "board", "classic"),
        ("classic", "far", "far"),
        ("classic", "streets", "streets"),
    ],
)
def test_panel_follows_the_board_of_the_table_unless_it_has_a_layout_of_its_own(board, layout, drawn):
    settings = Settings(table=TableSettings(board=board), oled=OledSettings(layout=layout))
    buses, view = SimulatedBuses(settings), table((87, 75), (64, 58))
    Oled(settings, buses).show(view)
    assert buses.pixels() == lit(draw(view, Style(layout=drawn)))


# --- 128 x 32 -------------------------------------------------------------------------------------------------------


def test_low_panel_fills_the_line_of_the_second_lap_of_a_solitaire_over_that_of_the_first():
    """Holes are two rows high from row 3 on, two columns apart; the trail is first the lower row and then both."""
    first, second = (draw(table(pegs, variant="solitaire"), LOW) for pegs in ((25, 20), (85, 80)))
    seen = [[tuple(bool(look.getpixel((x, y))) for y in (3, 4)) for x in (8, 69)] for look in (first, second)]
    assert seen == [[(False, True), (False, False)], [(True, True), (False, True)]]


def test_low_panel_begins_the_trail_of_two_lanes_anew_on_each_lap():
    """So low, there is a row for one line."""
    first, second = (draw(table(pegs, (0, 0)), LOW) for pegs in ((25, 20), (85, 80)))
    assert [[bool(look.getpixel((x, 3))) for x in (8, 69)] for look in (first, second)] == [[True, False]] * 2
