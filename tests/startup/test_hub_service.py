"""Which broker a hub uses, and as whom: what `pegboard hub broker` has made, unless options differ; who finds it."""

import pytest

from pegboard.config import WebSettings
from pegboard.hub.broker_accounts import make_accounts
from pegboard.mqtt.broker_session import BrokerAddress
from pegboard.startup.hub_service import HubOptions, broker_of, is_announced

ELSEWHERE = BrokerAddress("broker.example", 8883, is_encrypted=True)


def chosen(folder, broker=None):
    return broker_of(HubOptions("sqlite:////tmp/none.db", folder, broker, None, WebSettings()))


def test_without_options_the_hub_finds_port_and_password_that_were_made(tmp_path):
    accounts = make_accounts(tmp_path, 2, 1884)
    assert chosen(tmp_path) == BrokerAddress("127.0.0.1", 1884, user="hub", password=accounts.passwords["hub"])


def test_without_options_and_accounts_the_broker_of_this_machine_is_tried(tmp_path):
    assert chosen(tmp_path) == BrokerAddress("127.0.0.1", 1883)


def test_the_accounts_hold_at_a_broker_that_is_named_too(tmp_path):
    password = make_accounts(tmp_path, 2).passwords["hub"]
    found = chosen(tmp_path, ELSEWHERE)
    assert (found.host, found.port, found.user, found.password) == ("broker.example", 8883, "hub", password)


@pytest.mark.parametrize("own", [{"user": "desk", "password": "secret"}, {"certificate": "hub.pem"}])
def test_who_says_as_whom_is_that(tmp_path, own):
    make_accounts(tmp_path, 2)
    named = BrokerAddress("broker.example", 8883, **own)
    assert chosen(tmp_path, named) == named


@pytest.mark.parametrize(
    ("web", "announced"),
    [
        ({"host": "0.0.0.0"}, True),
        ({"host": "192.0.2.7"}, True),
        ({"host": "127.0.0.1"}, False),
        ({"host": "0.0.0.0", "certificate": "hub.pem", "key": "hub-key.pem"}, False),
    ],
)
def test_a_hub_that_tables_cannot_join_by_digits_alone_is_not_announced(web, announced):
    assert is_announced(WebSettings(**web)) == announced
