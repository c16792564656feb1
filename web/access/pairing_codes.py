"""Pairing codes: six letters that the table shows, typed or scanned to make a phone a scorer or a director."""

import hmac
import os
import secrets
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal, Self, TypeAlias

from pegboard.core.view import Reach
from pegboard.errors import PegboardError
from web.access.state_files import (
    PAIRING_FILE,
    Code,
    PairingFile,
    PairingState,
    StateFileError,
    TableAddress,
    new_epoch,
)

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O, which look like digits, and no U."""

LENGTH = 6
"""Letters of a code: a billion of them, ten tries at each."""

ALIKE = str.maketrans({"O": "0", "I": "1", "L": "1"} | dict.fromkeys(" \t\u00a0-\u2010\u2011\u2012\u2013_"))
"""Letters that are read as others; blanks and dashes mean nothing."""

RENEW_AT = 10
"""The code on display is replaced when a tenth of its time is left, and valid until the end: none is typed in vain."""

Role: TypeAlias = Literal["scorer", "director"]


class InvalidCode(PegboardError, ValueError):
    """A text that cannot be a code."""

    code = "shape"


def read_code(text: str) -> str:
    """The code in a text, in any case, with or without blanks and dashes.

    Raises:
        InvalidCode: it cannot be one.
    """
    code = text.upper().translate(ALIKE)
    if len(code) != LENGTH or not set(code) <= set(ALPHABET):
        raise InvalidCode("code_form", length=LENGTH)
    return code


class Codes:
    """The codes of the table whose scores are stored in `folder`."""

    def __init__(
        self, folder: Path, *, lasts_s: float = 600, tries: int = 10, clock: Callable[[], float] = time.time
    ) -> None:
        """A code is valid for `lasts_s` seconds, or until `tries` wrong ones; `clock` gives seconds since 1970."""
        self._file = PairingFile(folder)
        self._lasts_s, self._tries, self._clock = lasts_s, tries, clock

    @classmethod
    def of_table(cls, folder: Path) -> Self:
        """The codes of the table in `folder`, valid for as long as its settings say; for another program.

        Raises:
            StateFileError: no table has its codes there, or this user may not read them.
        """
        path = folder / PAIRING_FILE
        try:
            path.read_bytes()
        except FileNotFoundError as error:
            raise StateFileError("codes_missing", folder=folder) from error
        except OSError as error:
            raise StateFileError("codes_unreadable", path=path, error=error.strerror) from error
        table = cls(folder).table
        return cls(folder) if table is None else cls(folder, lasts_s=table.lasts_s)

    @property
    def epoch(self) -> str:
        """The word in the cookie of every paired device."""
        return self._file.read().epoch

    @property
    def table(self) -> TableAddress | None:
        """Where the table was served last."""
        return self._file.read().table

    def scorer(self) -> Code:
        """The code to display: the newest, or a new one when that expires soon."""
        code = self._displayed_code(self._file.read())
        if code is None:
            with self._file.lock() as state:
                code = self._displayed_code(state) or self._new_code()
                if code not in state.scorer:
                    self._file.write(replace(state, scorer=(*self._valid(state.scorer), code)))
        return code

    def director(self) -> Code:
        """A new code that makes a director; an earlier one is no longer valid."""
        with self._file.lock() as state:
            code = self._new_code()
            self._file.write(replace(state, director=(code,)))
        return code

    def redeem(self, text: str) -> Role | None:
        """The role that a code gives, once; None for a wrong one, and after too many wrong ones all are replaced.

        Raises:
            InvalidCode: `text` cannot be a code.
            StateFileError: the file cannot be written.
        """
        code = read_code(text)
        with self._file.lock() as state:
            if _is_among(code, self._valid(state.director)):
                self._file.write(replace(state, director=(), wrong=0))
                return "director"
            if _is_among(code, self._valid(state.scorer)):
                self._file.write(replace(state, scorer=(self._new_code(),), wrong=0))
                return "scorer"
            wrong = replace(state, wrong=state.wrong + 1)
            renewed = PairingState(state.epoch, (self._new_code(),), table=state.table)
            self._file.write(renewed if wrong.wrong >= self._tries else wrong)
        return None

    def unpair_all(self) -> None:
        """Unpair every device, and make all codes invalid."""
        with self._file.lock() as state:
            self._file.write(PairingState(new_epoch(), table=state.table))

    def register(
        self, url: str, host: str, reach: Reach = "network", command: str | None = None, *, is_open: bool
    ) -> None:
        """Write down where the table is served, and that this program serves it."""
        with self._file.lock() as state:
            table = TableAddress(url, host, is_open, self._lasts_s, os.getpid(), reach, command)
            self._file.write(replace(state, table=table))

    def _new_code(self) -> Code:
        return Code("".join(secrets.choice(ALPHABET) for _ in range(LENGTH)), self._clock() + self._lasts_s)

    def _valid(self, codes: tuple[Code, ...]) -> tuple[Code, ...]:
        """Codes that have not expired; one that expires too late was made before the clock was set back."""
        now = self._clock()
        return tuple(code for code in codes if now < code.until <= now + self._lasts_s)

    def _displayed_code(self, state: PairingState) -> Code | None:
        codes = self._valid(state.scorer)
        return codes[-1] if codes and codes[-1].until - self._clock() > self._lasts_s / RENEW_AT else None


def _is_among(text: str, codes: tuple[Code, ...]) -> bool:
    """Whether it is one of them; how long that takes says little."""
    return any(hmac.compare_digest(text, code.text) for code in codes)
