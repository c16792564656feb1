"""The API of previews: what a command would do, without storing anything."""

import time
from typing import Any

from flask import Response, request
from marshmallow import Schema, fields

from pegboard.core import view_as_json, wire
from pegboard.core.board import Game
from pegboard.core.view import Preview
from web.access import sessions
from web.api.contract.commands import read_command
from web.api.contract.documented_endpoints import BODY_REFUSALS, DocumentedBlueprint, RequestBody, ResponseDoc
from web.api.contract.examples import COMMANDS, STATE
from web.api.contract.schema_fields import boolean, integer, integers, string
from web.api.contract.state import StateSchema
from web.api.contract.strict_json import json_object, json_response
from web.api.program_parts import parts
from web.api.table import COMMAND_REFUSALS

previews = DocumentedBlueprint("previews", tag="history")

ANY_ID = "preview-of-a-tap"
"""Stands for the id, which a preview need not have and the shape of a command requires."""

TAP_S = 0.02
"""Seconds of the processor for which a preview counts as one tap; a longer one counts as several."""


class BoardSchema(Schema):
    """A game's board."""

    fronts = integers("by lane: the hole of the front peg")
    rears = integers("by lane: the hole of the rear peg")
    over = boolean("whether the game is over")
    winner = integer("the lane that won, or null", allow_none=True)
    skunks = integers("by lane: how many skunk lines it did not pass")


class PreviewSchema(Schema):
    """What would become of a command."""

    state = fields.Nested(StateSchema, required=True)
    entry = string("the line it would add or change, or null", allow_none=True)
    note = string("what a correction would leave unchanged, in words, or null", allow_none=True)
    game = string("the game's id")
    before = fields.Nested(BoardSchema, required=True)
    after = fields.Nested(BoardSchema, required=True)
    loses_win = integer("the lane that would lose its win, or null; ask before sending it", allow_none=True)


A_PREVIEW: dict[str, Any] = {
    "state": STATE,
    "entry": "7",
    "note": None,
    "game": "5b0e7c1f92aa",
    "before": {"fronts": [121, 88], "rears": [115, 80], "over": True, "winner": 0, "skunks": [0, 1]},
    "after": {"fronts": [115, 88], "rears": [109, 80], "over": False, "winner": None, "skunks": [0, 0]},
    "loses_win": 0,
}

TRIAL = {
    "type": "object",
    "description": "a command as for `/commands`; `id` is optional",
    "properties": {"do": {"type": "string", "enum": list(COMMANDS)}},
    "required": ["do"],
}
TRIALS = {do: {key: value for key, value in one.items() if key != "id"} for do, one in COMMANDS.items()}


@previews.view(
    "POST",
    "/preview",
    takes=RequestBody(TRIAL, TRIALS),
    answers={200: ResponseDoc("The effect", PreviewSchema, A_PREVIEW)},
    refuses=(*BODY_REFUSALS, *(code for code in COMMAND_REFUSALS if code != "id_reused")),
)
def preview() -> Response:
    """What a command would do.

    It is checked like the command, and nothing is stored. The `id` is optional. Previews have the same rate limit as
    commands; a preview of a very long game counts as several.
    """
    sessions.require_scorer(request)
    envelope, values = read_command({"id": ANY_ID} | json_object(request))
    del envelope["id"]
    director = sessions.is_director(request)
    access = sessions.current_access()
    rate = access.rates.check_preview(request, access.session_of(request.cookies).device)
    if rate.wait_s:
        rate.refuse()
    began_s = time.thread_time()
    try:
        return _preview(values, envelope, director=director)
    finally:
        rate.charge(int((time.thread_time() - began_s) / TAP_S))


def _preview(values: dict[str, Any], envelope: dict[str, Any], *, director: bool) -> Response:
    result = parts().scoreboard.preview(wire.command(values), director=director, **envelope)
    return json_response(_preview_values(result))


def _preview_values(one: Preview) -> dict[str, Any]:
    return {
        "state": view_as_json.snapshot(one.view),
        "entry": one.entry,
        "note": one.note,
        "game": one.game,
        "before": _board(one.before),
        "after": _board(one.after),
        "loses_win": one.loses_win,
    }


def _board(game: Game) -> dict[str, Any]:
    outcome = game.outcome
    return {
        "fronts": [lane.front for lane in game.lanes],
        "rears": [lane.rear for lane in game.lanes],
        "over": outcome is not None,
        "winner": None if outcome is None else outcome.winner,
        "skunks": [0] * game.rules.lanes if outcome is None else list(outcome.skunks),
    }
