"""How the real program ends: full disks, closed pipes, plain terminals, Ctrl-C; a sentence or nothing, no traceback."""

import io
import os
import pty
import select
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from pegboard.cli.main import main
from pegboard.mqtt.joined_event import JoinedEvent, LinkTarget, write_joined
from pegboard.startup.terminal_board import MARKS
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check
from pegboard.storage.rescue.backups import back_up
from pegboard.storage.schema import FILE
from pegboard.streams import PLAIN_SIGNS, write_any_letter
from tests.support.long_runs import some_combinations, some_in
from tests.support.program import BOUND_BY_PERMISSIONS, Service
from web.access.invitation import in_terminal
from web.access.pairing_codes import Codes

ROOT = Path(__file__).parent.parent.parent
PROGRAM = [sys.executable, "-m", "pegboard"]


def ended(*words, **more):
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "timeout": 20} | more
    return subprocess.run([*PROGRAM, *map(str, words)], check=False, **options)


@pytest.fixture(scope="module")
def state(tmp_path_factory):
    """The folder of a table at which somebody has scored."""
    folder = tmp_path_factory.mktemp("table") / "state"
    with Service(folder, closed=True) as service:
        service.client(role="scorer").score(0, 5)
    back_up(folder, time.time())
    return folder


@pytest.fixture
def places(state, tmp_path):
    """Folders by the names that the rows call them: a table's, that of one that has joined an event, a hub's."""
    found = {"state": state, "joined": tmp_path / "joined", "hub": tmp_path / "hub"}
    for name in ("joined", "hub"):
        found[name].mkdir(mode=0o700)
    write_joined(found["joined"], JoinedEvent(LinkTarget("mqtt://127.0.0.1:9", "club-night", "t1")))
    Codes(found["hub"]).register("http://127.0.0.1:8090/", "127.0.0.1:8090", is_open=False)
    return found


# --- outputs that take nothing more ---

PRINTING = [
    [],
    ["--help"],
    ["run", "--help"],
    ["--version"],
    ["count", "5H5C5SJD5D"],
    ["config"],
    ["manual"],
    ["completion", "bash"],
    ["languages"],
    ["selftest", "--mock"],
    ["export", "--state", "{state}"],
    ["backup", "--state", "{state}"],
    ["check", "--state", "{state}"],
    ["rebuild", "--state", "{state}"],
    ["restore", "newest", "--yes", "--state", "{state}"],
    ["code", "--state", "{state}"],
    ["unpair", "--state", "{state}"],
    ["join", "--leave", "--state", "{joined}"],
    ["hub", "acl"],
    ["hub", "--state", "{hub}", "broker", "{hub}/for-mosquitto"],
    ["hub", "--state", "{hub}", "code"],
    ["hub", "--state", "{hub}", "event", "open", "club-night"],
    ["run", "--mock", "--port", "0", "--state", "{state}"],
]


def test_every_command_that_prints_is_tried_on_a_full_disk():
    assert set(main.commands) <= {words[0] for words in PRINTING if words} | {"import", "update", "back", "card"}


@pytest.mark.sampled(least=2)
@pytest.mark.parametrize("words", some_in(PRINTING, 3), ids=" ".join)
def test_an_output_onto_a_full_disk_is_one_sentence_and_exit_status_1(words, places):
    with Path("/dev/full").open("wb") as full:
        told = ended(*(word.format(**places) for word in words), stdout=full)
    assert (told.returncode, told.stderr) == (
        1,
        b"pegboard: cannot write the output: No space left on device\n",
    )


@pytest.mark.parametrize("words", ["count 5H 5C 5S JD 5D", "--version"])
def test_an_output_that_was_closed_from_the_start_is_a_sentence_and_exit_status_1(words):
    told = subprocess.run(["bash", "-c", f"{shlex.join(PROGRAM)} {words} >&-"], stderr=subprocess.PIPE, check=False)
    assert (told.returncode, told.stderr) == (
        1,
        b"pegboard: cannot write the output: standard output is closed\n",
    )


def test_an_import_whose_sentence_cannot_be_written_is_kept_whole(state, tmp_path):
    games = tmp_path / "games.jsonl"
    games.write_bytes(ended("export", "--state", state).stdout)
    with Path("/dev/full").open("wb") as full:
        assert ended("import", games, "--state", tmp_path / "new", stdout=full).returncode == 1
    assert check(tmp_path / "new") == check(state)


def test_a_reader_who_has_seen_enough_is_told_nothing(state):
    ours, theirs = os.pipe()
    os.close(ours)
    told = ended("export", "--state", state, stdout=theirs)
    os.close(theirs)
    assert (told.returncode, told.stderr) == (1, b"")


def test_standard_error_that_takes_nothing_changes_no_exit_status():
    with Path("/dev/full").open("wb") as full:
        assert ended("count", "joker", stderr=full).returncode == 2


# --- folders and files ---


@pytest.mark.parametrize("words", [["selftest", "--mock"], ["export"]], ids=" ".join)
def test_a_folder_that_may_not_be_read_is_said(words, tmp_path):
    folder = tmp_path / "theirs"
    folder.mkdir()
    (folder / "state").mkdir()
    folder.chmod(0)
    told = subprocess.run(
        [*BOUND_BY_PERMISSIONS, *PROGRAM, *words, "--state", str(folder / "state")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    folder.chmod(0o755)
    said = told.stdout + told.stderr
    assert f"cannot read {folder}/state: Permission denied; run this as the user that runs the table" in said
    assert "Traceback" not in said
    assert told.returncode == (1 if words[0] == "selftest" else 2)


def test_a_pipe_with_a_name_is_imported(state, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    lines = ended("export", "--state", state).stdout
    with subprocess.Popen([*PROGRAM, "import", pipe, "--state", tmp_path / "new"], stdout=subprocess.PIPE) as process:
        pipe.write_bytes(lines)
        assert process.communicate(timeout=60)[0].startswith(b"Imported: 1 game")


@pytest.mark.parametrize("endless", [["yes", "{}"], ["cat", "/dev/zero"]])
def test_what_never_ends_and_is_no_export_is_refused_by_its_first_line(endless, tmp_path):
    with subprocess.Popen(endless, stdout=subprocess.PIPE) as source:
        imported = ended("import", "-", "--state", tmp_path / "new", stdin=source.stdout)
        source.terminate()
    assert imported.returncode == 2
    assert imported.stderr.decode().startswith("pegboard: standard input: line 1: ")


# --- terminals without the letters ---

PLAIN = {"PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "LC_ALL": "C"}


NOT_ASCII = [["count", "5♥5♣5♠J♦", "5♦"], ["count", "山"], ["run", "--players", "Zoë,"]]


@pytest.mark.parametrize(
    ("words", "plain"),
    some_combinations(NOT_ASCII, [PLAIN, {"PYTHONIOENCODING": "latin-1"}, {"PYTHONIOENCODING": "ascii"}]),
)
def test_a_plain_terminal_changes_no_exit_status(words, plain):
    told = ended(*words, env=os.environ | plain)
    assert told.returncode == CliRunner().invoke(main, words).exit_code
    assert b"Traceback" not in told.stderr
    assert len(told.stderr.splitlines()) <= 1


@pytest.mark.parametrize(
    ("encoding", "written"), [("utf-8", "Zoë 山 ● ?"), ("latin-1", "Zoë Shan O ?"), ("ascii", "Zoe Shan O ?")]
)
def test_a_name_is_written_in_plain_letters_where_others_are_missing(encoding, written, monkeypatch):
    output = io.TextIOWrapper(io.BytesIO(), encoding)
    monkeypatch.setattr(sys, "stdout", output)
    write_any_letter()
    print("Zoë 山 ● \udcff", end="", file=output, flush=True)
    assert output.buffer.getvalue().decode(encoding) == written


def test_an_export_is_utf_8_whatever_the_terminal(tmp_path):
    with Service(tmp_path, "--players", "Zoë,山田"):
        pass
    for plain in (PLAIN, {"PYTHONIOENCODING": "latin-1"}):
        assert (
            '"players":["Zoë","山田"]' in ended("export", "--state", tmp_path, env=os.environ | plain).stdout.decode()
        )


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_a_qr_code_is_the_same_in_ascii(encoding):
    url = "http://192.168.1.20:8080/j/7KQ2AB"
    blocks, plain = in_terminal(url, "utf-8").splitlines(), in_terminal(url, encoding).splitlines()
    halves = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
    light = [[halves[sign][half] for sign in row] for row in blocks for half in (0, 1)][: len(plain)]
    assert [
        [int(pair == "##") for pair in map("".join, zip(row[::2], row[1::2], strict=True))] for row in plain
    ] == light
    assert set("".join(plain)) == {" ", "#"}


def test_the_text_board_has_a_plain_sign_for_each_of_its_own():
    used = {sign for pair in MARKS for sign in pair} | set("━·")
    assert set(PLAIN_SIGNS) >= used
    plain = [PLAIN_SIGNS[sign] for sign in used]
    assert len(set(plain)) == len(plain)
    assert all(len(sign) == 1 and sign.isascii() for sign in plain)


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_a_table_in_a_plain_terminal_draws_its_board(encoding, tmp_path):
    seen = on_terminal([*PROGRAM, "run", "--mock", "--port", "0", "--state", tmp_path], b"121 to go", encoding)
    assert b"O" in seen
    assert b"Traceback" not in seen
    assert seen.decode(encoding)


def on_terminal(command, until, encoding="utf-8", **more):
    """What a terminal shows of a program until these words come and it is stopped."""
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": "100", "TERM": "xterm", "PYTHONIOENCODING": encoding}
    process = subprocess.Popen(
        command, **{"stdin": theirs, "stdout": theirs, "stderr": theirs} | more, env=environment, start_new_session=True
    )
    os.close(theirs)
    seen = b""
    while until not in seen:
        if not select.select([ours], [], [], 60)[0]:
            process.kill()
            pytest.fail(f"{until!r} has not come within a minute, only {seen!r}")
        seen += os.read(ours, 4096)
    process.send_signal(signal.SIGINT)
    while True:
        try:
            more_seen = os.read(ours, 4096)
        except OSError:  # nobody has the other side any more
            break
        seen += more_seen
    os.close(ours)
    assert process.wait(60) in {0, 130}
    return seen


# --- Ctrl-C ---

LATER = (
    "click",
    "pegboard.core.moves",
    "pegboard.storage.journal.journal",
    "pegboard.table.scoreboard",
    "web.http.listener",
    "pegboard.cli.main",
)
"""Modules in the order in which they are loaded."""


@pytest.mark.parametrize(
    ("words", "module"),
    some_combinations([["run", "--mock", "--port", "0", "--state", "{state}"], ["count", "5H5C5SJD5D"]], LATER),
)
def test_ctrl_c_while_modules_are_loaded_ends_quietly(module, words, tmp_path):
    command = [sys.executable, "-X", "importtime", "-m", "pegboard", *(word.format(state=tmp_path) for word in words)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr:
            if line.rstrip().endswith(f" {module}"):
                break
        process.send_signal(signal.SIGINT)
        rest = process.stderr.read()
        process.wait(60)
    said = [line for line in rest.splitlines() if not line.startswith("import time:")]
    assert "".join(said).strip() == ""
    assert process.returncode in {130, 0, -signal.SIGINT}  # it may have been done before, or just as Python ended
    assert words[0] == "count" or process.returncode == 130 or (tmp_path / FILE).exists()


@pytest.mark.parametrize(("started_by", "status"), [("", 130), ("make", 0)])
def test_ctrl_c_that_comes_before_python_has_begun_ends_quietly(started_by, status, tmp_path):
    """As `make run` starts it: the signal waits until it can be told. make would say more of any status but 0."""
    command = ["env", "--block-signal=INT", "sh", "-c", 'kill -INT $$; exec "$@"', "-", *PROGRAM]
    environment = os.environ | {"PEGBOARD_STARTED_BY": started_by}
    words = ("run", "--mock", "--port", "0", "--state", str(tmp_path))
    ran = subprocess.run([*command, *words], capture_output=True, env=environment, timeout=60, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (status, b"", b"")


def test_ctrl_c_while_an_import_waits_for_its_input_leaves_nothing(tmp_path):
    command = [*PROGRAM, "import", "-", "--state", str(tmp_path / "new")]
    seen = on_terminal(command, b"press Ctrl-D to finish")
    assert b"Traceback" not in seen
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("step", [1, 2, 3])
def test_ctrl_c_while_an_old_journal_is_brought_up_to_date_leaves_it_as_it_was(step, tmp_path):
    shutil.copy(ROOT / "tests/data/journal_v2.db", tmp_path / FILE)
    steps = iter(range(1, 100))

    def busy():
        if next(steps) == step:
            raise KeyboardInterrupt

    before = check(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        Journal(tmp_path, busy)
    assert check(tmp_path) == before
    assert not list(tmp_path.glob("*.part"))
    with Journal(tmp_path) as journal:
        assert len(journal.rows()) == before


def test_ctrl_c_stops_a_table_in_order(tmp_path):
    with Service(tmp_path) as service:
        service.client().score(0, 5)
        service.process.send_signal(signal.SIGINT)
        assert service.process.wait(60) == 0
        assert "Traceback" not in service.process.stdout.read()


@pytest.mark.long
def test_ctrl_c_ends_the_bench_with_what_it_has_started():
    command = [sys.executable, "-m", "tests.bench", "idle"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        assert process.stderr.readline() == "measuring idle (1 of 1)\n"
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        said = process.stderr.read()
    assert (process.returncode, said.strip()) == (130, "")


# --- progress bars ---


def test_a_long_export_shows_a_bar_on_a_terminal_and_none_elsewhere(state, tmp_path):
    with (tmp_path / "games.jsonl").open("wb") as file:
        seen = on_terminal([*PROGRAM, "export", "--state", state], b"exporting", stdout=file)
    assert b"100%" in seen or b"exporting" in seen
    assert ended("export", "--state", state).stderr == b""


IN_SQL = """
import os, signal, sqlite3
from pegboard.streams import interruptible, watch_loading

watch_loading()
db = sqlite3.connect(":memory:")
db.create_function("press", 0, lambda: os.kill(os.getpid(), signal.SIGINT))
try:
    with interruptible():
        db.execute("SELECT press()").fetchall()
except KeyboardInterrupt:
    print("interrupted")
"""


def test_ctrl_c_while_sqlite_calls_back_is_no_fault_of_the_disk():
    """SQLite would say "user-defined function raised exception", and the command that a score is not saved."""
    ran = subprocess.run([sys.executable, "-c", IN_SQL], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "interrupted\n", "")


def test_an_import_shows_a_bar_on_a_terminal_and_none_elsewhere(state, tmp_path):
    games = tmp_path / "games.jsonl"
    games.write_bytes(ended("export", "--state", state).stdout)
    assert b"importing" in on_terminal([*PROGRAM, "import", games, "--state", tmp_path / "new"], b"importing")
    told = ended("import", games, "--state", tmp_path / "other")
    assert (told.returncode, told.stderr) == (0, b"")
