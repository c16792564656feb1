"""Games that were played, over the network: the list, one with its figures, statistics, and what a command would do."""

import hashlib
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from flask import Response, request

from pegboard.core import entry_state, snapshot, wire
from pegboard.core.board import Game
from pegboard.core.command_fields import GAME_ID
from pegboard.core.naming.player_names import LONGEST_NAME
from pegboard.core.rules import VARIANTS
from pegboard.errors import BadImport
from pegboard.scoreboard import Preview
from pegboard.storage.exporting import GAMES_HEADER, LINES_HEADER, event_parts, game_parts, sheet_text
from pegboard.storage.games import History
from pegboard.storage.import_check import check_import
from pegboard.storage.import_parser import last_lines
from pegboard.storage.statistics import StatisticsQuery
from web.access import sessions
from web.api.contract.commands import read_command
from web.api.contract.fields import said
from web.api.contract.games import (
    A_CARD,
    A_GAME,
    A_LINE,
    A_PREVIEW,
    AN_IMPORT,
    SOME_STATISTICS,
    TRIAL,
    TRIALS,
    BroughtSchema,
    GamesSchema,
    PlayedSchema,
    PreviewSchema,
    StatisticsSchema,
)
from web.api.contract.json_body import json_object
from web.api.contract.json_response import json_response
from web.api.contract.openapi import TEXT, DocumentedBlueprint, Parameter, RequestBody, ResponseDoc
from web.api.export_stream import CONTENT_TYPES, CSV, JSON_LINES
from web.api.parts import parts
from web.api.table import ASKING, LOOKING, RULING
from web.http import static_files
from web.http.problems import Problem

history = DocumentedBlueprint("history", "Games that were played.")

ETAG = {"ETag": "the journal's epoch, its newest event that counts here, and the program's version"}

PROGRAM = (Path(__file__).parents[1], Path(snapshot.__file__).parents[1])
"""The folders whose modules make the answers."""

PAGE, LONGEST_PAGE = 20, 100
"""Games of a page of the list: where nothing is said, and at most."""

READING = (*LOOKING, "journal")
"""Refusals that whoever reads in the journal can meet."""

BRINGING = (*(code for code in ASKING if code not in {"not_json", "shape"}), "import", "role", "not_stored", "journal")
"""Refusals that an import can meet."""

STATISTICS = "/api/v1/stats"
"""What takes longest to be answered."""

LATEST = 4_102_444_800
"""Seconds since 1970 of the last moment that is taken: the beginning of 2100."""

A_TAP = "preview-of-a-tap"
"""Stands for the id that a preview has not, where the shape of a command asks for one."""


# --- the views ---

PLAYER = Parameter(
    "the name of somebody at the table, as it is written there",
    {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME},
    example="Ann",
)

THE_GAME = Parameter("the id of a game", {"type": "string", "pattern": f"^{GAME_ID}$"}, example="5b0e7c1f92aa")


@history.view(
    "GET",
    "/games",
    answers={
        200: ResponseDoc("A page of the list of games", GamesSchema, {"games": [A_CARD], "before": None}, headers=ETAG)
    },
    refuses=(*READING, "shape"),
    query={
        "limit": Parameter(
            f"games of the page; {PAGE} where it is left out",
            {"type": "integer", "minimum": 1, "maximum": LONGEST_PAGE},
        ),
        "before": Parameter("the id of a game: the page begins with the one played before it", THE_GAME.schema),
        "player": PLAYER,
    },
)
def games() -> Response:
    """The list of games, newest first, that on the table too."""
    past, revision = _history(), _history().revision()
    limit, before = _limit(), request.args.get("before")
    player = request.args.get("player")

    def page() -> dict[str, Any]:
        found = past.games(limit, before, player)
        if found is None:
            raise Problem(422, "shape", "game_before", value=said(before))
        return found

    return _unless_known(revision, page)


@history.view(
    "GET",
    "/games/<game>",
    answers={200: ResponseDoc("A game with its sheet and its figures", PlayedSchema, A_GAME, headers=ETAG)},
    refuses=(*READING, "no_game"),
    path={"game": THE_GAME},
)
def one_game(game: str) -> Response:
    """A game with its sheet, the way of its pegs and its figures."""
    revision, epoch = _history().revision(), parts().scoreboard.view.epoch

    def told() -> dict[str, Any]:
        found = _history().game(game)
        if found is None:
            raise no_game(game)
        values, sheet = found
        now = {"epoch": epoch, "revision": revision}
        return (
            values | now | {"entries": entry_state.entries_since(sheet, 0), "renamings": entry_state.renamings(sheet)}
        )

    return _unless_known(revision, told)


@history.view(
    "GET",
    "/stats",
    answers={200: ResponseDoc("Finished games, added up", StatisticsSchema, SOME_STATISTICS, headers=ETAG)},
    refuses=(*READING, "shape"),
    query={
        "player": PLAYER,
        "since": Parameter("seconds since 1970, or a day such as 2026-01-31 (UTC): games begun from then on"),
        "variant": Parameter("the name of a variant", {"type": "string", "enum": list(VARIANTS)}),
    },
)
def statistics() -> Response:
    """Finished games, added up."""
    asked = StatisticsQuery(request.args.get("player"), _since(), _variant())
    return _unless_known(_history().statistics_revision(), lambda: _history().statistics(asked))


@history.view(
    "POST",
    "/preview",
    takes=RequestBody(TRIAL, TRIALS),
    answers={200: ResponseDoc("What would become of it", PreviewSchema, A_PREVIEW)},
    refuses=(*ASKING, *(code for code in RULING if code != "id_reused")),
)
def preview() -> Response:
    """What a command would do.

    It is judged as the command would be, and nothing is stored. The `id` can be left out.
    """
    sessions.require_scorer(request)
    envelope, values = read_command({"id": A_TAP} | json_object(request))
    del envelope["id"]
    director = sessions.role(request) == "director"
    return json_response(
        _preview_values(parts().scoreboard.preview(wire.command(values), director=director, **envelope))
    )


@history.view(
    "GET",
    "/export.jsonl",
    answers={
        200: ResponseDoc("Every event of the journal, a line of JSON each", TEXT, A_LINE, content_type=JSON_LINES)
    },
    refuses=READING,
)
def export_events() -> Response:
    """The whole journal as JSON lines, oldest first; another table can import it."""
    return _file(event_parts(_history().folder), JSON_LINES, "pegboard.jsonl")


@history.view(
    "GET",
    "/export.csv",
    answers={200: ResponseDoc("A row for each game", TEXT, ",".join(GAMES_HEADER), content_type=CSV)},
    refuses=READING,
)
def export_games() -> Response:
    """The games as CSV for a spreadsheet, oldest first."""
    return _file(game_parts(_history().folder), CSV, "pegboard-games.csv")


@history.view(
    "GET",
    "/games/<game>.csv",
    answers={200: ResponseDoc("A row for each line of the game", TEXT, ",".join(LINES_HEADER), content_type=CSV)},
    refuses=(*READING, "no_game"),
    path={"game": THE_GAME},
)
def export_sheet(game: str) -> Response:
    """The score sheet of a game as CSV for a spreadsheet, oldest first."""
    found = _history().sheet(game)
    if found is None:
        raise no_game(game)
    return _file([sheet_text(found)], CSV, f"pegboard-{game}.csv")


@history.view(
    "POST",
    "/import",
    takes=RequestBody(TEXT, {"an export": A_LINE}, content_type=JSON_LINES),
    answers={200: ResponseDoc("They are here now", BroughtSchema, AN_IMPORT)},
    refuses=BRINGING,
)
def bring() -> Response:
    """Bring games that were played at another table, as its export tells them: all of them or none.

    Games that are here already are skipped; one that was imported unfinished goes on where it ended, if the export
    tells its beginning as it is kept. The game on the table goes on as it was.
    """
    sessions.require_scorer(request)
    if sessions.role(request) != "director":
        raise Problem(403, "role", "import_director")
    if request.mimetype != JSON_LINES:
        raise Problem(415, "media_type", "not_export_type", due=JSON_LINES, type=request.mimetype or "none")
    try:
        lines = request.get_data().splitlines()
        read = list(check_import(lines, last_lines(lines), _history().rows))  # judged before anybody waits for it
        told = parts().scoreboard.import_games(read)
    except BadImport as error:
        raise Problem(422, "import", error.message) from None
    return json_response(asdict(told))


def _file(parts: Iterable[str], kind: str, name: str) -> Response:
    headers = {"Cache-Control": "no-store", "Content-Disposition": f'attachment; filename="{name}"'}
    return Response((part.encode() for part in parts), 200, headers, content_type=CONTENT_TYPES[kind])


def no_game(game: str) -> Problem:
    """The refusal of a game that is not known."""
    return Problem(404, "no_game", "no_such_game", game=said(game))


def _preview_values(told: Preview) -> dict[str, Any]:
    values = {"state": snapshot.snapshot(told.view), "entry": told.entry, "note": told.note, "game": told.game}
    return values | {"before": _board(told.before), "after": _board(told.after), "loses_win": told.loses_win}


def _board(game: Game) -> dict[str, Any]:
    outcome = game.outcome
    return {
        "fronts": [lane.front for lane in game.lanes],
        "rears": [lane.rear for lane in game.lanes],
        "over": outcome is not None,
        "winner": None if outcome is None else outcome.winner,
        "skunks": [0] * game.rules.lanes if outcome is None else list(outcome.skunks),
    }


# --- what is asked ---


def _limit() -> int:
    told = request.args.get("limit", str(PAGE))
    if not re.fullmatch(r"[1-9][0-9]{0,2}", told, re.ASCII) or int(told) > LONGEST_PAGE:
        raise Problem(422, "shape", "page_limit", most=LONGEST_PAGE, value=said(told))
    return int(told)


def _variant() -> str | None:
    told = request.args.get("variant")
    if told is not None and told not in VARIANTS:
        raise Problem(422, "shape", "field_choice", field="variant", choices=", ".join(VARIANTS), value=said(told))
    return told


def _since() -> int | None:
    """In nanoseconds since 1970."""
    told = request.args.get("since")
    if told is None:
        return None
    seconds: float | None = None
    if re.fullmatch(r"[0-9]{1,10}(\.[0-9]{1,9})?", told, re.ASCII):
        seconds = float(told)
    elif re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", told, re.ASCII):
        seconds = _day(told)
    if seconds is None or not 0 <= seconds <= LATEST:
        raise Problem(422, "shape", "since", value=said(told))
    return int(seconds * entry_state.NANOSECONDS)


def _day(told: str) -> float | None:
    try:
        return datetime.strptime(told, "%Y-%m-%d").replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


# --- answered ---


def _unless_known(revision: int, values: Callable[[], dict[str, Any]]) -> Response:
    """The values, or only that they are those that the asker has already from this version of the program."""
    mark = f"{parts().scoreboard.view.epoch}-{revision}-{_version(PROGRAM)}"
    known = request.if_none_match.contains_weak(mark)  # one that came packed is weak
    response = Response(status=304) if known else json_response(values())
    response.set_etag(mark)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


@cache
def _version(program: tuple[Path, ...]) -> str:
    """The version of the static files, which pages are written with, and that of the modules, which give answers."""
    modules = hashlib.sha256()
    for path in sorted(path for folder in program for path in folder.rglob("*.py")):
        modules.update(path.read_bytes())
    return f"{static_files.assets().version}-{modules.hexdigest()[: static_files.VERSION_LETTERS]}"


def _history() -> History:
    return parts().scoreboard.history
