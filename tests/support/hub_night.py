"""A hub on a broker, and tables that send to it, in this process: real journals, real MQTT, a real database."""

import contextlib
import json
import subprocess

from pegboard.hub.hub_transport import HubTransport
from pegboard.hub.ledger.ledger import open_ledger
from pegboard.mqtt.broker_session import BrokerAddress
from pegboard.mqtt.hub_link import HubLink
from pegboard.mqtt.joined_event import JoinedEvent, LinkTarget
from pegboard.mqtt.outbox import NOTHING
from tests.support.scoreboard_on_a_folder import Table
from tests.support.waiting import soon

EVENT = "club-night"


class Hub:
    """A hub that can be ended and begun again."""

    def __init__(self, database, port, **address):
        self.database, self.address = database, BrokerAddress("127.0.0.1", port, **address)
        self.transport = self.ledger = None
        self.heard = []

    def start(self):
        self.ledger = open_ledger(self.database)
        self.ledger.open_event(EVENT)
        self.transport = HubTransport(
            self.ledger,
            self.address,
            jitter=lambda: 0.5,
            on_events=lambda *words: self.heard.append(words),
            first_wait_s=0.05,
        )
        self.transport.start()
        return self

    def stop(self):
        if self.transport is not None:
            self.transport.stop()
            self.ledger.close()
            self.transport = None

    def numbers(self, table="t1"):
        return [row.seq for row in self.ledger.rows_of(EVENT, table)]


class LinkedTable:
    """A table with a journal, whose link can be ended and begun again."""

    def __init__(self, folder, port, name="t1", since=0, **target):
        self.table = Table(folder)
        self.name, self.commands = name, []
        self.joined = JoinedEvent(LinkTarget(f"mqtt://127.0.0.1:{port}", EVENT, name, **target), since)
        self.more = {}
        self.stop_link, self.link = (lambda: None), None

    def start(self):
        self.link = HubLink(
            self.joined,
            self.table.folder,
            lambda: None,
            jitter=lambda: 0.5,
            on_command=self.commands.append,
            more_state=lambda: self.more,
            first_wait_s=0.05,
        )
        self.stop_link = self.link.start(self.table.feed)
        return self

    def stop(self):
        self.stop_link()
        self.stop_link = lambda: None
        self.table.journal.close()

    def numbers(self):
        """The numbers of the events of its journal."""
        return [row.id for row in self.table.journal.rows()]

    def acknowledged(self):
        """The number of the last event of its journal's epoch that the hub has; 0 for none."""
        return acknowledged_number(self.link, self.table.view.epoch)

    def win(self):
        self.table.win()
        return self


def acknowledged_number(link, epoch):
    """The number of the last event of an epoch that the hub of a link has; 0 for none."""
    return link._sender.acknowledged.get(epoch, NOTHING).seq


@contextlib.contextmanager
def ended(*parts):
    """These parts until the end of a test."""
    try:
        yield parts
    finally:
        for part in parts:
            part.stop()


def publish(port, topic, payload, *options):
    """Publish a message as another program would."""
    words = ["mosquitto_pub", "-h", "127.0.0.1", "-p", str(port), "-q", "1", "-t", topic, "-s", *options]
    subprocess.run(words, input=payload if isinstance(payload, bytes) else payload.encode(), check=True)


def retained_json(broker, topic, *options):
    """The object that is retained in a topic; None where nothing is."""
    text = broker.retained(topic, *options)
    return None if text is None else json.loads(text)


def has_all(hub, linked):
    """Whether the hub has every event of a table once, in order."""
    return hub.numbers(linked.name) == linked.numbers()


def soon_has_all(hub, *tables):
    for linked in tables:
        soon(lambda linked=linked: has_all(hub, linked))
