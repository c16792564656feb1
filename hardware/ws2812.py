"""Colours as the waveform of a WS2812 strip on an SPI data line, below a current that no frame exceeds.

Three SPI bits make a bit of the strip (0 is 100, 1 is 110), which at 2.4 MHz gives pulses of 417 and 833 ns. A zero
byte leads, because the line may rest high; zeros for 300 us at the end make the strip show what it has.
"""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from hardware.colours import Rgb
from hardware.wires import SPI_TRANSFER
from pegboard.errors import DeviceError

HZ = 2_400_000
"""Clock of the SPI bus."""

LATCH = bytes(90)
"""300 us of low at `HZ`: 720 bits."""

MOST_LEDS = (SPI_TRANSFER - 1 - len(LATCH)) // 9
"""LEDs that fit one transfer, nine bytes each; a gap between two transfers would latch half a frame."""

Milliamps: TypeAlias = float

IDLE: Milliamps = 0.7
"""Of an LED that is dark."""

FULL: Milliamps = 20.0
"""More, for each of its three channels at 255."""

LEAST: Milliamps = 0.94
"""An LED with all three channels at 1, rounded up; less than that for each cannot be kept."""

GAMMA = 2.2

_BITS = [int(f"{value:08b}".replace("1", "x").replace("0", "100").replace("x", "110"), 2) for value in range(256)]
_FIRST, _SECOND, _THIRD = (bytes(bits >> shift & 0xFF for bits in _BITS) for shift in (16, 8, 0))
"""A byte of the strip is three bytes of SPI; a table for each of the three."""


def channels(colours: Iterable[Rgb]) -> bytes:
    """The colours in the order of the wire: green, red, blue."""
    return bytes(chain.from_iterable((green, red, blue) for red, green, blue in colours))


@lru_cache(maxsize=4)
def gamma_table(brightness: float) -> bytes:
    """From a screen's value to the strip's, at a brightness of 0 to 1; what is lit stays lit."""
    return bytes([0, *(max(1, round(255 * brightness * (value / 255) ** GAMMA)) for value in range(1, 256))])


def current(values: bytes) -> Milliamps:
    """What the strip draws when it shows `values`, three for each LED."""
    return len(values) // 3 * IDLE + sum(values) / 255 * FULL


def limited(values: bytes, budget: Milliamps) -> bytes:
    """`values`, all dimmed alike where they would draw more than the budget; what is lit stays lit.

    Raises:
        DeviceError: the budget is too small for so many LEDs.
    """
    leds = len(values) // 3
    refuse_small(budget, leds)
    if current(values) <= budget:
        return values
    most, lit = (budget - leds * IDLE) * 255 / FULL, len(values) - values.count(0)
    share = (most - lit) / (sum(values) - lit)
    return values.translate(bytes([0, *(1 + int((value - 1) * share) for value in range(1, 256))]))


def refuse_small(budget: Milliamps, leds: int) -> None:
    """Refuse a budget that could not keep every hole lit.

    Raises:
        DeviceError: it is smaller than 0.94 mA for each LED.
    """
    if budget < leds * LEAST:
        raise DeviceError(
            f"a budget of {budget:g} mA is too small for {leds} LEDs; they need at least {leds * LEAST:.0f} mA"
        )


def waveform(values: bytes) -> bytes:
    """The bytes of one SPI transfer that shows `values`.

    Raises:
        DeviceError: they do not fit one transfer.
    """
    if len(values) > 3 * MOST_LEDS:
        raise DeviceError(f"{len(values) // 3} LEDs do not fit one SPI transfer; {MOST_LEDS} are taken")
    bits = bytearray(3 * len(values))
    bits[0::3], bits[1::3], bits[2::3] = values.translate(_FIRST), values.translate(_SECOND), values.translate(_THIRD)
    return b"\0" + bits + LATCH
