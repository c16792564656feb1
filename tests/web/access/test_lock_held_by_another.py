"""Another program holds the lock of the codes: phones go on scoring, and only what changes the file is refused."""

import contextlib
import http.client
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.program import Service
from tests.support.web_server_and_clients import Site
from web.access import pairing_file
from web.access.pairing_codes import Codes
from web.access.pairing_file import StateFileError

HOLD = """
import fcntl, sys
file = open(sys.argv[1], "a")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


PATIENT = """
import sys
from pegboard.cli.main import main
from web.access import pairing_file as state_files
state_files.LOCK_WAIT_S = 600
main(sys.argv[1:])
"""
"""The program, which waits for a lock for longer than a test takes."""


@pytest.fixture
def hold() -> Iterator[Callable[[Path], "subprocess.Popen[str]"]]:
    """Let another process hold the lock of a file until its input or the test ends."""
    with contextlib.ExitStack() as held:

        def start(path: Path) -> "subprocess.Popen[str]":
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
            process = subprocess.Popen([sys.executable, "-c", HOLD, str(path)], text=True, **pipes)
            held.enter_context(process)
            assert process.stdout.readline() == "held\n"
            return process

        yield start


def test_a_lock_that_another_holds_is_waited_for_only_so_long_and_says_who_holds_it(
    tmp_path: Path, hold, monkeypatch: pytest.MonkeyPatch
):
    codes = Codes(tmp_path)
    shown, epoch = codes.scorer(), codes.epoch
    pid = hold(tmp_path / "pairing.json.lock").pid
    monkeypatch.setattr(pairing_file, "LOCK_WAIT_S", 0.05)
    for change in (codes.director, codes.unpair_all, lambda: codes.redeem(shown.text), lambda: codes.unpair("x")):
        with pytest.raises(StateFileError, match=rf"locked by process {pid} \(python.*\) of .*; stop it, or try again"):
            change()
    assert (codes.scorer(), codes.epoch) == (shown, epoch), "reading takes no lock"


def test_a_shown_code_that_could_not_be_renewed_is_shown_to_its_end(
    tmp_path: Path, hold, monkeypatch: pytest.MonkeyPatch
):
    codes = Codes(tmp_path, lasts_s=600)
    shown = codes.scorer()
    hold(tmp_path / "pairing.json.lock")
    monkeypatch.setattr(pairing_file, "LOCK_WAIT_S", 0.05)
    now = codes.now()
    monkeypatch.setattr(codes, "now", lambda: now + 595)
    assert codes.scorer() == shown


def answer_to(program: Service, method: str, path: str, values: dict[str, str] | None = None) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", program.port, timeout=60)
    body = None if values is None else json.dumps(values)
    connection.request(method, path, body, {"Content-Type": "application/json"} if body else {})
    answer = connection.getresponse()
    with contextlib.closing(connection):
        return answer.status, answer.read()


def test_a_phone_that_cannot_be_paired_for_the_lock_is_told_who_holds_it(
    serve: Callable[..., Site], hold, monkeypatch: pytest.MonkeyPatch
):
    closed = serve(open=False)
    code = closed.server.access.codes.scorer().text
    pid = hold(closed.scoreboard.history.folder / "pairing.json.lock").pid
    monkeypatch.setattr(pairing_file, "LOCK_WAIT_S", 0.05)
    answer = closed.post("/api/v1/pair", {"code": code})
    assert answer.refusal == (503, "not_stored")
    assert f"locked by process {pid} " in answer.json["detail"]


def test_paired_phones_score_and_all_pages_answer_while_the_lock_is_held(tmp_path: Path, hold):
    """The real program, whose strangers wait for the lock, which a second process holds, while all else is answered."""
    state = tmp_path / "state"
    command = [sys.executable, "-c", PATIENT, "run", "--mock", "--closed", "--host", "127.0.0.1", "--port", "0"]
    with Service(state, command=[*command, "--state", str(state)]) as program, ThreadPoolExecutor(4) as strangers:
        phone, code = program.client(role="scorer"), program.code()
        assert phone.score(0, 1)[0] == 201
        holder = hold(state / "pairing.json.lock")
        pairings = [strangers.submit(answer_to, program, "POST", "/api/v1/pair", {"code": code}) for _ in range(4)]
        for path in 8 * ("/api/v1/me", "/api/v1/state", "/", "/settings", "/api/v1/health", "/api/v1/sheet"):
            assert phone.score(0, 1)[0] == 201
            assert answer_to(program, "GET", path)[0] == 200
        assert not any(one.done() for one in pairings)
        holder.stdin.close()
        assert sorted(one.result(60)[0] for one in pairings) == [200, 403, 403, 403]
