"""Exports: the journal as JSON lines for another table; games and score sheets as CSV for spreadsheets."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from pegboard.core.board import Game
from pegboard.core.moves import Line, Scored, Staged, Substituted
from pegboard.core.rules import MOST_SEATS
from pegboard.core.view_as_json import entry_state
from pegboard.storage.event_row import EventRow
from pegboard.storage.games import History, list_items_after
from pegboard.storage.reader import read_snapshot

BATCH = 500
"""Events read in one batch and held in memory."""

GAMES = 100
"""Games read in one batch: each takes ten times as long as an event."""

ROWS = 25
"""Games in one part of an export: the export can pause between parts, but not within one."""

BOM = "\ufeff"
"""Byte order mark, by which spreadsheets recognize UTF-8."""

FORMULA_SIGNS = r"=+\-@\u2212\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b\u207a\u207b\u207c\u208a\u208b\u208c"
"""= + - @, the minus sign, and their full-width, small, superscript and subscript forms."""

FORMULA_FIRST = re.compile(rf"\s*[{FORMULA_SIGNS}]|[\t\r\n]")
"""Text that a spreadsheet takes for a formula (CSV injection): such a sign at the start, even after blanks."""

FORMULA_WITHIN = re.compile(rf"[;\t\r\n](?=\s*[{FORMULA_SIGNS}])")
"""Formula signs within a text, for spreadsheets that split cells at semicolons or tabs."""

GAMES_HEADER = (
    *("game", "match", "format", "variant", "started", "ended", "over", "abandoned", "imported", "winner", "points"),
    *("deals", *(f"{what} {seat}" for seat in range(1, MOST_SEATS + 1) for what in ("player", "score", "skunks"))),
    "substitutes",
)

LINES_HEADER = (
    *("line", "time", "do", "player", "points", "why", "from", "to", "deal", "stands", "counts", "source", "note"),
)


def event_lines(rows: Iterable[EventRow]) -> Iterator[str]:
    """The events as JSON lines."""
    return (row.export_line + "\n" for row in rows)


def event_batches(rows: Iterable[EventRow]) -> Iterator[str]:
    """The events as JSON lines, in strings of `BATCH` lines, to need few writes."""
    lines = event_lines(rows)
    while part := "".join(islice(lines, BATCH)):
        yield part


def event_parts(folder: Path) -> Iterator[str]:
    """The journal's events up to now, `BATCH` lines at a time; never blocks the writing process.

    Raises:
        JournalError: the journal cannot be read.
    """
    newest = History(folder).revision()
    for first in range(0, newest, BATCH):
        with read_snapshot(folder) as journal:
            part = "".join(event_lines(journal.rows_after(first, min(first + BATCH, newest))))
        yield part


def game_parts(folder: Path) -> Iterator[str]:
    """The games as CSV (RFC 4180, with a byte order mark), oldest first, `ROWS` rows at a time.

    Raises:
        JournalError: the journal cannot be read.
    """
    after: tuple[int, int] | None = (-1, -1)
    before = BOM + _csv([GAMES_HEADER])  # sent with the first rows, so an unreadable journal raises before any output
    while after is not None:
        items, after = list_items_after(folder, after, GAMES)
        rows = map(_game_row, items)
        while part := before + _csv(islice(rows, ROWS)):
            yield part
            before = ""


def sheet_text(game: Game) -> str:
    """The lines of a game as CSV, oldest first."""
    return BOM + _csv([LINES_HEADER, *(_line_row(game, line) for line in range(1, len(game.entries) + 1))])


def _game_row(item: dict[str, Any]) -> Iterator[Any]:
    winner, lanes = item["winner"], item["lanes"]
    names = [name for name, lane in zip(item["players"], lanes, strict=True) if lane == winner]
    yield from (item["id"], item["match"], item["format"], item["variant"])
    yield from (_iso_time(item["started"]), _iso_time(item["ended"]))
    yield from (_yes_or_no(item["over"]), _yes_or_no(item["abandoned"]), _yes_or_no(item["imported"]))
    yield from (" and ".join(names), item["points"], item["deals"])
    for name, lane in zip(item["players"], lanes, strict=True):
        yield from (name, item["fronts"][lane], item["skunks"][lane])
    yield from [""] * 3 * (MOST_SEATS - len(lanes))
    took_over = item.get("substitutes", ())
    yield ", ".join(f"{each['name']} for {item['players'][each['seat']]}" for each in took_over)


def _line_row(game: Game, line: int) -> Iterator[Any]:
    entry, values = game.entries[line - 1], entry_state(game, line)
    reading = game.followed.readings[line - 1]
    seat, lane = values["seat"], values["lane"]
    player = "" if seat is None and lane is None else values.get("former") or game.player_of(lane, seat, line)
    deal = "" if reading is None else reading.deal
    yield from (line, _iso_time(values["at"]), values["do"], player)
    yield from (values["points"], values["why"], values.get("from"), values.get("to"), deal)
    yield from (_yes_or_no(values["stands"]), _yes_or_no(values["counts"]), entry.origin.source, _note(entry.event))


def _note(line: Line) -> str:
    """The note of a line with what happened to the deal after a fault, the stage that it sets, or who plays on."""
    match line:
        case Scored(fault=fault) if fault is not None:
            choice = "redeal: " if line.redeal is not None else "deal stands: " if line.accepted else ""
            return f"{choice}{line.note or fault}"
        case Staged(stage):
            return stage
        case Substituted(name=name):
            return name
    return getattr(line, "note", "")


def _iso_time(seconds: float | None) -> str:
    """Seconds since 1970 as ISO 8601 in UTC; "" for None."""
    return "" if seconds is None else f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def _yes_or_no(value: bool) -> str:
    return "yes" if value else "no"


def _csv(rows: Iterable[Iterable[Any]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\r\n").writerows([_cell(value) for value in row] for row in rows)
    return text.getvalue()


def _cell(value: Any) -> Any:
    """Prefix text that a spreadsheet would take for a formula with an apostrophe, which it hides."""
    if not isinstance(value, str):
        return value
    text = FORMULA_WITHIN.sub(lambda separator: f"{separator[0]}'", value)  # a template takes three times as long
    return f"'{text}" if FORMULA_FIRST.match(value) else text
