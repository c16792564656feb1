"""When all connections are taken: whose goes, and that a flood from many addresses keeps no paired phone out."""

import contextlib
import http.client
import itertools
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Self

import pytest

from tests.support.program import PYTHON, Client, Service
from tests.support.waiting import soon
from web.http.connections import MOST_OF_A_DEVICE, YOUNG_S, ConnectionRoom, Place


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


class Room:
    """Room for three connections, and which of them have been ended."""

    def __init__(self) -> None:
        self.clock, self.ended = Clock(), []
        self.room = ConnectionRoom(3, self.clock)

    def enter(
        self, name: str, *, busy: bool = False, device: str = "", after_s: float = 0.1, address: str = ""
    ) -> Place | None:
        self.clock.now += after_s
        if not self.room.make_room():
            return None
        place = self.room.enter(lambda: self.ended.append(name), address)
        if busy or device:
            self.room.begin_request(place, device)
        return place


@pytest.fixture
def three() -> Room:
    return Room()


def test_the_connection_that_is_idle_for_longest_goes(three: Room):
    for name in "abc":
        three.enter(name)
    three.enter("d", after_s=YOUNG_S)
    three.enter("e")
    assert three.ended == ["a", "b"]
    assert len(three.room) == 3


def test_one_that_has_just_been_made_has_the_time_to_ask_for_something(three: Room):
    first = three.enter("tv", busy=True)
    three.enter("flood 1", busy=True)
    three.enter("new")
    three.enter("newer")
    assert three.ended == ["flood 1"], "what came last of those that stay, and not the one that has been there for long"
    three.room.end_request(first)
    three.enter("newest", after_s=YOUNG_S)
    assert three.ended == ["flood 1", "new"]


def test_where_all_have_just_been_made_the_oldest_goes(three: Room):
    for name in "abcd":
        three.enter(name, after_s=0.01)
    assert three.ended == ["a"]


def test_of_those_idle_for_long_one_of_the_address_that_has_most_goes(three: Room):
    for name, address in (("phone", "10.0.0.2"), ("flood 1", "10.0.0.9"), ("flood 2", "10.0.0.9")):
        three.enter(name, address=address)
    for _ in range(4):
        three.enter("flood", address="10.0.0.9", after_s=YOUNG_S)
    assert three.ended == ["flood 1", "flood 2", "flood", "flood"]


def test_a_paired_device_keeps_its_connections_idle_or_not(three: Room):
    kept = [three.enter(name, device="phone") for name in "ab"]
    three.room.end_request(kept[0])
    for name in "cdef":
        three.enter(name, after_s=5)
    assert three.ended == ["c", "d", "e"]


def test_not_all_are_reserved_for_paired_devices(three: Room):
    first, *_ = [three.enter(name, device=name) for name in "abc"]
    assert three.enter("d", after_s=5) is not None
    assert three.ended == ["c"]
    three.room.leave(first)
    three.room.leave(first)
    assert three.enter("e", device="e") is not None
    assert three.enter("f") is not None
    assert three.ended == ["c", "d"]


def held_by_a_few() -> tuple[ConnectionRoom, list[tuple[str, int]]]:
    """Forty connections of which thirty are reserved, for four devices; and which have been ended, by device."""
    room, ended = ConnectionRoom(40), list[tuple[str, int]]()
    for number in range(30):
        device = f"thief {number % 4}"
        place = room.enter(lambda device=device, number=number: ended.append((device, number)))
        room.begin_request(place, device)
        if number >= 20:
            room.end_request(place)
    return room, ended


def test_where_all_that_are_reserved_are_taken_one_goes_of_the_device_that_has_most():
    room, ended = held_by_a_few()
    for _ in range(4):
        room.begin_request(room.enter(lambda: ended.append(("phone", 0))), "phone")
    assert {number for _, number in ended} == {20, 21, 24, 25}, "idle for longest, of whoever has most"
    assert len(room) == 30


def test_a_device_that_has_most_gets_no_more_reserved():
    room, ended = held_by_a_few()
    for number in range(30, 50):
        assert room.make_room()
        room.begin_request(room.enter(lambda number=number: ended.append(("thief 0", number))), "thief 0")
    assert all(number >= 30 for _, number in ended), "its own go"


def test_a_device_that_is_unpaired_loses_its_connections_but_those_with_a_request():
    room, ended = held_by_a_few()
    room.end_unpaired({"thief 0", "thief 1", "thief 3"})
    assert len(ended) == 2
    assert {device for device, _ in ended} == {"thief 2"}


def test_a_connection_on_which_an_unpaired_devices_request_runs_is_a_strangers_from_then_on(three: Room):
    place = three.enter("thief", device="thief", address="192.168.1.9")
    three.room.end_unpaired({"phone"})
    assert three.ended == [], "its answer is to arrive"
    three.room.end_request(place)
    for name in "abc":
        three.enter(name, after_s=YOUNG_S, address=name)
    assert three.ended == ["thief"]
    assert place.device == "", "and of what waits to be sent it goes as a stranger's"


def test_one_device_keeps_only_so_many():
    room = ConnectionRoom(MOST_OF_A_DEVICE + 2)
    ended: list[int] = []
    for number in range(MOST_OF_A_DEVICE + 10):
        assert room.make_room()
        room.begin_request(room.enter(lambda number=number: ended.append(number)), "thief")
    assert len(ended) == 8
    assert min(ended) >= MOST_OF_A_DEVICE


# --- the real program ---

FILES = 320
"""File descriptors of the program: room for some 190 connections."""

ADDRESSES = [f"127.0.1.{n}" for n in range(1, 61)]


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Service]:
    """A closed table with few file descriptors, whose limits hold for this machine too."""
    config = tmp_path / "pegboard.toml"
    config.write_text("[web]\nthrottle_loopback = true\ncommands_a_second = 1000\n")
    words = f"ulimit -n {FILES}; exec {PYTHON} -m pegboard run --mock --closed --host 127.0.0.1 --port 0"
    with Service(
        tmp_path / "s", command=["sh", "-c", f"{words} --state {tmp_path / 's'} --config {config}"]
    ) as program:
        yield program


class Flood:
    """Connections from many addresses, one after another, that are silent, send half a body or follow the table."""

    SENT = (
        b"",
        (
            b"POST /api/v1/preview HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Content-Length: 900\r\n\r\n{"
        ),
        b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /api/v1/state HTTP/1.1\r\n",
    )

    def __init__(self, port: int) -> None:
        self._port, self._ends = port, threading.Event()
        self.made = 0
        self._threads = [threading.Thread(target=self._go, args=(n,)) for n in range(2)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ends.set()
        for thread in self._threads:
            thread.join()

    def _go(self, first: int) -> None:
        held: list[socket.socket] = []
        for number in itertools.count(first):
            if self._ends.is_set():
                break
            with contextlib.suppress(OSError):
                one = socket.socket()
                held.append(one)
                one.settimeout(2)
                one.bind((ADDRESSES[number % len(ADDRESSES)], 0))
                one.connect(("127.0.0.1", self._port))
                one.sendall(self.SENT[number % len(self.SENT)])
                self.made += 1
            if len(held) > 150:
                held.pop(0).close()
            time.sleep(0.001)
        for one in held:
            one.close()


def press(phone: Client, key: str) -> None:
    for level in ("down", "up"):
        assert phone.ask("POST", "/api/v1/bench/keys", {"key": key, "level": level})[0] in {200, 202, 204}


def role_on_a_new_connection(port: int, cookie: str, tries: int = 3) -> str:
    """As a browser does, it tries again where a connection is closed before it has sent anything."""
    for _ in range(tries):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        with contextlib.closing(connection), contextlib.suppress(OSError, http.client.HTTPException):
            connection.request("GET", "/api/v1/me", headers={"Cookie": cookie})
            return str(json.loads(connection.getresponse().read())["role"])
    return "no answer"


@pytest.mark.long
def test_a_paired_phone_scores_and_keys_peg_through_a_flood_from_many_addresses(small: Service):
    phone, cookie = small.client(role="scorer"), "=".join(small.cookie())
    assert phone.score(0, 1)[0] == 201
    with Flood(small.port) as flood:
        assert soon(lambda: flood.made > 400)
        for n in range(30):
            status, _ = phone.score(0, 1)
            assert status == 201, "on the connection that it has"
            assert role_on_a_new_connection(small.port, cookie) == "scorer", f"the {n}th"
        press(phone, "b1")
        assert soon(lambda: phone.ask("GET", "/api/v1/state")[1]["lanes"][1]["front"] > 0)
        assert flood.made > 800
    assert len(list(Path(f"/proc/{small.pid}/fd").iterdir())) < FILES
    said = "".join(small.said)
    assert "out of system resource" not in said
