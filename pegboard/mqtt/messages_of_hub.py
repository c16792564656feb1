"""MQTT messages between tables and hubs: events, acknowledgments, presence, status, topics; strict and canonical JSON.

An event message holds up to `WINDOW` events of one epoch in order, each as its line of an export. It has the number of
the event that was sent before them and that event's link in the journal's hash chain; this reveals gaps, and different
events under the same numbers. A message is accepted as a whole or rejected.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Annotated, Any, NamedTuple, NotRequired, TypeAlias, TypedDict

from pegboard.core.names import GAME_ID, JOURNAL_ID, PLACE_ID
from pegboard.errors import PegboardError
from pegboard.json_parser import canonical_json, parse_json
from pegboard.values import MESSAGE, Misfit, Takes, reader, write

# --- small messages: a hub's acknowledgment and presence, a table's status and state ---


VERSION = 1

LATEST = 2**63
"""Upper bound (exclusive) of numbers and times."""

LONGEST_KIND, LONGEST_SOURCE = 40, 32

NAME = re.compile(PLACE_ID)
"""Names of events and tables. A table's name is its user name at the broker."""

Name: TypeAlias = Annotated[str, Takes(pattern=NAME.pattern)]

HubId: TypeAlias = Annotated[str, Takes(pattern=r"[0-9a-f]{8,32}")]

Epoch: TypeAlias = Annotated[str, Takes(pattern=JOURNAL_ID)]
"""A journal's id."""

GameId: TypeAlias = Annotated[str, Takes(pattern=GAME_ID)]
"""A game's id, as in the board's commands."""

Chain: TypeAlias = Annotated[str, Takes(pattern=r"[0-9a-f]{0,64}")]
"""A link of the hash chain; empty before the first event."""

Count: TypeAlias = Annotated[int, Takes(least=0, most=LATEST - 1)]

LONGEST_SMALL_MESSAGE = 65_536
"""Maximum bytes of a status, a state, an acknowledgment, a hub's presence, or a command."""

MOST_EPOCHS = 8
"""Maximum epochs of one table that an acknowledgment names; it names the newest."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """The last event of an epoch that a hub has stored: its number, and its link in the hash chain."""

    seq: int
    chain: str


@dataclass(frozen=True, slots=True)
class HubPresence:
    """A hub's presence: whether it is online, and the events that it serves.

    Attributes:
        hub: the hub's id, created with its database.
        is_online: whether the hub is online; its MQTT will says that it is not.
        birth: a new value for each connection of the hub; messages sent before it may not have arrived.
        events: the names of the events that the hub serves.
    """

    hub: HubId
    is_online: Annotated[bool, Takes(key="online")]
    birth: Annotated[str, Takes(pattern=r"[0-9a-f]{0,32}")]
    events: tuple[Name, ...]


class _Acknowledgement(TypedDict):
    hub: HubId
    acks: dict[Epoch, Annotated[tuple[Count, Chain], Takes(read=lambda one: Acknowledged(*one))]]


_acknowledgement, _presence = reader(_Acknowledgement, MESSAGE), reader(HubPresence, MESSAGE)


def write_acknowledgement(hub: str, epochs: Mapping[str, Acknowledged]) -> bytes:
    """The acknowledgment of a table's events, by epoch, the newest epoch last."""
    newest = list(epochs.items())[-MOST_EPOCHS:]
    return write_object({"hub": hub, "acks": {epoch: [each.seq, each.chain] for epoch, each in newest}})


def read_acknowledgement(payload: bytes) -> tuple[str, dict[str, Acknowledged]]:
    """The id of the hub, and the last stored event of each epoch.

    Raises:
        BadMessage: the payload is not an acknowledgment.
    """
    try:
        found = _acknowledgement(read_small_object(payload))
    except Misfit as error:
        raise BadMessage("hub_message_field", name="acks") from error
    return found["hub"], found["acks"]


def write_presence(presence: HubPresence) -> bytes:
    """The message that a hub is online or offline."""
    return write_object(write(presence))


def read_presence(payload: bytes) -> HubPresence:
    """Parse a hub's presence.

    Raises:
        BadMessage: the payload is not a hub's presence.
    """
    values = read_small_object(payload)
    try:
        found: HubPresence = _presence(values | {"online": values.get("online") is True})
    except Misfit as error:
        raise BadMessage("hub_message_field", name="events" if error.field == "events" else "hub") from error
    return found


def write_status(table: str, epoch: str, *, is_online: bool) -> bytes:
    """The status of a table, online or offline; its MQTT will says offline."""
    return write_object({"online": is_online, "table": table, "epoch": epoch})


def read_status(payload: bytes) -> bool:
    """Whether a table's status is online.

    Raises:
        BadMessage: the payload is not a JSON object, or too long.
    """
    return read_small_object(payload).get("online") is True


def write_object(values: Mapping[str, Any]) -> bytes:
    """The payload of a small message, such as a state or a command: any JSON object, with the version."""
    return json.dumps({"v": VERSION, **values}, ensure_ascii=False).encode()


def read_small_object(payload: bytes) -> dict[str, Any]:
    """The JSON object in a small message, such as a state or a command.

    Raises:
        BadMessage: the payload is not a JSON object, or too long.
    """
    if len(payload) > LONGEST_SMALL_MESSAGE:
        raise BadMessage("hub_message_long", bytes=len(payload), most=LONGEST_SMALL_MESSAGE)
    return read_object(payload)


# --- strict JSON parsing of the messages; invalid messages raise an error with a readable text ---


class BadMessage(PegboardError, ValueError):
    """An invalid message: not JSON, or not of the expected shape."""

    code = "message"


def _canonical_text(body: Mapping[str, Any]) -> str:
    """A body as canonical JSON text.

    Raises:
        BadMessage: it holds infinity or text that is not valid Unicode, or is nested too deeply.
    """
    try:
        text = canonical_json(body)
        text.encode()
    except (ValueError, RecursionError) as error:
        raise BadMessage("hub_message_json") from error
    return text


def read_object(payload: bytes) -> dict[str, Any]:
    """The JSON object in a payload.

    Raises:
        BadMessage: the payload is not a JSON object.
    """
    try:
        values: dict[str, Any] = _object(parse_json(payload))
    except (ValueError, RecursionError) as error:  # also UnicodeDecodeError, and a number with too many digits
        raise BadMessage("hub_message_json") from error
    return values


# --- MQTT topics of tables (`pegboard/v1/<event>/<table>/<channel>`) and hubs (`pegboard/v1/hub/<id>`) ---


ROOT = "pegboard/v1"
"""The prefix of all topics; includes the version of the messages."""

EVENTS, STATE, STATUS, ACK, COMMANDS = "events", "state", "status", "ack", "cmd"
"""The channels of a table: the table publishes the first three, the hub the other two."""

EVERY_HUB = f"{ROOT}/hub/+"
"""The topic filter for the presence of all hubs."""


@dataclass(frozen=True, slots=True)
class TableTopics:
    """The topics of one table at one event."""

    event: str
    table: str

    def of(self, channel: str) -> str:
        """The topic of a channel."""
        return f"{ROOT}/{self.event}/{self.table}/{channel}"


class TopicParts(NamedTuple):
    """The names in the topic of a table."""

    event: str
    table: str
    channel: str


def topics_of_tables(channel: str) -> str:
    """The filter that matches a channel of every table at every event."""
    return f"{ROOT}/+/+/{channel}"


def topic_of_hub(hub: str) -> str:
    """The topic of a hub's presence."""
    return f"{ROOT}/hub/{hub}"


def read_topic(topic: str) -> TopicParts | None:
    """Parse a topic; None if it is not a table's topic, or a name in it is invalid."""
    if not topic.startswith(f"{ROOT}/"):
        return None
    parts = topic[len(ROOT) + 1 :].split("/")
    if len(parts) != 3 or not all(NAME.fullmatch(name) for name in parts[:2]):  # noqa: PLR2004 - event, table, channel
        return None
    return TopicParts(*parts)


WINDOW = 32
"""Maximum number of events in flight: sent but not acknowledged."""

LONGEST_MESSAGE = 262_144
"""Maximum bytes of an event message; 32 events with the longest notes take a quarter of that."""

OLDEST_BODY = 2
"""The body version of a line that does not name its version."""


@dataclass(frozen=True, slots=True)
class SheetEvent:
    """One event of a table's journal as a hub receives it.

    Attributes:
        seq: the event's number in the journal.
        game: the id of the event's game; place: the event's number within the game, from 1.
        at: nanoseconds since 1970 by the table's clock, which may be wrong by any amount.
        source: how the event was entered.
        kind: the kind of event; body: its values as canonical JSON; version: the version of the body.
    """

    seq: int
    game: str
    place: int
    at: int
    source: str
    kind: str
    body: str
    version: int = OLDEST_BODY

    @property
    def digest(self) -> str:
        """A hash of all fields; two events with the same number are equal only if their digests are equal."""
        values = [self.seq, self.game, self.place, self.at, self.source, self.kind, self.version, self.body]
        return sha256(canonical_json(values).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class EventMessage:
    """Events of one epoch of a table's journal.

    Attributes:
        table: the name of the table.
        epoch: the id of the journal that the events were stored in.
        after: the number of the event that was sent before them; 0 for the first event of an epoch.
        before: that event's link in the hash chain; "" before the first.
        chain: the hash-chain link of the last event.
        events: 1 to `WINDOW` events in ascending order.
    """

    table: str
    epoch: str
    after: int
    before: str
    chain: str
    events: tuple[SheetEvent, ...]

    @property
    def last(self) -> int:
        """The number of the last event."""
        return self.events[-1].seq


def write_events(table: str, epoch: str, after: tuple[int, str], chain: str, lines: Sequence[str]) -> bytes:
    """An event message; `lines` are the events' export lines, `after` the number and link of the previous event."""
    head = {"v": VERSION, "table": table, "epoch": epoch, "after": after[0], "before": after[1], "chain": chain}
    return f'{json.dumps(head)[:-1]}, "events": [{", ".join(lines)}]}}'.encode()


def read_events(payload: bytes) -> EventMessage:
    """Parse an event message.

    Raises:
        BadMessage: the payload is not a valid event message.
    """
    if len(payload) > LONGEST_MESSAGE:
        raise BadMessage("hub_message_long", bytes=len(payload), most=LONGEST_MESSAGE)
    try:
        head = _head(read_object(payload))
        events = tuple([_read_event(line, head["epoch"]) for line in head["events"]])
    except Misfit as error:
        raise BadMessage("hub_message_field", name=error.field or "events") from error
    numbers = [head["after"], *(event.seq for event in events)]
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise BadMessage("hub_message_order")
    return EventMessage(head["table"], head["epoch"], head["after"], head["before"], head["chain"], events)


def _read_event(line: Any, epoch: str) -> SheetEvent:
    values = _line(line)
    if values.pop("epoch") != epoch:
        raise BadMessage("hub_message_field", name="epoch")
    return SheetEvent(**values)


class _EventsHead(TypedDict):
    v: Annotated[int, Takes(least=VERSION, most=VERSION)]
    table: Name
    epoch: Epoch
    after: Count
    before: Chain
    chain: Chain
    events: Annotated[tuple[Any, ...], Takes(least=1, most=WINDOW)]


class _EventLine(TypedDict):
    """The fields of an event. Unknown kinds, from newer tables, are accepted and stored."""

    seq: Annotated[int, Takes(least=1, most=LATEST - 1, key="id")]
    epoch: Epoch
    game: GameId
    place: Annotated[int, Takes(least=1, most=LATEST - 1, key="seq")]
    at: Annotated[int, Takes(least=-LATEST, most=LATEST - 1)]
    source: Annotated[str, Takes(most=LONGEST_SOURCE, test=str.isprintable)]
    kind: Annotated[str, Takes(most=LONGEST_KIND, test=str.isprintable)]
    body: Annotated[Mapping[str, Any], Takes(read=_canonical_text)]
    version: NotRequired[Annotated[int, Takes(least=1, most=LATEST - 1, key="v")]]


_head, _line, _object = reader(_EventsHead, MESSAGE), reader(_EventLine, MESSAGE), reader(dict[str, Any])
