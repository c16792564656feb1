"""Pairing codes: six characters that make a phone a scorer or a director; display, renewal, redeeming, unpairing."""

import hmac
import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Self

from pegboard.core.view import Reach
from pegboard.devices.power_and_clock import SystemClock
from pegboard.errors import PegboardError
from pegboard.storage.state_files import read_owned
from web.access.paired_devices import PairedDevice, Role, with_device
from web.access.pairing_file import (
    PAIRING_FILE,
    Code,
    PairingFile,
    PairingState,
    StateFileError,
    TableAddress,
    new_epoch,
)

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: without I, L, O, which look like digits, and without U."""

LENGTH = 6
"""Characters of a code: a billion codes; all addresses together can try at most ten a second."""

ALIKE = str.maketrans({"O": "0", "I": "1", "L": "1"} | dict.fromkeys(" \t\u00a0-\u2010\u2011\u2012\u2013_"))
"""Characters that are read as similar characters; spaces and dashes are ignored."""

RENEW_AT = 10
"""The displayed code is replaced when a tenth of its time is left, but stays valid, so nobody types it in vain."""


class InvalidCode(PegboardError, ValueError):
    """A text that cannot be a code."""

    code = "shape"


def read_code(text: str) -> str:
    """Parse a code, in any case, with or without spaces and dashes.

    Raises:
        InvalidCode: `text` cannot be a code.
    """
    code = text.upper().translate(ALIKE)
    if len(code) != LENGTH or not set(code) <= set(ALPHABET):
        raise InvalidCode("code_form", length=LENGTH)
    return code


class Codes:
    """The pairing codes of the table whose scores are stored in `folder`."""

    def __init__(
        self, folder: Path, *, lasts_s: float = 600, tries: int = 10, clock: SystemClock | None = None
    ) -> None:
        """A code is valid for `lasts_s` seconds; after `tries` wrong codes were entered, the table displays a new one.

        A director's code is not replaced: it is not displayed, and strangers' attempts could keep it from being used.
        `clock` is the system clock.
        """
        self._file = PairingFile(folder, clock)
        self._lasts_s, self._tries = lasts_s, tries
        self._wrong, self._counting = 0, threading.Lock()

    @classmethod
    def of_table(cls, folder: Path) -> Self:
        """The codes of the table in `folder`, with the validity from its settings; for use by another program.

        Raises:
            StateFileError: there is no pairing file, or this user may not read it.
        """
        path = folder / PAIRING_FILE
        try:
            read_owned(path, 1)
        except FileNotFoundError as error:
            raise StateFileError("codes_missing", folder=folder) from error
        except OSError as error:
            raise StateFileError("codes_unreadable", path=path, error=error.strerror) from error
        table = cls(folder).table
        return cls(folder) if table is None else cls(folder, lasts_s=table.lasts_s)

    @property
    def epoch(self) -> str:
        """The epoch in the cookie of every paired device."""
        return self._file.read().epoch

    @property
    def devices(self) -> tuple[PairedDevice, ...]:
        """The devices that were paired and not unpaired; some may have expired."""
        return self._file.read().devices

    def paired_devices(self, paired_s: float) -> list[PairedDevice]:
        """The devices that were paired less than `paired_s` seconds ago, newest first."""
        ended = self.now() - paired_s
        return [device for device in reversed(self.devices) if device.since > ended]

    def now(self) -> float:
        """The table's time in seconds, which never steps."""
        return self._file.now()

    def as_wall_time(self, table_s: float) -> float:
        """Convert a moment of the table's time to seconds since 1970, by the current wall clock."""
        return self._file.as_wall_time(table_s)

    def keep_time(self) -> None:
        """Save the clocks if the next boot would otherwise get them wrong.

        Raises:
            StateFileError: the file cannot be written.
        """
        self._file.keep_time()

    @property
    def table(self) -> TableAddress | None:
        """The last address of the table."""
        return self._file.read().table

    def scorer(self) -> Code:
        """The code to display: the newest, or a new one if the newest expires soon and the file can be written.

        Raises:
            StateFileError: there is no valid code, and a new one cannot be stored.
        """
        code = self._displayed_code(self._file.read())
        if code is not None:
            return code
        try:
            return self._renewed_scorer()
        except StateFileError:
            valid = self._valid(self._file.read().scorer)
            if not valid:
                raise
            return valid[-1]

    def _renewed_scorer(self) -> Code:
        with self._file.lock() as state:
            code = self._displayed_code(state) or self._new_code()
            if code not in state.scorer:
                self._file.write(replace(state, scorer=(*self._valid(state.scorer), code)))
        return code

    def director(self) -> Code:
        """A new code that makes a director; invalidates the previous one."""
        with self._file.lock() as state:
            code = self._new_code()
            self._file.write(replace(state, director=(code,)))
        return code

    def role_of(self, text: str) -> Role | None:
        """The role that a code would give now, None for a wrong code; does not use the code up.

        Raises:
            InvalidCode: `text` cannot be a code.
        """
        code, state = read_code(text), self._file.read()
        if _is_among(code, self._valid(state.director)):
            return "director"
        return "scorer" if _is_among(code, self._valid(state.scorer)) else None

    def redeem(self, text: str) -> Role | None:
        """Use up a code, and return its role; None for a wrong code. Too many wrong codes replace the displayed code.

        Raises:
            InvalidCode: `text` cannot be a code.
            StateFileError: the file cannot be written.
        """
        code = read_code(text)
        is_wrong = self.role_of(text) is None
        if is_wrong and not self._is_last_try():
            return None
        with self._file.lock() as state:
            if _is_among(code, self._valid(state.director)):
                self._file.write(replace(state, director=()))
                self._wrong = 0
                return "director"
            if _is_among(code, self._valid(state.scorer)):
                self._file.write(replace(state, scorer=(self._new_code(),)))
                self._wrong = 0
                return "scorer"
            if is_wrong:  # else another phone has just used the code
                self._file.write(replace(state, scorer=(self._new_code(),)))
        return None

    def _is_last_try(self) -> bool:
        """Count a wrong code, in memory, so that attempts cause no writes until the codes are renewed."""
        with self._counting:
            self._wrong += 1
            is_last = self._wrong >= self._tries
            if is_last:
                self._wrong = 0
        return is_last

    def unpair_all(self) -> None:
        """Unpair every device, and invalidate all codes."""
        with self._file.lock() as state:
            self._file.write(PairingState(new_epoch(), table=state.table, clock=state.clock))

    def add_device(
        self, device: PairedDevice, lasts_s: float, last_use: Callable[[PairedDevice], float]
    ) -> list[PairedDevice]:
        """Store a paired device, replacing its earlier entry, and return the devices that made room for it.

        Devices paired `lasts_s` seconds ago or earlier are dropped.

        Raises:
            TooManyPaired: too many are paired, and no scorer was silent, by `last_use`, for long enough to make room.
            StateFileError: the device cannot be stored.
        """
        with self._file.lock() as state:
            ended = self.now() - lasts_s
            devices = with_device(state.devices, device, ended, last_use)
            self._file.write(replace(state, devices=devices))
        here = {one.id for one in devices}
        return [one for one in state.devices if one.since > ended and one.id not in here]

    def unpair(self, id: str) -> PairedDevice | None:  # noqa: A002 - the API's own word
        """Unpair a device and return it (None if unknown), and invalidate the codes that it may have seen."""
        with self._file.lock() as state:
            found = next((one for one in state.devices if one.id == id), None)
            if found is not None:
                others = tuple(one for one in state.devices if one != found)
                self._file.write(replace(state, devices=others, scorer=(self._new_code(),), director=()))
        return found

    def register(
        self,
        url: str,
        host: str,
        reach: Reach = "network",
        command: str | None = None,
        *,
        is_open: bool,
        paired_s: float = 12 * 3600,
    ) -> None:
        """Store the table's address, this program's process id, and how long a device stays paired."""
        with self._file.lock() as state:
            table = TableAddress(url, host, is_open, self._lasts_s, os.getpid(), reach, command, paired_s)
            self._file.write(replace(state, table=table))

    def _new_code(self) -> Code:
        return Code("".join(secrets.choice(ALPHABET) for _ in range(LENGTH)), self.now() + self._lasts_s)

    def _valid(self, codes: tuple[Code, ...]) -> tuple[Code, ...]:
        """The codes that have not expired, and do not expire later than a code made now."""
        now = self.now()
        return tuple(code for code in codes if now < code.until <= now + self._lasts_s)

    def _displayed_code(self, state: PairingState) -> Code | None:
        codes = self._valid(state.scorer)
        return codes[-1] if codes and codes[-1].until - self.now() > self._lasts_s / RENEW_AT else None


def _is_among(text: str, codes: tuple[Code, ...]) -> bool:
    """Whether a text is one of the codes; each compared in constant time."""
    return any(hmac.compare_digest(text, code.text) for code in codes)
