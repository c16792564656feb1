"""A strip on a bench: the program's end of the data line, and a chain of LEDs at the other."""

from types import SimpleNamespace

from hardware.simulator.led_chains import ClockedLedChain, LedChain
from hardware.simulator.simulated_buses import LED_CHAINS
from hardware.strip.display import Strip
from pegboard.config import Settings, StripSettings


class Sk9822Chain(ClockedLedChain):
    """An SK9822 takes the frames of an APA102, and shows its own only 32 clocks of low after it."""

    def _leds_in_reach(self, frames, clocks_after):
        return super()._leds_in_reach(frames, clocks_after - 32)


def chain_of(chip):
    """A chain of LEDs with that chip."""
    return Sk9822Chain() if chip == "sk9822" else LED_CHAINS.get(chip, LedChain)()


class StripBus:
    """Buses with nothing but a strip; it counts transfers and keeps the last one."""

    def __init__(self, chip="ws2812"):
        self.led_chain = chain_of(chip)
        self.transfers = 0
        self.opened = None

    def spi(self, bus, hz):
        self.opened = bus, hz
        return SimpleNamespace(write=lambda data: self._write(data, hz), close=lambda: None)

    def _write(self, data, hz):
        self.transfers += 1
        self.last = data, hz
        self.led_chain.receive(data, hz)


class Clock:
    """Seconds that pass when the test says so."""

    def __init__(self):
        self.now = 1000.0

    def __call__(self):
        return self.now


def make_strip(chip="ws2812", *, time="12:00", **own):
    """A strip with such settings, its buses and its clock; it is `time` on the wall, until `clock.wall` changes."""
    buses, clock = StripBus(chip), Clock()
    clock.wall = time

    def wall():
        hour, minute = map(int, clock.wall.split(":"))
        return SimpleNamespace(tm_hour=hour, tm_min=minute)

    return Strip(Settings(strip=StripSettings(chip=chip, **own)), buses, clock, wall), buses, clock


def led_at(places, lane, hole):
    """The LED of a hole in a game to 121: the game hole is the last, and a classic board is gone round twice."""
    leds = places.lanes[lane]
    return leds[-1] if hole == 121 else leds[(hole - 1) % (len(leds) - 1)]
