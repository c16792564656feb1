"""What every room's tests share: the real program as a process, and a browser that needs no download."""

import contextlib
import fcntl
import gc
import os
import shutil
import signal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect

from tests.support.durations import Durations
from tests.support.long_runs import some_of
from tests.support.program import Service

os.environ["PEGBOARD_MOUNTS"] = os.devnull  # what tests write may be in memory, and no program is to say so
expect.set_options(timeout=10_000)  # a busy machine is slow, not wrong
settings.register_profile(  # nor are examples
    "busy", deadline=None, max_examples=some_of(100), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("busy")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what it puts behind; programs would keep it
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as `nohup` starts what it runs; the same
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


ROOM, GATE = Path(__file__), Path(__file__).with_name("support") / "waiting.py"
"""Files whose locks are held: the room's during each test, the gate's by whoever waits for the room."""


@contextlib.contextmanager
def locked(file, how):
    """Hold the lock of a file, which all processes of a run know."""
    with file.open() as lock:
        fcntl.flock(lock, how)
        try:
            yield
        finally:
            fcntl.flock(lock, fcntl.LOCK_UN)  # for a process that was forked meanwhile, too


def pytest_configure(config):
    """A run of all folders keeps how long each test took; with workers, the process that gets their reports does."""
    if config.args_source is config.ArgsSource.TESTPATHS and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Durations())


LONG = """
    commandline/test_cli.py commandline/test_good_and_bad_command_lines.py commandline/test_count.py
    commandline/test_full_disk_closed_pipe_ctrl_c.py core/test_sheet_machine.py crash/test_plug_pulled.py
    crash/test_kill.py crash/test_power_cuts.py crash/test_failing_calls.py
    hardware/oled/test_display.py hardware/oled/test_picture_in_every_layout.py
    hardware/oled/test_game_over_and_join_screens.py hardware/test_faults.py pegboard/test_table_machine.py
    startup/test_device_settings.py startup/test_hanging_and_third_party_devices.py storage/test_import_workers.py
    storage/test_old_journals.py web/access/test_access_of_real_program.py web/api/contract/test_openapi_document.py
    web/api/test_every_command.py web/api/test_games.py web/live/test_event_stream.py
"""
"""Files whose tests take more than ten seconds together; `make test-quick` leaves them out."""


def pytest_collection_modifyitems(items):
    """Mark what `make test-quick` and `make test-debian` leave out; tests that are `alone` go first, together."""
    items.sort(key=lambda item: not is_alone(item))
    long = {Path(__file__).parent / name for name in LONG.split()}
    for item in items:
        if {"page", "browser", "new_context"} & set(item.fixturenames):
            item.add_marker("browser")
        if item.path in long:
            item.add_marker("long")


def pytest_collection_finish():
    """Thousands of tests stay until the end: the garbage collector need not look through them each time."""
    gc.collect()
    gc.freeze()


EMPTIED = []
"""The lock of the room for as long as tests that are `alone` follow each other: others are waited for once."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item, nextitem):
    """A test that is marked `alone`, for it knows a bound in seconds, has the machine to itself."""
    if not is_alone(item):
        with entered(fcntl.LOCK_SH):
            return (yield)
    if not EMPTIED:
        EMPTIED.append(entered(fcntl.LOCK_EX))
    try:
        return (yield)
    finally:
        if nextitem is None or not is_alone(nextitem):
            EMPTIED.pop().close()


def entered(how):
    """The lock of the room, held until this is closed."""
    room = contextlib.ExitStack()
    with locked(GATE, fcntl.LOCK_EX):
        room.enter_context(locked(ROOM, how))
    return room


def is_alone(item):
    return item.get_closest_marker("alone") is not None


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
