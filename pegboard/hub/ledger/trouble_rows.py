"""Quarantine and alarms of the ledger: stores, reads and dismisses them; each cause once, however often it occurs."""

import json

from sqlalchemy import Connection, Table, func, insert, select, update

from pegboard.hub.ledger.ledger_rows import LedgerAlarm, Quarantined, Refusal, Refused
from pegboard.hub.ledger.ledger_tables import ALARM, QUARANTINE
from pegboard.messages import Message

MAX_BODY_BYTES = 65_536
"""Maximum stored bytes of a refused message."""

MAX_PER_TABLE = 200
"""Maximum stored refusals per table of an event; further ones are not even counted, and would only fill the disk."""


def store_refusal(connection: Connection, refusal: Refusal, at: int) -> None:
    """Quarantine a refused message, sheet or result, and raise an alarm; a repeat is only counted.

    Raises:
        SQLAlchemyError: the refusal could not be stored.
    """
    key = {"event": refusal.event, "table": refusal.table, "kind": refusal.kind, "digest": refusal.digest}
    there = QUARANTINE.c
    found = connection.execute(
        update(QUARANTINE).where(*(there[name] == value for name, value in key.items())).values(times=there.times + 1)
    )
    if found.rowcount or _count(connection, QUARANTINE, refusal) >= MAX_PER_TABLE:
        return
    values = key | {"at": at, "message": _write_message(refusal.message)}
    connection.execute(insert(QUARANTINE).values(values | {"times": 1, "body": refusal.body[:MAX_BODY_BYTES]}))
    connection.execute(insert(ALARM).values(values))


def _count(connection: Connection, table: Table, refusal: Refusal) -> int:
    own = (table.c["event"] == refusal.event, table.c["table"] == refusal.table)
    return int(connection.execute(select(func.count()).select_from(table).where(*own)).scalar_one())


def read_quarantine(connection: Connection, event: str) -> list[Quarantined]:
    """The refused messages of an event, oldest first."""
    own = QUARANTINE.c
    found = connection.execute(
        select(own["table"], own.kind, own.message, own["at"], own.times, own.body)
        .where(own.event == event)
        .order_by(own.number)
    )
    return [
        Quarantined(table, Refused(kind), str(_read_message(message)), at, times, bytes(body))
        for table, kind, message, at, times, body in found
    ]


def read_alarms(connection: Connection, event: str) -> list[LedgerAlarm]:
    """The alarms of an event, oldest first."""
    query = select(ALARM).where(ALARM.c.event == event).order_by(ALARM.c.number)
    return [
        LedgerAlarm(
            row["number"],
            row["event"],
            row["table"],
            Refused(row["kind"]),
            _read_message(row["message"]),
            row["at"],
            row["dismissed_by"],
        )
        for row in connection.execute(query).mappings()
    ]


def dismiss(connection: Connection, event: str, number: int, by: str, at: int) -> bool:
    """Record who dismissed an alarm of an event; returns whether it has an undismissed alarm with that number."""
    mine = (ALARM.c.event == event, ALARM.c.number == number, ALARM.c.dismissed.is_(None))
    return connection.execute(update(ALARM).where(*mine).values(dismissed=at, dismissed_by=by)).rowcount > 0


def _write_message(message: Message) -> str:
    return json.dumps(message.as_json() | {"text": str(message)}, ensure_ascii=False)


def _read_message(text: str) -> Message:
    return Message.from_json(json.loads(text))
