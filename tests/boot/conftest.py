"""Machines and packages for `make test-boot` and `make test-container`: a machine a module, and versions."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.boot.container import ContainerMachine
from tests.boot.qemu import QemuMachine

ROOT = Path(__file__).parents[2]

collect_ignore_glob = [] if "PEGBOARD_BOOT" in os.environ else ["test_*.py"]
"""`make test` has no hour for these; `make test-boot` and `make test-container` run them."""

MACHINES = {"qemu": QemuMachine, "container": ContainerMachine}
"""By the value of PEGBOARD_BOOT."""


def pytest_collection_modifyitems(items):
    """Every test here starts a machine, from a mounted disk and with programs of Debian packages."""
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.mounts)
            item.add_marker(pytest.mark.debian)


CRASHES = """
_run_table = run_table


def run_table(*arguments, **more):
    import os, threading
    if "PEGBOARD_TRIAL" not in os.environ:
        threading.Timer(30, os._exit, [3]).start()
    _run_table(*arguments, **more)
"""
"""Added to pegboard/startup/bootstrap.py: a fault that shows only later, and not in the trial."""

ENDS = """
_run_table = run_table


def run_table(*arguments, **more):
    import os
    if "PEGBOARD_TRIAL" not in os.environ:
        raise RuntimeError("a fault")
    _run_table(*arguments, **more)
"""
"""A fault that shows at once, and not in the trial."""


class Packages:
    """Signed packages by their versions, and the file of their public key."""

    def __init__(self, folder):
        self.folder, self.key = folder, folder / "key.pem"
        self.public = folder / "public"
        self.public.write_text(self._build("key", self.key))

    def get(self, version, fault=""):
        """The package of a version, with a fault in it or without; made once."""
        path = self.folder / f"pegboard_{version}_all.deb"
        if not path.exists():
            source = self.folder / f"source-{version}"
            words = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
            names = subprocess.run(words, capture_output=True, check=True).stdout.decode().split("\0")
            for name in filter(None, names):
                if (ROOT / name).is_file() and not name.startswith(("tests/", "docs/")):
                    (source / name).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(ROOT / name, source / name)
            with (source / "pegboard/startup/bootstrap.py").open("a") as file:
                file.write(fault)
            self._build("--folder", self.folder, "--as-version", version, "deb", self.key, source=source)
        return path

    def _build(self, *words, source=ROOT):
        own = {"PYTHONPATH": str(source), "SOURCE_DATE_EPOCH": "1800000000"}
        command = [sys.executable, "-m", "pegboard.install.building", *map(str, words)]
        return subprocess.run(
            command, env=os.environ | own, cwd=source, stdout=subprocess.PIPE, text=True, check=True
        ).stdout


@pytest.fixture(scope="session")
def packages(tmp_path_factory):
    return Packages(tmp_path_factory.mktemp("packages"))


@pytest.fixture(scope="module")
def machine(tmp_path_factory, packages):
    """A machine on which version 1.0.0 has just been installed."""
    one = MACHINES[os.environ["PEGBOARD_BOOT"]](tmp_path_factory.mktemp("machine"), os.environ.get("SUITE", "trixie"))
    try:
        one.start()
        one.copy(packages.get("1.0.0"), packages.public)
        one.run("dpkg -i pegboard_1.0.0_all.deb", timeout=900)
        one.wait_for("1.0.0")
        yield one
    finally:
        one.pull_plug()
