"""The state folder is its owner's alone: the folder has mode 0700 and its files 0600, and no link in it is followed."""

import contextlib
import errno
import json
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

# --- files of the state folder on disk: small ones replaced so that a power cut leaves the old one or the new one ---


def replace_file(path: Path, text: str) -> None:
    """Write `text` to disk under another name, then rename that file to `path`.

    Raises:
        OSError: it could not be written; the old file is as it was.
    """
    new = path.with_suffix(".new")
    with open(open_private(new, os.O_WRONLY | os.O_TRUNC), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def sync_folder(folder: Path) -> None:
    """Write a folder to disk, without which a new file in it is not safe.

    Raises:
        OSError: it cannot be written.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- small state files in JSON, each object with a check value: a flipped bit is found, and never taken for a choice
# ---


Values: TypeAlias = Mapping[str, Any]


CHECK = "check"
"""The name under which an object has its check value; one that an older version wrote has none."""


MOST_BYTES = 500_000
"""Bytes of a file that are read."""


_CHECK_BYTES = 8


def write_values(path: Path, values: Values | Sequence[Values]) -> None:
    """Write an object of JSON, or a list of them, to disk in the place of a file.

    Raises:
        OSError: it could not be written; the old file is as it was.
    """
    checked = _with_check(values) if isinstance(values, Mapping) else [_with_check(one) for one in values]
    replace_file(path, json.dumps(checked))


def read_values(path: Path) -> Any:
    """The object, or the list of objects, that a file holds.

    Raises:
        OSError: it is missing, a link or no regular file, or cannot be read.
        ValueError: it is not what was written.
    """
    try:
        values = json.loads(read_owned(path, MOST_BYTES).decode())
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return [_without_check(one) for one in values] if isinstance(values, list) else _without_check(values)


def _with_check(values: Values) -> dict[str, Any]:
    return {**values, CHECK: _check(values)}


def _without_check(values: object) -> dict[str, Any]:
    """An object without its check value.

    Raises:
        ValueError: it is no object, or not what was written.
    """
    if not isinstance(values, dict):
        raise ValueError(f"{values!r:.40} is not an object")  # noqa: TRY004 - of a file, not of an argument
    left = {name: value for name, value in values.items() if name != CHECK}
    if CHECK in values and values[CHECK] != _check(left):
        raise ValueError("its checksum is wrong")
    return left


def _check(values: Values) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=_CHECK_BYTES).hexdigest()


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
