"""A table's connection to the hub: by its settings, by joining while it runs, and never in the way of the table."""

import threading

import pytest

from pegboard import Rules
from pegboard.core.moves import Start
from pegboard.devices.health import Devices
from pegboard.errors import DeviceError
from pegboard.mqtt.joined_event import JoinedEvent, LinkTarget, read_joined, write_joined
from pegboard.startup.hub_connection import HubConnection, place_of
from tests.support.hub_night import EVENT, Hub, acknowledged_number, ended
from tests.support.mosquitto import Broker
from tests.support.program import Service
from tests.support.scoreboard_on_a_folder import Table
from tests.support.waiting import soon


@pytest.fixture
def broker(tmp_path):
    one = Broker(tmp_path).start()
    yield one
    one.stop()


@pytest.fixture
def hub(broker, tmp_path):
    with ended(Hub(f"sqlite:///{tmp_path}/hub.db", broker.port).start()) as (one,):
        yield one


def settings(folder, port, **more):
    values = {"url": f"mqtt://127.0.0.1:{port}", "event": EVENT, "table": "t1"} | more
    file = folder / "pegboard.toml"
    file.write_text("[hub]\n" + "".join(f'{name} = "{value}"\n' for name, value in values.items()))
    return str(file)


def health(table):
    devices = table.client().ask("GET", "/api/v1/health")[1]["devices"]
    return next((each for each in devices if each["name"] == "Hub"), None)


def test_the_whole_way_from_a_phone_to_the_ledger(hub, broker, tmp_path):
    """The program is killed in between: what it has answered for is sent when it runs again."""
    file = settings(tmp_path, broker.port)
    with Service(tmp_path / "state", "--config", file) as table:
        table.client().score(0, 12)
        soon(lambda: [row.kind for row in hub.ledger.rows_of(EVENT)] == ["started", "scored"])
        soon(lambda: health(table)["ok"])
        hub.stop()
        table.client().score(1, 6)
        table.kill()
    hub.start()
    with Service(tmp_path / "state", "--config", file) as table:
        soon(lambda: [row.kind for row in hub.ledger.rows_of(EVENT)] == ["started", "scored", "scored"])
        soon(lambda: hub.transport.tables(EVENT)["t1"].online)


def test_without_a_hub_a_table_has_no_such_device(tmp_path):
    with Service(tmp_path / "state") as table:
        assert health(table) is None


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"url": "http://hub"}, "mqtt://HOST:PORT"),
        ({"event": "Club Night"}, "hub.event must be 1 to 32 lowercase letters"),
        ({"password_file": "/no/such"}, "/no/such cannot be read"),
    ],
)
def test_what_the_settings_say_wrong_costs_the_link_alone(tmp_path, more, sentence):
    with Service(tmp_path / "state", "--config", settings(tmp_path, 9, **more)) as table:
        assert sentence in soon(lambda: health(table))["trouble"]
        assert table.client().score(0, 12)[0] < 300


def test_a_version_that_is_only_tried_joins_nothing(hub, broker, tmp_path, monkeypatch):
    monkeypatch.setenv("PEGBOARD_TRIAL", "1")
    with Service(tmp_path / "state", "--config", settings(tmp_path, broker.port)) as table:
        assert health(table) is None


@pytest.fixture
def connection(tmp_path):
    """A connection beside a table of this process, which has a game of the morning in its journal."""
    table = Table(tmp_path / "state")
    table.score(0, 9)
    own = HubConnection(table.folder, table.feed, Devices(lambda _: None))
    own.table = table
    yield own
    own.stop()
    table.journal.close()


def target(port, event=EVENT):
    return LinkTarget(f"mqtt://127.0.0.1:{port}", event, "t1")


def test_a_table_joins_while_it_runs_and_sends_what_begins_then(hub, broker, connection):
    told = []
    connection.on_change = lambda: told.append(connection.is_linked)
    connection.join(place_of(JoinedEvent(target(broker.port), event_name="Club night", label="1")))
    soon(lambda: connection.is_linked)
    assert read_joined(connection.table.folder) == connection.joined
    assert (connection.joined.since, connection.joined.label) == (connection.table.view.revision, "1")
    connection.table.win()
    connection.table.ask(Start(Rules(), ("Ann", "Bob")), game=None)
    connection.table.score(1, 4)
    soon(lambda: [row.kind for row in hub.ledger.rows_of(EVENT)] == ["started", "scored"])
    soon(lambda: acknowledged_number(connection._link, connection.table.view.epoch) == connection.table.view.revision)
    assert True in told
    connection.leave()
    assert (connection.joined, connection.is_linked, read_joined(connection.table.folder)) == (None, False, None)
    connection.table.score(0, 1)
    connection.join(place_of(JoinedEvent(target(broker.port))))
    soon(lambda: len(hub.ledger.rows_of(EVENT)) == 3)


def test_what_another_program_has_joined_is_followed(hub, broker, connection):
    folder = connection.table.folder
    assert not connection.reload()
    write_joined(folder, JoinedEvent(target(broker.port), connection.table.view.revision))
    assert connection.reload()
    assert not connection.reload()
    soon(lambda: connection.is_linked)
    write_joined(folder, None)
    assert connection.reload()
    assert connection.joined is None


def test_what_cannot_be_joined_leaves_all_as_it_was(hub, broker, connection):
    connection.join(place_of(JoinedEvent(target(broker.port))))
    with pytest.raises(DeviceError, match="must be 1 to 32 lowercase letters"):
        connection.join(place_of(JoinedEvent(target(broker.port, "Club Night"))))
    assert connection.joined.target.event == EVENT
    soon(lambda: connection.is_linked)


def test_whoever_joins_and_reloads_at_once_leaves_one_link(hub, broker, connection):
    """The page that joins, and the look at what `pegboard join` has stored."""
    folder = connection.table.folder
    for number in range(30):
        ours, stored = (JoinedEvent(target(broker.port, f"{EVENT}-{number}-{letter}")) for letter in "ab")
        write_joined(folder, stored)
        begin = threading.Barrier(2)

        def join(joined=ours, begin=begin):
            begin.wait()
            connection.join(place_of(joined))

        joining = threading.Thread(target=join)
        joining.start()
        begin.wait()
        connection.reload()
        joining.join()
        assert connection.joined == read_joined(folder)
    connection.leave()
    soon(lambda: not [each for each in threading.enumerate() if each.name == "hub link"])
