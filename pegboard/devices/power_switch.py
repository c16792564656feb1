"""The power switch: asks root to shut the machine down, where pegboard runs as the installed service."""

import os
from collections.abc import Mapping
from pathlib import Path

from pegboard.errors import NotStored
from pegboard.install.host import service_runtime_folder

REQUEST = "power-off"
"""The file in the service's runtime folder that asks for it; a unit of root's waits for the file."""


class PowerSwitch:
    """The power switch of the machine; elsewhere than in the installed service there is none."""

    def __init__(self, folder: Path | None = None) -> None:
        """`folder` is where the request is written; None where pegboard does not switch the machine off."""
        self._folder = folder

    @staticmethod
    def of_service(environment: Mapping[str, str] = os.environ, *, installed: bool | None = None) -> "PowerSwitch":
        """The one of the service that systemd has started."""
        return PowerSwitch(service_runtime_folder(environment, installed=installed))

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
