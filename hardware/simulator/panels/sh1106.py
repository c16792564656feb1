"""Model of the SH1106 by its datasheet (Sino Wealth, V2.3): 132 columns, addressed page by page and no other way."""

from typing import ClassVar

from hardware.simulator.panels.com_scan import alternating
from hardware.simulator.panels.ssd1306 import COMMON_COMMANDS, Ssd1306

CONVERTER_ON = 0x8B


class Sh1106(Ssd1306):
    """One SH1106 under the middle 128 of its columns; a glass of 32 rows hangs where luma sets it up."""

    COLUMNS: ClassVar = 132
    FIRST: ClassVar = 2
    PINS: ClassVar = {
        (128, 64): alternating(range(63, -1, -1)),
        (128, 32): alternating(range(47, 15, -1)),
    }

    def reset(self) -> None:
        """The state after the line RST was low; the DC-DC converter is on."""
        super().reset()
        self.contrast = 0x80
        self.powered = True

    def converter(self, command: bytes) -> None:
        """AD: DC-DC converter."""
        self.powered = command[1] == CONVERTER_ON


Sh1106.COMMANDS = COMMON_COMMANDS | {0xAD: (1, Sh1106.converter)}
