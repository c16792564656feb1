"""What a table has joined, in its state folder."""

import pytest

from pegboard.errors import DeviceError
from pegboard.mqtt.broker_session import parse_broker_url
from pegboard.mqtt.joined_event import FILE, JoinedEvent, LinkTarget, read_beginnings, read_joined, write_joined

TARGET = LinkTarget("mqtts://hub.local:8884", "club-night", "t4", "secret", ca="PEM")
JOINED = JoinedEvent(TARGET, 120, "Club night", "4", "http://hub.local:8090", "5ea1")


def test_what_was_joined_is_known_after_a_restart(tmp_path):
    write_joined(tmp_path, JOINED)
    assert read_joined(tmp_path) == JOINED
    assert (tmp_path / FILE).stat().st_mode & 0o077 == 0


def test_who_joins_again_goes_on_where_the_event_began(tmp_path):
    write_joined(tmp_path, JOINED)
    write_joined(tmp_path, None)
    assert (read_joined(tmp_path), read_beginnings(tmp_path)) == (None, {"club-night": 120})
    write_joined(tmp_path, JoinedEvent(TARGET, 400))
    assert read_beginnings(tmp_path) == {"club-night": 120}


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"joined": 3, "since": 4}', '{"joined": {"target": {}}}', "\0" * 99])
def test_a_damaged_file_is_none(tmp_path, text):
    (tmp_path / FILE).write_text(text)
    assert (read_joined(tmp_path), read_beginnings(tmp_path)) == (None, {})


def test_the_table_is_known_to_the_broker_by_its_name():
    address = TARGET.address
    assert (address.host, address.port, address.is_encrypted) == ("hub.local", 8884, True)
    assert (address.user, address.password, address.ca) == ("t4", "secret", "PEM")


@pytest.mark.parametrize(("event", "table", "sentence"), [("A B", "t4", "hub.event"), ("e", "T 4", "hub.table")])
def test_a_name_that_no_topic_can_have_is_refused(event, table, sentence):
    with pytest.raises(DeviceError, match=f"{sentence} must be 1 to 32 lowercase letters"):
        assert LinkTarget("mqtt://hub", event, table).address


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hub",
        "http://hub",
        "mqtt://",
        "mqtt://hub:x",
        *("mqtt://me:secret@hub", "mqtt://me:secret@[::", "mqtt://me:secret@hub:99999", "mqtt://me:x/secret@hub"),
        "mqtt://hub/x?y",
        "mqtt://a b",
        "mqtt://[::",
    ],
)
def test_another_url_is_refused_with_what_is_taken_and_no_password(url):
    with pytest.raises(DeviceError, match=r"is not a broker address; use mqtt://HOST:PORT") as caught:
        parse_broker_url(url)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [("mqtt://hub", "hub", 1883), ("mqtts://hub/", "hub", 8883), ("mqtt://[::1]:1884", "::1", 1884)],
)
def test_a_url_names_host_and_port(url, host, port):
    assert (parse_broker_url(url).host, parse_broker_url(url).port) == (host, port)
