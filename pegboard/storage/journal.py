"""The durable record: one SQLite row an event, on disk before anybody is answered, and never changed or removed."""

import contextlib
import fcntl
import hashlib
import json
import os
import secrets
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import starmap
from pathlib import Path
from typing import Any, Self

from pegboard.core import wire
from pegboard.core.board import Game, Mark
from pegboard.core.match import Match, Result
from pegboard.core.moves import Abandoned, Event, InPlace, Line, Renamed, Started
from pegboard.core.referee.decide import apply
from pegboard.errors import JournalError, JournalFailed, JournalInUse, NotStored
from pegboard.storage.name_corrections import INDEX, OF_A_GAME, OF_A_MATCH, update_since
from pegboard.storage.summary import (
    Summed,
    began,
    came,
    decide_all,
    given_up,
    gone,
    make_anew,
    replaced,
    stands,
    sum_up_all,
)

FILE = "journal.db"

OLDER = "journal-v{}.db"
"""The copy of a journal as it was before it was brought up to date, by its version."""

SCHEMA_VERSION = 4
"""Raised when tables change, or what their summary says of a game: it is then made anew."""

SCHEMA = """
CREATE TABLE about (epoch TEXT NOT NULL);
CREATE TABLE event (
    id         INTEGER PRIMARY KEY,
    epoch      TEXT NOT NULL,
    game       TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    at         INTEGER NOT NULL,
    kind       TEXT NOT NULL,
    body       TEXT NOT NULL,
    source     TEXT NOT NULL,
    command_id TEXT UNIQUE,
    request    TEXT,
    v          INTEGER NOT NULL,
    chain      TEXT NOT NULL,
    UNIQUE (game, seq)
);
CREATE TRIGGER event_stays BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
CREATE TRIGGER event_is_kept BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END;
"""

NEW_EVENT = "INSERT INTO event VALUES (?,?,?,?,?,?,?,?,?,?,?,?)"

AT_ONCE = 500
"""Events of an import that wait in memory to be written together."""

OF_ONE_GAME = f"WHERE game = ?1 OR id IN ({OF_A_GAME})"

AWAY = "away"
"""What the epoch of an event begins with that came from another table; after a blank follows its own epoch there."""


@dataclass(frozen=True, slots=True)
class Row:
    """One event as it is kept.

    Attributes:
        id: its number in the journal, from 1.
        game: the id of the game it belongs to.
        seq: its number within the game, from 1.
        at: wall time in nanoseconds since 1970.
        kind: which event, and body: its values as JSON text (`wire.read_event`).
        source: the door it came through.
        command_id: the id of the tap, where the door gives one.
        request: what was asked, as canonical JSON without defaults, where the door gives an id.
        epoch: the mark of the journal that it was made in.
        version: that of its body (`wire.VERSION`).
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
    version: int = wire.VERSION

    @property
    def imported(self) -> bool:
        """Whether it came from another table."""
        return self.epoch.split(" ")[0] == AWAY

    @property
    def home(self) -> str:
        """The mark of the journal that it was made in, wherever that is."""
        return self.epoch.removeprefix(AWAY).strip() if self.imported else self.epoch

    @property
    def exported(self) -> str:
        """A line of the export: JSON, whose `body` is not read to be written again; older lines told no version."""
        epoch, game, source, kind = map(_LETTERS.encode, (self.home, self.game, self.source, self.kind))
        version = f' "v": {self.version},' if self.version > wire.GUESSING else ""
        return (
            f'{{"id": {self.id}, "epoch": {epoch}, "game": {game}, "seq": {self.seq}, "at": {self.at},'
            f' "source": {source}, "kind": {kind},{version} "body": {self.body}}}'
        )

    @property
    def event(self) -> Event:
        """The event itself."""
        return wire.read_event(self.kind, json.loads(self.body), self.version)

    @property
    def mark(self) -> Mark:
        """Where it came from, for the sheet."""
        return Mark(self.id, self.source, self.at)


@dataclass(frozen=True, slots=True)
class Arrival:
    """An event of a game that was played at another table.

    Attributes:
        game: that game's id.
        seq: the event's number within it.
        at: wall time there, in nanoseconds since 1970.
        event: what happened.
        source: the door there.
        epoch: the mark of the journal there, "" where it is not told.
        sums: with the last event of a game that game summed up, else None.
        body: its values as they are kept, and kind: which event it is; written out where they are not given.
    """

    game: str
    seq: int
    at: int
    event: Event
    source: str
    epoch: str = ""
    sums: Summed | None = None
    body: str = ""
    kind: str = field(init=False)

    @property
    def parts(self) -> tuple[Any, ...]:
        """What makes the same again; it goes to another process faster so."""
        return self.game, self.seq, self.at, self.event, self.source, self.epoch, self.sums, self.body

    def __post_init__(self) -> None:
        """Written out here, so that nobody waits for it while the journal is busy."""
        object.__setattr__(self, "kind", wire.kind(self.event))
        if not self.body:
            object.__setattr__(self, "body", canonical(wire.event_values(self.event)[1]))


@dataclass(frozen=True, slots=True)
class Passed:
    """A game that brings nothing new; one that is told otherwise than it is kept here `differs`."""

    game: str
    differs: bool = False


@dataclass(frozen=True, slots=True)
class Brought:
    """What was imported.

    Attributes:
        games: how many games are new here.
        events: how many events are new.
        skipped: how many games were here already, and stayed as they were.
        continued: how many that were imported before, unfinished, have gone on.
        differing: how many of the skipped are told otherwise than they are kept.
    """

    games: int
    events: int
    skipped: int
    continued: int = 0
    differing: int = 0


class Journal:
    """The record of one table, open for writing by this process alone."""

    def __init__(self, folder: Path, busy: Callable[[], None] = lambda: None) -> None:
        """Open the journal in `folder`, making both where they are missing.

        One of an earlier version is copied beside it first, then brought up to date, which can take minutes; `busy` is
        told again and again meanwhile.

        Raises:
            JournalError: the folder cannot be used, another pegboard uses it, a newer one wrote it, or it is damaged.
        """
        self._lock = _only_one(folder)
        self.folder = folder
        try:
            self._db = _opened(folder / FILE)
            _prepare(self._db, folder / FILE, busy)
            _sync_folder(folder)
            self.epoch: str = self._db.execute("SELECT epoch FROM about").fetchone()[0]
            self.last_id, self._chain = _tail(self._db)
        except BaseException as error:
            self._lock.close()
            if isinstance(error, sqlite3.Error | OSError):
                kind = JournalFailed if isinstance(error, sqlite3.OperationalError | OSError) else JournalError
                raise kind(f"the journal {folder / FILE} cannot be used: {error}{_remedy(error)}") from error
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the record and let another process have it."""
        self._db.close()
        self._lock.close()

    def append(
        self,
        event: Event,
        *,
        game: str,
        at: int,
        source: str,
        result: Result | None,
        sheet: Game | None = None,
        command_id: str | None = None,
        request: str | None = None,
    ) -> None:
        """Keep `event` as number `last_id + 1`; when this returns, it survives a power cut.

        `result` is how the game stands won after it, None while it is not; `sheet` the game after it, or the one that
        is given up by it.

        Raises:
            NotStored: it could not be kept; the journal is as it was.
        """
        kind, body = wire.event_values(event)
        values = (game, at, kind, canonical(body), source, command_id, request)
        with _answering(), _transaction(self._db):
            chain = self._insert(values)
            _sum_up(self._db, event, game, self.last_id + 1, at, result, sheet)
        self.last_id += 1
        self._chain = chain

    def _insert(self, values: tuple[str, int, str, str, str, str | None, str | None]) -> str:
        game, *rest = values
        (seq,) = self._db.execute("SELECT coalesce(max(seq), 0) + 1 FROM event WHERE game = ?", (game,)).fetchone()
        row = (self.last_id + 1, self.epoch, game, seq, *rest, wire.VERSION)
        chain = _link(self._chain, row)
        self._db.execute(NEW_EVENT, (*row, chain))
        return chain

    def bring(self, arrivals: Iterable[Arrival | Passed]) -> Brought:
        """Keep games that were played at another table, all of them or none.

        One that is here already is skipped; one that was imported before goes on where it ended.

        Raises:
            BadImport: an arrival does not fit; the journal is as it was.
            NotStored: they could not be kept; the journal is as it was.
        """
        with _answering(), _transaction(self._db):
            coming = _Coming(self._db, self.last_id, self._chain)
            for each in arrivals:
                coming.take(each)
            coming.settle()
        brought = coming.brought(self.last_id)
        self.last_id, self._chain = coming.number, coming.chain
        return brought

    def find(self, command_id: str) -> Row | None:
        """The event that a command made, or None.

        Raises:
            NotStored: the journal does not answer, so it could not keep anything either.
        """
        with _answering():
            return next(_rows(self._db, "WHERE command_id = ?", command_id), None)

    def line_of(self, row: Row) -> int | None:
        """The line of the sheet that a row made or changed, or None.

        Raises:
            NotStored: the journal does not answer.
        """
        event = row.event
        if isinstance(event, InPlace):
            return event.line
        if not isinstance(event, Line):
            return None
        kinds = ", ".join(f"'{kind}'" for kind in wire.LINES)
        query = f"SELECT count(*) FROM event WHERE game = ? AND seq <= ? AND kind IN ({kinds})"  # noqa: S608 - ours
        with _answering():
            (line,) = self._db.execute(query, (row.game, row.seq)).fetchone()
            return int(line)

    def rows(self, game: str | None = None) -> list[Row]:
        """The events of one game with the names corrected later in its match, or all events, in their order.

        Raises:
            NotStored: the journal does not answer.
        """
        with _answering():
            return list(_rows(self._db) if game is None else _rows(self._db, OF_ONE_GAME, game))

    def corrections(self, game: str) -> list[Row]:
        """The corrections of names in the match of a game, also those made before it began, in their order.

        Raises:
            NotStored: the journal does not answer.
        """
        with _answering():
            return list(_rows(self._db, f"WHERE id IN ({OF_A_MATCH})", game))

    def began(self) -> int:
        """Wall time of the first event, in nanoseconds since 1970; 0 before it.

        Raises:
            NotStored: the journal does not answer.
        """
        return int(self._one("SELECT at FROM event ORDER BY id LIMIT 1") or 0)

    def running(self) -> str | None:
        """The id of the last game started and not abandoned, over or not; None before the first.

        Raises:
            NotStored: the journal does not answer.
        """
        return self._one("SELECT id FROM game WHERE NOT abandoned AND imported = 0 ORDER BY started DESC LIMIT 1")

    def before(self, game: str) -> str | None:
        """The id of the game that would be on the table if `game` were abandoned, or None.

        Raises:
            NotStored: the journal does not answer.
        """
        return self._one(
            "SELECT id FROM game WHERE NOT abandoned AND imported = 0"
            " AND started < (SELECT started FROM game WHERE id = ?) ORDER BY started DESC LIMIT 1",
            game,
        )

    def _one(self, query: str, *values: object) -> str | None:
        with _answering():
            found = self._db.execute(query, values).fetchone()
        return None if found is None else str(found[0])

    def match_of(self, game: str) -> str | None:
        """The id of the match that a game belongs to; None for one that is not known, or was abandoned.

        Raises:
            NotStored: the journal does not answer.
        """
        return self._one("SELECT match FROM game WHERE id = ? AND NOT abandoned AND imported = 0", game)

    def match_before(self, game: str, lanes: int, anew: Mapping[str, Result | None] | None = None) -> tuple[str, Match]:
        """The id of the match that `game` belongs to, and how that match stood before it.

        `anew` holds results that are about to change, by game.

        Raises:
            NotStored: the journal does not answer.
        """
        with _answering():
            query = "SELECT match, format, started FROM game WHERE id = ?"
            match, form, started = self._db.execute(query, (game,)).fetchone()
            earlier = self._db.execute(
                "SELECT id, result FROM game WHERE match = ? AND NOT abandoned AND imported = 0 AND started < ?"
                " ORDER BY started",
                (match, started),
            )
            standing = Match.empty(lanes, form)
            for number, kept in earlier:
                changed = (anew or {}).get(number, _read_result(kept))
                standing = standing.plus(changed)
            return match, standing


def _sum_up(  # noqa: PLR0917 - what is told of one event
    db: sqlite3.Connection, event: Event, game: str, number: int, at: int, won: Result | None, sheet: Game | None
) -> None:
    """Bring the summary of a game up to date with its event of that number."""
    match event:
        case Started():
            began(db, event, game, number, at)
            if event.replaces:
                given_up(db, event.replaces, number, sheet)
        case Abandoned():
            given_up(db, game, number, sheet)
        case Renamed():
            update_since(db, number - 1)
        case _:
            stands(db, game, number, won, sheet)


class _Coming:
    """Games that come from another table, while they are being kept."""

    def __init__(self, db: sqlite3.Connection, number: int, chain: str) -> None:
        self._db, self.number, self.chain = db, number, chain
        self._before = number
        self._fits: dict[str, bool] = {}
        self._begun, self._differing = set[str](), set[str]()
        self._replaced: list[tuple[str, int, str]] = []
        self._rows: list[tuple[Any, ...]] = []

    def take(self, each: Arrival | Passed) -> None:
        """Keep an event, unless its game is passed over."""
        if isinstance(each, Passed):
            self._fits[each.game] = False
            self._differing |= {each.game} if each.differs else set()
            return
        if each.game not in self._fits:
            self._fits[each.game] = self._follows(each)
        if self._fits[each.game]:
            self._keep(each)

    def _follows(self, each: Arrival) -> bool:
        """Whether the first event of a game that comes is the next one here; others may have come since it was read."""
        self._write()
        found = self._db.execute("SELECT imported AND NOT abandoned FROM game WHERE id = ?", (each.game,)).fetchone()
        if found is None:
            self._begun |= {each.game}
            return each.seq == 1
        (seq,) = self._db.execute("SELECT max(seq) + 1 FROM event WHERE game = ?", (each.game,)).fetchone()
        fits = bool(found[0]) and each.seq == seq
        self._differing |= {each.game} if each.seq > 1 and not fits else set()
        return fits

    def _keep(self, each: Arrival) -> None:
        self.number += 1
        epoch = f"{AWAY} {each.epoch}".rstrip()
        head = (self.number, epoch, each.game, each.seq, each.at, each.kind, each.body, each.source)
        row = (*head, None, None, wire.version(each.event))
        self.chain = _link(self.chain, row)
        self._rows.append((*row, self.chain))
        if isinstance(each.event, Started):
            began(self._db, each.event, each.game, self.number, each.at, imported=True)
            self._replaced += [(each.event.replaces, self.number, epoch)] if each.event.replaces else []
        if len(self._rows) >= AT_ONCE or each.sums is not None:
            self._write()
        if each.sums is not None:
            came(self._db, each.game, self.number, each.sums)
            if isinstance(each.event, Abandoned):
                gone(self._db, each.game, self.number)

    def _write(self) -> None:
        """Put the events that wait into the transaction; many at once cost less."""
        self._db.executemany(NEW_EVENT, self._rows)
        self._rows.clear()

    def settle(self) -> None:
        """What can be told only when every game has come: who was given up for another, is called what, and has won."""
        self._write()
        for one in self._replaced:
            replaced(self._db, *one)
        update_since(self._db, self._before)
        decide_all(self._db, [game for game, fits in self._fits.items() if fits])

    def brought(self, before: int) -> Brought:
        """What has come after event `before`."""
        kept = {game for game, fits in self._fits.items() if fits}
        begun = len(kept & self._begun)
        skipped = len(self._fits) - len(kept)
        return Brought(begun, self.number - before, skipped, len(kept) - begun, len(self._differing))


def _read_result(kept: str | None) -> Result | None:
    return None if kept is None else wire.read_result(json.loads(kept))


class Look:
    """A look at the journal beside the one who writes: neither waits for the other."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db

    def ask(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What a query finds."""
        return self._db.execute(query, values).fetchall()

    def rows(self, game: str) -> list[Row]:
        """The events of one game with the names corrected later in its match, in their order."""
        return list(_rows(self._db, OF_ONE_GAME, game))

    def rows_after(self, number: int, upto: int) -> list[Row]:
        """The events after number `number` up to number `upto`, in their order."""
        return list(_rows(self._db, "WHERE id > ? AND id <= ?", number, upto))


@contextlib.contextmanager
def look(folder: Path) -> Iterator[Look]:
    """Look into the journal in `folder`, as it stands at the first glance: what is kept after that is not seen.

    Raises:
        JournalError: there is none, or it cannot be read.
    """
    with _looking_at(folder) as db:
        db.execute("BEGIN")
        yield Look(db)


def fold(rows: Iterable[Row]) -> Game:
    """The game that the events of one game make."""
    game = Game()
    for row in rows:
        game = apply(game, row.event, row.mark)
    return game


_as_json = json.encoder.encode_basestring
_LETTERS = json.JSONEncoder(ensure_ascii=False)
_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(values: object) -> str:
    """Values as JSON text, always the same for the same values."""
    return _CANONICAL.encode(values)


@contextlib.contextmanager
def reading(folder: Path) -> Iterator[Iterator[Row]]:
    """All events of the journal in `folder`, to look at while another process may be writing.

    Raises:
        JournalError: there is no journal, or it cannot be read.
    """
    with _looking_at(folder) as db:
        yield _rows(db)


def check(folder: Path) -> int:
    """Go over the whole journal in `folder` and return how many events it holds.

    Raises:
        JournalError: there is none, it cannot be read, SQLite finds it damaged, or an event is not what was written.
    """
    number, chain = 0, ""
    with _looking_at(folder) as db:
        (verdict,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if verdict != "ok":
            raise JournalError(f"the journal in {folder} is damaged: {verdict}")
        for row in db.execute("SELECT * FROM event ORDER BY id"):
            number += 1
            chain = _link(chain, row[:-1])
            if chain != row[-1]:
                raise JournalError(f"the journal in {folder} is damaged: event {row[0]} is not what was written")
    return number


def is_kept_in(folder: Path) -> bool:
    """Whether there is a journal in `folder`.

    Raises:
        JournalError: this user may not look into it.
    """
    try:
        return (folder / FILE).is_file()
    except OSError as error:
        raise JournalError(
            f"the folder {folder} cannot be read: {error.strerror}; ask as the user whose table it is, or name another "
            "with --state"
        ) from error


@contextlib.contextmanager
def _looking_at(folder: Path) -> Iterator[sqlite3.Connection]:
    path = folder / FILE
    if not is_kept_in(folder):
        raise JournalError(f"there is no journal in {folder}; pegboard run begins one, --state names another folder")
    try:
        with contextlib.closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
            _refuse_newer(db, path)
            yield db
    except sqlite3.Error as error:
        raise JournalError(f"the journal {path} cannot be read: {error}{_remedy(error)}") from error


# --- SQLite ---


def _remedy(error: BaseException) -> str:
    """The end of a sentence that a journal cannot be used: what helps, where that is known."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # without what SQLite adds to its primary codes
    if code in {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}:
        return (
            f"; remove {FILE}, {FILE}-wal and {FILE}-shm there and put a copy of yours in their place, or name another "
            "folder with --state"
        )
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}:
        return (
            "; ask as the user whose table it is, or copy its folder to where you may write and name that with --state"
        )
    return ""


def _only_one(folder: Path) -> Any:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "lock").open("ab+", buffering=0)
    except OSError as error:
        raise JournalError(
            f"the folder {folder} cannot be written: {error.strerror}; choose one with --state"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        holder = lock.read().decode("ascii", "replace").strip()
        lock.close()
        raise JournalInUse(f"another pegboard (process {holder}) uses the folder {folder}") from error
    with contextlib.suppress(OSError):  # on a full disk the lock holds all the same, only namelessly
        lock.truncate(0)
        lock.write(str(os.getpid()).encode())
    return lock


def _opened(path: Path) -> sqlite3.Connection:
    """A connection on which a commit is on disk: WAL and synchronous FULL, both read back."""
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    _refuse_newer(db, path)
    mode = db.execute("PRAGMA journal_mode = WAL").fetchone()[0]
    db.execute("PRAGMA synchronous = FULL")
    level = db.execute("PRAGMA synchronous").fetchone()[0]
    if (mode, level) != ("wal", 2):
        db.close()
        raise JournalError(
            f"the folder {path.parent} cannot keep scores safely: SQLite offers {mode} and level {level}"
        )
    return db


def _refuse_newer(db: sqlite3.Connection, path: Path) -> None:
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        db.close()
        raise JournalError(
            f"the journal {path} was written by a newer pegboard (format {version}, this one reads {SCHEMA_VERSION}):"
            " install that one, or choose another folder with --state"
        )


def _prepare(db: sqlite3.Connection, path: Path, busy: Callable[[], None]) -> None:
    """Make the tables of a new journal, and the summary of an older one anew."""
    (version,) = db.execute("PRAGMA user_version").fetchone()
    if version == SCHEMA_VERSION:
        with contextlib.suppress(sqlite3.Error):  # a journal on a full disk is opened too
            db.execute(INDEX)
        return
    if not version and db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
        raise JournalError(f"{path} is not a journal of pegboard; choose another folder with --state")
    if version:
        busy()
        _copy(db, path.with_name(OLDER.format(version)))
    with _transaction(db):
        if not version:
            for statement in SCHEMA.split(";\nCREATE"):
                db.execute(statement if statement.lstrip().startswith("CREATE") else "CREATE" + statement)
            db.execute("INSERT INTO about VALUES (?)", (secrets.token_hex(8),))
        make_anew(db)
        db.execute(INDEX)
        games = list(_rows(db, "WHERE kind IN ('started', 'abandoned')"))

        def events(game: str) -> Iterator[Row]:
            busy()
            return _rows(db, OF_ONE_GAME, game)

        sum_up_all(db, games, events)
        db.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _copy(db: sqlite3.Connection, path: Path) -> None:
    """Copy the journal to `path`, whole and on disk, unless a copy is there."""
    if path.exists():
        return
    unfinished = path.with_suffix(".part")
    unfinished.unlink(missing_ok=True)
    try:
        db.execute("VACUUM INTO ?", (str(unfinished),))
        with unfinished.open("rb") as file:
            os.fsync(file.fileno())
        unfinished.replace(path)
    except BaseException:
        unfinished.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    """A new file is safe only when its folder is on disk too."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextlib.contextmanager
def _answering() -> Iterator[None]:
    """An error of the disk, in words that every window shows."""
    try:
        yield
    except sqlite3.Error as error:
        raise NotStored(f"NOT SAVED, so not scored: {error}") from error


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def _tail(db: sqlite3.Connection) -> tuple[int, str]:
    found = db.execute("SELECT id, chain FROM event ORDER BY id DESC LIMIT 1").fetchone()
    return (0, "") if found is None else (found[0], found[1])


def _link(chain: str, values: tuple[Any, ...]) -> str:
    """A row's check value: it covers the row and, by the one before, every earlier row.

    What is covered is the row as canonical JSON; a list of texts, whole numbers and None is written faster here.
    """
    items = [_as_json(value) if type(value) is str else "null" if value is None else str(value) for value in values]
    return hashlib.sha256(f'["{chain}",{",".join(items)}]'.encode()).hexdigest()[:32]


def _rows(db: sqlite3.Connection, where: str = "", *values: object) -> Iterator[Row]:
    columns = "id, game, seq, at, kind, body, source, command_id, request, epoch, v"
    yield from starmap(Row, db.execute(f"SELECT {columns} FROM event {where} ORDER BY id", values))  # noqa: S608 - ours
