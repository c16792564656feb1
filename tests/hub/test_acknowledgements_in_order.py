"""Two threads acknowledge events of one table: what was read later is published later, else a table sends all again."""

import threading

import pytest

from pegboard.hub.hub_transport import HubTransport
from pegboard.hub.ledger.event_store import EventStore
from pegboard.hub.ledger.ledger import open_ledger
from pegboard.mqtt.broker_session import BrokerAddress
from pegboard.mqtt.messages_of_hub import Acknowledged, read_acknowledgement
from tests.support.hub_night import EVENT

TOO_EARLY_S = 0.2
"""So long the first thread waits, between reading and publishing, for the second one to overtake it."""


class Session:
    """A connection that writes down up to where it has acknowledged."""

    def __init__(self, *_, **__):
        self.published, self.second = [], threading.Event()

    def start(self):
        pass

    def stop(self, last=None):
        pass

    def publish(self, publication):
        if publication.topic.endswith("/ack"):
            self.published.append(read_acknowledgement(publication.payload)[1]["epoch"].seq)
            if self.published[-1] == 2:
                self.second.set()
        return True


@pytest.fixture
def transport(tmp_path):
    with open_ledger(f"sqlite:///{tmp_path}/hub.db") as ledger:
        ledger.open_event(EVENT, "")
        yield HubTransport(ledger, BrokerAddress("127.0.0.1", 1), jitter=lambda: 0.0, open_session=Session)


def test_what_was_read_later_is_published_later(transport, monkeypatch):
    session, first_has_read, read = transport._session, threading.Event(), iter((1, 2))

    def acknowledgement_of(*_):
        seq = next(read)
        if seq == 1:
            first_has_read.set()
            session.second.wait(TOO_EARLY_S)
        return {"epoch": Acknowledged(seq, "00" * 8)}

    monkeypatch.setattr(EventStore, "acknowledgement_of", acknowledgement_of)
    first = threading.Thread(target=transport.send_command, args=(EVENT, "t1", {}))
    first.start()
    assert first_has_read.wait(60)
    transport.send_command(EVENT, "t1", {})
    first.join(60)
    assert session.published == [1, 2]
