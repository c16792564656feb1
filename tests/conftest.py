"""What every room's tests share: the real program as a process, and a browser that needs no download."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from playwright.sync_api import expect

from tests.support.durations import Durations
from tests.support.long_runs import SEED, a_sample, is_long, is_quick, some_of
from tests.support.program import Service

os.environ["PEGBOARD_MOUNTS"] = os.devnull  # what tests write may be in memory, and no program is to say so
expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong
settings.register_profile(  # nor are examples
    "busy", deadline=None, max_examples=some_of(100, 10), suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("busy")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as a shell starts what it puts behind; programs would keep it
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as `nohup` starts what it runs; the same
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def pytest_configure(config):
    """A run has a temporary folder of its own, and a run of all folders keeps how long each test took.

    Runs of one account share a folder otherwise, and each that starts closes it to other accounts, at which tests of
    the others may look. With workers, the process that gets their reports does both.
    """
    if not hasattr(config, "workerinput"):
        root = tempfile.mkdtemp(prefix="run-")
        os.environ["PYTEST_DEBUG_TEMPROOT"] = root
        config.add_cleanup(lambda: shutil.rmtree(root, ignore_errors=True))
    if config.args_source is config.ArgsSource.TESTPATHS and not hasattr(config, "workerinput"):
        config.pluginmanager.register(Durations())


SLOW = """
    bench browser cli crash hub install mqtt pictures startup storage/journal web/access
    web/table/test_documented_commands.py web/table/test_examples.py web/table/test_malformed_requests.py
    web/table/test_openapi_document.py web/http web/hub web/table/test_behind_nginx.py
    web/table/test_event_stream.py web/table/test_pacer.py table/test_result_code.py
    hardware/keys/test_buttons.py hardware/keys/test_machine.py hardware/test_faults.py
    hardware/oled/test_display.py hardware/oled/test_picture_in_every_layout.py hardware/strip/test_display.py
    hardware/test_selftest_trials.py table/test_many_phones_at_once.py pegboard/test_messages.py
    pegboard/test_sockets_of_systemd.py pegboard/test_systemd.py table/test_table_machine.py
    storage/test_backups.py storage/test_game_list_statistics_export_import.py storage/test_newer_journals.py
    storage/test_old_journals.py storage/test_salvage.py storage/test_summary_workers.py test_new_command.py
    test_unused.py tournament/night/test_buttons.py tournament/results/test_error_table.py
    web/table/test_commands.py web/table/test_event.py web/table/test_every_command.py web/table/test_games.py
    web/table/test_versions.py web/kit/test_faulty_catalogs.py web/test_bad_input.py web/test_server.py
"""
"""Folders and files that `make test-quick` leaves out: they start programs or servers, or take some seconds."""

LONG = """
    bench pictures
"""
"""Folders and files that `make test-long` alone runs, beside single tests that are marked `long`."""

PACKAGED = """
    cc cloud-init curl fc-list gcc initdb mandoc mosquitto mosquitto_passwd mosquitto_pub mosquitto_sub nginx pg_isready
    postgres psql sigrok-cli strace systemd-analyze
"""
"""Programs of Debian packages: a test that starts one is marked `debian`."""

MOUNTING = "mount umount unshare"
"""Programs that not every user may run: a test that starts one is marked `mounts`."""

MARKED_BY = {
    "browser": {"page", "browser", "new_context"},
    "debian": {"postgresql", "broker", "guarded", "scripts_in"},
}
"""Marks that tests get by what they ask for."""


def pytest_ignore_collect(collection_path, config):
    """A run of all folders does not even read what it leaves out; a file that is named is always run."""
    if config.args_source is config.ArgsSource.TESTPATHS and collection_path in left_out():
        return True
    return None


def left_out():
    names = ("" if is_long() else LONG) + (SLOW if is_quick() else "")
    return {Path(__file__).parent / name for name in names.split()}


def pytest_collection_modifyitems(config, items):
    """Mark tests by what they ask for, and leave the `long` ones to `make test-long`."""
    for item in items:
        for mark, fixtures in MARKED_BY.items():
            if fixtures & set(item.fixturenames):
                item.add_marker(mark)
    if config.args_source is config.ArgsSource.TESTPATHS and not is_long():
        chosen = set(chosen_of(items))
        config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
        items[:] = [item for item in items if item in chosen]


def chosen_of(items):
    """All but the `long` tests; of the cases of one that is `sampled` a tenth, but at least so many."""
    cases = defaultdict(list)
    for item in items:
        if item.get_closest_marker("long"):
            continue
        if sampled := item.get_closest_marker("sampled"):
            cases[item.path, item.originalname, sampled.kwargs.get("least", 1)].append(item)
        else:
            yield item
    for (*_, least), of_one in cases.items():
        yield from a_sample(of_one, least=least)


def pytest_terminal_summary(terminalreporter):
    """Say how this run's samples are had again."""
    if not is_long():
        terminalreporter.write_line(f"a part of the longest tests was tried, chosen by SEED={SEED}")


def pytest_collection_finish():
    """Thousands of tests stay until the end: the garbage collector need not look through them each time."""
    gc.collect()
    gc.freeze()


RUNNING = []
"""The test that runs in this process."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    """Know which test runs; Ctrl-C is heard again, whatever the one before has done with its signal."""
    RUNNING[:] = [item]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        return (yield)
    finally:
        RUNNING.clear()


def refuse_unmarked(event, args):
    """Fail a test that starts a program which not every machine has, and is not marked: `make test-quick` would."""
    if event != "subprocess.Popen" or not RUNNING:
        return
    program = Path(os.fsdecode(args[0] or args[1][0])).name
    for mark, programs in (("debian", PACKAGED), ("mounts", MOUNTING)):
        if program in programs.split() and not RUNNING[0].get_closest_marker(mark):
            raise AssertionError(f"a test that starts {program} must be marked: @pytest.mark.{mark}")


sys.addaudithook(refuse_unmarked)


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
