"""How a table finds a hub on its network: what is asked, answered and believed."""

import contextlib
import socket
import threading

import pytest

from pegboard.mqtt.hub_announcement import (
    UNREADABLE,
    HubAnnouncer,
    announcement,
    asks_for_hubs,
    find_hubs,
    is_in_own_network,
    question,
    read_port,
)
from tests.support.waiting import soon


@pytest.fixture
def announce():
    """Announces a hub; the networks of this machine are those of `addresses`, and it answers whoever `is_near`."""
    with contextlib.ExitStack() as opened:

        def start(addresses=lambda: ["127.0.0.1"], is_near=lambda _: True, **more):
            one = HubAnnouncer(8090, addresses, at=("127.0.0.1", 0), is_near=is_near, **more)
            one.start()
            opened.callback(one.stop)
            return one

        yield start


@pytest.fixture
def announcer(announce):
    return announce()


def search(announcer, **more):
    return find_hubs(["127.0.0.1"], group=("127.0.0.1", announcer.port), search_s=0.1, **more)


def found(announcer):
    """The hubs that a table finds to which loopback is near, as soon as there is one."""
    return soon(lambda: search(announcer, is_near=lambda _: True))


def test_a_hub_is_found_at_the_address_that_its_answer_comes_from(announcer):
    assert found(announcer) == (("127.0.0.1", 8090),)


def test_of_many_networks_none_waits_for_another():
    """A hub that hears the first question of forty networks answers that one as the second questions come."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as hub:
        hub.bind(("127.0.0.1", 0))

        def answer():
            first = hub.recvfrom(1500)
            for _ in range(40):
                hub.recvfrom(1500)
            hub.sendto(announcement(int.from_bytes(first[0][:2], "big"), "hub", 8090, repeats=True), first[1])

        answering = threading.Thread(target=answer, daemon=True)
        answering.start()
        hubs = find_hubs(["127.0.0.1"] * 40, group=hub.getsockname(), is_near=lambda _: True, search_s=0.8)
    assert hubs == (("127.0.0.1", 8090),)
    answering.join(60)


def test_a_hub_outside_of_the_own_networks_is_not_found(announcer):
    assert search(announcer) == ()


def test_a_hub_answers_nobody_outside_of_its_own_networks(announce):
    asked = []
    assert search(announce(is_near=asked.append), is_near=lambda _: True) == ()
    assert asked[:1] == ["127.0.0.1"]


def test_a_hub_joins_a_network_that_comes_after_it(announce):
    seen, came = [], threading.Event()

    def addresses():
        seen.append(len(seen))
        if len(seen) < 3:
            return []
        came.set()
        return ["127.0.0.1"]

    announcer = announce(addresses, join_s=0.02)
    assert came.wait(60)
    assert found(announcer) == (("127.0.0.1", 8090),)


def test_a_hub_answers_though_its_addresses_cannot_be_told_for_now(announce):
    def addresses():
        raise OSError("no name server")

    assert found(announce(addresses, join_s=0.02)) == (("127.0.0.1", 8090),)


def test_a_resolver_that_asks_once_gets_its_question_back_with_the_answer(announcer):
    """RFC 6762, 6.7: a resolver that knows unicast DNS alone would drop it otherwise."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.settimeout(60)
        asker.sendto(question(7), ("127.0.0.1", announcer.port))
        answer = asker.recv(9000)
    assert (answer[:2], answer[4:6]) == (question(7)[:2], b"\0\1")
    assert answer[12:].startswith(question(7)[12:])


@pytest.mark.parametrize("address", ["127.0.0.1", "169.254.169.254", "203.0.113.5", "224.0.0.251", "0.0.0.0"])
def test_no_such_address_is_in_a_network_of_this_machine(address):
    assert not is_in_own_network(address)


@pytest.mark.parametrize("repeats", [True, False])
def test_the_port_is_read_from_the_answer_to_the_own_question_alone(repeats):
    packet = announcement(7, "hub", 8090, repeats=repeats)
    assert (read_port(packet, 7), read_port(packet, 8)) == (8090, None)
    assert read_port(question(7), 7) is None


def test_names_may_be_pointers_as_avahi_writes_them():
    """Written by hand from RFC 1035, 4.1.4: the service is at 12, its instance in the first answer, then its SRV."""
    service = b"\x0d_pegboard-hub\x04_tcp\x05local\0"
    head = b"\x00\x07\x84\x00\x00\x01\x00\x02\x00\x00\x00\x00" + service + b"\x00\x0c\x00\x01"
    ptr = b"\xc0\x0c\x00\x0c\x00\x01\x00\x00\x00\x0a\x00\x06" + b"\x03hub\xc0\x0c"
    instance = bytes([0xC0, len(head) + 12])
    srv = instance + b"\x00\x21\x00\x01\x00\x00\x00\x0a\x00\x08\x00\x00\x00\x00\x1f\x9a\xc0\x20"
    assert read_port(head + ptr + srv, 7) == 8090


def test_only_a_question_for_hubs_is_answered():
    assert asks_for_hubs(question(7))
    assert not asks_for_hubs(announcement(7, "hub", 8090, repeats=True))
    assert not asks_for_hubs(question(7).replace(b"pegboard-hub", b"pegboard-hug"))


LONG_NAME = b"\x01a" * 128 + b"\0"
"""257 bytes; names of 255 are the longest (RFC 1035, 2.3.4)."""


@pytest.mark.parametrize(
    "packet",
    [
        *(b"", b"x", question(7)[:-3], question(7)[:12] + b"\xc0\x0c" * 9),
        question(7)[:12] + LONG_NAME + b"\x00\x0c\x00\x01",
        question(7)[:12] + b"\x01a\xc0\x0c" + b"\x00\x0c\x00\x01",
    ],
)
def test_a_packet_that_makes_no_sense_is_passed_over(packet):
    with pytest.raises(UNREADABLE):
        asks_for_hubs(packet)
