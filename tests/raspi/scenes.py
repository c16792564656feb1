"""What is shown on each device, the same on a Pi's real buses as on simulated ones, which tell what was meant."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from hardware.interfaces import Buses
from hardware.oled.display import Oled
from hardware.strip.display import Strip
from pegboard import Rules, Score, new_game, play
from pegboard.config import OledSettings, Settings, StripSettings
from pegboard.core.view import View

SCORES = [(0, 2), (1, 12), (0, 8), (1, 24), (0, 29)]
"""Seat and points of each entry; a view follows each."""

I2C_PANELS = [
    OledSettings(),
    OledSettings(chip="sh1106"),
    OledSettings(chip="ssd1309", size="128x32"),
    OledSettings(chip="ssd1327", size="128x128"),
]
SPI_PANELS = [
    OledSettings(),
    OledSettings(chip="sh1106"),
    OledSettings(chip="ssd1309", size="128x32"),
    OledSettings(chip="ssd1327", size="128x128"),
    OledSettings(chip="ssd1351", size="128x128"),
]
"""They are put on the first SPI bus, for QEMU has no other."""

STRIPS = [
    StripSettings(),
    StripSettings(chip="sk6812", lanes=2),
    StripSettings(chip="sk6812w", lanes=2),
    StripSettings(chip="apa102"),
]

LONG = StripSettings(chip="sk6812", lanes=3, transfer=8192)
"""A strip whose frame is longer than what spidev takes by default: 4481 bytes."""


@dataclass(frozen=True)
class Scene:
    """A device and its settings.

    Attributes:
        name: such as "ssd1306 on i2c".
        kind: what makes the display.
    """

    name: str
    kind: Callable[[Settings, Buses], Oled | Strip]
    settings: Settings

    def show(self, buses: Buses) -> None:
        """Show every view, and switch the device off."""
        display = self.kind(self.settings, buses)
        for view in views():
            display.show(view)
        display.darken()
        display.close()


def views() -> Iterator[View]:
    """The views of a game, from its begin."""
    game = new_game(Rules.named("standard"), players=("Ann", "Bob"))
    yield View(game)
    for seat, points in SCORES:
        game = play(game, Score(seat=seat, points=points))
        yield View(game)


def scenes() -> Iterator[Scene]:
    """Every scene that a bus as it comes can carry."""
    for own in I2C_PANELS:
        yield Scene(f"{own.chip} on i2c", _oled, Settings(oled=own))
    for own in SPI_PANELS:
        alone = StripSettings(enabled=False, spi_bus=1)
        on_spi = replace(own, wire="spi", spi_bus=0)
        yield Scene(f"{own.chip} on spi", _oled, Settings(oled=on_spi, strip=alone))
    for strip in STRIPS:
        yield Scene(f"{strip.chip} strip", _strip, Settings(strip=strip))


def long_scene() -> Scene:
    """The strip that takes a larger spidev.bufsiz."""
    return Scene("long strip", _strip, Settings(strip=LONG))


def _oled(settings: Settings, buses: Buses) -> Oled:
    return Oled(settings, buses, clock=_stopped)


def _strip(settings: Settings, buses: Buses) -> Strip:
    return Strip(settings, buses, clock=_stopped, wall=lambda: time.gmtime(0))


def _stopped() -> float:
    """A clock that stands still: what is sent again from time to time is not, on either side."""
    return 0.0
