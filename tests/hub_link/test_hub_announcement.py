"""How a table finds a hub on its network: what is asked, answered and believed."""

import pytest

from pegboard.hub_protocol.hub_announcement import (
    UNREADABLE,
    HubAnnouncer,
    announcement,
    asks_for_hubs,
    find_hubs,
    is_in_own_network,
    question,
    read_port,
)


@pytest.fixture
def announcer():
    one = HubAnnouncer(8090, ["127.0.0.1"], at=("127.0.0.1", 0))
    one.start()
    yield one
    one.stop()


def search(announcer, **more):
    return find_hubs(["127.0.0.1"], group=("127.0.0.1", announcer.port), search_s=0.1, **more)


def test_a_hub_is_found_at_the_address_that_its_answer_comes_from(announcer):
    assert search(announcer, is_near=lambda _: True) == (("127.0.0.1", 8090),)


def test_a_hub_outside_of_the_own_networks_is_not_found(announcer):
    assert search(announcer) == ()


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


@pytest.mark.parametrize("packet", [b"", b"x", question(7)[:-3], question(7)[:12] + b"\xc0\x0c" * 9])
def test_a_packet_that_makes_no_sense_is_passed_over(packet):
    with pytest.raises(UNREADABLE):
        asks_for_hubs(packet)
