"""What a package holds: what was decided, the score sheets, and what both have come to."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from pegboard.hub.ledger.ledger_rows import TableEvent
from pegboard.tournament.night.decisions import as_row
from pegboard.tournament.night.exchange.files_out import record_json
from pegboard.tournament.night.facts import SheetReference, TableResultReceived
from pegboard.tournament.night.night_report import report
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.people import final_rows
from pegboard.tournament.pairings import GameKey
from pegboard.values import plain

Json: TypeAlias = dict[str, Any]

Sheets: TypeAlias = Mapping[GameKey, Iterable[TableEvent]]
"""The events of the score sheets of games, in the order of the ledger."""


def package_content(event: str, night: Night, sheets: Sheets, program: str) -> Json:
    """The content of a night's package; of the same night it is the same.

    Args:
        event: the night's id at its hub.
        night: as it is; finished or not.
        sheets: of games whose result came from a table.
        program: the version of pegboard that writes it.
    """
    return {
        "event": event,
        "program": program,
        "name": night.opened.name if night.opened else "",
        "date": night.opened.date if night.opened else "",
        "rules": plain(night.rules),
        "roster": [{"player": one.player, "name": one.name, "number": one.number} for one in night.players.values()],
        "decisions": [as_row(row) for row in night.rows],
        "sheets": {key: [_event(row) for row in rows] for key, rows in sheets.items()},
        "finished": night.ended is not None,
    } | derived_content(night)


def derived_content(night: Night) -> Json:
    """The parts of a content that follow from the decisions: games, standings, invariants, cut, winners."""
    derived = report(night)
    standings = night.ended.standings if night.ended is not None else final_rows(night)
    return {
        "games": [record_json(record) for record in derived.records.values()],
        "standings": plain(standings),
        "invariants": [
            {"check": str(check.check), "state": str(check.state), "difference": check.difference}
            for check in derived.panel.checks
        ],
        "qualifiers": list(night.cut.qualifiers) if night.cut else [],
        "winners": {name: state.bracket.winner for name, state in night.brackets.items()},
    }


def choose_sheets(night: Night, rows: Iterable[TableEvent]) -> dict[GameKey, list[TableEvent]]:
    """Of all that tables have sent, the score sheets of the results that count, as they were then.

    `rows` are in the order of `Ledger.rows_of`: by table, epoch and number.
    """
    wanted = {(sheet.table, sheet.game): (key, sheet) for key, sheet in _references(night)}
    chosen: dict[GameKey, list[TableEvent]] = {}
    whole: set[GameKey] = set()
    for row in rows:
        key, sheet = wanted.get((row.table, row.game), ("", None))
        if sheet is None or key in whole:
            continue  # the sheet of no result, or what came after its result
        chosen.setdefault(key, []).append(row)
        if (row.epoch, row.seq) == (sheet.epoch, sheet.last):
            whole.add(key)
    return chosen


def _references(night: Night) -> Iterable[tuple[GameKey, SheetReference]]:
    for key, game in night.games.items():
        if game.report is not None and game.report.sheet is not None:
            yield key, game.report.sheet


def _event(row: TableEvent) -> Json:
    """An event of a score sheet; the body is the object that the table has sent."""
    return {
        "table": row.table,
        "epoch": row.epoch,
        "seq": row.seq,
        "game": row.game,
        "place": row.place,
        "at": row.at,
        "kind": row.kind,
        "body": json.loads(row.body),
        "source": row.source,
        "version": row.version,
    }


def read_sheet(event: str, rows: Iterable[Any]) -> list[TableEvent]:
    """The events of a score sheet of a package.

    Raises:
        KeyError: one lacks a value; TypeError where it is no object.
    """
    names = ("table", "epoch", "seq", "game", "place", "at", "kind", "source", "version")
    return [
        TableEvent(event=event, received=0, body=json.dumps(row["body"]), digest="", **{n: row[n] for n in names})
        for row in rows
    ]


def reported_sheets(night: Night) -> Mapping[GameKey, TableResultReceived]:
    """The games whose result came from a table, with what the hub had derived."""
    return {key: game.report for key, game in night.games.items() if game.report is not None}
