"""The keypad's keys as Linux tells them, with events on a pipe in place of a device."""

import errno
import os
import sys
import threading
from types import SimpleNamespace
from typing import ClassVar

import pytest

from hardware.buses import evdev_keypad
from hardware.buses.evdev_keypad import open_keypad
from hardware.buses.pi import PiBuses
from pegboard.errors import DeviceError
from tests.support.evdev_codes import ecodes

KP7, KP1, Q, TAB = (ecodes.ecodes[name] for name in ("KEY_KP7", "KEY_KP1", "KEY_Q", "KEY_TAB"))


class Pad:
    """A device of evdev, as far as it is used; events go in by `say`."""

    made: ClassVar = []

    def __init__(self, path):
        if path in ERRORS:
            raise OSError(ERRORS[path], os.strerror(ERRORS[path]))
        self.path, self.name = path, NAMES.get(path, "a keypad")
        self.keys = KEYS.get(path, [KP1, KP7])
        self.fd, self._write = os.pipe()
        self.events, self.grabbed, self.closed, self.gone, self.down = [], False, False, False, []
        type(self).made.append(self)

    def capabilities(self):
        return {ecodes.EV_KEY: self.keys}

    def grab(self):
        if self.path == "held":
            raise OSError(errno.EBUSY, "Device or resource busy")
        self.grabbed = True

    def say(self, code, value, kind=ecodes.EV_KEY):
        self.events.append(SimpleNamespace(type=kind, code=code, value=value))
        os.write(self._write, b"!")

    def active_keys(self):
        return self.down

    def pull(self):
        self.gone = True
        os.write(self._write, b"!")

    def read_one(self):
        if self.gone:
            raise OSError(errno.ENODEV, "No such device")
        if not self.events:
            return None
        os.read(self.fd, 1)
        return self.events.pop(0)

    def close(self):
        self.closed = True


ERRORS = {"/dev/input/none": errno.ENOENT, "/dev/input/theirs": errno.EACCES, "/dev/input/file": errno.ENOTTY}
KEYS, NAMES = {}, {}


@pytest.fixture(autouse=True)
def pads(monkeypatch):
    monkeypatch.setattr(Pad, "made", [])
    monkeypatch.setitem(sys.modules, "evdev", SimpleNamespace(ecodes=ecodes, InputDevice=Pad))


def reading(reader):
    """What the reader gives or raises, read in a thread of its own."""
    got = []

    def read():
        try:
            got.append(reader.read())
        except OSError as error:
            got.append(error.errno)

    thread = threading.Thread(target=read)
    thread.start()
    return thread, got


def test_keys_go_down_and_up_by_their_names_and_repeats_are_none():
    reader = open_keypad("pad")
    (pad,) = Pad.made
    for value in (1, 2, 2, 0):
        pad.say(KP7, value)
        pad.say(0, 0, ecodes.EV_SYN)
    assert [reader.read(), reader.read()] == [("KEY_KP7", True), ("KEY_KP7", False)]
    assert (reader.name, pad.grabbed) == ("a keypad", True)


def test_keys_are_asked_where_linux_has_dropped_events():
    reader = open_keypad("pad")
    (pad,) = Pad.made
    syn = ecodes.EV_SYN
    pad.say(KP7, 1)
    pad.say(ecodes.SYN_DROPPED, 0, syn)
    pad.say(KP7, 1)  # half a story: it is not to be believed
    pad.say(ecodes.SYN_REPORT, 0, syn)
    pad.down = [KP1]
    pad.say(KP1, 0)
    pad.say(ecodes.SYN_REPORT, 0, syn)
    for value in (1, 0, 1):
        pad.say(KP7, value)
    assert [reader.read() for _ in range(5)] == [
        ("KEY_KP7", True), ("KEY_KP7", False), ("KEY_KP1", True), ("KEY_KP1", False), ("KEY_KP7", True),
    ]  # fmt: skip


def test_reading_waits_for_a_key():
    reader = open_keypad("pad")
    thread, got = reading(reader)
    thread.join(0.05)
    assert got == []
    Pad.made[0].say(KP1, 1)
    thread.join(60)
    assert got == [("KEY_KP1", True)]


def test_reading_ends_when_the_keypad_is_pulled_out():
    thread, got = reading(open_keypad("pad"))
    Pad.made[0].pull()
    thread.join(60)
    assert got == [errno.ENODEV]


def test_reading_ends_when_it_is_closed():
    reader = open_keypad("pad")
    thread, got = reading(reader)
    reader.close()
    reader.close()
    thread.join(60)
    assert got == [errno.EBADF]
    assert Pad.made[0].closed


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/dev/input/none", "there is no /dev/input/none; plug in the keypad, or name another file in .keypad."),
        ("/dev/input/theirs", "no permission to read /dev/input/theirs; add the user to the `input` group"),
        ("/dev/input/file", "/dev/input/file is not a keypad .*; name another file"),
        ("held", "another program is using the keypad held .*; stop it"),
    ],
)
def test_keypad_that_cannot_be_had_is_said_with_the_remedy(path, sentence):
    with pytest.raises(DeviceError, match=sentence):
        PiBuses().keypad(path)


def test_missing_evdev_is_said_with_the_remedy(monkeypatch):
    monkeypatch.setitem(sys.modules, "evdev", None)
    with pytest.raises(DeviceError, match=r"the keypad needs evdev; install it: .* install '?evdev"):
        PiBuses().keypad("")


@pytest.fixture
def events(tmp_path, monkeypatch):
    """Files of input devices; the names tell which keys they have."""
    monkeypatch.setattr(evdev_keypad, "EVENTS", tmp_path)

    def lay(**keys):
        for name, codes in keys.items():
            (tmp_path / name).touch()
            KEYS[str(tmp_path / name)] = codes

    return lay


def test_first_device_with_digits_and_without_letters_is_found(events):
    events(event0=[Q], event1=[KP1, Q], event2=[KP1, TAB], event3=[KP1])
    PiBuses().keypad("")
    assert [(pad.path[-6:], pad.grabbed) for pad in Pad.made if not pad.closed] == [("event2", True)]


@pytest.mark.parametrize("letter", "AMQZ")
def test_only_device_with_digits_is_the_keypad_though_its_report_lists_letters(events, letter):
    events(event0=[Q], event1=[KP1, KP7, ecodes.ecodes[f"KEY_{letter}"]])
    PiBuses().keypad("")
    assert [(pad.path[-6:], pad.grabbed) for pad in Pad.made if not pad.closed] == [("event1", True)]


def test_several_devices_with_digits_and_letters_are_listed_by_the_files_that_stay(events, tmp_path):
    events(event0=[KP1, Q], event1=[KP1, Q])
    (tmp_path / "by-id").mkdir()
    (tmp_path / "by-id" / "usb-SIGMACHIP_USB_Keyboard-event-kbd").symlink_to("../event1")
    with pytest.raises(
        DeviceError, match=r"keypad\.device: .*/event0 and .*/by-id/usb-SIGMACHIP_USB_Keyboard-event-kbd"
    ):
        PiBuses().keypad("")
    assert [(pad.grabbed, pad.closed) for pad in Pad.made] == [(False, True)] * 2


def test_keyboard_is_not_taken_for_a_keypad_that_is_pulled_out(events, tmp_path, monkeypatch):
    events(event0=[KP1, Q])
    monkeypatch.setitem(NAMES, str(tmp_path / "event0"), "a keyboard")
    with pytest.raises(DeviceError, match="no keypad found"):
        PiBuses().keypad("", "a keypad")
    assert [(pad.grabbed, pad.closed) for pad in Pad.made] == [(False, True)]
    assert PiBuses().keypad("", "a keyboard").name == "a keyboard"


def test_input_devices_change_when_one_comes_or_gets_its_rights(events, tmp_path):
    events(event0=[KP1])
    before = PiBuses().input_devices()
    (tmp_path / "event0").chmod(0o600)
    after = PiBuses().input_devices()
    events(event1=[KP1])
    assert len({str(one) for one in (before, after, PiBuses().input_devices())}) == 3


def test_keyboard_that_is_named_is_taken(events, tmp_path):
    events(event0=[KP1, Q])
    PiBuses().keypad(str(tmp_path / "event0"))
    assert [pad.grabbed for pad in Pad.made] == [True]


def test_no_keypad_at_all_is_said(events):
    events(event0=[Q])
    with pytest.raises(DeviceError, match="no keypad found; plug one in"):
        PiBuses().keypad("")


def test_devices_that_may_not_be_read_are_said(events, monkeypatch):
    events(event0=[KP1])
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(
        DeviceError,
        match=r"no permission to read .*/event0 and the other input devices; add the user to the `input` group",
    ):
        PiBuses().keypad("")
