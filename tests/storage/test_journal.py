"""The journal: on disk before anybody is answered, append-only, read by another process, checked for damage."""

import json
import os
import sqlite3
import subprocess
import sys

import pytest

from pegboard import Rules, new_game
from pegboard.core.match import Result
from pegboard.core.moves import Abandoned, Scored, Started, TakenBack
from pegboard.errors import JournalError, JournalInUse, NotStored
from pegboard.storage.event_row import replay_rows
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check, read_events
from pegboard.storage.schema import FILE, SCHEMA_VERSION, is_locked


def start(journal, game="g1", **how):
    event = Started(Rules(), ("Ann", "Bob"), match=how.pop("match", game), **how)
    journal.append(event, game=game, at=1, source="table", result=None)


def score(journal, points, lane=0, game="g1", **more):
    journal.append(Scored(lane, points, lane), game=game, at=2, source="phone", **({"result": None} | more))


def test_a_second_process_reading_raw_rows_finds_the_same_game(tmp_path):
    with Journal(tmp_path) as journal:
        start(journal)
        for points in (5, 7, 0, 12):
            score(journal, points, lane=points % 2)
        journal.append(TakenBack(2), game="g1", at=3, source="phone", result=None)
        live = replay_rows(journal.rows("g1"))
        program = (
            "import sqlite3, sys, json\n"
            "pegs, sheet = [0, 0], []\n"
            f"for kind, body in sqlite3.connect({str(tmp_path / FILE)!r}).execute("
            "'SELECT kind, body FROM event ORDER BY id'):\n"
            "    body = json.loads(body)\n"
            "    if kind == 'scored': sheet.append([body['lane'], body['points']])\n"
            "    if kind == 'taken_back': sheet[body['line'] - 1][1] = 0\n"
            "for lane, points in sheet: pegs[lane] += points\n"
            "print(json.dumps(pegs))"
        )
        found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert json.loads(found) == [lane.front for lane in live.lanes]


def test_commits_are_on_disk_wal_and_full_read_back(tmp_path):
    with Journal(tmp_path) as journal:
        assert journal._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert journal._db.execute("PRAGMA synchronous").fetchone() == (2,)


@pytest.mark.parametrize("statement", ["UPDATE event SET source = 'x'", "DELETE FROM event"])
def test_events_are_never_changed_or_removed(tmp_path, statement):
    with Journal(tmp_path) as journal:
        start(journal)
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            journal._db.execute(statement)


def test_one_process_per_folder(tmp_path):
    with Journal(tmp_path), pytest.raises(JournalError, match=f"process {os.getpid()}"):
        Journal(tmp_path)


def test_a_journal_opens_again_where_it_ended(tmp_path):
    with Journal(tmp_path) as journal:
        start(journal)
        score(journal, 5)
        epoch = journal.epoch
    with Journal(tmp_path) as journal:
        assert (journal.epoch, journal.last_id, journal.running_game()) == (epoch, 2, "g1")
        score(journal, 6)
        assert replay_rows(journal.rows("g1")).lanes[0].front == 11
    assert check(tmp_path) == 3


def test_a_journal_of_the_future_is_refused(tmp_path):
    Journal(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
        db.execute(f"UPDATE about SET min_reader = {SCHEMA_VERSION + 1}")
    with pytest.raises(JournalError, match="newer pegboard"):
        Journal(tmp_path)


def test_a_foreign_database_is_refused(tmp_path):
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("CREATE TABLE recipes (name TEXT)")
    with pytest.raises(JournalError, match="not a pegboard journal"):
        Journal(tmp_path)


def test_a_file_that_is_no_database_cannot_be_read_which_says_what_to_do(tmp_path):
    (tmp_path / FILE).write_text("once upon a time " * 1000)
    remedy = (
        "; start pegboard run to keep the entries of journal.db that can be verified, "
        "or restore a backup with pegboard restore newest"
    )
    with pytest.raises(JournalError, match=f"cannot be read: .*{remedy}"):
        check(tmp_path)


def test_a_folder_that_cannot_be_written_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(JournalError, match="--state"):
        Journal(tmp_path / "file" / "state")


def test_a_full_disk_is_reported_and_nothing_is_stored(tmp_path):
    with Journal(tmp_path) as journal:
        start(journal)
        (pages,) = journal._db.execute("PRAGMA page_count").fetchone()
        journal._db.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(NotStored, match="full"):
            fill(journal)
        kept = journal.last_id
        assert len(list(journal.rows())) == kept
        journal._db.execute("PRAGMA max_page_count = 100000")
        score(journal, 1)
        assert journal.last_id == kept + 1
    assert check(tmp_path) == kept + 1


def fill(journal):
    while True:
        score(journal, 1)


class Failing:
    """A connection whose k-th statement fails, as a dying disk would."""

    def __init__(self, db, k):
        self.db, self.left = db, k

    def execute(self, *args):
        self.left -= 1
        if self.left == 0:
            raise sqlite3.OperationalError("disk I/O error")
        return self.db.execute(*args)

    def close(self):
        self.db.close()

    @property
    def in_transaction(self):
        return self.db.in_transaction


@pytest.mark.parametrize("k", range(1, 6))
def test_whichever_statement_fails_the_journal_is_as_it_was(tmp_path, k):
    with Journal(tmp_path) as journal:
        start(journal)
        journal._db = Failing(journal._db, k)
        with pytest.raises(NotStored, match="NOT SAVED"):
            score(journal, 5)
        assert journal.last_id == 1
        score(journal, 6)
        assert replay_rows(journal.rows("g1")).lanes[0].front == 6
    assert check(tmp_path) == 2


def test_a_journal_that_cannot_be_read_stores_nothing(tmp_path):
    with Journal(tmp_path) as journal:
        start(journal)
        whole, journal._db = journal._db, Failing(journal._db, 1)
        with pytest.raises(NotStored, match="disk I/O error"):
            journal.find("tap")
        journal._db = whole


def test_the_integrity_check_finds_silent_rot(tmp_path):
    with Journal(tmp_path) as journal:
        start(journal)
        score(journal, 5)
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("DROP TRIGGER event_stays")
        db.execute("""UPDATE event SET body = replace(body, '"points":5', '"points":6')""")
    with pytest.raises(JournalError, match="entry 2 was altered or damaged"):
        check(tmp_path)


def test_reading_needs_no_lock_and_says_where_there_is_nothing(tmp_path):
    with Journal(tmp_path) as journal:
        start(journal)
        with read_events(tmp_path) as rows:
            assert [row.kind for row in rows] == ["started"]
    with pytest.raises(JournalError, match="no journal"), read_events(tmp_path / "elsewhere"):
        pass


def test_the_running_game_is_the_last_one_not_abandoned(tmp_path):
    with Journal(tmp_path) as journal:
        assert journal.running_game() is None
        start(journal, "g1")
        start(journal, "g2")
        assert (journal.running_game(), journal.previous_game("g2"), journal.previous_game("g1")) == ("g2", "g1", None)
        journal.append(Abandoned(), game="g2", at=1, source="phone", result=None)
        assert journal.running_game() == "g1"
        start(journal, "g3", replaces="g1")
        assert (journal.running_game(), journal.previous_game("g3")) == ("g3", None)


def test_a_match_counts_the_games_won_before_and_forgets_a_reopened_one(tmp_path):
    with Journal(tmp_path) as journal:
        start(journal, "g1", match="m")
        score(journal, 29, result=Result(0, 2))
        start(journal, "g2", match="m")
        assert journal.match_before("g2", 2)[1].points == (2, 0)
        score(journal, 5, game="g1", result=None)
        assert journal.match_before("g2", 2)[1].points == (0, 0)


@pytest.mark.parametrize("is_looked_after", [False, True])
def test_a_table_whose_lock_file_was_removed_keeps_others_out(tmp_path, is_looked_after):
    with Journal(tmp_path) as journal:
        start(journal)
        for _ in range(2):  # the second table makes a lock file of its own, and leaves it
            (tmp_path / "lock").unlink()
            if is_looked_after:
                journal.look_after()
            with pytest.raises(JournalInUse, match=f"another pegboard .*is using {tmp_path}"):
                Journal(tmp_path)
        score(journal, 5)
        assert journal.look_after() == []
        assert is_locked(tmp_path)
    assert not is_locked(tmp_path)
    with Journal(tmp_path) as journal:
        assert journal.last_id == 2


def test_a_command_is_found_by_its_id_with_its_line(tmp_path):
    with Journal(tmp_path) as journal:
        start(journal)
        score(journal, 5)
        score(journal, 6, command_id="tap", request="{}")
        row = journal.find("tap")
        assert (row.event, row.request, journal.line_of(row)) == (Scored(0, 6, 0), "{}", 2)
        assert journal.find("other") is None


def test_replaying_the_rows_gives_the_game_of_the_rules():
    assert replay_rows(iter(())).lanes == new_game(Rules(), ("Ann", "Bob")).lanes
