"""Programs of the tests that are forked: they end, fail and are killed as those that an interpreter starts."""

import signal
import subprocess
import sys

import pytest

from tests.support import forked

WORDS = [["count", "5H 5C 5S JD", "5D"], ["count", "nothing"], ["--version"], ["export", "--state", "/no/such/folder"]]


@pytest.mark.parametrize("words", WORDS, ids=" ".join)
def test_a_forked_program_says_and_ends_as_one_that_is_started(words):
    ran = forked.run(words)
    command = [sys.executable, "-m", "pegboard", *words]
    started = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout, ran.stderr) == (started.returncode, started.stdout, started.stderr)


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_how_a_signal_ended_it_is_known(service, number):
    assert isinstance(service.process, forked.Forked)
    with pytest.raises(subprocess.TimeoutExpired):
        service.process.wait(0.01)
    service.process.send_signal(number)
    assert service.process.wait(60) == (-number if number == signal.SIGKILL else 0)
    assert service.process.poll() == service.process.returncode


@pytest.mark.parametrize("name", ["PYTHONPATH", "LD_PRELOAD"])
def test_an_environment_that_an_interpreter_reads_at_its_start_starts_one(monkeypatch, name):
    monkeypatch.setenv(name, "")
    assert not forked.can_fork()
