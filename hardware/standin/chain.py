"""A chain of LEDs with one data line, after their datasheets: pulses in nanoseconds in, colours out."""

import re
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

Nanoseconds: TypeAlias = float
Rgb: TypeAlias = tuple[int, int, int]
Led: TypeAlias = tuple[int, ...]
"""The values of an LED in the order of the wire."""

Times: TypeAlias = tuple[Nanoseconds, Nanoseconds]
"""The shortest and the longest that is understood."""


class Datasheet(NamedTuple):
    """What a chip understands.

    Attributes:
        order: its channels by their first letters, in the order of the wire, each with its highest bit first.
        high: for a 0 and a 1, how long the line is high.
        low: for a 0 and a 1, how long it is low thereafter.
        reset: low for so long, and every LED shows what it has been sent.
    """

    order: str
    high: tuple[Times, Times]
    low: tuple[Times, Times]
    reset: Nanoseconds


WS2812B = Datasheet("grb", ((250, 550), (650, 950)), ((700, 1000), (300, 600)), 280_000)
"""Worldsemi, WS2812B: 400, 800, 850 and 450 ns, each within 150 ns; the reset of the later sheets, the longest."""

SK6812 = Datasheet("grb", ((150, 450), (450, 750)), ((750, 1050), (450, 750)), 80_000)
"""Shenzhen LED Color, SK6812: 300, 600, 900 and 600 ns, each within 150 ns."""

SK6812_RGBW = SK6812._replace(order="grbw")


class Fault(Exception):
    """The chain would not show what was meant."""


class Chain:
    """LEDs in a row, as many as a frame needs; each takes the first values it sees and passes the rest on."""

    def __init__(self, sheet: Datasheet = WS2812B) -> None:
        self._sheet = sheet
        self._shown: list[Led] = []
        self._waiting: tuple[bytes, int] | None = None

    def receive(self, transfer: bytes, hz: int) -> None:
        """One SPI transfer on the data line, at a clock of `hz`. It is read when somebody looks."""
        self._waiting = transfer, hz

    def power_up(self) -> None:
        """The state after power comes back: all dark."""
        self._shown = [(0,) * len(led) for led in self._shown]
        self._waiting = None

    def raw(self) -> list[Led]:
        """What the LEDs have been sent, in the order of the wire.

        Raises:
            Fault: the last transfer was not what these LEDs take; they show something else.
        """
        if self._waiting is not None:
            (transfer, hz), self._waiting = self._waiting, None
            lit = self._read(transfer, hz)
            self._shown = lit + self._shown[len(lit) :]
        return list(self._shown)

    def colours(self) -> list[Rgb]:
        """What the eye sees, as red, green and blue light.

        Raises:
            Fault: as for `raw`.
        """
        return [self._seen(led) for led in self.raw()]

    def _read(self, transfer: bytes, hz: int) -> list[Led]:
        return decoded(pulses(transfer, hz), self._sheet)

    def _seen(self, led: Led) -> Rgb:
        light = dict(zip(self._sheet.order, led, strict=True))
        red, green, blue = (min(255, light[channel] + light.get("w", 0)) for channel in "rgb")
        return red, green, blue


def pulses(transfer: bytes, hz: int) -> Iterator[tuple[bool, Nanoseconds]]:
    """Runs of equal level on the data line with their length; bits go out highest first."""
    bit = 1e9 / hz
    line = "".join(f"{byte:08b}" for byte in transfer)
    return ((run[0] == "1", bit * len(run)) for run in re.findall("1+|0+", line))


def decoded(line: Iterator[tuple[bool, Nanoseconds]], sheet: Datasheet = WS2812B) -> list[Led]:
    """The values in a waveform, for each LED.

    Raises:
        Fault: a pulse that is no bit, a gap before the last LED, half an LED, or no reset at the end.
    """
    bits: list[int] = []
    reset = True  # before the first pulse the line has been low for long
    for high, ns in line:
        if high:
            if reset and bits:
                raise Fault("a reset in the middle: the LEDs would show half a frame")
            bits.append(_bit(ns, sheet))
            reset = False
        elif bits:
            reset = _is_reset(ns, bits, sheet)
    if bits and not reset:
        raise Fault("no reset at the end: the LEDs would show nothing of it")
    return _leds(bits, len(sheet.order))


def _bit(ns: Nanoseconds, sheet: Datasheet) -> int:
    for bit, (shortest, longest) in enumerate(sheet.high):
        if shortest <= ns <= longest:
            return bit
    raise Fault(f"a high pulse of {ns:.0f} ns is no bit")


def _is_reset(ns: Nanoseconds, bits: list[int], sheet: Datasheet) -> bool:
    if ns >= sheet.reset:
        return True
    shortest, longest = sheet.low[bits[-1]]
    if not shortest <= ns <= longest:
        raise Fault(f"a gap of {ns:.0f} ns after bit {len(bits)} is neither a bit's nor a reset")
    return False


def _leds(bits: list[int], channels: int) -> list[Led]:
    if len(bits) % (8 * channels):
        raise Fault(f"{len(bits)} bits are no whole number of LEDs")
    values = int("".join(map(str, bits)) or "0", 2).to_bytes(len(bits) // 8)
    return [tuple(values[first : first + channels]) for first in range(0, len(values), channels)]
