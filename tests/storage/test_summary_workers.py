"""Summaries by worker processes are those of one process, whatever becomes of the workers, and each of them ends."""

import contextlib
import os
import select
import signal
import sqlite3
import subprocess
import sys

import pytest

from pegboard.storage import summary as workers
from pegboard.storage.schema import FILE, rebuild_summary
from tests.support.season import GAMES, play_season


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    folder = tmp_path_factory.mktemp("season")
    play_season(folder)
    return folder / FILE


@pytest.fixture
def eager(monkeypatch):
    """Two workers for the fewest games, and many batches."""
    monkeypatch.setattr(workers, "FEWEST", 1)
    monkeypatch.setattr(workers, "BATCH", 2)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})


def rebuilt(path):
    """The summary of a journal as it is made anew; the journal stays as it is."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("BEGIN")
        rebuild_summary(db, lambda: None)
        return [db.execute(f"SELECT * FROM {name} ORDER BY 1, 3").fetchall() for name in ("game", "seat", "side")]


def test_workers_make_what_one_process_makes(season, eager, monkeypatch):
    here = []
    summarize = workers._summarize_here
    monkeypatch.setattr(workers, "_summarize_here", lambda games: here.append(games) or summarize(games))
    by_many = rebuilt(season)
    assert not here, "all of it was done by workers"
    monkeypatch.setattr(workers, "FEWEST", GAMES + 2)
    assert rebuilt(season) == by_many
    assert len(here) > 1
    assert [len(rows) for rows in by_many] == [GAMES + 1, 2 * (GAMES + 1), 2 * (GAMES - 1)]


@pytest.mark.parametrize(
    "command",
    [
        (sys.executable, "-c", "raise SystemExit(1)"),
        (sys.executable, "-c", "import os, time; time.sleep(0.3); os.kill(os.getpid(), 9)"),
        ("/nowhere/python",),
    ],
    ids=["ends at once", "is killed", "cannot be started"],
)
def test_what_a_worker_does_not_do_is_done_here(season, eager, monkeypatch, command):
    """As where the system has no memory for it, or does not let it start."""
    expected = rebuilt(season)
    monkeypatch.setattr(workers, "COMMAND", command)
    assert rebuilt(season) == expected


def test_a_game_that_cannot_be_replayed_raises_what_one_process_raises(season, eager, tmp_path, monkeypatch):
    path = tmp_path / FILE
    path.write_bytes(season.read_bytes())
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("DROP TRIGGER event_stays")
        db.execute("UPDATE event SET body = '{\"seat\": 7}' WHERE kind = 'scored'")
        db.commit()
    with pytest.raises(TypeError) as by_many:
        rebuilt(path)
    monkeypatch.setattr(workers, "FEWEST", GAMES + 2)
    with pytest.raises(TypeError) as by_one:
        rebuilt(path)
    assert str(by_many.value) == str(by_one.value)


def test_few_games_start_no_process(season, monkeypatch):
    monkeypatch.setattr(subprocess, "Popen", None)
    assert rebuilt(season)


def test_one_processor_starts_no_process(season, eager, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    monkeypatch.setattr(subprocess, "Popen", None)
    assert rebuilt(season)


PROGRAM = """
import sys
from pegboard.storage import summary as workers
from pegboard.storage.worker_process import start_worker
with start_worker(workers.COMMAND) as connection:
    connection.send([])
    assert connection.recv() == []
    print("begun", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT, None], ids=["killed", "Ctrl-C", "ended"])
def test_no_worker_outlives_the_process_that_started_it(tmp_path, how):
    """And a terminal's Ctrl-C is left to that process."""
    (tmp_path / "program.py").write_text(PROGRAM)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    command = [sys.executable, str(tmp_path / "program.py")]
    with subprocess.Popen(command, **pipes, start_new_session=True) as process:
        assert process.stdout.readline() == b"begun\n"
        if how is None:
            process.stdin.close()
        else:
            os.killpg(process.pid, how)
        assert process.wait(60) == (0 if how is None else -how)
        assert select.select([process.stdout], [], [], 10)[0], "every worker has the output open until it ends"
        assert process.stdout.read() == b""
        assert process.stderr.read().count(b"Traceback") == (how == signal.SIGINT)
