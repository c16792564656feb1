"""Triggers of a journal: its own keep events and checksum; any other would change what is stored, or refuse it."""

import sqlite3

from pegboard.storage.schema import EVENT_TABLES, transaction
from pegboard.storage.summary.summary_checksum import trigger_names

_KEEP_EVENTS = {
    statement.split()[2]: statement.strip() for statement in EVENT_TABLES if statement.split()[1] == "TRIGGER"
}


def restore_triggers(db: sqlite3.Connection) -> list[str]:
    """Remove triggers and views that are not the journal's own, and return their names; make those of its events anew.

    Raises:
        sqlite3.Error: the journal cannot be read or written.
    """
    query = "SELECT type, name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')"
    found = {name: (kind, sql) for kind, name, sql in db.execute(query)}
    own = {*_KEEP_EVENTS, *trigger_names()}
    foreign = [name for name in found if name not in own]
    changed = [name for name, sql in _KEEP_EVENTS.items() if found.get(name, ("", ""))[1] != sql]
    if not foreign and not changed:
        return []
    with transaction(db):
        for name in (*foreign, *(name for name in changed if name in found)):
            quoted = name.replace('"', '""')
            db.execute(f'DROP {found[name][0]} "{quoted}"')
        for name in changed:
            db.execute(_KEEP_EVENTS[name])
    return foreign
