"""The strip's model against the WS2812B datasheet, with waveforms written out by hand."""

import pytest

from hardware.standin.chain import Chain, Fault, decoded, pulses

LOW_300_US = (False, 300_000.0)
ZERO, ONE = [(True, 400.0), (False, 850.0)], [(True, 800.0), (False, 450.0)]


def led(green, red, blue):
    bits = f"{green:08b}{red:08b}{blue:08b}"
    return [pulse for bit in bits for pulse in (ONE if bit == "1" else ZERO)]


def ended(line):
    """The last bit's low time runs on into the reset."""
    return iter([*line[:-1], LOW_300_US])


def test_datasheet_pulses_are_green_red_blue_highest_bit_first():
    assert decoded(ended(led(1, 2, 128) + led(255, 0, 7))) == [(2, 1, 128), (0, 255, 7)]


def test_no_reset_at_the_end_is_a_fault():
    with pytest.raises(Fault, match="no reset at the end"):
        decoded(iter(led(1, 2, 3)))


def test_reset_in_the_middle_is_a_fault():
    with pytest.raises(Fault, match="in the middle"):
        decoded(iter([*led(1, 2, 3)[:-1], LOW_300_US, *ended(led(4, 5, 6))]))


def test_short_gap_in_the_middle_is_a_fault():
    with pytest.raises(Fault, match="gap of 9000 ns after bit 24"):
        decoded(iter([*led(1, 2, 3)[:-1], (False, 9000.0), *ended(led(4, 5, 6))]))


def test_half_an_led_is_a_fault():
    with pytest.raises(Fault, match="20 bits"):
        decoded(ended(led(1, 2, 3)[:40]))


def test_pulse_between_zero_and_one_is_a_fault():
    with pytest.raises(Fault, match="565 ns is no bit"):
        decoded(ended([(True, 565.0), (False, 850.0)] * 24))


def test_pulses_are_runs_of_equal_bits_at_the_given_clock():
    assert [(level, round(ns)) for level, ns in pulses(b"\x9f", 2_400_000)] == [(True, 417), (False, 833), (True, 2083)]


def test_chain_keeps_what_it_shows_until_the_next_frame_or_power():
    chain = Chain()
    frame = bytes([0, *[0b10010010, 0b01001001, 0b00100110] * 3]) + bytes(90)  # each byte is 1
    chain.receive(frame, 2_400_000)
    assert chain.colours() == chain.colours() == [(1, 1, 1)]
    chain.power_up()
    assert chain.colours() == [(0, 0, 0)]


def test_faulty_frame_is_told_once_and_changes_nothing():
    chain = Chain()
    chain.receive(bytes([0, *[0b10010010, 0b01001001, 0b00100110] * 3]), 2_400_000)
    with pytest.raises(Fault):
        chain.colours()
    assert chain.colours() == []
