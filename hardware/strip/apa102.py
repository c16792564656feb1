"""The SPI encoding of an APA102 strip, which has a clock line of its own, so that pauses do no harm."""

from dataclasses import dataclass

START = bytes(4)

FULL_BRIGHTNESS = 0xE0 | 31
"""The header, and the global brightness always at its highest: below that an APA102 flickers at 400 Hz."""

TAKE_OVER = 4
"""Zero bytes after the last LED; an SK9822 shows its colours only then."""


@dataclass(frozen=True, slots=True)
class ClockedEncoding:
    """Encodes each LED as a header and its blue, green and red.

    Attributes:
        hz: clock of the SPI bus; the clock's pulses shrink from LED to LED, so a slow one reaches far.
    """

    hz: int

    def encode(self, values: bytes) -> bytes:
        """The bytes that show `values`, three for each LED.

        Every LED passes the data on half a clock late, so that half a bit for each LED follows, in zeros: they light no
        LED of a strip that is longer than the layout.
        """
        leds = len(values) // 3
        frames = bytearray([FULL_BRIGHTNESS]) * (4 * leds)
        for place in range(3):
            frames[place + 1 :: 4] = values[place::3]
        return START + frames + bytes(TAKE_OVER + -(-leds // 16))
