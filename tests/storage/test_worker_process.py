"""A worker has no terminal: of root's command it runs as the account of the scores, which may do anything with it."""

import os
import pty
import subprocess
import sys

import pytest

from pegboard.storage.imports import import_workers
from pegboard.storage.summary import summary_workers

PROGRAM = """
import os, sys
from pathlib import Path
from {module} import COMMAND
from pegboard.storage.worker_process import start_worker
with start_worker(COMMAND):
    others = [number for number in os.listdir("/proc") if number.isdigit()]
    ours = [n for n in others if Path("/proc", n, "stat").read_text().rpartition(")")[2].split()[1] == str(os.getpid())]
    for number in ours:
        words = Path("/proc", number, "stat").read_text().rpartition(")")[2].split()
        files = [os.readlink(f"/proc/{{number}}/fd/{{fd}}") for fd in range(3)]
        Path(sys.argv[1]).write_text(repr((words[3] == number, words[4], files)))
    assert len(ours) == 1, "one process alone is started"
"""


@pytest.mark.parametrize("module", [import_workers, summary_workers])
def test_a_worker_has_no_terminal(tmp_path, module):
    program, found = tmp_path / "program.py", tmp_path / "found"
    program.write_text(PROGRAM.format(module=module.__name__))
    ours, theirs = pty.openpty()
    words = ["setsid", "--ctty", "--wait", sys.executable, str(program), str(found)]
    try:
        ran = subprocess.run(words, stdin=theirs, stdout=theirs, stderr=theirs, check=False, timeout=20)
        assert ran.returncode == 0, os.read(ours, 4096)
    finally:
        os.close(ours)
        os.close(theirs)
    assert found.read_text() == repr((True, "0", ["/dev/null"] * 3))
