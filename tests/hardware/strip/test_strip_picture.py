"""What the LEDs show of a view: pegs, trails, gates, what is dialled."""

import pytest

from hardware.strip.layouts import layout
from hardware.strip.strip_picture import GATE, colors
from pegboard import Rules, SetPegs, new_game, play, with_house_rules
from pegboard.core.view import View
from tests.support.views import table

BLUE, ORANGE, GREEN = (0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0x00, 0x9E, 0x73)
DARK = (0, 0, 0)


def lane_by_lane(view, lanes=2, **own):
    return colors(view, layout("lanes", lanes, **own))


def lit_holes(strip, lane=0):
    return {hole for hole in range(1, 122) if strip[121 * lane + hole - 1] not in (DARK, GATE)}


def test_front_peg_is_the_lanes_full_color_and_the_rear_peg_dimmer():
    lit = lane_by_lane(table((12, 6), (40, 35)))
    assert (lit[11], lit[121 + 39]) == (BLUE, ORANGE)
    assert 0 < sum(lit[5]) < sum(BLUE)


def test_trail_lies_behind_the_rear_peg_and_the_holes_between_the_pegs_are_dark():
    lit = lane_by_lane(table((12, 6), (0, 0)))
    assert len(set(lit[:5])) == 1
    assert 0 < sum(lit[0]) < sum(lit[5])
    assert set(lit[6:11]) == {DARK}


def test_skunk_gates_and_game_hole_are_marked_until_a_peg_covers_them():
    lit = lane_by_lane(table((91, 80), (0, 0)))
    assert [hole for hole in range(1, 122) if lit[121 + hole - 1] == GATE] == [60, 61, 90, 91, 121]
    assert lit[90] == BLUE


def test_short_game_ends_at_its_own_game_hole():
    lit = lane_by_lane(table((61, 50), (0, 0), variant="short", winner=0))
    assert lit[60] == BLUE
    assert [hole for hole in range(1, 122) if lit[121 + hole - 1] == GATE] == [30, 31, 61]


def test_third_lane_is_green_and_left_out_where_the_strip_has_two():
    view = table((1, 0), (2, 0), (3, 0), variant="three-handed")
    assert lane_by_lane(view, 3)[242 + 2] == GREEN
    assert len(lane_by_lane(view, 2)) == 242


@pytest.mark.parametrize("name", ["lanes", "zigzag", "serpentine"])
def test_of_four_lanes_the_first_three_are_lit_as_with_three_players(name):
    pegs = ((1, 0), (62, 50), (3, 0))
    four, three = table(*pegs, (104, 100), variant="cut-throat-four"), table(*pegs, variant="three-handed")
    assert colors(four, layout(name, 3)) == colors(three, layout(name, 3))


def test_empty_board_shows_no_pegs_where_there_are_no_start_holes():
    assert set(lane_by_lane(table((0, 0), (0, 0)))) == {DARK, GATE}


# --- start holes and the shared game hole --------------------------------------------------------------------------


def test_pegs_wait_in_the_start_holes_until_they_leap():
    waiting = lane_by_lane(table((0, 0), (0, 0)), start_holes=True)
    rear, front = waiting[:2]
    assert front == BLUE
    assert 0 < sum(rear) < sum(BLUE)


def test_rear_peg_leaps_first_and_leaves_the_other_in_the_front_start_hole():
    waiting = lane_by_lane(table((7, 0), (0, 0)), start_holes=True)
    assert waiting[0] == DARK
    assert 0 < sum(waiting[1]) < sum(BLUE)
    assert waiting[2 + 6] == BLUE


def test_start_holes_are_dark_when_both_pegs_are_on_the_board():
    assert lane_by_lane(table((12, 6), (0, 0)), start_holes=True)[:2] == [DARK, DARK]


@pytest.mark.parametrize(("winner", "color"), [(0, BLUE), (1, ORANGE)])
def test_shared_game_hole_shines_in_the_winners_color(winner, color):
    pegs = [(110, 100), (110, 100)]
    pegs[winner] = (121, 100)
    strip = lane_by_lane(table(*pegs, winner=winner), shared_game_hole=True)
    assert len(strip) == 241
    assert strip[120] == color


def test_first_to_arrive_has_the_shared_game_hole_where_two_stand_in_it():
    assert lane_by_lane(table((121, 100), (121, 100), winner=0), shared_game_hole=True)[120] == BLUE


# --- what is dialled -----------------------------------------------------------------------------------------------


def test_dialled_points_lead_faintly_from_the_front_peg_to_the_landing():
    strip = lane_by_lane(table((12, 6), (40, 35), dialled=(0, 5)))
    way, landing = strip[121 + 40 : 121 + 44], strip[121 + 44]
    assert len(set(way)) == 1
    assert 0 < sum(way[0]) < sum(landing) < sum(strip[121 + 34]) < sum(strip[121 + 39])
    assert lit_holes(strip) == {*range(1, 7), 12}, "nothing is dialled for Ann"


def test_dialled_points_land_in_the_game_hole_at_the_latest():
    strip = lane_by_lane(table((118, 110), (0, 0), dialled=(8, 0)))
    assert lit_holes(strip) >= {118, 119, 120, 121}


def test_undialled_lane_has_no_landing():
    assert lit_holes(lane_by_lane(table((12, 6), (0, 0)))) == {*range(1, 7), 12}


# --- other game holes ----------------------------------------------------------------------------------------------


def lit(hole, front, rear):
    """The LEDs of the first lane that are not dark, in a game to `hole`, on a strip that runs lane by lane."""
    rules = with_house_rules(Rules(), [f"game hole={hole}", "skunks=off"])
    game = new_game(rules, ("Ann", "Bob"))
    game = play(game, SetPegs(0, front, rear)) if front else game
    strip = lane_by_lane(View(game))[:121]
    return {led: color for led, color in enumerate(strip) if color != DARK}


def test_a_longer_game_goes_round_the_strip_and_the_round_of_the_front_peg_is_shown():
    assert lit(361, 250, 245).keys() == {120, 9, *range(5)}, "the third round: holes 241 to 245 and 250"
    assert lit(361, 120, 118).keys() == {120, 119, *range(118)}


def test_rear_peg_that_is_a_round_behind_stands_where_it_stood_without_a_trail():
    behind, before = lit(361, 121, 115), lit(361, 120, 115)
    assert behind.keys() == {120, 0, 114}, "holes 121 and 115, and the game hole's gate"
    assert behind[114] == before[114]


@pytest.mark.parametrize("hole", [122, 200, 241, 361])
def test_the_game_hole_is_the_strips_last_hole_however_long_the_game(hole):
    assert lit(hole, hole, hole - 1)[120] == BLUE
    assert lit(hole, 0, 0) == {120: GATE}


def test_a_shorter_game_ends_before_the_strip_does():
    assert lit(31, 31, 29).keys() == {30, *range(29)}
