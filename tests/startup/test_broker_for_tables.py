"""What a hub tells a table of the broker: its own account alone, and where it is as others see it."""

import pytest

from pegboard.hub.broker_accounts import HUB_USER, make_accounts
from pegboard.mqtt.broker_session import BrokerAddress, parse_broker_url
from pegboard.startup import hub_service
from pegboard.startup.hub_service import BrokerForTables
from web.http.problems import Problem

HERE = BrokerAddress("127.0.0.1", 1883)


def test_a_table_is_told_its_own_password(tmp_path):
    passwords = make_accounts(tmp_path, 4).passwords
    told = BrokerForTables(tmp_path, HERE)("night", "t4")
    assert (told["user"], told["password"]) == ("t4", passwords["t4"])


@pytest.mark.parametrize("table", [HUB_USER, "t5", "kitchen"])
def test_a_table_without_an_account_is_told_none_and_one_that_is_called_hub_not_the_hubs(tmp_path, table):
    make_accounts(tmp_path, 4)
    with pytest.raises(Problem) as refused:
        BrokerForTables(tmp_path, HERE)("night", table)
    assert (refused.value.status, refused.value.message.values["tables"]) == (409, 4)


def test_accounts_that_are_made_while_the_hub_runs_count(tmp_path):
    make_accounts(tmp_path, 4)
    told = BrokerForTables(tmp_path, HERE)
    with pytest.raises(Problem):
        told("night", "t5")
    passwords = make_accounts(tmp_path, 5).passwords
    assert told("night", "t5")["password"] == passwords["t5"]


def test_without_accounts_every_table_may_come(tmp_path):
    told = BrokerForTables(tmp_path, parse_broker_url("mqtts://broker.example:8884"))("night", "kitchen")
    url = "mqtts://broker.example:8884"
    assert told == {"url": url, "url_here": url, "user": "kitchen", "password": "", "ca": None}


@pytest.mark.parametrize(
    ("host", "address", "url"),
    [
        ("127.0.0.1", "192.168.1.20", "mqtt://192.168.1.20:1883"),
        ("localhost", "fd00::20", "mqtt://[fd00::20]:1883"),
        ("::1", "192.168.1.20", "mqtt://192.168.1.20:1883"),
        ("broker.example", "192.168.1.20", "mqtt://broker.example:1883"),
    ],
)
def test_a_broker_on_the_hubs_machine_is_called_by_its_address(tmp_path, monkeypatch, host, address, url):
    monkeypatch.setattr(hub_service, "own_address", lambda _: address)
    told = BrokerForTables(tmp_path, BrokerAddress(host, 1883))("night", "t1")
    assert told["url"] == url
    here = f"[{host}]" if ":" in host else host
    assert told["url_here"] == f"mqtt://{here}:1883", "a table on the same machine needs no network"


def test_a_broker_that_is_named_for_tables_is_told(tmp_path):
    assert BrokerForTables(tmp_path, HERE, "mqtts://hub.example")("night", "t1")["url"] == "mqtts://hub.example"
