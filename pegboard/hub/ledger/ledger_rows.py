"""Rows of the ledger as values: a table's event, a watermark, an alarm, what was quarantined."""

from dataclasses import dataclass
from enum import StrEnum

from pegboard.messages import Message


@dataclass(frozen=True, slots=True)
class NightEvent:
    """An event that is open: its name, what it is called, and when it was opened (ns since 1970)."""

    name: str
    label: str
    opened_at: int


@dataclass(frozen=True, slots=True)
class TableEvent:
    """An event of a table's journal as the hub has stored it.

    Attributes:
        event: the event (the night) that it was sent to; table: the table that sent it.
        epoch: the id of the table's journal; seq: its number there.
        game: the id of its game; place: its number within the game, from 1.
        at: nanoseconds since 1970 by the table's clock, which may be wrong; received: by the hub's.
        kind: which event it is; body: its values as canonical JSON; version: the version of the body.
        source: what it was entered with.
        digest: a hash of all that the table sent of it.
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
    """Up to where the events of an epoch are stored: the number of the last one, its link, and which epoch it is."""

    number: int
    seq: int
    chain: str


class Refused(StrEnum):
    """Why something of a table was refused, or is to be looked at."""

    OTHER_BODY = "other_body"
    OTHER_TABLE = "other_table"
    POISON = "poison"
    IMPOSSIBLE_SHEET = "impossible_sheet"
    SECOND_EPOCH = "second_epoch"
    NOT_COUNTED = "not_counted"


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A message that was refused.

    Attributes:
        table: the table whose topic it came by.
        kind: why; said: the same in English.
        at: when it came first, ns since 1970; times: how often it came.
        body: its bytes, cut off where they are very long.
    """

    table: str
    kind: Refused
    said: str
    at: int
    times: int
    body: bytes


@dataclass(frozen=True, slots=True)
class LedgerAlarm:
    """What a director is to know of.

    Attributes:
        number: counts them, from 1.
        event: the event; table: the table that it is about.
        kind: what it is; message: the same in words.
        at: nanoseconds since 1970.
        dismissed_by: who has dismissed it; None where nobody has.
    """

    number: int
    event: str
    table: str
    kind: Refused
    message: Message
    at: int
    dismissed_by: str | None
