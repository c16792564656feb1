"""What stands on a terminal while a table runs: every address, how phones get in, and the board, at any size."""

import contextlib
import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from dataclasses import replace

import pytest
from rich.console import Console

from pegboard import Rules, Score, new_game, play
from pegboard.core.match import Match
from pegboard.core.view import View
from pegboard.install.host import STARTED_BY
from pegboard.startup.main_loop import _terminal
from pegboard.startup.start_notice import command_for_phones
from pegboard.startup.terminal_board import NO_ROOM, compose
from pegboard.streams import as_text, has_screen
from tests.support.player_names import SIX
from tests.support.program import PYTHON
from tests.support.terminal_screen import Screen
from web.access.invitation import in_terminal

PLACE = "http://192.168.178.123:8080/"
LINES = [
    f"Open {PLACE} in a browser",
    f"Phone  {PLACE}",
    f"TV     {PLACE}board",
    f"Bench  {PLACE}bench",
    f"The keys and paired phones can score: open {PLACE}j/ and type 7KQ2AB (until 20:35; ask pegboard code)",
    "Press Ctrl-C to stop; scores are kept",
]
QR = in_terminal(f"{PLACE}j/7KQ2AB")


def table(variant, *scores, hole=None, notice=None):
    rules = Rules.named(variant)
    if hole:
        rules = replace(rules, game_hole=hole)
    game = new_game(rules, SIX[: rules.seats])
    for seat, points in scores:
        game = play(game, Score(points, seat))
    lanes = rules.lanes
    return View(game, Match.empty(lanes), (0,) * lanes, notice)


def shown(view, size, qr=None, lines=LINES):
    """The rows that a terminal of that size shows when everything has been drawn."""
    console = Console(width=size[0], height=size[1], file=io.StringIO(), force_terminal=True, color_system=None)
    console.print(compose(view, lines, qr, console), end="")
    screen = Screen(*size)
    screen.write(console.file.getvalue().replace("\n", "\r\n"))
    return screen


VIEWS = {
    "new": table("standard"),
    "won": table("standard", *[(0, 29)] * 5),
    "refused": table("standard", (0, 29), (1, 12), notice="29 is the maximum that can be scored at one time"),
    "three lanes": table("three-handed", (0, 29), (1, 12), notice="29 is the maximum that can be scored at one time"),
    "361 holes": table("three-handed", (0, 29), (1, 12), (1, 12), hole=361),
}


@pytest.mark.sampled(least=8)
@pytest.mark.parametrize("size", [(80, 24), (60, 20), (200, 60), (40, 24)])
@pytest.mark.parametrize("qr", [None, QR], ids=["no code", "code"])
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_every_address_the_scores_and_the_way_out_are_in_sight(view, qr, size):
    text = shown(view, size, qr).text
    words = re.sub(r"\s+", "", re.sub("[█▀▄]", " ", text))
    for line in LINES:
        assert re.sub(r"\s+", "", line) in words, f"{line} is not in\n{text}"
    for name, front in zip(view.game.players, (lane.front for lane in view.game.lanes), strict=True):
        assert re.search(rf"{name}  {front}\b", text), text
    if view.notice:
        assert view.notice[:25] in text


@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
@pytest.mark.parametrize("view", VIEWS.values(), ids=VIEWS)
def test_the_code_to_scan_is_whole_or_not_there(view, size):
    rows = [row.rstrip() for row in shown(view, size, QR).lines]
    code = QR.splitlines()
    first = next(n for n, row in enumerate(rows) if code[0] in row)
    assert [row[-len(code[0]) :] for row in rows[first : first + len(code)]] == code


def test_a_terminal_without_room_for_the_code_says_what_to_do():
    small = shown(VIEWS["new"], (60, 20), QR).text
    assert ("█" in small, NO_ROOM in small) == (False, True)
    assert NO_ROOM not in shown(VIEWS["new"], (60, 20)).text, "no phone could use a code"
    assert NO_ROOM not in shown(VIEWS["new"], (80, 24), QR).text


class Terminal(io.TextIOWrapper):
    """Standard output that is a terminal."""

    def __init__(self):
        super().__init__(io.BytesIO(), encoding="utf-8")

    def isatty(self):
        return True

    @property
    def text(self):
        self.flush()
        return self.buffer.getvalue().decode()


class Joining:
    """How one joins this table."""

    qr_url = f"{PLACE}j/7KQ2AB"

    def lines(self):
        return LINES


def test_the_code_is_drawn_in_blocks_while_the_screen_is_redrawn(monkeypatch):
    """The library that redraws the screen puts a stream of its own in the place of standard output."""
    for name, value in {"TERM": "xterm", "COLUMNS": "80", "LINES": "24"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    with _terminal(Joining()) as show:
        show(VIEWS["new"])
        screen = Screen(80, 24)
        screen.write(re.sub(r"\x1b\[[\d;]*m", "", terminal.text).replace("\n", "\r\n"))
    for row in QR.splitlines():
        assert row in screen.text


@pytest.mark.parametrize("term", ["dumb", "unknown"])
def test_a_terminal_that_cannot_redraw_gets_the_lines_of_a_log(term, monkeypatch):
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stdout", Terminal())
    assert not has_screen()
    with _terminal(Joining()) as show:
        assert show is None
    monkeypatch.setenv("TERM", "xterm")
    assert has_screen()


def test_the_whole_track_is_shown_where_there_is_room_else_the_streets_where_pegs_stand():
    wide = shown(VIEWS["three lanes"], (200, 60)).text
    assert wide.count("·") > 300
    low = shown(VIEWS["361 holes"], (80, 24)).text
    for mark in "●■▲":
        assert mark in low.partition("Ctrl-C")[2].partition("Cy")[2]


# --- the command that lets phones in ---

BY_MAKE = {STARTED_BY: "make"}


@pytest.mark.parametrize(
    ("arguments", "environment", "command"),
    [
        ([], BY_MAKE, 'make run ARGS="--host 0.0.0.0 --open"'),
        ([], {}, "bin/pegboard run --host 0.0.0.0 --open"),
        (["--closed"], {}, "bin/pegboard run --closed --host 0.0.0.0"),
        (["--open", "--host", "127.0.0.1"], BY_MAKE, 'make run ARGS="--open --host 0.0.0.0"'),
        (["--host=::1", "--port", "80"], {}, "bin/pegboard run --port 80 --host 0.0.0.0 --open"),
        (
            ["--players", "Ann,Bob", "--match", "best of 3"],
            BY_MAKE,
            "make run ARGS=\"--players Ann,Bob --match 'best of 3' --host 0.0.0.0 --open\"",
        ),
    ],
)
def test_the_command_that_lets_phones_in_is_the_one_that_was_typed_with_what_it_lacks(arguments, environment, command):
    assert command_for_phones(["bin/pegboard", "run", *arguments], environment) == command


@pytest.mark.sampled
@pytest.mark.parametrize("name", ['Ann "Ace"', "Ann's", "$HOME", "`id`", "a\\b", "Ann!", "100%"])
def test_a_name_of_any_signs_comes_through_make_and_its_shell_as_it_was(name, tmp_path):
    """The command is given to a real shell, and what it starts to a real make."""
    (tmp_path / "Makefile").write_text("run:\n\t@python3 -c 'import sys; print(sys.argv[1:])' $(ARGS)\n")
    command = command_for_phones(["pegboard", "run", "--players", name], BY_MAKE)
    alone = {key: value for key, value in os.environ.items() if not key.startswith("MAKE")}  # a make may run this test
    told = subprocess.run(["bash", "-c", command], cwd=tmp_path, env=alone, capture_output=True, text=True, check=True)
    assert told.stdout == f"{['--players', name, '--host', '0.0.0.0', '--open']}\n"


def test_the_program_is_called_as_a_shell_finds_it_from_here(tmp_path, monkeypatch):
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "pegboard"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    rest = "run --host 0.0.0.0 --open"
    assert command_for_phones([".venv/bin/pegboard", "run"], {}) == f".venv/bin/pegboard {rest}"
    monkeypatch.setenv("PATH", str(program.parent))
    assert command_for_phones([str(program), "run"], {}) == f"pegboard {rest}"
    started_as_module = [str(tmp_path / "pegboard" / "__main__.py"), "run"]
    assert command_for_phones(started_as_module, {}) == f"{PYTHON} -m pegboard {rest}"


def test_letters_that_a_terminal_has_in_another_encoding_are_read_as_they_are(monkeypatch):
    """There Python has read them itself, and would write them back in that encoding."""
    monkeypatch.setattr(os, "fsencode", lambda text: text.encode("latin-1", "surrogateescape"))
    assert as_text("Zoë") == "Zoë"
    assert as_text("Zo\udcc3\udcab") == "Zoë", "in a plain locale"
    with pytest.raises(UnicodeError):
        as_text("Zo\udceb")


def test_no_command_is_offered_where_what_was_typed_is_no_text():
    """A folder may be called by any bytes, and a page holds none but UTF-8."""
    assert command_for_phones(["pegboard", "run", "--state", os.fsdecode(b"games\xff")], BY_MAKE) is None


# --- the program itself ---


@contextlib.contextmanager
def program(size, tmp_path, *options, term="xterm-256color"):
    """`pegboard run` in a terminal of that size, and what it shows."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
    command = [sys.executable, "-m", "pegboard", "run", "--mock", "--port", "0", "--state", str(tmp_path), *options]
    environment = os.environ | {"TERM": term, STARTED_BY: "make"}
    environment = {name: value for name, value in environment.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(command, stdin=its, stdout=its, stderr=its, env=environment, start_new_session=True)
    os.close(its)
    screen = Screen(*size)
    try:
        yield screen, ours, process
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0
        os.close(ours)


def read_until(screen, ours, wanted):
    """Let the screen show what comes, until it shows that."""
    ends, rest = time.monotonic() + 20, b""
    while wanted not in screen.text:
        assert select.select([ours], [], [], max(0, ends - time.monotonic()))[0], f"no {wanted} in\n{screen.text}"
        rest += os.read(ours, 65536)
        whole = rest.decode(errors="ignore")
        screen.write(whole)
        rest = rest[len(whole.encode()) :]


def test_a_started_table_on_a_small_terminal_shows_every_address_and_what_lets_phones_in(tmp_path):
    with program((80, 24), tmp_path) as (screen, ours, _):
        read_until(screen, ours, "●")
        for page in ("", "board", "bench"):
            assert re.search(rf"^\w+ +http://127\.0\.0\.1:\d+/{page}$", screen.text, re.MULTILINE), screen.text
        assert re.search(r"Open http://127\.0\.0\.1:\d+/ in a browser", screen.text)
        assert "Press Ctrl-C to stop; scores are kept" in screen.text
        typed = f'make run ARGS="--mock --port 0 --state {tmp_path} --host 0.0.0.0 --open"'
        assert re.sub(r"\s+", "", typed) in re.sub(r"\s+", "", screen.text)
        assert "█" not in screen.text


def test_a_dumb_terminal_shows_the_addresses_too(tmp_path):
    with program((80, 24), tmp_path, term="dumb") as (screen, ours, _):
        read_until(screen, ours, "Press Ctrl-C to stop")
        assert re.search(r"Open http://127\.0\.0\.1:\d+/ in a browser", screen.text)
