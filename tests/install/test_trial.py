"""The trial of a version beside what the account of the service may do meanwhile."""

import os
import pty
import pwd
import subprocess
import sys

import pytest

from pegboard.install import switching
from pegboard.install.package_file import InstallFailed
from pegboard.install.switching import run_as_service, try_tree
from tests.cli.test_state_owner import let_everybody_through
from tests.install.small_packages import PROGRAM

PLANTS = """
def copy_scores(folder, target):
    for name in ("said", "notify"):
        (target / name).symlink_to(folder / "of_root")
"""


@pytest.fixture
def planting_tree(tmp_path):
    """A tree whose copying leaves links among the scores, as the account that owns the copy can at any moment."""
    tree = tmp_path / "tree"
    (tree / "pegboard" / "storage").mkdir(parents=True)
    for package in ("pegboard", "pegboard/storage"):
        (tree / package / "__init__.py").write_text("", "utf-8")
    (tree / "pegboard/storage/schema.py").write_text(PLANTS, "utf-8")
    (tree / "run.py").write_text(PROGRAM.format(version="0.2.0", how="works"), "utf-8")
    return tree


def test_root_follows_no_link_that_lies_in_the_copy(planting_tree, tmp_path):
    state = tmp_path / "state"
    state.mkdir()
    (state / "of_root").write_text("precious", "utf-8")
    mode = (state / "of_root").stat().st_mode
    try_tree(planting_tree, state, tmp_path / "none.toml", "0.2.0")
    assert (state / "of_root").read_text("utf-8") == "precious"
    assert (state / "of_root").stat().st_mode == mode


LOOK = """
import os, pathlib, sys
place = pathlib.Path(sys.argv[sys.argv.index("--state") + 1]) if "--state" in sys.argv else pathlib.Path.cwd()
words = pathlib.Path("/proc/self/stat").read_text().rpartition(")")[2].split()
links = [os.readlink(f"/proc/self/fd/{fd}") for fd in range(3)]
said = (words[3] == str(os.getpid()), words[4], any("/pts/" in link or "/dev/tty" in link for link in links))
"""

ON_A_TERMINAL = """
import sys
from pathlib import Path
from pegboard.install import switching as trial
from pegboard.install.package_file import InstallFailed
look, tree = sys.argv[1:]
print(trial.run_as_service([sys.executable, "-c", look + "print(said)"], 10).stdout.decode().strip())
try:
    trial.try_tree(Path(tree), Path("/nowhere"), Path("/nowhere"), "0")
except InstallFailed as error:
    print(error)
"""


def test_nothing_that_runs_as_the_account_has_a_terminal(tmp_path):
    """A process of that account could type into root's, whatever else runs as it."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "run.py").write_text(f"{LOOK}\nsys.exit(f'pegboard: {{said}}')")
    ours, theirs = pty.openpty()
    words = ["setsid", "--ctty", "--wait", sys.executable, "-c", ON_A_TERMINAL, LOOK, str(tree)]
    subprocess.run(words, stdin=theirs, stdout=theirs, stderr=theirs, check=False, timeout=60)
    shown = os.read(ours, 4096).decode()
    os.close(ours)
    os.close(theirs)
    assert shown.count("(True, '0', False)") == 2, shown


@pytest.fixture
def waiting_tree(tmp_path):
    """A tree that is never ready, whatever somebody else sends."""
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "run.py").write_text(
        """
import os, subprocess, sys
other = "import os, socket; socket.socket(1, socket.SOCK_DGRAM).sendto(b'READY=1', os.environ['NOTIFY_SOCKET'])"
subprocess.run([sys.executable, "-c", other])
folder, mode = os.path.dirname(os.environ["NOTIFY_SOCKET"]), lambda path: oct(os.stat(path).st_mode & 0o777)
sys.exit(f"pegboard: {mode(os.environ['NOTIFY_SOCKET'])} {mode(folder)} {os.listdir('.')}")
"""
    )
    return tree


def test_the_trial_says_itself_that_it_is_ready(waiting_tree, monkeypatch, tmp_path):
    if os.geteuid() == 0:
        let_everybody_through(tmp_path)
        nobody = pwd.getpwnam("nobody")
        account = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
        monkeypatch.setattr(switching, "service_account", lambda: account)
        monkeypatch.setattr(sys, "executable", "/usr/bin/python3")  # the one of the tests may be root's alone
    with pytest.raises(InstallFailed) as failed:
        try_tree(waiting_tree, tmp_path / "none", tmp_path / "none.toml", "0.2.0")
    assert f"0o600 {'0o710' if os.geteuid() == 0 else '0o700'} []" in str(failed.value)


def test_a_program_of_the_account_that_does_not_end_is_ended():
    ran = run_as_service([sys.executable, "-c", "import time; time.sleep(60)"], 0.2)
    assert (ran.returncode, ran.stderr) == (1, b"it does not end")
