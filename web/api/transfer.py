"""The API of exports and imports: the journal as JSON lines, games and sheets as CSV, and games of another table."""

from collections.abc import Iterable
from dataclasses import asdict

from flask import Response, request
from marshmallow import Schema

from pegboard.errors import BadImport
from pegboard.storage.transfer.exporting import GAMES_HEADER, LINES_HEADER, event_parts, game_parts, sheet_text
from pegboard.storage.transfer.import_check import check_import
from pegboard.storage.transfer.import_parser import last_lines
from web.access import sessions
from web.api.contract.documented_endpoints import BODY_REFUSALS, TEXT, DocumentedBlueprint, RequestBody, ResponseDoc
from web.api.contract.schema_fields import integer
from web.api.contract.strict_json import json_response
from web.api.export_stream import CONTENT_TYPES, CSV, JSON_LINES
from web.api.games import JOURNAL_REFUSALS, THE_GAME, no_game
from web.api.program_parts import parts
from web.http.problems import Problem

transfers = DocumentedBlueprint("transfers", tag="history")

IMPORT_REFUSALS = (
    *(code for code in BODY_REFUSALS if code not in {"not_json", "shape"}),
    "import",
    "role",
    "not_stored",
    "journal",
)
"""Refusals that an import can meet."""


class BroughtSchema(Schema):
    """What was imported."""

    games = integer("number of new games")
    events = integer("number of their events")
    skipped = integer("number of games already here and left unchanged")
    continued = integer("number of games that were imported unfinished earlier and are now continued")
    differing = integer("number of skipped games whose lines differ here")


A_LINE = (
    '{"id": 25, "epoch": "9f2c61d0a47be835", "game": "5b0e7c1f92aa", "seq": 8, "at": 1795000000000000000, "source":'
    ' "phone", "kind": "scored", "v": 3, "body": {"lane": 0, "points": 6, "seat": 0, "why": "hand"}}\n'
)

AN_IMPORT = {"games": 12, "events": 704, "skipped": 3, "continued": 1, "differing": 0}


@transfers.view(
    "GET",
    "/export.jsonl",
    answers={
        200: ResponseDoc("Every event of the journal, one line of JSON each", TEXT, A_LINE, content_type=JSON_LINES)
    },
    refuses=JOURNAL_REFUSALS,
)
def export_events() -> Response:
    """The whole journal as JSON lines, oldest first; another table can import it."""
    return _file(event_parts(parts().scoreboard.history.folder), JSON_LINES, "pegboard.jsonl")


@transfers.view(
    "GET",
    "/export.csv",
    answers={200: ResponseDoc("One row per game", TEXT, ",".join(GAMES_HEADER), content_type=CSV)},
    refuses=JOURNAL_REFUSALS,
)
def export_games() -> Response:
    """The games as CSV for a spreadsheet, oldest first."""
    return _file(game_parts(parts().scoreboard.history.folder), CSV, "pegboard-games.csv")


@transfers.view(
    "GET",
    "/games/<game>.csv",
    answers={200: ResponseDoc("One row per line of the game", TEXT, ",".join(LINES_HEADER), content_type=CSV)},
    refuses=(*JOURNAL_REFUSALS, "no_game"),
    path={"game": THE_GAME},
)
def export_sheet(game: str) -> Response:
    """The score sheet of a game as CSV for a spreadsheet, oldest first."""
    found = parts().scoreboard.history.render_sheet(game, sheet_text)
    if found is None:
        raise no_game(game)
    return _file([found], CSV, f"pegboard-{game}.csv")


@transfers.view(
    "POST",
    "/import",
    takes=RequestBody(TEXT, {"an export": A_LINE}, content_type=JSON_LINES),
    answers={200: ResponseDoc("Imported", BroughtSchema, AN_IMPORT)},
    refuses=IMPORT_REFUSALS,
)
def import_games() -> Response:
    """Import games from another table's export: all of them or none.

    Games that are already here are skipped; a game imported unfinished is continued if its first lines are the same.
    The current game is not changed.
    """
    sessions.require_director(sessions.role(request), "import_director")
    if request.mimetype != JSON_LINES:
        raise Problem(415, "media_type", "not_export_type", due=JSON_LINES, type=request.mimetype or "none")
    try:
        lines = request.get_data().splitlines()
        scoreboard = parts().scoreboard
        events = list(check_import(lines, last_lines(lines), scoreboard.history.rows))  # without the scoreboard's lock
        report = scoreboard.import_games(events)
    except BadImport as error:
        raise Problem(422, "import", error.message) from None
    return json_response(asdict(report))


def _file(texts: Iterable[str], content_type: str, name: str) -> Response:
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response((text.encode() for text in texts), 200, headers, content_type=CONTENT_TYPES[content_type])
