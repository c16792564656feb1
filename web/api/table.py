"""The JSON API: ask for the state or the sheet, ask for a command; a command is answered with the whole state."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

from flask import Response, request
from marshmallow import Schema

from pegboard.core import entry_state, snapshot, wire
from pegboard.core.view import View
from pegboard.errors import DeviceError, Moved, PegboardError
from pegboard.messages import Message
from pegboard.scoreboard import Receipt
from web.access import sessions
from web.api.bench_protocol import Bench
from web.api.contract import examples
from web.api.contract.commands import COMMAND_SCHEMAS, FaultSchema, PlugSchema, PressSchema, read_command
from web.api.contract.fields import load, quote
from web.api.contract.json_body import json_object
from web.api.contract.json_response import json_response, state_id
from web.api.contract.openapi import DocumentedBlueprint, RequestBody, ResponseDoc
from web.api.contract.service_health import HealthSchema
from web.api.contract.state import ReceiptSchema, SheetSchema, StateSchema
from web.api.parts import parts
from web.http.problems import STATUS, Problem

LOOKING = ("bad_host", "too_fast", "internal", "busy")
"""Refusals that any request can meet."""

ASKING = (*LOOKING, "not_json", "not_paired", "foreign_origin", "too_slow", "too_large", "media_type", "shape")
"""Refusals that any request with a body can meet."""

RULING = ("rule", "id_reused", "base_missing", "moved", "other_game", "over", "already", "role", "not_stored")
"""Refusals that a command can meet."""

ONE_COMMAND = {
    "oneOf": list(COMMAND_SCHEMAS.values()),
    "discriminator": {
        "propertyName": "do",
        "mapping": {
            do: f"#/components/schemas/{c.__name__.removesuffix('Schema')}" for do, c in COMMAND_SCHEMAS.items()
        },
    },
}

table = DocumentedBlueprint("table", "The table: its state, and what changes it.")
bench = DocumentedBlueprint("bench", "The workbench of mock mode.", prefix="/bench")


@table.view(
    "GET",
    "/state",
    answers={200: ResponseDoc("The state of the table", StateSchema, examples.STATE, etag=True)},
    refuses=LOOKING,
)
def state() -> Response:
    """The state of the table.

    The same as the data of each `state` event of `/events`.
    """
    view = parts().scoreboard.view
    return _answer(200, snapshot.snapshot(view), view)


@table.view(
    "GET",
    "/sheet",
    answers={200: ResponseDoc("The score sheet of a game", SheetSchema, examples.SHEET, etag=True)},
    refuses=(*LOOKING, "no_game"),
    query={"game": "the id of the game whose sheet is wanted: an earlier one of the match; else the running one"},
)
def sheet() -> Response:
    """The whole score sheet.

    Every line of the game, newest first, in the form that the state has for the newest ones.
    """
    view = parts().scoreboard.view
    wanted = request.args.get("game", view.id)
    game = parts().scoreboard.sheet(wanted)
    if game is None:
        raise Problem(404, "no_game", "no_game", game=quote(wanted), running=view.id)
    values = {"epoch": view.epoch, "revision": view.revision, "game": wanted, "revisions": list(game.revisions)}
    return _answer(200, values | {"entries": entry_state.entries_since(game, 0)}, view)


@table.view(
    "GET",
    "/health",
    answers={
        200: ResponseDoc("How displays, inputs, the program and its translations are", HealthSchema, examples.HEALTH)
    },
    refuses=LOOKING,
)
def health() -> Response:
    """How every display and input is, the program that keeps the score, and the translations of its pages."""
    view, service = parts().scoreboard.view, parts().service
    devices = [one.as_json() for one in service.devices.health]
    journal = {"epoch": view.epoch, "revision": view.revision}
    facts = {"version": service.version, "uptime_s": round(service.uptime_s(), 1), "viewers": service.viewers()}
    told = facts | {"stand_ins": parts().bench is not None, "journal": journal}
    return _answer(200, {"devices": devices, "service": told, "languages": parts().catalogs()})


@table.view(
    "POST",
    "/commands",
    takes=RequestBody(ONE_COMMAND, examples.COMMANDS),
    answers={
        201: ResponseDoc("Accepted and stored", ReceiptSchema, examples.RECEIPT, etag=True),
        200: ResponseDoc("It had been accepted before", ReceiptSchema, examples.REPEATED, etag=True),
    },
    refuses=(*ASKING, *RULING),
)
def command() -> Response:
    """Ask for a command.

    The `id` names the tap of a person: a repeat of the request is safe, and answered with 200.
    """
    sessions.require_scorer(request)
    envelope, values = read_command(json_object(request))
    turn = sessions.current_access().check_command_rate(request)
    if turn.wait_s and not parts().scoreboard.knows(envelope["id"]):
        turn.refuse()
    receipt = parts().scoreboard.handle(wire.command(values), source=_door(), director=_is_director(), **envelope)
    if receipt.replayed:
        turn.refund()
    return _receipt(receipt)


@bench.view(
    "GET",
    "",
    answers={200: ResponseDoc("Panel, strip, keys and buses", {"type": "object"})},
    refuses=(*LOOKING, "not_paired"),
)
def picture() -> Response:
    """What the devices show: to those who may see the code that pairs a phone, for the panel shows it."""
    sessions.require_code_viewer(request)
    return _answer(200, _bench().picture())


@bench.view(
    "POST",
    "/keys",
    takes=RequestBody(PressSchema, {"press": {"key": "a1", "level": "down"}}),
    answers={204: ResponseDoc("The key has moved")},
    refuses=ASKING,
)
def keys() -> Response:
    """Move a key."""
    asked = _asked_of_the_bench(PressSchema(), "a key")
    return _done(lambda: _bench().press(asked["key"], asked["level"]))


@bench.view(
    "POST",
    "/plugs",
    takes=RequestBody(PlugSchema, {"pull": {"device": "OLED", "plugged": False}}),
    answers={204: ResponseDoc("Plugged in, or pulled out")},
    refuses=ASKING,
)
def plugs() -> Response:
    """Plug a device in, or pull it out."""
    asked = _asked_of_the_bench(PlugSchema(), "a plug")
    return _done(lambda: _bench().plug(asked["device"], asked["plugged"]))


@bench.view(
    "POST",
    "/fault",
    takes=RequestBody(FaultSchema, {"hang": {"device": "OLED", "fault": "hang", "on": True}}),
    answers={204: ResponseDoc("It fails that way from now on, or no longer")},
    refuses=ASKING,
)
def fault() -> Response:
    """Have a device fail, or mend it."""
    asked = _asked_of_the_bench(FaultSchema(), "a fault")
    return _done(lambda: _bench().fault(asked["device"], asked["fault"], asked["on"]))


def conflict(error: PegboardError) -> dict[str, Any]:
    """What a refusal tells besides its sentence, so that a page can ask again at once."""
    if STATUS.get(error.code) != HTTPStatus.CONFLICT:
        return {}
    since = {"entries": error.entries} if isinstance(error, Moved) else {}
    return since | {"state": snapshot.snapshot(parts().scoreboard.view)}


def _bench() -> Bench:
    return cast("Bench", parts().bench)  # its views are there with a bench only


def _is_director() -> bool:
    return sessions.role(request) == "director"


def _door() -> str:
    """What the sheet calls the door: browsers tell their page's origin, programs do not."""
    return "phone" if "Origin" in request.headers else "program"


def _asked_of_the_bench(schema: Schema, what: str) -> dict[str, Any]:
    sessions.require_scorer(request)
    return load(schema, json_object(request), what)


def _done(act: Callable[[], None]) -> Response:
    try:
        act()
    except (DeviceError, ValueError) as error:
        raise Problem(422, "shape", _message_of(error)) from error
    return Response(status=204, headers={"Cache-Control": "no-store"})


def _message_of(error: Exception) -> Message:
    return error.message if isinstance(error, PegboardError) else Message("verbatim", text=error)


def _receipt(receipt: Receipt) -> Response:
    values = {"replayed": receipt.replayed, "entry": receipt.entry, "state": snapshot.snapshot(receipt.view)}
    note = {} if receipt.note is None else {"note": receipt.note}
    return _answer(200 if receipt.replayed else 201, values | note, receipt.view)


def _answer(status: int, values: dict[str, Any], view: View | None = None) -> Response:
    response = json_response(values, status)
    if view is not None:
        response.set_etag(state_id(view))
    return response
