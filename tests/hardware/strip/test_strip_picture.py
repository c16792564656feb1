"""What the LEDs show of a view: pegs, trails, gates, rounds, games won, what is dialled."""

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
    twice_round = {led for led in range(120) if led % 5 < 2}
    assert lit(361, 250, 245).keys() == {120, 9, *range(5)} | twice_round, "the third round: holes 241 to 245 and 250"
    assert lit(361, 120, 118).keys() == {120, 119, *range(118)}


def test_rear_peg_that_is_a_round_behind_stands_where_it_stood_without_a_trail():
    behind, before = lit(361, 121, 115), lit(361, 120, 115)
    once_round = set(range(0, 120, 5))
    assert behind.keys() == {120, 0, 114} | once_round, "holes 121 and 115, and the game hole's gate"
    assert behind[114] == before[114]


@pytest.mark.parametrize("hole", [122, 200, 241, 361])
def test_the_game_hole_is_the_strips_last_hole_however_long_the_game(hole):
    assert lit(hole, hole, hole - 1)[120] == BLUE
    assert lit(hole, 0, 0) == {120: GATE}


def test_a_shorter_game_ends_before_the_strip_does():
    assert lit(31, 31, 29).keys() == {30, *range(29)}


# --- a classic board: sixty holes, gone round twice for 121 --------------------------------------------------------


def on_classic_board(*pegs, **own):
    """The LEDs of Ann's lane: 60 holes and the game hole; every game goes into the same game hole."""
    return colors(table(*pegs, **own), layout("classic", len(pegs)))[:61]


def holes_lit(strip):
    return {place + 1 for place, color in enumerate(strip[:60]) if color not in (DARK, GATE)}


def test_first_round_of_a_classic_board_is_dark_before_the_pegs():
    assert holes_lit(on_classic_board((40, 33), (0, 0))) == {*range(1, 34), 40}


def test_second_round_lights_a_hole_in_every_five_before_the_pegs():
    """So the hole 40 of the first round and the 100 of the second, which are the same, can be told apart."""
    second = on_classic_board((100, 93), (0, 0))
    assert holes_lit(second) == {*range(1, 34), 40} | set(range(1, 61, 5))
    assert second[39] == BLUE
    assert 0 < sum(second[45]) < sum(second[0]) < sum(second[32]), "marks of the round, the trail, the rear peg"


def test_peg_that_is_a_round_behind_stands_before_the_front_peg():
    strip = on_classic_board((64, 55), (0, 0))
    assert strip[3] == BLUE
    assert sum(strip[54]) > sum(strip[45]) > 0
    assert holes_lit(strip) == {4, 55} | set(range(1, 61, 5)) - {1, 31}, "gates stand in the holes 61 and 91"


@pytest.mark.parametrize(("game_hole", "rounds"), [(61, 0), (121, 1), (181, 2), (241, 3), (301, 4), (361, 5)])
def test_as_many_holes_in_every_five_are_lit_as_rounds_are_completed(game_hole, rounds):
    """Six rounds of a game to 361 are six pictures."""
    rules = with_house_rules(Rules(), [f"game hole={game_hole}", "skunks=off"])
    front = game_hole - 60
    shown = colors(View(play(new_game(rules, ("Ann", "Bob")), SetPegs(0, front, front - 1))), layout("classic", 2))
    assert [bool(sum(color)) for color in shown[25:30]] == [True] * rounds + [False] * (5 - rounds)
    assert shown[0] == BLUE


@pytest.mark.parametrize("variant", ["standard", "short"])
def test_game_hole_of_a_classic_board_is_its_last_led_whatever_the_game(variant):
    end = 61 if variant == "short" else 121
    assert on_classic_board((end, end - 9), (0, 0), variant=variant, winner=0)[60] == BLUE


def test_points_keyed_in_lead_over_the_end_of_a_round():
    strip = on_classic_board((58, 50), (0, 0), dialled=(7, 0))
    assert all(sum(strip[hole - 1]) for hole in (59, 60))
    assert sum(strip[4]) != sum(strip[3])
    assert sum(strip[4]) == sum(lane_by_lane(table((58, 50), (0, 0), dialled=(7, 0)))[64]), "hole 65"


# --- every fifth hole, and games won -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["lanes", "classic"])
def test_every_fifth_hole_is_marked_fainter_than_everything_else_if_wanted(name):
    view = table((12, 7), (40, 38))
    plain, marked = (colors(view, layout(name, 2, fives=fives)) for fives in (False, True))
    added = {led: color for led, color in enumerate(marked) if color != plain[led]}
    first = layout(name, 2).lanes[0]
    assert {led for led in added if led in first} == {
        first[hole - 1] for hole in range(5, len(first), 5) if plain[first[hole - 1]] == DARK
    }
    assert len(set(added.values())) == 1
    assert sum(next(iter(added.values()))) < min(sum(color) for color in plain if any(color))


def third_pegs(*won):
    """What is after the track: three LEDs for Ann, two for Bob."""
    leds = ((242, 243, 244), (245, 246))
    return colors(table((12, 7), (40, 38), won=won), layout("lanes", 2, games_won=leds))[242:]


def test_third_peg_stands_in_the_hole_of_the_last_game_won_with_a_trail():
    assert third_pegs(0, 0) == [DARK] * 5
    assert third_pegs(1, 0) == [BLUE, *[DARK] * 4]
    ann = third_pegs(3, 1)
    assert (ann[2], ann[3:]) == (BLUE, [ORANGE, DARK])
    assert ann[0] == ann[1]
    assert 0 < sum(ann[0]) < sum(BLUE)


def test_third_peg_begins_again_after_the_last_led_and_all_stay_lit():
    ann = third_pegs(4, 0)[:3]
    assert ann[0] == BLUE
    assert ann[1] == ann[2] != DARK
