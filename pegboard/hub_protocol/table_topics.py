"""MQTT topics of tables and hubs: `pegboard/v1/<event>/<table>/<channel>`, and `pegboard/v1/hub/<id>` of each hub."""

import re
from dataclasses import dataclass
from typing import NamedTuple

ROOT = "pegboard/v1"
"""What all topics lie under; the version of the messages, too."""

NAME = re.compile(r"[a-z0-9_-]{1,32}", re.ASCII)
"""Names of events and tables. A table's name is its user name at the broker."""

EVENTS, STATE, STATUS, ACK, COMMANDS = "events", "state", "status", "ack", "cmd"
"""The channels of a table: it writes the first three, and the hub the other two."""

EVERY_HUB = f"{ROOT}/hub/+"
"""The topics in which hubs say that they are there."""


@dataclass(frozen=True, slots=True)
class TableTopics:
    """The topics of one table at one event."""

    event: str
    table: str

    def of(self, channel: str) -> str:
        """The topic of a channel."""
        return f"{ROOT}/{self.event}/{self.table}/{channel}"


class TopicParts(NamedTuple):
    """What the topic of a table names."""

    event: str
    table: str
    channel: str


def topics_of_tables(channel: str) -> str:
    """The filter that matches a channel of every table at every event."""
    return f"{ROOT}/+/+/{channel}"


def topic_of_hub(hub: str) -> str:
    """The topic in which a hub says that it is there."""
    return f"{ROOT}/hub/{hub}"


def read_topic(topic: str) -> TopicParts | None:
    """What a topic names; None where it is no table's, or a name in it is none."""
    if not topic.startswith(f"{ROOT}/"):
        return None
    parts = topic[len(ROOT) + 1 :].split("/")
    if len(parts) != 3 or not all(NAME.fullmatch(name) for name in parts[:2]):  # noqa: PLR2004 - event, table, channel
        return None
    return TopicParts(*parts)
