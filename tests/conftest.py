"""What every room's tests share: the real program as a process, and a browser that needs no download."""

import shutil

import pytest

from tests.process import Service

CHROMIUM = "/usr/bin/chromium"


@pytest.fixture
def service(tmp_path):
    """The program with its stand-in hardware, on a port of its own."""
    with Service(tmp_path / "state", record=tmp_path / "record") as service:
        yield service


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Debian's chromium; a missing one fails the tests with a sentence."""
    if not shutil.which(CHROMIUM):
        pytest.fail(f"{CHROMIUM} is missing: tests/debian-packages installs it")
    quiet = ["--disable-background-networking", "--no-first-run", "--disable-component-update", "--disable-sync"]
    plain = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    return browser_type_launch_args | {"executable_path": CHROMIUM, "args": [*plain, *quiet]}
