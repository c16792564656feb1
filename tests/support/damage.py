"""Damage to a journal for tests: rows changed with and without their links, flipped bits, disks that take no writes."""

import contextlib
import sqlite3

from pegboard.storage.event_row import TABLE_COLUMNS, chain_hash
from pegboard.storage.journal import journal as journal_files
from pegboard.storage.journal import opening
from pegboard.storage.schema import FILE


def chain_anew(db):
    """Give each row the link that its content has now, as if it had been written so."""
    chain = ""
    for row in db.execute(f"SELECT {TABLE_COLUMNS} FROM event ORDER BY id").fetchall():
        chain = chain_hash(chain, row[:-1])
        db.execute("UPDATE event SET chain = ? WHERE id = ?", (chain, row[0]))


def flip_bit(path, place, bit=0):
    """Flip a bit of the byte at a place of a file."""
    with path.open("r+b") as file:
        file.seek(place)
        (byte,) = file.read(1)
        file.seek(place)
        file.write(bytes([byte ^ (1 << bit)]))


def copy_as_if_killed(folder, target):
    """The files of a journal that is open, as kill -9 would leave them."""
    target.mkdir(parents=True)
    for path in folder.iterdir():
        if path.is_file() and not path.name.endswith("-shm"):
            (target / path.name).write_bytes(path.read_bytes())
    return target


def lose_rest_of_log(folder):
    """Have another program look at a journal that nobody has open: it removes what it does not take of the log."""
    with contextlib.closing(sqlite3.connect(folder / FILE)) as db:
        db.execute("SELECT count(*) FROM sqlite_master").fetchone()


def change_row(folder, statement, *values):
    """Change a table behind the back of its triggers, and leave links and checksum as they are."""
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        triggers = db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:
            db.execute(f"DROP TRIGGER {name}")
        db.execute(statement, values)
        for _, sql in triggers:
            with contextlib.suppress(sqlite3.OperationalError):  # its table is gone
                db.execute(sql)


def damage_trigger(folder, name, old, new):
    """Change the text of a trigger, as a flipped bit does; tables that are open read it at their next statement."""
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        (version,) = db.execute("PRAGMA schema_version").fetchone()
        db.execute("PRAGMA writable_schema = ON")
        changed = db.execute("UPDATE sqlite_master SET sql = replace(sql, ?, ?) WHERE name = ?", (old, new, name))
        assert changed.rowcount == 1
        db.execute(f"PRAGMA schema_version = {version + 1}")


def damage_index(folder, name, text):
    """Flip a bit in an entry of an index of a journal that nobody has open: where `text` stands the second time."""
    path = folder / FILE
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (root,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    page = data[(root - 1) * size : root * size]
    place = page.index(text, page.index(text) + 1)
    data[(root - 1) * size + place] ^= 1
    path.write_bytes(data)


class Commits:
    """A connection whose commits fail: after they are `on_disk`, as when only the sync fails, or before."""

    def __init__(self, db, *, on_disk=True):
        self.db, self.on_disk = db, on_disk

    def __getattr__(self, name):
        return getattr(self.db, name)

    def execute(self, statement, *values):
        if statement != "COMMIT":
            return self.db.execute(statement, *values)
        if self.on_disk:
            self.db.execute(statement)
        raise disk_error(sqlite3.SQLITE_IOERR_FSYNC)


def disk_error(code=sqlite3.SQLITE_FULL):
    """An error of SQLite as a disk makes it."""
    error = sqlite3.OperationalError("database or disk is full" if code == sqlite3.SQLITE_FULL else "disk I/O error")
    error.sqlite_errorcode = code
    return error


class Disk:
    """The disk of a table, which can be full and be mended."""

    def __init__(self, monkeypatch):
        self._patch, self.is_full = monkeypatch, False
        for module in (opening, journal_files):
            self._watch(module, module.open_database)

    def _watch(self, module, whole):
        def open_database(path):
            if self.is_full:
                raise disk_error()
            return whole(path)

        self._patch.setattr(module, "open_database", open_database)

    def fill(self, journal, *, on_disk=False):
        """From now on no commit succeeds."""
        self.is_full = True
        journal._db = Commits(journal._db, on_disk=on_disk)

    def mend(self):
        """From now on commits succeed again."""
        self.is_full = False
