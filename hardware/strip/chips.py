"""LED chips as data: the order of their channels, their current and their encoding; and how white is extracted."""

from dataclasses import dataclass

from hardware.strip.apa102 import ClockedEncoding
from hardware.strip.current_limit import CurrentDraw
from hardware.strip.ws2812 import PulseEncoding
from pegboard.errors import DeviceError


@dataclass(frozen=True, slots=True)
class LedChip:
    """A chip.

    Attributes:
        label: its name for people.
        order: its channels in the order of the wire, by their first letters.
        draw: what one draws.
        encoding: how its values become bytes of an SPI bus.
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
within 150 ns, which three SPI bits cannot spell at any clock."""

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
    """The channels of each LED in an order such as "grb", or "grbw" for a chip with a white channel.

    Args:
        rgb: red, green and blue of each LED as light, not as a screen has them.
        order: the chip's channels, by their first letters.
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
    """Each value less the other's, all at once as two long numbers: none is smaller than what goes, so none borrows."""
    return (int.from_bytes(values, "big") - int.from_bytes(by, "big")).to_bytes(len(values), "big")
