"""The power goes, or the disk is full, at every step of a change: one whole version runs afterwards."""

import errno
import os
import shutil
from pathlib import Path

import pytest

from pegboard.install.installed_versions import PART, changed_files, read_manifest
from pegboard.install.package_file import InstallFailed


class PowerCut(BaseException):
    """Nothing runs any more: no handler of an error, no cleaning up."""


def cut_power():
    raise PowerCut


class Steps:
    """Counts what is written, and cuts in at one of the steps, before it is done."""

    WATCHED = ((Path, "rename"), (Path, "replace"), (Path, "symlink_to"), (Path, "unlink"), (Path, "mkdir"))

    def __init__(self, monkeypatch, last, error):
        self.count, self.last, self.error = 0, last, error
        for owner, name in (*self.WATCHED, (os, "fsync"), (os, "sync"), (Path, "write_bytes")):
            monkeypatch.setattr(owner, name, self._watch(getattr(owner, name)))

    def _watch(self, real):
        def step(*arguments, **more):
            self.count += 1
            if self.count == self.last:
                raise self.error
            return real(*arguments, **more)

        return step


def ends(machine, monkeypatch, package, last, error):
    """Cut in at one step of an update; whether it had so many."""
    with monkeypatch.context() as patch, pytest.MonkeyPatch.context() as clean:
        if isinstance(error, PowerCut):
            clean.setattr("shutil.rmtree", lambda *_, **__: None)
            clean.setattr("pegboard.install.installed_versions.shutil.rmtree", lambda *_, **__: None)
        steps = Steps(patch, last, error)
        try:
            machine.update(package)
        except (PowerCut, InstallFailed, OSError):
            return True
        return steps.count >= last


def whole(machine):
    current = machine.versions.current
    tree = machine.paths.trees / current
    assert changed_files(tree, read_manifest(tree)) == []
    return current


@pytest.mark.sampled
@pytest.mark.parametrize("broken", [False, True])
def test_a_power_cut_at_every_step_leaves_one_whole_version(machine, workshop, monkeypatch, broken):
    machine.install("0.1.0")
    package = workshop.package("0.2.0")
    seen, step = set(), 0
    while True:
        step += 1
        cut = ends(machine, monkeypatch, package, step, PowerCut())
        whole(machine)
        if broken:
            machine.service.how["0.2.0"] = "ends"
        machine.start_anew()
        machine.service.restart()  # the machine starts again, and the service with it
        try:
            machine.installer.finish()
        except InstallFailed:
            assert broken
        runs = whole(machine)
        assert machine.service.runs == runs
        if broken and runs == "0.2.0":  # it had been proved before the cut; systemd notices that it dies
            machine.installer.recover()
            runs = whole(machine)
        assert not broken or runs == "0.1.0"
        seen.add(runs)
        assert not list(machine.paths.trees.glob(f"{PART}*"))
        assert machine.versions.proving is None
        if not cut:
            break
        machine.service.how = {}
        if machine.versions.current == "0.2.0":
            machine.installer.back()
        for path in machine.paths.trees.iterdir():
            if path.name.startswith("0.2.0"):
                shutil.rmtree(path)
    assert step > 15
    assert seen == ({"0.1.0"} if broken else {"0.1.0", "0.2.0"})


def test_a_power_cut_while_going_back_leaves_a_record_of_going_back(machine, workshop, monkeypatch):
    machine.install("0.1.0")
    machine.update(workshop.package("0.2.0"))
    with monkeypatch.context() as patch:
        patch.setattr(machine.service, "restart", cut_power)
        with pytest.raises(PowerCut):
            machine.installer.back()
    machine.start_anew()
    machine.service.restart()
    machine.installer.finish()
    assert (machine.versions.current, machine.versions.last.what) == ("0.1.0", "back")
    assert machine.versions.new_since is None


def test_a_full_disk_at_every_step_leaves_the_running_version(machine, workshop, monkeypatch):
    machine.install("0.1.0")
    package = workshop.package("0.2.0")
    for step in range(1, 9):  # until the tree is written
        before = machine.content()
        assert ends(machine, monkeypatch, package, step, OSError(errno.ENOSPC, "No space left on device"))
        assert machine.content() == before
    assert machine.update(package) == "0.2.0"


def test_too_little_room_is_said_before_anything_is_written(machine, workshop, monkeypatch):
    machine.install("0.1.0")
    monkeypatch.setattr("pegboard.install.installed_versions.REQUIRED_FREE_BYTES", 1 << 60)
    before = machine.content()
    with pytest.raises(InstallFailed, match="MB free in"):
        machine.update(workshop.package("0.2.0"))
    assert machine.content() == before
