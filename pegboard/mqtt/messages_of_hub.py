"""The message with which a table sends events of its journal to a hub, and how the hub reads it.

A message holds up to `WINDOW` events of one epoch in their order, each as its line of an export. It names the event
that was sent before them and that one's link in the journal's hash chain, so that a gap is seen, and another history
under the same numbers. A message is accepted whole, or not at all.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any, NamedTuple

from pegboard.errors import PegboardError
from pegboard.json_parser import parse_json

# --- the small messages beside those of events: a hub's acknowledgement and presence, a table's status and state ---


VERSION = 1


HUB_ID = r"[0-9a-f]{8,32}"


LONGEST_SMALL_MESSAGE = 65_536
"""Bytes of a status, a state, an acknowledgement, a hub's presence, or a command."""


MOST_EPOCHS = 8
"""Epochs of one table that an acknowledgement names: those that came last."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Up to where a hub has stored the events of an epoch: the number of the last one, and its link in the chain."""

    seq: int
    chain: str


@dataclass(frozen=True, slots=True)
class HubPresence:
    """That a hub is there, or not.

    Attributes:
        hub: its id, made with its database.
        is_online: whether it is there; its will says that it is not.
        birth: another one with each connection: what was sent before it may not have arrived.
        events: the events that it serves.
    """

    hub: str
    is_online: bool
    birth: str
    events: tuple[str, ...]


def write_acknowledgement(hub: str, epochs: Mapping[str, Acknowledged]) -> bytes:
    """The acknowledgement of a table's events, by epoch, the newest last."""
    newest = list(epochs.items())[-MOST_EPOCHS:]
    return _write(hub=hub, acks={epoch: [each.seq, each.chain] for epoch, each in newest})


def read_acknowledgement(payload: bytes) -> tuple[str, dict[str, Acknowledged]]:
    """The id of the hub, and for each epoch up to where it has stored the events.

    Raises:
        BadMessage: it is no acknowledgement.
    """
    values = _read(payload)
    acks = values.get("acks")
    if not is_text(values.get("hub"), HUB_ID) or not isinstance(acks, dict):
        raise BadMessage("hub_message_field", name="acks")
    return values["hub"], {epoch: _read_one(epoch, one) for epoch, one in acks.items()}


def _read_one(epoch: str, one: Any) -> Acknowledged:
    is_pair = isinstance(one, list) and len(one) == 2  # noqa: PLR2004 - number and link
    if not (is_text(epoch, EPOCH) and is_pair and is_integer(one[0], 0, LATEST) and is_text(one[1], CHAIN)):
        raise BadMessage("hub_message_field", name="acks")
    return Acknowledged(one[0], one[1])


def write_presence(presence: HubPresence) -> bytes:
    """That a hub is there, or not."""
    return _write(hub=presence.hub, online=presence.is_online, birth=presence.birth, events=list(presence.events))


def read_presence(payload: bytes) -> HubPresence:
    """Whether a hub is there.

    Raises:
        BadMessage: the payload does not say so.
    """
    values = _read(payload)
    events = values.get("events")
    if not is_text(values.get("hub"), HUB_ID) or not is_text(values.get("birth"), r"[0-9a-f]{0,32}"):
        raise BadMessage("hub_message_field", name="hub")
    if not isinstance(events, list) or not all(isinstance(one, str) and NAME.fullmatch(one) for one in events):
        raise BadMessage("hub_message_field", name="events")
    return HubPresence(values["hub"], values.get("online") is True, values["birth"], tuple(events))


def write_status(table: str, epoch: str, *, is_online: bool) -> bytes:
    """Whether a table is there; its will says that it is not."""
    return _write(online=is_online, table=table, epoch=epoch)


def read_status(payload: bytes) -> bool:
    """Whether a table says that it is there.

    Raises:
        BadMessage: the payload does not say so.
    """
    return _read(payload).get("online") is True


def write_object(values: Mapping[str, Any]) -> bytes:
    """A state or a command: any object of JSON."""
    return _write(**values)


def read_small_object(payload: bytes) -> dict[str, Any]:
    """The object of JSON in a state or a command.

    Raises:
        BadMessage: there is none, or it is too long.
    """
    return _read(payload)


def _write(**values: Any) -> bytes:
    return json.dumps({"v": VERSION, **values}, ensure_ascii=False).encode()


def _read(payload: bytes) -> dict[str, Any]:
    if len(payload) > LONGEST_SMALL_MESSAGE:
        raise BadMessage("hub_message_long", bytes=len(payload), most=LONGEST_SMALL_MESSAGE)
    return read_object(payload)


# --- JSON of messages between tables and hubs: read strictly, and what cannot be read is refused with a sentence ---


_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


class BadMessage(PegboardError, ValueError):
    """A message that is none: not JSON, or not of the shape that is read here."""

    code = "message"


def canonical_json(values: object) -> str:
    """Values as JSON text that is always the same for equal values.

    Raises:
        BadMessage: they hold text that is no Unicode, or are nested too deep.
    """
    try:
        text = _CANONICAL.encode(values)
        text.encode()
    except (ValueError, RecursionError) as error:
        raise BadMessage("hub_message_json") from error
    return text


def read_object(payload: bytes) -> dict[str, Any]:
    """The JSON object in a payload.

    Raises:
        BadMessage: there is none.
    """
    try:
        values = parse_json(payload)
    except (ValueError, RecursionError) as error:  # UnicodeDecodeError is a ValueError, and so is a number too long
        raise BadMessage("hub_message_json") from error
    if not isinstance(values, dict):
        raise BadMessage("hub_message_json")
    return values


def is_integer(value: Any, least: int, below: int) -> bool:
    """Whether a value is a whole number from `least` to just below `below`."""
    return type(value) is int and least <= value < below


def is_text(value: Any, pattern: str) -> bool:
    """Whether a value is text of that pattern."""
    return isinstance(value, str) and re.fullmatch(pattern, value, re.ASCII) is not None


def is_word(value: Any, longest: int) -> bool:
    """Whether a value is text that can be shown, of so many letters at most."""
    return isinstance(value, str) and len(value) <= longest and value.isprintable()


# --- MQTT topics of tables and hubs: `pegboard/v1/<event>/<table>/<channel>`, and `pegboard/v1/hub/<id>` of each hub
# ---


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


WINDOW = 32
"""Events that a table has under way at most: sent, and not acknowledged."""


LONGEST_MESSAGE = 262_144
"""Bytes of a message; 32 events with the longest notes have a quarter of that."""


EPOCH = r"[A-Za-z0-9_-]{1,64}"
"""What the id of a journal is made of."""


GAME_ID = r"[A-Za-z0-9_-]{1,64}"
"""The id of a game, as the board's commands have it."""


CHAIN = r"[0-9a-f]{0,64}"
"""A link of the hash chain; empty before the first event."""


OLDEST_BODY = 2
"""The version of a body whose line does not say it."""


LATEST = 2**63
"""Numbers and times are less than this."""


LONGEST_KIND, LONGEST_SOURCE = 40, 32


@dataclass(frozen=True, slots=True)
class SheetEvent:
    """One event of a table's journal as a hub receives it.

    Attributes:
        seq: its number in the journal.
        game: the id of its game; place: its number within the game, from 1.
        at: nanoseconds since 1970 by the table's clock, which may be wrong by any time.
        source: what it was entered with.
        kind: which event it is; body: its values as canonical JSON; version: the version of the body.
    """

    seq: int
    game: str
    place: int
    at: int
    source: str
    kind: str
    version: int
    body: str

    @property
    def digest(self) -> str:
        """A hash of all that it says: two events of one number are the same only if these are."""
        values = [self.seq, self.game, self.place, self.at, self.source, self.kind, self.version, self.body]
        return sha256(canonical_json(values).encode()).hexdigest()[:32]


@dataclass(frozen=True, slots=True)
class EventMessage:
    """Events of one epoch of a table's journal.

    Attributes:
        table: the name of the table.
        epoch: the id of the journal that they were stored in.
        after: the number of the event that was sent before them; 0 for the first of an epoch.
        before: that event's link in the hash chain; "" before the first.
        chain: the link of the last of them.
        events: 1 to `WINDOW` events, their numbers rising.
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
    """A message of events, each given as its line of an export; `after` is the number and link of the one before."""
    head = {"v": VERSION, "table": table, "epoch": epoch, "after": after[0], "before": after[1], "chain": chain}
    return f'{json.dumps(head)[:-1]}, "events": [{", ".join(lines)}]}}'.encode()


def read_events(payload: bytes) -> EventMessage:
    """The message in `payload`.

    Raises:
        BadMessage: it is none.
    """
    if len(payload) > LONGEST_MESSAGE:
        raise BadMessage("hub_message_long", bytes=len(payload), most=LONGEST_MESSAGE)
    values = read_object(payload)
    _check(values, HEAD)
    lines = values["events"]
    if not isinstance(lines, list) or not 1 <= len(lines) <= WINDOW:
        raise BadMessage("hub_message_field", name="events")
    events = tuple([_read_event(line, values["epoch"]) for line in lines])
    numbers = [values["after"], *(event.seq for event in events)]
    if any(later <= earlier for earlier, later in pairwise(numbers)):
        raise BadMessage("hub_message_order")
    return EventMessage(
        values["table"], values["epoch"], values["after"], values["before"], values["chain"], tuple(events)
    )


def _read_event(line: Any, epoch: str) -> SheetEvent:
    if not isinstance(line, dict):
        raise BadMessage("hub_message_field", name="events")
    _check(line, FIELDS)
    if line["epoch"] != epoch:
        raise BadMessage("hub_message_field", name="epoch")
    version = line.get("v", OLDEST_BODY)
    if not is_integer(version, 1, LATEST):
        raise BadMessage("hub_message_field", name="v")
    return SheetEvent(
        line["id"],
        line["game"],
        line["seq"],
        line["at"],
        line["source"],
        line["kind"],
        version,
        canonical_json(line["body"]),
    )


def _check(values: Mapping[str, Any], fields: Mapping[str, Callable[[Any], bool]]) -> None:
    """Refuse values of which one is missing or not of its kind.

    Raises:
        BadMessage: there is one.
    """
    for name, is_valid in fields.items():
        if not is_valid(values.get(name)):
            raise BadMessage("hub_message_field", name=name)


HEAD: Mapping[str, Callable[[Any], bool]] = {
    "v": lambda value: value == VERSION and is_integer(value, 1, LATEST),
    "table": lambda value: is_text(value, r"[a-z0-9_-]{1,32}"),
    "epoch": lambda value: is_text(value, EPOCH),
    "after": lambda value: is_integer(value, 0, LATEST),
    "before": lambda value: is_text(value, CHAIN),
    "chain": lambda value: is_text(value, CHAIN),
    "events": lambda value: isinstance(value, list),
}


FIELDS: Mapping[str, Callable[[Any], bool]] = {
    "id": lambda value: is_integer(value, 1, LATEST),
    "epoch": lambda value: is_text(value, EPOCH),
    "game": lambda value: is_text(value, GAME_ID),
    "seq": lambda value: is_integer(value, 1, LATEST),
    "at": lambda value: is_integer(value, -LATEST, LATEST),
    "source": lambda value: is_word(value, LONGEST_SOURCE),
    "kind": lambda value: is_word(value, LONGEST_KIND),
    "body": lambda value: isinstance(value, dict),
}
"""Each field of an event: whether a value is one. A kind that only a newer table knows is stored all the same."""
