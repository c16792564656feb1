"""Watches that the journal's files are still those that are open: not removed, replaced or cut off meanwhile."""

from os import stat
from os.path import samestat
from pathlib import Path

from pegboard.messages import Message
from pegboard.storage.durability.disk_faults import DiskFault, FaultKind


class FilesInPlace:
    """The files of a journal as they were when it was opened; their sizes only grow while it is open."""

    def __init__(self, database: Path) -> None:
        """Note the files of the database at `database`, which has been read from, so that its log is there.

        Raises:
            OSError: one is not there.
        """
        self._paths = (str(database), f"{database}-wal")
        self._found = [stat(path, follow_symlinks=False) for path in self._paths]  # noqa: PTH116 - as below

    def fault(self) -> DiskFault | None:
        """What has happened to one of them; None while all are in place. A removed folder has neither of them."""
        return self._fault_of(0) or self.fault_of_log()

    def fault_of_log(self) -> DiskFault | None:
        """The same of the log alone: a commit could fill the gap where it was cut off."""
        return self._fault_of(1)

    def _fault_of(self, which: int) -> DiskFault | None:
        try:
            now = stat(self._paths[which], follow_symlinks=False)  # noqa: PTH116 - before each answer: a Path costs more
        except OSError:
            return DiskFault(FaultKind.UNLINKED, Message("journal_file_gone", path=self._paths[which]))
        before = self._found[which]
        if not samestat(now, before):
            return DiskFault(FaultKind.UNLINKED, Message("journal_file_replaced", path=self._paths[which]))
        if now.st_size < before.st_size:
            return DiskFault(FaultKind.DAMAGE, Message("journal_file_cut", path=self._paths[which]))
        self._found[which] = now
        return None
