"""What is connected to what: every wire of the guide's drawings and tables, from the settings and the pin table."""

from typing import NamedTuple

from hardware.pin_assignment import HEADER, I2C_PINS, SPI_PINS, wired_keys
from pegboard.config import OledSettings, Settings


class Connection(NamedTuple):
    """A wire from a pin of the header to a terminal of a part.

    Attributes:
        place: the pin, by its number on the header.
        terminal: where it ends.
        carries: "ground", "5 V", "3.3 V", "data" ...
        gpio: the pin's BCM number; None for ground and supply.
    """

    place: int
    terminal: str
    carries: str
    gpio: int | None = None


KEYS_LEFT_GROUND, KEYS_RIGHT_GROUND, I2C_GROUND, SPI_GROUND, STRIP_GROUND = 39, 34, 9, 14, 20
"""Of the header's eight ground pins, one for each bundle of wires: two parts never share one."""

I2C_SUPPLY, SPI_SUPPLY = 1, 17
"""The header's two pins of 3.3 V."""


def key_name(key):
    """As it stands on the drawing: "A +1", "UNDO"."""
    return key.name.upper() if key.lane is None else f"{'ABC'[key.lane]} +{key.points}"


def keys(settings: Settings) -> list[Connection]:
    """Every key's pin; its other leg goes to ground."""
    return [Connection(HEADER[key.pin], key_name(key), "data", key.pin) for key in wired_keys(settings)]


def i2c_panel(settings: Settings) -> list[Connection]:
    """A panel on I2C."""
    words = {"device_line_oled_data": ("SDA", "data"), "device_line_oled_clock": ("SCL", "clock")}
    lines = [Connection(HEADER[pin], *words[name.key], pin) for pin, name in I2C_PINS[settings.oled.i2c_bus].items()]
    return [Connection(I2C_SUPPLY, "VCC", "3.3 V"), *lines, Connection(I2C_GROUND, "GND", "ground")]


def spi_panel(settings: Settings) -> list[Connection]:
    """A panel on SPI, from the top of the header to its bottom."""
    own, (data, _miso, clock, select) = settings.oled, SPI_PINS[settings.oled.spi_bus]
    lines = [
        Connection(HEADER[select], "CS", "select", select),
        Connection(HEADER[own.reset_pin], "RES", "reset", own.reset_pin),
        Connection(SPI_GROUND, "GND", "ground"),
        Connection(SPI_SUPPLY, "VCC", "3.3 V"),
        Connection(HEADER[own.dc_pin], "DC", "data or command", own.dc_pin),
        Connection(HEADER[data], "D1", "data", data),
        Connection(HEADER[clock], "D0", "clock", clock),
    ]
    return sorted(lines, key=lambda one: (one.place + 1) // 2 + 0.5 * (one.place % 2))


def strip(settings: Settings) -> list[Connection]:
    """The Pi's end of a strip with one data line; its other wires go to its own supply."""
    data, *_ = SPI_PINS[settings.strip.spi_bus]
    return [Connection(HEADER[data], "1A", "data", data), Connection(STRIP_GROUND, "ground", "ground")]


CHIP = ("1OE", "1A", "1Y", "2OE", "2A", "2Y", "GND", "3Y", "3A", "3OE", "4Y", "4A", "4OE", "VCC")
"""The 74AHCT125's legs 1 to 14, after its data sheet: outputs Y follow inputs A while their OE is low."""

GATE_IN, GATE_OUT, FREE = "1A", "1Y", ("2Y", "3Y", "4Y")
"""The gate that the strip uses, and the legs that stay free."""


def table_of(wires: list[Connection], other_end: str) -> str:
    """The wires as a table in Markdown."""
    rows = [f"| {one.terminal} | {one.place} | {name_of(one)} |" for one in wires]
    return "\n".join([f"| {other_end} | header pin | name |", "|---|---|---|", *rows])


def name_of(one: Connection) -> str:
    """What the pin is: "GPIO 4", or what it gives."""
    return one.carries if one.gpio is None else f"GPIO {one.gpio}"


def tables() -> dict[str, str]:
    """The tables of docs/build.md."""
    usual, spi = Settings(), Settings(oled=OledSettings(wire="spi"))
    grounds = [
        Connection(place, f"other legs of the keys drawn on the {side}", "ground")
        for place, side in ((KEYS_LEFT_GROUND, "left"), (KEYS_RIGHT_GROUND, "right"))
    ]
    return {
        "keys": table_of([*keys(usual), *grounds], "key"),
        "panel on I2C": table_of(i2c_panel(usual), "panel"),
        "panel on SPI": table_of(spi_panel(spi), "panel"),
    }
