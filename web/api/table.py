"""The API of the table: state, score sheet, health and alarms, and commands, each answered with the new state."""

from http import HTTPStatus
from typing import Any

from flask import Response, request
from marshmallow import validate

from pegboard.core import view_as_json, wire
from pegboard.core.view import Receipt, View
from pegboard.errors import Moved, PegboardError
from web.access import sessions
from web.api.conditional_responses import state_id
from web.api.contract import examples
from web.api.contract.commands import COMMAND_SCHEMAS, read_command
from web.api.contract.documented_endpoints import (
    ANY_REFUSALS,
    BODY_REFUSALS,
    DocumentedBlueprint,
    Parameter,
    RequestBody,
    ResponseDoc,
)
from web.api.contract.schema_fields import RequestSchema, StrictBoolean, describe, load, quote
from web.api.contract.service_health import HealthSchema
from web.api.contract.state import ReceiptSchema, SheetSchema, StateSchema
from web.api.contract.strict_json import json_object, json_response
from web.api.program_parts import parts
from web.http.problems import STATUS, Problem

COMMAND_REFUSALS = ("rule", "id_reused", "base_missing", "moved", "other_game", "over", "already", "role", "not_stored")
"""Codes of refusals that a command can meet."""

ONE_COMMAND = {
    "oneOf": list(COMMAND_SCHEMAS.values()),
    "discriminator": {
        "propertyName": "do",
        "mapping": {
            do: f"#/components/schemas/{c.__name__.removesuffix('Schema')}" for do, c in COMMAND_SCHEMAS.items()
        },
    },
}


class DismissSchema(RequestSchema):
    """Nothing: the path says which alarm."""


class MemorySchema(RequestSchema):
    """The wish to play on in memory."""

    memory = StrictBoolean(required=True, validate=validate.Equal(True), metadata=describe("true", enum=[True]))


table = DocumentedBlueprint("table", "The table: its state, and commands that change it.")


@table.view(
    "GET",
    "/state",
    answers={200: ResponseDoc("The state of the table", StateSchema, examples.STATE, etag=True)},
    refuses=ANY_REFUSALS,
)
def state() -> Response:
    """The state of the table.

    The same as the data of each `state` event of `/events`.
    """
    return _state_now()


def _state_now() -> Response:
    view = parts().scoreboard.view
    return _answer(200, view_as_json.snapshot(view), view)


@table.view(
    "GET",
    "/sheet",
    answers={200: ResponseDoc("The score sheet of a game", SheetSchema, examples.SHEET, etag=True)},
    refuses=(*ANY_REFUSALS, "no_game", "journal"),
    query={"game": "the id of an earlier game of the match (default: the current game)"},
)
def sheet() -> Response:
    """The whole score sheet.

    Every line of the game, newest first, in the same form as in the state.
    """
    view = parts().scoreboard.view
    wanted = request.args.get("game", view.id)
    game = parts().scoreboard.sheet(wanted)
    if game is None:
        raise Problem(404, "no_game", "no_game", game=quote(wanted), running=view.id)
    values = {"epoch": view.epoch, "revision": view.revision, "game": wanted, "revisions": list(game.revisions)}
    return _answer(200, values | {"entries": view_as_json.entries_since(game, 0)}, view)


@table.view(
    "GET",
    "/health",
    answers={
        200: ResponseDoc(
            "The health of displays, inputs, the program and its translations", HealthSchema, examples.HEALTH
        )
    },
    refuses=ANY_REFUSALS,
)
def health() -> Response:
    """The health of every display and input, of the program, and of the translations of its pages."""
    view, service = parts().scoreboard.view, parts().service
    program = {
        "version": service.version,
        "uptime_s": round(service.uptime_s(), 1),
        "viewers": service.viewers(),
        "stand_ins": parts().bench is not None,
        "stalls": service.stalls(),
        "open_to": sessions.current_access().exposure.address,
        "journal": {"epoch": view.epoch, "revision": view.revision},
    }
    devices = [one.as_json() for one in service.devices.health]
    alarms = [view_as_json.alarm_json(one) for one in view.alarms]
    values = {"devices": devices, "alarms": alarms, "service": program, "languages": parts().catalogs()}
    return _answer(200, values)


@table.view(
    "POST",
    "/alarms/<id>/dismiss",
    takes=RequestBody(DismissSchema, {"dismiss": {}}),
    answers={200: ResponseDoc("Dismissed on every screen", StateSchema, examples.STATE, etag=True)},
    refuses=(*BODY_REFUSALS, "role", "no_alarm", "lasts"),
    path={"id": Parameter("the id of the alarm, from the state", example="5d21c07e")},
)
def dismiss(id: str) -> Response:  # noqa: A002 - the contract's own word
    """Dismiss an alarm on every screen.

    Any scorer can; in a strict game only a director can dismiss an alarm about scores that may be lost.
    """
    sessions.require_scorer(request)
    load(DismissSchema(), json_object(request), "a request")
    scoreboard = parts().scoreboard
    alarm = next((one for one in scoreboard.view.alarms if one.id == id), None)
    if alarm is not None and alarm.director:
        sessions.require_director(sessions.role(request), "alarm_director")
    if alarm is not None and alarm.lasts:
        raise Problem(409, "lasts", "alarm_lasts")
    if not scoreboard.dismiss_alarm(id):
        raise Problem(404, "no_alarm", "alarm_unknown", id=quote(id))
    return _state_now()


@table.view(
    "POST",
    "/journal/memory",
    takes=RequestBody(MemorySchema, {"memory": {"memory": True}}),
    answers={
        200: ResponseDoc(
            "Scores are kept in memory only; every screen shows a warning", StateSchema, examples.STATE, etag=True
        )
    },
    refuses=(*BODY_REFUSALS, "role", "stores"),
)
def play_in_memory() -> Response:
    """Play in memory, as a director, while scores cannot be stored.

    Scores in memory are lost if the power fails; they are written when the disk works again.
    """
    sessions.require_director(sessions.role(request), "memory_director")
    load(MemorySchema(), json_object(request), "a request")
    if not parts().scoreboard.play_in_memory():
        raise Problem(409, "stores", "memory_not_needed")
    return _state_now()


@table.view(
    "POST",
    "/commands",
    takes=RequestBody(ONE_COMMAND, examples.COMMANDS),
    answers={
        201: ResponseDoc("Accepted and stored", ReceiptSchema, examples.RECEIPT, etag=True),
        200: ResponseDoc("Already accepted before", ReceiptSchema, examples.REPEATED, etag=True),
    },
    refuses=(*BODY_REFUSALS, *COMMAND_REFUSALS),
)
def command() -> Response:
    """Send a command.

    The `id` names one tap, so repeating the request is safe; the repeat is answered with 200.

    Only a director can rule on the pegs and start matches; in a strict game only a director can undo, redo, correct
    lines and names, and abandon the game.
    """
    sessions.require_scorer(request)
    envelope, values = read_command(json_object(request))
    scoreboard, access = parts().scoreboard, sessions.current_access()
    rate = access.rates.check_command(request, access.session_of(request.cookies).device)
    if rate.wait_s and scoreboard.receipt_of(envelope["id"]) is None:
        rate.refuse()
    director = sessions.is_director(request)
    source = "phone" if "Origin" in request.headers else "program"  # browsers send the origin of their page
    receipt = scoreboard.handle(wire.command(values), source=source, director=director, **envelope)
    if receipt.replayed:
        rate.refund()
    return _receipt(receipt)


@table.view(
    "GET",
    "/commands/<id>",
    answers={200: ResponseDoc("Stored", ReceiptSchema, examples.REPEATED, etag=True)},
    refuses=(*ANY_REFUSALS, "no_command", "not_stored"),
    path={"id": Parameter("the id of the command", example="Qm7vX2nLw0aTz5RkD1sYbg")},
)
def stored_command(id: str) -> Response:  # noqa: A002 - the contract's own word
    """Look up whether a command is stored.

    For a client that lost the response; unlike a repeat of the command, this never stores anything.
    """
    receipt = parts().scoreboard.receipt_of(id)
    if receipt is None:
        raise Problem(404, "no_command", "command_unknown", id=quote(id))
    return _receipt(receipt)


def conflict(error: PegboardError) -> dict[str, Any]:
    """Members of a refusal with 409: the state now, so that a page can repeat its command at once."""
    if STATUS.get(error.code) != HTTPStatus.CONFLICT:
        return {}
    since = {"entries": error.entries} if isinstance(error, Moved) else {}
    return since | {"state": view_as_json.snapshot(parts().scoreboard.view)}


def _receipt(receipt: Receipt) -> Response:
    values = {"replayed": receipt.replayed, "entry": receipt.entry, "state": view_as_json.snapshot(receipt.view)}
    note = {} if receipt.note is None else {"note": receipt.note}
    return _answer(200 if receipt.replayed else 201, values | note, receipt.view)


def _answer(status: int, values: dict[str, Any], view: View | None = None) -> Response:
    response = json_response(values, status)
    if view is not None:
        response.set_etag(state_id(view))
    return response
