"""Damage of a table that was off: the next start plays on, shows what is safe, and says what happened."""

import contextlib
import itertools
import os
import shutil
import socket
import sqlite3
import time
from pathlib import Path

import pytest

from pegboard import Start
from pegboard.errors import JournalError
from pegboard.storage.games import History
from pegboard.storage.journal import journal_mark, opening
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check
from pegboard.storage.rescue.backups import back_up
from pegboard.storage.schema import FILE
from tests.support.damage import (
    change_row,
    copy_as_if_killed,
    damage_index,
    damage_trigger,
    flip_bit,
    lose_rest_of_log,
)
from tests.support.scoreboard_on_a_folder import Table


@pytest.fixture
def killed(tmp_path):
    """The folder of a table killed at 25 to 25, with all of it in the log."""
    table = Table(tmp_path / "table")
    for score in range(10):
        table.score(score % 2, 5)
    folder = copy_as_if_killed(tmp_path / "table", tmp_path / "killed")
    table.journal.close()
    return folder


@pytest.fixture
def off(killed):
    """The same after an orderly end: all of it in the database."""
    Table(killed).journal.close()
    return killed


def start(folder):
    """The table, and the keys of what it says."""
    table = Table(folder)
    table.taps = (f"new-tap-{n:016}" for n in itertools.count(1))
    return table, [message.key for message in table.alarms]


def values(table, key):
    (found,) = (message.values for message in table.alarms if message.key == key)
    return found


def is_playable(table):
    before = table.fronts()[0]
    table.score(0, 2)
    assert table.fronts()[0] == before + 2
    again = table.reopen()
    assert (again.fronts()[0], again.alarms) == (before + 2, [])
    again.journal.close()
    check(table.folder)


def test_nothing_is_said_of_a_table_that_was_killed(killed):
    table, said = start(killed)
    assert (said, table.fronts()) == ([], [25, 25])
    is_playable(table)


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.667, 0.75, 0.9, 0.999])
def test_flipped_bit_in_the_log_is_said_and_costs_no_score(killed, share):
    """SQLite drops all that follows without a word; the pages are still there."""
    epoch = Table(copy_as_if_killed(killed, killed.parent / "whole")).view.epoch
    wal = killed / f"{FILE}-wal"
    flip_bit(wal, int(wal.stat().st_size * share))
    table, said = start(killed)
    assert said == ["journal_rows_missing", "journal_salvaged"]
    assert (values(table, "journal_salvaged")["lost"], table.fronts()) == (0, [25, 25])
    assert table.view.epoch != epoch
    is_playable(table)


@pytest.mark.parametrize("share", [0.5, 0.75, 0.9])
@pytest.mark.parametrize("harm", [Path.unlink, lambda mark: mark.write_bytes(bytes(8192))], ids=["gone", "damaged"])
def test_flipped_bit_in_the_log_is_said_though_the_mark_is_lost_too(killed, share, harm):
    wal = killed / f"{FILE}-wal"
    flip_bit(wal, int(wal.stat().st_size * share))
    harm(killed / journal_mark.FILE)
    table, said = start(killed)
    assert said[0] == "journal_rows_missing"
    assert table.fronts() == [25, 25]
    is_playable(table)


@pytest.mark.parametrize("share", [0.5, 0.667, 0.75, 0.9])
def test_lost_tail_is_said_with_how_much_is_lost_and_under_another_epoch(killed, share):
    epoch = Table(copy_as_if_killed(killed, killed.parent / "whole")).view.epoch
    wal = killed / f"{FILE}-wal"
    flip_bit(wal, int(wal.stat().st_size * share))
    lose_rest_of_log(killed)
    table, said = start(killed)
    assert said == ["journal_rows_missing", "journal_salvaged_in_part"]
    lost = values(table, "journal_salvaged_in_part")["lost"]
    assert (lost + table.view.revision, sum(table.fronts())) == (11, 50 - 5 * lost)
    assert table.view.epoch != epoch
    assert next((killed / "quarantine").iterdir()).joinpath("outcome.json").exists()
    is_playable(table)


@pytest.mark.parametrize("step", ["salvage", "renew", "find_newest_epoch"])
def test_a_kill_before_it_is_said_leaves_it_to_the_next_start(killed, monkeypatch, step):
    flip_bit(killed / f"{FILE}-wal", (killed / f"{FILE}-wal").stat().st_size // 2)

    def be_killed(*_, **__):
        raise SystemExit

    with monkeypatch.context() as kill:
        kill.setattr(opening, step, be_killed)
        with pytest.raises(SystemExit):
            Journal(killed)
    table, said = start(killed)
    assert said[0] in {"journal_rows_missing", "journal_rescue_resumed"}
    assert table.fronts() == [25, 25]
    is_playable(table)


def test_what_was_found_while_importing_is_said_at_the_table(killed):
    flip_bit(killed / f"{FILE}-wal", (killed / f"{FILE}-wal").stat().st_size // 2)
    with Journal(killed) as journal:
        assert [finding.key for finding in journal.take_findings()] == ["journal_rows_missing", "journal_salvaged"]
    table, said = start(killed)
    assert said == ["journal_rows_missing", "journal_salvaged"]
    is_playable(table)


def test_lost_tail_comes_back_from_a_backup(killed):
    Table(killed).journal.close()
    back_up(killed, time.time())
    change_row(killed, "DELETE FROM event WHERE id > 8")
    table, said = start(killed)
    assert said == ["journal_rows_missing", "journal_salvaged"]
    assert table.fronts() == [25, 25]
    assert [card["incomplete"] for card in History(killed).games(9)["games"]] == [False]
    is_playable(table)


def test_log_that_is_lost_from_its_first_frame_is_no_new_table(killed):
    (killed / FILE).write_bytes(b"")
    flip_bit(killed / f"{FILE}-wal", 60)
    table, said = start(killed)
    assert said[:2] == ["journal_emptied", "journal_salvaged"]
    assert values(table, "journal_emptied")["count"] == 11
    is_playable(table)


def test_changed_body_in_the_running_game_is_never_shown(off):
    change_row(off, "UPDATE event SET body = replace(body, '\"points\":5', '\"points\":6') WHERE id = 4")
    table, said = start(off)
    assert said == ["journal_row_broken", "journal_salvaged_in_part"]
    assert values(table, "journal_row_broken")["event"] == 4
    assert sum(table.fronts()) % 5 == 0
    assert list((off / "quarantine").iterdir())
    is_playable(table)


@pytest.mark.sampled(least=6)
@pytest.mark.parametrize(
    ("statement", "key"),
    [
        ("UPDATE event SET body = '{' WHERE id = 5", "journal_row_broken"),
        ("UPDATE event SET body = '' WHERE id = 1", "journal_row_broken"),
        ("UPDATE event SET kind = 'scored' WHERE id = 1", "journal_row_broken"),
        ("UPDATE event SET body = x'ff' WHERE id = 11", "journal_row_broken"),
        ("UPDATE event SET body = CAST(x'22ff22' AS TEXT) WHERE id = 11", "journal_found_damaged"),
        ("DELETE FROM event WHERE id = 5", "journal_row_broken"),
        ("DELETE FROM event WHERE id = 11", "journal_rows_missing"),
        ("DELETE FROM event", "journal_rows_missing"),
        ("DROP TABLE event", "journal_found_damaged"),
        ("DROP TABLE about", "journal_found_damaged"),
        ("DROP TABLE game", "journal_found_damaged"),
        ("DELETE FROM game", "journal_summary_rebuilt"),
        ("UPDATE game SET abandoned = 1", "journal_summary_rebuilt"),
        ("UPDATE game SET match = 'x'", "journal_summary_rebuilt"),
        ("UPDATE game SET result = '{\"a\":', over = 1", "journal_summary_rebuilt"),
        ("UPDATE game SET lines = lines + 1", "journal_summary_rebuilt"),
        ("DELETE FROM seat WHERE lane = 1", "journal_summary_rebuilt"),
        ("DROP TABLE summary_checksum", "journal_summary_rebuilt"),
        ("UPDATE summary_checksum SET value = value + 1", "journal_summary_rebuilt"),
        ("INSERT INTO summary_checksum VALUES (1)", "journal_summary_rebuilt"),
        ("DELETE FROM about", "journal_head_damaged"),
        ("INSERT INTO about SELECT * FROM about", "journal_head_damaged"),
        ("PRAGMA user_version = 0", "journal_head_damaged"),
    ],
)
def test_damaged_rows_and_tables_are_said(off, statement, key):
    change_row(off, statement)
    table, said = start(off)
    assert key in said
    assert sum(table.fronts()) % 5 == 0
    is_playable(table)


def test_damaged_index_hides_no_score_of_the_running_game(off):
    damage_index(off, "sqlite_autoindex_event_2", b"game-")
    table, said = start(off)
    assert "journal_index_rebuilt" in said
    assert sum(table.fronts()) % 5 == 0
    is_playable(table)
    assert start(off)[1] == []


@pytest.mark.parametrize(("old", "new"), [("NEW.card", "NEW.casd"), ("NEW.lines", "OLD.lines")])
def test_damaged_trigger_of_the_summary_is_made_anew(off, old, new):
    damage_trigger(off, "game_update_summed", old, new)
    table, said = start(off)
    assert said == ["journal_summary_rebuilt"]
    is_playable(table)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER no_more BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'no more'); END",
        "CREATE TRIGGER fewer AFTER INSERT ON event BEGIN UPDATE game SET abandoned = 1; END",
        'CREATE VIEW "a ""view""" AS SELECT 1',
    ],
)
def test_trigger_of_another_program_is_removed_and_said(off, statement):
    with contextlib.closing(sqlite3.connect(off / FILE, isolation_level=None)) as db:
        db.execute(statement)
    table, said = start(off)
    assert (said, table.fronts()) == (["journal_trigger_removed"], [25, 25])
    is_playable(table)


def test_events_are_kept_again_where_their_triggers_are_gone(off):
    with contextlib.closing(sqlite3.connect(off / FILE, isolation_level=None)) as db:
        db.execute("DROP TRIGGER event_stays")
        db.execute("DROP TRIGGER event_is_kept")
        db.execute("CREATE TRIGGER event_is_kept BEFORE DELETE ON event BEGIN SELECT 1; END")
    table, said = start(off)
    assert (said, table.fronts()) == ([], [25, 25])
    table.journal.close()
    with contextlib.closing(sqlite3.connect(off / FILE, isolation_level=None)) as db:
        for statement in ("DELETE FROM event", "UPDATE event SET at = 0"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(statement)


def test_zero_length(off):
    (off / FILE).write_bytes(b"")
    table, said = start(off)
    assert said[:2] == ["journal_emptied", "journal_salvaged_in_part"]
    is_playable(table)


@pytest.mark.parametrize("harm", [lambda path: os.truncate(path, 0), Path.unlink])
def test_scores_in_the_log_survive_an_empty_database(killed, harm):
    """SQLite removes the log beside an empty file."""
    harm(killed / FILE)
    with pytest.raises(JournalError):
        check(killed)
    table, said = start(killed)
    assert said[:2] == ["journal_emptied", "journal_salvaged"]
    assert (values(table, "journal_salvaged")["lost"], table.fronts()) == (0, [25, 25])
    is_playable(table)


def test_journal_that_is_gone(off):
    (off / FILE).unlink()
    table, said = start(off)
    assert said[:2] == ["journal_emptied", "journal_salvaged_in_part"]
    is_playable(table)


@pytest.mark.parametrize("name", [FILE, f"{FILE}-wal", f"{FILE}-shm"])
def test_a_folder_in_the_place_of_a_file(off, name):
    """A file system that was repaired may leave one."""
    (off / name).unlink(missing_ok=True)
    (off / name).mkdir()
    (off / name / "notes.txt").write_text("what somebody put there")
    table, said = start(off)
    assert ("journal_emptied" in said) == (name == FILE)
    is_playable(table)
    (aside,) = (off / "quarantine").glob(f"*-{name}")
    assert (aside / "notes.txt").read_text() == "what somebody put there"


@pytest.mark.parametrize("name", [FILE, f"{FILE}-wal", f"{FILE}-shm"])
def test_a_pipe_in_the_place_of_a_file_keeps_nobody_waiting(killed, name):
    (killed / name).unlink(missing_ok=True)
    os.mkfifo(killed / name)
    table, said = start(killed)
    assert said[0] in {"journal_found_damaged", "journal_emptied"}
    is_playable(table)


@pytest.mark.parametrize("target", ["/dev/zero", "/tmp", "/etc/passwd", f"{FILE}-wal"])
def test_a_link_in_the_place_of_the_log_costs_no_score(off, target):
    (off / f"{FILE}-wal").symlink_to(target)
    table, findings = start(off)
    assert (findings[0], table.fronts()) == ("journal_found_damaged", [25, 25])
    is_playable(table)


def test_a_socket_in_the_place_of_the_log_costs_no_score(off, monkeypatch):
    monkeypatch.chdir(off)  # its whole path may be too long
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind(f"{FILE}-wal")
    table, findings = start(off)
    assert (findings[0], table.fronts()) == ("journal_found_damaged", [25, 25])
    is_playable(table)


def test_a_folder_in_the_place_of_the_lock(off):
    (off / "lock").unlink()
    (off / "lock").mkdir()
    table, said = start(off)
    assert said == []
    is_playable(table)


def test_a_damaged_game_that_nobody_plays_is_refused_in_words(off):
    table, _ = start(off)
    game = table.view.id
    table.win()
    table.ask(Start(table.view.game.rules, ("Cy", "Dee")))
    table.journal.close()
    change_row(off, 'UPDATE event SET body = replace(body, \'"points":5\', \'"points":"x"\')')
    history = History(off)
    with pytest.raises(JournalError, match=f"game {game} cannot be shown: its journal entries"):
        history.game(game)
    assert history.has_game(game)


@pytest.mark.parametrize("garbage", [b"once upon a time " * 1000, b"\0" * 65536, os.urandom(8192)])
def test_garbage(off, garbage):
    (off / FILE).write_bytes(garbage)
    table, said = start(off)
    assert "journal_salvaged_in_part" in said
    is_playable(table)
    (aside,) = (off / "quarantine").iterdir()
    assert (aside / FILE).read_bytes() == garbage


def test_what_nobody_knows_is_not_said_to_be_nothing(off):
    (off / FILE).write_bytes(b"once upon a time " * 1000)
    (off / journal_mark.FILE).unlink()
    assert start(off)[1][1] == "journal_salvaged_unsure"


def test_older_copy_in_its_place(tmp_path):
    table = Table(tmp_path / "table")
    table.score(0, 5)
    table.journal.close()
    shutil.copy(tmp_path / "table" / FILE, tmp_path / "older")
    table.open().score(1, 6)
    table.journal.close()
    shutil.copy(tmp_path / "older", tmp_path / "table" / FILE)
    table, said = start(tmp_path / "table")
    assert (said, table.fronts()) == (["journal_rows_missing", "journal_salvaged_in_part"], [5, 0])
    is_playable(table)


def test_mark_of_another_journal_claims_nothing(tmp_path, off):
    other = Table(tmp_path / "other")
    for _ in range(20):
        other.score(0, 1)
    other.journal.close()
    shutil.copy(tmp_path / "other" / journal_mark.FILE, off / journal_mark.FILE)
    table, said = start(off)
    assert (said, table.fronts()) == ([], [25, 25])


def test_mark_of_another_journal_counts_no_scores_as_lost_that_a_damaged_one_never_had(tmp_path, off):
    other = Table(tmp_path / "other")
    for _ in range(20):
        other.score(0, 1)
    other.journal.close()
    shutil.copy(tmp_path / "other" / journal_mark.FILE, off / journal_mark.FILE)
    change_row(off, "DROP TABLE game")
    table, said = start(off)
    assert (said, table.fronts()) == (["journal_found_damaged", "journal_salvaged"], [25, 25])
    assert values(table, "journal_salvaged")["lost"] == 0


def test_missing_mark_and_missing_index_are_made_again(killed):
    for name in (journal_mark.FILE, f"{FILE}-shm"):
        (killed / name).unlink(missing_ok=True)
    table, said = start(killed)
    assert (said, table.fronts()) == ([], [25, 25])
    is_playable(table)


@pytest.mark.sampled(least=3)
@pytest.mark.parametrize("size", [0, 1, 100, 4096, 8192, 20000])
@pytest.mark.parametrize("name", [FILE, f"{FILE}-wal"])
def test_files_that_were_cut_off(killed, name, size):
    os.truncate(killed / name, size)
    table, said = start(killed)
    assert said or table.fronts() == [25, 25]
    is_playable(table)
