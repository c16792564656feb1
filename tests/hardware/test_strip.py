"""The strip: layouts, colours, current and waveform, the last read by the chain's model."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.colours import GATE, colours
from hardware.leds import LAYOUTS, layout
from hardware.standin.chain import Chain, Fault
from hardware.ws2812 import MOST_LEDS, channels, current, gamma_table, limited, waveform
from pegboard import Rules, SetPegs, new_game, play, with_house_rules
from pegboard.core.view import View
from pegboard.errors import DeviceError
from tests.hardware.table import table

BLUE, ORANGE, GREEN = (0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0x00, 0x9E, 0x73)


def shown(transfer, hz=2_400_000):
    chain = Chain()
    chain.receive(transfer, hz)
    return chain.colours()


# --- layouts -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", LAYOUTS)
@pytest.mark.parametrize("lanes", [1, 2, 3])
def test_every_hole_has_an_led_and_every_led_a_hole(name, lanes):
    leds = [led for lane in layout(name, lanes) for led in lane]
    assert sorted(leds) == list(range(121 * lanes))


def test_serpentine_rows_lie_below_one_another_and_run_to_and_fro():
    ann, bob = layout("serpentine", 2)
    assert (ann[0], ann[29]) == (0, 29), "Ann's first street runs with the strip"
    assert (bob[0], bob[29]) == (59, 30), "Bob's lies in the next row, where the strip runs back"
    assert (ann[30], ann[59]) == (89, 60), "the second street runs to the left, its row to the right"
    assert (bob[30], bob[59]) == (90, 119)
    assert (ann[119], bob[119]) == (180, 239), "both fourth streets end at the left"
    assert (bob[120], ann[120]) == (240, 241), "the game holes lie after the last row"


def test_zigzag_comes_back_along_the_second_lane():
    ann, bob = layout("zigzag", 2)
    assert (ann[0], ann[120], bob[120], bob[0]) == (0, 120, 121, 241)


def test_unknown_layout_is_refused_with_the_known_ones():
    with pytest.raises(DeviceError, match="no strip layout 'spiral'; these are known: lanes, zigzag, serpentine"):
        layout("spiral", 2)


# --- colours -------------------------------------------------------------------------------------------------------


def lane_by_lane(view, lanes=2):
    return colours(view, layout("lanes", lanes), 121 * lanes)


def test_front_peg_is_the_lanes_full_colour_and_the_rear_peg_dimmer():
    lit = lane_by_lane(table((12, 6), (40, 35)))
    assert (lit[11], lit[121 + 39]) == (BLUE, ORANGE)
    assert 0 < sum(lit[5]) < sum(BLUE)


def test_trail_lies_behind_the_rear_peg_and_the_holes_between_the_pegs_are_dark():
    lit = lane_by_lane(table((12, 6), (0, 0)))
    assert len(set(lit[:5])) == 1
    assert 0 < sum(lit[0]) < sum(lit[5])
    assert set(lit[6:11]) == {(0, 0, 0)}


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


def test_empty_board_shows_no_pegs():
    assert set(lane_by_lane(table((0, 0), (0, 0)))) == {(0, 0, 0), GATE}


# --- current -------------------------------------------------------------------------------------------------------


def test_white_strip_of_242_draws_the_published_fourteen_and_a_half_amperes():
    assert current(b"\xff" * 3 * 242) / 1000 == pytest.approx(14.7, abs=0.2)


@given(st.binary(min_size=3, max_size=363 * 3).filter(lambda b: len(b) % 3 == 0), st.integers(0, 3000))
def test_current_never_exceeds_the_budget_and_what_is_lit_stays_lit(values, more):
    budget = len(values) // 3 * 0.94 + more
    kept = limited(values, budget)
    assert current(kept) <= budget + 1e-9
    assert [value > 0 for value in kept] == [value > 0 for value in values]


def test_frame_below_the_budget_is_left_alone():
    assert limited(bytes([9, 9, 9]), 100) == bytes([9, 9, 9])


def test_dimming_keeps_the_order_of_brightness():
    kept = limited(bytes([250, 100, 40] * 100), 300)
    assert kept[0] > kept[1] > kept[2]


def test_budget_that_cannot_keep_every_hole_lit_is_refused():
    with pytest.raises(DeviceError, match="a budget of 200 mA is too small for 242 LEDs; they need at least 227 mA"):
        limited(bytes(3 * 242), 200)


@given(st.floats(0.001, 1))
def test_gamma_keeps_dark_dark_and_lit_lit(brightness):
    table_ = gamma_table(brightness)
    assert table_[0] == 0
    assert min(table_[1:]) >= 1
    assert list(table_) == sorted(table_)


# --- waveform ------------------------------------------------------------------------------------------------------

rgb = st.tuples(*[st.integers(0, 255)] * 3)


@given(st.lists(rgb, min_size=1, max_size=8))
def test_chain_reads_the_colours_from_the_pulses(colours_):
    assert shown(waveform(channels(colours_))) == colours_


def test_frame_sizes_and_times_are_those_measured_for_242_and_363_leds():
    assert [len(waveform(bytes(3 * leds))) for leds in (242, 363)] == [2269, 3358]
    assert [round(8e3 * size / 2_400_000, 1) for size in (2269, 3358)] == [7.6, 11.2]


def test_strip_that_needs_two_transfers_is_refused():
    assert len(waveform(bytes(3 * MOST_LEDS))) <= 4096
    assert MOST_LEDS == 445
    with pytest.raises(DeviceError, match="446 LEDs do not fit one SPI transfer; 445 are taken"):
        waveform(bytes(3 * 446))


def test_chain_rejects_our_frame_without_its_latch():
    with pytest.raises(Fault, match="no reset"):
        shown(waveform(b"\x10\x20\x30")[:-90])
    with pytest.raises(Fault, match="neither a bit's nor a reset"):
        shown(waveform(b"\x10\x20\x30")[:-60])


def test_chain_rejects_our_frame_with_a_gap_in_the_middle():
    whole = waveform(b"\x10\x20\x30" * 2)
    with pytest.raises(Fault, match="gap"):
        shown(whole[:10] + bytes(4) + whole[10:])


@pytest.mark.parametrize("hz", [1_200_000, 6_400_000])
def test_chain_rejects_our_frame_at_a_wrong_clock(hz):
    with pytest.raises(Fault):
        shown(waveform(b"\x10\x20\x30"), hz)


def test_encoding_363_leds_takes_less_than_150_microseconds():
    values, spent = bytes(range(256)) * 4 + bytes(65), []
    for _ in range(200):
        started = time.perf_counter()
        waveform(values)
        spent.append(time.perf_counter() - started)
    assert sorted(spent)[100] < 150e-6


# --- other game holes ----------------------------------------------------------------------------------------------


def lit(hole, front, rear):
    """The LEDs of the first lane that are not dark, in a game to `hole`, on a strip that runs lane by lane."""
    rules = with_house_rules(Rules(), [f"game hole={hole}", "skunks=off"])
    game = new_game(rules, ("Ann", "Bob"))
    game = play(game, SetPegs(0, front, rear)) if front else game
    strip = colours(View(game), layout("lanes", 2), 242)[:121]
    return {led: colour for led, colour in enumerate(strip) if colour != (0, 0, 0)}


def test_a_longer_game_goes_round_the_strip_and_the_round_of_the_front_peg_is_shown():
    assert lit(361, 250, 245).keys() == {120, 9, *range(5)}, "the third round: holes 241 to 245 and 250"
    assert lit(361, 121, 115).keys() == {120, 0}, "the rear peg is a round behind"
    assert lit(361, 120, 118).keys() == {120, 119, *range(118)}


@pytest.mark.parametrize("hole", [122, 200, 241, 361])
def test_the_game_hole_is_the_strips_last_hole_however_long_the_game(hole):
    assert lit(hole, hole, hole - 1)[120] == BLUE
    assert lit(hole, 0, 0) == {120: GATE}


def test_a_shorter_game_ends_before_the_strip_does():
    assert lit(31, 31, 29).keys() == {30, *range(29)}
