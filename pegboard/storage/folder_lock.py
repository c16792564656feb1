"""Lock file of a state folder (flock), held by the only process that writes, even on a disk that is not writable.

The lock file holds the process id of its holder. Deleting it releases nothing: the folder itself is locked too.
"""

import contextlib
import errno
import fcntl
import os
from io import FileIO
from pathlib import Path

from pegboard.errors import JournalError, JournalInUse
from pegboard.storage.state_files import open_private

NOT_WRITABLE_NOW = {errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO}
"""Errors that do not depend on the user: the disk is read-only, full or failing."""


class FolderLock(FileIO):
    """The open and locked lock file, and the descriptor of the folder, which is locked until the file is closed."""

    folder: int | None = None

    def close(self) -> None:
        """Release the lock."""
        if self.folder is not None:
            os.close(self.folder)
            self.folder = None
        super().close()


def hold_lock(folder: Path, former: FolderLock | None = None) -> FolderLock:
    """Lock the folder for this process until the returned file is closed.

    If the disk is not writable, an existing lock file is locked; if there is none, no process can create one.
    `former` is a lock that this process already holds on the folder; its file may be gone.

    Raises:
        OSError: the lock file cannot be opened.
        JournalError: the folder is on a file system without locks.
        JournalInUse: another process holds the lock.
    """
    lock = _open_lock(folder)
    _lock_file(lock, folder)
    lock.folder = _lock_itself(lock, folder, former)
    with contextlib.suppress(OSError):  # on a full disk the lock works without a process id
        lock.truncate(0)
        lock.write(str(os.getpid()).encode())
    return lock


def is_held(lock: FileIO, folder: Path) -> bool:
    """Whether this lock file is still the one in the folder, which may have been removed and recreated."""
    try:
        return os.path.samestat(os.fstat(lock.fileno()), (folder / "lock").stat())
    except OSError:
        return False


def _open_lock(folder: Path) -> FolderLock:
    path = folder / "lock"
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_suffix(".folder"))  # a repaired file system may have a folder of that name
    try:
        return FolderLock(open_private(path), "r+")
    except OSError as error:
        if error.errno not in NOT_WRITABLE_NOW or not folder.is_dir():
            raise
    if path.is_file() and not path.is_symlink():
        return FolderLock(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW), "r")
    return FolderLock(os.memfd_create("lock"), "r+")  # no other process can create one either


def _lock_file(lock: FileIO, folder: Path) -> None:
    """Lock the file, or close it and raise `JournalInUse` or `JournalError`."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        lock.seek(0)
        holder = lock.read().decode("ascii", "replace").strip()
        lock.close()
        raise JournalInUse("journal_in_use", process=holder, folder=folder) from error
    except OSError as error:
        lock.close()
        raise JournalError("journal_folder_without_locks", folder=folder, error=error.strerror) from error


def _lock_itself(lock: FolderLock, folder: Path, former: FolderLock | None) -> int | None:
    """Lock the folder itself; None if it cannot be locked. If another process has it, close the lock file and raise."""
    try:
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return None
    if former is not None and former.folder is not None and os.path.sameopenfile(former.folder, descriptor):
        os.close(descriptor)
        return os.dup(former.folder)  # a new lock would conflict with the former one
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        os.close(descriptor)
        lock.close()
        raise JournalInUse("journal_in_use_unlocked", folder=folder) from error
    except OSError:
        os.close(descriptor)
        return None
    return descriptor
