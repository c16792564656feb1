"""Copies the journal into another file, which bears its name only once it is whole, on disk and verified."""

import contextlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from pegboard.storage.atomic_file import sync_folder
from pegboard.storage.private_files import create_private

PART = ".part"
"""The ending of a file that is not whole yet."""


@dataclass(slots=True)
class UnfinishedFile:
    """A file that is being written.

    Attributes:
        part: its name until it is whole.
        path: the name that it gets then.
    """

    part: Path
    path: Path


def copy_journal(
    db: sqlite3.Connection, path: Path, *, anew: bool = False, verify: Callable[[Path], Path] | None = None
) -> None:
    """Write a copy of the journal to `path`, whole and on disk; where there is one, only if it is wanted `anew`.

    `verify` raises where the copy is not good enough to bear that name, and may give it another.

    Raises:
        sqlite3.Error: it cannot be read or written.
        OSError: it cannot be written to disk.
    """
    if path.exists() and not anew:
        return
    with unfinished_file(path) as file:
        create_private(file.part)
        db.execute("VACUUM INTO ?", (str(file.part),))
        sync_file(file.part)
        if verify is not None:
            file.path = verify(file.part)


@contextlib.contextmanager
def unfinished_file(path: Path) -> Iterator[UnfinishedFile]:
    """A file that is written within under another name, and gets the name `path` in the end.

    Of a failure nothing is left.

    Raises:
        OSError: it cannot be written to disk.
    """
    file = UnfinishedFile(path.with_suffix(PART), path)
    file.part.unlink(missing_ok=True)
    try:
        yield file
        file.part.replace(file.path)
    except BaseException:
        for each in (file.part, file.part.with_name(f"{file.part.name}-journal")):
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
