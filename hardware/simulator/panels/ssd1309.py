"""Model of the SSD1309 by its datasheet (Solomon Systech, rev 1.0): an SSD1306 without a charge pump, with a lock."""

from hardware.simulator.panels.ssd1306 import COMMON_COMMANDS, WINDOW_COMMANDS, Ssd1306

LOCKED = 0x04
"""The bit of the command lock: nothing but FD is taken while it is set."""


class Ssd1309(Ssd1306):
    """One SSD1309; the voltage of its glass comes from the module."""

    def reset(self) -> None:
        """The state after the line RST was low."""
        super().reset()
        self.powered = True

    def lock(self, command: bytes) -> None:
        """FD: command lock."""
        self.locked = bool(command[1] & LOCKED)


Ssd1309.COMMANDS = COMMON_COMMANDS | WINDOW_COMMANDS | {0xFD: (1, Ssd1309.lock)}
