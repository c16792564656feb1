"""Brightness of the OLED and LED strip: from the settings file, or chosen on a page and stored in the state folder."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pegboard.core.view import AS_SET, Brightness
from pegboard.errors import NotStored, SettingError
from pegboard.messages import Message
from pegboard.storage.state_files import read_values, write_values

FILE = "brightness.json"
"""The file in the state folder that stores the chosen brightness."""

MOST_CONTRAST = 255


class BrightnessControl:
    """The brightness of the displays. A choice is stored first, then applied.

    Attributes:
        fault: why the stored choice could not be read, so that the settings apply; None if it could be read.
    """

    def __init__(
        self, show: Callable[[Brightness], None], usual: Brightness = AS_SET, folder: Path | None = None
    ) -> None:
        """`show` is called with each choice; `usual` is the setting; without a folder nothing is stored."""
        self._show, self.usual = show, usual
        self._path = None if folder is None else folder / FILE
        self._lock = threading.Lock()
        self.fault: Message | None = None
        self._chosen = self._load()
        if self._chosen != AS_SET:
            show(self._chosen)

    @property
    def now(self) -> Brightness:
        """The brightness by day, while the panel is not dimmed."""
        oled, strip = self._chosen
        return Brightness(self.usual.oled if oled is None else oled, self.usual.strip if strip is None else strip)

    def _load(self) -> Brightness:
        """The last choice; an unreadable file counts as no choice, since it must not prevent a game."""
        if self._path is None:
            return AS_SET
        try:
            values = read_values(self._path)
            return _check(Brightness(values.get("oled"), values.get("strip")))
        except FileNotFoundError:
            return AS_SET
        except (OSError, ValueError, TypeError, AttributeError, SettingError) as error:
            self.fault = Message("alarm_brightness_lost", path=self._path, fault=error)
            return AS_SET

    def choose(self, changes: Mapping[str, Any]) -> Brightness:
        """Change the brightness; a display missing from `changes` is unchanged, None resets a display to its setting.

        Raises:
            SettingError: a value is out of range for the panel or the strip.
            NotStored: the brightness could not be stored, so nothing has changed.
        """
        with self._lock:
            chosen = _check(self._chosen._replace(**changes))
            if chosen != self._chosen:
                _save(self._path, chosen)
                self._chosen = chosen
                self._show(chosen)
            return self.now


def _check(chosen: Brightness) -> Brightness:
    oled, strip = chosen
    if oled is not None and not (isinstance(oled, int) and 0 <= oled <= MOST_CONTRAST):
        raise SettingError("brightness_contrast", most=MOST_CONTRAST, value=oled)
    if strip is not None and not 0 < strip <= 1:
        raise SettingError("brightness_strip", value=strip)
    return chosen


def _save(path: Path | None, chosen: Brightness) -> None:
    if path is None:
        return
    try:
        write_values(path, chosen._asdict())
    except OSError as error:
        raise NotStored("brightness_not_kept", fault=Message("verbatim", text=error.strerror)) from error
