"""The order of a process's calls: an answer that shows an event stands behind the sync that brought it to the disk."""

from dataclasses import dataclass

from tests.proofs import disk


@dataclass
class Order:
    """What the calls of a process show: answers that were too early, and the syncs of each event that was shown."""

    too_early: list
    syncs: list


def read_order(records):
    """Read it from the records of a process that began with an empty folder or went on with a journal."""
    names, dirty, found = {}, set(), Order([], [])
    newest = syncs = 0
    for record in records:
        match record.what:
            case disk.OPEN:
                names[record.file] = record.data.rpartition(b"/")[2]
            case disk.WRITE if names.get(record.file) in (b"journal.db", b"journal.db-wal"):
                dirty.add(record.file)
            case disk.SYNC:
                syncs += 1
                dirty.discard(record.file)
            case disk.SEND if record.revision > newest:
                if dirty:
                    found.too_early.append(record.revision)
                found.syncs.append(syncs / (record.revision - newest))
                newest, syncs = record.revision, 0
    return found
