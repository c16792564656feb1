"""Installing, updating, going back: the link, the trees, the record, and what the service runs."""

import errno
import fcntl
import itertools
import json
import pkgutil
import stat
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from pegboard.install import switching
from pegboard.install.installed_versions import changed_files, read_manifest
from pegboard.install.installer import LOCK
from pegboard.install.package_file import InstallError, InstallFailed


def scores_of(machine):
    return {path.name: path.read_bytes() for path in machine.paths.state.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["pegboard.startup.welcome:welcome", "pegboard.storage.schema:copy_scores"])
def test_what_installers_of_earlier_releases_call_in_a_newer_tree_is_where_they_look(name):
    assert callable(pkgutil.resolve_name(name))


def test_the_first_version_runs(machine):
    assert machine.install("0.1.0") == "0.1.0"
    assert machine.versions.current == "0.1.0"
    assert machine.versions.last.what == "installed"
    assert machine.service.runs == "0.1.0"
    assert (machine.paths.current / "run.py").exists()


def test_a_second_installation_changes_nothing(machine):
    machine.install("0.1.0")
    before = machine.content()
    machine.install("0.1.0")
    assert machine.content() == before
    assert machine.service.starts == ["0.1.0"]


@pytest.mark.sampled
@pytest.mark.parametrize("times", [1, 2])
def test_installing_again_replaces_a_damaged_tree(machine, times):
    """As an SD card makes of it; the program that runs keeps its own files until it ends."""
    machine.install("0.1.0")
    for _ in range(times):
        damaged = machine.paths.trees / machine.versions.current
        (damaged / "run.py").write_bytes(b"")
        machine.install("0.1.0")
        tree = machine.paths.trees / machine.versions.current
        assert tree != damaged
        assert changed_files(tree, read_manifest(tree)) == []
    assert len(machine.service.starts) == 1 + times


def test_an_update_runs_the_new_version_and_keeps_the_old(machine, workshop):
    machine.install("0.1.0")
    assert machine.update(workshop.package("0.2.0")) == "0.2.0"
    assert (machine.versions.current, machine.versions.previous) == ("0.2.0", "0.1.0")
    assert machine.service.starts == ["0.1.0", "0.2.0"]
    assert machine.versions.last.what == "updated"
    assert machine.versions.proving is None


def test_the_trial_is_not_answered_by_the_table_that_runs(machine, workshop):
    """Its address is among the files that are copied, and the new table notes its own only when it is ready."""

    class Running(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b'{"service": {"version": "0.1.0"}}')

        def log_message(self, *_):
            pass

    machine.install("0.1.0")
    with HTTPServer(("127.0.0.1", 0), Running) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = {"table": {"url": f"http://127.0.0.1:{server.server_port}/"}}
        (machine.paths.state / "pairing.json").write_text(json.dumps(address))
        assert machine.update(workshop.package("0.2.0")) == "0.2.0"
        server.shutdown()


def test_two_earlier_versions_stay(machine, workshop):
    machine.install("0.1.0")
    for version in ("0.2.0", "0.3.0", "0.4.0"):
        machine.update(workshop.package(version))
    assert machine.versions.order == ["0.3.0", "0.2.0"]
    assert not (machine.paths.trees / "0.1.0").exists()


def test_another_build_of_a_version_is_installed_beside_it(machine, workshop):
    machine.install("0.1.0")
    machine.install("0.1.0", how="otherwise")
    assert machine.versions.current.startswith("0.1.0+")
    assert machine.versions.previous == "0.1.0"


def test_a_build_between_releases_is_updated_by_a_later_one_and_by_the_next_release(machine, workshop, monkeypatch):
    """Also to the release itself from a build before its tag, whose version sorts after it."""
    versions = ("0.1.0", "0.2.0+gfffffff", "0.2.0+g0000000", "0.2.0", "0.2.0+gb3c4a12", "0.2.1")
    machine.install("0.1.0")
    for minute, (version, later) in enumerate(itertools.pairwise(versions)):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", str(1795000000 + 60 * minute))
        package = workshop.package(later, "in order")
        assert machine.update(package) == machine.versions.version(machine.versions.current) == later
        with pytest.raises(InstallError, match="is already running"):
            machine.update(package)
        if minute:
            with pytest.raises(InstallError, match="is already running"):
                machine.update(workshop.package(version, "in order"))
    assert machine.versions.running == ("0.2.1", 1795000000 + 60 * 4)
    assert machine.installer.back() == "0.2.0+gb3c4a12"


def test_a_damaged_tree_of_a_build_between_releases_has_the_version_in_its_name(machine):
    for how in ("works", "otherwise"):
        machine.install("0.2.0+g1a2b3c4", how)
    for name in ("0.2.0+g1a2b3c4", machine.versions.current):
        (machine.paths.trees / name / "MANIFEST.json").unlink()
        assert machine.versions.version(name) == "0.2.0+g1a2b3c4"
    assert machine.versions.running == ("0.2.0+g1a2b3c4", 0)


def test_back_runs_the_version_before_and_back_again_the_newer(machine, workshop):
    machine.install("0.1.0")
    machine.update(workshop.package("0.2.0"))
    assert machine.installer.back() == "0.1.0"
    assert machine.service.runs == "0.1.0"
    assert machine.versions.last.what == "back"
    assert machine.installer.back() == "0.2.0"


def test_there_is_no_way_back_from_the_first(machine):
    machine.install("0.1.0")
    with pytest.raises(InstallError, match="no earlier version"):
        machine.installer.back()


@pytest.mark.sampled
@pytest.mark.parametrize("how", ["ends", "hangs"])
def test_a_version_that_is_not_well_is_taken_back_within_half_a_minute(machine, workshop, how):
    machine.install("0.1.0")
    scores = scores_of(machine)
    machine.service.how["0.2.0"] = how
    begun = machine.service.now
    with pytest.raises(InstallFailed, match=r"version 0\.1\.0 is running again") as raised:
        machine.update(workshop.package("0.2.0"))
    assert ("the disk is on fire" in str(raised.value)) == (how == "ends")
    assert machine.service.now - begun <= 30
    assert machine.service.runs == machine.versions.current == "0.1.0"
    assert machine.versions.last.what == "failed"
    assert machine.versions.last.why["key"] in {"install_version_ended", "install_version_silent"}
    assert machine.versions.proving is None
    assert scores_of(machine) == scores


def test_a_game_that_is_being_played_is_not_disturbed_unless_told(machine, workshop):
    machine.install("0.1.0")
    package = workshop.package("0.2.0")
    machine.service.playing = True
    with pytest.raises(InstallError, match="a game is in progress"):
        machine.update(package)
    assert machine.versions.current == "0.1.0"
    assert machine.update(package, during_game=True) == "0.2.0"
    with pytest.raises(InstallError, match="a game is in progress"):
        machine.installer.back()


def test_a_version_that_keeps_dying_is_left_once(machine, workshop):
    machine.install("0.1.0")
    machine.update(workshop.package("0.2.0"))
    machine.service.how["0.2.0"] = "ends"
    machine.service.now += 100
    machine.installer.recover()
    assert machine.service.runs == machine.versions.current == "0.1.0"
    assert "kept stopping" in machine.versions.last.why["text"]


def test_a_version_that_keeps_dying_is_not_left_for_one_that_cannot_read_the_scores(
    machine, workshop, monkeypatch, capsys
):
    """That one would end at every start; this one may yet run."""
    monkeypatch.setattr("pegboard.install.installer.AGAIN_S", 0)
    machine.install("0.1.0", how="is older")
    machine.update(workshop.package("0.2.0"))
    (machine.paths.state / "newer.json").write_text("{}")
    machine.service.how["0.2.0"] = "ends"
    machine.service.now += 100
    machine.installer.recover()
    assert machine.service.starts == ["0.1.0", "0.2.0", "0.2.0"]
    assert (machine.versions.current, machine.versions.previous) == ("0.2.0", "0.1.0")
    assert "journal.db was written by a newer pegboard" in capsys.readouterr().err


def test_a_version_that_keeps_dying_is_left_if_there_is_no_room_for_a_trial(machine, workshop, monkeypatch):
    machine.install("0.1.0")
    machine.update(workshop.package("0.2.0"))
    machine.service.how["0.2.0"] = "ends"
    machine.service.now += 100

    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("pegboard.install.installer.try_tree", full)
    machine.installer.recover()
    assert machine.service.runs == machine.versions.current == "0.1.0"


def cut_off():
    raise KeyboardInterrupt


def test_a_version_that_nobody_watched_is_left_when_it_keeps_dying(machine, workshop, monkeypatch):
    """The installation was cut off without a power cut, so that no start of the machine has finished it."""
    machine.install("0.1.0")
    with monkeypatch.context() as patch:
        patch.setattr(machine.service, "pause", cut_off)
        with pytest.raises(KeyboardInterrupt):
            machine.update(workshop.package("0.2.0"))
    assert machine.versions.current == "0.2.0"
    machine.installer.recover()
    assert machine.service.runs == machine.versions.current == "0.1.0"
    assert machine.versions.proving is None


def test_recovery_waits_for_an_installation_that_may_fail(machine, monkeypatch):
    """It holds the lock while it tries a version, and starts nothing where that is not taken."""
    monkeypatch.setattr("pegboard.install.installer.AGAIN_S", 0)
    machine.install("0.1.0")
    with (machine.paths.trees / LOCK).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        recovery = threading.Thread(target=machine.installer.recover)
        recovery.start()
        recovery.join(0.2)
        assert recovery.is_alive()
    recovery.join(60)
    assert machine.service.starts == ["0.1.0", "0.1.0"]


def test_nobody_but_root_can_hold_the_lock(machine):
    """Whoever may open a file may lock it, and nothing would be installed any more."""
    (machine.paths.trees).mkdir(parents=True)
    (machine.paths.trees / LOCK).touch(0o644)
    machine.install("0.1.0")
    assert stat.S_IMODE((machine.paths.trees / LOCK).stat().st_mode) == 0o600


@pytest.mark.sampled
@pytest.mark.parametrize("reason", ["settings", "old", "first", "by hand", "memory"])
def test_a_service_that_dies_for_another_reason_is_only_started_again(machine, workshop, reason, monkeypatch):
    monkeypatch.setattr("pegboard.install.installer.AGAIN_S", 0)
    machine.install("0.1.0")
    if reason != "first":
        machine.update(workshop.package("0.2.0"))
    before = machine.versions.current
    machine.service.status = 2 if reason == "settings" else 1
    if reason == "by hand":
        machine.service.restarts = 0
    if reason == "memory":
        machine.service.status, machine.service.result = 137, "oom-kill"
    if reason == "old":
        now = machine.versions.last.at
        machine.installer._switch._wall = lambda: now + 8 * 86_400
    starts = len(machine.service.starts)
    machine.installer.recover()
    assert machine.versions.current == before
    assert machine.service.starts[-1] == before
    assert len(machine.service.starts) == starts + (reason != "settings")
    assert machine.service.is_listening == (reason != "settings"), "a phone that asks would start it again and again"


def test_settings_that_were_mended_when_systemd_took_no_further_start_are_tried(machine, monkeypatch):
    monkeypatch.setattr("pegboard.install.installer.AGAIN_S", 0)
    machine.install("0.1.0")
    machine.service.status, machine.service.result = 2, "start-limit-hit"
    starts = len(machine.service.starts)
    machine.installer.recover()
    assert len(machine.service.starts) == starts + 1


def test_a_version_whose_program_is_gone_is_left_though_python_ends_as_if_by_settings(machine, workshop):
    machine.install("0.1.0")
    machine.update(workshop.package("0.2.0"))
    (machine.paths.trees / "0.2.0" / "run.py").unlink()
    machine.service.status = 2
    machine.installer.recover()
    assert machine.versions.current == "0.1.0"


def test_going_back_from_a_tree_without_its_manifest(machine, workshop):
    machine.install("0.1.0")
    machine.update(workshop.package("0.2.0"))
    (machine.paths.trees / "0.2.0" / "MANIFEST.json").write_text("{")
    machine.installer.recover()
    assert machine.versions.current == "0.1.0"
    assert machine.versions.last.what == "failed"


def test_what_is_installed_is_what_was_built(machine, workshop):
    machine.install("0.1.0")
    tree = machine.paths.trees / "0.1.0"
    manifest = read_manifest(tree)
    assert changed_files(tree, manifest) == []
    (tree / "run.py").write_text("spoiled")
    assert changed_files(tree, manifest) == ["run.py"]


def test_the_welcome_looks_into_the_scores_as_their_owner_without_a_terminal(machine, monkeypatch, capsys):
    ran = []

    def run(*_, **more):
        ran.append(more)
        return subprocess.CompletedProcess((), 0, b"Open http://x/\x1b]0;gotcha\x07\xff\n", b"")

    monkeypatch.setattr(switching, "service_account", lambda: {"user": 4711})
    monkeypatch.setattr(switching.subprocess, "run", run)
    machine.installer.welcome()
    assert [(more["user"], more["start_new_session"]) for more in ran] == [(4711, True)]
    assert ran[0].keys() >= {"input", "capture_output"}
    assert capsys.readouterr().out == "Open http://x/\\u001b]0;gotcha\\u0007\ufffd\n"
