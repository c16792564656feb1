"""The state folder is its owner's alone: the folder has mode 0700 and its files 0600, and no link in it is followed."""

import contextlib
import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path

FILE_MODE, FOLDER_MODE = 0o600, 0o700


def open_private(path: Path, flags: int = os.O_RDWR) -> int:
    """The descriptor of a file, which is made where it is missing, for its owner alone.

    Raises:
        OSError: it is a link or no regular file, or cannot be opened.
    """
    descriptor = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, FILE_MODE)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path.name} is not a regular file")
    return descriptor


def create_private(path: Path) -> None:
    """Make an empty file where there is none, for its owner alone.

    Raises:
        OSError: it is a link or no regular file, or cannot be made.
    """
    os.close(open_private(path))


def open_owned(path: Path, flags: int) -> int:
    """The descriptor of a file of whoever owns its folder; with `os.O_CREAT` it is made where it is missing.

    Raises:
        OSError: it is a link, no regular file or somebody else's, or cannot be opened.
    """
    owner = path.parent.stat().st_uid
    if flags & os.O_CREAT and os.geteuid() == 0 != owner:
        raise PermissionError(errno.EPERM, f"root does not create files in the folder of user {owner}")
    try:
        descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, FILE_MODE)
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.ENXIO, errno.EISDIR}:  # a link, a pipe or socket, a folder
            raise PermissionError(errno.EPERM, f"{path.name} is not a regular file") from error
        raise
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode) or found.st_uid != owner:
        os.close(descriptor)
        raise PermissionError(errno.EPERM, f"{path.name} is not a regular file of the folder's owner")
    return descriptor


def read_owned(path: Path, most: int) -> bytes:
    """The first `most` bytes of a file of whoever owns its folder.

    Raises:
        OSError: it is missing, a link, no regular file or somebody else's, or cannot be read.
    """
    with open(open_owned(path, os.O_RDONLY), "rb") as file:
        return file.read(most)


def make_private(folder: Path, rooms: Iterable[str] = ()) -> None:
    """Give the rights at a state folder and its files to their owner and nobody else, as far as that is this user.

    A folder that everybody may write into, such as /tmp, is not taken from them. `rooms` are the names of folders in it
    that are its own: in them all is done likewise. No link is followed.
    """
    with contextlib.suppress(OSError):
        mode = folder.stat().st_mode
        if mode & 0o077 and not mode & stat.S_ISVTX:
            _set_mode(folder)
    for path in folder.glob("*"):
        if not path.is_dir():
            _set_mode(path)
    for room in rooms:
        _set_mode(folder / room)
        if not (folder / room).is_symlink():
            for name, folders, files in os.walk(folder / room):
                for each in (*folders, *files):
                    _set_mode(Path(name, each))


def _set_mode(path: Path) -> None:
    """Set the mode of a folder or a regular file of this user."""
    with contextlib.suppress(OSError):
        found = path.lstat()
        mode = {stat.S_IFDIR: FOLDER_MODE, stat.S_IFREG: FILE_MODE}.get(stat.S_IFMT(found.st_mode))
        # For a file without any rights, too: SQLite would make its log for everybody to read.
        if mode is not None and found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) != mode:
            path.chmod(mode)
