"""One result of the self-test: what was looked for, whether it is well, what was found, and what to do about it."""

from collections.abc import Callable
from typing import NamedTuple

from pegboard.config import Settings
from pegboard.devices.health import error_text
from pegboard.errors import DeviceError, PegboardError, SettingError
from pegboard.messages import Message

CONFIG = "/boot/firmware/config.txt"

SWITCH_ON = {
    "/dev/i2c-1": f"sudo raspi-config nonint do_i2c 0, or dtparam=i2c_arm=on in {CONFIG}; then restart the Pi",
    "/dev/spidev0.0": f"sudo raspi-config nonint do_spi 0, or dtparam=spi=on in {CONFIG}; then restart the Pi",
}
"""How a bus is switched on without a menu, by its file."""


class Finding(NamedTuple):
    """The result of one check.

    Attributes:
        name: what was looked for.
        ok: whether it is well.
        sentence: what was found.
        remedy: what to do, in a clause; also where it is well and could be better. "" where nothing is to be done.
    """

    name: str
    ok: bool
    sentence: str
    remedy: str = ""


class NullTarget:
    """A key target that does nothing."""

    def is_asking_new_game(self) -> bool:
        """It asks nothing."""
        return False

    is_asking_power_off = is_typing_code = is_asking_new_game

    def __getattr__(self, _verb: str) -> Callable[..., None]:
        return lambda *_: None


def failure(name: str, error: Exception, settings: Settings) -> Finding:
    """What an error says, after the place of the setting at fault, and its remedy."""
    if isinstance(error, DeviceError | SettingError):
        return Finding(name, False, settings.origin.message_of(error), _remedy_of(error))
    text = error_text(error)
    return Finding(name, False, text, _last_clause(text))


def _remedy_of(error: PegboardError) -> str:
    message = error.message
    match message.key:
        case "bus_missing":
            path = str(message.values["path"])
            return SWITCH_ON.get(path) or str(message.values["remedy"])
        case "bus_forbidden":
            return _join_group(str(message.values["group"]))
        case "keypad_forbidden":
            return _join_group("input")
    return str(message.values.get("remedy") or _last_clause(message))


def _join_group(group: str) -> str:
    return f"sudo usermod -aG {group} $USER, then log in again"


def _last_clause(text: str) -> str:
    """A refusal says first what is wrong, and what would be taken after its last semicolon."""
    text = str(text.values["text"]) if isinstance(text, Message) and text.key == "verbatim" else text
    return text.rpartition("; ")[2] if "; " in text else ""
