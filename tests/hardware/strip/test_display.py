"""The strip down to its data line and back: what the modelled chains read is what the view shows."""

import math
import random
import re
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hardware.display_thread import DisplayThread
from hardware.simulator.led_chains import SignalFault
from hardware.strip.chips import CHIPS, arrange_channels
from hardware.strip.display import Strip
from hardware.strip.layouts import LAYOUTS, layout
from hardware.strip.strip_picture import colors
from pegboard import Rules, Score, new_game, play
from pegboard.config import Settings, StripSettings, TableSettings
from pegboard.core.view import Brightness, View
from pegboard.errors import DeviceError
from tests.support.led_strip import Clock, StripBus, chain_of, led_at, make_strip
from tests.support.long_runs import some_combinations
from tests.support.views import table

VIEW = table((87, 75), (64, 58), dialled=(0, 7))
RUNNING, WON = table((116, 110), (55, 50)), table((121, 116), (55, 50), winner=0, skunks=(0, 2))

IDLE_AND_FULL_MA = {"ws2812": (0.7, 20), "sk6812": (1.0, 20), "sk6812w": (1.0, 20), "apa102": (1.0, 22)}
PULSED = ["ws2812", "sk6812", "sk6812w"]

TABLES = [
    table((87, 75), variant="solitaire"),
    VIEW,
    WON,
    table((121, 116), (118, 110), (119, 112), variant="three-handed", winner=0),
]
"""One lane, two and three."""


def frame(chip, rgb):
    """Our bytes for LEDs that shine so."""
    return CHIPS[chip].encoding.encode(
        arrange_channels(bytes(value for led in rgb for value in led), CHIPS[chip].order)
    )


def shown(chip, transfer, factor=1.0):
    """What the chip's chain makes of a transfer, at a clock that is wrong by a factor."""
    model = chain_of(chip)
    model.receive(transfer, CHIPS[chip].encoding.hz * factor)
    return model.colors()


# --- the wire ------------------------------------------------------------------------------------------------------

rgb = st.tuples(*[st.integers(0, 255)] * 3)


@pytest.mark.parametrize("chip", CHIPS)
@given(st.lists(rgb, min_size=1, max_size=40))
def test_chain_reads_the_colors_from_the_wire(chip, leds):
    assert shown(chip, frame(chip, leds)) == leds


@given(st.lists(rgb, min_size=1, max_size=200))
def test_sk9822_reads_the_frames_of_an_apa102(leds):
    model = chain_of("sk9822")
    model.receive(frame("apa102", leds), CHIPS["apa102"].encoding.hz)
    assert model.colors() == leds


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 242, 363, 1500])
def test_last_led_of_an_apa102_is_reached_however_long_the_strip(count):
    assert shown("apa102", frame("apa102", [(1, 2, 3)] * count)) == [(1, 2, 3)] * count


def test_frame_sizes_and_times_of_a_ws2812_are_those_measured_for_242_and_363_leds():
    sizes = [len(frame("ws2812", [(0, 0, 0)] * leds)) for leds in (242, 363)]
    assert sizes == [2269, 3358]
    assert [round(8e3 * size / 2_400_000, 1) for size in sizes] == [7.6, 11.2]


@pytest.mark.parametrize("chip", PULSED)
@pytest.mark.parametrize("leds", [1, 242, 363])
def test_size_that_is_foretold_is_the_size_that_is_sent(chip, leds):
    assert CHIPS[chip].encoding.size(leds * len(CHIPS[chip].order)) == len(frame(chip, [(7, 8, 9)] * leds))


@pytest.mark.parametrize("chip", PULSED)
def test_chain_rejects_our_frame_without_its_latch(chip):
    whole = frame(chip, [(16, 32, 48)])
    lit = 1 + len(CHIPS[chip].order) * len(CHIPS[chip].encoding.zero)
    for short in (0, 20):
        with pytest.raises(SignalFault, match="no reset"):
            shown(chip, whole[: lit + short])


@pytest.mark.parametrize("chip", CHIPS)
def test_chain_rejects_our_frame_with_a_gap_in_the_middle(chip):
    whole = frame(chip, [(16, 32, 48)] * 2)
    middle = (1 if chip in PULSED else 4) + (len(whole) - len(frame(chip, [(16, 32, 48)])))
    assert shown(chip, whole) == [(16, 32, 48)] * 2
    with pytest.raises(SignalFault, match="gap"):
        shown(chip, whole[:middle] + bytes(4) + whole[middle:])


@pytest.mark.parametrize("chip", PULSED)
@pytest.mark.parametrize("factor", [0.8, 1.25])
def test_chain_rejects_our_frame_at_a_wrong_clock(chip, factor):
    strip, buses, _ = make_strip(chip, lanes=2)
    strip.show(VIEW)
    transfer, hz = buses.last
    assert hz == CHIPS[chip].encoding.hz
    assert len(shown(chip, transfer)) == 242
    with pytest.raises(SignalFault):
        shown(chip, transfer, factor)


@pytest.mark.parametrize("chip", PULSED)
@pytest.mark.parametrize("core_hz", [250e6, 500e6, 200e6])
def test_chain_takes_our_frame_at_the_clock_that_a_pi_really_makes(chip, core_hz):
    """The SPI clock of a Pi 3, 4 and 5 is the core's divided by an even number, no faster than what was asked for."""
    hz = CHIPS[chip].encoding.hz
    divisor = 2 * math.ceil(core_hz / hz / 2)
    leds = [(0, 255, 1), (128, 64, 7)]
    assert shown(chip, frame(chip, leds), core_hz / divisor / hz) == leds


@pytest.mark.parametrize("chip", CHIPS)
def test_chain_rejects_half_an_led(chip):
    whole = frame(chip, [(16, 32, 48)] * 2)
    each = len(whole) - len(frame(chip, [(16, 32, 48)]))
    lead = 1 if chip in PULSED else 4
    half = whole[: lead + each + each // 2] + (whole[lead + 2 * each :] if chip in PULSED else b"")
    with pytest.raises(SignalFault, match="not a whole number of LEDs"):
        shown(chip, half)


# --- every frame ---------------------------------------------------------------------------------------------------

OWN = {"transfer": 8192}
"""So that three lanes fit with any chip."""


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", LAYOUTS)
def test_view_is_read_back_from_the_wire_with_every_chip_and_layout(chip, name):
    strip, buses, _ = make_strip(chip, layout=name, start_holes=True, shared_game_hole=True, brightness=1.0, **OWN)
    strip.show(VIEW)
    places = layout(name, 2, start_holes=True, shared_game_hole=True)
    lit, meant = buses.led_chain.colors(), colors(VIEW, places)
    own = 62 if name == "classic" else 122
    assert (len(meant), len(lit)) == (2 * own + 1, 3 * own + 1)
    for led, color in zip(lit, meant, strict=False):
        assert [value > 0 for value in led] == [value > 0 for value in color]
    assert not any(map(any, lit[len(meant) :])), "where a third lane would lie"
    front, rear, trail = (lit[led_at(places, 0, hole)] for hole in (87, 75, 61))
    assert front[2] > front[1] > front[0] == 0, "blue"
    assert sum(front) > sum(rear) > sum(trail) > 0
    red, green, blue = lit[led_at(places, 1, 64)]
    assert red > green > blue == 0, "orange"


def drawn_ma(chip, buses):
    """What the whole chain draws, summed here from what its LEDs show."""
    raw = [led[1:] if chip == "apa102" else led for led in buses.led_chain.raw()]
    idle, full = IDLE_AND_FULL_MA[chip]
    return len(raw) * idle + sum(map(sum, raw)) / 255 * full


tables = st.one_of(
    st.sampled_from(TABLES),
    st.builds(
        lambda front, dialled: table((front, 1), (118, 110), (80, 79), variant="three-handed", dialled=(dialled, 0, 0)),
        st.integers(2, 120),
        st.integers(0, 29),
    ),
    st.builds(lambda front: table((front, 1), (121, 110), winner=1, skunks=(2, 0)), st.integers(2, 60)),
)
"""Of one, two and three lanes; some have a winner."""


@pytest.mark.sampled
@pytest.mark.parametrize(("chip", "name"), some_combinations(list(CHIPS), list(LAYOUTS)))
@settings(max_examples=15)
@given(
    own=st.fixed_dictionaries({"budget_ma": st.integers(463, 1000), "brightness": st.floats(0.01, 1)}),
    views=st.lists(st.tuples(tables, st.floats(0, 60)), min_size=2, max_size=5),
)
@example({"budget_ma": 463, "brightness": 1.0}, [(TABLES[3], 0.0), (RUNNING, 0.0), (WON, 1.0), (TABLES[0], 0.0)])
def test_no_frame_draws_more_than_the_budget_and_lights_all_that_is_lit_and_nothing_else(chip, name, own, views):
    """Lanes come and go, and animations run; the whole chain counts, with all that earlier frames left on it."""
    strip, buses, clock = make_strip(chip, layout=name, **own, **OWN)
    for view, pause in views:
        strip.show(view)
        clock.now += pause
        strip.show(view)
        assert drawn_ma(chip, buses) <= own["budget_ma"] + 1e-6
        places = layout(name, max(2, len(view.game.lanes)))
        lit, meant = buses.led_chain.colors(), colors(view, places)
        assert all(any(led) for led, color in zip(lit, meant, strict=False) if any(color))
        assert not any(map(any, lit[places.leds :]))


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("after", [0, 1, 2])
def test_lane_that_is_not_in_the_next_game_goes_dark(chip, after):
    """On a strip along three lanes, of which three were lit; a lane that kept its light would draw current as well."""
    strip, buses, _ = make_strip(chip, layout="lanes", budget_ma=500, brightness=1.0, **OWN)
    strip.show(TABLES[3])
    assert sum(map(any, buses.led_chain.colors()[242:])) > 100
    strip.show(TABLES[after])
    assert not any(map(any, buses.led_chain.colors()[121 * len(TABLES[after].game.lanes) :]))
    assert drawn_ma(chip, buses) <= 500


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("more", [{}, {"winner": 0, "skunks": (0, 1, 0, 1)}, {"winner": 3, "skunks": (0, 1, 0, 0)}])
def test_of_four_lanes_the_strip_lights_three_and_keeps_its_length(chip, more):
    strip, buses, clock = make_strip(chip, layout="lanes", budget_ma=500, **OWN)
    view = table((121, 110), (62, 50), (118, 100), (121, 100), variant="cut-throat-four", **more)
    strip.show(TABLES[0])
    for seconds in (0, 1, 6):
        clock.now += seconds
        strip.show(view)
        shown, meant = buses.led_chain.colors(), colors(view, layout("lanes", 3))
        assert len(shown) == len(meant) == 363
        assert all(any(led) for led, color in zip(shown, meant, strict=True) if any(color))


@pytest.mark.parametrize("chip", CHIPS)
def test_longest_strip_is_sent_in_less_than_half_the_time_between_two_pictures(chip):
    """25 pictures a second are 40 ms each; the drawing needs its time as well."""
    strip, buses, _ = make_strip(chip, start_holes=True, **OWN)
    strip.show(VIEW)
    transfer, hz = buses.last
    assert len(buses.led_chain.raw()) == 3 * 123
    assert 8 * len(transfer) / hz < 0.020


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("chip", CHIPS)
def test_every_frame_of_a_game_shows_the_front_peg_brightest_and_the_rear_peg_next(chip):
    strip, buses, _ = make_strip(chip, layout="lanes", lanes=2, start_holes=True, brightness=1.0)
    game, dice = new_game(Rules(), ("Ann", "Bob")), random.Random(121)
    while game.outcome is None:
        strip.show(View(game))
        light = [sum(led) for led in buses.led_chain.colors()]
        for lane, (front, rear) in enumerate(game.lanes):
            own = light[123 * lane : 123 * (lane + 1)]
            pegs = [1, 0] if front == 0 else [front + 1, rear + 1]
            assert sorted(range(123), key=own.__getitem__, reverse=True)[:2] == pegs
        game = play(game, Score(dice.choice([1, 2, 4, 6, 8, 12]), dice.randrange(2)))


def test_current_of_what_is_seen_is_the_current_of_what_was_sent():
    for chip in CHIPS:
        strip, buses, _ = make_strip(chip, lanes=2)
        strip.show(VIEW)
        assert strip.current(buses.led_chain.colors()) == pytest.approx(drawn_ma(chip, buses))


def test_bus_and_clock_are_the_chips():
    for chip, hz in {"ws2812": 2_400_000, "sk6812": 3_300_000, "sk6812w": 3_300_000, "apa102": 2_000_000}.items():
        strip, buses, _ = make_strip(chip, lanes=2, spi_bus=1)
        strip.show(VIEW)
        assert buses.opened == (1, hz)
        assert strip.hz == hz


@pytest.mark.parametrize(("lanes", "leds"), [(0, 363), (1, 121), (2, 242), (3, 363)])
def test_every_frame_is_as_long_as_the_strip_can_be_whatever_the_game(lanes, leds):
    strip, buses, _ = make_strip(lanes=lanes)
    assert strip.about == f"WS2812 on SPI0, {leds} LEDs"
    for view in TABLES:
        strip.show(view)
        assert len(buses.last[0]) == 1 + 9 * leds + 90
    assert len(buses.led_chain.colors()) == leds


# --- at the end ----------------------------------------------------------------------------------------------------


def ended(**own):
    """A strip that has seen a game go on and end."""
    strip, buses, clock = make_strip(layout="lanes", **own)
    strip.show(RUNNING)
    strip.show(WON)
    return strip, buses, clock


def test_strip_asks_for_25_pictures_a_second_while_it_moves_and_for_one_in_five_seconds_when_it_is_still():
    strip, _, clock = ended()
    asked = []
    for _ in range(4000):
        asked.append(strip.refresh_s)
        clock.now += strip.refresh_s
        strip.show(WON)
    assert asked[:2990] == pytest.approx([0.04] * 2990)
    assert asked.index(5.0) == pytest.approx(120 / 0.04, abs=2)
    assert set(asked[3010:]) == {5.0}


def test_moving_strip_changes_from_picture_to_picture():
    strip, buses, clock = ended()
    seen = []
    for _ in range(50):
        clock.now += strip.refresh_s
        strip.show(WON)
        seen.append(tuple(buses.led_chain.colors()))
    assert len(set(seen)) == 50


@pytest.mark.parametrize("after_s", [0.0, 0.7, 3.3, 10.0, 119.0])
def test_new_view_interrupts_the_celebration_with_its_pegs_in_full(after_s):
    strip, buses, clock = ended()
    for _ in range(5):
        clock.now += after_s / 5
        strip.show(WON)
    strip.show(table((119, 112), (60, 55)))
    interrupted, refresh_s = buses.led_chain.colors(), strip.refresh_s
    fresh, others, _ = make_strip(layout="lanes")
    fresh.show(table((119, 112), (60, 55)))
    assert interrupted == others.led_chain.colors()
    assert refresh_s == 5.0


def test_score_corrected_after_the_end_shows_its_pegs_and_the_celebration_goes_on():
    strip, buses, clock = ended()
    clock.now += 2
    strip.show(table((121, 116), (58, 50), winner=0, skunks=(0, 2)))
    orange = buses.led_chain.colors()[121:]
    assert orange[57] == max(orange)
    assert strip.refresh_s == pytest.approx(0.04)


def test_strip_that_is_made_after_the_end_stands_still():
    strip, _, _ = make_strip()
    strip.show(WON)
    assert strip.refresh_s == 5.0


@pytest.mark.parametrize(("took_s", "left_s"), [(0.0, 0.04), (0.011, 0.029), (0.06, 0.0)])
def test_time_on_the_wire_is_not_added_to_the_time_between_pictures(took_s, left_s):
    strip, buses, clock = ended()
    send = buses.led_chain.receive
    buses.led_chain.receive = lambda data, hz: (send(data, hz), setattr(clock, "now", clock.now + took_s))
    strip.show(WON)
    assert strip.refresh_s == pytest.approx(left_s)


def test_display_thread_shows_25_pictures_a_second_and_a_new_view_between_two_of_them():
    buses, clock = StripBus(), Clock()

    class Timed(Strip):
        def __init__(self, settings, buses):
            super().__init__(settings, buses, clock)

    display_thread = DisplayThread(Timed, Settings(), buses)
    for view in (RUNNING, WON):
        display_thread.wake(view)
        assert display_thread.run_once(clock.now, 0) == pytest.approx(0.04 if view is WON else 5.0)
    for _ in range(50):
        clock.now += 0.04
        assert display_thread.run_once(clock.now, 0) == pytest.approx(0.04)
    assert buses.transfers == 52
    clock.now += 0.01
    display_thread.wake(table((119, 112), (60, 55)))
    assert display_thread.run_once(clock.now, 0) == 5.0
    assert buses.transfers == 53
    display_thread.close()


def test_still_view_is_sent_whole_again_which_repairs_what_a_spark_has_spoilt():
    strip, buses, clock = make_strip()
    strip.show(VIEW)
    lit = buses.led_chain.colors()
    buses.led_chain.power_up()
    clock.now += strip.refresh_s
    strip.show(VIEW)
    assert buses.led_chain.colors() == lit
    assert buses.transfers == 2


# --- at night ------------------------------------------------------------------------------------------------------


def test_strip_is_darker_at_night_by_the_clock_on_the_wall_and_every_hole_is_still_lit():
    strip, buses, clock = make_strip(
        time="21:59", layout="lanes", brightness=0.5, night_brightness=0.05, night_from="22:00", night_until="06:30"
    )
    light = {}
    for clock.wall in ("21:59", "22:00", "03:00", "06:29", "06:30"):
        strip.show(VIEW)
        light[clock.wall] = buses.led_chain.colors()
    assert light["21:59"] == light["06:30"]
    assert light["22:00"] == light["03:00"] == light["06:29"]
    assert sum(map(sum, light["03:00"])) < sum(map(sum, light["21:59"])) / 3
    assert [any(led) for led in light["03:00"]] == [any(led) for led in light["21:59"]]


def test_front_rear_and_trail_differ_even_at_night():
    strip, buses, _ = make_strip(time="23:00", layout="lanes", night_from="22:00")
    strip.show(VIEW)
    front, rear, trail = (sum(buses.led_chain.colors()[hole - 1]) for hole in (87, 75, 1))
    assert front > rear > trail > 0


def test_strip_shines_as_was_chosen_by_day_and_no_brighter_than_the_night_is():
    strip, buses, clock = make_strip(
        time="12:00", layout="lanes", brightness=0.5, night_brightness=0.05, night_from="22:00", night_until="06:30"
    )
    light = {}
    for clock.wall in ("12:00", "23:00"):
        for chosen in (None, 1.0, 0.2, 0.02):
            strip.show(replace(VIEW, brightness=Brightness(strip=chosen)))
            light[clock.wall, chosen] = sum(map(sum, buses.led_chain.colors()))
    day, by_night = ([light[time, chosen] for chosen in (1.0, None, 0.2, 0.02)] for time in ("12:00", "23:00"))
    assert day == sorted(day, reverse=True)
    assert len(set(day)) == 4
    assert by_night[0] == by_night[1] == by_night[2] > by_night[3] == day[3]


# --- the board's layout, every fifth hole, and games won -----------------------------------------------------------


@pytest.mark.parametrize(
    ("board", "own", "leds"),
    [
        ("streets", {}, 242),
        ("classic", {}, 122),
        ("Classic", {}, 122),
        ("classic", {"layout": "zigzag"}, 242),
        ("streets", {"layout": "classic"}, 122),
    ],
)
def test_strip_follows_the_board_of_the_table_unless_it_has_a_layout_of_its_own(board, own, leds):
    settings = Settings(table=TableSettings(board=board), strip=StripSettings(lanes=2, **own))
    assert Strip(settings, StripBus()).about == f"WS2812 on SPI0, {leds} LEDs"


def test_strip_says_which_boards_there_are():
    with pytest.raises(DeviceError, match="there is no board 'round'; use streets or classic"):
        Strip(Settings(table=TableSettings(board="round")), StripBus())


@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("name", LAYOUTS)
def test_fives_and_games_won_reach_the_wire_within_the_current_limit(chip, name):
    first = 123 if name == "classic" else 243
    own = {"fives": True, "games_won": {"a": tuple(range(first, first + 4)), "b": tuple(range(first + 4, first + 8))}}
    strip, buses, _ = make_strip(chip, layout=name, lanes=2, brightness=1.0, budget_ma=320, **own, **OWN)
    strip.show(table((87, 75), (64, 58), won=(2, 5)))
    lit = buses.led_chain.colors()
    assert len(lit) == first + 7
    assert [any(led) for led in lit[first - 1 :]] == [True, True, False, False, True, True, True, True]
    assert drawn_ma(chip, buses) <= 320 + 1e-6
    fifth = lit[led_at(strip.layout_for(2), 1, 115)]
    assert 0 < sum(fifth) < sum(lit[led_at(strip.layout_for(2), 1, 58)]), "fainter than the rear peg"


# --- refusals ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("own", "sentence"),
    [
        ({"chip": "ws9999"}, "unknown LED chip 'ws9999'; use one of ws2812, sk6812, sk6812w, apa102"),
        ({"layout": "spiral"}, "unknown strip layout 'spiral'; use one of lanes, zigzag, serpentine, classic"),
        (
            {"lanes": 2, "games_won": {"a": (242,)}},
            "LED 242 is a hole of the track; strip.games_won takes LEDs from 243 on",
        ),
        (
            {"lanes": 2, "games_won": {"a": (243, 244), "b": (244,)}},
            "strip.games_won has LED 244 twice, in lanes a and b; give each LED once",
        ),
        ({"games_won": {"d": (400,)}}, "strip.games_won has no lane d; the lanes are a, b, c"),
        ({"brightness": 0.0}, "strip's brightness must be above 0 and at most 1, not 0"),
        ({"night_brightness": 0.0}, "strip's night_brightness must be above 0 and at most 1, not 0"),
        ({"night_from": "25:00"}, "night_from must be a time of day such as 22:00, not '25:00'"),
        ({"budget_ma": 100}, "100 mA is too low for 363 LEDs; set strip.budget_ma to 342 or more"),
        ({"budget_ma": 100, "lanes": 2}, "100 mA is too low for 242 LEDs; set strip.budget_ma to 228 or more"),
        (
            {"chip": "sk6812"},
            (
                "^363 LEDs need an SPI transfer of 4481 bytes, but the limit is 4096, enough for 330 SK6812 LEDs; "
                "for a strip along two lanes, set strip.lanes = 2; "
                "otherwise add spidev.bufsiz=8192 to /boot/firmware/cmdline.txt and set strip.transfer = 8192$"
            ),
        ),
        (
            {"chip": "sk6812w", "lanes": 3, "start_holes": True},
            (
                "^369 LEDs need an SPI transfer of 6029 bytes, but the limit is 4096, enough for 248 SK6812 RGBW LEDs; "
                "add spidev.bufsiz=8192 to"
            ),
        ),
        (
            {"transfer": 2048},
            (
                "363 LEDs need an SPI transfer of 3358 bytes, but the limit is 2048, enough for 217 WS2812 LEDs; "
                "set strip.transfer = 4096$"
            ),
        ),
    ],
)
def test_strip_that_cannot_work_is_refused_before_a_wire_is_touched(own, sentence):
    with pytest.raises(DeviceError, match=sentence):
        make_strip(**{"chip": "ws2812"} | own)


@pytest.mark.parametrize(
    "own",
    [
        {"chip": "ws2812", "start_holes": True},
        {"chip": "sk6812", "lanes": 2, "start_holes": True},
        {"chip": "sk6812w", "lanes": 2, "start_holes": True},
        {"chip": "sk6812", "transfer": 8192, "start_holes": True},
        {"chip": "sk6812w", "transfer": 8192, "start_holes": True},
        {"chip": "apa102", "transfer": 512, "start_holes": True},
    ],
)
def test_strip_that_is_taken_sends_no_more_than_one_transfer_holds(own):
    """But an APA102, to whom pauses do no harm."""
    strip, buses, _ = make_strip(**own)
    strip.show(table((1, 0), (2, 0), (3, 0), variant="three-handed"))
    assert len(buses.last[0]) <= own.get("transfer", 4096) or own["chip"] == "apa102"


@pytest.mark.parametrize("start_holes", [False, True])
@pytest.mark.parametrize("lanes", [0, 2, 3])
@pytest.mark.parametrize("chip", PULSED)
def test_advice_for_a_strip_that_is_too_long_names_what_that_strip_sends(chip, lanes, start_holes):
    """The kernel takes its memory in powers of two: the next one from the bytes of this strip on."""
    own = {"chip": chip, "lanes": lanes, "start_holes": start_holes}
    with pytest.raises(DeviceError) as refused:
        make_strip(**own, transfer=512)
    needed = int(re.search(r"need an SPI transfer of (\d+) bytes", str(refused.value))[1])
    advised = int(re.search(r"set strip\.transfer = (\d+)$", str(refused.value))[1])
    assert advised in (512, 1024, 2048, 4096, 8192)
    assert advised / 2 < needed <= advised
    assert (f"spidev.bufsiz={advised} to" in str(refused.value)) == (advised > 4096)
    strip, buses, _ = make_strip(**own, transfer=advised)
    strip.show(table((1, 0), (2, 0), (3, 0), variant="three-handed") if lanes != 2 else table((1, 0), (2, 0)))
    assert len(buses.last[0]) == needed


@pytest.mark.parametrize("chip", PULSED)
def test_number_that_is_said_to_fit_is_the_greatest_that_does(chip):
    coding, channels = CHIPS[chip].encoding, len(CHIPS[chip].order)
    fit = coding.fits(4096) // channels
    assert len(frame(chip, [(1, 2, 3)] * fit)) <= 4096 < len(frame(chip, [(1, 2, 3)] * (fit + 1)))


def test_gates_and_game_hole_are_neither_lanes_color():
    strip, buses, _ = make_strip(layout="lanes", brightness=1.0)
    strip.show(VIEW)
    gate = buses.led_chain.colors()[120]
    assert 0 < max(gate) - min(gate) < 20, "ivory"
