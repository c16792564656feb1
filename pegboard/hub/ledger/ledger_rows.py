"""Rows of the ledger as values: a table's event, a watermark, an alarm, a quarantined message."""

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
        event: the event id it was sent to; table: the table that sent it.
        epoch: the id of the table's journal; seq: its number there.
        game: the id of its game; place: its number within the game, from 1.
        at: nanoseconds since 1970 by the table's clock, which may be wrong; received: by the hub's.
        kind: the kind of event; body: its values as canonical JSON; version: the version of the body.
        source: what it was entered with.
        digest: a hash of everything the table sent of it.
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
    """How far the events of an epoch are stored: the last number and its chain link, and the number of the epoch."""

    number: int
    seq: int
    chain: str


class Refused(StrEnum):
    """Why something from a table was refused, or needs attention."""

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
        kind: why; said: the same in English.
        at: when it first came, ns since 1970; times: how often it came.
        body: its bytes, truncated if very long.
    """

    table: str
    kind: Refused
    said: str
    at: int
    times: int
    body: bytes


@dataclass(frozen=True, slots=True)
class LedgerAlarm:
    """Something the director must know.

    Attributes:
        number: of the alarm, from 1.
        event: the event; table: the table it is about.
        kind: what it is; message: the same in words.
        at: nanoseconds since 1970.
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
    """Something from a table that is refused, or that the director must know.

    Attributes:
        event: the event; table: the table on whose topic it came.
        kind: why; message: the same in words.
        body: its bytes.
        cause: what identifies repeats; "" if the body does.
    """

    event: str
    table: str
    kind: Refused
    message: Message
    body: bytes
    cause: str = ""

    @property
    def digest(self) -> str:
        """The same for two refusals with the same cause."""
        return sha256(self.cause.encode() or self.body).hexdigest()[:32]
