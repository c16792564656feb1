"""The system calls of a real table, held against its unit: one that its filter does not allow ends the service."""

import os
import re
import shutil
import subprocess
import sys
import urllib.request
from functools import cache

import pytest

from pegboard.storage.journal.journal import Journal
from pegboard.storage.schema import FILE
from pegboard.storage.summary import FEWEST
from tests.bench.history import season
from tests.pegboard.test_systemd import UNIT, analyze
from tests.support.program import Service
from tests.support.waiting import soon

EVENING = (
    "/",
    "/board",
    "/health",
    "/settings",
    "/history",
    "/stats",
    "/stats",
    "/api/v1/games",
    "/api/v1/stats",
    "/api/v1/health",
)
"""What is looked at after a game."""

AS_ROOT = {"fchown"} if os.geteuid() == 0 else set()
"""What SQLite calls where it runs as root, to give a log to the owner of its database; the service is no root."""

LOOKED_AFTER_S = 2.5
"""Seconds after which the main loop has looked after everything, and the check of the whole journal has begun."""


@cache
def calls_of(group):
    """The system calls of a group, of this machine and of others."""
    lines = analyze("syscall-filter", group).stdout.splitlines()[1:]
    words = {line.strip() for line in lines if line.startswith(" ") and not line.strip().startswith("#")}
    inner = {word for word in words if word.startswith("@")}
    return frozenset(words - inner).union(*map(calls_of, inner))


def allowed():
    """The system calls that the unit allows, by its lines in their order."""
    calls = set()
    for line in re.findall(r"^SystemCallFilter=(.*)$", UNIT.read_text("utf-8"), re.MULTILINE):
        groups = frozenset().union(*(calls_of(word) for word in line.removeprefix("~").split()))
        calls = calls - groups if line.startswith("~") else calls | groups
    return calls


def traced(command, log):
    """The same command, with each system call in `log` that the unit does not allow."""
    strace = shutil.which("strace")
    assert strace, "strace is missing: tests/debian-packages installs it"
    others = "trace=!" + ",".join(f"?{name}" for name in sorted(allowed()))
    return [strace, "-D", "-f", "-qq", "--seccomp-bpf", "-o", log, "-e", "signal=none", "-e", others, *command]


def refused(log):
    return sorted(set(re.findall(r"^\d+ +(\w+)\(", log.read_text("utf-8"), re.MULTILINE)))


@pytest.mark.debian
def test_every_call_of_an_evening_is_in_the_filter_of_the_unit(tmp_path):
    log, state = tmp_path / "calls", tmp_path / "state"
    command = [sys.executable, "-m", "pegboard", "run", "--mock", "--closed", "--host", "127.0.0.1", "--port", "0"]
    for _ in range(2):
        with Service(state, command=traced([*command, "--state", str(state)], log)) as service:
            client = service.client(role="director")
            for _ in range(5):
                client.score(0, 29)
            for key in ("a1", "deal", "undo"):
                client.press(key)
            for place in EVENING:
                with urllib.request.urlopen(service.url + place) as answer:
                    assert answer.status == 200
            soon(lambda: list((state / "backups").glob("*.db")))
            soon(lambda client=client: client.ask("GET", "/api/v1/health")[1]["service"]["uptime_s"] > LOOKED_AFTER_S)
            service.stop()
        assert set(refused(log)) <= AS_ROOT


@pytest.mark.long
@pytest.mark.debian
def test_a_rescue_in_several_processes_is_in_the_filter_too(tmp_path):
    log, state = tmp_path / "calls", tmp_path / "state"
    with Journal(state) as journal:
        journal.import_games(season(FEWEST + 50))
    with (state / FILE).open("r+b") as file:  # its first page, so that SQLite reads nothing
        file.write(bytes(4096))
    command = [sys.executable, "-m", "pegboard", "run", "--mock", "--open", "--host", "127.0.0.1", "--port", "0"]
    with Service(state, command=traced([*command, "--state", str(state)], log)) as service:
        client = service.client()
        assert len(client.ask("GET", "/api/v1/games")[1]["games"]) > 1
        client.score(0, 29)
        service.stop()
    assert set(refused(log)) <= AS_ROOT


@pytest.mark.debian
def test_a_call_that_is_not_in_the_filter_is_found(tmp_path):
    log = tmp_path / "calls"
    setting_a_priority = [sys.executable, "-c", "import os; os.setpriority(os.PRIO_PROCESS, 0, 19)"]
    subprocess.run(traced(setting_a_priority, log), check=True)
    soon(lambda: refused(log) == ["setpriority"])
