"""A broker without MQTT for the demo: a hub's session on one side, simulated tables on the other, all in one thread."""

import logging
from queue import SimpleQueue
from typing import Any

from pegboard.mqtt.broker_session import BrokerAddress, Delivery, Publication, SessionOwner

log = logging.getLogger("pegboard")


class QueuedDelivery(Delivery):
    """A message that has arrived here; nobody waits for its acknowledgement."""

    __slots__ = ()

    def __init__(self, topic: str, payload: bytes) -> None:
        self.topic, self.payload = topic, payload

    def acknowledge(self) -> None:
        """Nothing: the queue holds nothing back."""


class DemoBroker:
    """Carries messages between one hub and the tables.

    Attributes:
        news: what the hub has said, from the first word on; None wakes who waits for it.
    """

    def __init__(self) -> None:
        """`open_session` takes the place of `BrokerSession` for the hub."""
        self.news: SimpleQueue[Publication | None] = SimpleQueue()
        self._owner: SessionOwner | None = None

    def open_session(self, _address: BrokerAddress, owner: SessionOwner, **_: Any) -> "DemoSession":
        """A session of the hub `owner`; all of its subscriptions are those that a hub has."""
        return DemoSession(self, owner)

    def attach(self, owner: SessionOwner | None) -> None:
        """The hub is there; None: it has gone."""
        self._owner = owner
        if owner is not None:
            owner.note_connection()

    def publish_to_hub(self, topic: str, payload: bytes) -> bool:
        """Hand the hub a message of a table; whether it is there. One that cannot be dealt with harms nobody."""
        owner = self._owner
        if owner is None:
            return False
        try:
            owner.note_delivery(QueuedDelivery(topic, payload))
        except Exception:
            log.exception("a message could not be processed")
        return True

    def publish_to_tables(self, publication: Publication) -> None:
        """Put a message of the hub into the queue; any thread."""
        self.news.put(publication)


class DemoSession:
    """The hub's connection to the demo's broker, which is never lost."""

    def __init__(self, broker: DemoBroker, owner: SessionOwner) -> None:
        self._broker, self._owner = broker, owner

    def start(self) -> None:
        """Connect."""
        self._broker.attach(self._owner)

    def stop(self, last: Publication | None = None) -> None:
        """End the connection after a last message."""
        if last is not None:
            self._broker.publish_to_tables(last)
        self._broker.attach(None)

    def publish(self, publication: Publication) -> bool:
        """Send a message to the tables."""
        self._broker.publish_to_tables(publication)
        return True
