"""Games for a spreadsheet or another table: the journal as JSON lines, its games and a game's lines as CSV."""

import csv
import io
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from pegboard.core import snapshot
from pegboard.core.board import Game
from pegboard.core.moves import Line, Staged
from pegboard.storage.games import cards_after
from pegboard.storage.journal import Row, look

AT_ONCE = 500
"""Events or games that are held in memory."""

BOM = "\ufeff"
"""Tells a spreadsheet that the letters are UTF-8."""

FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What a spreadsheet takes for the beginning of a formula."""

MOST_SEATS = 4

GAMES_HEAD = (
    *("game", "match", "format", "variant", "started", "ended", "over", "abandoned", "imported", "winner", "points"),
    *("deals", *(f"{what} {seat}" for seat in range(1, MOST_SEATS + 1) for what in ("player", "score", "skunks"))),
)

LINES_HEAD = (
    *("line", "time", "do", "player", "points", "why", "from", "to", "deal", "stands", "counts", "source", "note"),
)


def event_lines(rows: Iterable[Row]) -> Iterator[str]:
    """Each event as a line of JSON."""
    for row in rows:
        yield row.exported + "\n"


def newest_event(folder: Path) -> int:
    """The number of the newest event, which is how many there are.

    Raises:
        JournalError: the journal cannot be read.
    """
    with look(folder) as journal:
        return int(journal.ask("SELECT coalesce(max(id), 0) FROM event")[0][0])


def in_parts(rows: Iterable[Row]) -> Iterator[str]:
    """These events as lines of JSON, many lines at a time: each part is a write of its own."""
    lines = event_lines(rows)
    while part := "".join(islice(lines, AT_ONCE)):
        yield part


def event_parts(folder: Path) -> Iterator[str]:
    """The journal's events up to now, some lines at a time; the one who writes waits for nobody.

    Raises:
        JournalError: the journal cannot be read.
    """
    newest = newest_event(folder)
    for first in range(0, newest, AT_ONCE):
        with look(folder) as journal:
            rows = journal.rows_after(first, min(first + AT_ONCE, newest))
        yield "".join(event_lines(rows))


def game_parts(folder: Path) -> Iterator[str]:
    """The games as CSV (RFC 4180, with a byte order mark), oldest first, some rows at a time.

    Raises:
        JournalError: the journal cannot be read.
    """
    yield BOM + _csv([GAMES_HEAD])
    after: tuple[int, int] | None = (-1, -1)
    while after is not None:
        cards, after = cards_after(folder, after, AT_ONCE)
        yield _csv(_game_row(card) for card in cards)


def sheet_text(game: Game) -> str:
    """The lines of a game as CSV, oldest first."""
    lines = (_line_row(game, line) for line in range(1, len(game.entries) + 1))
    return BOM + _csv([LINES_HEAD, *lines])


def _game_row(card: dict[str, Any]) -> Iterator[Any]:
    winner, lanes = card["winner"], card["lanes"]
    names = [name for name, lane in zip(card["players"], lanes, strict=True) if lane == winner]
    yield from (card["id"], card["match"], card["format"], card["variant"])
    yield from (_time(card["started"]), _time(card["ended"]))
    yield from (_yes(card["over"]), _yes(card["abandoned"]), _yes(card["imported"]))
    yield from (" and ".join(names), card["points"], card["deals"])
    for name, lane in zip(card["players"], lanes, strict=True):
        yield from (name, card["fronts"][lane], card["skunks"][lane])
    yield from [""] * 3 * (MOST_SEATS - len(lanes))


def _line_row(game: Game, line: int) -> Iterator[Any]:
    entry, values = game.entries[line - 1], snapshot.entry_state(game, line)
    reading = game.followed.readings[line - 1]
    seat, lane = values["seat"], values["lane"]
    called = game.called(lane) if lane is not None else ""
    deal = "" if reading is None else reading.deal
    yield from (line, _time(values["at"]), values["do"], called if seat is None else game.players[seat])
    yield from (values["points"], values["why"], values.get("from"), values.get("to"), deal)
    yield from (_yes(values["stands"]), _yes(values["counts"]), entry.mark.source, _in_words(entry.event))


def _in_words(line: Line) -> str:
    """The reason that was given, or where the deal was said to stand."""
    return line.stage if isinstance(line, Staged) else getattr(line, "note", "")


def _time(seconds: float | None) -> str:
    """As ISO 8601, in UTC."""
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _csv(rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """Words that a spreadsheet would take for a formula begin with an apostrophe, which it does not show."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULAS) else value
