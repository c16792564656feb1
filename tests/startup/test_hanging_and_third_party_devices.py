"""The real program with devices that hang, and with a stranger's display and input from a package of their own."""

import os
import socket
import threading
import time
from importlib.metadata import EntryPoint, entry_points

import pytest

from hardware.oled.display import Oled
from hardware.strip.display import Strip
from pegboard.config import Settings
from pegboard.devices.health import Devices
from pegboard.startup.devices import load_kinds
from tests.support.program import UNHURRIED, Service
from tests.support.waiting import soon

PACKAGE = '''
"""A flag on the roof and a bell at the door."""

import os
import threading
import time


class Flag:
    name = "flag"
    about = "on the roof"
    refresh_s = None

    def __init__(self, settings, buses):
        self.mast = open(os.environ["FLAG"], "a", buffering=1)

    def show(self, view):
        print(time.monotonic_ns(), *view.dialled, view.notice or "", file=self.mast)

    def close(self):
        self.mast.close()


class Bell:
    name = "bell"

    def __init__(self, settings, buses, target):
        self.target = target

    def start(self):
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        # Open for writing as well, so that it never ends: what is written between an end and the next open is lost.
        with open(os.open(os.environ["BELL"], os.O_RDWR)) as rings:
            for ring in rings:
                verb, *numbers = ring.split()
                getattr(self.target, verb)(*map(int, numbers))

    def close(self):
        pass


class Broken(Flag):
    name = "broken"

    def __init__(self, settings, buses):
        raise ZeroDivisionError("it was dropped")


class Deaf(Bell):
    name = "deaf"

    def start(self):
        raise OSError("it hears nothing")

    def close(self):
        print("deaf is closed", file=open(os.environ["FLAG"] + ".deaf", "w"), flush=True)


class Stone(Bell):
    name = "stone"

    def start(self):
        pass

    @property
    def health(self):
        open(os.environ["FLAG"] + ".stone", "w").close()
        threading.Event().wait()

    def close(self):
        threading.Event().wait()
'''

ENTRY_POINTS = """
[pegboard.displays]
flag = house:Flag
broken = house:Broken
lost = nowhere:Display

[pegboard.inputs]
bell = house:Bell
"""


class House:
    """The stranger's package, laid out as an installer would, and the program that finds it."""

    def __init__(self, folder, monkeypatch):
        info = folder / "site" / "house-1.0.dist-info"
        info.mkdir(parents=True)
        (folder / "site" / "house.py").write_text(PACKAGE)
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: house\nVersion: 1.0\n")
        self.entry_points = info / "entry_points.txt"
        self.entry_points.write_text(ENTRY_POINTS)
        self.flag, self.bell = folder / "flag", folder / "bell"
        self.flag.touch()
        os.mkfifo(self.bell)
        paths = [str(folder / "site"), *filter(None, [os.environ.get("PYTHONPATH")])]
        for name, value in {"PYTHONPATH": os.pathsep.join(paths), "FLAG": self.flag, "BELL": self.bell}.items():
            monkeypatch.setenv(name, str(value))

    def offer(self, entry):
        """One input more."""
        with self.entry_points.open("a") as points:
            points.write(entry + "\n")

    def ring(self, verb, *numbers):
        self.bell.write_text(f"{verb} {' '.join(map(str, numbers))}\n")

    def seen(self):
        """What the flag was shown: when, and what was dialled."""
        lines = [line.split() for line in self.flag.read_text().splitlines()]
        return [(int(line[0]), (int(line[1]), int(line[2]))) for line in lines]

    def first_seen(self, dialled):
        """When it was shown, in nanoseconds of the steady clock, or None."""
        return next((at for at, shown in self.seen() if shown == dialled), None)


@pytest.fixture
def house(tmp_path, monkeypatch):
    return House(tmp_path, monkeypatch)


def health(client, name):
    status, answer = client.ask("GET", "/api/v1/health")
    assert status == 200
    return next(device for device in answer["devices"] if device["name"] == name)


def trouble(client):
    return {device["name"]: device["trouble"] for device in client.state()["devices"] if device["trouble"]}


def fault(client, device, name, on):
    status, problem = client.ask("POST", "/api/v1/bench/fault", {"device": device, "fault": name, "on": on})
    assert status == 204, problem


# --- a stranger's devices ------------------------------------------------------------------------------------------


def test_strangers_display_shows_and_strangers_input_scores_with_no_file_of_ours_touched(tmp_path, house):
    with Service(tmp_path / "state") as service:
        client = service.client()
        house.ring("dial", 1, 5)
        soon(lambda: house.first_seen((0, 5)))
        house.ring("peg", 1)
        soon(lambda: client.state()["lanes"][1]["front"] == 5)
        assert (health(client, "flag")["ok"], health(client, "bell")["ok"]) == (True, True)
        assert health(client, "flag")["about"] == "on the roof"
        assert health(client, "flag")["frames"] >= 2
        assert {"flag", "bell"} <= {device["name"] for device in client.state()["devices"]}


def test_devices_that_cannot_begin_are_listed_with_why_and_the_table_plays_on(tmp_path, house):
    with Service(tmp_path / "state") as service:
        client = service.client()
        assert "it was dropped" in health(client, "broken")["trouble"]
        assert "No module named 'nowhere'" in health(client, "lost")["trouble"]
        assert set(trouble(client)) == {"broken", "lost"}
        assert client.score(0, 4)[0] == 201


def test_input_that_cannot_start_is_closed_and_listed(tmp_path, house):
    house.offer("deaf = house:Deaf")
    with Service(tmp_path / "state") as service:
        assert health(service.client(), "deaf")["trouble"] == "cannot start: it hears nothing"
        assert house.flag.with_name("flag.deaf").read_text() == "deaf is closed\n"


@pytest.mark.parametrize("kind", [Oled, Strip])
def test_display_that_cannot_be_loaded_is_listed_as_it_calls_itself(kind, monkeypatch):
    ours = {entry.value: entry.name for entry in entry_points(group="pegboard.displays")}
    entry = ours[f"{kind.__module__}:{kind.__name__}"]
    monkeypatch.setattr(EntryPoint, "load", lambda _: 1 / 0)
    devices = Devices(lambda _: None)
    assert list(load_kinds("pegboard.displays", Settings(), devices)) == []
    assert kind.name in [health.name for health in devices.health], entry


# --- devices that hang ---------------------------------------------------------------------------------------------

PRESSES = (("2", 2), ("1", 3), ("5", 8))
"""Keys of a player, one after the other, and what is dialled with each."""


@pytest.fixture
def unhurried(tmp_path):
    """Options by which nothing pegs by itself between two presses, however slow this machine is."""
    settings = tmp_path / "unhurried.toml"
    settings.write_text(UNHURRIED, "utf-8")
    return "--config", str(settings)


def test_hanging_displays_cost_nobody_else_anything(tmp_path, house, unhurried):
    with Service(tmp_path / "state", *unhurried) as service:
        client = service.client()
        for device in ("OLED", "LED strip"):
            fault(client, device, "hang", True)
        client.press("a5")  # now both hang
        soon(lambda: house.first_seen((5, 0)))
        for key, dialled in PRESSES:
            client.press(f"b{key}")
            soon(lambda dialled=dialled: client.state()["lanes"][1]["dialled"] == dialled)
            soon(lambda dialled=dialled: house.first_seen((0, dialled)))
        soon(lambda: len(trouble(client)) == 4)  # two cannot begin
        for device in ("OLED", "LED strip"):
            assert trouble(client)[device].startswith("a write has been stuck for 3 seconds")
            found = health(client, device)
            assert not found["ok"]
            assert found["failing_since"] < time.time() - 3
        service.stop()


def test_display_that_is_let_go_shows_the_newest_picture(service):
    client = service.client()
    picture = lambda: client.ask("GET", "/api/v1/bench")[1]["panel"]["bits"]  # noqa: E731
    fault(client, "OLED", "hang", True)
    client.press("a5")
    client.press("b1")
    soon(lambda: client.state()["lanes"][0]["front"] == 5)
    before = picture()
    fault(client, "OLED", "hang", False)
    soon(lambda: picture() != before)
    assert health(client, "OLED")["ok"]


@pytest.mark.long
def test_input_that_never_says_how_it_is_costs_nobody_anything(tmp_path, house, lives, unhurried):
    house.offer("stone = house:Stone")
    with Service(tmp_path / "state", *unhurried) as service:
        client = service.client()
        soon(house.flag.with_name("flag.stone").exists)
        for key, dialled in PRESSES:
            client.press(f"a{key}")
            soon(lambda dialled=dialled: house.first_seen((dialled, 0)))
        soon(lambda: "stone" in trouble(client))
        assert trouble(client)["stone"].startswith("no status for 3 seconds; restart pegboard if this continues")
        assert not health(client, "stone")["ok"]
        now = time.monotonic_ns()
        assert soon(lambda: lives and lives[-1] > now), "the main thread goes on"
        service.stop()


@pytest.fixture
def lives(tmp_path, monkeypatch):
    """When the service gave its signs of life to whoever started it, as systemd wants them."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        monkeypatch.setenv("WATCHDOG_USEC", "300000")
        heard = []
        ear = threading.Thread(target=listen, args=(line, heard))
        ear.start()
        yield heard
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as end:
            end.sendto(b"END", str(tmp_path / "notify"))
        ear.join()


def listen(line, heard):
    while (said := line.recv(64)) != b"END":
        if said == b"WATCHDOG=1":
            heard.append(time.monotonic_ns())
