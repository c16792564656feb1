"""Event store: judges table messages, and stores new events once, with watermarks, in batched transactions."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from operator import attrgetter
from typing import Any, TypeAlias

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Engine,
    Integer,
    Select,
    bindparam,
    column,
    func,
    literal,
    select,
    update,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql.selectable import Subquery

from pegboard.core.names import original_journal
from pegboard.hub.ledger.database import POSTGRESQL, error_of, reading, writing
from pegboard.hub.ledger.hub_errors import HubNotNow, LedgerNotStored
from pegboard.hub.ledger.ledger_rows import Refusal, Refused, TableEvent, Watermark
from pegboard.hub.ledger.ledger_tables import TABLE_EVENT, WATERMARK
from pegboard.hub.ledger.trouble_rows import store_refusal
from pegboard.messages import Message
from pegboard.mqtt.messages_of_hub import Acknowledged, BadMessage, EventMessage, SheetEvent, read_events

# --- how a table's message compares with the ledger: new events, a repeat, a gap, or something to refuse ---
#
# Pure: watermarks and the digests of stored events come as arguments.


@dataclass(frozen=True, slots=True)
class Arrival:
    """A message received on a table's topic.

    Attributes:
        event: the event in the topic.
        table: the table in the topic.
        payload: the bytes of the message.
        message: the parsed payload; None if it cannot be read, for the reason in `fault`.
    """

    event: str
    table: str
    payload: bytes
    message: EventMessage | None
    fault: Message | None = None

    @property
    def size(self) -> int:
        """The number of events in the message; 1 if it cannot be read."""
        return 1 if self.message is None else len(self.message.events)


def read_arrival(event: str, table: str, payload: bytes) -> Arrival:
    """Parse a payload; an unreadable payload becomes an `Arrival` with a `fault`."""
    try:
        return Arrival(event, table, payload, read_events(payload))
    except BadMessage as error:
        return Arrival(event, table, payload, None, error.message)


class MessageOutcome(Enum):
    """The outcome of a message: new events stored, all of them known already, events missing before it, or refused."""

    STORED = "stored"
    REPEATED = "repeated"
    GAP = "gap"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The decision on a message.

    Attributes:
        outcome: the outcome of the message.
        new: the events to store.
        mark: the new watermark of the epoch; None if unchanged.
        refusal: the refusal to quarantine, with an alarm; None if the event was not refused.
    """

    outcome: MessageOutcome
    new: Sequence[SheetEvent] = ()
    mark: Watermark | None = None
    refusal: Refusal | None = None


def judge(
    arrival: Arrival, marks: Mapping[str, Watermark], digests: Callable[[Sequence[int]], Mapping[int, str]]
) -> Verdict:
    """Decide what to do with a message.

    Args:
        arrival: the message.
        marks: the watermarks of the message's table, by epoch.
        digests: returns the digests of stored events of the message's epoch, by event number.
    """
    message = arrival.message
    if message is None:
        assert arrival.fault is not None
        return _refuse(arrival, Refused.POISON, Message("hub_poison", table=arrival.table, fault=arrival.fault))
    if message.table != arrival.table:
        why = Message("hub_other_table", table=arrival.table, other=message.table)
        return _refuse(arrival, Refused.OTHER_TABLE, why)
    mark = marks.get(message.epoch, Watermark(len(marks) + 1, 0, ""))
    if message.after > mark.seq:
        return Verdict(MessageOutcome.GAP)
    stored = [event for event in message.events if event.seq <= mark.seq]
    if _is_other_history(message, mark, stored, digests):
        return _refuse(arrival, Refused.OTHER_BODY, Message("hub_other_body", table=arrival.table))
    new = message.events[len(stored) :]
    if not new:
        return Verdict(MessageOutcome.REPEATED)
    after = Watermark(mark.number, message.last, message.chain)
    return Verdict(MessageOutcome.STORED, new, after, _second_epoch(arrival, message.epoch, marks))


def _is_other_history(
    message: EventMessage,
    mark: Watermark,
    stored: Sequence[SheetEvent],
    digests: Callable[[Sequence[int]], Mapping[int, str]],
) -> bool:
    """Whether the table now reports a different history than before."""
    if message.after == mark.seq:
        return message.before != mark.chain
    if message.last > mark.seq and (not stored or stored[-1].seq != mark.seq):
        return True  # the message leaves out an event that the table sent before
    known = digests([event.seq for event in stored])
    return any(known.get(event.seq) != event.digest for event in stored)


def _refuse(arrival: Arrival, kind: Refused, why: Message) -> Verdict:
    refusal = Refusal(arrival.event, arrival.table, kind, why, arrival.payload)
    return Verdict(MessageOutcome.REFUSED, refusal=refusal)


def _second_epoch(arrival: Arrival, epoch: str, marks: Mapping[str, Watermark]) -> Refusal | None:
    """An alarm if a known table starts another journal, for example on another SD card; else None."""
    journals = {original_journal(other) for other in marks}
    if not journals or original_journal(epoch) in journals:
        return None
    why = Message("hub_second_epoch", table=arrival.table)
    return Refusal(arrival.event, arrival.table, Refused.SECOND_EPOCH, why, arrival.payload, cause=epoch)


# --- SQL statements that store table events: in SQLite one per row, in PostgreSQL one for all rows ---
#
# With 250 tables sending their backlog, this halves the time per event in PostgreSQL.


Row: TypeAlias = Mapping[str, Any]

BEFORE = "before"
"""Key in the row of a watermark to be moved: the event number from which it moves."""


def write_rows(connection: Connection, begun: Sequence[Row], moved: Sequence[Row], events: Sequence[Row]) -> int:
    """Write watermarks and events; returns how many rows were written.

    A row whose key exists is left unchanged, as is a watermark that is no longer at `BEFORE`. This is optimistic
    concurrency: fewer rows written than given means that another hub on the same database moved a watermark first.

    Args:
        connection: the connection of the current transaction, which must preserve row counts (`writing`).
        begun: watermarks of new epochs, as rows of `WATERMARK`.
        moved: watermarks of existing epochs, each with `BEFORE`.
        events: rows of `TABLE_EVENT`.
    """
    if connection.dialect.name == POSTGRESQL:
        given = {"begun": begun, "moved": moved, "events": events}
        lengths = {f"{name}_length": len(rows) for name, rows in given.items()}
        return sum(map(int, connection.execute(_WRITE, given | lengths).one()))
    pairs = ((_BEGIN, begun), (_MOVE, [_values_of_move(row) for row in moved]), (_STORE, events))
    return sum(connection.execute(statement, list(rows)).rowcount for statement, rows in pairs if rows)


_KEY = ("event", "table", "epoch")

_MOVING = ("seq", "chain")


# --- SQLite ---

_BEGIN = sqlite.insert(WATERMARK).on_conflict_do_nothing()

_STORE = sqlite.insert(TABLE_EVENT).on_conflict_do_nothing()

_MOVE = (
    update(WATERMARK)
    .where(*[WATERMARK.c[name] == bindparam(f"own_{name}") for name in _KEY])
    .where(WATERMARK.c["seq"] == bindparam(f"own_{BEFORE}"))
    .values({name: bindparam(f"own_{name}") for name in _MOVING})
)


def _values_of_move(row: Row) -> Row:
    """The parameters of `_MOVE`; parameters named like columns would become values to set."""
    return {f"own_{name}": row[name] for name in (*_KEY, *_MOVING, BEFORE)}


# --- PostgreSQL: a single query costs as much time as many rows, so one statement writes everything ---


def _rows(name: str, *columns: Column[Any]) -> Subquery:
    """Rows passed as the parameter `name`, a JSON array of objects.

    The LIMIT tells PostgreSQL the row count; otherwise it assumes a hundred, and scans all watermarks to find one.
    """
    named = [column(each.name, each.type) for each in columns]
    given = func.json_to_recordset(bindparam(name, type_=postgresql.JSON)).table_valued(*named)
    all_of_it = select(given.render_derived(with_types=True))
    return all_of_it.limit(bindparam(f"{name}_length", type_=Integer)).subquery(name)


_BEGUN = _rows("begun", *WATERMARK.c)

_MOVED = _rows("moved", *WATERMARK.c, Column(BEFORE, BigInteger))

_EVENTS = _rows("events", *TABLE_EVENT.c)


def _write_and_count() -> Select[Any]:
    """The statement that writes all rows, and returns how many watermarks were added and moved, and events stored."""
    one = literal(1).label("one")
    begun = postgresql.insert(WATERMARK).from_select(WATERMARK.c.keys(), select(_BEGUN))
    stored = postgresql.insert(TABLE_EVENT).from_select(TABLE_EVENT.c.keys(), select(_EVENTS))
    moved = (
        update(WATERMARK)
        .where(*[WATERMARK.c[name] == _MOVED.c[name] for name in _KEY], WATERMARK.c["seq"] == _MOVED.c[BEFORE])
        .values({name: _MOVED.c[name] for name in _MOVING})
    )
    writes = (
        begun.on_conflict_do_nothing().returning(one).cte("have_begun"),
        moved.returning(one).cte("have_moved"),
        stored.on_conflict_do_nothing().returning(one).cte("are_stored"),
    )
    return select(*[select(func.count()).select_from(each).scalar_subquery() for each in writes])


_WRITE = _write_and_count()

MOST_AT_ONCE = 500
"""Events after which a transaction takes no further message, so that a backlog does not delay other tables for long."""

TRIES = 3
"""Attempts at a transaction while another hub writes to the same database."""

Place: TypeAlias = tuple[str, str]
"""An event and a table."""

Marks: TypeAlias = dict[Place, dict[str, Watermark]]
"""Watermarks by event and table, then by epoch in the order the epochs began."""


@dataclass(frozen=True, slots=True)
class StoreReport:
    """The outcome of some messages.

    Attributes:
        outcomes: the outcome of each message.
        rows: stored events by event and table, in order; empty if something was only refused.
        alarms: the events and tables for which something was quarantined, with an alarm.
    """

    outcomes: tuple[MessageOutcome, ...]
    rows: Mapping[Place, tuple[TableEvent, ...]]
    alarms: frozenset[Place] = frozenset()


class _MovedMeanwhileError(Exception):
    """Another hub on the same database has moved a watermark meanwhile."""


class EventStore:
    """The ledger's table events; only one thread stores; others may read the acknowledgments."""

    def __init__(self, engine: Engine, clock: Callable[[], int]) -> None:
        """`clock` returns nanoseconds since 1970."""
        self._engine, self._clock = engine, clock
        self._marks: Marks | None = None

    def acknowledgement_of(self, event: str, table: str) -> dict[str, Acknowledged]:
        """The last stored event of a table per epoch, in the order the epochs began.

        Raises:
            LedgerNotStored: the database does not answer.
        """
        marks = self._known_marks().get((event, table), {})
        return {epoch: Acknowledged(mark.seq, mark.chain) for epoch, mark in marks.items()}

    def tables_of(self, event: str) -> list[str]:
        """The tables of an event with stored events.

        Raises:
            LedgerNotStored: the database does not answer.
        """
        return [table for of_event, table in list(self._known_marks()) if of_event == event]

    def store(self, arrivals: Sequence[Arrival]) -> StoreReport:
        """Store what is new in these messages, in order; on disk when this returns.

        A message that cannot be stored, for whatever reason, is quarantined, and the others are stored.

        Raises:
            LedgerNotStored: the database cannot store now; nothing was stored.
        """
        try:
            return self._try(arrivals)
        except LedgerNotStored:
            self._marks = None
            raise
        except SQLAlchemyError as error:
            self._marks = None
            if len(arrivals) > 1:
                return _join(self.store([one]) for one in arrivals)
            return self._quarantine(arrivals[0], error)

    def _try(self, arrivals: Sequence[Arrival]) -> StoreReport:
        for _ in range(TRIES):
            try:
                return self._store(arrivals)
            except _MovedMeanwhileError:
                self._marks = None
        raise LedgerNotStored("hub_not_stored", fault=Message("hub_two_hubs"))

    def _store(self, arrivals: Sequence[Arrival]) -> StoreReport:
        known = self._known_marks()
        with writing(self._engine) as connection:
            work = _Transaction(connection, known, self._clock())
            outcomes = tuple([work.add(arrival) for arrival in arrivals])
            work.write()
        for place, marks in work.marks.items():
            known[place] = marks
        rows = {place: tuple(rows) for place, rows in work.rows.items()}
        return StoreReport(outcomes, rows, frozenset((one.event, one.table) for one in work.refusals))

    def _quarantine(self, arrival: Arrival, error: SQLAlchemyError) -> StoreReport:
        fault = Message("verbatim", text=error_of(error))
        why = Message("hub_poison", table=arrival.table, fault=fault)
        refusal = Refusal(arrival.event, arrival.table, Refused.POISON, why, arrival.payload)
        try:
            with writing(self._engine) as connection:
                store_refusal(connection, refusal, self._clock())
        except SQLAlchemyError as other:  # the database is at fault, not the message
            raise _storing_error(other) from other
        place = (arrival.event, arrival.table)
        return StoreReport((MessageOutcome.REFUSED,), {place: ()}, frozenset({place}))

    def _known_marks(self) -> Marks:
        marks = self._marks  # another thread may reset it meanwhile
        if marks is None:
            marks = self._marks = _read_marks(self._engine)
        return marks


def _join(reports: Iterable[StoreReport]) -> StoreReport:
    outcomes: list[MessageOutcome] = []
    rows: dict[Place, tuple[TableEvent, ...]] = {}
    alarms: set[Place] = set()
    for one in reports:
        outcomes += one.outcomes
        alarms |= one.alarms
        for place, more in one.rows.items():
            rows[place] = rows.get(place, ()) + more
    return StoreReport(tuple(outcomes), rows, frozenset(alarms))


def _read_marks(engine: Engine) -> Marks:
    marks: Marks = {}
    try:
        with reading(engine) as connection:
            order = (WATERMARK.c["event"], WATERMARK.c["table"], WATERMARK.c["number"])
            for event, table, epoch, number, seq, chain in connection.execute(select(WATERMARK).order_by(*order)):
                marks.setdefault((event, table), {})[epoch] = Watermark(number, seq, chain)
    except HubNotNow as error:
        raise LedgerNotStored("hub_not_stored", fault=error.message) from error
    except SQLAlchemyError as error:
        raise _storing_error(error) from error
    return marks


def _storing_error(error: SQLAlchemyError) -> LedgerNotStored:
    return LedgerNotStored("hub_not_stored", fault=Message("verbatim", text=error_of(error)))


@dataclass
class _Transaction:
    """One transaction for several messages: collects their rows, then writes them.

    Attributes:
        connection: the connection of the current transaction.
        known: the watermarks before the transaction.
        at: the time of storing, in nanoseconds since 1970.
        marks: changed watermarks by event and table.
        rows: events to store by event and table; empty if something was only refused.
        refusals: the refusals to quarantine.
    """

    connection: Connection
    known: Marks
    at: int
    marks: Marks = field(default_factory=dict)
    rows: dict[Place, list[TableEvent]] = field(default_factory=dict)
    refusals: list[Refusal] = field(default_factory=list)
    _digests: dict[tuple[Place, str, int], str] = field(default_factory=dict)

    def add(self, arrival: Arrival) -> MessageOutcome:
        """Judge a message, and collect the rows to write."""
        place = (arrival.event, arrival.table)
        marks = self.marks.get(place) or self.known.get(place, {})
        epoch = "" if arrival.message is None else arrival.message.epoch
        verdict = judge(arrival, marks, lambda numbers: self._stored_digests(place, epoch, numbers))
        if verdict.refusal is not None:
            self.refusals.append(verdict.refusal)
            self.rows.setdefault(place, [])
        if verdict.mark is not None:
            self.marks[place] = marks | {epoch: verdict.mark}
            self._gather(place, epoch, verdict)
        return verdict.outcome

    def _gather(self, place: Place, epoch: str, verdict: Verdict) -> None:
        for event in verdict.new:
            row = _row(place, epoch, event, self.at)
            self.rows.setdefault(place, []).append(row)
            self._digests[place, epoch, event.seq] = row.digest

    def _stored_digests(self, place: Place, epoch: str, numbers: Sequence[int]) -> dict[int, str]:
        """The digests of events that are stored, or will be by this transaction."""
        own = {n: digest for n in numbers if (digest := self._digests.get((place, epoch, n))) is not None}
        if len(own) == len(numbers):
            return own
        there = TABLE_EVENT.c
        within = there["seq"].between(numbers[0], numbers[-1])
        where = (there["event"] == place[0], there["table"] == place[1], there["epoch"] == epoch, within)
        found = self.connection.execute(select(there["seq"], there["digest"]).where(*where))
        return own | {row[0]: row[1] for row in found}

    def write(self) -> None:
        """Write the collected rows and refusals.

        Raises:
            _MovedMeanwhileError: another hub has moved a watermark.
            SQLAlchemyError: a row cannot be stored.
        """
        begun, moved = [], []
        for place, marks in self.marks.items():
            for epoch, mark in marks.items():
                before = self.known.get(place, {}).get(epoch)
                if before is None:
                    begun.append(_mark_row(place, epoch, mark))
                elif before != mark:
                    moved.append(_mark_row(place, epoch, mark) | {BEFORE: before.seq})
        events = [dict(zip(_COLUMNS, _values(row), strict=True)) for rows in self.rows.values() for row in rows]
        due = len(begun) + len(moved) + len(events)
        if due and write_rows(self.connection, begun, moved, events) != due:
            raise _MovedMeanwhileError
        for refusal in self.refusals:
            store_refusal(self.connection, refusal, self.at)


_COLUMNS = tuple(TABLE_EVENT.c.keys())

_values = attrgetter(*_COLUMNS)


def _mark_row(place: Place, epoch: str, mark: Watermark) -> dict[str, Any]:
    key = {"event": place[0], "table": place[1], "epoch": epoch}
    return {**key, "number": mark.number, "seq": mark.seq, "chain": mark.chain}


def _row(place: Place, epoch: str, event: SheetEvent, at: int) -> TableEvent:
    return TableEvent(
        event=place[0],
        table=place[1],
        epoch=epoch,
        seq=event.seq,
        game=event.game,
        place=event.place,
        at=event.at,
        received=at,
        kind=event.kind,
        body=event.body,
        source=event.source,
        version=event.version,
        digest=event.digest,
    )
