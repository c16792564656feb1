"""What root does at the scores of another account leaves no file of root's there; these tests play root where they run
as somebody else."""

import json
import os
import pwd
import subprocess
import sys

import pytest

from pegboard.cli import parameters
from pegboard.install import host
from pegboard.install.host import INSTALLED, default_state


class Calls:
    def __init__(self, monkeypatch, uid):
        self.made = []
        monkeypatch.setattr(os, "geteuid", lambda: uid)
        for name in ("setgroups", "setresgid", "setresuid"):
            monkeypatch.setattr(os, name, lambda *words, name=name: self.made.append((name, *words)))


def owned_by(monkeypatch, path, uid, gid):
    real = os.stat

    def stat(which, *arguments, **more):
        found = real(which, *arguments, **more)
        return os.stat_result([*found[:4], uid, gid, *found[6:]]) if os.fspath(which) == os.fspath(path) else found

    monkeypatch.setattr(os, "stat", stat)


def let_everybody_through(folder):
    for path in (folder, *folder.parents):
        if path.stat().st_uid == 0 and not path.stat().st_mode & 1:
            path.chmod(path.stat().st_mode | 0o011)


def test_root_becomes_the_owner_groups_first(monkeypatch, tmp_path):
    nobody = pwd.getpwnam("nobody")
    owned_by(monkeypatch, tmp_path, nobody.pw_uid, nobody.pw_gid)
    calls = Calls(monkeypatch, 0)
    parameters.act_as_owner(tmp_path)
    uid, gid = nobody.pw_uid, nobody.pw_gid
    assert [name for name, *_ in calls.made] == ["setgroups", "setresgid", "setresuid"]
    assert calls.made[1:] == [("setresgid", gid, gid, gid), ("setresuid", uid, uid, uid)]


def test_roots_own_scores_and_those_of_others_stay_as_they_are(monkeypatch, tmp_path):
    owned_by(monkeypatch, tmp_path, 0, 0)
    calls = Calls(monkeypatch, 0)
    parameters.act_as_owner(tmp_path)
    parameters.act_as_owner(tmp_path / "none")
    calls_of_kim = Calls(monkeypatch, 1000)
    owned_by(monkeypatch, tmp_path, 1001, 1001)
    parameters.act_as_owner(tmp_path)
    assert calls.made + calls_of_kim.made == []


@pytest.mark.parametrize(
    ("uid", "installed", "folder"), [(0, True, INSTALLED.state), (1000, True, None), (0, False, None)]
)
def test_root_asks_an_installed_table_and_others_their_own(monkeypatch, tmp_path, uid, installed, folder):
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    monkeypatch.setattr(host, "is_installed", lambda: installed)
    assert default_state() == (folder or tmp_path / "pegboard")


def test_an_export_is_read_before_root_becomes_somebody_else(tmp_path):
    """The real command: the file lies where only its owner looks, and where root runs it the scores are nobody's."""
    state, home = tmp_path / "state", tmp_path / "home"
    for folder in (state, home):
        folder.mkdir(mode=0o700)
    if os.geteuid() == 0:
        let_everybody_through(tmp_path)
        os.chown(state, pwd.getpwnam("nobody").pw_uid, pwd.getpwnam("nobody").pw_gid)
    file = home / "games.jsonl"
    file.write_text("no export\n")
    words = [sys.executable, "-m", "pegboard", "import", "--state", str(state), str(file)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "games.jsonl: line 1" in ran.stderr
    assert {path.stat().st_uid for path in state.rglob("*")} <= {state.stat().st_uid}


@pytest.mark.parametrize("command", [["code"], ["code", "director"], ["unpair"]], ids=" ".join)
def test_the_account_of_the_scores_cannot_have_root_hand_it_another_file(tmp_path, command):
    """A link in place of the lock leads to a file that neither root nor anybody else has opened to the account."""
    state, theirs = tmp_path / "state", tmp_path / "theirs"
    state.mkdir(mode=0o700)
    theirs.touch(mode=0)
    table = {"url": "http://10.0.0.9/", "host": "10.0.0.9", "open": False, "lasts_s": 600.0, "pid": os.getpid()}
    pairings = {"epoch": "0", "scorer": [], "director": [], "wrong": 0, "table": table}
    (state / "pairing.json").write_text(json.dumps(pairings))
    (state / "pairing.json.lock").symlink_to(theirs)
    if os.geteuid() == 0:
        let_everybody_through(tmp_path)
        nobody = pwd.getpwnam("nobody")
        for path in (state, state / "pairing.json"):
            os.chown(path, nobody.pw_uid, nobody.pw_gid)
    words = [sys.executable, "-m", "pegboard", *command, "--state", str(state)]
    ran = subprocess.run(words, capture_output=True, text=True, check=False)
    assert theirs.stat().st_uid == os.geteuid()
    assert ran.returncode != 0
    assert "Traceback" not in ran.stderr


def test_a_relative_xdg_state_home_is_ignored(tmp_path, monkeypatch):
    monkeypatch.delenv("STATE_DIRECTORY", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_STATE_HOME", "state")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert default_state() == tmp_path / ".local" / "state" / "pegboard"
