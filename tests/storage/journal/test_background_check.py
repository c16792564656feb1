"""What SQLite finds wrong while the table runs: entries of an index are made anew, all else is rescued."""

import contextlib
import sqlite3
import time

import pytest

from pegboard import Rules
from pegboard.core.moves import Start
from pegboard.storage.games import History
from pegboard.storage.journal import journal
from pegboard.storage.journal.disk_faults import INDEX_DAMAGE, FilesInPlace
from pegboard.storage.reader import check
from pegboard.storage.rescue.journal_findings import look_at_state
from pegboard.storage.schema import FILE
from tests.support.damage import change_row, damage_index, flip_bit
from tests.support.scoreboard_on_a_folder import Table

FIRST_TAP = b"tap-0000000000000001"
LEAF = {"table": 13, "index": 10}
"""The first byte of such a page (https://sqlite.org/fileformat2.html, 1.6)."""


@pytest.fixture
def table(tmp_path):
    """Games of two older matches, then one at 10 to 10; nobody has the journal open."""
    table = Table(tmp_path / "table")
    for names in (("Ann", "Bob"), ("Bob", "Cy"), ("Cy", "Dee")):
        table.win()
        table.ask(Start(Rules(), names))
    for score in range(4):
        table.score(score % 2, 5)
    table.journal.close()
    return table


def damage_page(folder, kind):
    """Make a leaf of the table or of an index, with the first entry of the oldest game, one that SQLite cannot read."""
    data = (folder / FILE).read_bytes()
    size = int.from_bytes(data[16:18], "big")
    starts = range(0, len(data), size)
    (start,) = (at for at in starts if data[at] == LEAF[kind] and FIRST_TAP in data[at : at + size])
    flip_bit(folder / FILE, start, 7)


def look_until_checked(table):
    """Look after the journal until what the checks find is dealt with."""
    for _ in range(4):
        table.board.look_after()
        if table.journal._check is not None:
            table.journal._check.wait()
    return [alarm.key for alarm in table.alarms]


def is_rescued(table, said):
    assert said.count("journal_found_damaged") == 1
    assert "journal_index_rebuilt" not in said
    assert list((table.folder / "quarantine").iterdir())
    assert table.fronts() == [10, 10]
    table.score(0, 2)
    again = table.reopen()
    assert (again.fronts(), look_until_checked(again)) == ([12, 10], [])
    again.journal.close()
    check(table.folder)


def test_damaged_page_of_the_table_is_no_damaged_index(table):
    table.open()
    damage_page(table.folder, "table")
    said = look_until_checked(table)
    assert "journal_salvaged" in said
    is_rescued(table, said)


def test_damaged_page_of_an_index_costs_no_score(table):
    table.open()
    damage_page(table.folder, "index")
    said = look_until_checked(table)
    (salvaged,) = (alarm for alarm in table.alarms if alarm.key == "journal_salvaged")
    assert salvaged.values["lost"] == 0
    assert len(History(table.folder).games(9)["games"]) == 4
    is_rescued(table, said)


def test_value_that_no_table_may_have_is_damage_beside_a_damaged_index_too(table):
    damage_index(table.folder, "sqlite_autoindex_event_1", b"tap-")
    with contextlib.closing(sqlite3.connect(table.folder / FILE, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET sql = replace(sql, 'request    TEXT', 'request    TEXT NOT NULL')")
        (version,) = db.execute("PRAGMA schema_version").fetchone()
        db.execute(f"PRAGMA schema_version = {version + 1}")
    said = look_until_checked(table.open())
    is_rescued(table, said)


def test_index_that_is_wrong_still_once_made_anew_is_damage(table, monkeypatch):
    made = []
    monkeypatch.setattr(journal, "rebuild_indexes", made.append)
    damage_index(table.folder, "sqlite_autoindex_event_1", b"tap-")
    said = look_until_checked(table.open())
    assert len(made) == 1
    assert said[:2] == ["journal_index_rebuilt", "journal_found_damaged"]
    is_rescued(table, said[1:])


def test_index_that_is_made_anew_is_looked_through_again_and_said_once(table):
    damage_index(table.folder, "sqlite_autoindex_event_1", b"tap-")
    assert look_until_checked(table.open()) == ["journal_index_rebuilt"]
    assert not (table.folder / "quarantine").exists()


def test_row_that_cannot_be_read_as_text_is_said_and_the_table_plays_on(table, monkeypatch):
    monkeypatch.setattr(FilesInPlace, "foreign_write_fault", lambda _: None)  # the disk breaks it, and no program
    table.open()
    change_row(table.folder, "UPDATE event SET source = CAST(x'22ff22' AS TEXT) WHERE id = 1")
    assert look_until_checked(table) == ["journal_row_broken_in"]
    assert not (table.folder / "quarantine").exists()


def look_again(table):
    """Start the table and have its journal checked: the numbers of the broken rows that alarms name."""
    table.open()
    look_until_checked(table)
    table.journal.close()
    return [alarm.message.values["event"] for alarm in table.view.alarms]


def test_broken_row_of_an_older_game_is_said_until_it_is_dismissed_and_no_start_says_it_again(table):
    change_row(table.folder, "UPDATE event SET at = at + 1 WHERE id = 1")
    assert (look_again(table), look_again(table)) == ([1], [1])
    assert table.board.dismiss_alarm(table.view.alarms[0].id)
    assert (look_again(table), look_again(table)) == ([], [])
    wrong = [found.sentence for found in look_at_state(table.folder, time.time(), lambda: None) if not found.ok]
    assert "game-0-1" in " ".join(wrong), "pegboard check names it still"
    change_row(table.folder, "UPDATE event SET at = at + 1 WHERE id = 8")
    assert look_again(table) == [8]


@pytest.mark.parametrize(
    "verdict",
    [
        "row 7 missing from index sqlite_autoindex_event_1",
        "row 7 values differ from index event_renamed",
        "rowid not at end-of-record for row 7 of index sqlite_autoindex_event_2",
        "wrong # of entries in index sqlite_autoindex_event_1",
        "non-unique entry in index sqlite_autoindex_event_2",
    ],
)
def test_what_sqlite_says_of_entries_of_an_index(verdict):
    """By src/pragma.c of SQLite 3.40 (Debian 12) and 3.46 (Debian 13)."""
    assert INDEX_DAMAGE.fullmatch(verdict)


@pytest.mark.parametrize(
    "verdict",
    [
        "On tree page 5 cell 2: Rowid 17 out of order",
        "On tree page 9 cell 0: 2nd reference to page 12",
        "Page 12: btreeInitPage() returns error code 11",
        "Page 12 is never used",
        "Main freelist: size is 3 but should be 4",
        "Tree 5 page 12 cell 3: Offset 4100 out of range 245..4092",
        "Tree 5 page 12: btreeInitPage() returns error code 11",
        "Tree 5 page 12 right child: Child page depth differs",
        "Page 12: never used",
        "Freelist: size is 3 but should be 4",
        "Fragmentation of 2 bytes reported as 0 on page 12",
        "Multiple uses for byte 312 of page 12",
        "NULL value in event.game",
        "NUMERIC value in event.body",
        "TEXT value in event.seq",
        "CHECK constraint failed in event",
        "database disk image is malformed",
        "unable to get the page. error code=11",
    ],
)
def test_what_sqlite_says_of_pages_and_values(verdict):
    """By src/btree.c and src/pragma.c of the same versions, which name pages in two ways."""
    assert not INDEX_DAMAGE.fullmatch(verdict)
