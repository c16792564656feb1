"""Files of the pairing: the codes, shared with `pegboard code`, and the secret that signs cookies.

The file of the codes is locked while it changes, and replaced whole; nobody else can read the secret.
"""

import contextlib
import fcntl
import json
import logging
import os
import secrets
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pegboard.core.view import Reach
from pegboard.errors import PegboardError

log = logging.getLogger(__name__)

PAIRING_FILE, SECRET_FILE = "pairing.json", "secret"

SECRET_BYTES = 32


class StateFileError(PegboardError):
    """A file of the pairings cannot be read or written."""

    code = "not_stored"


@dataclass(frozen=True, slots=True)
class Code:
    """A pairing code.

    Attributes:
        text: its letters.
        until: when it expires, in seconds since 1970.
    """

    text: str
    until: float


@dataclass(frozen=True, slots=True)
class TableAddress:
    """Where the table is served, for `pegboard code`.

    Attributes:
        url: of its pages.
        host: the name to type for it.
        open: whether everybody may score.
        lasts_s: how many seconds its codes are valid.
        pid: of the program that serves it.
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
    def is_running(self) -> bool:
        """Whether that program runs."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:  # it runs as another user
            return True
        return True


@dataclass(frozen=True, slots=True)
class PairingState:
    """The content of the file.

    Attributes:
        epoch: in the cookie of every paired device; a new one unpairs them all.
        scorer: the codes that make a scorer, the displayed one last.
        director: the codes that make a director.
        wrong: how many wrong codes have been tried since these were made.
        table: where the table was served last.
    """

    epoch: str
    scorer: tuple[Code, ...] = ()
    director: tuple[Code, ...] = ()
    wrong: int = 0
    table: TableAddress | None = None


NO_PAIRINGS = PairingState("")
"""No device has this epoch in its cookie."""


class PairingFile:
    """The file in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._path = folder, folder / PAIRING_FILE
        self._cached: tuple[tuple[int, ...], PairingState] | None = None

    def read(self) -> PairingState:
        """Its content, which is read again only when the file has changed."""
        version = self._version()
        if self._cached is None or self._cached[0] != version:
            self._cached = version, self._load() or NO_PAIRINGS
        return self._cached[1]

    @contextlib.contextmanager
    def lock(self) -> Iterator[PairingState]:
        """Its content, which no other program changes meanwhile.

        Raises:
            StateFileError: it cannot be read or written.
        """
        try:
            with self._lock_file():
                yield self._load() or PairingState(new_epoch())
        except OSError as error:
            key = "codes_forbidden" if isinstance(error, PermissionError) else "codes_failed"
            raise StateFileError(key, path=self._path, error=error.strerror or error) from error

    def write(self, state: PairingState) -> None:
        """Replace the file: whole, on disk, and readable for nobody else."""
        new = self._folder / f"{PAIRING_FILE}.new"
        new.unlink(missing_ok=True)
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        try:
            self._hand_over(file)
            os.write(file, json.dumps(asdict(state)).encode())
            os.fsync(file)
        finally:
            os.close(file)
        new.replace(self._path)
        self._cached = self._version(), state

    def _version(self) -> tuple[int, ...]:
        try:
            found = self._path.stat()
        except OSError:
            return ()
        return found.st_ino, found.st_mtime_ns, found.st_size

    @contextlib.contextmanager
    def _lock_file(self) -> Iterator[None]:
        lock = os.open(self._folder / f"{PAIRING_FILE}.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            self._hand_over(lock)
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield
        finally:
            os.close(lock)

    def _load(self) -> PairingState | None:
        """Its content; None where it is missing or makes no sense: all devices are unpaired then."""
        try:
            return _parse(json.loads(self._path.read_bytes()))
        except (OSError, ValueError, TypeError, KeyError):
            return None

    def _hand_over(self, file: int) -> None:
        """Give a file that root has made to the folder's owner, or the service could not read it."""
        owner = self._folder.stat()
        if os.geteuid() == 0 and owner.st_uid != 0:
            os.fchown(file, owner.st_uid, owner.st_gid)


def new_epoch() -> str:
    """Another epoch."""
    return secrets.token_hex(8)


def _parse(values: dict[str, Any]) -> PairingState:
    codes = {role: tuple(Code(one["text"], one["until"]) for one in values[role]) for role in ("scorer", "director")}
    table = values["table"]
    return PairingState(**values | codes | {"table": None if table is None else TableAddress(**table)})


# --- the secret ---


def secret(folder: Path) -> bytes:
    """The table's secret, made when it is first needed; whoever can read it can pair.

    Raises:
        StateFileError: it can be neither read nor made.
    """
    path = folder / SECRET_FILE
    try:
        return _read_secret(path) or _make_secret(path)
    except OSError as error:
        raise StateFileError("secret_failed", path=path, error=error.strerror) from error


def _read_secret(path: Path) -> bytes | None:
    with contextlib.suppress(FileNotFoundError):
        content = path.read_bytes()
        if len(content) == SECRET_BYTES:
            path.chmod(0o600)
            return content
        log.warning("%s is no secret of this program; a new one is made, and every device must pair again", path)
        path.unlink()
    return None


def _make_secret(path: Path) -> bytes:
    """A new secret, in a file that is there whole or not at all; where another thread was quicker, that one's."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(file, secrets.token_bytes(SECRET_BYTES))
        os.fsync(file)
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(new)
        return path.read_bytes()
    finally:
        os.close(file)
        new.unlink()
