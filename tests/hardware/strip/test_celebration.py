"""The celebration of an end, at moments told by the test."""

import itertools
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.strip.layouts import LAYOUTS, layout
from hardware.strip.strip_picture import (
    BREATH_S,
    CHASE_S,
    GATE,
    LANES,
    LAP_S,
    Celebration,
    celebration_colors,
    colors,
)
from pegboard.core.position import Outcome
from pegboard.core.view import View
from tests.support.led_strip import led_at
from tests.support.views import table

WON = table((121, 116), (100, 92), winner=0)
SKUNKED = table((121, 116), (85, 80), winner=0, skunks=(0, 1))
TWICE = table((121, 116), (55, 50), winner=0, skunks=(0, 2))
STRIP = layout("lanes", 2)
BLUE, ORANGE, _ = LANES


def lane(view, seconds, number=0, places=STRIP):
    shown = celebration_colors(view, places, seconds)
    return [shown[led] for led in places.lanes[number]]


def heads(view, seconds):
    """Places where a light's brightest LED is, the game hole's peg aside."""
    blue = [led[2] for led in lane(view, seconds)]
    return [n for n in range(1, 119) if blue[n] > blue[n - 1] and blue[n] > blue[n + 1] and blue[n] > 110 and n != 115]


def test_light_runs_along_the_winners_lane_from_the_first_hole_to_the_game_hole():
    seen = [heads(WON, LAP_S * n / 10)[0] for n in range(2, 10)]
    assert seen == pytest.approx([121 * n / 10 for n in range(2, 10)], abs=1)


@pytest.mark.parametrize(("view", "lights"), [(WON, 1), (SKUNKED, 2), (TWICE, 3)])
def test_a_skunk_is_told_by_the_number_of_lights(view, lights):
    assert len(heads(view, 0.36)) == lights


def test_gate_that_a_loser_missed_breathes_in_the_losers_color():
    full, shallow = lane(SKUNKED, 0.0, 1), lane(SKUNKED, BREATH_S / 2, 1)
    assert full[90] == ORANGE
    assert 0 < sum(shallow[90]) < sum(ORANGE) / 2
    assert [n for n in range(121) if full[n] != shallow[n]] == [90], "hole 91 alone: line 60 was not missed"
    assert lane(TWICE, 0.0, 1)[60] == lane(TWICE, 0.0, 1)[90] == ORANGE
    assert lane(WON, 0.0, 1) == lane(WON, BREATH_S / 2, 1)


@given(
    st.sampled_from([WON, SKUNKED, TWICE]),
    st.sampled_from(sorted(LAYOUTS)),
    st.floats(0, CHASE_S, exclude_max=True),
    st.booleans(),
)
def test_every_peg_is_in_full_view_while_the_lights_run(view, name, seconds, more):
    places = layout(name, 2, start_holes=more, shared_game_hole=more)
    still, moving = colors(view, places), celebration_colors(view, places, seconds)
    for number, (front, rear) in enumerate(view.game.lanes):
        front_led, rear_led = led_at(places, number, front), led_at(places, number, rear)
        assert moving[front_led] == still[front_led] == LANES[number]
        assert sum(moving[rear_led]) >= sum(still[rear_led])
    for led, before in zip(moving, still, strict=True):
        assert before == GATE or sum(led) >= sum(before), "light is only added"


def test_front_peg_breathes_after_the_chase_and_never_goes_out():
    light = [lane(WON, CHASE_S + t / 100 * BREATH_S)[120][2] for t in range(100)]
    assert (light[0], max(light)) == (BLUE[2], BLUE[2])
    assert 0 < min(light) < BLUE[2] / 2
    assert light.index(min(light)) == 50


def test_nothing_but_the_front_peg_breathes_where_nobody_is_skunked():
    still, moving = lane(WON, CHASE_S), lane(WON, CHASE_S + BREATH_S / 2)
    assert [n for n in range(121) if still[n] != moving[n]] == [120]


def test_movement_is_smooth():
    """From one picture to the next, 40 ms later, no LED of the breathing peg jumps by more than a tenth."""
    light = [lane(WON, CHASE_S + n * 0.04)[120][2] for n in range(100)]
    assert max(abs(a - b) for a, b in itertools.pairwise(light)) < 0.1 * BLUE[2]


@given(st.floats(0, 120))
def test_lit_holes_stay_lit(seconds):
    still, moving = colors(WON, STRIP), celebration_colors(WON, STRIP, seconds)
    assert all(any(led) for led, before in zip(moving, still, strict=True) if any(before))


def test_light_runs_a_short_games_track_and_no_further():
    won = table((61, 50), (40, 30), variant="short", winner=0)
    for n in range(100):
        assert not any(map(any, lane(won, CHASE_S * n / 100)[61:]))


def test_winner_whose_lane_the_strip_does_not_have_is_not_chased():
    view = table((60, 50), (70, 60), (121, 110), variant="three-handed", winner=2, skunks=(0, 0, 0))
    assert celebration_colors(view, STRIP, 1.0) == colors(view, STRIP)


# --- when it is celebrated -----------------------------------------------------------------------------------------

RUNNING = table((116, 110), (100, 92))


def test_seconds_are_counted_from_the_first_sight_of_the_end():
    machine = Celebration()
    assert machine.seconds(RUNNING, 10.0) is None
    assert machine.seconds(WON, 20.0) == 0
    assert machine.seconds(WON, 21.5) == 1.5


def test_two_minutes_after_the_end_everything_stands_still():
    machine = Celebration()
    machine.seconds(RUNNING, 0.0)
    machine.seconds(WON, 0.0)
    assert machine.seconds(WON, 119.9) == 119.9
    assert machine.seconds(WON, 120.0) is None
    assert machine.seconds(WON, 130.0) is None


def test_end_that_was_there_before_the_strip_is_not_celebrated():
    machine = Celebration()
    assert machine.seconds(WON, 0.0) is None
    assert machine.seconds(WON, 1.0) is None


def test_end_taken_back_and_reached_again_is_celebrated_again():
    machine = Celebration()
    assert [machine.seconds(view, now) for now, view in enumerate((RUNNING, WON, RUNNING, WON))] == [None, 0, None, 0]


def test_solitaire_that_fell_short_is_not_celebrated():
    view, machine = table((80, 70), variant="solitaire"), Celebration()
    machine.seconds(view, 0.0)
    over = view.game.position._replace(outcome=Outcome(None, (0,)))
    assert machine.seconds(View(replace(view.game, positions=(over,))), 1.0) is None
