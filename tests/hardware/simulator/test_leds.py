"""The models of the strips against their datasheets, with waveforms and frames written out by hand."""

import pytest

from hardware.simulator.led_chains import (
    SK6812,
    SK6812_RGBW,
    WS2812B,
    ClockedLedChain,
    LedChain,
    SignalFault,
    decode,
    pulses,
)
from hardware.simulator.simulated_buses import SimulatedBuses
from pegboard.config import Settings, StripSettings
from tests.support.led_strip import Sk9822Chain

LOW_300_US = 300_000.0
TYPICAL = {
    WS2812B: ((400.0, 850.0), (800.0, 450.0)),
    SK6812: ((300.0, 900.0), (600.0, 600.0)),
}
"""A 0 and a 1 as the sheets' tables have them: high and low for so many nanoseconds."""


def led(*values, sheet=WS2812B):
    zero, one = TYPICAL[sheet]
    return [one if bit == "1" else zero for value in values for bit in f"{value:08b}"]


def ended(line, low=LOW_300_US):
    """The last bit's low time runs on into the reset."""
    return [*line[:-1], (line[-1][0], low)]


# --- one data line -------------------------------------------------------------------------------------------------


def test_datasheet_pulses_are_green_red_blue_highest_bit_first():
    assert decode(ended(led(1, 2, 128) + led(255, 0, 7))) == [(1, 2, 128), (255, 0, 7)]
    model = LedChain()
    model._decode_transfer = lambda *_: [(1, 2, 128)]
    model.receive(b"", 1)
    assert model.colors() == [(2, 1, 128)]


def test_sk6812_takes_the_pulses_of_its_own_sheet_and_not_a_ws2812s_long_one():
    assert decode(ended(led(1, 2, 128, sheet=SK6812)), SK6812) == [(1, 2, 128)]
    with pytest.raises(SignalFault, match="800 ns is not a bit"):
        decode(ended(led(1, 2, 128)), SK6812)


def test_rgbw_takes_four_values_and_the_eye_sees_the_white_in_all_three_colors():
    assert decode(ended(led(1, 2, 3, 4, sheet=SK6812)), SK6812_RGBW) == [(1, 2, 3, 4)]
    assert LedChain(SK6812_RGBW)._visible_color((1, 2, 3, 4)) == (6, 5, 7)
    with pytest.raises(SignalFault, match="24 bits are not a whole number of LEDs"):
        decode(ended(led(1, 2, 3, sheet=SK6812)), SK6812_RGBW)


@pytest.mark.parametrize(
    ("sheet", "zero_high", "one_high", "zero_low", "one_low"),
    [
        (WS2812B, (250, 550), (650, 950), (700, 1000), (300, 600)),
        (SK6812, (150, 449), (451, 750), (750, 1050), (450, 750)),
    ],
)
def test_each_time_is_taken_within_150_ns_of_the_sheets_and_no_further(sheet, zero_high, one_high, zero_low, one_low):
    for bit, highs, lows in ((0, zero_high, zero_low), (255, one_high, one_low)):
        for high in highs:
            for low in lows:
                assert decode(ended([(float(high), float(low))] * 24), sheet) == [(bit,) * 3]
        for low in (lows[0] - 5, lows[1] + 5):
            with pytest.raises(SignalFault, match="neither a bit's nor a reset"):
                decode(ended([(float(highs[0]), float(low))] * 24), sheet)
    for high in (zero_high[0] - 5, one_high[1] + 5):
        with pytest.raises(SignalFault, match="is not a bit"):
            decode(ended([(float(high), 850.0)] * 24), sheet)


@pytest.mark.parametrize(("sheet", "reset"), [(WS2812B, 280_000.0), (SK6812, 80_000.0)])
def test_reset_lasts_as_long_as_the_sheet_says(sheet, reset):
    line = led(1, 2, 3, sheet=sheet)
    assert decode(ended(line, reset), sheet) == [(1, 2, 3)]
    with pytest.raises(SignalFault):
        decode(ended(line, reset - 1000), sheet)


def test_no_reset_at_the_end_is_a_fault():
    with pytest.raises(SignalFault, match="no reset at the end"):
        decode(led(1, 2, 3))


def test_reset_in_the_middle_is_a_fault():
    with pytest.raises(SignalFault, match="in the middle"):
        decode(ended(led(1, 2, 3)) + ended(led(4, 5, 6)))


def test_short_gap_in_the_middle_is_a_fault():
    with pytest.raises(SignalFault, match="gap of 9000 ns after bit 24"):
        decode(ended(led(1, 2, 3), 9000.0) + ended(led(4, 5, 6)))


def test_half_an_led_is_a_fault():
    with pytest.raises(SignalFault, match="20 bits"):
        decode(ended(led(1, 2, 3)[:20]))


def test_pulse_between_zero_and_one_is_a_fault():
    with pytest.raises(SignalFault, match="600 ns is not a bit"):
        decode(ended([(600.0, 850.0)] * 24))


def test_pulses_are_runs_of_equal_bits_at_the_given_clock():
    assert [(round(high), round(low)) for high, low in pulses(b"\x13\x80", 2_400_000)] == [(417, 833), (1250, 2917)]


def test_silent_line_says_nothing():
    assert decode(pulses(bytes(100), 2_400_000)) == []


def test_chain_keeps_what_it_shows_until_the_next_frame_or_power():
    model = LedChain()
    frame = bytes([0, *[0b10010010, 0b01001001, 0b00100110] * 3]) + bytes(90)  # each byte is 1
    model.receive(frame, 2_400_000)
    assert model.colors() == model.colors() == [(1, 1, 1)]
    model.power_up()
    assert model.colors() == [(0, 0, 0)]


def test_leds_beyond_a_shorter_frame_keep_their_light_whether_or_not_somebody_looked_in_between():
    """Each LED takes the first values that it sees: what a frame does not reach is not told anything."""
    one = [0b10010010, 0b01001001, 0b00100110] * 3
    for looks in (False, True):
        model = LedChain()
        for leds in (3, 1):
            model.receive(bytes([0, *one * leds]) + bytes(90), 2_400_000)
            assert not looks or model.colors()
        assert model.colors() == [(1, 1, 1)] * 3


def test_frame_that_is_not_understood_changes_nothing_when_a_shorter_one_follows():
    model = LedChain()
    one = [0b10010010, 0b01001001, 0b00100110] * 3
    model.receive(bytes([0, *one * 3]), 2_400_000)
    model.receive(bytes([0, *one]) + bytes(90), 2_400_000)
    assert model.colors() == [(1, 1, 1)]


def test_faulty_frame_is_told_once_and_changes_nothing():
    model = LedChain()
    model.receive(bytes([0, *[0b10010010, 0b01001001, 0b00100110] * 3]), 2_400_000)
    with pytest.raises(SignalFault):
        model.colors()
    assert model.colors() == []


# --- a clock line --------------------------------------------------------------------------------------------------

START = bytes(4)
RED, GREEN, DIM_WHITE = b"\xff\x00\x00\xff", b"\xff\x00\xff\x00", bytes([0xE0 | 10, 93, 93, 93])


def shown(frame, model=None, hz=2_000_000):
    model = model or ClockedLedChain()
    model.receive(frame, hz)
    return model.colors()


def test_led_frame_is_header_brightness_blue_green_red():
    assert shown(START + RED + GREEN + bytes([0xFF, 1, 2, 3]) + bytes(8)) == [(255, 0, 0), (0, 255, 0), (3, 2, 1)]


def test_brightness_of_the_header_dims_the_whole_led():
    assert shown(START + DIM_WHITE + bytes(8)) == [(30, 30, 30)]


def test_each_two_leds_need_one_clock_more_and_the_last_stay_dark_without():
    assert shown(START + 40 * RED + bytes(1)) == 17 * [(255, 0, 0)] + 23 * [(0, 0, 0)], "8 clocks carry 16 halves"
    assert shown(START + 40 * RED + bytes(3)) == 40 * [(255, 0, 0)]


def test_leds_that_no_clock_reached_keep_what_they_showed():
    model = ClockedLedChain()
    shown(START + 40 * RED + bytes(8), model)
    assert shown(START + 40 * GREEN, model) == [(0, 255, 0)] + 39 * [(255, 0, 0)]


def test_sk9822_shows_nothing_before_32_more_clocks():
    assert shown(START + RED + bytes(3), Sk9822Chain()) == [(0, 0, 0)]
    assert shown(START + RED + bytes(4), Sk9822Chain()) == [(255, 0, 0)]


@pytest.mark.parametrize(
    ("frame", "sentence"),
    [
        (RED + bytes(8), "no start frame"),
        (bytes(3) + RED + bytes(8), "no start frame"),
        (START + RED + b"\x7f\x00\x00\xff" + bytes(8), "begins with 011 is not an LED frame"),
        (START + RED + b"\xff\x01", "6 bytes are not a whole number of LEDs"),
        (START + RED + bytes(8) + RED + bytes(8), "a gap after LED 1"),
        (START + RED + bytes(2) + RED + bytes(8), "a gap after LED 1"),
    ],
)
def test_frame_that_the_chain_would_not_take_is_a_fault(frame, sentence):
    with pytest.raises(SignalFault, match=sentence):
        shown(frame)


def test_clock_is_free_up_to_30_megahertz():
    for hz in (100_000, 30_000_000):
        assert shown(START + RED + bytes(8), hz=hz) == [(255, 0, 0)]
    with pytest.raises(SignalFault, match="31 MHz is faster than 30 MHz"):
        shown(START + RED + bytes(8), hz=31_000_000)


def test_chip_that_is_not_known_is_modelled_as_the_commonest():
    buses = SimulatedBuses(Settings(strip=StripSettings(chip="ws9999")))
    assert buses.led_chain._datasheet == WS2812B
