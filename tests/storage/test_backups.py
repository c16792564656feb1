"""Backups: verified before they count, rotated by number and day, never half a file whenever the plug is pulled."""

import contextlib
import fcntl
import itertools
import os
import resource
import shutil
import sqlite3
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pegboard import Start, TakeBack
from pegboard.errors import JournalError, JournalFailed
from pegboard.storage import verified_copies
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import read_events
from pegboard.storage.rescue import backups as backing_up
from pegboard.storage.rescue.backups import (
    Backup,
    back_up,
    is_backup_due,
    list_backups,
    remove_schema_copies,
    select_needless,
    select_outdated,
)
from pegboard.storage.schema import BACKUPS, COPY, FILE, MIN_READER
from pegboard.storage.verified_copies import verify
from tests.bench.history import season
from tests.storage.test_old_journals import copy_journal
from tests.support.power_cut import cut_after
from tests.support.scoreboard_on_a_folder import Table, finish

NOW_S = 1_796_000_000.0

DAY_S = 86_400


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path / "table")
    finish(table)
    return table


def names(folder):
    return sorted(path.name for path in (folder / BACKUPS).iterdir() if path.name != "lock")


def test_a_backup_is_the_whole_journal_verified_and_its_owners_alone(table):
    backup, contents = back_up(table.folder, NOW_S)
    assert list_backups(table.folder) == [backup]
    assert backup.is_intact()
    assert backup.made == datetime.fromtimestamp(int(NOW_S), UTC)
    assert verify(backup.path) == contents
    with read_events(table.folder) as rows:
        assert contents.events == len(list(rows))
    assert contents.epoch == table.journal.epoch
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in (table.folder / BACKUPS).iterdir()}
    assert modes == {"lock": 0o600, backup.path.name: 0o600}
    assert stat.S_IMODE((table.folder / BACKUPS).stat().st_mode) == 0o700


@pytest.fixture
def _many_pauses(monkeypatch):
    """A small journal takes long."""
    monkeypatch.setattr(backing_up, "STEPS", 10)
    monkeypatch.setattr(verified_copies, "STEPS", 10)


@pytest.mark.usefixtures("_many_pauses")
def test_scores_are_taken_while_a_backup_is_made(table):
    """They wait for nothing, and are in the next one."""
    pauses, before = itertools.count(), table.journal.last_id

    def pause():
        if next(pauses) == 60:  # it reads what the journal was when it began
            finish_next(table)

    _, contents = back_up(table.folder, NOW_S, pause)
    assert table.journal.last_id > before == contents.events
    assert is_backup_due(table.folder)
    assert back_up(table.folder, NOW_S)[1].events == table.journal.last_id
    assert not is_backup_due(table.folder)


def finish_next(table):
    table.ask(Start(table.view.game.rules, table.view.game.players))
    finish(table)


# --- when one is due ---


def test_a_backup_is_due_once_a_finished_game_has_changed(tmp_path):
    table = Table(tmp_path)
    assert not is_backup_due(tmp_path / "none")
    table.score(0, 5)
    assert not is_backup_due(tmp_path), "nothing is finished"
    finish(table)
    assert is_backup_due(tmp_path)
    back_up(tmp_path, NOW_S)
    assert not is_backup_due(tmp_path)
    table.rule(TakeBack())
    table.score(0, 11)
    assert is_backup_due(tmp_path), "its result was corrected"


def test_a_backup_of_another_journal_is_none_of_this_one(table, tmp_path):
    back_up(table.folder, NOW_S)
    other = Table(tmp_path / "other")
    finish(other)
    shutil.copytree(table.folder / BACKUPS, other.folder / BACKUPS)
    assert is_backup_due(other.folder)


# --- which stay ---


def made(number, days):
    day = datetime.fromtimestamp(NOW_S, UTC) + timedelta(days=days, minutes=number)
    return Backup(number, day, "0" * 16, Path(f"{number}.db"))


def staying(days):
    """The numbers that stay of backups made on these days, one after the other."""
    newest_first = [made(number, day) for number, day in enumerate(days, 1)][::-1]
    gone = {backup.number for backup in select_outdated(newest_first)}
    return [backup.number for backup in newest_first if backup.number not in gone]


def test_the_ten_newest_stay():
    assert staying([0] * 12) == [*range(12, 2, -1)]


def test_the_last_of_each_of_fourteen_days_stays_too():
    """Three a day for twenty days: 60 is the last."""
    days = [day for day in range(20) for _ in range(3)]
    assert staying(days) == [*range(60, 50, -1), *range(48, 20, -3)]


def test_days_count_on_which_there_was_a_game():
    """A table that is used on Fridays has fourteen Fridays."""
    days = [7 * week for week in range(20) for _ in range(2)]
    assert staying(days) == [*range(40, 30, -1), *range(30, 12, -2)]


def test_the_newest_stays_by_whatever_clock():
    """A Pi that has lost its time makes backups of 1970; they are the newest all the same."""
    assert staying([*range(30), *[-9000] * 12])[:10] == [*range(42, 32, -1)]


def test_older_ones_go_once_the_new_one_is_verified(table):
    for n in range(30):
        back_up(table.folder, NOW_S + n * DAY_S)
    kept = list_backups(table.folder)
    assert [backup.number for backup in kept] == [*range(30, 16, -1)]
    assert all(backup.is_intact() for backup in kept)


# --- what counts ---


def flip_a_bit(path):
    with path.open("r+b") as file:
        file.seek(path.stat().st_size // 2)
        byte = file.read(1)[0]
        file.seek(-1, os.SEEK_CUR)
        file.write(bytes([byte ^ 4]))


def test_a_copy_that_the_disk_has_damaged_does_not_count(table, monkeypatch):
    """A bit flips on the way to the disk: in a row, which SQLite does not notice, so that the chain must."""
    back_up(table.folder, NOW_S)
    before = names(table.folder)

    def write_wrongly(path):
        with sqlite3.connect(path) as db:
            db.execute("DROP TRIGGER event_stays")
            db.execute("UPDATE event SET at = at + 1 WHERE id = 2")
        db.close()

    monkeypatch.setattr(verified_copies, "sync_file", write_wrongly)
    with pytest.raises(JournalError, match="journal entry 2 was altered or damaged"):
        back_up(table.folder, NOW_S)
    assert names(table.folder) == before
    monkeypatch.setattr(verified_copies, "broken_rows", lambda _db: ())
    back_up(table.folder, NOW_S)  # the control: without the chain it would count
    assert len(names(table.folder)) == 2


def test_a_damaged_journal_is_not_backed_up_over_good_ones(table):
    for n in range(14):
        back_up(table.folder, NOW_S + n)
    before = names(table.folder)
    table.journal.close()
    with sqlite3.connect(table.folder / FILE) as db:
        db.execute("DROP TRIGGER event_stays")
        db.execute("UPDATE event SET body = replace(body, '110', '111')")
    db.close()
    with pytest.raises(JournalError, match="is damaged"):
        back_up(table.folder, NOW_S + 99)
    assert names(table.folder) == before


def test_a_journal_without_its_version_is_not_backed_up(table):
    """Its rows fit, but no table would take it."""
    table.journal.close()
    with contextlib.closing(sqlite3.connect(table.folder / FILE)) as db:
        db.execute("PRAGMA user_version = 0")
    with pytest.raises(JournalError, match="the journal's header is damaged"):
        back_up(table.folder, NOW_S)


def test_a_backup_that_rots_later_is_known(table):
    backup, _ = back_up(table.folder, NOW_S)
    assert backup.is_intact()
    flip_a_bit(backup.path)
    assert not backup.is_intact()


@pytest.mark.parametrize("name", ["000001-20261130T115320Z.part", "000009-20261130T115320Z.db", "copy.db", "x"])
def test_other_files_are_no_backups(table, name):
    (table.folder / BACKUPS).mkdir()
    (table.folder / BACKUPS / name).write_bytes(b"half")
    assert list_backups(table.folder) == []
    back_up(table.folder, NOW_S)
    assert [backup.number for backup in list_backups(table.folder)] == [1]


def test_a_link_is_no_backup_and_none_is_written_through_one(table, tmp_path):
    backup, _ = back_up(table.folder, NOW_S)
    (table.folder / BACKUPS / backup.path.name.replace("000001", "000002")).symlink_to(backup.path)
    assert list_backups(table.folder) == [backup]
    shutil.move(table.folder / BACKUPS, tmp_path / "elsewhere")
    (table.folder / BACKUPS).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotADirectoryError):
        back_up(table.folder, NOW_S)


# --- failures ---


def test_a_power_cut_at_any_step_leaves_no_half_backup(table, tmp_path, monkeypatch):
    done, count = False, 0
    while not done:
        folder = tmp_path / f"cut-{count}"
        shutil.copytree(table.folder, folder)
        for n in range(11):
            back_up(folder, NOW_S + n)
        with cut_after(count, monkeypatch) as cut:
            back_up(folder, NOW_S + DAY_S)
        done = not cut.happened
        found = list_backups(folder)
        assert len(found) >= 10
        assert all(backup.is_intact() and verify(backup.path) for backup in found)
        back_up(folder, NOW_S + 2 * DAY_S)
        assert set(names(folder)) == {backup.path.name for backup in list_backups(folder)}
        shutil.rmtree(folder)
        count += 1
    assert count > 8


def test_it_is_on_disk_before_it_has_its_name(table, monkeypatch):
    steps = []
    for owner, name in ((os, "fsync"), (Path, "replace"), (Path, "unlink")):
        real = getattr(owner, name)

        def note(*arguments, real=real, name=name, **more):
            steps.append(name)
            return real(*arguments, **more)

        monkeypatch.setattr(owner, name, note)
    back_up(table.folder, NOW_S)
    assert steps[:4] == ["unlink", "fsync", "replace", "fsync"]


def test_a_full_disk_leaves_no_half_file(table):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    back_up(table.folder, NOW_S)
    before = names(table.folder)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        with pytest.raises(JournalFailed, match="cannot copy the journal"):
            back_up(table.folder, NOW_S + 1)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert names(table.folder) == before


def test_the_last_room_on_the_disk_is_left_for_scores(table, monkeypatch):
    usage = shutil.disk_usage(table.folder)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=31_000_000))
    with pytest.raises(JournalFailed, match="needs 33 MB, but only 31 MB are free"):
        back_up(table.folder, NOW_S)
    assert list_backups(table.folder) == []


def test_one_at_a_time(table):
    back_up(table.folder, NOW_S)
    with (table.folder / BACKUPS / "lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(JournalFailed, match="another process is making a backup"):
            back_up(table.folder, NOW_S)


@pytest.mark.usefixtures("_many_pauses")
def test_one_that_is_given_up_leaves_nothing(table):
    with pytest.raises(JournalFailed):
        back_up(table.folder, NOW_S, lambda: 1)
    assert names(table.folder) == []


def test_without_a_journal_there_is_nothing_to_back_up(tmp_path):
    with pytest.raises(JournalError, match="there is no journal"):
        back_up(tmp_path, NOW_S)
    assert list(tmp_path.iterdir()) == []


# --- copies from before migrations ---


@pytest.fixture(params=[1, 3])
def migrated(request, tmp_path):
    with Journal(copy_journal(tmp_path, request.param)):
        pass
    return tmp_path / COPY.format(request.param), tmp_path


def test_the_copy_for_one_step_back_stays(migrated):
    copy, folder = migrated
    backup, _ = back_up(folder, NOW_S)
    assert remove_schema_copies(folder, backup.path) == []
    assert copy.exists()


def test_an_older_copy_goes_once_the_journal_is_verified(migrated):
    copy, folder = migrated
    newer = shutil.copy(copy, folder / COPY.format(MIN_READER - 1))
    backup, _ = back_up(folder, NOW_S)
    assert remove_schema_copies(folder, backup.path) == [copy]
    assert (copy.exists(), newer.exists()) == (False, True)


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE event SET chain = 'x' WHERE id = (SELECT max(id) FROM event)",
        "DELETE FROM event WHERE id = 3",
        "UPDATE event SET id = 1000 WHERE id = 2",
    ],
)
def test_a_copy_with_other_events_stays(migrated, change):
    copy, folder = migrated
    shutil.copy(copy, folder / COPY.format(MIN_READER - 1))
    with sqlite3.connect(copy) as db:
        for trigger in ("event_stays", "event_is_kept"):
            db.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        db.execute(change)
    db.close()
    backup, _ = back_up(folder, NOW_S)
    assert remove_schema_copies(folder, backup.path) == []
    assert copy.exists()


def test_a_copy_that_no_version_goes_back_to_is_needless(tmp_path, monkeypatch):
    """Programs of version 4 would read this journal where it is."""
    monkeypatch.setattr("pegboard.storage.rescue.backups.MIN_READER", 4)
    paths = [tmp_path / COPY.format(version) for version in range(1, 7)]
    for path in paths:
        path.touch()
    assert select_needless(tmp_path) == [paths[0], paths[1], paths[3], paths[4], paths[5]]
    assert backing_up.NEWEST == 10


# --- what it takes ---

PEAK = """
import re, sys, time
from pathlib import Path
from pegboard.storage.rescue.backups import back_up, is_backup_due
def peak_mb():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]) / 1024
before = peak_mb()
back_up(Path(sys.argv[1]), time.time())
assert not is_backup_due(Path(sys.argv[1]))
print(peak_mb() - before)
"""


@pytest.mark.long
def test_a_backup_takes_little_memory_however_large_the_journal_is(tmp_path):
    """Pages of the journal, of the copy and of its check are held; SQLite's own limit for each is 2 MB."""
    with Journal(tmp_path) as journal:
        journal.import_games(season(600))
    assert (tmp_path / FILE).stat().st_size > 6_000_000
    told = subprocess.run([sys.executable, "-c", PEAK, str(tmp_path)], capture_output=True, text=True, check=True)
    assert float(told.stdout) < 2.5
