"""The pairing file: codes, paired devices, table address and table time, shared with `pegboard code` by a file lock.

The file is locked while it changes, and replaced atomically. Reading takes no lock, and writers wait only briefly: a
program that holds the lock can prevent pairing, but nothing else. Links, pipes and other users' files are refused,
because root reads this file too.
"""

import contextlib
import fcntl
import json
import os
import pwd
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

from pegboard.core.view import Reach
from pegboard.devices.power_and_clock import SystemClock
from pegboard.errors import PegboardError
from pegboard.messages import escape_control
from pegboard.storage.state_files import open_owned, read_owned, sync_folder
from pegboard.values import MESSAGE, Takes, read
from web.access.paired_devices import LONGEST_TEXT, PairedDevice, SafeText, Seconds

# --- holder of a file lock, from /proc/locks (proc(5)) ---


LOCKS = Path("/proc/locks")

UNKNOWN = "another program"


def lock_holder(file: int, locks: Path = LOCKS) -> str:
    """The program that holds the lock of an open file: "process 1234 (sleep) of ann", as far as known."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        inode = os.fstat(file).st_ino
        for line in locks.read_text("utf-8").splitlines():
            words = line.split()
            if words[1] == "FLOCK" and int(words[5].rpartition(":")[2]) == inode and int(words[4]) > 0:
                return _process(int(words[4]))
    return UNKNOWN


def _process(pid: int) -> str:
    name = owner = ""
    with contextlib.suppress(OSError):
        folder = Path("/proc", str(pid))
        name = f" ({(folder / 'comm').read_text('utf-8', 'replace').strip()})"
        uid = folder.stat().st_uid
        owner = f" of user {uid}"
        with contextlib.suppress(KeyError):
            owner = f" of {pwd.getpwuid(uid).pw_name}"
    return f"process {pid}{name}{owner}"


# --- table time, by which codes and pairings age: monotonic, even if the wall clock steps ---
#
# While the machine is up, table time advances with the clock since boot. Across a reboot it advances by the wall clock
# if that was known to be right on both sides, judged at the first reading; else it stands still while the machine is
# off. So a clock that is set late or steps never ages anything. At worst, a code or a pairing stays valid longer by the
# time the machine was off.
#
# If nothing is stored yet, table time starts at the wall clock, so it usually looks like seconds since 1970.


KEEP_EVERY_S = 600.0
"""Seconds between saves of the clocks while something ages; a boot without the right time loses the time since."""

STEP_S = 2.0
"""Seconds by which the wall clock must have stepped before it is saved again."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A stored reading of the clocks.

    Attributes:
        boot: the id of the machine's boot.
        ticks: seconds since boot.
        wall: seconds since 1970 by the wall clock.
        is_set: whether the wall clock was known to be right.
        table: the table's time.
    """

    boot: SafeText
    ticks: Seconds
    wall: Seconds
    is_set: bool
    table: Seconds


class TableClock:
    """Computes the table's time from the system's clocks and the newest stored checkpoint."""

    def __init__(self, system: SystemClock) -> None:
        self._system = system
        self._lock = threading.Lock()
        self._start: tuple[Checkpoint | None, Checkpoint] | None = None

    def now(self, stored: Checkpoint | None) -> float:
        """The table's time in seconds."""
        start = self._checkpoint_of_this_start(stored)
        return start.table + self._system.ticks() - start.ticks

    def checkpoint(self, stored: Checkpoint | None) -> Checkpoint:
        """A reading of the clocks, to be stored."""
        system = self._system
        return Checkpoint(system.boot, system.ticks(), system.wall(), system.is_set(), self.now(stored))

    def needs_storing(self, stored: Checkpoint | None, *, ages: bool) -> bool:
        """Whether the stored checkpoint would mislead the next boot: it is old, or the wall clock was set since.

        `ages` says whether anything ages, such as a pairing.
        """
        system = self._system
        if stored is None or not self._is_of_this_start(stored):
            return True
        age = system.ticks() - stored.ticks
        stepped = system.wall() - stored.wall - age
        return (ages and age > KEEP_EVERY_S) or abs(stepped) > STEP_S or system.is_set() != stored.is_set

    def as_wall_time(self, table_s: float, stored: Checkpoint | None) -> float:
        """Convert a moment of the table's time to seconds since 1970, by the current wall clock."""
        return table_s - self.now(stored) + self._system.wall()

    def _is_of_this_start(self, stored: Checkpoint) -> bool:
        return stored.boot == self._system.boot and stored.ticks <= self._system.ticks()

    def _checkpoint_of_this_start(self, stored: Checkpoint | None) -> Checkpoint:
        """The stored checkpoint; if it is missing or from an earlier boot, a new checkpoint, computed once."""
        if stored is not None and self._is_of_this_start(stored):
            return stored
        with self._lock:
            if self._start is None or self._start[0] != stored:
                self._start = stored, self._continue_from(stored)
            return self._start[1]

    def _continue_from(self, stored: Checkpoint | None) -> Checkpoint:
        system = self._system
        wall, is_set = system.wall(), system.is_set()
        if stored is None:
            table = wall
        else:
            table = stored.table + (max(0.0, wall - stored.wall) if stored.is_set and is_set else 0.0)
        return Checkpoint(system.boot, system.ticks(), wall, is_set, table)


PAIRING_FILE = "pairing.json"

MOST_BYTES = 500_000
"""Maximum bytes read of the pairing file; each paired device has some 200."""

LOCK_WAIT_S = 1.0
"""Seconds to wait for the lock."""

LOCK_RETRY_S = 0.01
"""Seconds between attempts to lock; the kernel's own wait has no timeout."""


class StateFileError(PegboardError):
    """A file with pairings, phones or the secret cannot be read or written."""

    code = "not_stored"


@dataclass(frozen=True, slots=True)
class Code:
    """A pairing code.

    Attributes:
        text: the characters of the code.
        until: when the code expires, in seconds of the table's time.
    """

    text: SafeText
    until: Seconds


def _is_address(url: str) -> bool:
    return escape_control(url) == url and urlsplit(url).scheme in {"http", "https"}


@dataclass(frozen=True, slots=True)
class TableAddress:
    """The address of the table, for `pegboard code`.

    Attributes:
        url: the URL of the table's pages.
        host: the host name to type for the table.
        open: whether everyone may score.
        lasts_s: seconds that the table's codes are valid.
        pid: the process id of the program that serves the table.
        reach: which devices can reach that address.
        command: the command that starts the table so that phones can reach it; None if they can.
        paired_s: seconds that a device stays paired.
    """

    url: Annotated[str, Takes(most=LONGEST_TEXT, test=_is_address)]
    host: SafeText
    open: bool
    lasts_s: Seconds
    pid: Annotated[int, Takes(least=1, most=2**31 - 1)]
    reach: Reach = "network"
    command: Annotated[SafeText | None, "null if phones can reach it"] = None
    paired_s: Seconds = 12 * 3600

    @property
    def is_running(self) -> bool:
        """Whether the program that serves the table is running."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return False
        except OSError:  # it runs as another user
            return True
        return True


@dataclass(frozen=True, slots=True)
class PairingState:
    """The content of the pairing file.

    Attributes:
        epoch: the word in the cookie of every paired device; a new epoch unpairs all devices.
        scorer: the codes that make a scorer, the displayed code last.
        director: the codes that make a director.
        table: the last address of the table.
        devices: the paired devices.
        clock: the clocks when the file was written.
    """

    epoch: SafeText
    scorer: tuple[Code, ...] = ()
    director: tuple[Code, ...] = ()
    table: Annotated[TableAddress | None, "null if unknown"] = None
    devices: tuple[PairedDevice, ...] = ()
    clock: Annotated[Checkpoint | None, "null if never stored"] = None


NO_PAIRINGS = PairingState("")
"""The state without a file; no device has this epoch in its cookie."""


class PairingFile:
    """The pairing file in a folder, and the table's time stored in it."""

    def __init__(self, folder: Path, clock: SystemClock | None = None) -> None:
        self.folder, self._path = folder, folder / PAIRING_FILE
        self._clock = TableClock(clock or SystemClock())
        self._cached: tuple[tuple[int, ...], PairingState] | None = None

    def read(self) -> PairingState:
        """The content, read again only if the file has changed; never waits."""
        version, cached = self._version(), self._cached
        if cached is None or cached[0] != version:
            cached = self._cached = version, self._load() or NO_PAIRINGS
        return cached[1]

    def now(self) -> float:
        """The table's time in seconds."""
        return self._clock.now(self.read().clock)

    def as_wall_time(self, table_s: float) -> float:
        """Convert a moment of the table's time to seconds since 1970, by the current wall clock."""
        return self._clock.as_wall_time(table_s, self.read().clock)

    def keep_time(self) -> None:
        """Save the clocks if the next boot would otherwise get them wrong.

        Raises:
            StateFileError: the file cannot be written.
        """
        now = self.read()
        if self._clock.needs_storing(now.clock, ages=bool(now.devices)):
            with self.lock() as state:
                self.write(state)

    @contextlib.contextmanager
    def lock(self) -> Iterator[PairingState]:
        """Hold the lock; yields the content, which no other program changes until the lock is released.

        Raises:
            StateFileError: the file cannot be read or written, or another program holds the lock.
        """
        try:
            with self._lock_file():
                yield self._load() or PairingState(new_epoch())
        except OSError as error:
            key = "codes_forbidden" if isinstance(error, PermissionError) else "codes_failed"
            raise StateFileError(key, path=self._path, error=error.strerror or error) from error

    def write(self, state: PairingState) -> None:
        """Replace the file atomically, synced to disk, and readable only by its owner."""
        state = replace(state, clock=self._clock.checkpoint(state.clock))
        new = self.folder / f"{PAIRING_FILE}.new"
        new.unlink(missing_ok=True)
        with open(open_owned(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL), "wb") as file:  # noqa: PTH123 - a descriptor
            file.write(json.dumps(asdict(state)).encode())
            file.flush()
            os.fsync(file.fileno())
        new.replace(self._path)
        sync_folder(self.folder)
        self._cached = self._version(), state

    def _version(self) -> tuple[int, ...]:
        try:
            found = self._path.lstat()
        except OSError:
            return ()
        return found.st_ino, found.st_mtime_ns, found.st_size

    @contextlib.contextmanager
    def _lock_file(self) -> Iterator[None]:
        lock = open_owned(self.folder / f"{PAIRING_FILE}.lock", os.O_RDWR | os.O_CREAT)
        try:
            self._wait_for_lock(lock)
            yield
        finally:
            os.close(lock)

    def _wait_for_lock(self, lock: int) -> None:
        ends = time.monotonic() + LOCK_WAIT_S
        while True:
            try:
                return fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError as error:
                if time.monotonic() >= ends:
                    raise StateFileError("codes_locked", path=self._path, holder=lock_holder(lock)) from error
            except OSError as error:
                raise StateFileError("codes_without_locks", folder=self.folder, error=error.strerror) from error
            time.sleep(LOCK_RETRY_S)

    def _load(self) -> PairingState | None:
        """The content; None if missing or invalid, which unpairs all devices."""
        try:
            return read(PairingState, json.loads(read_owned(self._path, MOST_BYTES)), MESSAGE)
        except (OSError, ValueError, RecursionError):
            return None


def new_epoch() -> str:
    """A new random epoch."""
    return secrets.token_hex(8)
