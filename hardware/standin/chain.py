"""A chain of WS2812 after its datasheet (Worldsemi, WS2812B): pulses in nanoseconds in, colours out."""

import re
from collections.abc import Iterator
from typing import TypeAlias

Nanoseconds: TypeAlias = float
Rgb: TypeAlias = tuple[int, int, int]

SHORT_HIGH = (220.0, 550.0)
"""High time of a 0: 400 ns, and what such chips take."""

LONG_HIGH = (580.0, 1000.0)
"""High time of a 1: 800 ns."""

LOW = (220.0, 1250.0)
"""Low time between two bits: 450 or 850 ns."""

RESET: Nanoseconds = 280_000.0
"""Low for so long, and every LED shows what it has been sent."""

BITS = 24
"""Of an LED: green, red, blue, highest bit first."""


class Fault(Exception):
    """The chain would not show what was meant."""


class Chain:
    """LEDs in a row, as many as a frame needs; each takes the first 24 bits it sees and passes the rest on."""

    def __init__(self) -> None:
        self._shown: list[Rgb] = []
        self._waiting: tuple[bytes, int] | None = None

    def receive(self, transfer: bytes, hz: int) -> None:
        """One SPI transfer on the data line, at a clock of `hz`. It is read when somebody looks."""
        self._waiting = transfer, hz

    def power_up(self) -> None:
        """The state after power comes back: all dark."""
        self._shown = [(0, 0, 0)] * len(self._shown)
        self._waiting = None

    def colours(self) -> list[Rgb]:
        """What the LEDs show, as red, green and blue.

        Raises:
            Fault: the last transfer was not what these LEDs take; they show something else.
        """
        if self._waiting is not None:
            (transfer, hz), self._waiting = self._waiting, None
            lit = decoded(pulses(transfer, hz))
            self._shown = lit + self._shown[len(lit) :]
        return list(self._shown)


def pulses(transfer: bytes, hz: int) -> Iterator[tuple[bool, Nanoseconds]]:
    """Runs of equal level on the data line with their length; bits go out highest first."""
    bit = 1e9 / hz
    line = "".join(f"{byte:08b}" for byte in transfer)
    return ((run[0] == "1", bit * len(run)) for run in re.findall("1+|0+", line))


def decoded(line: Iterator[tuple[bool, Nanoseconds]]) -> list[Rgb]:
    """The colours in a waveform.

    Raises:
        Fault: a pulse that is no bit, a gap before the last LED, half an LED, or no reset at the end.
    """
    bits: list[int] = []
    reset = True  # before the first pulse the line has been low for long
    for high, ns in line:
        if high:
            if reset and bits:
                raise Fault("a reset in the middle: the LEDs would show half a frame")
            bits.append(_bit(ns))
            reset = False
        elif bits:
            reset = _is_reset(ns, len(bits))
    if bits and not reset:
        raise Fault("no reset at the end: the LEDs would show nothing of it")
    return _colours(bits)


def _bit(ns: Nanoseconds) -> int:
    if SHORT_HIGH[0] <= ns <= SHORT_HIGH[1]:
        return 0
    if LONG_HIGH[0] <= ns <= LONG_HIGH[1]:
        return 1
    raise Fault(f"a high pulse of {ns:.0f} ns is no bit")


def _is_reset(ns: Nanoseconds, bits: int) -> bool:
    if ns >= RESET:
        return True
    if not LOW[0] <= ns <= LOW[1]:
        raise Fault(f"a gap of {ns:.0f} ns after bit {bits} is neither a bit's nor a reset")
    return False


def _colours(bits: list[int]) -> list[Rgb]:
    if len(bits) % BITS:
        raise Fault(f"{len(bits)} bits are no whole number of LEDs")
    values = bytes(int("".join(map(str, bits[place : place + 8])), 2) for place in range(0, len(bits), 8))
    return [(values[n + 1], values[n], values[n + 2]) for n in range(0, len(values), 3)]
