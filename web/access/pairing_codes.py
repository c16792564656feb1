"""The codes that pair a device with the table, in a small file that the program and `pegboard code` share."""

import contextlib
import fcntl
import hmac
import json
import os
import secrets
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Literal, Self, TypeAlias

from pegboard.core.view import Reach
from pegboard.errors import PegboardError

FILE = "pairing.json"

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32: no I, L, O, which look like figures, and no U."""

LENGTH = 6
"""Letters of a code: a billion of them, ten tries at each."""

ALIKE = str.maketrans({"O": "0", "I": "1", "L": "1"} | dict.fromkeys(" \t\u00a0-\u2010\u2011\u2012\u2013_"))
"""What is typed for what is meant; blanks and dashes mean nothing."""

GRACE = 10
"""A shown code is renewed when a tenth of its time is left, and taken until the end: nobody types one in vain."""

Role: TypeAlias = Literal["scorer", "director"]


class NoCode(PegboardError, ValueError):
    """What was typed can be no code."""

    code = "shape"


class NotKept(PegboardError):
    """The file of the codes cannot be read or written."""

    code = "not_stored"


@dataclass(frozen=True, slots=True)
class Code:
    """Something to type.

    Attributes:
        text: its letters, see `ALPHABET`.
        until: when it ends, in seconds since 1970.
    """

    text: str
    until: float


@dataclass(frozen=True, slots=True)
class Table:
    """Where the table is, for `pegboard code`.

    Attributes:
        url: of its pages.
        host: the name to type for it.
        open: whether everybody may score.
        lasts_s: how many seconds its codes count.
        pid: of the program that keeps it.
        reach: who reaches that address.
        command: what starts it so that phones reach it; None where they do.
    """

    url: str
    host: str
    open: bool
    lasts_s: float
    pid: int
    reach: Reach = "network"
    command: str | None = None

    @property
    def runs(self) -> bool:
        """Whether that program is there."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:  # somebody else's
            return True
        return True


@dataclass(frozen=True, slots=True)
class Kept:
    """What the file holds.

    Attributes:
        epoch: a word that every paired device carries; another one unpairs them all.
        scorer: the codes that make a scorer, the shown one last.
        director: the codes that make a director.
        wrong: codes typed in vain since these were made.
        table: where the table was last.
    """

    epoch: str
    scorer: tuple[Code, ...] = ()
    director: tuple[Code, ...] = ()
    wrong: int = 0
    table: Table | None = None


NOTHING = Kept("")
"""No device has its epoch."""


def read_code(typed: str) -> str:
    """The code that was typed, however it was written.

    Raises:
        NoCode: it can be none.
    """
    text = typed.upper().translate(ALIKE)
    if len(text) != LENGTH or not set(text) <= set(ALPHABET):
        raise NoCode("code_form", length=LENGTH)
    return text


class Codes:
    """The codes of the table whose scores are kept in `folder`."""

    def __init__(
        self, folder: Path, *, lasts_s: float = 600, tries: int = 10, clock: Callable[[], float] = time.time
    ) -> None:
        """A code `lasts_s` seconds, or until so many wrong `tries`; `clock` tells seconds since 1970."""
        self._folder, self._path = folder, folder / FILE
        self._lasts_s, self._tries, self._clock = lasts_s, tries, clock
        self._read: tuple[tuple[int, ...], Kept] | None = None

    @classmethod
    def of_table(cls, folder: Path) -> Self:
        """The codes of the table that keeps its scores in `folder`, as it has been set; for another program.

        Raises:
            NotKept: no table is kept there, or this user may not read it.
        """
        path = folder / FILE
        try:
            path.read_bytes()
        except FileNotFoundError as error:
            raise NotKept("codes_missing", folder=folder) from error
        except OSError as error:
            raise NotKept("codes_unreadable", path=path, error=error.strerror) from error
        table = cls(folder).table
        return cls(folder) if table is None else cls(folder, lasts_s=table.lasts_s)

    @property
    def epoch(self) -> str:
        """The word that every paired device carries."""
        return self._now().epoch

    @property
    def table(self) -> Table | None:
        """Where the table was last."""
        return self._now().table

    def scorer(self) -> Code:
        """The code to show: the newest, or a new one when its time is nearly over."""
        shown = self._shown(self._now())
        if shown is None:
            with self._changing() as kept:
                shown = self._shown(kept) or self._fresh()
                if shown not in kept.scorer:
                    self._keep(replace(kept, scorer=(*self._live(kept.scorer), shown)))
        return shown

    def director(self) -> Code:
        """A new code that makes a director; an earlier one counts no more."""
        with self._changing() as kept:
            code = self._fresh()
            self._keep(replace(kept, director=(code,)))
        return code

    def redeem(self, typed: str) -> Role | None:
        """The role that a code gives, once; None for a wrong one, and after too many wrong ones all are renewed.

        Raises:
            NoCode: what was typed can be no code.
            NotKept: it cannot be noted.
        """
        text = read_code(typed)
        with self._changing() as kept:
            if _among(text, self._live(kept.director)):
                self._keep(replace(kept, director=(), wrong=0))
                return "director"
            if _among(text, self._live(kept.scorer)):
                self._keep(replace(kept, scorer=(self._fresh(),), wrong=0))
                return "scorer"
            wrong = replace(kept, wrong=kept.wrong + 1)
            spent = Kept(kept.epoch, (self._fresh(),), table=kept.table)
            self._keep(spent if wrong.wrong >= self._tries else wrong)
        return None

    def unpair_all(self) -> None:
        """No device is paired any more, and no code counts that was made before."""
        with self._changing() as kept:
            self._keep(Kept(_new_epoch(), table=kept.table))

    def serve(
        self, url: str, host: str, reach: Reach = "network", command: str | None = None, *, is_open: bool
    ) -> None:
        """Note where the table is, and that this program keeps it."""
        with self._changing() as kept:
            table = Table(url, host, is_open, self._lasts_s, os.getpid(), reach, command)
            self._keep(replace(kept, table=table))

    # --- which codes count now ---

    def _fresh(self) -> Code:
        return Code("".join(secrets.choice(ALPHABET) for _ in range(LENGTH)), self._clock() + self._lasts_s)

    def _live(self, codes: tuple[Code, ...]) -> tuple[Code, ...]:
        """Those whose time runs; one that ends too late was made before the clock was set back."""
        now = self._clock()
        return tuple(code for code in codes if now < code.until <= now + self._lasts_s)

    def _shown(self, kept: Kept) -> Code | None:
        live = self._live(kept.scorer)
        return live[-1] if live and live[-1].until - self._clock() > self._lasts_s / GRACE else None

    # --- the file ---

    def _now(self) -> Kept:
        """What the file holds, read again only when it has changed."""
        mark = self._mark()
        if self._read is None or self._read[0] != mark:
            self._read = mark, self._stored() or NOTHING
        return self._read[1]

    def _mark(self) -> tuple[int, ...]:
        try:
            found = self._path.stat()
        except OSError:
            return ()
        return found.st_ino, found.st_mtime_ns, found.st_size

    @contextlib.contextmanager
    def _changing(self) -> Iterator[Kept]:
        """What the file holds, which no other program changes meanwhile.

        Raises:
            NotKept: it cannot be read or written.
        """
        try:
            with self._alone():
                yield self._stored() or Kept(_new_epoch())
        except OSError as error:
            key = "codes_forbidden" if isinstance(error, PermissionError) else "codes_failed"
            raise NotKept(key, path=self._path, error=error.strerror or error) from error

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        lock = os.open(self._folder / f"{FILE}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._give_away(lock)
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _stored(self) -> Kept | None:
        """What the file holds; None where there is none, or nothing that makes sense: all devices are unpaired then."""
        try:
            return _kept(json.loads(self._path.read_bytes()))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def _keep(self, kept: Kept) -> None:
        """Put the file in the place of the old one, whole, on disk, and readable for nobody else."""
        new = self._folder / f"{FILE}.new"
        new.unlink(missing_ok=True)
        paper = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            self._give_away(paper)
            os.write(paper, json.dumps(asdict(kept)).encode())
            os.fsync(paper)
        finally:
            os.close(paper)
        new.replace(self._path)
        self._read = self._mark(), kept

    def _give_away(self, file: int) -> None:
        """What root makes belongs to the one whose folder it is, or the service could not read it."""
        owner = self._folder.stat()
        if os.geteuid() == 0 and owner.st_uid != 0:
            os.fchown(file, owner.st_uid, owner.st_gid)


def _among(text: str, codes: tuple[Code, ...]) -> bool:
    """Whether it is one of them; how long that takes tells little."""
    return any(hmac.compare_digest(text, code.text) for code in codes)


def _new_epoch() -> str:
    return secrets.token_hex(8)


def _kept(values: dict[str, Any]) -> Kept:
    codes = {role: tuple(Code(one["text"], one["until"]) for one in values[role]) for role in ("scorer", "director")}
    table = values["table"]
    return Kept(**values | codes | {"table": None if table is None else Table(**table)})
