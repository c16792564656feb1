"""The hub at a real broker: poison, strangers, access lists, TLS, and a database that goes away."""

import subprocess
import time
from dataclasses import replace

import pytest

from pegboard.errors import DeviceError
from pegboard.hub.broker_accounts import access_list
from pegboard.hub.ledger.ledger_rows import Refused
from pegboard.mqtt.joined_event import JoinedEvent
from pegboard.mqtt.messages_of_hub import read_acknowledgement
from tests.mqtt.test_published_table import certificate
from tests.support.hub_night import EVENT, Hub, LinkedTable, ended, publish, retained_json, soon_has_all
from tests.support.mosquitto import Broker
from tests.support.postgresql_server import PostgresqlServer
from tests.support.table_messages import WrittenJournal
from tests.support.waiting import soon

TOPIC = f"pegboard/v1/{EVENT}/t1"


@pytest.fixture
def hub(broker, database):
    with ended(Hub(database, broker.port).start()) as (one,):
        soon(lambda: one.transport.health[0].ok)
        yield one


def acknowledged(broker, table="t1"):
    text = broker.retained(f"pegboard/v1/{EVENT}/{table}/ack")
    return {} if text is None else {epoch: each.seq for epoch, each in read_acknowledgement(text.encode())[1].items()}


def test_what_was_stored_is_acknowledged_and_retained(hub, broker):
    own = WrittenJournal().score(3)
    publish(broker.port, f"{TOPIC}/events", own.payload())
    soon(lambda: hub.numbers() == [1, 2, 3])
    assert soon(lambda: acknowledged(broker)) == {own.epoch: 3}
    event, table, rows = soon(lambda: hub.heard)[0]
    assert (event, table, {row.game for row in rows}) == (EVENT, "t1", {"game-1"})


def test_a_gap_is_acknowledged_as_far_as_there_is_none(hub, broker):
    own = WrittenJournal().score(9)
    publish(broker.port, f"{TOPIC}/events", own.payload(1, 3))
    publish(broker.port, f"{TOPIC}/events", own.payload(7, 9))
    soon(lambda: acknowledged(broker) == {own.epoch: 3})
    publish(broker.port, f"{TOPIC}/events", own.payload(4, 6))
    publish(broker.port, f"{TOPIC}/events", own.payload(7, 9))
    soon(lambda: acknowledged(broker) == {own.epoch: 9})
    assert hub.numbers() == list(range(1, 10))


def test_poison_ends_nothing_and_is_told(hub, broker):
    own = WrittenJournal("t2").score(2)
    for channel in ("events", "state", "status"):
        for payload in (b"\xff", b"[" * 50_000, b'{"v":1}', b"\0" * 300_000):
            publish(broker.port, f"{TOPIC}/{channel}", payload)
    publish(broker.port, f"pegboard/v1/{EVENT}/t2/events", own.payload())
    soon(lambda: hub.numbers("t2") == [1, 2])
    assert {alarm.kind for alarm in hub.ledger.alarms(EVENT)} == {Refused.POISON}
    assert {alarm.table for alarm in hub.ledger.alarms(EVENT)} == {"t1"}


def test_events_that_are_not_open_and_strange_topics_are_left_alone(hub, broker):
    own = WrittenJournal().score(2)
    strange = ("other-night/t1/events", f"{EVENT}/T1/events", f"{EVENT}/{'t' * 40}/events")
    for topic in strange:
        publish(broker.port, f"pegboard/v1/{topic}", own.payload())
    publish(broker.port, f"{TOPIC}/events", own.payload())
    soon(lambda: hub.numbers() == [1, 2])
    assert hub.ledger.read_quarantine(EVENT) == []
    assert hub.ledger.rows_of("other-night") == []


def test_an_event_that_is_opened_while_the_hub_runs_counts(hub, broker, database):
    own = WrittenJournal().score(2)
    hub.ledger.open_event("other-night")
    topic = "pegboard/v1/other-night/t1/events"

    def arrived():
        publish(broker.port, topic, own.payload())
        return [row.seq for row in hub.ledger.rows_of("other-night")] == [1, 2]

    soon(arrived, 20)


def test_the_hub_says_that_it_is_there_and_its_will_that_it_is_not(hub, broker):
    topic = f"pegboard/v1/hub/{hub.ledger.hub_id}"
    first = soon(lambda: retained_json(broker, topic))
    assert (first["online"], first["events"]) == (True, [EVENT])
    hub.transport._session._client._sock.shutdown(2)
    again = soon(lambda: (now := retained_json(broker, topic)) and now["online"] and now["birth"] != first["birth"])
    assert again
    hub.stop()
    assert not retained_json(broker, topic)["online"]


def test_a_server_that_goes_away_and_comes_back_loses_nothing(tmp_path, broker):
    server = PostgresqlServer().start()
    try:
        with ended(
            Hub(server.new_database(), broker.port).start(), LinkedTable(tmp_path / "state", broker.port).start()
        ) as (hub, linked):
            linked.table.score(0, 5)
            soon_has_all(hub, linked)
            server.kill()
            for _ in range(5):
                linked.table.score(1, 2)
            soon(lambda: not hub.transport.health[1].ok)
            assert "not acknowledged" in hub.transport.health[1].trouble
            time.sleep(0.3)  # until the shared memory of the server that was killed is free
            (server.data / "postmaster.pid").unlink(missing_ok=True)
            server.start()
            soon_has_all(hub, linked)
            soon(lambda: hub.transport.health[1].ok)
    finally:
        server.stop()


# --- who may do what at the broker ---


@pytest.fixture
def guarded(tmp_path):
    """A broker with the access list that the hub prints, and a password for the hub and two tables."""
    passwords, rights = tmp_path / "passwords", tmp_path / "rights"
    passwords.touch()
    for user in ("hub", "t1", "t2"):
        subprocess.run(["mosquitto_passwd", "-b", passwords, user, f"of {user}"], check=True)
    rights.write_text(access_list("hub"))
    options = ["allow_anonymous false", f"password_file {passwords}", f"acl_file {rights}"]
    one = Broker(tmp_path, *options).start()
    yield one
    one.stop()


def credentials(user):
    return "-u", user, "-P", f"of {user}"


def test_with_the_access_list_a_table_and_the_hub_do_their_work(tmp_path, guarded):
    hub = Hub(f"sqlite:///{tmp_path}/hub.db", guarded.port, user="hub", password="of hub")
    linked = LinkedTable(tmp_path / "state", guarded.port, password="of t1")
    with ended(hub.start(), linked.start()):
        linked.table.score(0, 12)
        soon_has_all(hub, linked)
        hub.transport.send_command(EVENT, "t1", {"v": 1, "revision": 3})
        soon(lambda: linked.commands)
        soon(lambda: (live := hub.transport.tables(EVENT).get("t1")) and live.state)


CHANNELS = ("events", "state", "status", "ack", "cmd")


def test_a_table_writes_nothing_of_another_nor_what_is_the_hubs(guarded):
    """What arrives is read by the hub, who may read everything."""
    for table in ("t1", "t2"):
        for channel in CHANNELS:
            topic = f"pegboard/v1/{EVENT}/{table}/{channel}"
            publish(guarded.port, topic, f"{table} {channel}", "-r", *credentials("t1"))
    publish(guarded.port, "pegboard/v1/hub/abcd1234", "t1", "-r", *credentials("t1"))
    found = guarded.read("pegboard/v1/#", 20, "--retained-only", *credentials("hub"), seconds=1)
    assert {text for _, _, text in found} == {"t1 events", "t1 state", "t1 status"}


def test_a_table_reads_nothing_of_another_nor_other_tables_events(guarded):
    for table in ("t1", "t2"):
        for channel in CHANNELS:
            topic = f"pegboard/v1/{EVENT}/{table}/{channel}"
            publish(guarded.port, topic, f"{table} {channel}", "-r", *credentials("hub"))
    publish(guarded.port, "pegboard/v1/hub/abcd1234", "hub", "-r", *credentials("hub"))
    found = guarded.read("pegboard/v1/#", 20, "--retained-only", *credentials("t1"), seconds=1)
    assert {text for _, _, text in found} == {"t1 ack", "t1 cmd", "hub"}


@pytest.mark.debian
def test_encrypted_each_proves_who_it_is_by_a_certificate(tmp_path):
    """The broker takes the name in a table's certificate for its user name."""
    own, client = certificate(tmp_path, "broker"), certificate(tmp_path, "t1")
    trusted = tmp_path / "trusted.pem"
    trusted.write_text((tmp_path / "t1.pem").read_text() + (tmp_path / "broker.pem").read_text())
    options = ["allow_anonymous true", f"certfile {own}.pem", f"keyfile {own}.key", f"cafile {trusted}"]
    options += ["require_certificate true", "use_identity_as_username true"]
    guarded = Broker(tmp_path, *options).start()
    files = {"certificate": f"{client}.pem", "key": f"{client}.key", "ca_file": f"{own}.pem"}
    hub = Hub(f"sqlite:///{tmp_path}/hub.db", guarded.port, is_encrypted=True, **files)
    linked = LinkedTable(tmp_path / "state", guarded.port, **files)
    target = linked.joined.target
    linked.joined = JoinedEvent(replace(target, url=target.url.replace("mqtt:", "mqtts:")))
    with ended(hub.start(), linked.start()):
        linked.table.score(0, 12)
        soon_has_all(hub, linked)
    guarded.stop()


def test_a_certificate_that_is_none_is_named(tmp_path):
    (tmp_path / "no.pem").write_text("nothing")
    with pytest.raises(DeviceError, match=r"no\.pem cannot be read as a certificate"):
        Hub(f"sqlite:///{tmp_path}/hub.db", 9, is_encrypted=True, ca_file=str(tmp_path / "no.pem")).start()
