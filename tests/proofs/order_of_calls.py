"""The order of a process's calls: an answer that shows an event stands behind the sync that brought it to the disk."""

from dataclasses import dataclass

from tests.proofs import disk

LOG = b"journal.db-wal"
"""SQLite's write-ahead log, in which an event is stored as soon as it is synced."""


@dataclass
class Order:
    """What the calls of a process show: answers that were too early, and for each event the syncs that it waited for.

    It waits for those of the thread that stored it; a checkpoint in another thread goes on beside the answers.
    """

    too_early: list
    syncs: list


def read_order(records):
    """Read it from the records of a process that began with an empty folder or went on with a journal."""
    names, storing, dirty, found = {}, set(), False, Order([], [])
    newest = syncs = 0
    for record in records:
        match record.what:
            case disk.OPEN:
                names[record.file] = record.data.rpartition(b"/")[2]
            case disk.WRITE if names.get(record.file) == LOG:
                dirty = True
                storing.add(record.flags)
            case disk.SYNC:
                syncs += record.flags in storing
                dirty = dirty and names.get(record.file) != LOG
            case disk.SEND if record.revision > newest:
                if dirty:
                    found.too_early.append(record.revision)
                found.syncs.append(syncs / (record.revision - newest))
                newest, syncs = record.revision, 0
                storing.clear()
    return found
