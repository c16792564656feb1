"""`backup`, `restore`, `rebuild` and `check`, as they are typed: in this process, in one of their own, and as root."""

import contextlib
import json
import os
import pwd
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from pegboard import Start
from pegboard.cli.main import main
from pegboard.storage.journal.journal import Journal
from pegboard.storage.rescue import restoring
from pegboard.storage.rescue.backups import back_up, list_backups
from pegboard.storage.rescue.quarantine import OUTCOME, list_quarantined, quarantine
from pegboard.storage.rescue.salvage import salvage
from pegboard.storage.schema import BACKUPS, FILE, SCHEMA_VERSION
from pegboard.storage.verified_copies import verify
from tests.cli.test_state_owner import let_everybody_through
from tests.support import forked
from tests.support.damage import change_row
from tests.support.power_cut import cut_after
from tests.support.scoreboard_on_a_folder import Table, finish


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path / "table")
    finish(table)
    table.ask(Start(table.view.game.rules, table.view.game.players))
    table.score(0, 5)
    return table


@pytest.fixture
def state(table):
    """The folder of a table that has ended."""
    table.journal.close()
    return table.folder


def run(*words, status=0, **more):
    """What a command prints in this process."""
    ran = CliRunner().invoke(main, list(map(str, words)), **more)
    assert ran.exit_code == status, ran.output
    assert "Traceback" not in ran.output
    return ran.output


def run_apart(*words, status=0):
    """What a command prints in a process of its own."""
    ran = forked.run(list(map(str, words)))
    assert ran.returncode == status, ran
    assert "Traceback" not in ran.stderr
    return ran.stdout + ran.stderr


def events_in(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        return db.execute("SELECT id, chain FROM event ORDER BY id").fetchall()


def epoch_of(folder):
    with contextlib.closing(sqlite3.connect(folder / FILE)) as db:
        return db.execute("SELECT epoch FROM about").fetchone()[0]


def flip_last_bit(path):
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)


# --- backup ---


def test_backup_beside_a_running_table(table):
    said = run("backup", "--state", table.folder)
    (made,) = list_backups(table.folder)
    assert said == f"Verified backup of 6 events of 2 games: {made.path}\n"
    assert events_in(made.path) == events_in(table.folder / FILE)
    told = json.loads(run("backup", "--state", table.folder, "--json"))
    assert told == {"file": str(list_backups(table.folder)[0].path), "events": 6, "games": 2}


def test_backup_into_a_file(state, tmp_path):
    file = tmp_path / "usb.db"
    assert f"Verified backup of 6 events of 2 games: {file}" in run_apart("backup", "--state", state, file)
    assert verify(file).events == 6
    assert file.stat().st_mode & 0o777 == 0o600
    before = file.read_bytes()
    assert "usb.db already exists; choose another file name" in run("backup", "--state", state, file, status=1)
    assert file.read_bytes() == before


def test_backup_of_a_damaged_journal_leaves_no_file(state, tmp_path):
    change_row(state, "UPDATE event SET at = at + 1 WHERE id = 3")
    said = run("backup", "--state", state, tmp_path / "usb.db", status=2)
    assert "journal entry 3 was altered or damaged" in said
    assert not (tmp_path / "usb.db").exists()
    assert list_backups(state) == []


def test_backup_without_a_journal(tmp_path):
    assert "there is no journal in" in run("backup", "--state", tmp_path / "none", status=2)
    assert not (tmp_path / "none").exists()


# --- restore ---


def test_restore_takes_the_place_of_the_journal_which_is_kept(state, tmp_path):
    file = tmp_path / "usb.db"
    run("backup", "--state", state, file)
    with Journal(state) as journal:
        before = journal.epoch
    table = Table(state)
    table.taps = iter([f"later-{'0' * 16}"])
    table.score(1, 7)
    table.journal.close()
    played, restored = events_in(state / FILE), events_in(file)
    said = run("restore", "--state", state, file, "--yes")
    (room,) = list_quarantined(state)
    assert said == f"Restored 6 events of 2 games from {file}.\nThe old journal is in {room}.\n"
    assert events_in(state / FILE) == restored == played[:-1]
    assert events_in(room / FILE) == played
    assert json.loads((room / OUTCOME).read_text())["what"] == "restored"
    assert epoch_of(state) != before, "pages that are open notice"
    assert verify(list_backups(state)[0].path).epoch == epoch_of(state)
    with Journal(state) as journal:
        assert journal.last_id == 6


def test_restore_newest_is_the_newest_good_one(state):
    first, _ = back_up(state, 1_796_000_000)
    bad, _ = back_up(state, 1_796_000_001)
    flip_last_bit(bad.path)
    told = json.loads(run("restore", "newest", "--yes", "--json", "--state", state))
    assert told["file"] == str(first.path)
    assert Path(told["quarantine"]) == list_quarantined(state)[0]


def test_restore_asks_before(state):
    back_up(state, 1_796_000_000)
    before = events_in(state / FILE), epoch_of(state)
    said = run("restore", "newest", "--state", state, input="n\n", status=1)
    assert "holds 6 events of 2 games" in said
    assert "nothing was changed" in said
    assert "restoring a backup needs a confirmation; use --yes to skip it" in run_apart(
        "restore", "newest", "--state", state, status=1
    )
    assert (events_in(state / FILE), epoch_of(state)) == before
    assert not (state / "quarantine").exists()
    assert not list(state.glob("*.part"))
    run("restore", "newest", "--state", state, input="y\n")
    assert epoch_of(state) != before[1]


def test_restore_refuses_while_a_table_runs(table):
    back_up(table.folder, 1_796_000_000)
    said = run_apart("restore", "newest", "--yes", "--state", table.folder, status=1)
    assert f"another pegboard (process {os.getpid()})" in said
    assert not (table.folder / "quarantine").exists()


def damaged(file):
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("DROP TRIGGER event_stays")
        db.execute("UPDATE event SET at = 5 WHERE id = 2")


def newer(file):
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")


def foreign(file):
    file.unlink()
    with contextlib.closing(sqlite3.connect(file, isolation_level=None)) as db:
        db.execute("CREATE TABLE shopping (what)")


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (damaged, "journal entry 2 was altered or damaged"),
        (
            lambda file: file.write_bytes(b"no database, but words enough to look like a file of some length" * 99),
            "usb.db",
        ),
        (lambda file: file.write_bytes(b""), "is not a pegboard journal"),
        (foreign, "is not a pegboard journal"),
        (newer, "newer pegboard"),
        (Path.unlink, "usb.db"),
    ],
)
def test_restore_takes_no_file_that_is_not_good(state, tmp_path, spoil, sentence):
    file = tmp_path / "usb.db"
    run("backup", "--state", state, file)
    spoil(file)
    before = events_in(state / FILE), epoch_of(state)
    ran = CliRunner().invoke(main, ["restore", str(file), "--yes", "--state", str(state)])
    assert ran.exit_code in {1, 2}
    assert sentence in ran.output
    assert (events_in(state / FILE), epoch_of(state)) == before
    assert not list(state.glob("*.part*"))


def test_restore_newest_without_any(state):
    assert "there is no good backup in" in run("restore", "newest", "--yes", "--state", state, status=2)


def test_restore_onto_a_new_card(state, tmp_path):
    run("backup", "--state", state, tmp_path / "usb.db")
    new = tmp_path / "new"
    said = run("restore", tmp_path / "usb.db", "--yes", "--state", new)
    assert "quarantine" not in said
    assert events_in(new / FILE) == events_in(state / FILE)


def test_restore_of_a_journal_that_was_not_closed_has_what_is_in_its_log(table, tmp_path):
    """As one in quarantine may be after a kill."""
    killed = shutil.copytree(table.folder, tmp_path / "killed")
    assert (killed / f"{FILE}-wal").stat().st_size
    new = tmp_path / "new"
    run("restore", killed / FILE, "--yes", "--state", new)
    assert events_in(new / FILE) == events_in(table.folder / FILE)
    assert (killed / f"{FILE}-wal").stat().st_size, "it stays as it was"


def test_a_power_cut_while_restoring_leaves_one_journal_whole(state, tmp_path, monkeypatch):
    """Where the journal is in quarantine and its place is empty, the next start takes it out of there."""
    backup, _ = back_up(state, 1_796_000_000)
    with sqlite3.connect(state / FILE) as db:
        whole = db.execute("SELECT id, chain FROM event").fetchall()
    db.close()
    done, count = False, 0
    while not done:
        folder = shutil.copytree(state, tmp_path / f"cut-{count}")
        with (
            (folder / BACKUPS / backup.path.name).open("rb") as source,
            restoring.prepare_restore(folder, source, backup.path) as prepared,
            cut_after(count, monkeypatch) as cut,
        ):
            prepared.put_back()
        done = not cut.happened
        if not (folder / FILE).exists():
            salvage(folder, restoring_room(folder), lambda: None)
        assert events_in(folder / FILE) == whole
        shutil.rmtree(folder)
        count += 1
    assert count > 8


def restoring_room(folder):
    from pegboard.storage.rescue.quarantine import find_unsalvaged  # noqa: PLC0415

    room = find_unsalvaged(folder)
    assert room is not None
    return room


# --- rebuild ---


def test_rebuild_makes_lists_and_statistics_anew(state):
    assert "ok    summary" in run("check", "--state", state)
    change_row(state, "UPDATE game SET card = replace(card, 'Ann', 'Eve')")
    change_row(state, "DELETE FROM side")
    said = run("check", "--state", state, status=1)
    assert "FAIL  summary: lists and statistics differ from the events in 1 game: game" in said
    assert "of Ann and Bob" in said
    assert run("rebuild", "--state", state) == "Rebuilt lists and statistics of 2 games.\n"
    assert "ok    summary" in run("check", "--state", state)
    assert json.loads(run("rebuild", "--json", "--state", state)) == {"games": 2}


def test_rebuild_refuses_while_a_table_runs(table):
    said = run_apart("rebuild", "--state", table.folder, status=1)
    assert f"another pegboard (process {os.getpid()})" in said


def test_rebuild_without_a_journal_makes_none(tmp_path):
    assert "there is no journal" in run("rebuild", "--state", tmp_path, status=2)
    assert list(tmp_path.iterdir()) == []


# --- check ---


def test_check_beside_a_running_table(table):
    back_up(table.folder, 1_796_000_000)
    before = {path: path.stat().st_mtime_ns for path in table.folder.iterdir() if path.name != f"{FILE}-shm"}
    said = run("check", "--state", table.folder)
    assert f"{table.folder} holds 6 events in 2 games" in said
    assert all(line.startswith("ok  ") for line in said.splitlines())
    assert {path: path.stat().st_mtime_ns for path in before} == before, "nothing is changed"
    assert table.score(1, 2).entry is not None


def findings(*words, status):
    return {one["name"]: one for one in json.loads(run("check", "--json", *words, status=status))}


def test_check_names_the_rows_that_do_not_fit(state):
    change_row(state, "UPDATE event SET at = at + 1 WHERE id = 5")
    found = findings("--state", state, status=1)
    assert found["journal"]["ok"]
    assert not found["chain"]["ok"]
    assert found["chain"]["sentence"].startswith("event 5 was altered or damaged in game ")
    assert found["chain"]["sentence"].endswith(" of Ann and Bob")


def test_check_names_a_damaged_backup(state):
    good, _ = back_up(state, 1_796_000_000)
    bad, _ = back_up(state, 1_796_000_001)
    flip_last_bit(bad.path)
    found = findings("--state", state, status=1)
    assert (found["backup 1"]["ok"], found["backup 2"]["ok"]) == (True, False)
    assert found["backup 2"]["remedy"] == f"rm {bad.path}"
    assert good.path.name in found["backup 1"]["sentence"]


@pytest.mark.parametrize("spoil", [lambda path: path.write_bytes(b"x" * 9000), lambda path: path.write_bytes(b"")])
def test_check_of_a_file_that_is_no_database_tells_the_rest_too(state, spoil):
    back_up(state, 1_796_000_000)
    spoil(state / FILE)
    found = findings("--state", state, status=1)
    assert not found["journal"]["ok"]
    assert found["backup 1"]["ok"]


def test_check_of_a_newer_journal_does_not_advise_to_replace_it(state):
    with sqlite3.connect(state / FILE) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    db.close()
    found = findings("--state", state, status=1)["journal"]
    assert "install that version" in found["sentence"]
    assert found["remedy"] == ""


def test_check_tells_of_rights_quarantine_and_incomplete_games(state):
    change_row(state, "UPDATE event SET at = at + 1 WHERE id = 2")
    room = quarantine(state)
    salvage(state, room, lambda: None)
    (state / FILE).chmod(0o644)
    found = findings("--state", state, status=1)
    assert str(state / FILE) in found["rights"]["sentence"]
    assert str(room) in found["quarantine"]["sentence"]
    assert (
        "lack events or may lack some: game game-0-1 of Ann and Bob (with 1 event)"
        in found["incomplete games"]["sentence"]
    )


def test_check_of_an_empty_folder(tmp_path):
    assert "journal: none in" in run("check", "--state", tmp_path / "none")
    assert not (tmp_path / "none").exists()


# --- root, at the scores of another account ---

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root acts for another account")


@pytest.fixture
def theirs(state, tmp_path):
    """The folder belongs to nobody, and the caller's own to root alone."""
    nobody = pwd.getpwnam("nobody")
    let_everybody_through(tmp_path)
    for path in (state, *state.rglob("*")):
        os.chown(path, nobody.pw_uid, nobody.pw_gid)
    own = tmp_path / "own"
    own.mkdir(mode=0o700)
    return state, own, nobody.pw_uid


@pytest.mark.sampled
@needs_root
def test_root_leaves_no_file_of_its_own_in_the_folder(theirs):
    state, own, uid = theirs
    run_apart("backup", "--state", state)
    run_apart("backup", "--state", state, own / "usb.db")
    run_apart("check", "--state", state)
    run_apart("rebuild", "--state", state)
    run_apart("restore", own / "usb.db", "--yes", "--state", state)
    run_apart("restore", "newest", "--yes", "--state", state)
    assert {path.stat().st_uid for path in (state, *state.rglob("*"))} == {uid}
    assert (own / "usb.db").stat().st_uid == 0
    assert verify(own / "usb.db").events == 6


@needs_root
def test_the_account_cannot_have_root_write_elsewhere(theirs, tmp_path):
    """Links in the folder, made by the account, lead to a file of root's."""
    state, own, uid = theirs
    victim = own / "victim"
    victim.write_text("precious")
    for name in (BACKUPS, "quarantine", "restored.part"):
        (state / name).symlink_to(victim)
        os.chown(state / name, uid, uid, follow_symlinks=False)
    for words in (["backup"], ["restore", "newest", "--yes"], ["rebuild"], ["check"]):
        subprocess.run([sys.executable, "-m", "pegboard", *words, "--state", str(state)], check=False)
    assert victim.read_text() == "precious"
    assert victim.stat().st_uid == 0
