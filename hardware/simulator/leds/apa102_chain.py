"""Model of a chain of APA102 LEDs, which have a clock line: SPI bytes in, colours out, as far as the clocks reach."""

from hardware.simulator.leds.ws2812_chain import Led, LedChain, Rgb, SignalFault

START = bytes(4)
"""Zeros for 32 clocks before the first LED."""

HEADER = 0b111
"""The first bits of every LED's frame; five bits of brightness follow, then blue, green and red."""

MOST = 31
"""Of the brightness."""

FASTEST_HZ = 30_000_000


class ClockedLedChain(LedChain):
    """LEDs in a row. Each passes the data on half a clock late, so LED n needs n/2 clocks more than it has bits."""

    def _decode_transfer(self, transfer: bytes, hz: int) -> list[Led]:
        if hz > FASTEST_HZ:
            raise SignalFault(f"a clock of {hz / 1e6:g} MHz is faster than {FASTEST_HZ / 1e6:g} MHz")
        frames, after = _split_frames(transfer)
        reached = self._leds_in_reach(frames, after)
        before = self._shown[len(reached) : len(frames)]
        return reached + before + [(0, 0, 0, 0)] * (len(frames) - len(reached) - len(before))

    def _leds_in_reach(self, frames: list[Led], clocks_after: int) -> list[Led]:
        return [led for n, led in enumerate(frames) if clocks_after >= n / 2]

    def _visible_colour(self, led: Led) -> Rgb:
        brightness, blue, green, red = led
        return round(red * brightness / MOST), round(green * brightness / MOST), round(blue * brightness / MOST)


def _split_frames(transfer: bytes) -> tuple[list[Led], int]:
    """Brightness, blue, green and red of each LED, and how many clocks of low follow the last."""
    if not transfer.startswith(START):
        raise SignalFault("no start frame: the LEDs would ignore it")
    rest = transfer.lstrip(b"\0")
    ends = next((n for n in range(0, len(rest), 4) if rest[n] == 0), len(rest))
    if any(rest[ends:]):
        raise SignalFault(f"a gap after LED {ends // 4}: the LEDs would start over")
    if ends % 4:
        raise SignalFault(f"{len(rest)} bytes are not a whole number of LEDs")
    return [_parse_led(rest[n : n + 4]) for n in range(0, ends, 4)], 8 * (len(rest) - ends)


def _parse_led(frame: bytes) -> Led:
    if frame[0] >> 5 != HEADER:
        raise SignalFault(f"a frame that begins with {frame[0] >> 5:03b} is not an LED frame")
    return frame[0] & MOST, *frame[1:]
