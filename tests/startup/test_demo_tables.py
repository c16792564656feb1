"""The demo's tables at a hub that is not always there: what it has not acknowledged is sent again, and stored once."""

import random

from pegboard.hub.hub_transport import HubTransport
from pegboard.hub.ledger.ledger import open_ledger
from pegboard.hub.table_results import results_of
from pegboard.mqtt.broker_session import BrokerAddress
from pegboard.mqtt.messages_of_hub import COMMANDS, TableTopics, write_object
from pegboard.startup.demo_tables import DemoBroker, DemoTable
from pegboard.tournament.table_orders import OrderedGame, TableOrders
from tests.support.waiting import soon

EVENT, TABLE = "club-night", "t1"
ORDER = OrderedGame("r1:p1-p2", 1, 3, ("p1", "p2"), ("Ann", "Bob"), 1)
AT = 1_795_000_000_000_000_000


def transport_of(ledger, broker):
    address = BrokerAddress("nowhere", 0)
    return HubTransport(ledger, address, jitter=lambda: 0.5, open_session=broker.open_session)


def hear_all(broker, table, now_s):
    while not broker.news.empty():
        said = broker.news.get()
        table.hear(said.topic, said.payload, now_s)


def play(table):
    table.begin(table.next_game(), AT)
    while table.is_playing:
        table.go_on(AT)


def table_with_order(broker):
    table = DemoTable(EVENT, TABLE, random.Random(5), broker.publish_to_hub)
    orders = TableOrders(1, EVENT, TABLE, games=(ORDER,))
    table.hear(TableTopics(EVENT, TABLE).of(COMMANDS), write_object(orders.as_json()), 0.0)
    return table


def test_a_table_plays_without_a_hub_and_catches_up_once_there_is_one(tmp_path):
    broker = DemoBroker()
    table = table_with_order(broker)
    play(table)
    table.send(0.0)
    with open_ledger(f"sqlite:///{tmp_path}/hub.db") as ledger:
        ledger.open_event(EVENT)
        transport = transport_of(ledger, broker)
        transport.start()

        def is_agreed():
            hear_all(broker, table, 1.0)
            found = results_of(ledger.rows_of(EVENT))
            return found and found[0].is_agreed and found

        (result,) = soon(is_agreed)
        transport.stop()
    assert (result.players, result.pairing) == (("Ann", "Bob"), f"{EVENT}/{ORDER.game}")
    assert result.impossible is None
    assert max(result.holes) == 121


def test_a_table_plays_no_game_twice():
    table = table_with_order(DemoBroker())
    assert table.next_game().game == ORDER.game
    play(table)
    assert table.next_game() is None
