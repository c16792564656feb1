"""Joining an event by a code: what is taken, where it is handed in, and what every refusal says, in one sentence."""

import socket
import threading
from dataclasses import replace

import pytest

from pegboard.startup.hub_connection import joined_event_of, place_of
from pegboard.table.joining import JoinAddress, JoinError, hand_in, post_json, read_answer, read_join_text
from tests.support.answering_hub import answering_hub
from tests.support.table_in_event import ANSWER, PLACE

HUB = "http://192.168.1.20:8090"
ADDRESS = JoinAddress(HUB, "482913")


@pytest.mark.parametrize(
    ("typed", "hub"),
    [
        ("482913", "http://last:8080"),
        (" 482 913 ", "http://last:8080"),
        ("482-913", "http://last:8080"),
        ("http://192.168.1.20:8090/t/482913", HUB),
        ("HTTP://192.168.1.20:8090/T/482913", HUB),
        ("192.168.1.20:8090/t/482913/", HUB),
        ("192.168.1.20:8090 482913", HUB),
        ("192.168.1.20:8090/482913", HUB),
        ("https://Hub.local/t/482913", "https://hub.local"),
        ("[fe80::1]:8080/t/482913", "http://[fe80::1]:8080"),
    ],
)
def test_a_code_is_read_alone_or_with_the_address_of_its_hub(typed, hub):
    assert read_join_text(typed, "http://last:8080") == JoinAddress(hub, "482913", is_typed=hub != "http://last:8080")


def test_a_code_alone_is_handed_in_at_the_usual_name_where_no_hub_was_known():
    assert read_join_text("482913") == JoinAddress("http://pegboard-hub.local:8090", "482913", is_known=False)


@pytest.mark.parametrize(
    "typed",
    [
        "",
        "48291",
        "4829133",
        "abcdef",
        "http://hub",
        "ftp://hub/t/482913",
        "http://ann:bob@hub/t/482913",
        "http://hub:99999/t/482913",
        "http:///t/482913",
        "hub/t/48291x",
        "javascript:alert(1)",
        "hub?x=/t/482913",
        "hub?/t/482913",
        "hub#/t/482913",
        "hub#x/t/482913",
        "@hub/t/482913",
        "hub\\x/t/482913",
        "hub\x00/t/482913",
        "hub\x1b[2J/t/482913",
        "hub:0/t/482913",
        "hub..local/t/482913",
        ".hub/t/482913",
        "h" * 64 + ".local/t/482913",
        "h\u1d1cb/t/482913",
        "x" * 1000 + "/t/482913",
    ],
)
def test_what_is_no_code_is_refused_with_what_would_be_one(typed):
    with pytest.raises(JoinError) as refusal:
        read_join_text(typed)
    assert "six digits" in str(refusal.value)
    assert "http://192.168.1.20:8090/t/482913" in str(refusal.value)
    assert len(str(refusal.value)) < 500


def test_the_answer_of_a_hub_is_the_place_of_the_table():
    assert read_answer(200, ANSWER, ADDRESS) == PLACE
    assert place_of(joined_event_of(PLACE)) == PLACE


@pytest.mark.parametrize(
    ("status", "values", "sentence"),
    [
        (404, {"detail": "no"}, f"the hub {HUB} does not know the code 482913; check the director's screen"),
        (410, {"detail": "no"}, "the code 482913 was used or has expired; ask the director for a new one"),
        (429, {"detail": "x"}, f"too many requests to the hub {HUB}; wait a minute and try again"),
        (409, {"detail": "x"}, f"the hub {HUB} has no broker for this table; see the director's desk"),
        (418, {"detail": "x"}, f"the hub {HUB} refuses the code 482913; see the director's desk"),
        (405, {"detail": "of a table"}, f"{HUB} is not a hub; check the address"),
        (404, None, f"{HUB} is not a hub; check the address"),
        (200, None, f"{HUB} is not a hub; check the address"),
        (200, [1], f"{HUB} is not a hub; check the address"),
        (200, ANSWER | {"v": 2}, f"{HUB} is not a hub; check the address"),
        (
            200,
            ANSWER | {"event": {"id": "No Night"}},
            f"{HUB} is not a hub; check the address",
        ),
        (200, ANSWER | {"table": 4}, f"{HUB} is not a hub; check the address"),
        (
            200,
            ANSWER | {"broker": {"url": "http://x"}},
            f"{HUB} is not a hub; check the address",
        ),
        *(
            (200, ANSWER | fault, f"{HUB} is not a hub; check the address")
            for fault in (
                {"broker": ANSWER["broker"] | {"password": "x\r\nSLAVEOF 10.0.0.9 6379\r\n"}},
                *(
                    {"broker": ANSWER["broker"] | {"url": url}}
                    for url in (
                        *(
                            "mqtt://192.168.1.20:1883\r\n",
                            1883,
                            "mqtt://[192.168.1.20",
                            "mqtt://hub:0",
                            "mqtt://hub:99999",
                        ),
                        *("mqtt://", "mqtt://hub/x", "mqtt://ann@hub", "mqtt://h\u1d1cb", "mqtt://hub\u202e.local"),
                    )
                ),
                {"event": {"id": "night", "name": "Night\x1b[2J"}},
                {"table": {"id": "t4", "label": "4\u2028"}},
            )
        ),
        (200, ANSWER | {"key": "no digits"}, f"{HUB} is not a hub; check the address"),
        (302, {}, f"{HUB} is not a hub; check the address"),
    ],
)
def test_every_other_answer_is_refused_in_one_sentence(status, values, sentence):
    with pytest.raises(JoinError) as refusal:
        read_answer(status, values, ADDRESS)
    assert str(refusal.value) == sentence


def test_a_hub_that_does_not_answer_is_named():
    with pytest.raises(JoinError) as refusal:
        hand_in(JoinAddress("http://127.0.0.1:9", "482913"), "pegboard-4", post_json)
    assert str(refusal.value).startswith("the hub http://127.0.0.1:9 is not answering (Connection refused)")


def test_where_no_hub_was_ever_named_the_refusal_says_how_to_name_one():
    def post(_url, _values):
        raise OSError("no such host")

    with pytest.raises(JoinError) as refusal:
        hand_in(read_join_text("482913"), "pegboard-4", post)
    assert str(refusal.value) == (
        "no hub found; type the hub's address followed by the code (192.168.1.20:8090/t/482913), "
        "or give the hub's machine the name pegboard-hub.local"
    )


# --- over a real connection ---


@pytest.fixture
def hub():
    with answering_hub() as hub:
        yield hub


def address(hub):
    return JoinAddress(hub.url, "482913")


def test_the_code_and_the_name_of_the_machine_are_posted(hub):
    """What the hub says of its pages is on another machine, so they are where the code was posted."""
    assert hand_in(address(hub), "pegboard-4", post_json) == replace(PLACE, hub=hub.url)
    assert hub.asked == [("/join", {"code": "482913", "name": "pegboard-4"})]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ((410, b'{"detail": "used"}'), "was used or has expired"),
        ((200, b"<html>"), "is not a hub; check the address"),
        ((200, b"[" * 100_000), "is not a hub; check the address"),
        ((200, b" " * 200_000), "is not a hub; check the address"),
        ((302, b""), "is not a hub; check the address"),
        ((500, b'{"detail": "secret of another server"}'), "refuses the code 482913; see"),
    ],
)
def test_an_answer_that_is_none_ends_in_a_sentence(hub, answer, sentence):
    hub.answer = answer
    with pytest.raises(JoinError, match=sentence):
        hand_in(address(hub), "pegboard-4", post_json)
    assert [path for path, _ in hub.asked] == ["/join"], "no redirection is followed"


def test_a_server_of_another_kind_is_not_quoted():
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        thread = threading.Thread(target=greet, args=(other,), daemon=True)
        thread.start()
        with pytest.raises(JoinError) as refusal:
            hand_in(JoinAddress(f"http://127.0.0.1:{port}", "482913"), "pegboard-4", post_json)
    thread.join(60)
    assert str(refusal.value) == f"http://127.0.0.1:{port} is not a hub; check the address"


def greet(other):
    with other.accept()[0] as connection:
        connection.recv(1000)
        connection.sendall(b"220 secret of another server\r\n")
