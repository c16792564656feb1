"""The thread that stores what tables send: nothing that goes wrong with one message holds up another."""

from functools import partial

from pegboard.hub.hub_transport import EventWriter, Waiting
from pegboard.hub.ledger.event_store import MessageOutcome, StoreReport
from pegboard.mqtt.broker_session import Delivery
from tests.support.hub_night import EVENT
from tests.support.table_messages import WrittenJournal
from tests.support.waiting import soon


class Store:
    """A store that meets an error of the program with the first messages, and stores all others."""

    def __init__(self):
        self.tries = 0

    def store(self, arrivals):
        self.tries += 1
        if self.tries == 1:
            raise ZeroDivisionError
        return StoreReport((MessageOutcome.STORED,) * len(arrivals), {})


def test_an_error_of_the_program_holds_nothing_back_at_the_broker():
    """The broker sends so many messages before one is acknowledged: those that are not would be too many in the end."""
    places, reports, acknowledged, payload = [], [], [], WrittenJournal().score().payload()
    writer = EventWriter(Store(), places.append, reports.append, lambda _: None)
    writer.start()
    for number in (1, 2):
        acknowledge = partial(acknowledged.append, number)
        assert writer.add(Waiting(EVENT, "t1", Delivery("events", payload, acknowledge)))
        soon(lambda number=number: acknowledged == [1, 2][:number])
    soon(lambda: len(reports) == 1)
    assert places == [(EVENT, "t1")], "what was not stored is acknowledged to no table"
    writer.stop()
