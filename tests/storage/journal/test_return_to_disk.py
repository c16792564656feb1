"""A journal in memory goes back to a disk where another journal stands meanwhile."""

import contextlib
import itertools
import sqlite3

import pytest

from pegboard.storage.event_row import CHAIN, NUMBER
from pegboard.storage.journal import opening
from pegboard.storage.journal.journal import RETRY_S
from pegboard.storage.journal.journal_mark import MarkedTail
from pegboard.storage.journal.return_to_disk import Absence, return_to_disk
from pegboard.storage.journal.running_match import MatchRows
from pegboard.storage.reader import check
from tests.support.damage import Disk
from tests.support.scoreboard_on_a_folder import Table


def test_other_events_of_the_same_game_go_into_quarantine_and_do_not_come_back(tmp_path):
    ours, other = Table(tmp_path / "ours"), Table(tmp_path / "other")
    ours.score(0, 5)
    other.score(1, 7)
    assert ours.view.id == other.view.id
    match = MatchRows.read(ours.journal._db)
    end = MarkedTail(ours.view.epoch, match.rows[-1][NUMBER], match.rows[-1][CHAIN], is_followed_by_refused=True)
    ours.journal.close()
    other.journal.close()
    opened, count = return_to_disk(other.folder, Absence(end), match, end, lambda: None)
    with contextlib.closing(opened.db):
        assert (count, opened.match_rows.rows) == (2, match.rows)
    again = other.open()
    assert again.fronts() == [5, 0]
    assert len(list((other.folder / "quarantine").iterdir())) == 1
    again.journal.close()


@pytest.fixture
def unread(tmp_path, monkeypatch):
    """A table at 5 to 6 that was started while nothing of its journal could be read, and the rows of that."""
    table = Table(tmp_path / "table")
    table.score(0, 5)
    table.score(1, 6)
    rows = list(table.journal.rows())
    table.journal.close()
    with monkeypatch.context() as failing:
        Disk(failing).is_full = True
        failing.setattr(opening, "_read", fail_to_read)
        table.open()
    table.taps = (f"later-tap-{n:016}" for n in itertools.count(1))
    yield table, rows
    table.journal.close()
    check(table.folder)


def fail_to_read(*_):
    raise sqlite3.OperationalError


def test_journal_that_could_not_be_read_at_the_start_is_all_there_afterwards(unread):
    table, rows = unread
    assert table.fronts() == [0, 0]
    table.board.look_after()
    assert table.journal.fault is None
    assert list(table.journal.rows()) == rows
    assert table.fronts() == [5, 6]


def test_game_in_memory_meanwhile_follows_what_could_not_be_read(unread):
    table, rows = unread
    assert table.board.play_in_memory()
    table.journal._clock = lambda: 0.0
    table.board.look_after()
    table.score(0, 4)
    table.journal._clock = lambda: RETRY_S
    table.board.look_after()
    assert table.journal.fault is None
    assert list(table.journal.rows())[:3] == rows
    assert table.reopen().fronts() == [4, 0]
