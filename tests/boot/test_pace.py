"""How long a start, an update and a way back take under a real systemd, against the budgets."""

import os
import statistics
import time

import pytest

from tests.boot.conftest import ENDS
from tests.boot.test_service import front, score, scorer  # noqa: F401 - a fixture
from tests.boot.test_switch import FAULT, ROWS, Polling

READY_S, ANSWER_S, UPDATE_S, BACK_S = 1.5, 0.7, 3.0, 30.0

STARTS = 10

POLL_S = 0.02

STATE = "cd /var/lib/pegboard && find . -type f ! -name '*-shm' -print0 | sort -z | xargs -0 sha256sum"
"""The bytes of each file of the state; what readers of SQLite share in memory is none."""


@pytest.fixture(autouse=True)
def at_full_speed(machine):
    if not machine.at_full_speed:
        pytest.skip("an emulated machine is some ten times slower, so its times are held against no budget")


def start_moments(machine):
    """Seconds from systemd's start of the service, for a request that waits at its socket, to READY and to the answer.

    The steady clock of the container is this machine's.
    """
    machine.run("systemctl stop pegboard && systemctl reset-failed pegboard")  # five starts in a row are its limit
    assert machine.ask("GET", "/api/v1/health", timeout=60)[0] == 200
    answered = time.monotonic()
    while machine.says("systemctl is-active pegboard || true") != "active":
        time.sleep(POLL_S)
    moments = "InactiveExitTimestampMonotonic,ActiveEnterTimestampMonotonic"
    begun, ready = sorted(
        int(line) / 1e6 for line in machine.says(f"systemctl show pegboard -p {moments} --value").split()
    )
    return ready - begun, answered - begun


def spread(seconds):
    return f"median {statistics.median(seconds):.2f} s ({min(seconds):.2f} to {max(seconds):.2f})"


def busy():
    """What is to be known of a time that is too long."""
    return f"{os.getloadavg()[0]:.1f} processes wanted {os.cpu_count()} processors; more than one each is no fair trial"


def test_a_start_is_soon_ready_and_answers(machine, capsys):
    ready, answer = zip(*(start_moments(machine) for _ in range(STARTS)), strict=True)
    with capsys.disabled():
        print(f"\n{STARTS} starts: READY {spread(ready)}, first answer {spread(answer)}")
    assert statistics.median(ready) <= READY_S, busy()
    assert statistics.median(answer) <= ANSWER_S, busy()


def test_an_update_is_out_of_service_for_moments(machine, packages, scorer, capsys):  # noqa: F811
    assert score(machine, scorer, 9) == 9
    machine.copy(packages.get("1.1.0"))
    away = []
    for line in ["update --trust public pegboard_1.1.0_all.deb", *["back"] * 4]:
        with Polling(machine, POLL_S) as polling:
            machine.run(f"pegboard {line} --during-game", timeout=900)
        away.append(polling.longest_s)
    with capsys.disabled():
        print(f"\nout of service: by an update {away[0]:.2f} s; by changes of version {spread(away)}")
    assert machine.version() == "1.1.0"
    assert away[0] < UPDATE_S, busy()
    assert statistics.median(away) < UPDATE_S, busy()
    assert front(machine) == 9


def test_a_version_that_fails_its_trial_changes_no_byte(machine, packages):
    machine.copy(packages.get("1.2.0", FAULT))
    before = machine.says(STATE)
    ran = machine.run("pegboard update --during-game --trust public pegboard_1.2.0_all.deb", check=False, timeout=900)
    assert "failed its test on a copy of the scores" in ran.stderr
    assert machine.says(STATE) == before


def test_a_version_that_ends_at_once_is_soon_left(machine, packages, capsys):
    machine.copy(packages.get("1.5.0", ENDS))
    before = machine.says(ROWS)
    with Polling(machine, POLL_S) as polling:
        line = "pegboard update --during-game --trust public pegboard_1.5.0_all.deb"
        ran = machine.run(line, check=False, timeout=900)
        machine.wait_for("1.1.0")
    with capsys.disabled():
        print(f"\nback on the old version: {polling.longest_s:.2f} s without an answer")
    assert (ran.returncode, machine.version(), front(machine)) == (1, "1.1.0", 9)
    assert polling.longest_s <= BACK_S
    assert machine.says(ROWS) == before
