"""Every frame of simulated games on every panel, decoded from the bytes on its wire.

`python -m tests.hardware.oled.every_frame` shows 200 games on each (a minute), every third on a classic board and every
third from afar; a number after it, so many.
"""

import sys
import time
import warnings

from PIL import Image

from hardware.oled.drawing.draw import LAYOUTS, Style, draw
from hardware.oled.panel import CONTROLLERS, PagedPanel, Panel, find_controller
from hardware.oled.transport import SpiTransport, open_i2c
from pegboard.config import OledSettings
from tests.support.panel_buses import PanelBuses
from tests.support.views_of_dealt_games import views_of

GAMES = 200

STREETS = Style()

PAIRS = [(name, wire) for name, one in CONTROLLERS.items() for wire in one.buses]
"""Every chip on every wire that it takes."""

PAGED = [(name, wire) for name, wire in PAIRS if CONTROLLERS[name].column is not None]
"""Those that we write ourselves."""

LUMAS = [pair for pair in PAIRS if pair not in PAGED]


class LeanPin:
    """A pin that is nothing but its level: gpiozero's mock pins would take longer than all the rest."""

    level = True

    def on(self):
        self.level = True

    def off(self):
        self.level = False

    def close(self):
        pass


class LeanSpi:
    """An SPI bus that asks a lean pin for the level of D/C."""

    def __init__(self, buses, dc):
        self.buses, self.dc = buses, dc

    def write(self, data):
        self.buses.count_write(data)
        self.buses.panel.receive_spi(data, dc=self.dc.level)

    def close(self):
        pass


def switched_on(own):
    """The panel of some settings, switched on, and its buses."""
    buses, kind, dc = PanelBuses(own), find_controller(own), LeanPin()
    line = open_i2c(buses, own) if own.wire == "i2c" else SpiTransport(LeanSpi(buses, dc), (dc, LeanPin()))
    return (Panel if kind.column is None else PagedPanel)(kind, line, own), buses


def centred(picture, size):
    """The picture in the middle of a glass, by plain pasting."""
    whole = Image.new("1", size)
    whole.paste(picture, ((size[0] - picture.width) // 2, (size[1] - picture.height) // 2))
    return whole


def lit(picture, rotate=0):
    """A picture's pixels, one byte each, as a model tells them; on a panel hung upside down, turned."""
    pixels = picture.convert("L").tobytes().replace(b"\xff", b"\x01")
    return pixels[::-1] if rotate else pixels


def frames_seen(pairs, numbers, look=STREETS, **game):
    """Show every frame of these games on these panels; how many were decoded, each equal to its drawing."""
    size = "x".join(map(str, look.size))
    panels = [switched_on(OledSettings(chip=name, wire=wire, size=size)) for name, wire in pairs]
    seen = 0
    for number in numbers:
        for turn, view in enumerate(views_of(number, **game)):
            picture = draw(view, look)
            whole = {glass.size: centred(picture, glass.size) for glass, _ in panels}
            drawn = {size: lit(one) for size, one in whole.items()}
            for glass, buses in panels:
                glass.show(whole[glass.size])
                assert buses.panel.pixels() == drawn[glass.size], f"{buses.own}, game {number}, frame {turn}"
                seen += 1
    return seen


def main():
    """All games on all panels."""
    warnings.simplefilter("ignore", DeprecationWarning)  # luma's; pillow is kept below 14 for it
    games = range(int(sys.argv[1]) if len(sys.argv) > 1 else GAMES)
    for pair in PAIRS:
        begun = time.monotonic()
        seen = {
            layout: frames_seen([pair], games[place :: len(LAYOUTS)], Style(layout=layout))
            for place, layout in enumerate(LAYOUTS)
        }
        frames = ", ".join(f"{number:,} {layout}" for layout, number in seen.items())
        print(f"{' on '.join(pair)}: frames {frames}, of {len(games)} games, {time.monotonic() - begun:.1f} s")


if __name__ == "__main__":
    main()
