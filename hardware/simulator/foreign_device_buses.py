"""Simulated buses for a device of another package: its writes are counted and recorded, and it has a plug."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from hardware.interfaces import I2cBus, KeyReader, SpiBus
from hardware.simulator.plug_and_bus import Plug

if TYPE_CHECKING:
    from hardware.simulator.buses import SimulatedBuses


class ForeignDeviceBuses:
    """Buses for a device that has no model: on I2C it acknowledges every write, at whatever address.

    Its plug is on the bench as soon as it has opened a bus, and there it can be made to fail as any other.
    """

    def __init__(self, buses: "SimulatedBuses", name: str) -> None:
        self._buses = buses
        self._name = name

    def pins(self) -> Any:
        """The mock pins."""
        return self._buses.pins()

    def i2c(self, bus: int) -> I2cBus:
        """An I2C bus."""
        return OpenBus(partial(self._buses.write_foreign, self._plug(f"I2C{bus}")))

    def spi(self, bus: int, hz: int) -> SpiBus:
        """An SPI bus."""
        return OpenBus(partial(self._buses.write_foreign, self._plug(f"SPI{bus}"), None, hz=hz))

    def keypad(self, device: str, last: str = "") -> KeyReader:
        """The one keypad."""
        return self._buses.keypad(device, last)

    def input_devices(self) -> object:
        """Whether it is plugged in."""
        return self._buses.input_devices()

    def _plug(self, bus: str) -> Plug:
        return self._buses.plugs.setdefault(self._name, Plug(self._buses.bus(bus)))


@dataclass(frozen=True)
class OpenBus:
    """A simulated bus, I2C or SPI, that a device has opened: every transaction goes to `write`."""

    write: Callable[..., None]

    def close(self) -> None:
        """Close the bus."""
