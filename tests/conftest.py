"""What every room's tests share: the real program as a process, and a browser that needs no download."""

import shutil

import pytest
from playwright.sync_api import expect

from tests.process import Service

expect.set_options(timeout=10_000)  # a busy machine is slow, not wrong


@pytest.fixture
def service(tmp_path):
    """The program with its stand-in hardware, on a port of its own."""
    with Service(tmp_path / "state", record=tmp_path / "record") as service:
        yield service


def chromium():
    """The path of Debian's; the one without windows opens a page in half the time.

    Raises:
        FileNotFoundError: neither is there.
    """
    if found := shutil.which("chromium-headless-shell") or shutil.which("chromium"):
        return found
    raise FileNotFoundError("chromium-headless-shell and chromium are missing: tests/debian-packages installs one")


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args):
    """Debian's chromium; a missing one fails the tests with a sentence."""
    quiet = ["--disable-background-networking", "--no-first-run", "--disable-component-update", "--disable-sync"]
    plain = ["--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu"]
    return browser_type_launch_args | {"executable_path": chromium(), "args": [*plain, *quiet]}
