"""Going back: a journal that a newer version has migrated is taken up again by this one, or it says what it cannot."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from pegboard import Rules, Score
from pegboard.core.match import Setup
from pegboard.errors import JournalError
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.storage import newer_journal
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check, read_events
from pegboard.storage.schema import COPY, FILE, SCHEMA_VERSION, copy_scores
from pegboard.table.scoreboard import Scoreboard
from tests.support.damage import change_row
from tests.support.long_runs import a_sample

ROOT = Path(__file__).parents[2]

NEWER = SCHEMA_VERSION + 1


def play(folder, *scores):
    """Peg these scores, seat and points, by a program of this version; what the board shows then."""
    with Journal(folder) as journal:
        board = Scoreboard(journal, Feed(), Setup(Rules(), ("Ann", "Bob")), clock=lambda: 1_796_000_000_000_000_000)
        for seat, points in scores:
            lane = board.view.game.revisions[seat]
            board.handle(Score(points, seat), id=os.urandom(12).hex(), source="phone", game=board.view.id, base=lane)
        return board.view


def migrate_to_newer(folder, min_reader):
    """What a newer program does: a copy first, then a table and columns of its own, and its version."""
    with sqlite3.connect(folder / FILE) as db:
        db.execute("VACUUM INTO ?", (str(folder / COPY.format(SCHEMA_VERSION)),))
        db.execute("CREATE TABLE tournament (night TEXT)")
        db.execute("ALTER TABLE game ADD COLUMN night TEXT")
        db.execute("ALTER TABLE event ADD COLUMN signed TEXT")
        db.execute("UPDATE about SET min_reader = ?", (min_reader,))
        db.execute(f"PRAGMA user_version = {NEWER}")
    db.close()


def append_as_newer(folder, kind=None, version=None):
    """A score that the newer program pegs, as the same rows; or an event of another kind or body."""
    with sqlite3.connect(folder / FILE) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        db.execute(f"UPDATE about SET min_reader = {SCHEMA_VERSION}")
    db.close()
    kept = folder / COPY.format(SCHEMA_VERSION)
    aside = kept.rename(folder / "aside.db")
    play(folder, (0, 7))
    aside.rename(kept)
    with sqlite3.connect(folder / FILE) as db:
        db.execute("DROP TRIGGER event_stays")
        if kind:
            db.execute("UPDATE event SET kind = ? WHERE id = (SELECT max(id) FROM event)", (kind,))
        if version:
            db.execute("UPDATE event SET v = ? WHERE id = (SELECT max(id) FROM event)", (version,))
        db.execute(f"PRAGMA user_version = {NEWER}")
    db.close()


def set_min_reader(folder, min_reader):
    with sqlite3.connect(folder / FILE) as db:
        db.execute("UPDATE about SET min_reader = ?", (min_reader,))
    db.close()


def pegs(view):
    return [tuple(lane) for lane in view.game.lanes]


def tables(folder):
    with sqlite3.connect(folder / FILE) as db:
        found = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    db.close()
    return found


def everything(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.suffix == ".db" and path.name != "lock"}


@pytest.fixture(params=["in place", "by its copy"])
def newer(request, tmp_path):
    """A journal of 2, 6 and 8 that a newer version has migrated, and 7 more pegged there."""
    play(tmp_path, (0, 2), (1, 6), (0, 8))
    migrate_to_newer(tmp_path, SCHEMA_VERSION)
    append_as_newer(tmp_path)
    set_min_reader(tmp_path, SCHEMA_VERSION if request.param == "in place" else NEWER)
    return tmp_path


def test_this_version_goes_on_with_every_score(newer):
    assert pegs(play(newer)) == [(17, 10), (6, 0)]
    assert check(newer) == 5
    assert pegs(play(newer, (1, 4))) == [(17, 10), (10, 6)]


def test_scores_that_the_newer_one_has_lost_are_said(newer):
    change_row(newer, "DELETE FROM event WHERE id = 5")
    with Journal(newer) as journal:
        assert [str(found) for found in journal.findings] == [str(Message("journal_lost_tail", count=1))]


def test_what_the_newer_one_has_is_kept_beside_it(newer):
    with sqlite3.connect(newer / FILE) as db:
        before = db.execute("SELECT id, chain FROM event").fetchall()
    db.close()
    play(newer)
    with sqlite3.connect(newer / COPY.format(NEWER)) as db:
        assert db.execute("SELECT id, chain FROM event").fetchall() == before
        assert db.execute("PRAGMA user_version").fetchone() == (NEWER,)
    db.close()


def test_it_may_be_migrated_and_gone_back_from_again(newer):
    play(newer, (1, 4))
    (newer / COPY.format(SCHEMA_VERSION)).unlink()
    if "tournament" in tables(newer):
        with sqlite3.connect(newer / FILE) as db:
            db.execute(f"PRAGMA user_version = {NEWER}")
        db.close()
    else:
        migrate_to_newer(newer, SCHEMA_VERSION)
    assert pegs(play(newer, (0, 1))) == [(18, 17), (10, 6)]
    assert check(newer) == 7


def test_tables_of_the_newer_one_stay_where_it_is_read_in_place(tmp_path):
    play(tmp_path, (0, 2))
    migrate_to_newer(tmp_path, SCHEMA_VERSION)
    play(tmp_path)
    assert "tournament" in tables(tmp_path)


@pytest.mark.parametrize("min_reader", [SCHEMA_VERSION, NEWER])
@pytest.mark.parametrize(("kind", "version"), [("tournament_joined", None), (None, 99)])
def test_events_that_this_version_does_not_know_are_named_and_nothing_is_changed(tmp_path, min_reader, kind, version):
    play(tmp_path, (0, 2), (1, 6))
    migrate_to_newer(tmp_path, min_reader)
    append_as_newer(tmp_path, kind, version)
    set_min_reader(tmp_path, min_reader)
    before = everything(tmp_path)
    with pytest.raises(JournalError, match=rf"has 1 entries of kinds .*\({kind or 'scored'}\)"):
        Journal(tmp_path)
    after = everything(tmp_path)
    after.pop(COPY.format(NEWER), None)
    assert after == before


def test_without_a_copy_it_is_refused(tmp_path):
    play(tmp_path, (0, 2))
    migrate_to_newer(tmp_path, NEWER)
    (tmp_path / COPY.format(SCHEMA_VERSION)).unlink()
    before = everything(tmp_path)
    with pytest.raises(JournalError, match=f"newer pegboard .format {NEWER}; this one reads up to {SCHEMA_VERSION}"):
        Journal(tmp_path)
    assert everything(tmp_path) == before


def test_the_copy_of_another_journal_is_not_taken_up(tmp_path):
    for name in ("ours", "other"):
        (tmp_path / name).mkdir()
        play(tmp_path / name, (0, 2))
    migrate_to_newer(tmp_path / "ours", NEWER)
    shutil.copy(tmp_path / "other" / FILE, tmp_path / "ours" / COPY.format(SCHEMA_VERSION))
    with pytest.raises(JournalError, match="newer pegboard"):
        Journal(tmp_path / "ours")


def test_events_in_other_columns_are_not_guessed_at(tmp_path):
    play(tmp_path, (0, 2))
    migrate_to_newer(tmp_path, NEWER)
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("ALTER TABLE event RENAME COLUMN body TO payload")
    db.close()
    with pytest.raises(JournalError, match="newer pegboard"):
        Journal(tmp_path)


def test_the_trial_of_the_earlier_version_has_all_that_it_needs(newer, tmp_path_factory):
    """What the installer copies for it is enough to go back, and leaves the scores themselves alone."""
    trial = tmp_path_factory.mktemp("trial")
    before = everything(newer)
    copy_scores(newer, trial)
    assert pegs(play(trial)) == [(17, 10), (6, 0)]
    assert everything(newer) == before


def test_a_reader_waits_for_the_table_to_have_gone_back(newer):
    with pytest.raises(JournalError, match="newer pegboard"), read_events(newer):
        pass


DIES = """
import os, signal, sqlite3, sys
from pathlib import Path
folder, k = Path(sys.argv[1]), int(sys.argv[2])
left = k
class Dying(sqlite3.Connection):
    def execute(self, *args):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return super().execute(*args)
connect = sqlite3.connect
sqlite3.connect = lambda *args, **more: connect(*args, **more, factory=Dying)
from pegboard.storage.journal.journal import Journal
Journal(folder).close()
print(k - left)
"""


def open_and_die(folder, k):
    """Open the journal in a process that is killed instead of its k-th statement; how it ended, and its statements."""
    words = [sys.executable, "-c", DIES, str(folder), str(k)]
    ran = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stdout


@pytest.mark.sampled
def test_wherever_a_process_dies_the_journal_is_whole_and_opens(newer, tmp_path_factory):
    whole = tmp_path_factory.mktemp("whole")
    shutil.copytree(newer, whole, dirs_exist_ok=True)
    code, said = open_and_die(whole, 10**6)
    assert code == 0
    steps = int(said)
    assert steps > 20
    for k in a_sample([1, 2, 3, *range(4, steps - 2, max(1, steps // 8)), steps - 2, steps - 1, steps], least=3):
        folder = tmp_path_factory.mktemp(f"died-{k}")
        shutil.copytree(newer, folder, dirs_exist_ok=True)
        assert open_and_die(folder, k)[0] == -signal.SIGKILL
        assert pegs(play(folder)) == [(17, 10), (6, 0)], k
        assert check(folder) == 5


def test_a_journal_of_this_version_is_left_alone(tmp_path):
    play(tmp_path, (0, 2))
    before = (tmp_path / FILE).stat().st_mtime_ns
    newer_journal.prepare_downgrade(tmp_path, lambda: None)
    assert (tmp_path / FILE).stat().st_mtime_ns == before
