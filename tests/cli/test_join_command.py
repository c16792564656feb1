"""`pegboard join` joins and leaves an event for a table, whether that runs or not; what is refused is one sentence."""

import json

import pytest
from click.testing import CliRunner

from pegboard.cli.main import main
from pegboard.devices.health import Devices
from pegboard.feed import Feed
from pegboard.mqtt.joined_event import read_joined
from pegboard.startup.hub_connection import HubConnection, machine_name
from pegboard.table.event_table import EventFiles
from tests.support.answering_hub import answering_hub
from tests.support.scoreboard_on_a_folder import Table
from tests.support.table_in_event import ANSWER, PLACE

BROKER = "mqtt://127.0.0.1:1883"


@pytest.fixture
def hub():
    with answering_hub() as hub:
        answer = ANSWER | {"hub": hub.url, "broker": ANSWER["broker"] | {"url": BROKER}}
        hub.answer = (200, json.dumps(answer).encode())
        yield hub


@pytest.fixture
def join(tmp_path):
    """Run the command on a folder; its exit status and what it says."""

    def run(*arguments, says=""):
        done = CliRunner().invoke(main, ["join", *arguments, "--state", str(tmp_path)], says)
        return done.exit_code, done.output.strip()

    return run


def test_a_code_joins_and_is_handed_in_once(join, hub, tmp_path):
    assert join(f"{hub.url}/t/482913") == (0, "This table is now table 4 of Club night 7")
    assert hub.asked == [("/join", {"code": "482913", "name": machine_name()})]
    joined = read_joined(tmp_path)
    assert (joined.target.url, joined.target.event, joined.target.table) == (BROKER, "club-night-7", "t4")
    assert (joined.target.password, joined.hub, joined.label) == ("secret", hub.url, "4")
    assert (tmp_path / "joined_event.json").stat().st_mode & 0o077 == 0, "the password is nobody else's to read"


@pytest.mark.parametrize(("says", "joins"), [("y", True), ("n", False), ("", False)])
def test_a_broker_on_another_machine_is_confirmed(join, hub, tmp_path, says, joins):
    hub.answer = (200, json.dumps(ANSWER).encode())
    said = join(f"{hub.url}/t/482913", says=says)[1]
    assert f"games for the hub {hub.url} are sent to another machine, {PLACE.broker}; join the event?" in said
    assert (read_joined(tmp_path) is not None) is joins


def test_digits_alone_find_a_hub_that_has_another_address_since_last_time(join, hub, monkeypatch, tmp_path):
    EventFiles(tmp_path).write("http://127.0.0.1:9", None)
    monkeypatch.setattr("pegboard.cli.join_command.search_hubs", lambda: (hub.url.removeprefix("http://"),))
    assert join("482913") == (0, "This table is now table 4 of Club night 7")
    assert (read_joined(tmp_path).hub, EventFiles(tmp_path).last_hub()) == (hub.url, hub.url)


def test_games_that_began_before_are_not_the_events(join, hub, tmp_path):
    table = Table(tmp_path)
    table.score(0, 6)
    newest = table.view.revision
    table.journal.close()
    join(f"{hub.url}/t/482913")
    assert read_joined(tmp_path).since == newest


def test_the_table_leaves(join, hub, tmp_path):
    join(f"{hub.url}/t/482913")
    assert join("--leave") == (0, "This table has left the event")
    assert read_joined(tmp_path) is None
    status, said = join("--leave")
    assert (status, said.splitlines()[-1]) == (2, "pegboard: this table is not in an event; join one first")


@pytest.mark.parametrize("arguments", [(), ("482913", "--leave")])
def test_a_code_or_leaving_is_wanted_and_not_both(join, arguments):
    status, said = join(*arguments)
    assert (status, said.splitlines()[-1]) == (
        2,
        "pegboard: give a CODE or use --leave; main join --help shows the usage",
    )


def test_a_refused_code_is_one_sentence_and_nothing_is_stored(join, hub, tmp_path):
    hub.answer = (410, b'{"detail": "used"}')
    status, said = join(f"{hub.url}/t/482913")
    assert (status, said) == (2, "pegboard: the code 482913 was used or has expired; ask the director for a new one")
    assert read_joined(tmp_path) is None


@pytest.fixture
def link(tmp_path):
    """The connection of a table that runs, which is begun by nobody."""
    link = HubConnection(tmp_path, Feed(), Devices(lambda _: None))
    yield link
    link.stop()


def test_a_table_that_runs_takes_up_what_was_joined_and_left(join, hub, link):
    assert not link.reload()
    hub.answer = (200, json.dumps(ANSWER | {"broker": {"url": "mqtt://127.0.0.1:9", "password": "secret"}}).encode())
    join(f"{hub.url}/t/482913")
    assert link.reload()
    assert (link.place.event, link.place.table, link.place.label) == ("club-night-7", "t4", "4")
    assert not link.reload(), "nothing has changed since"
    join("--leave")
    assert (link.reload(), link.place) == (True, None)
