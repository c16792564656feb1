"""Watches that the journal's files are still those that are open: not removed, replaced or cut off meanwhile."""

from os import stat, stat_result
from pathlib import Path

from pegboard.messages import Message


class FilesInPlace:
    """The files of a journal as they were when it was opened; their sizes only grow while it is open."""

    def __init__(self, database: Path) -> None:
        """Note the files of the database at `database`, which has been read from, so that its log is there.

        Raises:
            OSError: one is not there.
        """
        self._paths = (str(database), f"{database}-wal")
        self._found = [stat(path, follow_symlinks=False) for path in self._paths]  # noqa: PTH116 - as below

    def fault(self) -> Message | None:
        """What has happened to one of them; None while all are in place. A removed folder has neither of them."""
        return self._fault_of(0) or self.fault_of_log()

    def fault_of_log(self) -> Message | None:
        """The same of the log alone: a commit could fill the gap where it was cut off."""
        return self._fault_of(1)

    def _fault_of(self, which: int) -> Message | None:
        try:
            now = stat(self._paths[which], follow_symlinks=False)  # noqa: PTH116 - before each answer: a Path costs more
        except OSError:
            return Message("journal_file_gone", path=self._paths[which])
        before = self._found[which]
        if now.st_ino == before.st_ino and now.st_size >= before.st_size and now.st_dev == before.st_dev:
            self._found[which] = now
            return None
        is_cut = _is_same(now, before)
        return Message("journal_file_cut" if is_cut else "journal_file_replaced", path=self._paths[which])


def _is_same(now: stat_result, before: stat_result) -> bool:
    return (now.st_dev, now.st_ino) == (before.st_dev, before.st_ino)
