"""The layouts: each hole has its LED, where the board's geometry puts it."""

import itertools

import pytest

from hardware.strip.layouts import LAYOUTS, layout
from pegboard.errors import DeviceError


def chosen(name, lanes, start_holes, shared):
    return layout(name, lanes, start_holes=start_holes, shared_game_hole=shared)


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("lanes", [1, 2, 3])
@pytest.mark.parametrize("start_holes", [False, True])
@pytest.mark.parametrize("shared", [False, True])
def test_every_hole_has_an_led_and_every_led_one_hole(name, lanes, start_holes, shared):
    made, own = chosen(name, lanes, start_holes, shared), 60 if name == "classic" else 120
    game_holes = {lane[own] for lane in made.lanes}
    leds = [led for lane in made.lanes for led in lane[:own]] + [led for pair in made.start for led in pair]
    assert sorted([*leds, *game_holes]) == list(range(made.leds))
    assert made.leds == lanes * own + (1 if shared else lanes) + (2 * lanes if start_holes else 0)
    assert [len(lane) for lane in made.lanes] == [own + 1] * lanes
    assert len(game_holes) == (1 if shared else lanes), "nothing but the game hole is shared"
    assert len(made.start) == (lanes if start_holes else 0)


def test_lanes_run_one_after_the_other_in_the_same_direction():
    ann, bob = layout("lanes", 2).lanes
    assert (ann[0], ann[120], bob[0], bob[120]) == (0, 120, 121, 241)


def test_zigzag_comes_back_along_the_second_lane():
    ann, bob = layout("zigzag", 2).lanes
    assert (ann[0], ann[120], bob[120], bob[0]) == (0, 120, 121, 241)


def test_zigzag_turns_at_the_shared_game_hole():
    ann, bob = chosen("zigzag", 2, False, True).lanes
    assert (ann[119], ann[120], bob[120], bob[119]) == (119, 120, 120, 121)


def test_serpentine_rows_lie_below_one_another_and_run_to_and_fro():
    ann, bob = layout("serpentine", 2).lanes
    assert (ann[0], ann[29]) == (0, 29), "Ann's first street runs with the strip"
    assert (bob[0], bob[29]) == (59, 30), "Bob's lies in the next row, where the strip runs back"
    assert (ann[30], ann[59]) == (89, 60), "the second street runs to the left, its row to the right"
    assert (bob[30], bob[59]) == (90, 119)
    assert (ann[119], bob[119]) == (180, 239), "both fourth streets end at the left"
    assert (bob[120], ann[120]) == (240, 241), "the game holes lie after the last row"


@pytest.mark.parametrize("lanes", [1, 2, 3])
@pytest.mark.parametrize("shared", [False, True])
def test_along_a_serpentine_each_led_lies_beside_the_one_before(lanes, shared):
    """Street s of a lane is row s * lanes + lane, to the right where s is even; start holes lie left of hole 1."""
    made, at = chosen("serpentine", lanes, True, shared), {}
    for lane, leds in enumerate(made.lanes):
        for place, led in enumerate(leds[:120]):
            street, column = divmod(place, 30)
            at[led] = (column if street % 2 == 0 else 29 - column, street * lanes + lane)
        at[made.start[lane][1]], at[made.start[lane][0]] = (-1, lane), (-2, lane)
        at[leds[120]] = (-1, 4 * lanes - 1 if shared else 3 * lanes + lane)
    steps = {(abs(x - u), abs(y - v)) for (x, y), (u, v) in itertools.pairwise(at[led] for led in range(made.leds))}
    past_the_start_holes = {(2, 1)} if lanes == 2 else set()
    assert steps == {(1, 0), (0, 1)} | past_the_start_holes


ROWS_OF_CLASSIC = {1: [(0, 1)], 2: [(0, 1), (3, 2)], 3: [(0, 1), (2, 3), (5, 4)]}
"""The outer and the inner row of each lane, from the top: the lower lanes have their outer row at the bottom."""


@pytest.mark.parametrize("lanes", [1, 2, 3])
@pytest.mark.parametrize("shared", [False, True])
def test_along_a_classic_board_each_led_lies_beside_the_one_before(lanes, shared):
    """Out along the outer row, back along the inner; start holes and game holes lie left of the rows."""
    made, at = chosen("classic", lanes, True, shared), {}
    for lane, leds in enumerate(made.lanes):
        outer, inner = ROWS_OF_CLASSIC[lanes][lane]
        at |= {led: (place, outer) for place, led in enumerate(leds[:30])}
        at |= {led: (29 - place, inner) for place, led in enumerate(leds[30:60])}
        at[made.start[lane][1]], at[made.start[lane][0]] = (-1, outer), (-2, outer)
        if not shared or lane == 0:
            at[leds[60]] = (-1, inner)
    steps = {(abs(x - u), abs(y - v)) for (x, y), (u, v) in itertools.pairwise(at[led] for led in range(made.leds))}
    between_lanes = {1: set(), 2: {(1, 1)} if shared else set(), 3: {(1, 1), (0, 1), (1, 2)}}[lanes]
    assert steps <= {(1, 0), (0, 1)} | between_lanes


def test_strip_enters_a_lane_at_the_rear_start_hole():
    made = chosen("lanes", 2, True, False)
    assert made.start == ((0, 1), (123, 124))
    assert (made.lanes[0][0], made.lanes[1][0]) == (2, 125)


@pytest.mark.parametrize("start_holes", [False, True])
@pytest.mark.parametrize("shared", [False, True])
def test_third_lane_moves_the_holes_of_the_others_in_the_streets_alone(start_holes, shared):
    for name, moves in (("lanes", False), ("zigzag", False), ("serpentine", True), ("classic", True)):
        two, three = (chosen(name, lanes, start_holes, shared) for lanes in (2, 3))
        assert (three.lanes[:2] != two.lanes) is moves
        assert moves or three.start[:2] == two.start


def test_unknown_layout_is_refused_with_the_known_ones():
    with pytest.raises(
        DeviceError, match="unknown strip layout 'spiral'; use one of lanes, zigzag, serpentine, classic"
    ):
        layout("spiral", 2)
