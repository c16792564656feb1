"""Models of WS2812, SK6812 and APA102 LED chains: SPI bytes in, colors out, by the datasheets."""

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple, TypeAlias

Nanoseconds: TypeAlias = float

Rgb: TypeAlias = tuple[int, int, int]

Led: TypeAlias = tuple[int, ...]
"""The values of an LED in wire order."""

Times: TypeAlias = tuple[Nanoseconds, Nanoseconds]
"""The shortest and longest time accepted."""

Pulse: TypeAlias = tuple[Nanoseconds, Nanoseconds]
"""How long the line is high, and then how long it is low."""


class Datasheet(NamedTuple):
    """The pulses that a chip understands.

    Attributes:
        order: the first letters of the channels in wire order; each channel sends its highest bit first.
        high: for a 0 and a 1, how long the line is high.
        low: for a 0 and a 1, how long the line is low afterward.
        reset: how long the line must be low for every LED to show its new values.
    """

    order: str
    high: tuple[Times, Times]
    low: tuple[Times, Times]
    reset: Nanoseconds


WS2812B = Datasheet("grb", ((250, 550), (650, 950)), ((700, 1000), (300, 600)), 280_000)
"""Worldsemi, WS2812B: 400, 800, 850 and 450 ns, each within 150 ns; the longest reset, from the later datasheets."""

SK6812 = Datasheet("grb", ((150, 450), (450, 750)), ((750, 1050), (450, 750)), 80_000)
"""Shenzhen LED Color, SK6812: 300, 600, 900 and 600 ns, each within 150 ns."""

SK6812_RGBW = SK6812._replace(order="grbw")


class SignalFault(Exception):
    """The LEDs would not show the intended colors."""


class LedChain:
    """A chain of as many LEDs as a frame needs; each takes the first values it receives and passes the rest on."""

    def __init__(self, datasheet: Datasheet = WS2812B) -> None:
        self._datasheet = datasheet
        self._shown: list[Led] = []
        self._waiting: tuple[bytes, int] | None = None

    def receive(self, transfer: bytes, hz: int) -> None:
        """Take an SPI transfer on the data line, at a clock of `hz`.

        It is decoded when the colors are read, or when a shorter transfer follows, which leaves some LEDs unchanged.
        """
        if self._waiting is not None and len(self._waiting[0]) > len(transfer):
            with suppress(SignalFault):
                self._decode_waiting()
        self._waiting = transfer, hz

    def power_up(self) -> None:
        """Set the state after power returns: all LEDs dark."""
        self._shown = [(0,) * len(led) for led in self._shown]
        self._waiting = None

    def raw(self) -> list[Led]:
        """The values sent to the LEDs, in wire order.

        Raises:
            SignalFault: the last transfer was invalid for these LEDs, which show something else.
        """
        self._decode_waiting()
        return list(self._shown)

    def colors(self) -> list[Rgb]:
        """The visible colors, as red, green and blue light.

        Raises:
            SignalFault: the last transfer was invalid for these LEDs, which show something else.
        """
        return [self._visible_color(led) for led in self.raw()]

    def _decode_waiting(self) -> None:
        if self._waiting is not None:
            (transfer, hz), self._waiting = self._waiting, None
            lit = self._decode_transfer(transfer, hz)
            self._shown = lit + self._shown[len(lit) :]

    def _decode_transfer(self, transfer: bytes, hz: int) -> list[Led]:
        return decode(pulses(transfer, hz), self._datasheet)

    def _visible_color(self, led: Led) -> Rgb:
        light = dict(zip(self._datasheet.order, led, strict=True))
        red, green, blue = (min(255, light[channel] + light.get("w", 0)) for channel in "rgb")
        return red, green, blue


def pulses(transfer: bytes, hz: int) -> list[Pulse]:
    """The pulses on the data line, from its first rise; bits go out highest first."""
    bit = 1e9 / hz
    runs = re.findall("(1+)(0*)", f"{int.from_bytes(transfer, 'big'):b}")
    times = {run: (bit * len(run[0]), bit * len(run[1])) for run in set(runs)}
    return [times[run] for run in runs]


def decode(waveform: Sequence[Pulse], datasheet: Datasheet = WS2812B) -> list[Led]:
    """Decode a waveform into the values of each LED.

    Raises:
        SignalFault: there is a pulse that is not a bit, a gap before the last LED, half an LED, or no reset at the end.
    """
    if not waveform:
        return []
    bits = {pulse: _bit(pulse, datasheet, waveform) for pulse in dict.fromkeys(waveform[:-1])}
    high, low = waveform[-1]
    if low < datasheet.reset:
        raise SignalFault(f"no reset at the end, low for {low:.0f} ns: the LEDs would ignore it")
    return _leds(
        "".join([bits[pulse] for pulse in waveform[:-1]] + [_bit_of_high(high, datasheet)]), len(datasheet.order)
    )


def _bit(pulse: Pulse, datasheet: Datasheet, waveform: Sequence[Pulse]) -> str:
    high, low = pulse
    bit = _bit_of_high(high, datasheet)
    shortest, longest = datasheet.low[int(bit)]
    if low >= datasheet.reset:
        raise SignalFault(
            f"a reset in the middle, after bit {waveform.index(pulse) + 1}: the LEDs would show half a frame"
        )
    if not shortest <= low <= longest:
        raise SignalFault(f"a gap of {low:.0f} ns after bit {waveform.index(pulse) + 1} is neither a bit's nor a reset")
    return bit


def _bit_of_high(high: Nanoseconds, datasheet: Datasheet) -> str:
    for bit, (shortest, longest) in zip("01", datasheet.high, strict=True):
        if shortest <= high <= longest:
            return bit
    raise SignalFault(f"a high pulse of {high:.0f} ns is not a bit")


def _leds(bits: str, channels: int) -> list[Led]:
    if len(bits) % (8 * channels):
        raise SignalFault(f"{len(bits)} bits are not a whole number of LEDs")
    values = int(bits, 2).to_bytes(len(bits) // 8, "big")
    return [tuple(values[first : first + channels]) for first in range(0, len(values), channels)]


# --- model of an APA102 LED chain (with a clock line): SPI bytes in, colors out, as far as the clocks reach ---


START = bytes(4)
"""The start frame: zeros for 32 clocks before the first LED."""

HEADER = 0b111
"""The first bits of every LED's frame; five bits of brightness follow, then blue, green and red."""

MOST = 31
"""The highest brightness value."""

FASTEST_HZ = 30_000_000


class ClockedLedChain(LedChain):
    """A chain of APA102 LEDs. Each passes the data on half a clock late, so LED n needs n/2 clocks after its bits."""

    def _decode_transfer(self, transfer: bytes, hz: int) -> list[Led]:
        if hz > FASTEST_HZ:
            raise SignalFault(f"a clock of {hz / 1e6:g} MHz is faster than {FASTEST_HZ / 1e6:g} MHz")
        frames, after = _split_frames(transfer)
        reached = self._leds_in_reach(frames, after)
        before = self._shown[len(reached) : len(frames)]
        return reached + before + [(0, 0, 0, 0)] * (len(frames) - len(reached) - len(before))

    def _leds_in_reach(self, frames: list[Led], clocks_after: int) -> list[Led]:
        return [led for n, led in enumerate(frames) if clocks_after >= n / 2]

    def _visible_color(self, led: Led) -> Rgb:
        brightness, blue, green, red = led
        return round(red * brightness / MOST), round(green * brightness / MOST), round(blue * brightness / MOST)


def _split_frames(transfer: bytes) -> tuple[list[Led], int]:
    """Brightness, blue, green and red of each LED, and the number of low clocks after the last LED's frame."""
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
