"""Which key sits on which pin, from the settings; two uses of one pin are refused with both names."""

from dataclasses import dataclass

from pegboard.config import KeySettings, Settings
from pegboard.errors import DeviceError

PINS = range(28)
"""BCM numbers of the 40-pin header."""

I2C_PINS = {2: "the OLED's data line", 3: "the OLED's clock line"}
SPI0_PINS = {10: "the LED strip's data line", 9: "the LED strip's SPI bus", 11: "the LED strip's SPI bus"}
"""The strip uses only MOSI, but its bus claims all three lines."""


@dataclass(frozen=True, slots=True)
class Key:
    """A key: `lane` and `points` for a player's key, no lane for UNDO and DEAL.

    Attributes:
        name: "a1" for lane A's key of one point, "undo", "deal".
        pin: the BCM number of its line.
        lane: the lane it scores for, from 0; None where it is everybody's.
        points: what one press adds.
    """

    name: str
    pin: int
    lane: int | None = None
    points: int = 0


def keys_of(settings: Settings) -> tuple[Key, ...]:
    """All keys that are wired, players' keys lane by lane, then UNDO and DEAL.

    Raises:
        DeviceError: values and pins do not fit together, or a pin is used twice or does not exist.
    """
    own = settings.keys
    keys = (*(key for place, letter in enumerate(sorted(own.pins)) for key in _lane(own, place, letter)), *_shared(own))
    _refuse_twice_used(keys, _taken(settings))
    return keys


def _lane(own: KeySettings, place: int, letter: str) -> tuple[Key, ...]:
    pins = own.pins[letter]
    if len(pins) != len(own.values):
        raise DeviceError(f"lane {letter} has {len(pins)} pins for the keys {own.values}; name one pin for each")
    if len(set(own.values)) != len(own.values):
        raise DeviceError(f"the keys' values {own.values} name one amount twice")
    return tuple(Key(f"{letter}{points}", pin, place, points) for points, pin in zip(own.values, pins, strict=True))


def _shared(own: KeySettings) -> tuple[Key, Key]:
    return Key("undo", own.undo_pin), Key("deal", own.deal_pin)


def _taken(settings: Settings) -> dict[int, str]:
    taken: dict[int, str] = {}
    if settings.oled.enabled:
        taken |= I2C_PINS
    if settings.strip.enabled and settings.strip.spi_bus == 0:
        taken |= SPI0_PINS
    return taken


def _refuse_twice_used(keys: tuple[Key, ...], taken: dict[int, str]) -> None:
    for key in keys:
        if key.pin not in PINS:
            raise DeviceError(f"the key {key.name} cannot sit on pin {key.pin}; the header has BCM 0 to 27")
        if key.pin in taken:
            raise DeviceError(
                f"the key {key.name} and {taken[key.pin]} are both on pin BCM {key.pin}; give the key another"
            )
        taken[key.pin] = f"the key {key.name}"
