"""A worker has no terminal: of root's command it runs as the account of the scores, which may do anything with it."""

import errno
import itertools
import os
import pty
import pwd
import subprocess
import sys

import pytest

from pegboard.storage import summary
from pegboard.storage.transfer import import_check
from pegboard.storage.worker_process import start_workers

PROGRAM = """
import os, sys
from pathlib import Path
from {module} import COMMAND
from pegboard.storage.worker_process import start_worker
with start_worker(COMMAND):
    ours = Path(f"/proc/self/task/{{os.getpid()}}/children").read_text().split()
    for number in ours:
        words = Path("/proc", number, "stat").read_text().rpartition(")")[2].split()
        files = [os.readlink(f"/proc/{{number}}/fd/{{fd}}") for fd in range(3)]
        Path(sys.argv[1]).write_text(repr((words[3] == number, words[4], files)))
    assert len(ours) == 1, "one process alone is started"
"""


@pytest.mark.parametrize("module", [import_check, summary])
def test_a_worker_has_no_terminal(tmp_path, module):
    program, found = tmp_path / "program.py", tmp_path / "found"
    program.write_text(PROGRAM.format(module=module.__name__))
    ours, theirs = pty.openpty()
    words = ["setsid", "--ctty", "--wait", sys.executable, str(program), str(found)]
    try:
        ran = subprocess.run(words, stdin=theirs, stdout=theirs, stderr=theirs, check=False, timeout=60)
        assert ran.returncode == 0, os.read(ours, 4096)
    finally:
        os.close(ours)
        os.close(theirs)
    assert found.read_text() == repr((True, "0", ["/dev/null"] * 3))


def test_where_not_every_worker_can_be_started_the_others_are_used(monkeypatch):
    """As where the system has no memory for the third."""
    started, start = itertools.count(1), subprocess.Popen

    def start_two(*words, **more):
        if next(started) > 2:
            raise BlockingIOError(errno.EAGAIN, "Resource temporarily unavailable")
        return start(*words, **more)

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    monkeypatch.setattr(subprocess, "Popen", start_two)
    with start_workers(summary.COMMAND, 9) as workers:
        assert len(workers) == 2
        for worker in workers:
            worker.send([])
            assert worker.recv() == []


BECOMES = """
import os, sys
from pathlib import Path
from pegboard.cli.parameters import act_as_owner
from pegboard.storage.worker_process import count_workers, may_start_workers
os.sched_getaffinity = lambda _: {0, 1}
before = may_start_workers(), count_workers(9)
act_as_owner(Path(sys.argv[1]))
print(before, (may_start_workers(), count_workers(9)))
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="nobody else becomes another account")
def test_root_that_goes_on_as_another_account_believes_no_worker(tmp_path):
    """What a worker sends is unpickled, so whoever writes into one would run code beside root's terminal."""
    nobody = pwd.getpwnam("nobody")
    os.chown(tmp_path, nobody.pw_uid, nobody.pw_gid)
    words = [sys.executable, "-c", BECOMES, str(tmp_path)]
    ran = subprocess.run(words, capture_output=True, text=True, check=True, timeout=60)
    assert ran.stdout == "(True, 2) (False, 0)\n"
