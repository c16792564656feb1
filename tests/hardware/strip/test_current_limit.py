"""Gamma, white and the current that no frame exceeds; the sums are done here from the chips' figures."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.strip.chips import CHIPS, CurrentDraw, arrange_channels, current, light, limit_current
from hardware.strip.strip_picture import LANES, TRAIL, dim
from pegboard.errors import DeviceError

FIGURES = {"ws2812": (0.7, 20), "sk6812": (1.0, 20), "sk6812w": (1.0, 20), "apa102": (1.0, 22)}
"""Milliamperes of an LED that is dark, and more for each channel that is full."""

WS2812 = CurrentDraw(0.7, 20.0)


def frames(most=363):
    return st.binary(min_size=3, max_size=3 * most).map(lambda rgb: rgb[: len(rgb) // 3 * 3])


def test_white_strip_of_242_draws_the_published_fourteen_and_a_half_amperes():
    assert current(b"\xff" * 3 * 242, WS2812) / 1000 == pytest.approx(14.7, abs=0.2)


def test_least_of_a_ws2812_is_the_published_094_milliamperes():
    assert WS2812.least == 0.94


@pytest.mark.parametrize("name", CHIPS)
@given(rgb=frames(), brightness=st.floats(0.001, 1), more=st.integers(0, 3000))
def test_no_frame_exceeds_its_budget_and_what_is_lit_stays_lit(name, rgb, brightness, more):
    chip, (idle, full) = CHIPS[name], FIGURES[name]
    leds, channels = len(rgb) // 3, len(chip.order)
    budget = leds * chip.draw.least + more
    lit = b"".join(light(tuple(rgb[n : n + 3]), brightness) for n in range(0, len(rgb), 3))
    values = limit_current(arrange_channels(lit, chip.order), chip.draw, budget)
    assert leds * idle + sum(values) / 255 * full <= budget + 1e-9
    for led in range(leds):
        assert any(rgb[3 * led : 3 * led + 3]) == any(values[channels * led : channels * (led + 1)])


def test_frame_below_the_budget_is_left_alone():
    assert limit_current(bytes([9, 9, 9]), WS2812, 100) == bytes([9, 9, 9])


def test_dimming_keeps_the_order_of_brightness():
    kept = limit_current(bytes([250, 100, 40] * 100), WS2812, 300)
    assert kept[0] > kept[1] > kept[2]


def test_dimming_uses_the_budget_up():
    kept = limit_current(bytes([250, 100, 40] * 100), WS2812, 500)
    assert current(kept, WS2812) > 480


def test_budget_that_cannot_keep_every_hole_lit_is_refused_with_one_that_can():
    with pytest.raises(DeviceError, match=r"200 mA is too low for 242 LEDs; .* 228 or more"):
        limit_current(bytes(3 * 242), WS2812, 200)
    limit_current(bytes(3 * 242), WS2812, 228)


@given(st.tuples(*[st.integers(0, 255)] * 3), st.floats(0.001, 1))
def test_dark_stays_dark_and_lit_stays_lit_at_any_brightness(color, brightness):
    red, green, blue = light(color, brightness)
    assert any((red, green, blue)) == any(color)


def test_eye_sees_half_of_a_screens_value_as_about_a_fifth_of_the_light():
    assert light((255, 128, 0), 1.0) == bytes([255, 56, 0])
    assert light((255, 255, 255), 0.5) == bytes([128] * 3)


def test_lanes_keep_different_colors_in_the_dark():
    dark = [light(dim(color, TRAIL), 0.05) for color in LANES]
    assert [bytes(value > 0 for value in led) for led in dark] == [b"\0\0\1", b"\1\0\0", b"\0\1\0"]


# --- channels ------------------------------------------------------------------------------------------------------


def test_channels_go_out_in_the_chips_order():
    assert arrange_channels(bytes([1, 2, 3, 4, 5, 6]), "grb") == bytes([2, 1, 3, 5, 4, 6])
    assert arrange_channels(bytes([1, 2, 3]), "bgr") == bytes([3, 2, 1])


def test_white_shines_for_what_all_three_share():
    assert arrange_channels(bytes([50, 20, 30]), "grbw") == bytes([0, 30, 10, 20])
    assert arrange_channels(bytes([7, 7, 7]), "grbw") == bytes([0, 0, 0, 7])


@given(frames(20))
def test_light_with_white_is_the_light_without(rgb):
    wire = arrange_channels(rgb, "grbw")
    together = [(r + w, g + w, b + w) for g, r, b, w in zip(*[iter(wire)] * 4, strict=True)]
    assert bytes(value for led in together for value in led) == rgb
    assert all(0 in led[:3] for led in zip(*[iter(wire)] * 4, strict=True)), "at most three channels at once"


def test_light_of_a_thousand_colors_takes_the_memory_of_a_few():
    """Memory must not grow for an hour of celebrations, each with other shades."""
    light.cache_clear()
    for shade in range(1000):
        light((shade % 256, shade // 256, 0), 1.0)
    assert 64 <= light.cache_info().currsize <= 256
    light.cache_clear()
