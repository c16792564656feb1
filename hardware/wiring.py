"""Who sits on which pin, from the settings; two uses of one pin are refused with both names."""

from dataclasses import dataclass

from hardware.meaning import Adds, AddsLonger, Deals, Means, Undoes
from pegboard.config import KeySettings, Settings
from pegboard.errors import DeviceError

PINS = range(28)
"""BCM numbers of the 40-pin header."""

LANES = "abc"
"""The letters of the lanes in [keys] pins."""

I2C_PINS = {1: {2: "the OLED's data line", 3: "the OLED's clock line"}}
"""The pins of each I2C bus that the header has."""

SPI_PINS = {
    0: {10: "data line", 9: "SPI bus", 11: "SPI bus", 8: "SPI bus", 7: "SPI bus"},
    1: {20: "data line", 19: "SPI bus", 21: "SPI bus", 18: "SPI bus"},
}
"""The pins of each SPI bus that the header has: MOSI, MISO, clock and chip selects (two of SPI0, one of SPI1).

A strip uses only MOSI, but its bus claims all of them.
"""


@dataclass(frozen=True, slots=True)
class Key:
    """A key on a pin.

    Attributes:
        name: "a1" for lane A's key of one point, "a" for its only key, "undo", "deal".
        pin: the BCM number of its line.
        means: what it is for.
    """

    name: str
    pin: int
    means: Means

    @property
    def lane(self) -> int | None:
        """The lane it scores for, from 0; None where it is everybody's."""
        return self.means.lane if isinstance(self.means, Adds | AddsLonger) else None

    @property
    def points(self) -> int:
        """What one short press adds."""
        return self.means.points if isinstance(self.means, Adds | AddsLonger) else 0


def keys_of(settings: Settings) -> tuple[Key, ...]:
    """All keys that are wired, players' keys lane by lane, then UNDO and DEAL; none where they are not enabled.

    Raises:
        DeviceError: the scheme is unknown, values and pins do not fit together, or a pin is used twice or does not
            exist.
    """
    keys = _keys(settings.keys) if settings.keys.enabled else ()
    _uses(settings, keys)
    return keys


def pins_of(settings: Settings) -> dict[int, str]:
    """Who sits on which pin, keys, panel and strip.

    Raises:
        DeviceError: as `keys_of` says.
    """
    return _uses(settings, keys_of(settings))


def _keys(own: KeySettings) -> tuple[Key, ...]:
    unknown = sorted(set(own.pins) - set(LANES))
    if unknown:
        raise DeviceError(f"there is no lane {unknown[0]} in [keys] pins; the lanes are {', '.join(LANES)}")
    players = [key for letter in LANES if own.pins.get(letter) for key in _lane(own, letter)]
    return (*players, Key("undo", own.undo_pin, Undoes()), Key("deal", own.deal_pin, Deals()))


def _lane(own: KeySettings, letter: str) -> tuple[Key, ...]:
    if own.scheme == "several":
        return _several(own, letter)
    if own.scheme == "single":
        return (_single(own, letter),)
    raise DeviceError(f"there is no scheme {own.scheme!r} of keys; there are several and single")


def _several(own: KeySettings, letter: str) -> tuple[Key, ...]:
    pins, lane = own.pins[letter], LANES.index(letter)
    if len(pins) != len(own.values):
        raise DeviceError(f"lane {letter} has {len(pins)} pins for the keys {own.values}; name one pin for each")
    if len(set(own.values)) != len(own.values):
        raise DeviceError(f"the keys' values {own.values} name one amount twice")
    pairs = zip(own.values, pins, strict=True)
    return tuple(Key(f"{letter}{points}", pin, Adds(lane, points)) for points, pin in pairs)


def _single(own: KeySettings, letter: str) -> Key:
    if len(own.single_values) != 2:  # noqa: PLR2004 - the short press and the long one
        raise DeviceError(f"single_values takes two amounts, of a short and of a long press, not {own.single_values}")
    return Key(letter, own.pins[letter][0], AddsLonger(LANES.index(letter), *own.single_values))


def _uses(settings: Settings, keys: tuple[Key, ...]) -> dict[int, str]:
    taken: dict[int, str] = {}
    for pin, name in (*_buses(settings), *_panel_lines(settings), *((key.pin, f"the key {key.name}") for key in keys)):
        if pin not in PINS:
            raise DeviceError(f"{name} cannot sit on pin {pin}; the header has BCM 0 to 27")
        if pin in taken:
            raise DeviceError(f"{name} and {taken[pin]} are both on pin BCM {pin}; give one of them another")
        taken[pin] = name
    return taken


def _buses(settings: Settings) -> list[tuple[int, str]]:
    oled, strip = settings.oled, settings.strip
    uses: list[tuple[int, str]] = []
    if oled.enabled and oled.wire == "i2c":
        uses += I2C_PINS.get(oled.i2c_bus, {}).items()
    if strip.enabled:
        uses += [(pin, f"the LED strip's {use}") for pin, use in SPI_PINS.get(strip.spi_bus, {}).items()]
    if oled.enabled and oled.wire == "spi":
        uses += [(pin, f"the OLED's {use}") for pin, use in SPI_PINS.get(oled.spi_bus, {}).items()]
    return uses


def _panel_lines(settings: Settings) -> list[tuple[int, str]]:
    """An SPI panel has two lines more."""
    oled = settings.oled
    if not oled.enabled or oled.wire != "spi":
        return []
    return [(oled.dc_pin, "the OLED's line D/C"), (oled.reset_pin, "the OLED's line RST")]
