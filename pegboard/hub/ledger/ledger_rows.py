"""Rows of the ledger as dataclasses: events, tables' events, watermarks, alarms, refusals, quarantined messages."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from pegboard.messages import Message


@dataclass(frozen=True, slots=True)
class NightEvent:
    """An open event: its name, its label, and when it was opened (ns since 1970)."""

    name: str
    label: str
    opened_at: int


@dataclass(frozen=True, slots=True)
class TableEvent:
    """An event of a table's journal as stored by the hub.

    Attributes:
        event: the id of the hub's event; table: the table that sent this event.
        epoch: the id of the table's journal; seq: the number of this event in that journal.
        game: the id of the game; place: the number of this event within the game, from 1.
        at: nanoseconds since 1970 by the table's clock, which may be wrong; received: its arrival, by the hub's clock.
        kind: the kind of event; body: the values as canonical JSON; version: the version of the body.
        source: the input device or page it was entered with.
        digest: a hash of all values of the event, as the table sent them.
    """

    event: str
    table: str
    epoch: str
    seq: int
    game: str
    place: int
    at: int
    received: int
    kind: str
    body: str
    source: str
    version: int
    digest: str


@dataclass(frozen=True, slots=True)
class Watermark:
    """How far the events of an epoch are stored.

    Attributes:
        number: the number of the epoch among the table's epochs, from 1.
        seq: the number of the last stored event; chain: the hash chain link of that event.
    """

    number: int
    seq: int
    chain: str


class Refused(StrEnum):
    """Why a table's message, score sheet or result was refused or needs the director's attention."""

    OTHER_BODY = "other_body"
    OTHER_TABLE = "other_table"
    POISON = "poison"
    IMPOSSIBLE_SHEET = "impossible_sheet"
    SECOND_EPOCH = "second_epoch"
    NOT_COUNTED = "not_counted"


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A refused message.

    Attributes:
        table: the table on whose topic it came.
        kind: the reason; said: the reason as an English sentence.
        at: when the message first arrived, ns since 1970; times: how often it arrived.
        body: the bytes of the message, truncated if very long.
    """

    table: str
    kind: Refused
    said: str
    at: int
    times: int
    body: bytes


@dataclass(frozen=True, slots=True)
class LedgerAlarm:
    """A problem that the director must know about.

    Attributes:
        number: the alarm's number, from 1.
        event: the event; table: the table it is about.
        kind: the kind of problem; message: the problem in words.
        at: when it was raised, in nanoseconds since 1970.
        dismissed_by: who dismissed it; None if nobody has.
    """

    number: int
    event: str
    table: str
    kind: Refused
    message: Message
    at: int
    dismissed_by: str | None


@dataclass(frozen=True, slots=True)
class Refusal:
    """A table's message, score sheet or result that is refused, or that the director must know about.

    Attributes:
        event: the event; table: the table on whose topic it came.
        kind: the reason; message: the reason in words.
        body: the bytes to keep in the quarantine.
        cause: a text that is the same for repeats; "" if their bodies are the same.
    """

    event: str
    table: str
    kind: Refused
    message: Message
    body: bytes
    cause: str = ""

    @property
    def digest(self) -> str:
        """A hash that is the same for repeats: of the cause, or of the body if there is no cause."""
        return sha256(self.cause.encode() or self.body).hexdigest()[:32]
