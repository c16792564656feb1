"""Rows of the journal's event table: columns, `EventRow`, export lines, replay, hash chain, epochs of the journal."""

import hashlib
import json
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import starmap
from typing import Any, NamedTuple, TypeAlias

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.moves import Event
from pegboard.core.names import RENEWED, original_journal
from pegboard.core.referee import apply_all
from pegboard.errors import PegboardError
from pegboard.storage.name_corrections import CORRECTIONS_OF_GAME

COLUMNS = "id, game, seq, at, kind, body, source, command_id, request, epoch, v"
"""Columns of the event table, in the order of the fields of `EventRow`."""

TABLE_COLUMNS = "id, epoch, game, seq, at, kind, body, source, command_id, request, v, chain"
"""Columns of the event table in hash-chain order; the last is the chain itself."""

Row: TypeAlias = tuple[Any, ...]
"""A row of the event table with `TABLE_COLUMNS`, or `COLUMNS` where noted."""

NUMBER, EPOCH, GAME, SEQ, KIND, VERSION, CHAIN = (
    TABLE_COLUMNS.split(", ").index(name) for name in ("id", "epoch", "game", "seq", "kind", "v", "chain")
)
"""Indexes of columns in a row."""

INSERT_EVENT = f"INSERT INTO event ({TABLE_COLUMNS}) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"  # noqa: S608 - no user input
"""Inserts a row with `TABLE_COLUMNS`."""

EVENTS_OF_GAME = f"WHERE game = ?1 OR id IN ({CORRECTIONS_OF_GAME})"
"""Selects the events of a game and later name corrections in its match."""

UNREPLAYABLE = (PegboardError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""Exceptions raised by replaying a row that no version of pegboard could have written."""

IMPORTED = "away"
"""First word of the epoch of an imported event; the second word is the epoch of the event's original journal."""

MADE_HERE = f"substr(epoch, 1, {len(IMPORTED)}) != '{IMPORTED}'"
"""SQL condition: the event was not imported."""


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event as the journal stores it.

    Attributes:
        id: the event's number in the journal, from 1.
        game: the id of the event's game.
        seq: the event's number within the game, from 1.
        at: wall time in nanoseconds since 1970.
        kind: the kind of event; body: the event's values as JSON text (`wire.read_event`).
        source: the input device or page it came from.
        command_id: the id of the command that caused the event, if the input sent one.
        request: that command as canonical JSON without defaults, if it has an id.
        epoch: the id of the event's original journal, after `IMPORTED` if that was another journal.
        version: the version of the body (`wire.version`).
    """

    id: int
    game: str
    seq: int
    at: int
    kind: str
    body: str
    source: str
    command_id: str | None
    request: str | None
    epoch: str = ""
    version: int = wire.USUAL

    @property
    def is_imported(self) -> bool:
        """Whether the event comes from another journal."""
        return self.epoch.split(" ")[0] == IMPORTED

    @property
    def original_epoch(self) -> str:
        """The id of the event's original journal, this one or another."""
        return self.epoch.removeprefix(IMPORTED).strip() if self.is_imported else self.epoch

    @property
    def export_line(self) -> str:
        """The event's export line, as JSON; the body is copied unchanged, and the oldest version is omitted."""
        epoch, game, source, kind = map(_encode_text, (self.original_epoch, self.game, self.source, self.kind))
        version = f' "v": {self.version},' if self.version > wire.GUESSING else ""
        return (
            f'{{"id": {self.id}, "epoch": {epoch}, "game": {game}, "seq": {self.seq}, "at": {self.at},'
            f' "source": {source}, "kind": {kind},{version} "body": {self.body}}}'
        )

    @property
    def event(self) -> Event:
        """The parsed event."""
        return read_event(self.kind, self.body, self.version)

    @property
    def origin(self) -> Origin:
        """The event's origin, for the score sheet."""
        return Origin(self.id, self.source, self.at)


def read_event(kind: str, body: str, version: int) -> Event:
    """Parse the event of a row with these columns."""
    return wire.read_event(kind, json.loads(body), version)


def select_rows(db: sqlite3.Connection, where: str = "", *values: object) -> Iterator[EventRow]:
    """The events that a WHERE clause selects, or all of them, in order."""
    yield from starmap(EventRow, select_columns(db, where, *values))


def select_columns(db: sqlite3.Connection, where: str = "", *values: object) -> Iterator[Row]:
    """The selected events as plain tuples (`COLUMNS`), which pickle much faster than rows."""
    yield from db.execute(f"SELECT {COLUMNS} FROM event {where} ORDER BY id", values)  # noqa: S608 - no user input


def replay_rows(rows: Iterable[EventRow]) -> Game:
    """Replay the events of one game."""
    return replay_on(Game(), rows)


def replay_on(game: Game, rows: Iterable[EventRow]) -> Game:
    """Replay further events on a game."""
    return apply_all(game, ((row.event, row.origin) for row in rows))


_encode_text = json.encoder.encode_basestring


def chain_hash(previous: str, columns: Iterable[Any]) -> str:
    """The link of a row in the hash chain: it covers the row and, through the previous link, every earlier row.

    The hash is over a canonical JSON list. Columns are text, integers or None; this code encodes them fast.
    """
    items = [_encode_text(each) if type(each) is str else "null" if each is None else str(each) for each in columns]
    return hashlib.sha256(f'["{previous}",{",".join(items)}]'.encode()).hexdigest()[:32]


def renumber(rows: Iterable[Row], number: int, chain: str) -> Iterator[Row]:
    """Renumber events to follow event `number` of a journal, whose link is `chain`; rows that already follow are kept.

    The numbers of `rows` must be ascending and greater than `number`, and each link must fit the number before it.
    """
    for place, row in enumerate(rows, number + 1):
        columns = (place, *row[NUMBER + 1 : CHAIN])
        chain = row[CHAIN] if place == row[NUMBER] else chain_hash(chain, columns)
        yield (*columns, chain)


# --- hash chain: the end, the links, and broken rows (changed values, missing rows) ---


_ROWS_WITH_LINKS = (
    f"SELECT {', '.join(f'e.{name}' for name in TABLE_COLUMNS.split(', '))}, p.chain FROM event e"  # noqa: S608 - no user input
    " LEFT JOIN event p ON p.id = e.id - 1 {where} ORDER BY e.id"
)


class BrokenRow(NamedTuple):
    """A row whose link in the hash chain does not fit.

    Attributes:
        number: the row's number in the journal.
        game: the game id in the row, which may be damaged.
    """

    number: int
    game: str


def broken_rows(
    db: sqlite3.Connection, game: str | None = None, *, between: tuple[int, int] | None = None
) -> Iterator[BrokenRow]:
    """The rows whose link does not fit, of one game or of the whole journal, in order.

    A link does not fit if its row or the link before it was changed, or if the row before it is missing.
    `between` limits the check to numbers from the first to the last.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    conditions, values = ["1"], list[object]()
    if game is not None:
        conditions, values = [*conditions, "e.game = ?"], [*values, game]
    if between is not None:
        conditions, values = [*conditions, "e.id BETWEEN ? AND ?"], [*values, *between]
    where = f"WHERE {' AND '.join(conditions)}"
    for *row, previous in db.execute(_ROWS_WITH_LINKS.format(where=where), values):
        is_missing_one = previous is None and row[NUMBER] != 1
        if is_missing_one or chain_hash(previous or "", row[:CHAIN]) != row[CHAIN]:
            yield BrokenRow(row[NUMBER], row[GAME])


def find_end(db: sqlite3.Connection) -> tuple[int, str]:
    """Number and link of the newest event; 0 and "" for an empty journal.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    return db.execute("SELECT id, chain FROM event ORDER BY id DESC LIMIT 1").fetchone() or (0, "")


def find_link(db: sqlite3.Connection, number: int) -> str | None:
    """The link of event `number`, "" for number 0; None if there is no such event.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    found = db.execute("SELECT chain FROM event WHERE id = ?", (number,)).fetchone() if number else ("",)
    return None if found is None else found[0]


# --- new epochs: a journal that has lost events gets a new id, so that open pages discard what they show ---
#
# Events keep the epoch under which they were stored. All epochs of a table's journal have the same first part, by which
# an import reunites the games of a match.


def another_epoch(epoch: str) -> str:
    """Another epoch of the same journal."""
    return f"{original_journal(epoch)}{RENEWED}{secrets.token_hex(4)}"


def find_newest_epoch(db: sqlite3.Connection) -> str | None:
    """The epoch of this table's newest event; None if it has no events of its own.

    Raises:
        sqlite3.Error: the journal cannot be read.
    """
    query = f"SELECT epoch FROM event WHERE {MADE_HERE} ORDER BY id DESC LIMIT 1"  # noqa: S608 - no user input
    found = db.execute(query).fetchone()
    return None if found is None else str(found[0])


def renew(db: sqlite3.Connection, epoch: str) -> str:
    """Give the journal a new epoch, and return it.

    Raises:
        sqlite3.Error: the journal cannot be written.
    """
    new = another_epoch(epoch)
    db.execute("UPDATE about SET epoch = ?", (new,))
    return new
