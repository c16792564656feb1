"""A disk that takes no writes: the table shows what can be read, and scores later, or in memory after a choice."""

import contextlib
import itertools
import os
import shutil

import pytest

from pegboard import Rules
from pegboard.core.moves import Start
from pegboard.errors import NotStored
from pegboard.storage.games import History
from pegboard.storage.reader import check
from pegboard.storage.schema import FILE
from pegboard.storage.statistics import StatisticsQuery
from tests.support.damage import Disk, copy_as_if_killed, flip_bit
from tests.support.scoreboard_on_a_folder import Table
from tests.support.small_disk import on_small_disk, remount


@pytest.fixture
def disk(monkeypatch):
    return Disk(monkeypatch)


class Clock:
    """Seconds that the journal is told."""

    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path / "table")
    table.score(0, 5)
    table.journal._clock = Clock()
    return table


TAPS = itertools.count(1)


def said(table):
    return [message.key for message in table.alarms]


def refuse_one(table):
    with pytest.raises(NotStored, match="NOT SAVED"):
        table.score(0, 1, id=f"tap-refused-{next(TAPS):012}")


def test_scores_are_accepted_in_memory_only_after_a_choice(table, disk):
    with pytest.raises(NotStored, match="saving every score"):
        table.journal.play_in_memory()
    disk.fill(table.journal)
    refuse_one(table)
    assert (table.journal.is_in_memory, str(table.journal.fault)) == (False, "disk I/O error")
    refuse_one(table)
    table.journal.play_in_memory()
    table.journal.play_in_memory()
    assert table.journal.is_in_memory
    table.board.look_after()
    assert said(table) == ["scores_in_memory"]
    table.score(0, 2)
    assert table.fronts() == [7, 0]


def test_they_have_an_epoch_of_their_own(table, disk):
    """A start without them shows a lower revision, which pages take for older under the same epoch."""
    epoch = table.view.epoch
    disk.fill(table.journal)
    refuse_one(table)
    table.journal.play_in_memory()
    table.score(0, 2)
    assert table.view.epoch != epoch


def test_they_are_written_out_when_the_disk_is_back(table, disk):
    disk.fill(table.journal)
    refuse_one(table)
    table.journal.play_in_memory()
    table.score(0, 2, id="tap-in-memory-0000001")
    table.score(1, 3)
    table.win()
    table.board.keys.deal()
    table.score(0, 4)
    shown = table.view
    disk.mend()
    table.journal._clock.now += 9
    table.board.look_after()
    assert table.journal.is_in_memory
    table.journal._clock.now += 1
    table.board.look_after()
    assert (table.journal.is_in_memory, table.journal.fault) == (False, None)
    lines = [message.values["count"] for message in table.alarms if message.key == "journal_written_out"]
    assert lines == [7]
    assert (table.view.game.lanes, table.view.match, table.view.id) == (shown.game.lanes, shown.match, shown.id)
    assert table.board.receipt_of("tap-in-memory-0000001") is not None
    table.score(1, 1)
    again = table.reopen()
    assert (again.fronts(), again.view.match, said(again)) == ([4, 1], shown.match, [])
    table.journal.close()
    check(table.folder)


def test_imports_wait_for_the_disk(table, disk):
    disk.fill(table.journal)
    refuse_one(table)
    table.journal.play_in_memory()
    with pytest.raises(NotStored):
        table.board.import_games([])


def test_full_disk_at_the_start_of_a_new_table_begins_its_game_later(tmp_path, disk):
    disk.is_full = True
    table = Table(tmp_path / "table")
    assert (said(table), table.fronts(), table.view.notice.key) == (["scores_not_stored"], [0, 0], "not_saved")
    table.board.look_after()
    assert table.view.id == ""
    disk.mend()
    table.board.look_after()
    assert table.view.id
    table.score(0, 5)
    assert table.reopen().fronts() == [5, 0]


def test_full_disk_at_the_start_of_a_new_table_can_be_played_on_in_memory(tmp_path, disk):
    disk.is_full = True
    table = Table(tmp_path / "table")
    table.journal._clock = Clock()
    table.journal.play_in_memory()
    table.board.look_after()
    table.score(0, 5)
    disk.mend()
    table.journal._clock.now += 11
    table.board.look_after()
    assert table.fronts() == [5, 0]
    assert table.reopen().fronts() == [5, 0]


# --- real disks ---


def fill(place):
    """Fill a disk to the last byte; the file that does it."""
    file = os.open(place / "fill", os.O_WRONLY | os.O_CREAT)
    try:
        for size in (65536, 4096, 1):
            while True:
                try:
                    os.write(file, b"x" * size)
                except OSError:
                    break
    finally:
        os.close(file)
    return place / "fill"


@on_small_disk
def test_full_disk(small):
    filler = fill(small)
    table = Table(small / "table")
    assert table.fronts() == [5, 0]
    refuse_one(table)
    refuse_one(table)
    table.board.look_after()
    assert table.journal.fault is not None
    table.journal.play_in_memory()
    table.score(0, 2, id="tap-in-memory-0000001")
    filler.unlink()
    table.journal._clock = lambda: float("inf")
    table.board.look_after()
    assert (table.journal.fault, table.fronts()) == (None, [7, 0])
    table.score(0, 1, id="tap-that-is-stored-01")
    assert table.reopen().fronts() == [8, 0]
    table.journal.close()
    check(small / "table")


def score_again_and_again(table):
    while True:
        table.score(0, 0, id=f"tap-{table.view.revision:018}")


@on_small_disk
def test_disk_that_fills_up_while_the_table_runs(small):
    table = Table(small / "table")
    fill(small)
    with pytest.raises(NotStored):
        score_again_and_again(table)
    many = table.view.revision
    (small / "fill").unlink()
    table.board.look_after()
    table.score(0, 1, id="tap-that-fits-again-01")
    again = table.reopen()
    assert (again.view.revision, again.fronts(), said(again)) == (many + 1, [6, 0], [])


@on_small_disk
def test_read_only_disk(small):
    remount(small, "ro")
    table = Table(small / "table")
    assert (said(table), table.fronts()) == (["scores_not_stored"], [5, 0])
    refuse_one(table)
    table.board.look_after()
    remount(small, "rw")
    table.board.look_after()
    table.score(0, 1, id="tap-that-is-stored-01")
    assert table.fronts() == [6, 0]
    assert table.reopen().fronts() == [6, 0]


@on_small_disk
def test_lists_are_read_from_a_read_only_disk_after_an_orderly_stop(small):
    """The log, which the end of a table removes, cannot be made there."""
    table = Table(small / "table")
    table.journal.close()
    assert not (small / "table" / f"{FILE}-wal").exists()
    remount(small, "ro")
    table = Table(small / "table")
    history = History(small / "table")
    assert [card["fronts"] for card in history.games(10)["games"]] == [[5, 0]]
    assert history.statistics(StatisticsQuery())["games"] == 0
    remount(small, "rw")
    table.board.look_after()
    table.score(0, 1, id="tap-that-is-stored-01")
    assert [card["fronts"] for card in history.games(10)["games"]] == [[6, 0]]


@on_small_disk
def test_read_only_disk_without_a_journal(small):
    for path in (small / "table").iterdir():
        path.unlink()
    remount(small, "ro")
    table = Table(small / "table")
    assert (said(table), table.fronts(), table.view.id) == (["scores_not_stored"], [0, 0], "")
    remount(small, "rw")
    table.board.look_after()
    assert table.view.id


@on_small_disk
def test_damage_on_a_read_only_disk_shows_what_is_safe(small):
    table = Table(small / "table")
    table.score(0, 6, id="tap-number-two-000001")
    table.journal.close()
    path = small / "table" / FILE
    whole = path.read_bytes()
    place = whole.index(b'"points":6')
    path.write_bytes(whole[:place] + b'"points":7' + whole[place + 10 :])
    remount(small, "ro")
    table = Table(small / "table")
    assert table.fronts() == [5, 0]
    assert said(table) == ["journal_row_broken", "scores_not_stored"]


def cut_log(place, share=0.6):
    """Lay a table at 20 to 15 on a small disk that was killed, and of whose log SQLite reads the first events alone."""
    table = Table(place / "table")
    table.taps = (f"tap-cut-off-{n:08}" for n in itertools.count(1))
    table.win()
    table.ask(Start(Rules(), ("Ann", "Bob")))
    table.reopen()
    for score in range(7):
        table.score(score % 2, 5)
    killed = copy_as_if_killed(table.folder, place.parent / "killed")
    shm = (table.folder / f"{FILE}-shm").read_bytes()
    table.journal.close()
    for path in killed.iterdir():
        shutil.copy(path, table.folder)
    (table.folder / f"{FILE}-shm").write_bytes(shm)
    flip_bit(table.folder / f"{FILE}-wal", int((killed / f"{FILE}-wal").stat().st_size * share))


@contextlib.contextmanager
def full(place):
    filler = fill(place)
    yield
    filler.unlink()


@contextlib.contextmanager
def held_read_only(place):
    remount(place, "ro")
    yield
    remount(place, "rw")


@on_small_disk
def test_lost_tail_is_said_on_a_read_only_disk_and_comes_back_with_it(small):
    cut_log(small)
    with held_read_only(small):
        table = Table(small / "table")
        assert said(table) == ["journal_rows_missing", "scores_not_stored"]
        assert sum(table.fronts()) < 35
    table.board.look_after()
    assert (said(table), table.fronts()) == (["journal_rows_missing", "journal_salvaged"], [20, 15])
    table.score(0, 1, id="tap-that-is-stored-01")
    assert table.reopen().fronts() == [21, 15]


@on_small_disk
def test_lost_tail_is_said_on_a_full_disk_and_comes_back_with_it(small):
    cut_log(small)
    with full(small):
        table = Table(small / "table")
        assert said(table) == ["journal_rows_missing", "scores_not_stored"]
        assert 0 < sum(table.fronts()) < 35
    table.board.look_after()
    assert (said(table)[-1], table.fronts()) == ("journal_salvaged", [20, 15])


def plays_on_in_memory(folder, held):
    """Play on from what is shown; that stands on the disk as well once it takes writes, with the older game."""
    with held:
        table = Table(folder)
        table.journal.play_in_memory()
        table.score(0, 9, id="tap-in-memory-0000001")
        shown = table.fronts()
    table.journal._clock = lambda: float("inf")
    table.board.look_after()
    assert (table.journal.fault, table.fronts()) == (None, shown)
    assert table.reopen().fronts() == shown
    assert len(History(folder).games(9)["games"]) == 2
    table.journal.close()
    check(folder)


@on_small_disk
def test_what_was_played_on_in_memory_stands_instead_of_a_lost_tail(small):
    cut_log(small)
    plays_on_in_memory(small / "table", held_read_only(small))


@on_small_disk
def test_what_was_played_on_in_memory_stands_instead_of_a_lost_tail_on_a_full_disk(small):
    cut_log(small)
    plays_on_in_memory(small / "table", full(small))


@on_small_disk
def test_refused_score_is_not_shown_on_a_read_only_disk(small):
    table = Table(small / "table")
    Disk(monkeypatch := pytest.MonkeyPatch()).fill(table.journal, on_disk=True)
    refuse_one(table)
    killed = copy_as_if_killed(table.folder, small.parent / "killed")
    table.journal.close()
    monkeypatch.undo()
    for path in killed.iterdir():
        shutil.copy(path, table.folder)
    with held_read_only(small):
        table = Table(small / "table")
        assert table.fronts() == [5, 0]
    table.board.look_after()
    assert table.fronts() == [5, 0]
    assert table.reopen().fronts() == [5, 0]
