"""LED chips: SPI encoding, channel order and white extraction; gamma, brightness and current limit of a strip."""

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from hardware.strip.strip_picture import Rgb
from pegboard.errors import DeviceError

# --- SPI encoding of an APA102 strip, which has its own clock line, so that pauses do no harm ---


START = bytes(4)

FULL_BRIGHTNESS = 0xE0 | 31
"""The header byte, with the global brightness always at its highest: below that an APA102 flickers at 400 Hz."""

TAKE_OVER = 4
"""Number of zero bytes after the last LED; an SK9822 shows its colors only after them."""


@dataclass(frozen=True, slots=True)
class ClockedEncoding:
    """Encodes each LED as a header and its blue, green and red.

    Attributes:
        hz: the clock of the SPI bus; clock pulses shrink from LED to LED, so a slow clock reaches more LEDs.
    """

    hz: int

    def encode(self, values: bytes) -> bytes:
        """The bytes that show `values`, three for each LED.

        Every LED passes the data on half a clock late, so half a bit per LED follows: zeros, which light no LED if the
        strip is longer than the layout.
        """
        leds = len(values) // 3
        frames = bytearray([FULL_BRIGHTNESS]) * (4 * leds)
        for place in range(3):
            frames[place + 1 :: 4] = values[place::3]
        return START + frames + bytes(TAKE_OVER + -(-leds // 16))


# --- gamma, brightness and current limit of a strip: no frame draws more than the budget. Pure ---


Milliamps: TypeAlias = float

GAMMA = 2.2

MOST_LIT = 3
"""Most channels of an LED lit together: if white is lit, another channel is dark because white replaced it."""


class CurrentDraw(NamedTuple):
    """The current that an LED draws.

    Attributes:
        idle: the current when dark.
        full: the additional current for each channel at 255.
        channels: the number of channels.
    """

    idle: Milliamps
    full: Milliamps
    channels: int = 3

    @property
    def least(self) -> Milliamps:
        """The current of an LED with every channel at its lowest lit level, rounded up: 0.94 mA for a WS2812."""
        return math.ceil(100 * (self.idle + MOST_LIT * self.full / 255)) / 100


@lru_cache(maxsize=256)  # a frame needs a few dozen colors, the animations of a season thousands
def light(color: Rgb, brightness: float) -> bytes:
    """Convert a screen color to red, green and blue of an LED, at a brightness of 0 to 1.

    A lit color stays lit, but perhaps only in its strongest channel: if all channels did, dim lanes would look alike.
    """
    values = [round(255 * brightness * (value / 255) ** GAMMA) for value in color]
    if any(color) and not any(values):
        values[color.index(max(color))] = 1
    return bytes(values)


def current(values: bytes, draw: CurrentDraw) -> Milliamps:
    """The current that a strip draws to show `values`, one for each channel of each LED."""
    return len(values) // draw.channels * draw.idle + sum(values) / 255 * draw.full


def limit_current(values: bytes, draw: CurrentDraw, budget: Milliamps) -> bytes:
    """Dim all `values` equally if they would exceed the budget; lit channels stay lit.

    Raises:
        DeviceError: the budget is too small for this many LEDs.
    """
    leds = len(values) // draw.channels
    check_budget(budget, leds, draw)
    if current(values, draw) <= budget:
        return values
    most, lit = (budget - leds * draw.idle) * 255 / draw.full, len(values) - values.count(0)
    share = (most - lit) / (sum(values) - lit)
    return values.translate(bytes([0, *(1 + int((value - 1) * share) for value in range(1, 256))]))


def check_budget(budget: Milliamps, leds: int, draw: CurrentDraw) -> None:
    """Refuse a budget that could not keep every hole lit.

    Raises:
        DeviceError: the budget is below the minimum current of this many lit LEDs.
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


# --- SPI encoding of chips with one data line, such as the WS2812: each bit is a pulse of SPI bits ---


LATCH_NS = 300_000
"""How long the line is low at the end, so that LEDs show the colors; the newest WS2812B need 280 us, an SK6812 80."""


@dataclass(frozen=True, slots=True)
class PulseEncoding:
    """Encodes each bit of a chip as a pulse.

    Attributes:
        zero: the SPI bits of a 0, such as "100".
        one: the SPI bits of a 1, as many as for a 0.
        hz: the clock of the SPI bus.
    """

    zero: str
    one: str
    hz: int

    def encode(self, values: bytes) -> bytes:
        """The SPI transfer that shows `values`; it starts with a zero byte because the line may idle high."""
        each = len(self.zero)
        transfer_bytes = bytearray(each * len(values))
        for place, spelled in enumerate(_spell_bits(self.zero, self.one)):
            transfer_bytes[place::each] = values.translate(spelled)
        return b"\0" + transfer_bytes + bytes(self._latch)

    def size(self, values: int) -> int:
        """The size in bytes of a transfer that shows this many values."""
        return 1 + len(self.zero) * values + self._latch

    def fits(self, transfer: int) -> int:
        """How many values fit one transfer of this many bytes."""
        return (transfer - 1 - self._latch) // len(self.zero)

    @property
    def _latch(self) -> int:
        return -(-LATCH_NS * self.hz // 8_000_000_000)


@lru_cache(maxsize=4)
def _spell_bits(zero: str, one: str) -> tuple[bytes, ...]:
    """For each byte of a value's waveform, a table from the value to that byte."""
    whole = [int(f"{value:08b}".replace("1", "x").replace("0", zero).replace("x", one), 2) for value in range(256)]
    return tuple(bytes(bits >> 8 * place & 0xFF for bits in whole) for place in reversed(range(len(zero))))


@dataclass(frozen=True, slots=True)
class LedChip:
    """An LED chip.

    Attributes:
        label: the chip's name for people.
        order: the first letters of the channels in wire order.
        draw: the current of an LED.
        encoding: how an LED's values become bytes of an SPI bus.
    """

    label: str
    order: str
    draw: CurrentDraw
    encoding: PulseEncoding | ClockedEncoding


WS2812 = PulseEncoding("100", "110", 2_400_000)
"""High for 417 ns is a 0, for 833 ns a 1, and low for the rest of 1.25 us: the WS2812B's datasheet asks for 400, 800,
850 and 450 within 150 ns."""

SK6812 = PulseEncoding("1000", "1100", 3_300_000)
"""High for 303 ns is a 0, for 606 ns a 1, low for 909 and 606 ns: the SK6812's datasheet asks for 300, 600, 900 and 600
within 150 ns, which three SPI bits cannot encode at any clock."""

CHIPS = {
    "ws2812": LedChip("WS2812", "grb", CurrentDraw(0.7, 20.0), WS2812),
    "sk6812": LedChip("SK6812", "grb", CurrentDraw(1.0, 20.0), SK6812),
    "sk6812w": LedChip("SK6812 RGBW", "grbw", CurrentDraw(1.0, 20.0, 4), SK6812),
    "apa102": LedChip("APA102", "bgr", CurrentDraw(1.0, 22.0), ClockedEncoding(2_000_000)),
}
"""The chips by their names in the settings."""


def led_chip(name: str) -> LedChip:
    """The chip `name`.

    Raises:
        DeviceError: no chip has that name.
    """
    if name not in CHIPS:
        raise DeviceError("device_strip_chip", "strip.chip", chip=repr(name), known=", ".join(CHIPS))
    return CHIPS[name]


def arrange_channels(rgb: bytes, order: str) -> bytes:
    """Arrange the channels of each LED in an order such as "grb", or "grbw" for a chip with a white channel.

    Args:
        rgb: red, green and blue of each LED as light, not as screen colors.
        order: the first letters of the chip's channels.
    """
    light = {"r": rgb[0::3], "g": rgb[1::3], "b": rgb[2::3]}
    if "w" in order:
        light = _with_white(light)
    wire = bytearray(len(order) * (len(rgb) // 3))
    for place, channel in enumerate(order):
        wire[place :: len(order)] = light[channel]
    return bytes(wire)


def _with_white(light: dict[str, bytes]) -> dict[str, bytes]:
    white = bytes(map(min, *light.values()))
    return {channel: _subtract(values, white) for channel, values in light.items()} | {"w": white}


def _subtract(values: bytes, by: bytes) -> bytes:
    """Each value minus its counterpart, as two big integers; no value is smaller, so no byte borrows."""
    return (int.from_bytes(values, "big") - int.from_bytes(by, "big")).to_bytes(len(values), "big")
