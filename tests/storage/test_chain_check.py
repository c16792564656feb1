"""The hash chain: each row that has changed on the disk, or whose row before is gone, is found by its number."""

import contextlib
import sqlite3

import pytest

from pegboard import Rules
from pegboard.core.moves import Scored, Started
from pegboard.storage.event_row import broken_rows
from pegboard.storage.journal.journal import Journal
from pegboard.storage.schema import FILE


@pytest.fixture
def db(tmp_path):
    """A journal of two games, six events each in turn, that may be changed."""
    with Journal(tmp_path) as journal:
        for game in ("g1", "g2"):
            journal.append(Started(Rules(), ("Ann", "Bob"), match=game), game=game, at=1, source="table", result=None)
            for points in (1, 2, 3, 4, 5):
                journal.append(Scored(0, points, 0), game=game, at=2, source="phone", result=None)
    with contextlib.closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
        for trigger in ("event_stays", "event_is_kept"):
            db.execute(f"DROP TRIGGER {trigger}")
        yield db


def test_a_journal_as_it_was_written_fits(db):
    assert list(broken_rows(db)) == list(broken_rows(db, "g2")) == []


@pytest.mark.parametrize(
    ("statement", "broken"),
    [
        ("UPDATE event SET body = replace(body, '3', '7') WHERE id = 4", [4]),
        ("UPDATE event SET chain = 'x' WHERE id = 4", [4, 5]),
        ("DELETE FROM event WHERE id = 4", [5]),
        ("DELETE FROM event WHERE id = 1", [2]),
        ("UPDATE event SET at = 3 WHERE id IN (2, 9)", [2, 9]),
    ],
)
def test_what_changed_is_named(db, statement, broken):
    db.execute(statement)
    games = {number: "g1" if number <= 6 else "g2" for number in range(1, 13)}
    assert list(broken_rows(db)) == [(number, games[number]) for number in broken]
    assert list(broken_rows(db, "g2")) == [(number, "g2") for number in broken if number > 6]
