"""Another program holds the lock of the codes: phones go on scoring, and only what changes the file is refused."""

import contextlib
import http.client
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.support.program import Service
from web.access import state_files
from web.access.pairing_codes import Codes
from web.access.state_files import StateFileError

HOLD = """
import fcntl, sys
file = open(sys.argv[1], "a")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def hold(request: pytest.FixtureRequest) -> Iterator:
    """Let another process hold the lock of a file until the test ends."""
    held: list[subprocess.Popen[str]] = []

    def start(path: Path) -> int:
        process = subprocess.Popen(
            [sys.executable, "-c", HOLD, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        held.append(process)
        assert process.stdout.readline() == "held\n"
        return process.pid

    yield start
    for process in held:
        process.communicate("")


def test_a_lock_that_another_holds_is_waited_for_only_so_long_and_says_who_holds_it(
    tmp_path: Path, hold, monkeypatch: pytest.MonkeyPatch
):
    codes = Codes(tmp_path)
    shown, epoch = codes.scorer(), codes.epoch
    pid = hold(tmp_path / "pairing.json.lock")
    monkeypatch.setattr(state_files, "LOCK_WAIT_S", 0.05)
    for change in (codes.director, codes.unpair_all, lambda: codes.redeem(shown.text), lambda: codes.unpair("x")):
        with pytest.raises(StateFileError, match=rf"locked by process {pid} \(python.*\) of .*; end it, or try again"):
            change()
    assert (codes.scorer(), codes.epoch) == (shown, epoch), "reading takes no lock"


def test_a_shown_code_that_could_not_be_renewed_is_shown_to_its_end(
    tmp_path: Path, hold, monkeypatch: pytest.MonkeyPatch
):
    codes = Codes(tmp_path, lasts_s=600)
    shown = codes.scorer()
    hold(tmp_path / "pairing.json.lock")
    monkeypatch.setattr(state_files, "LOCK_WAIT_S", 0.05)
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


def test_paired_phones_score_and_all_pages_answer_while_the_lock_is_held(tmp_path: Path, hold):
    """The real program, and a second process that holds the lock for longer than everything here takes."""
    with Service(tmp_path / "state", closed=True) as program, ThreadPoolExecutor(4) as strangers:
        phone, code = program.client(role="scorer"), program.code()
        assert phone.score(0, 1)[0] == 201
        hold(program.state / "pairing.json.lock")
        pairings = [strangers.submit(answer_to, program, "POST", "/api/v1/pair", {"code": code}) for _ in range(4)]
        took = []
        for path in 8 * ("/api/v1/me", "/api/v1/state", "/", "/settings", "/api/v1/health", "/api/v1/sheet"):
            began = time.monotonic()
            assert phone.score(0, 1)[0] == 201
            assert answer_to(program, "GET", path)[0] == 200
            took.append(time.monotonic() - began)
        assert statistics.median(took) < state_files.LOCK_WAIT_S, "nothing of these waits for the lock"
        for status, text in (one.result(30) for one in pairings):
            assert (status, json.loads(text)["code"]) == (503, "not_stored")
            assert "locked by process" in json.loads(text)["detail"]
