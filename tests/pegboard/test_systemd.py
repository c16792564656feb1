"""The unit file, as systemd itself judges it, and what the service tells systemd."""

import contextlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pytest

from pegboard import systemd
from tests.support.foreign_package import lay_out
from tests.support.program import Service
from tests.support.waiting import soon

UNIT = Path(__file__).parent.parent.parent / "systemd" / "pegboard.service"
HUB_UNIT = UNIT.with_name("pegboard-hub.service")
MOST_EXPOSED = 1.5
"""Of 10; below is better."""

NEWER_WORDS = {"RestartMode": 254}
"""Words of the units that only later systemds know, and the first that does; those before pass over them and say so."""


def analyze(*arguments):
    """Run systemd-analyze; where systemd does not run and this user may not make its folder, as of the user's own."""
    tool = shutil.which("systemd-analyze")
    assert tool, "systemd-analyze is missing: tests/debian-packages installs it"
    whose = [] if os.access("/run/systemd", os.R_OK) or os.access("/run", os.W_OK) else ["--user"]
    with tempfile.TemporaryDirectory() as folder:
        own = os.environ | {"XDG_RUNTIME_DIR": folder}
        command = [tool, *whose, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, check=False, env=own)


@pytest.mark.debian
def test_systemd_verifies_every_unit(tmp_path):
    """The programs of the units are not installed here, so another stands for each."""
    for path in (*UNIT.parent.glob("*.service"), *UNIT.parent.glob("*.socket"), *UNIT.parent.glob("*.path")):
        if not path.name.endswith(".avahi.service"):
            text = re.sub(r"^(Exec\w+)=.*$", r"\1=/bin/true", path.read_text("utf-8"), flags=re.MULTILINE)
            (tmp_path / path.name).write_text(text, "utf-8")
    assert len(list(tmp_path.iterdir())) >= 10
    verdict = analyze("verify", "--man=no", *sorted(tmp_path.iterdir()))
    ours = [line for line in verdict.stderr.splitlines() if "pegboard" in line]
    version = int(analyze("--version").stdout.split()[1])
    unknown = [f"Unknown key '{word}'" for word, since in NEWER_WORDS.items() if version < since]
    unexpected = [line for line in ours if not any(word in line for word in unknown)]
    assert (verdict.returncode, unexpected, len(ours)) == (0, [], len(unknown))


@pytest.mark.parametrize(("device", "looks"), [("sda1", False), ("sda", True), ("sdb1", True)])
def test_a_usb_disk_that_is_mounted_is_not_looked_at(tmp_path, device, looks):
    """A Pi that starts from one would have a failed unit for each of its file systems."""
    (tmp_path / "mounts").write_text("/dev/sda1 /boot/firmware vfat rw 0 0\nproc /proc proc rw 0 0\n", "utf-8")
    unit = (UNIT.parent / "pegboard-usb@.service").read_text("utf-8")
    condition = re.search(r"^ExecCondition=/bin/sh -c '(.*)'$", unit, re.MULTILINE)[1]
    command = condition.replace("%I", device).replace("/proc/self/mounts", str(tmp_path / "mounts"))
    assert (subprocess.run(["/bin/sh", "-c", command], check=False).returncode == 0) == looks


@pytest.mark.debian
@pytest.mark.parametrize("unit", [UNIT, HUB_UNIT], ids=lambda unit: unit.stem)
def test_the_unit_is_hardly_exposed(unit):
    told = json.loads(analyze("security", "--offline=true", "--json=short", unit).stdout)
    assert told, "systemd tells nothing of the unit"
    total = analyze("security", "--offline=true", unit).stdout
    exposure = float(re.search(r"Overall exposure level for \S+: ([\d.]+)", total)[1])
    assert exposure <= MOST_EXPOSED


@pytest.mark.parametrize("unit", [UNIT, HUB_UNIT], ids=lambda unit: unit.stem)
def test_what_is_set_wrongly_is_not_started_again_and_again(unit):
    """Exit status 2 says that the settings or options are not taken; 1, such as a full disk, may go well later."""
    assert re.search(r"^RestartPreventExitStatus=2$", unit.read_text("utf-8"), re.MULTILINE)


OTHERWISE = {"DeviceAllow", "DevicePolicy", "PrivateDevices", "PrivateUsers", "WatchdogSec", "Environment"}


def test_the_hub_is_shut_in_as_the_table_is_and_from_devices_too():
    def sandbox(unit):
        lines = unit.read_text("utf-8").partition("\nCapabilityBoundingSet=")[2].partition("[Install]")[0].splitlines()
        return {line for line in lines if "=" in line and line[0] != "#" and line.split("=")[0] not in OTHERWISE}

    assert sandbox(HUB_UNIT) == sandbox(UNIT)
    assert "\nPrivateDevices=yes\n" in HUB_UNIT.read_text("utf-8")
    assert "DeviceAllow" not in HUB_UNIT.read_text("utf-8")


def test_the_unit_waits_for_no_network():
    assert "network" not in re.sub(r"^#.*$", "", UNIT.read_text("utf-8"), flags=re.MULTILINE)


@pytest.fixture
def manager(tmp_path, monkeypatch):
    """A socket that listens as systemd does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        yield line


def test_the_service_says_when_it_is_ready_that_it_lives_and_that_it_stops(tmp_path, manager, monkeypatch):
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    with Service(tmp_path / "state") as service:
        assert manager.recv(64) == b"READY=1"
        assert manager.recv(64) == b"WATCHDOG=1"
        assert manager.recv(64) == b"WATCHDOG=1"
        service.stop()
        told = manager.recv(64)
        while told == b"WATCHDOG=1":
            told = manager.recv(64)
        assert told == b"STOPPING=1"


def test_systemd_waits_while_an_old_journal_is_brought_up_to_date(tmp_path, manager):
    (tmp_path / "state").mkdir()
    shutil.copy(Path(__file__).parent.parent / "data" / "journal_v2.db", tmp_path / "state" / "journal.db")
    with Service(tmp_path / "state"):
        for _ in range(2):
            assert manager.recv(64) == b"EXTEND_TIMEOUT_USEC=600000000"
        told = manager.recv(64)
        while told.startswith(b"EXTEND"):
            told = manager.recv(64)
        assert told == b"READY=1"


def test_the_hub_says_when_it_is_ready_and_stops_and_uses_the_folder_of_its_unit(tmp_path, manager, monkeypatch):
    folder = re.search(r"^StateDirectory=(.+)$", HUB_UNIT.read_text("utf-8"), re.MULTILINE)[1]
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / folder))
    words = ["hub", "--host", "127.0.0.1", "--port", "0", "--broker", "mqtt://127.0.0.1:9"]
    with subprocess.Popen([sys.executable, "-m", "pegboard", *words], stdout=subprocess.PIPE) as hub:
        assert manager.recv(64) == b"READY=1"
        assert {"hub.db", "pairing.json", "secret"} <= {path.name for path in (tmp_path / folder).iterdir()}
        hub.terminate()
        assert manager.recv(64) == b"STOPPING=1"
        assert hub.wait(60) == 0


def test_without_systemd_nothing_is_told(monkeypatch):
    monkeypatch.delenv("NOTIFY_SOCKET", raising=False)
    monkeypatch.delenv("WATCHDOG_USEC", raising=False)
    systemd.notify("READY=1")
    assert systemd.watchdog_s() is None


@pytest.mark.parametrize(
    ("told", "seconds"),
    [("30000000", 30.0), ("1" + "0" * 400, None), ("9" * 5000, None), ("18446744073709551615", None), ("²", None)],
    ids=["30 s", "400 digits", "5000 digits", "infinity", "no number"],
)
def test_systemd_watches_no_longer_than_a_thread_can_wait(monkeypatch, told, seconds):
    monkeypatch.setenv("WATCHDOG_USEC", told)
    assert systemd.watchdog_s() == seconds


def test_a_manager_that_is_gone_disturbs_nobody(tmp_path, monkeypatch):
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "gone"))
    systemd.notify("READY=1")


def test_an_abstract_socket_is_reached(monkeypatch):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(f"\0pegboard-test-{threading.get_ident()}")
        line.settimeout(60)
        monkeypatch.setenv("NOTIFY_SOCKET", f"@pegboard-test-{threading.get_ident()}")
        systemd.notify("READY=1")
        assert line.recv(64) == b"READY=1"


HANGING_PARTS = '''
"""A display that hangs while a file says so, and an input that then holds the table."""

import os
import threading
import time
from pathlib import Path


def wait_while(name):
    while Path(os.environ["HANGS"], name).exists():
        time.sleep(0.01)


class Flag:
    name, about, refresh_s = "flag", "on the roof", 0.05

    def __init__(self, settings, buses):
        pass

    def show(self, view):
        wait_while("flag")

    def close(self):
        pass


class Bell:
    name = "bell"

    def __init__(self, settings, buses, target):
        self.lock = target._table.lock

    def start(self):
        threading.Thread(target=self.hold, daemon=True).start()

    def hold(self):
        while True:
            with self.lock:
                wait_while("bell")
            time.sleep(0.01)

    def close(self):
        pass
'''

HANGING_ENTRY_POINTS = """
[pegboard.displays]
flag = hanging:Flag

[pegboard.inputs]
bell = hanging:Bell
"""

WATCHDOG_S = 1.2


def pulses(manager, seconds):
    """How often the watchdog is fed in so many seconds from now on."""
    manager.setblocking(False)
    with contextlib.suppress(BlockingIOError):
        while manager.recv(64):
            pass
    ends, heard = time.monotonic() + seconds, 0
    while (left := ends - time.monotonic()) > 0:
        manager.settimeout(left)
        with contextlib.suppress(TimeoutError):
            heard += manager.recv(64) == b"WATCHDOG=1"
    return heard


@pytest.mark.long
def test_pulses_go_on_while_a_display_hangs_and_stop_while_scoring_does(tmp_path, manager, monkeypatch):
    lay_out(tmp_path / "site", "hanging", {"hanging.py": HANGING_PARTS}, HANGING_ENTRY_POINTS, monkeypatch)
    monkeypatch.setenv("HANGS", str(tmp_path))
    monkeypatch.setenv("WATCHDOG_USEC", f"{WATCHDOG_S * 1e6:.0f}")
    with Service(tmp_path / "state") as service:
        client = service.client()
        assert manager.recv(64) == b"READY=1"
        (tmp_path / "flag").touch()
        assert soon(lambda: stalls(client)) == [("display", "flag", False)]
        assert pulses(manager, 2 * WATCHDOG_S) >= 3
        (tmp_path / "bell").touch()
        soon(lambda: ("scoring", "", True) in stalls(client))
        assert pulses(manager, 2 * WATCHDOG_S) <= 1, "the last one may have been on its way"
        (tmp_path / "bell").unlink()
        assert pulses(manager, 2 * WATCHDOG_S) >= 3
        (tmp_path / "flag").unlink()
        soon(lambda: stalls(client) == [])
        assert client.score(0, 2)[0] == 201
        service.stop()
        said = service.process.stdout.read()
    assert said.count("no command has been processed for") == 2, "once when it stalled, and once when it went on"
    assert 'wait_while("bell")' in said
    assert 'wait_while("flag")' in said


def stalls(client):
    told = client.ask("GET", "/api/v1/health")[1]["service"]["stalls"]
    return [(one["part"], one["name"], one["restarts"]) for one in told]
