"""State folder files: private modes (0700, 0600), no followed links, atomic replacement, JSON with checksums."""

import contextlib
import errno
import json
import os
import stat
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeAlias

# --- atomic file replacement: a power cut leaves the old file or the new one ---


def replace_file(path: Path, text: str) -> None:
    """Write `text` to disk under a temporary name, then rename the file to `path`.

    Raises:
        OSError: the file could not be written; the old file is unchanged.
    """
    new = path.with_suffix(".new")
    with open(open_private(new, os.O_WRONLY | os.O_TRUNC), "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def sync_folder(folder: Path) -> None:
    """Sync a folder to disk; until then a new file in it can be lost.

    Raises:
        OSError: the folder cannot be synced.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


# --- small JSON state files with checksums ---
#
# Each object has a checksum, so that a flipped bit is detected and not read as a setting.


Values: TypeAlias = Mapping[str, Any]

CHECK = "check"
"""The key of an object's checksum; files written by older versions have none."""

MOST_BYTES = 500_000
"""Maximum bytes read from a file."""

_CHECK_BYTES = 8


def write_values(path: Path, values: Values | Sequence[Values]) -> None:
    """Replace a file with a JSON object, or a list of objects.

    Raises:
        OSError: the file could not be written; the old file is unchanged.
    """
    checked = _with_check(values) if isinstance(values, Mapping) else [_with_check(one) for one in values]
    replace_file(path, json.dumps(checked))


def read_values(path: Path) -> Any:
    """The object, or the list of objects, in a file.

    Raises:
        OSError: the file is missing, a link or not a regular file, or cannot be read.
        ValueError: the content is damaged.
    """
    try:
        values = json.loads(read_owned(path, MOST_BYTES).decode())
    except RecursionError as error:
        raise ValueError("it is nested too deeply") from error
    return [_without_check(one) for one in values] if isinstance(values, list) else _without_check(values)


def _with_check(values: Values) -> dict[str, Any]:
    return {**values, CHECK: _check(values)}


def _without_check(values: object) -> dict[str, Any]:
    """An object without its checksum.

    Raises:
        ValueError: the value is not an object, or its checksum is wrong.
    """
    if not isinstance(values, dict):
        raise ValueError(f"{values!r:.40} is not an object")  # noqa: TRY004 - from a file, not an argument
    left = {name: value for name, value in values.items() if name != CHECK}
    if CHECK in values and values[CHECK] != _check(left):
        raise ValueError("its checksum is wrong")
    return left


def _check(values: Values) -> str:
    text = json.dumps(values, sort_keys=True, separators=(",", ":"))
    return blake2b(text.encode(), digest_size=_CHECK_BYTES).hexdigest()


FILE_MODE, FOLDER_MODE = 0o600, 0o700


def open_private(path: Path, flags: int = os.O_RDWR) -> int:
    """The descriptor of a file, created with mode 0600 if missing.

    Raises:
        OSError: the file is a link or not a regular file, or cannot be opened.
    """
    descriptor = os.open(path, flags | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK, FILE_MODE)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path.name} is not a regular file")
    return descriptor


def create_private(path: Path) -> None:
    """Create an empty file with mode 0600 if missing.

    Raises:
        OSError: the file is a link or not a regular file, or cannot be created.
    """
    os.close(open_private(path))


def open_owned(path: Path, flags: int) -> int:
    """The descriptor of a file with the same owner as its folder; `os.O_CREAT` creates it if missing.

    Raises:
        OSError: the file is a link, not a regular file, or another user's, or cannot be opened.
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
    """The first `most` bytes of a file with the same owner as its folder.

    Raises:
        OSError: the file is missing, a link, not a regular file, or another user's, or cannot be read.
    """
    with open(open_owned(path, os.O_RDONLY), "rb") as file:
        return file.read(most)


def make_private(folder: Path, rooms: Iterable[str] = ()) -> None:
    """Restrict the permissions of a state folder and its files to their owner, if that is this user.

    A folder with the sticky bit, such as /tmp, is left unchanged. `rooms` are the program's own subfolders, which are
    restricted recursively. Links are not followed.
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
        # Also for mode 0000: SQLite would create a world-readable log for such a file.
        if mode is not None and found.st_uid == os.geteuid() and stat.S_IMODE(found.st_mode) != mode:
            path.chmod(mode)
