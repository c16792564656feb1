"""A score that was refused does not come back, whatever of it is on the disk."""

import contextlib
import os
import sqlite3

import pytest

from pegboard import Rules, TakeBack
from pegboard.core.moves import Start
from pegboard.errors import NotStored
from pegboard.storage.journal import journal_mark
from pegboard.storage.journal.running_match import void_events_after, voided_rows
from pegboard.storage.reader import check
from pegboard.storage.schema import FILE, open_database
from tests.storage.journal.test_damage_found_at_start import start
from tests.support.damage import Commits, Disk, change_row, copy_as_if_killed
from tests.support.scoreboard_on_a_folder import Table

ACTS = {
    "score": lambda table: table.score(0, 7),
    "undo": lambda table: table.ask(TakeBack()),
    "start": lambda table: table.ask(Start(Rules(), ("Cy", "Dee")), replaces=table.view.id),
    "keys": lambda table: (table.board.keys.dial(0, 2), table.board.keys.peg(0)),
}


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path / "table")
    for score in range(4):
        table.score(score % 2, 5)
    return table


@pytest.fixture
def disk(monkeypatch):
    return Disk(monkeypatch)


def rows(folder):
    with contextlib.closing(sqlite3.connect(folder / FILE)) as db:
        summary = "SELECT id, match, format, started, abandoned, result, over FROM game"
        return db.execute("SELECT * FROM event").fetchall(), db.execute(summary).fetchall()


@pytest.mark.parametrize("act", ["score", "undo", "start", "keys"])
@pytest.mark.parametrize("on_disk", [True, False])
def test_refused_event_does_not_come_back(table, act, on_disk):
    before, shown = rows(table.folder), table.view.game
    table.journal._db = Commits(table.journal._db, on_disk=on_disk)
    with contextlib.suppress(NotStored):  # keys say it by the notice
        ACTS[act](table)
    assert table.view.notice is None or table.view.notice.key == "not_saved"
    assert table.view.game == shown
    assert rows(copy_as_if_killed(table.folder, table.folder.parent / "killed")) == before
    again = table.reopen()
    assert (again.view.game, again.alarms) == (shown, [])
    assert (rows(table.folder), len(voided_rows(table.journal._db))) == (before, int(on_disk))
    again.score(0, 3)
    assert again.fronts() == [13, 10]
    table.journal.close()
    check(table.folder)


def test_several_that_were_refused_leave_no_game_of_theirs_in_any_list(table):
    before, number = rows(table.folder), table.journal.last_id
    table.score(0, 7)
    table.ask(Start(Rules(), ("Cy", "Dee")), replaces=table.view.id)
    table.journal.close()
    with contextlib.closing(open_database(table.folder / FILE)) as db:
        assert void_events_after(db, number) == 2
    assert rows(table.folder) == before


@pytest.fixture
def mark_on_disk(table, monkeypatch):
    """What a power cut leaves of the mark: a function that gives the bytes that were synced last."""
    path, synced, sync = table.folder / journal_mark.FILE, list[bytes](), os.fdatasync

    def fdatasync(file):
        sync(file)
        if os.path.samestat(os.fstat(file), path.stat()):
            synced.append(path.read_bytes())

    monkeypatch.setattr(os, "fdatasync", fdatasync)
    return lambda: synced[-1]


def is_whole_after_power_cut(table, mark):
    table.score(1, 3)
    folder = copy_as_if_killed(table.folder, table.folder.parent / "power cut")
    (folder / journal_mark.FILE).write_bytes(mark)
    again, said = start(folder)
    return (again.fronts(), said) == ([10, 13], [])


def test_scores_after_a_refused_one_outlive_a_power_cut(table, mark_on_disk):
    table.journal._db = Commits(table.journal._db)
    with pytest.raises(NotStored):
        table.score(0, 7)
    assert is_whole_after_power_cut(table, mark_on_disk())


def test_scores_outlive_a_power_cut_after_the_disk_was_left_for_a_refused_one(table, disk, mark_on_disk):
    disk.fill(table.journal, on_disk=True)
    with pytest.raises(NotStored):
        table.score(0, 7)
    disk.mend()
    table.board.look_after()
    assert is_whole_after_power_cut(table, mark_on_disk())


def test_scores_outlive_a_power_cut_after_a_start_that_made_one_void(table, disk, mark_on_disk):
    disk.fill(table.journal, on_disk=True)
    with pytest.raises(NotStored):
        table.score(0, 7)
    disk.mend()
    table.journal.close()
    table.open()
    assert is_whole_after_power_cut(table, mark_on_disk())


def test_refused_tap_is_judged_anew_when_it_is_sent_again(table):
    table.journal._db = Commits(table.journal._db)
    with pytest.raises(NotStored):
        table.score(0, 7, id="tap-again-0000000001")
    assert table.board.receipt_of("tap-again-0000000001") is None
    assert not table.score(0, 7, id="tap-again-0000000001").replayed
    assert table.fronts() == [17, 10]


def test_nothing_is_accepted_until_it_is_void(table, disk):
    disk.fill(table.journal, on_disk=True)
    for _ in range(3):
        with pytest.raises(NotStored, match="NOT SAVED"):
            table.score(0, 7)
    assert (table.fronts(), table.journal.fault.key) == ([10, 10], "verbatim")
    table.board.look_after()
    assert table.journal.fault is not None
    disk.mend()
    table.board.look_after()
    assert table.journal.fault is None
    table.score(0, 2)
    again = table.reopen()
    assert again.fronts() == [12, 10]
    assert (len(voided_rows(table.journal._db)), again.alarms) == (1, [])


def test_one_that_could_not_be_made_void_does_not_come_back_after_a_kill(table, disk):
    disk.fill(table.journal, on_disk=True)
    with pytest.raises(NotStored):
        table.score(0, 7)
    killed = copy_as_if_killed(table.folder, table.folder.parent / "killed")
    assert len(rows(killed)[0]) == 6, "it is in the files"
    disk.mend()
    again, said = start(copy_as_if_killed(table.folder, table.folder.parent / "killed again"))
    assert (again.fronts(), said) == ([10, 10], [])
    assert len(voided_rows(again.journal._db)) == 1


def test_one_that_could_not_be_made_void_is_not_shown_by_a_start_on_a_full_disk(table, disk):
    disk.fill(table.journal, on_disk=True)
    with pytest.raises(NotStored):
        table.score(0, 7)
    again, said = start(copy_as_if_killed(table.folder, table.folder.parent / "killed"))
    assert (again.fronts(), said) == ([10, 10], ["scores_not_stored"])
    with pytest.raises(NotStored):
        again.score(0, 7)
    disk.mend()
    again.board.look_after()
    assert (again.fronts(), again.journal.fault) == ([10, 10], None)
    again.score(0, 1)
    assert again.reopen().fronts() == [11, 10]


def test_one_that_could_not_be_made_void_does_not_come_back_from_a_damaged_journal(table, disk):
    """Where entries of an older game are lost, all later ones have other numbers and links than when it was refused."""
    table.ask(Start(Rules(), ("Cy", "Dee")), replaces=table.view.id)
    table.score(0, 5)
    disk.fill(table.journal, on_disk=True)
    with pytest.raises(NotStored):
        table.score(0, 7)
    killed = copy_as_if_killed(table.folder, table.folder.parent / "killed")
    disk.mend()
    change_row(killed, "UPDATE event SET at = at + 1 WHERE id = 3")
    change_row(killed, "DELETE FROM about")
    again, said = start(killed)
    assert (again.fronts(), said[0]) == ([5, 0], "journal_head_damaged")
    again.score(0, 2)
    assert again.reopen().fronts() == [7, 0]
