"""Copies the journal into another file, which bears its name only once it is whole, on disk and verified."""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from pegboard.storage.atomic_file import sync_folder
from pegboard.storage.private_files import create_private

PART = ".part"
"""The ending of a file that is not whole yet."""


def copy_journal(
    db: sqlite3.Connection, path: Path, *, anew: bool = False, verify: Callable[[Path], object] = lambda _: None
) -> None:
    """Write a copy of the journal to `path`, whole and on disk; where there is one, only if it is wanted `anew`.

    `verify` raises where the copy is not good enough to bear that name.

    Raises:
        sqlite3.Error: it cannot be read or written.
        OSError: it cannot be written to disk.
    """
    if path.exists() and not anew:
        return
    with unfinished_file(path) as part:
        create_private(part)
        db.execute("VACUUM INTO ?", (str(part),))
        sync_file(part)
        verify(part)


@contextlib.contextmanager
def unfinished_file(path: Path) -> Iterator[Path]:
    """Another name for a file that is written within, and gets the name `path` in the end.

    Of a failure nothing is left.

    Raises:
        OSError: it cannot be written to disk.
    """
    part = path.with_suffix(PART)
    part.unlink(missing_ok=True)
    try:
        yield part
        part.replace(path)
    except BaseException:
        for each in (part, part.with_name(f"{part.name}-journal")):
            each.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def sync_file(path: Path) -> None:
    """Write a file to disk.

    Raises:
        OSError: it cannot be written.
    """
    with path.open("rb") as file:
        os.fsync(file.fileno())
