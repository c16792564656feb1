"""The file of the pairing: codes and paired devices, shared with `pegboard code`.

It is locked while it changes, and replaced whole. Reading takes no lock, and whoever changes it
waits for another only so long: a program that holds the lock can keep phones from being paired, and nothing else.
Links, pipes and files of others are refused, for root reads here as well.
"""

import contextlib
import fcntl
import json
import logging
import os
import pwd
import secrets
import threading
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, get_args
from urllib.parse import urlsplit

from pegboard.core.view import Reach
from pegboard.devices.power_and_clock import SystemClock
from pegboard.errors import PegboardError
from pegboard.messages import legible
from pegboard.storage.state_files import open_owned, read_owned, sync_folder
from web.access.paired_devices import PairedDevice, Role

# --- who holds the lock of a file, as Linux tells it (/proc/locks, proc(5)) ---


LOCKS = Path("/proc/locks")


UNKNOWN = "another program"


def lock_holder(file: int, locks: Path = LOCKS) -> str:
    """The program that holds the lock of an open file: "process 1234 (sleep) of ann"; as much of it as is known."""
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


# --- the table's time, by which codes and pairings age: it never steps, whatever becomes of the wall clock ---
#
# Within one start of the machine it advances with the clock that counts since that start. Over a restart it advances by
# the wall clock where that is known to have been right on both sides, by what is known of it at the first look; else it
# stands still for as long as the machine was off. So a clock that is set late, steps forward or back never ages
# anything:
# at worst a code or a pairing counts for as long as the machine was off on top.
#
# Where nothing is known yet it begins at the wall clock, so that it mostly looks like seconds since 1970.


KEEP_EVERY_S = 600.0
"""Seconds after which the clocks are stored again while something ages; a start without the right time forgets them."""


STEP_S = 2.0
"""Seconds by which the wall clock must have stepped to be noted again."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The clocks at one moment, as they are stored.

    Attributes:
        boot: the id of that start of the machine.
        ticks: seconds since then.
        wall: seconds since 1970, as the wall clock said.
        is_set: whether the wall clock was known to be right.
        table: the table's time.
    """

    boot: str
    ticks: float
    wall: float
    is_set: bool
    table: float


class TableClock:
    """Reads the table's time from the machine's clocks and the newest stored checkpoint."""

    def __init__(self, system: SystemClock) -> None:
        self._system = system
        self._lock = threading.Lock()
        self._start: tuple[Checkpoint | None, Checkpoint] | None = None

    def now(self, stored: Checkpoint | None) -> float:
        """The table's time in seconds."""
        start = self._checkpoint_of_this_start(stored)
        return start.table + self._system.ticks() - start.ticks

    def checkpoint(self, stored: Checkpoint | None) -> Checkpoint:
        """The clocks now, to be stored."""
        system = self._system
        return Checkpoint(system.boot, system.ticks(), system.wall(), system.is_set(), self.now(stored))

    def needs_storing(self, stored: Checkpoint | None, *, ages: bool) -> bool:
        """Whether what is stored would mislead the next start: it is old, or the wall clock was set since.

        `ages` says whether there is anything that ages.
        """
        system = self._system
        if stored is None or not self._is_of_this_start(stored):
            return True
        age = system.ticks() - stored.ticks
        stepped = system.wall() - stored.wall - age
        return (ages and age > KEEP_EVERY_S) or abs(stepped) > STEP_S or system.is_set() != stored.is_set

    def as_wall_time(self, table_s: float, stored: Checkpoint | None) -> float:
        """A moment of the table's time in seconds since 1970, as the wall clock says now."""
        return table_s - self.now(stored) + self._system.wall()

    def _is_of_this_start(self, stored: Checkpoint) -> bool:
        return stored.boot == self._system.boot and stored.ticks <= self._system.ticks()

    def _checkpoint_of_this_start(self, stored: Checkpoint | None) -> Checkpoint:
        """That checkpoint; where it is of an earlier start or missing, one that this object makes of it once."""
        if stored is not None and self._is_of_this_start(stored):
            return stored
        with self._lock:
            if self._start is None or self._start[0] != stored:
                self._start = stored, self._go_on_from(stored)
            return self._start[1]

    def _go_on_from(self, stored: Checkpoint | None) -> Checkpoint:
        system = self._system
        wall, is_set = system.wall(), system.is_set()
        if stored is None:
            table = wall
        else:
            table = stored.table + (max(0.0, wall - stored.wall) if stored.is_set and is_set else 0.0)
        return Checkpoint(system.boot, system.ticks(), wall, is_set, table)


log = logging.getLogger(__name__)


PAIRING_FILE = "pairing.json"


MOST_BYTES = 500_000
"""Bytes of the file of the codes that are read; each paired device has some 200."""


LOCK_WAIT_S = 1.0
"""Seconds for which the lock is waited for."""


LOCK_RETRY_S = 0.01
"""Seconds between two tries at the lock: the kernel's own wait for it has no end."""


class StateFileError(PegboardError):
    """A file of the pairings cannot be read or written."""

    code = "not_stored"


@dataclass(frozen=True, slots=True)
class Code:
    """A pairing code.

    Attributes:
        text: its letters.
        until: when it expires, in seconds of the table's time.
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
        paired_s: how many seconds a device stays paired.
    """

    url: str
    host: str
    open: bool
    lasts_s: float
    pid: int
    reach: Reach = "network"
    command: str | None = None
    paired_s: float = 12 * 3600

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
        table: where the table was served last.
        devices: those that are paired.
        clock: the clocks when this was written.
    """

    epoch: str
    scorer: tuple[Code, ...] = ()
    director: tuple[Code, ...] = ()
    table: TableAddress | None = None
    devices: tuple[PairedDevice, ...] = ()
    clock: Checkpoint | None = None


NO_PAIRINGS = PairingState("")
"""No device has this epoch in its cookie."""


class PairingFile:
    """The file in a folder, with the table's time that it holds."""

    def __init__(self, folder: Path, clock: SystemClock | None = None) -> None:
        self.folder, self._path = folder, folder / PAIRING_FILE
        self._clock = TableClock(clock or SystemClock())
        self._cached: tuple[tuple[int, ...], PairingState] | None = None

    def read(self) -> PairingState:
        """Its content, which is read again only when the file has changed; nothing is waited for."""
        version, cached = self._version(), self._cached
        if cached is None or cached[0] != version:
            cached = self._cached = version, self._load() or NO_PAIRINGS
        return cached[1]

    def now(self) -> float:
        """The table's time in seconds."""
        return self._clock.now(self.read().clock)

    def as_wall_time(self, table_s: float) -> float:
        """A moment of the table's time in seconds since 1970, as the wall clock says now."""
        return self._clock.as_wall_time(table_s, self.read().clock)

    def keep_time(self) -> None:
        """Write the clocks down where the next start of the machine would take them wrong.

        Raises:
            StateFileError: the file cannot be written.
        """
        now = self.read()
        if self._clock.needs_storing(now.clock, ages=bool(now.devices)):
            with self.lock() as state:
                self.write(state)

    @contextlib.contextmanager
    def lock(self) -> Iterator[PairingState]:
        """Its content, which no other program changes meanwhile.

        Raises:
            StateFileError: it cannot be read or written, or another program holds the lock.
        """
        try:
            with self._lock_file():
                yield self._load() or PairingState(new_epoch())
        except OSError as error:
            key = "codes_forbidden" if isinstance(error, PermissionError) else "codes_failed"
            raise StateFileError(key, path=self._path, error=error.strerror or error) from error

    def write(self, state: PairingState) -> None:
        """Replace the file: whole, on disk, and readable for nobody else."""
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
        """Its content; None where it is missing or makes no sense: all devices are unpaired then."""
        try:
            return _parse(json.loads(read_owned(self._path, MOST_BYTES)))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None


def new_epoch() -> str:
    """Another epoch."""
    return secrets.token_hex(8)


def _parse(values: dict[str, Any]) -> PairingState:
    """What the file says.

    Raises:
        ValueError, TypeError, KeyError: it makes no sense, or would do harm where it is shown.
    """
    codes = {role: tuple(Code(one["text"], one["until"]) for one in values[role]) for role in ("scorer", "director")}
    table, clock = values["table"], values.get("clock")
    more: dict[str, Any] = {
        "table": None if table is None else TableAddress(**table),
        "devices": tuple(PairedDevice(**one) for one in values.get("devices", ())),
        "clock": None if clock is None else Checkpoint(**clock),
    }
    values.pop("wrong", None)  # earlier versions counted wrong codes here
    state = PairingState(**values | codes | more)
    _require_sense(state)
    return state


LONGEST_TEXT = 1000
"""Letters of any text in the file; the command that starts a table is the longest."""


MOST_SECONDS = 1e12
"""More than any clock says."""


def _require_sense(state: PairingState) -> None:
    texts: list[object] = [state.epoch]
    times: list[object] = []
    for code in (*state.scorer, *state.director):
        texts.append(code.text)
        times.append(code.until)
    for device in state.devices:
        texts += [device.id, device.session, device.label]
        times.append(device.since)
        if device.role not in get_args(Role):
            raise ValueError(device.role)
    if state.clock is not None:
        texts.append(state.clock.boot)
        times += [state.clock.ticks, state.clock.wall, state.clock.table]
    if state.table is not None:
        texts += [state.table.url, state.table.host, "" if state.table.command is None else state.table.command]
        times += [state.table.lasts_s, state.table.paired_s]
        _require_address(state.table)
    if not all(isinstance(text, str) and len(text) <= LONGEST_TEXT and legible(text) == text for text in texts):
        raise ValueError("a text")
    if not all(isinstance(time_s, (int, float)) and abs(time_s) < MOST_SECONDS for time_s in times):
        raise ValueError("a time")


def _require_address(table: TableAddress) -> None:
    is_known = table.reach in get_args(Reach) and urlsplit(table.url).scheme in {"http", "https"}
    if not is_known or not isinstance(table.open, bool) or not 0 < table.pid < 2**31:
        raise ValueError("an address")
