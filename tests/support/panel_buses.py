"""Buses with a panel alone, straight to its model; any write can be made to fail."""

import errno
import os

from gpiozero.pins.mock import MockFactory, MockPin

from hardware.simulator.simulated_buses import panel


class PanelBuses:
    """The panel of some settings. `fail_at` is the number of the write that fails; `writes` all that were tried."""

    def __init__(self, own):
        self.panel = panel(own.chip, own.size, own.address)
        self.own = own
        self.writes, self.bytes, self.fail_at = 0, 0, None
        self.opened, self.writes_at_reset = [], []
        self.factory = MockFactory(pin_class=self._pin_class())

    def _pin_class(self):
        buses = self

        class Pin(MockPin):
            """A pin that resets the panel when it is the line RST and goes low."""

            def _change_state(self, value):
                if self.info.name == f"GPIO{buses.own.reset_pin}" and not value and self.function == "output":
                    buses.writes_at_reset.append(buses.writes)
                    buses.panel.reset()
                return super()._change_state(value)

        return Pin

    def pins(self):
        return self.factory

    def i2c(self, bus):
        self.opened.append(("i2c", bus))
        return self

    def spi(self, bus, hz):
        self.opened.append(("spi", bus, hz))
        return PanelSpi(self)

    def write(self, address, data):
        if address != self.panel.address:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))
        self.count_write(data)
        self.panel.receive(data)

    def count_write(self, data):
        self.writes += 1
        self.bytes += len(data)
        if self.writes == self.fail_at:
            raise OSError(errno.EREMOTEIO, os.strerror(errno.EREMOTEIO))

    def close(self):
        pass


class PanelSpi:
    """The SPI bus with the panel on it."""

    def __init__(self, buses):
        self.buses = buses

    def write(self, data):
        assert len(data) <= 4096, "spidev sends more in pieces with gaps"
        self.buses.count_write(data)
        self.buses.panel.receive_spi(data, dc=bool(self.buses.factory.pin(self.buses.own.dc_pin).state))

    def close(self):
        pass
