"""Queries of the journal that is open for writing: commands, events of a game, the running match."""

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Mapping

from pegboard.core import wire
from pegboard.core.match import Match, Result
from pegboard.core.moves import InPlace, Line
from pegboard.errors import NotStored
from pegboard.messages import Message
from pegboard.storage.event_row import EVENTS_OF_GAME, EventRow, select_rows
from pegboard.storage.summary.name_corrections import CORRECTIONS_OF_MATCH
from pegboard.storage.summary.summary_tables import RUNNING_GAME


class JournalQueries:
    """What the table asks of its journal."""

    _db: sqlite3.Connection

    def find(self, command_id: str) -> EventRow | None:
        """The event that a command made, or None.

        Raises:
            NotStored: the journal cannot be read, so nothing could be stored either.
        """
        with not_stored_on_error():
            return next(select_rows(self._db, "WHERE command_id = ?", command_id), None)

    def line_of(self, row: EventRow) -> int | None:
        """The line of the score sheet that an event made or changed, or None.

        Raises:
            NotStored: the journal cannot be read.
        """
        event = row.event
        if isinstance(event, InPlace):
            return event.line
        if not isinstance(event, Line):
            return None
        kinds = ", ".join(f"'{kind}'" for kind in wire.LINES)
        query = f"SELECT count(*) FROM event WHERE game = ? AND seq <= ? AND kind IN ({kinds})"  # noqa: S608 - ours
        with not_stored_on_error():
            return int(self._db.execute(query, (row.game, row.seq)).fetchone()[0])

    def rows(self, game: str | None = None) -> list[EventRow]:
        """The events of one game with the names corrected later in its match, or all events, in their order.

        Raises:
            NotStored: the journal cannot be read.
        """
        with not_stored_on_error():
            return list(select_rows(self._db) if game is None else select_rows(self._db, EVENTS_OF_GAME, game))

    def corrections(self, game: str) -> list[EventRow]:
        """The corrections of names in the match of a game, also those made before it began, in their order.

        Raises:
            NotStored: the journal cannot be read.
        """
        with not_stored_on_error():
            return list(select_rows(self._db, f"WHERE id IN ({CORRECTIONS_OF_MATCH})", game))

    def first_event_at(self) -> int:
        """Wall time of the first event, in nanoseconds since 1970; 0 before it.

        Raises:
            NotStored: the journal cannot be read.
        """
        return int(self._value("SELECT at FROM event WHERE typeof(at) = 'integer' ORDER BY id LIMIT 1") or 0)

    def running_game(self) -> str | None:
        """The id of the last game started and not abandoned, over or not; None before the first.

        Raises:
            NotStored: the journal cannot be read.
        """
        return self._value(RUNNING_GAME)

    def previous_game(self, game: str) -> str | None:
        """The id of the game that would be on the table if `game` were abandoned, or None.

        Raises:
            NotStored: the journal cannot be read.
        """
        return self._value(
            "SELECT id FROM game WHERE NOT abandoned AND imported = 0"
            " AND started < (SELECT started FROM game WHERE id = ?) ORDER BY started DESC LIMIT 1",
            game,
        )

    def _value(self, query: str, *values: object) -> str | None:
        with not_stored_on_error():
            found = self._db.execute(query, values).fetchone()
        return None if found is None else str(found[0])

    def match_of(self, game: str) -> str | None:
        """The id of the match that a game of this table belongs to; None for one that is unknown or abandoned.

        Raises:
            NotStored: the journal cannot be read.
        """
        return self._value("SELECT match FROM game WHERE id = ? AND NOT abandoned AND imported = 0", game)

    def match_before(
        self, game: str, lanes: int, new_results: Mapping[str, Result | None] | None = None
    ) -> tuple[str, Match]:
        """The id of the match that `game` belongs to, and how that match stood before it.

        `new_results` holds results that are about to change, by the id of their game.

        Raises:
            NotStored: the journal cannot be read.
        """
        with not_stored_on_error():
            query = "SELECT match, format, started FROM game WHERE id = ?"
            match, form, started = self._db.execute(query, (game,)).fetchone()
            earlier = self._db.execute(
                "SELECT id, result FROM game WHERE match = ? AND NOT abandoned AND imported = 0 AND started < ?"
                " ORDER BY started",
                (match, started),
            )
            results = {each: None if text is None else wire.read_result(json.loads(text)) for each, text in earlier}
        standing = Match.empty(lanes, form)
        for each, won in results.items():
            standing = standing.plus((new_results or {}).get(each, won))
        return match, standing


@contextlib.contextmanager
def not_stored_on_error() -> Iterator[None]:
    """Turn an error of SQLite into one sentence that every display shows.

    Raises:
        NotStored: there was such an error.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise NotStored("not_saved", fault=Message("verbatim", text=error)) from error
