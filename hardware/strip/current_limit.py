"""Gamma, brightness and current limit of a strip: no frame draws more than the budget. Pure."""

import math
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from hardware.strip.strip_picture import Rgb
from pegboard.errors import DeviceError

Milliamps: TypeAlias = float

GAMMA = 2.2

MOST_LIT = 3
"""Channels of an LED that are ever lit together: with a white one, another is dark, for white took its place."""


class CurrentDraw(NamedTuple):
    """The current that an LED draws.

    Attributes:
        idle: when it is dark.
        full: more, for each of its channels at 255.
        channels: how many it has.
    """

    idle: Milliamps
    full: Milliamps
    channels: int = 3

    @property
    def least(self) -> Milliamps:
        """An LED with every channel lit as little as it goes, rounded up: 0.94 mA for a WS2812."""
        return math.ceil(100 * (self.idle + MOST_LIT * self.full / 255)) / 100


@lru_cache(maxsize=256)  # a frame has some dozens; a season of celebrations, thousands
def light(colour: Rgb, brightness: float) -> bytes:
    """A screen's colour as red, green and blue of an LED, at a brightness of 0 to 1.

    What is lit stays lit, in its strongest channel at least; with all of them, lanes would look alike in the dark.
    """
    values = [round(255 * brightness * (value / 255) ** GAMMA) for value in colour]
    if any(colour) and not any(values):
        values[colour.index(max(colour))] = 1
    return bytes(values)


def current(values: bytes, draw: CurrentDraw) -> Milliamps:
    """The current that a strip draws when it shows `values`, one for each channel of each LED."""
    return len(values) // draw.channels * draw.idle + sum(values) / 255 * draw.full


def limit_current(values: bytes, draw: CurrentDraw, budget: Milliamps) -> bytes:
    """`values`, all dimmed alike where they would draw more than the budget; what is lit stays lit.

    Raises:
        DeviceError: the budget is too small for so many LEDs.
    """
    leds = len(values) // draw.channels
    refuse_small(budget, leds, draw)
    if current(values, draw) <= budget:
        return values
    most, lit = (budget - leds * draw.idle) * 255 / draw.full, len(values) - values.count(0)
    share = (most - lit) / (sum(values) - lit)
    return values.translate(bytes([0, *(1 + int((value - 1) * share) for value in range(1, 256))]))


def refuse_small(budget: Milliamps, leds: int, draw: CurrentDraw) -> None:
    """Refuse a budget that could not keep every hole lit.

    Raises:
        DeviceError: it is smaller than the least that so many LEDs draw when all are lit.
    """
    if budget < leds * draw.least:
        raise DeviceError(
            "device_budget",
            "strip.budget_ma",
            "strip.chip",
            budget=f"{budget:g}",
            leds=leds,
            least=math.ceil(leds * draw.least),
        )
