"""What a table says of itself besides its games, as a hub takes it: also where the table means ill."""

import json

import pytest

from pegboard.hub.ledger.ledger import open_ledger
from pegboard.hub_protocol.broker_address import BrokerAddress
from pegboard.startup.hub import running_hub
from pegboard.startup.hub.running_hub import RunningHub
from tests.support.hub_site import DEE, WEB, request_id


class NoSession:
    """A broker that is not there."""

    def __init__(self, *_, **__):
        pass

    def publish(self, _):
        return False


@pytest.fixture
def hub(tmp_path):
    with open_ledger(f"sqlite:///{tmp_path}/hub.db") as ledger:
        yield RunningHub(ledger, WEB, tmp_path, BrokerAddress("127.0.0.1", 9), open_session=NoSession)


def say(hub, night, calls):
    """The table t1 shows that it makes these calls."""
    hub.transport._live.note_state(night, "t1", json.dumps({"v": 1, "calls": calls}).encode())
    hub._note_state(night, "t1")


def test_a_table_that_calls_without_end_fills_neither_desk_nor_memory(hub, monkeypatch):
    monkeypatch.setattr(running_hub, "MOST_HEARD", 50)
    night = hub.nights.open({"do": "open_night", "name": "Club night", "date": "2026-11-26"}, DEE, request_id())
    for number in range(30):
        say(hub, night, [{"id": f"{number}-{one}" + "x" * 1000, "for": "judge"} for one in range(40)])
        open_calls = hub.nights.calls(night).by_id
        assert len(open_calls) == 4
        assert max(map(len, open_calls)) == 64
    assert len(hub._heard_calls) <= 50
    for nonsense in (None, 5, {}, [5], [{}], [{"id": "a"}], [{"id": "a", "for": "everybody"}], [{"id": [], "for": []}]):
        say(hub, night, nonsense)
        assert hub.nights.calls(night).by_id == {}
