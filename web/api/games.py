"""The API of games: a page of the list, and one game with its sheet and its figures."""

import re
from typing import Any

from flask import Response, request

from pegboard.core import view_as_json
from pegboard.core.command_fields import GAME_ID
from pegboard.core.names import LONGEST_NAME
from web.api.conditional_responses import ETAG, respond_unless_known
from web.api.contract.documented_endpoints import ANY_REFUSALS, DocumentedBlueprint, Parameter, ResponseDoc
from web.api.contract.games import A_CARD, A_GAME, GamesSchema, PlayedSchema
from web.api.contract.schema_fields import quote
from web.api.program_parts import parts
from web.http.problems import Problem

history = DocumentedBlueprint("history", "Games played: list, statistics, export and import.")

PAGE, LONGEST_PAGE = 20, 100
"""Games on a page of the list: by default, and at most."""

JOURNAL_REFUSALS = (*ANY_REFUSALS, "journal")
"""Refusals of requests that read the journal."""

PLAYER = Parameter(
    "a player's exact name",
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
    refuses=(*JOURNAL_REFUSALS, "shape"),
    query={
        "limit": Parameter(
            f"games per page (default: {PAGE})",
            {"type": "integer", "minimum": 1, "maximum": LONGEST_PAGE},
        ),
        "before": Parameter("the id of a game; the page starts with the game before it", THE_GAME.schema),
        "player": PLAYER,
    },
)
def games() -> Response:
    """The list of games, newest first, including the current one."""
    history, limit, before = parts().scoreboard.history, _limit(), request.args.get("before")
    player = request.args.get("player")

    def page() -> dict[str, Any]:
        found = history.games(limit, before, player)
        if found is None:
            raise Problem(422, "shape", "game_before", value=quote(before))
        return found

    return respond_unless_known(history.revision(), page)


@history.view(
    "GET",
    "/games/<game>",
    answers={200: ResponseDoc("A game with its score sheet and statistics", PlayedSchema, A_GAME, headers=ETAG)},
    refuses=(*JOURNAL_REFUSALS, "no_game"),
    path={"game": THE_GAME},
)
def one_game(game: str) -> Response:
    """A game with its score sheet, its pegs over time and its statistics."""
    history, epoch = parts().scoreboard.history, parts().scoreboard.view.epoch
    revision = history.revision()

    def details() -> dict[str, Any]:
        found = history.game(game)
        if found is None:
            raise no_game(game)
        values, sheet = found
        values |= {"epoch": epoch, "revision": revision}
        return values | {
            "entries": view_as_json.entries_since(sheet, 0),
            "renamings": view_as_json.renamings(sheet),
        }

    return respond_unless_known(revision, details)


def no_game(game: str) -> Problem:
    """The refusal of an unknown game."""
    return Problem(404, "no_game", "no_such_game", game=quote(game))


def _limit() -> int:
    limit = request.args.get("limit", str(PAGE))
    if not re.fullmatch(r"[1-9][0-9]{0,2}", limit, re.ASCII) or int(limit) > LONGEST_PAGE:
        raise Problem(422, "shape", "page_limit", most=LONGEST_PAGE, value=quote(limit))
    return int(limit)
