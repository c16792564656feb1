"""Parallel check of a large import: several processes import what one imports, and each of them ends."""

import contextlib
import io
import os
import select
import signal
import sqlite3
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import BadImport
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check, read_events
from pegboard.storage.schema import FILE
from pegboard.storage.transfer import import_check as workers
from pegboard.storage.transfer.exporting import event_lines
from pegboard.storage.transfer.import_check import check_import, check_in_parallel, split_into_chunks
from pegboard.storage.transfer.import_parser import last_lines
from tests.support.season import GAMES, play_season


@pytest.fixture(scope="module")
def season(tmp_path_factory):
    """The lines of an export, and one that is empty."""
    folder = tmp_path_factory.mktemp("season")
    play_season(folder)
    with read_events(folder) as rows:
        lines = [line.encode() for line in event_lines(rows)]
    return b"".join([*lines[:20], b"\n", *lines[20:]])


def rows_in(folder):
    """All that is kept, but for the marks of the journal."""
    with contextlib.closing(sqlite3.connect(folder / FILE)) as db:
        assert db.execute("PRAGMA quick_check").fetchone() == ("ok",)
        events = db.execute("SELECT id, epoch, game, seq, at, kind, body, source, v FROM event").fetchall()
        return events, *(db.execute(f"SELECT * FROM {table}").fetchall() for table in ("game", "seat", "side"))


def import_by_one(season, folder):
    with Journal(folder) as journal:
        told = journal.import_games(check_import(io.BytesIO(season), last_lines(io.BytesIO(season)), journal.rows))
    return told, rows_in(folder)


def import_by_many(season, folder, least=1):
    chunks = split_into_chunks(io.BytesIO(season), least)
    with Journal(folder) as journal:
        told = journal.import_games(check_in_parallel(io.BytesIO(season), chunks, journal.rows))
    return told, rows_in(folder)


def test_many_processes_import_what_one_imports(season, tmp_path):
    one, many = import_by_one(season, tmp_path / "one"), import_by_many(season, tmp_path / "many")
    assert one == many
    assert one[0].games == GAMES + 1
    assert check(tmp_path / "many") == one[0].events
    assert import_by_many(season, tmp_path / "many")[0].skipped == GAMES + 1, "what is here already stays"


def test_a_machine_with_one_processor_starts_no_worker(season, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert import_by_many(season, tmp_path / "many") == import_by_one(season, tmp_path / "one")


@pytest.mark.parametrize("least", [1, 2_000, 10_000_000])
def test_chunks_hold_every_line_once_and_whole_matches(season, least):
    chunks = split_into_chunks(io.BytesIO(season), least)
    assert [chunk.start for chunk in chunks] == [0, *(chunk.end for chunk in chunks[:-1])]
    assert chunks[-1].end == len(season)
    assert len(chunks) == {1: 4, 2_000: len(chunks), 10_000_000: 1}[least]
    for chunk in chunks:
        part = season[chunk.start : chunk.end]
        before = season[: chunk.start].count(b"\n")
        assert chunk.first == before + 1
        assert chunk.last == {game: number + before for game, number in last_lines(io.BytesIO(part)).items()}
    assert sum(len(chunk.last) for chunk in chunks) == GAMES + 1


def test_interleaved_games_are_one_chunk(season):
    lines = season.splitlines(keepends=True)
    assert len(split_into_chunks([*lines[::2], *lines[1::2]], 1)) == 1


def test_a_game_continued_from_an_earlier_import_makes_all_one_chunk(season):
    """Nobody knows yet which match it is of."""
    assert len(split_into_chunks(season.splitlines(keepends=True)[1:], 1)) == 1


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 2)), min_size=1, max_size=40), st.integers(1, 300))
def test_no_match_is_split_in_whatever_order_its_lines_are(told, least):
    """Each game is of the match that its number divided by two tells."""
    begun, lines = set(), []
    for match, game in told:
        name = f"m{match}-{game}"
        kind = "dealt" if name in begun else "started"
        body = f'{{"match": "m{match}"}}' if kind == "started" else "{}"
        begun.add(name)
        lines.append(
            f'{{"game": "{name}", "seq": 1, "at": 0, "source": "", "kind": "{kind}", "body": {body}}}\n'.encode()
        )
    where = {}
    for number, chunk in enumerate(split_into_chunks(lines, least)):
        for game in chunk.last:
            where.setdefault(game.partition("-")[0], set()).add(number)
    assert all(len(numbers) == 1 for numbers in where.values())


def test_the_first_impossible_line_is_named_by_its_number(season, tmp_path):
    lines = season.splitlines(keepends=True)
    place = next(n for n in range(26, len(lines)) if b'"kind": "scored"' in lines[n])
    for number in (place, len(lines) - 1):
        lines[number] = lines[number].replace(b'"points":', b'"points":99')
    with pytest.raises(BadImport, match=rf"^line {place + 1}: "):
        import_by_many(b"".join(lines), tmp_path)
    assert check(tmp_path) == 0


def test_a_line_that_names_two_games_is_refused(season, tmp_path):
    lines = season.splitlines(keepends=True)
    place = next(n for n in range(26, len(lines)) if b'"kind": "scored"' in lines[n])
    lines[place] = lines[place].replace(b'"body": {', b'"g\\u0061me": "another", "body": {')
    with pytest.raises(BadImport, match=rf'^line {place + 1}: "game" appears twice'):
        import_by_many(b"".join(lines), tmp_path)


@pytest.mark.parametrize("command", [(sys.executable, "-c", "raise SystemExit(1)"), ("/nowhere/python",)])
def test_the_task_of_a_worker_that_dies_is_checked_here(season, tmp_path, monkeypatch, command):
    """As where the system has no memory for it, or does not let it start."""
    monkeypatch.setattr(workers, "COMMAND", command)
    assert import_by_many(season, tmp_path / "many") == import_by_one(season, tmp_path / "one")


def test_ctrl_c_reaches_only_the_command_and_nothing_is_imported(season, tmp_path):
    """A terminal sends it to every process."""
    (tmp_path / "season").write_bytes(season)
    words = f"""
import io, os, signal, sys, time
from pegboard.storage.transfer import import_check as workers
from pegboard.cli.main import main
workers.split_into_chunks.__defaults__ = (1,)
task_of, sent = workers._task, []
def wait_for_ctrl_c(lines, chunk, stored):
    sent.append(chunk)
    if len(sent) < 4:  # until every worker has answered
        return task_of(lines, chunk, stored)
    print("begun", flush=True)
    try:
        time.sleep(20)
    except KeyboardInterrupt:
        time.sleep(0.3)  # in which a worker that hears it would say so
        raise
workers._task = wait_for_ctrl_c
if __name__ == "__main__":
    main(["import", {str(tmp_path / "season")!r}, "--state", {str(tmp_path / "state")!r}])
"""
    (tmp_path / "program.py").write_text(words)
    command = [sys.executable, str(tmp_path / "program.py")]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, start_new_session=True) as process:
        assert process.stdout.readline() == b"begun\n"
        os.killpg(process.pid, signal.SIGINT)
        assert process.wait(60) == 130
        assert process.stderr.read().strip() == b""
    assert check(tmp_path / "state") == 0


PROGRAM = """
import io, sys, pegboard.storage.transfer.import_check as workers
season = io.BytesIO(open(sys.argv[1], "rb").read())
if __name__ == "__main__":
    chunks = workers.split_into_chunks(season, 1)
    for _ in workers.check_in_parallel(season, chunks, lambda _: ()):
        print("begun", flush=True)
        sys.stdin.read()
"""


def test_no_worker_outlives_the_process_that_started_it(season, tmp_path):
    (tmp_path / "season").write_bytes(season)
    (tmp_path / "program.py").write_text(PROGRAM)
    command = [sys.executable, str(tmp_path / "program.py"), str(tmp_path / "season")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline() == b"begun\n"
        process.send_signal(signal.SIGKILL)
        assert process.wait(60) == -signal.SIGKILL
        assert select.select([process.stdout], [], [], 10)[0], "every worker has the output open until it ends"
        assert process.stdout.read() == b""
