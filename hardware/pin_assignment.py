"""Pin assignment: the GPIO pins of keys, panel and strip by the settings, conflicts, and positions on the header.

If two devices claim a pin, the keys keep it because they score; next the panel, because it shows the most; then the LED
strip. The other device is refused; the message names both.
"""

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from hardware.key_roles_and_actions import AddKey, DealKey, KeyRole, ShortLongKey, UndoKey, lane_of
from pegboard.config import KeySettings, OledSettings, Settings, StripSettings
from pegboard.errors import DeviceError
from pegboard.messages import Message

PINS = range(28)
"""BCM numbers of the 40-pin header."""

HEADER = dict(
    zip(
        PINS,
        (27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18, 22, 37, 13),
        strict=True,
    )
)
"""The position of each pin on the 40-pin header."""

LANES = "abc"
"""The letters of the lanes in [keys] pins."""

I2C_PINS = {1: {2: Message("device_line_oled_data"), 3: Message("device_line_oled_clock")}}
"""The pins of each I2C bus on the header."""

SPI_PINS = {
    0: {10: "data", 9: "bus", 11: "bus", 8: "bus", 7: "bus"},
    1: {20: "data", 19: "bus", 21: "bus", 18: "bus"},
}
"""The pins of each SPI bus on the header: MOSI, MISO, clock and chip selects (two of SPI0, one of SPI1).

A strip uses only MOSI, but its bus claims all of them.
"""


class PinUse(NamedTuple):
    """The use of a pin.

    Attributes:
        pin: the pin's BCM number.
        name: the name of the line or key, such as "the OLED's D/C line".
        setting: the setting that changes the pin.
        device: the device's section of the settings.
    """

    pin: int
    name: Message
    setting: str
    device: str


PinUses: TypeAlias = dict[int, PinUse]
"""The use of each pin."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key on a pin.

    Attributes:
        name: the key's name: "a1" for lane A's key of one point, "a" for lane A's only key, "undo", "deal".
        pin: the BCM number of the key's pin.
        role: the key's role.
    """

    name: str
    pin: int
    role: KeyRole

    @property
    def lane(self) -> int | None:
        """The lane that the key scores for, from 0; None if the key is shared."""
        return lane_of(self.role)

    @property
    def points(self) -> int:
        """The points that one short press adds; 0 for a shared key."""
        return self.role.points if isinstance(self.role, AddKey | ShortLongKey) else 0


def wired_keys(settings: Settings) -> tuple[Key, ...]:
    """All wired keys: the players' keys lane by lane, then UNDO and DEAL; empty if keys are not enabled.

    Raises:
        DeviceError: the scheme or a lane is unknown, the values repeat or do not match the pins, or a pin is used by
            two keys or does not exist.
    """
    _add_keys(settings, {})
    return _build_keys(settings.keys) if settings.keys.enabled else ()


def pin_uses(settings: Settings) -> PinUses:
    """The use of each pin, leaving out devices with an invalid assignment."""
    uses: PinUses = {}
    for check in (_add_keys, _add_panel, _add_strip):
        with contextlib.suppress(DeviceError):
            uses = check(settings, uses)
    return uses


def check_panel(settings: Settings) -> None:
    """Check that the panel uses no pin twice, and no pin of a key.

    Raises:
        DeviceError: the panel uses such a pin, or one that does not exist.
    """
    _add_panel(settings, pin_uses(replace(settings, oled=_NO_PANEL, strip=_NO_STRIP)))


def check_strip(settings: Settings) -> None:
    """Check that the strip uses no pin of a key, or of a correctly assigned panel.

    Raises:
        DeviceError: the strip uses such a pin.
    """
    _add_strip(settings, pin_uses(replace(settings, strip=_NO_STRIP)))


_NO_PANEL, _NO_STRIP = OledSettings(enabled=False), StripSettings(enabled=False)


def _add_keys(settings: Settings, before: PinUses) -> PinUses:
    keys = _build_keys(settings.keys) if settings.keys.enabled else ()
    return _add_uses(
        before, (PinUse(key.pin, Message("device_key", key=key.name), _setting_of(key), "keys") for key in keys)
    )


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
        *(PinUse(pin, Message(f"device_line_oled_{use}"), "oled.spi_bus", "oled") for pin, use in bus),
        PinUse(own.dc_pin, Message("device_line_oled_dc"), "oled.dc_pin", "oled"),
        PinUse(own.reset_pin, Message("device_line_oled_reset"), "oled.reset_pin", "oled"),
    )
    return _add_uses(before, lines)


def _add_strip(settings: Settings, before: PinUses) -> PinUses:
    own = settings.strip
    bus = SPI_PINS.get(own.spi_bus, {}) if own.enabled else {}
    return _add_uses(
        before, (PinUse(pin, Message(f"device_line_strip_{use}"), "strip.spi_bus", "strip") for pin, use in bus.items())
    )


def _add_uses(before: PinUses, uses: Iterable[PinUse]) -> PinUses:
    every = dict(before)
    for use in uses:
        if use.pin not in PINS:
            raise DeviceError("pin_beyond", use.setting, line=use.name, pin=use.pin)
        if use.pin in every:
            raise DeviceError(_clash(use, every[use.pin]), use.setting, every[use.pin].setting)
        every[use.pin] = use
    return every


def _clash(use: PinUse, first: PinUse) -> Message:
    values = {"pin": use.pin, "settings": ", ".join(dict.fromkeys((use.setting, first.setting)))}
    if use.device == "keys":
        return Message("device_pin_keys", **use.name.values, other=first.name.values["key"], **values)
    if first.device == "keys":
        return Message("device_pin_held_key", line=use.name, **first.name.values, **values)
    key = "device_pin_same" if use.device == first.device else "device_pin_held_oled"
    return Message(key, line=use.name, other=first.name, **values)


def _build_keys(own: KeySettings) -> tuple[Key, ...]:
    unknown = sorted(set(own.pins) - set(LANES))
    if unknown:
        raise DeviceError("device_keys_lane", f"keys.pins.{unknown[0]}", lane=unknown[0], known=", ".join(LANES))
    players = [key for letter in LANES if own.pins.get(letter) for key in _keys_of_lane(own, letter)]
    return (*players, Key("undo", own.undo_pin, UndoKey()), Key("deal", own.deal_pin, DealKey()))


def _keys_of_lane(own: KeySettings, letter: str) -> tuple[Key, ...]:
    if own.scheme == "several":
        return _several_keys(own, letter)
    if own.scheme == "single":
        return (_single_key(own, letter),)
    raise DeviceError("device_keys_scheme", "keys.scheme", scheme=repr(own.scheme))


def _several_keys(own: KeySettings, letter: str) -> tuple[Key, ...]:
    pins, lane = own.pins[letter], LANES.index(letter)
    if len(pins) != len(own.values):
        raise DeviceError(
            "device_keys_number",
            f"keys.pins.{letter}",
            "keys.values",
            lane=letter,
            number=len(pins),
            amounts=list(own.values),
        )
    if len(set(own.values)) != len(own.values):
        raise DeviceError("device_keys_twice", "keys.values", amounts=list(own.values))
    pairs = zip(own.values, pins, strict=True)
    return tuple(Key(f"{letter}{points}", pin, AddKey(lane, points)) for points, pin in pairs)


def _single_key(own: KeySettings, letter: str) -> Key:
    if len(own.single_values) != 2:  # noqa: PLR2004 - the short press and the long one
        raise DeviceError("device_keys_single", "keys.single_values", amounts=list(own.single_values))
    return Key(letter, own.pins[letter][0], ShortLongKey(LANES.index(letter), *own.single_values))
