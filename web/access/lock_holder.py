"""Who holds the lock of a file, as Linux tells it (/proc/locks, proc(5))."""

import contextlib
import os
import pwd
from pathlib import Path

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
