"""Watches that the journal's files are still those that are open: not removed, replaced or cut off meanwhile."""

import os
from pathlib import Path
from typing import NamedTuple

from pegboard.messages import Message


class _Found(NamedTuple):
    device: int
    inode: int
    size: int


class FilesInPlace:
    """The files of a journal as they were when it was opened; their sizes only grow while it is open."""

    def __init__(self, database: Path) -> None:
        """Note the files of the database at `database`, which has been read from, so that its log is there.

        Raises:
            OSError: one is not there.
        """
        self._database = str(database)
        self._found = {path: _stat(path) for path in (self._database, f"{self._database}-wal")}

    def fault(self) -> Message | None:
        """What has happened to one of them; None while all are in place. A removed folder has neither of them."""
        for path, before in self._found.items():
            try:
                now = _stat(path)
            except OSError:
                return Message("journal_file_gone", path=path)
            if now[:2] != before[:2]:
                return Message("journal_file_replaced", path=path)
            if now.size < before.size:
                return Message("journal_file_cut", path=path)
            if now.size != before.size:
                self._found[path] = now
        return None


def _stat(path: str) -> _Found:
    found = os.stat(path, follow_symlinks=False)  # noqa: PTH116 - before each answer, and a Path costs more than this
    return _Found(found.st_dev, found.st_ino, found.st_size)
