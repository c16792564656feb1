"""The message with which a table sends events of its journal to a hub, and how the hub reads it.

A message holds up to `WINDOW` events of one epoch in their order, each as its line of an export. It names the event
that was sent before them and that one's link in the journal's hash chain, so that a gap is seen, and another history
under the same numbers. A message is accepted whole, or not at all.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise
from typing import Any

from pegboard.hub_protocol.message_json import BadMessage, canonical_json, is_integer, is_text, is_word, read_object

VERSION = 1

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
