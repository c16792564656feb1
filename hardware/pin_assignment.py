"""The pin assignment: which device uses which GPIO pin, from the settings.

Of two devices on one pin the keys keep it, because they score; then the panel, because it tells the most; then the LED
strip. The other device is refused with both names.
"""

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from hardware.key_roles import AddKey, DealKey, KeyRole, ShortLongKey, UndoKey
from pegboard.config import KeySettings, OledSettings, Settings, StripSettings
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


class PinUse(NamedTuple):
    """What a pin is used for.

    Attributes:
        pin: its BCM number.
        name: who uses it for what, such as "the OLED's line D/C".
        setting: the setting with which it is given another pin.
        device: the section of the settings that it belongs to.
    """

    pin: int
    name: str
    setting: str
    device: str


OWNERS = {"keys": "the key", "oled": "the OLED"}
"""What a device is called that keeps its pin from another one, by its section."""

PinUses: TypeAlias = dict[int, PinUse]
"""What each pin is used for."""


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
    role: KeyRole

    @property
    def lane(self) -> int | None:
        """The lane it scores for, from 0; None where it is everybody's."""
        return self.role.lane if isinstance(self.role, AddKey | ShortLongKey) else None

    @property
    def points(self) -> int:
        """What one short press adds."""
        return self.role.points if isinstance(self.role, AddKey | ShortLongKey) else 0


def wired_keys(settings: Settings) -> tuple[Key, ...]:
    """All keys that are wired, players' keys lane by lane, then UNDO and DEAL; none where they are not enabled.

    Raises:
        DeviceError: the scheme is unknown, values and pins do not fit together, or a pin is used by two keys or does
            not exist.
    """
    _add_keys(settings, {})
    return _build_keys(settings.keys) if settings.keys.enabled else ()


def pin_uses(settings: Settings) -> PinUses:
    """What each pin is used for: what cannot be wired as it is set has none."""
    uses: PinUses = {}
    for check in (_add_keys, _add_panel, _add_strip):
        with contextlib.suppress(DeviceError):
            uses = check(settings, uses)
    return uses


def check_panel(settings: Settings) -> None:
    """See that the panel sits on no pin twice, and on none of a key.

    Raises:
        DeviceError: it does.
    """
    _add_panel(settings, pin_uses(replace(settings, oled=_NO_PANEL, strip=_NO_STRIP)))


def check_strip(settings: Settings) -> None:
    """See that the strip sits on no pin of a key, nor of a panel that may sit there.

    Raises:
        DeviceError: it does.
    """
    _add_strip(settings, pin_uses(replace(settings, strip=_NO_STRIP)))


_NO_PANEL, _NO_STRIP = OledSettings(enabled=False), StripSettings(enabled=False)


def _add_keys(settings: Settings, before: PinUses) -> PinUses:
    keys = _build_keys(settings.keys) if settings.keys.enabled else ()
    return _add_uses(before, (PinUse(key.pin, f"the key {key.name}", _setting_of(key), "keys") for key in keys))


def _setting_of(key: Key) -> str:
    return f"keys.{key.name}_pin" if key.lane is None else f"keys.pins.{LANES[key.lane]}"


def _add_panel(settings: Settings, before: PinUses) -> PinUses:
    own = settings.oled
    if not own.enabled:
        return before
    if own.wire == "i2c":
        own_lines = I2C_PINS.get(own.i2c_bus, {}).items()
        return _add_uses(before, (PinUse(pin, name, "oled.i2c_bus", "oled") for pin, name in own_lines))
    if own.wire != "spi":
        return before
    bus = SPI_PINS.get(own.spi_bus, {}).items()
    lines = (
        *(PinUse(pin, f"the OLED's {use}", "oled.spi_bus", "oled") for pin, use in bus),
        PinUse(own.dc_pin, "the OLED's line D/C", "oled.dc_pin", "oled"),
        PinUse(own.reset_pin, "the OLED's line RST", "oled.reset_pin", "oled"),
    )
    return _add_uses(before, lines)


def _add_strip(settings: Settings, before: PinUses) -> PinUses:
    own = settings.strip
    bus = SPI_PINS.get(own.spi_bus, {}) if own.enabled else {}
    return _add_uses(
        before, (PinUse(pin, f"the LED strip's {use}", "strip.spi_bus", "strip") for pin, use in bus.items())
    )


def _add_uses(before: PinUses, uses: Iterable[PinUse]) -> PinUses:
    every = dict(before)
    for use in uses:
        if use.pin not in PINS:
            raise DeviceError(f"{use.name} cannot sit on pin {use.pin}; the header has BCM 0 to 27", use.setting)
        if use.pin in every:
            raise DeviceError(_clash_sentence(use, every[use.pin]), use.setting, every[use.pin].setting)
        every[use.pin] = use
    return every


def _clash_sentence(use: PinUse, first: PinUse) -> str:
    settings = ", ".join(dict.fromkeys((use.setting, first.setting)))
    whose = "" if use.device == first.device else f", and {OWNERS[first.device]} has it"
    return f"{use.name} and {first.name} are both on pin BCM {use.pin}{whose}; give one of them another ({settings})"


def _build_keys(own: KeySettings) -> tuple[Key, ...]:
    unknown = sorted(set(own.pins) - set(LANES))
    if unknown:
        raise DeviceError(
            f"there is no lane {unknown[0]} in [keys] pins; the lanes are {', '.join(LANES)}", f"keys.pins.{unknown[0]}"
        )
    players = [key for letter in LANES if own.pins.get(letter) for key in _keys_of_lane(own, letter)]
    return (*players, Key("undo", own.undo_pin, UndoKey()), Key("deal", own.deal_pin, DealKey()))


def _keys_of_lane(own: KeySettings, letter: str) -> tuple[Key, ...]:
    if own.scheme == "several":
        return _several_keys(own, letter)
    if own.scheme == "single":
        return (_single_key(own, letter),)
    raise DeviceError(f"there is no scheme {own.scheme!r} of keys; there are several and single", "keys.scheme")


def _several_keys(own: KeySettings, letter: str) -> tuple[Key, ...]:
    pins, lane = own.pins[letter], LANES.index(letter)
    if len(pins) != len(own.values):
        raise DeviceError(
            f"lane {letter} has {len(pins)} pins for the keys {list(own.values)}; name one pin for each",
            f"keys.pins.{letter}",
            "keys.values",
        )
    if len(set(own.values)) != len(own.values):
        raise DeviceError(
            f"the keys' values {list(own.values)} name one amount twice; name different ones", "keys.values"
        )
    pairs = zip(own.values, pins, strict=True)
    return tuple(Key(f"{letter}{points}", pin, AddKey(lane, points)) for points, pin in pairs)


def _single_key(own: KeySettings, letter: str) -> Key:
    if len(own.single_values) != 2:  # noqa: PLR2004 - the short press and the long one
        raise DeviceError(
            f"keys.single_values takes two amounts, of a short and of a long press, not {list(own.single_values)}",
            "keys.single_values",
        )
    return Key(letter, own.pins[letter][0], ShortLongKey(LANES.index(letter), *own.single_values))
