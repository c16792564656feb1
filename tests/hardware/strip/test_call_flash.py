"""The strip while somebody is called: it flashes once a second, and every peg stays."""

from dataclasses import replace
from itertools import pairwise

import pytest

from hardware.strip.display import Strip
from hardware.strip.layouts import layout
from hardware.strip.strip_picture import DARK, HALF_S, LANES, colors, due_s, flash_colors, flashes
from pegboard.config import Settings
from pegboard.core.view import Call, EventNews
from tests.support.views import table

STRIP = layout("lanes", 2)
PLAYING = table((36, 30), (21, 15))
JUDGE, DIRECTOR = Call("c", "judge", (), 2), Call("d", "director", (), 1)


def event(*calls):
    return EventNews("Club night 7", "4", calls=calls)


def test_dark_leds_light_up_half_of_each_second_and_no_peg_changes():
    plain = colors(PLAYING, STRIP)
    lit = flash_colors(plain, event(JUDGE), 10.2)
    assert [new for old, new in zip(plain, lit, strict=True) if old != DARK] == [one for one in plain if one != DARK]
    assert DARK not in lit
    assert flash_colors(plain, event(JUDGE), 10.2 + HALF_S) == plain
    assert flash_colors(plain, event(JUDGE), 11.2) == lit


def test_it_flashes_less_than_three_times_a_second():
    """WCAG 2.3.1: three flashes within one second are too many."""
    plain = colors(PLAYING, STRIP)
    seen = [flash_colors(plain, event(JUDGE), ms / 1000) != plain for ms in range(0, 10_000, 10)]
    begun = sum(now and not before for before, now in pairwise(seen))
    assert begun / 10 <= 1


def test_judge_and_director_have_colors_of_their_own_that_are_no_lanes():
    plain = colors(PLAYING, STRIP)
    shown = {one.kind: set(flash_colors(plain, event(one), 0)) - set(plain) for one in (JUDGE, DIRECTOR)}
    assert len(shown["judge"]) == len(shown["director"]) == 1
    assert shown["judge"] != shown["director"]
    assert not (shown["judge"] | shown["director"]) & set(LANES)


@pytest.mark.parametrize(
    ("calls", "is_flashing"),
    [
        ((), False),
        ((JUDGE,), True),
        ((JUDGE._replace(accepted=("Cy",)),), True),
        ((JUDGE._replace(accepted=("Cy", "Dee")),), False),
        ((JUDGE._replace(accepted=("Cy", "Dee")), DIRECTOR), True),
    ],
)
def test_it_flashes_until_enough_people_come(calls, is_flashing):
    assert flashes(event(*calls)) is is_flashing


def test_it_flashes_in_no_event_never():
    assert not flashes(None)


class Bus:
    def __init__(self):
        self.sent = []

    def write(self, data):
        self.sent.append(data)

    def close(self):
        pass


class Buses:
    def __init__(self):
        self.bus = Bus()

    def spi(self, _bus, _hz):
        return self.bus


def test_the_display_shows_each_change_of_the_light_in_time():
    now, buses = [100.0], Buses()
    strip = Strip(Settings(), buses, clock=lambda: now[0])
    calling = replace(PLAYING, event=event(JUDGE))
    for _ in range(4):
        strip.show(calling)
        assert strip.refresh_s == pytest.approx(due_s(now[0]))
        now[0] += strip.refresh_s
    one, other, third, fourth = buses.bus.sent
    assert one == third != other == fourth


def test_without_a_call_the_strip_rests():
    buses = Buses()
    strip = Strip(Settings(), buses, clock=lambda: 100.0)
    strip.show(PLAYING)
    assert strip.refresh_s == 5.0
