"""How often a director has disconnected a player's phones: a number in the code of the card and in a phone's cookie."""

import threading
from collections.abc import Mapping
from pathlib import Path

from pegboard.storage.state_files import read_values, write_values
from web.access.state_files import StateFileError

FILE = "player_phones.json"
"""In the hub's folder; without it nobody's phones were disconnected."""

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)


class PlayerPhones:
    """The numbers of one hub's players; a higher one makes the codes and cookies before it void."""

    def __init__(self, folder: Path) -> None:
        """Read those that are stored in `folder`.

        Raises:
            StateFileError: the file is there, and cannot be read: what was disconnected would count again.
        """
        self._path, self._lock = folder / FILE, threading.Lock()
        self._numbers = self._read()

    def number(self, night: str, player: str) -> int:
        """The number of a player of a night, 0 at first."""
        return self._numbers.get(_key(night, player), 0)

    def disconnect(self, night: str, player: str) -> None:
        """Make the code and the cookies of a player void, on disk when this returns.

        Raises:
            StateFileError: that cannot be stored.
        """
        with self._lock:
            numbers = {**self._numbers, _key(night, player): self.number(night, player) + 1}
            try:
                write_values(self._path, {"numbers": numbers})
            except OSError as error:
                raise StateFileError("desk_phones_file", path=self._path, error=error.strerror) from error
            self._numbers = numbers

    def _read(self) -> Mapping[str, int]:
        try:
            return {str(key): int(number) for key, number in read_values(self._path)["numbers"].items()}
        except FileNotFoundError:
            return {}
        except (OSError, *UNREADABLE) as error:
            raise StateFileError("desk_phones_file", path=self._path, error=error) from error


def _key(night: str, player: str) -> str:
    return f"{night} {player}"
