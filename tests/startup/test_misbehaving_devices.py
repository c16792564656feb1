"""Displays and inputs of another package that do everything wrong: each is named, and costs nobody else anything."""

import json
import threading

import pytest

from pegboard.devices.health import call_with_timeout
from pegboard.errors import DeviceError
from tests.support.foreign_package import lay_out
from tests.support.program import Service
from tests.support.waiting import soon

DISPLAYS = '''
"""Displays that cannot begin, or cannot show."""

import sys

from pegboard.errors import DeviceError, SettingError


class Good:
    name, about, refresh_s = "good", "in the test", None

    def __init__(self, settings, buses):
        pass

    def show(self, view):
        pass

    def close(self):
        pass


class Refuses(Good):
    name = "refuses"

    def __init__(self, settings, buses):
        raise DeviceError("the flag has no mast; put one up")


class Unset(Good):
    name = "unset"

    def __init__(self, settings, buses):
        raise SettingError("unset.colour takes red, not 'blue'")


class Exits(Good):
    name = "exits"

    def __init__(self, settings, buses):
        sys.exit("no screen")


class Numbered(Good):
    name = 5


class Nameless(Good):
    name = property(lambda self: 1 / 0)


class Vague(Good):
    name, about = "vague", None


class Quits(Good):
    name = "quits"

    def show(self, view):
        sys.exit(4)


class Interrupts(Good):
    name = "interrupts"

    def show(self, view):
        raise KeyboardInterrupt


class Odd(Good):
    name = "odd"

    def show(self, view):
        raise ValueError("a file called \\udcff\\n" + "!" * 10_000)


class Mute(Good):
    name = "mute"

    def show(self, view):
        class Mute(Exception):
            def __str__(self):
                raise ValueError

        raise Mute


class Hasty(Good):
    name, refresh_s = "hasty", "soon"


class Forgets(Good):
    name = "forgets"

    def show(self, view):
        self.about = 3


class Stubborn(Good):
    name = "stubborn"

    def close(self):
        sys.exit(5)


NOTHING = None
'''

INPUTS = '''
"""Inputs that cannot begin, or say nonsense of themselves."""

import sys
from dataclasses import replace

from pegboard.errors import DeviceError
from pegboard.devices.health import Health


class Good:
    name = "key"

    def __init__(self, settings, buses, target):
        pass

    def start(self):
        pass

    def close(self):
        pass


class Refuses(Good):
    name = "bell"

    def start(self):
        raise DeviceError("the bell has no clapper; hang one in")


class Exits(Good):
    name = "gong"

    def start(self):
        sys.exit(1)


class Numbered(Good):
    name = 7


class Lies(Good):
    name = "lies"
    health = Health("lies", "", errors="many")


class Endless(Good):
    name = "endless"
    health = Health("endless", "", ok=False, failing_since=float("nan"), trouble="x")


class Leaves(Good):
    name = "leaves"

    @property
    def health(self):
        sys.exit(2)


class Chats(Good):
    name = "chats"
    health = "very well, thank you"

    def close(self):
        sys.exit(3)


class Renamed(Good):
    name = "renamed"
    health = Health("OLED", "by another name")


class Breaks(Good):
    name = "breaks"

    def mend(self):
        raise ZeroDivisionError("there is no glue")
'''

SOURCES = {
    "odd_displays.py": DISPLAYS,
    "odd_inputs.py": INPUTS,
    "odd_exit.py": "import sys\n\nsys.exit(3)\n",
    "odd_interrupt.py": "raise KeyboardInterrupt\n",
    "odd_syntax.py": "def show(view\n",
}

ENTRY_POINTS = """
[pegboard.displays]
good = odd_displays:Good
refuses = odd_displays:Refuses
unset = odd_displays:Unset
exits = odd_displays:Exits
numbered = odd_displays:Numbered
nameless = odd_displays:Nameless
vague = odd_displays:Vague
quits = odd_displays:Quits
interrupts = odd_displays:Interrupts
odd = odd_displays:Odd
mute = odd_displays:Mute
hasty = odd_displays:Hasty
forgets = odd_displays:Forgets
stubborn = odd_displays:Stubborn
nothing = odd_displays:NOTHING
missing = odd_displays:Missing
lost = odd_nowhere:Display
exit = odd_exit:Display
interrupt = odd_interrupt:Display
syntax = odd_syntax:Display

[pegboard.inputs]
key = odd_inputs:Good
bell = odd_inputs:Refuses
gong = odd_inputs:Exits
seven = odd_inputs:Numbered
lies = odd_inputs:Lies
endless = odd_inputs:Endless
leaves = odd_inputs:Leaves
chats = odd_inputs:Chats
renamed = odd_inputs:Renamed
breaks = odd_inputs:Breaks
"""

WELL = {"OLED", "LED strip", "keys", "good", "stubborn", "key", "chats", "renamed"}

TROUBLES = {
    "refuses": "the flag has no mast; put one up",
    "unset": "unset.colour takes red, not 'blue'",
    "exits": "tried to end the program: SystemExit: no screen",
    "numbered": "cannot start: its name must be text, not 5",
    "nameless": "cannot start: division by zero",
    "vague": "cannot start: its about must be text, not None",
    "quits": "SystemExit: 4",
    "interrupts": "KeyboardInterrupt",
    "odd": "a file called ? !!!",
    "mute": "Mute",
    "hasty": "the display's refresh_s must be a number of seconds, not 'soon'",
    "forgets": "its about must be text, not 3",
    "nothing": "cannot start: its package offers None, which is not a device class",
    "missing": "has no attribute 'Missing'",
    "lost": "cannot start: No module named 'odd_nowhere'",
    "exit": "tried to end the program: SystemExit: 3",
    "interrupt": "tried to end the program: KeyboardInterrupt",
    "syntax": "cannot start: '(' was never closed (odd_syntax.py, line 1)",
    "bell": "the bell has no clapper; hang one in",
    "gong": "tried to end the program: SystemExit: 1",
    "seven": "cannot start: its name must be text, not 7",
    "lies": "errors in its health must be a whole number, not 'many'",
    "endless": "failing_since in its health must be a number or a whole number or None, not nan",
    "leaves": "SystemExit: 2",
    "breaks": "there is no glue",
}


@pytest.fixture
def package(tmp_path, monkeypatch):
    lay_out(tmp_path / "site", "odd", SOURCES, ENTRY_POINTS, monkeypatch)


def troubles(client):
    status, answer = client.ask("GET", "/api/v1/health")
    assert status == 200
    return {device["name"]: device["trouble"] for device in answer["devices"]}


def test_devices_that_do_everything_wrong_are_named_and_the_table_plays_on(tmp_path, package):
    with Service(tmp_path / "state") as service:
        client = service.client()
        soon(lambda: len([name for name, trouble in troubles(client).items() if trouble]) >= len(TROUBLES))
        told = troubles(client)
        assert {name for name, trouble in told.items() if trouble is None} == WELL
        assert {name: words for name, words in told.items() if words and TROUBLES[name] not in words} == {}
        assert max(len(trouble or "") for trouble in told.values()) <= 500
        assert client.score(0, 4)[0] == 201
        assert len(client.state()["devices"]) > 3, "as many as a snapshot takes"
        status, bench = client.ask("GET", "/api/v1/bench")
        assert status == 200
        assert {device["name"] for device in bench["devices"]} == WELL | TROUBLES.keys()
        json.dumps(bench).encode("utf-8")
        service.stop()


def test_trouble_of_a_device_is_on_the_terminal_by_its_name(tmp_path, package):
    with Service(tmp_path / "state") as service:
        said = "".join(service.said)
        assert "refuses: the flag has no mast; put one up" in said
        assert "exit: tried to end the program: SystemExit: 3" in said


# --- calls that are held to their time ---


def test_call_that_does_not_come_back_is_left_behind():
    with pytest.raises(DeviceError, match=r"did not return within 0\.01 seconds and was abandoned"):
        call_with_timeout(threading.Event().wait, 0.01)


def test_call_that_comes_back_gives_what_it_gives():
    assert call_with_timeout(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        call_with_timeout(lambda: 1 / 0)
