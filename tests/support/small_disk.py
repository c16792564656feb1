"""Tests on a disk of 512 kB in memory, to be filled or made read-only; in a namespace where this user may not mount."""

import contextlib
import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.damage import copy_as_if_killed
from tests.support.scoreboard_on_a_folder import Table

NAMESPACE = ("unshare", "--map-root-user", "--mount")
"""Runs a program as a root of its own, who may mount what nobody else sees (user_namespaces(7))."""


def on_small_disk(test: Callable[[Path], None]) -> Callable[[Path], None]:
    """A test that gets the place of such a disk, with a table on it that was killed at 5 to 0."""

    def run(tmp_path: Path) -> None:
        with contextlib.ExitStack() as cleanup:
            if _mount(tmp_path, cleanup):
                test(_lay_table(tmp_path))
                return
        _run_in_namespace(test, tmp_path)

    run.__name__, run.__module__, run.__doc__ = test.__name__, test.__module__, test.__doc__
    vars(run)["on_disk"] = test
    return pytest.mark.mounts(run)


def _mount(folder: Path, cleanup: contextlib.ExitStack) -> bool:
    """Mount a disk in a folder until `cleanup` is left; whether that is allowed."""
    place = folder / "disk"
    place.mkdir(exist_ok=True)
    words = ["mount", "-t", "tmpfs", "-o", "size=512k", "none", str(place)]
    if subprocess.run(words, check=False, capture_output=True).returncode:
        return False
    cleanup.callback(subprocess.run, ["umount", "--lazy", str(place)], check=True)
    return True


def _lay_table(folder: Path) -> Path:
    table = Table(folder / "origin")
    table.score(0, 5)
    copy_as_if_killed(table.folder, folder / "disk" / "table")
    table.journal.close()
    return folder / "disk"


def _run_in_namespace(test: Callable[[Path], None], folder: Path) -> None:
    words = [*NAMESPACE, sys.executable, "-m", __name__, test.__module__, test.__name__, str(folder)]
    ran = subprocess.run(words, check=False, capture_output=True, text=True)
    if ran.returncode:
        pytest.fail(
            f"on a disk that only a namespace has: {ran.stderr}\n"
            "Full and read-only disks need root who may mount, or a user who may make namespaces (unshare)",
            pytrace=False,
        )


def remount(place: Path, how: str) -> None:
    """Make the disk read-only ("ro") or writable ("rw").

    With source and place `mount` adds none of the options that the disk has now: in a namespace the kernel refuses its
    uid and gid.
    """
    subprocess.run(["mount", "-o", f"remount,{how}", "none", str(place)], check=True)


def main(module: str, name: str, folder: str) -> None:
    """Run one test, in a namespace."""
    with contextlib.ExitStack() as cleanup:
        if not _mount(Path(folder), cleanup):
            sys.exit("a namespace of one's own may mount nothing here")
        vars(importlib.import_module(module))[name].on_disk(_lay_table(Path(folder)))


if __name__ == "__main__":
    main(*sys.argv[1:])
