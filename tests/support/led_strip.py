"""A strip on a bench: the program's end of the data line, and a chain of LEDs at the other."""

from types import SimpleNamespace

from hardware.simulator.leds.models import chain
from hardware.strip.display import Strip
from pegboard.config import Settings, StripSettings


class Strand:
    """Wires with nothing but a strip; it counts transfers and keeps the last one."""

    def __init__(self, chip="ws2812"):
        self.chain = chain(chip)
        self.transfers = 0
        self.opened = None

    def spi(self, bus, hz):
        self.opened = bus, hz
        return SimpleNamespace(write=lambda data: self._write(data, hz), close=lambda: None)

    def _write(self, data, hz):
        self.transfers += 1
        self.last = data, hz
        self.chain.receive(data, hz)


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def hung_up(chip="ws2812", *, time="12:00", **own):
    """A strip with such settings, its wires and its clock; it is `time` on the wall, until `clock.wall` changes."""
    wires, clock = Strand(chip), Clock()
    clock.wall = time

    def wall():
        hour, minute = map(int, clock.wall.split(":"))
        return SimpleNamespace(tm_hour=hour, tm_min=minute)

    return Strip(Settings(strip=StripSettings(chip=chip, **own)), wires, clock, wall), wires, clock
