"""A table, a broker and a hub: what is scored arrives once, whichever of the three is ended in between."""

import json
import shutil
import signal
import socket

import pytest

from pegboard import Rules
from pegboard.core.moves import Start
from pegboard.errors import DeviceError
from pegboard.messages import Message
from pegboard.mqtt.broker_session import Delivery
from pegboard.mqtt.hub_link import HubLink
from pegboard.mqtt.joined_event import JoinedEvent, LinkTarget
from pegboard.mqtt.messages_of_hub import HubPresence, read_acknowledgement, write_presence
from tests.support.hub_night import EVENT, Hub, LinkedTable, ended, publish, retained_json, soon_has_all
from tests.support.waiting import soon

TOPIC = f"pegboard/v1/{EVENT}/t1"


def test_an_event_is_acknowledged_after_it_is_in_the_ledger(hub, linked, broker):
    linked.start()
    linked.table.score(0, 12)
    soon_has_all(hub, linked)
    soon(lambda: linked.acknowledged() == 2)
    assert linked.link.health.ok
    sent = read_acknowledgement(broker.retained(f"{TOPIC}/ack").encode())
    assert (sent[0], sent[1][linked.table.view.epoch].seq) == (hub.ledger.hub_id, 2)


def test_no_small_message_waits_until_the_one_before_it_is_acknowledged(monkeypatch, hub, linked):
    made, connect = [], socket.create_connection
    monkeypatch.setattr(
        socket, "create_connection", lambda *words, **more: made.append(connect(*words, **more)) or made[-1]
    )
    linked.start()
    linked.table.score(0, 12)
    soon_has_all(hub, linked)
    assert [one.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) for one in made] == [1]


def test_a_game_that_was_scored_without_hub_and_broker_arrives_later(tmp_path, linked, broker):
    broker.stop()
    linked.start()
    linked.win()
    assert not linked.link.is_connected
    broker.start()
    with ended(Hub(f"sqlite:///{tmp_path}/hub.db", broker.port).start()) as (hub,):
        soon_has_all(hub, linked)
        soon(lambda: linked.link.waiting == 0 and linked.link.health.ok)


def test_more_than_a_window_arrives_in_order(hub, linked):
    for _ in range(6):
        linked.win()
        linked.table.ask(Start(Rules(), ("Ann", "Bob")), game=None)
    for n in range(60):
        linked.table.score(n % 2, 1)
    linked.start()
    assert len(linked.numbers()) > 80
    soon_has_all(hub, linked)


def test_the_broker_is_killed_in_the_middle(hub, linked, broker):
    linked.start()
    for n in range(30):
        linked.table.score(n % 2, 1)
        if n % 10 == 5:
            broker.stop()
            broker.start()
    soon_has_all(hub, linked)


def test_the_hub_begins_anew_in_the_middle(hub, linked):
    linked.start()
    for n in range(30):
        linked.table.score(n % 2, 1)
        if n % 10 == 5:
            hub.stop()
            hub.start()
    soon_has_all(hub, linked)


def test_the_table_begins_anew_in_the_middle(hub, linked):
    linked.start()
    for n in range(20):
        linked.table.score(n % 2, 1)
        if n % 10 == 5:
            linked.stop_link()
            linked.start()
    soon_has_all(hub, linked)


def test_a_new_hub_with_an_empty_ledger_gets_everything(tmp_path, hub, linked, broker):
    """The laptop of the evening has died, and another takes its place; the broker stays."""
    linked.start()
    linked.win()
    soon_has_all(hub, linked)
    hub.stop()
    with ended(Hub(f"sqlite:///{tmp_path}/other.db", broker.port).start()) as (other,):
        soon_has_all(other, linked)


@pytest.mark.parametrize("points", [5, 0], ids=["in the middle", "from before the table's first event"])
def test_a_hub_that_is_put_back_to_an_older_copy_gets_the_rest_again(tmp_path, hub, linked, points):
    if points:
        linked.start()
        linked.table.score(0, points)
        soon_has_all(hub, linked)
    hub.stop()
    copy = tmp_path / "copy.db"
    shutil.copyfile(tmp_path / "hub.db", copy)
    hub.start()
    if not points:
        linked.start()
    linked.table.score(1, 6)
    soon_has_all(hub, linked)
    hub.stop()
    for file in tmp_path.glob("hub.db*"):
        file.unlink()
    copy.rename(tmp_path / "hub.db")
    hub.start()
    hub.transport.send_command(EVENT, "t1", {"v": 1, "revision": 1})  # as each board of a night gets its orders
    soon_has_all(hub, linked)


def test_games_before_the_table_joined_are_not_sent(hub, broker, tmp_path):
    linked = LinkedTable(tmp_path / "other", broker.port)
    linked.win()
    since = linked.numbers()[-1]
    linked.joined = JoinedEvent(linked.joined.target, since)
    with ended(linked.start()):
        linked.table.ask(Start(Rules(), ("Ann", "Bob")), game=None)
        linked.table.score(0, 3)
        soon(lambda: hub.numbers() == [since + 1, since + 2])


def test_the_director_sees_what_the_board_shows(hub, linked):
    linked.more = {"calls": [{"id": "c1", "for": "judge"}]}
    linked.start()
    linked.table.score(0, 12)

    def shown():
        live = hub.transport.tables(EVENT).get("t1")
        return live and live.state and live.state["scores"] == [12, 0] and live

    live = soon(shown)
    assert (live.online, live.state["players"], live.state["calls"][0]["for"]) == (True, ["Ann", "Bob"], "judge")
    linked.more = {"calls": []}
    linked.link.wake()
    soon(lambda: hub.transport.tables(EVENT)["t1"].state["calls"] == [])


def test_a_table_that_ends_is_away_and_one_that_dies_as_well(hub, linked):
    linked.start()
    soon(lambda: (live := hub.transport.tables(EVENT).get("t1")) and live.online)
    linked.stop_link()
    soon(lambda: not hub.transport.tables(EVENT)["t1"].online)
    linked.start()
    soon(lambda: hub.transport.tables(EVENT)["t1"].online)
    linked.link._session._client._sock.shutdown(2)  # as a plug that is pulled
    soon(lambda: not hub.transport.tables(EVENT)["t1"].online)


def test_a_command_reaches_a_table_that_comes_later(hub, linked):
    hub.transport.send_command(EVENT, "t1", {"v": 1, "revision": 17})
    linked.start()
    soon(lambda: linked.commands and linked.commands[-1]["revision"] == 17)
    hub.transport.send_command(EVENT, "t1", {"v": 1, "revision": 18})
    soon(lambda: linked.commands[-1]["revision"] == 18)


def test_what_cannot_be_read_ends_no_link(hub, linked, broker):
    linked.start()
    for channel in ("ack", "cmd"):
        for payload in (b"\xff", b"[]", b'{"v":1,"hub":"x","acks":{"e":[1]}}', b"x" * 70_000):
            publish(broker.port, f"{TOPIC}/{channel}", payload)
    publish(broker.port, "pegboard/v1/hub/abcd1234", b"?")
    linked.table.score(0, 12)
    soon_has_all(hub, linked)


def test_without_a_hub_the_table_says_so_and_plays_on(linked):
    linked.start()
    soon(lambda: "the hub is offline" in (linked.link.health.trouble or ""))
    linked.table.score(0, 12)
    assert linked.table.fronts() == [12, 0]
    assert not linked.link.health.ok


def test_an_event_that_the_hub_does_not_serve_is_said(hub, broker, tmp_path):
    linked = LinkedTable(tmp_path / "other", broker.port)
    target = LinkTarget(f"mqtt://127.0.0.1:{broker.port}", "other-night", "t1")
    linked.joined = JoinedEvent(target)
    with ended(linked.start()):
        soon(lambda: "the hub does not know the event other-night" in (linked.link.health.trouble or ""))
        hub.ledger.open_event("other-night")
        hub.transport.refresh_events()
        soon(lambda: linked.link.health.ok)


def test_a_hub_with_other_scores_under_the_same_numbers_is_said(hub, linked):
    linked.start()
    linked.table.score(0, 12)
    soon_has_all(hub, linked)
    epoch = linked.table.view.epoch
    soon(lambda: linked.acknowledged() == 2)  # else the hub's own word could come after this one
    forged = {"v": 1, "hub": hub.ledger.hub_id, "acks": {epoch: [2, "0" * 32]}}
    publish(hub.address.port, f"{TOPIC}/ack", json.dumps(forged), "-r")
    soon(lambda: "has different scores" in (linked.link.health.trouble or ""))


def test_a_broker_that_lies_about_the_acknowledgement_loses_nothing(hub, linked, broker):
    """It acknowledges every message at once, and delivers none: what counts is the hub's own word."""
    hub.stop()
    linked.start()
    linked.table.score(0, 12)
    presence = {"v": 1, "hub": hub.ledger.hub_id, "online": True, "birth": "00", "events": [EVENT]}
    publish(broker.port, f"pegboard/v1/hub/{hub.ledger.hub_id}", json.dumps(presence), "-r")
    soon(lambda: "Sending PUBACK to pegboard-club-night-t1" in broker.log.read_text())
    assert linked.acknowledged() == 0
    hub.start()
    soon_has_all(hub, linked)


def test_a_stopped_hub_holds_up_no_score(hub, linked, broker):
    linked.start()
    broker.process.send_signal(signal.SIGSTOP)
    for _ in range(20):
        linked.table.score(0, 1)
    assert linked.table.fronts() == [20, 0]
    broker.process.send_signal(signal.SIGCONT)
    soon_has_all(hub, linked)


def test_without_paho_the_cure_is_said(monkeypatch, tmp_path):
    monkeypatch.setitem(__import__("sys").modules, "paho.mqtt.client", None)
    joined = JoinedEvent(LinkTarget("mqtt://127.0.0.1", EVENT, "t1"))
    with pytest.raises(DeviceError, match="install it"):
        HubLink(joined, tmp_path, lambda: None, jitter=lambda: 0.5)


def test_the_retained_state_is_json_with_a_version(hub, linked, broker):
    linked.start()
    state = soon(lambda: retained_json(broker, f"{TOPIC}/state"))
    assert (state["v"], state["table"], state["players"]) == (1, "t1", ["Ann", "Bob"])


@pytest.mark.parametrize("connections", [1, 2])
def test_a_hub_that_is_heard_of_before_the_connection_is_noted_is_there(monkeypatch, tmp_path, connections):
    """The broker says who is there with its answer to the subscriptions: often before that is noted."""
    monkeypatch.setattr("pegboard.mqtt.hub_link.BrokerSession", ToySession)
    linked = LinkedTable(tmp_path / "state", 1883)
    presence = write_presence(HubPresence("abcd1234", is_online=True, birth="00", events=(EVENT,)))
    with ended(linked.start()):
        for _ in range(connections):
            linked.link.note_delivery(Delivery("pegboard/v1/hub/abcd1234", presence))
            linked.link.note_connection()
            soon(lambda: linked.link.is_connected)
            linked.link.note_loss(Message("trouble_mqtt_lost", broker="127.0.0.1"))
            soon(lambda: not linked.link.is_connected)


class ToySession:
    """A session whose test says what happens at the broker."""

    def __init__(self, *_, **__):
        pass

    def start(self):
        pass

    def stop(self, last=None):
        pass

    def publish(self, _publication):
        return True

    def publish_change(self, _publication):
        pass
