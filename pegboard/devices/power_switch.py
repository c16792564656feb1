"""The power switch: asks root to shut the machine down, where pegboard runs as the installed service."""

import os
from collections.abc import Mapping
from pathlib import Path

from pegboard.errors import NotStored
from pegboard.install.installed_paths import is_installed

REQUEST = "power-off"
"""The file in the service's runtime folder that asks for it; a unit of root's waits for the file."""


class PowerSwitch:
    """The power switch of the machine; elsewhere than in the installed service there is none."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is where the request is written; None where pegboard does not switch the machine off."""
        self._folder = folder

    @staticmethod
    def of_service(environment: Mapping[str, str] = os.environ, *, installed: bool | None = None) -> "PowerSwitch":
        """The one of the service that systemd has started, by its RUNTIME_DIRECTORY (systemd.exec(5))."""
        folders = environment.get("RUNTIME_DIRECTORY", "")
        if not folders or not (is_installed() if installed is None else installed):
            return PowerSwitch()
        return PowerSwitch(Path(folders.split(":", maxsplit=1)[0]))

    @property
    def is_there(self) -> bool:
        """Whether pegboard may switch this machine off."""
        return self._folder is not None

    def request(self) -> None:
        """Ask for it; the program is stopped in order when the machine goes down.

        Raises:
            NotStored: there is no switch, or the request could not be written.
        """
        if self._folder is None:
            raise NotStored("power_elsewhere")
        try:
            (self._folder / REQUEST).touch()
        except OSError as error:
            raise NotStored("power_failed", error=error.strerror) from error


NO_SWITCH = PowerSwitch()
"""Where pegboard does not switch the machine off."""
