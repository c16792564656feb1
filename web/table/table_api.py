"""The API of the table: state, score sheet, health, alarms, playing in memory, commands, and previews of commands."""

import json
import time
from dataclasses import dataclass
from http import HTTPStatus
from typing import Annotated, Any, TypedDict

from flask import Response, request

from pegboard.core import view_as_json
from pegboard.core.board import Game
from pegboard.core.faults import FAULT_RULES, FaultName, Until
from pegboard.core.view import Receipt, View
from pegboard.errors import Moved, PegboardError
from pegboard.values import strict
from web.access import sessions
from web.http.problems import STATUS, Problem
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    BODY_REFUSALS,
    DocumentedBlueprint,
    MustBeTrue,
    Parameter,
    RequestBody,
    ResponseDoc,
    json_object,
    json_response,
    load,
    quote,
)
from web.kit.openapi_writer import MessageJson
from web.table import openapi_document
from web.table.openapi_document import COMMANDS, STATE
from web.table.program_parts import parts, state_id, state_text
from web.table.schemas import (
    AlarmJson,
    FaultsJson,
    ReceiptJson,
    SheetJson,
    StateJson,
    command_schema,
    read_command,
)

# --- schemas of the health report: displays and inputs, the running program, and its translations ---


class HealthOfDeviceJson(TypedDict):
    """The health of a display or an input."""

    name: str
    about: Annotated[str, "how it is connected"]
    ok: Annotated[bool, "whether it works"]
    failing_since: Annotated[float | None, "time of the first error in a row, in seconds since 1970"]
    trouble: Annotated[str | None, "the latest error, and what to do about it if known"]
    about_message: Annotated[MessageJson | None, "`about` as a message, if it is one"]
    trouble_message: Annotated[MessageJson | None, "`trouble` as a message, if it is one"]
    retries: Annotated[int, "retries since the first error in a row"]
    frames: Annotated[int, "total pictures shown"]
    errors: Annotated[int, "total errors"]
    acknowledges: Annotated[
        bool, "whether the device acknowledges data; SPI devices do not, so their `ok` only says that data was sent"
    ]


class JournalJson(TypedDict):
    """The journal's id and newest event."""

    epoch: str
    revision: Annotated[int, "the number of its newest event"]


class StallJson(TypedDict):
    """A part of the program that has stalled."""

    part: Annotated[str, "one of scoring, committing, answering, scores, pages, keys, display, main_loop"]
    name: Annotated[str, "the name, if there are several; otherwise empty"]
    seconds: Annotated[float, "how long it has been stuck"]
    restarts: Annotated[bool, "whether the service restarts unless it recovers"]
    trouble: Annotated[str, "what is stuck, in words"]
    trouble_message: Annotated[MessageJson, "`trouble` as a message"]


class ServiceJson(TypedDict):
    """The running program."""

    version: str
    uptime_s: Annotated[float, "seconds since the start"]
    viewers: Annotated[int, "number of open live event streams"]
    stand_ins: Annotated[bool, "whether displays and inputs are simulated"]
    stalls: Annotated[list[StallJson], "every part that is stuck"]
    open_to: Annotated[
        str | None,
        "for an open table: the address at which it can be reached from the internet, or that of a client from the"
        " internet; null if neither is known",
    ]
    journal: JournalJson


class CatalogFaultJson(MessageJson):
    """An error in a translation of the pages."""

    line: Annotated[int | None, "the line of the file; null for the whole file"]
    reason: Annotated[str, "the error, and what is expected"]


class CatalogJson(TypedDict):
    """A translation file of the pages."""

    file: Annotated[str, "the file name, such as de.json"]
    language: Annotated[str | None, "the language's own name; null if the file is not used"]
    missing: Annotated[int, "number of texts that are missing or wrong and shown in English"]
    faults: Annotated[int, "number of errors"]
    first_faults: Annotated[list[CatalogFaultJson], "the first five errors, by line"]


class HealthJson(TypedDict):
    """The whole health report."""

    devices: Annotated[list[HealthOfDeviceJson], "every display and input"]
    alarms: Annotated[list[AlarmJson], "all alarms that are not dismissed: lasting ones first, then newest first"]
    service: ServiceJson
    languages: Annotated[list[CatalogJson], "every translation of the pages"]


COMMAND_REFUSALS = ("rule", "id_reused", "base_missing", "moved", "other_game", "over", "already", "role", "not_stored")
"""Error codes of a command."""


@dataclass(frozen=True, slots=True)
class DismissRequest:
    """An empty body; the path names the alarm."""


@dataclass(frozen=True, slots=True)
class MemoryRequest:
    """A request to play on in memory."""

    memory: MustBeTrue


table = DocumentedBlueprint("table", "The table: its state, and commands that change it.")


@table.view(
    "GET",
    "/state",
    answers={200: ResponseDoc("The state of the table", StateJson, openapi_document.STATE, etag=True)},
    refuses=ANY_REFUSALS,
)
def state() -> Response:
    """The state of the table.

    The same as the data of each `state` event of `/events`.
    """
    return _state_now()


def _state_now() -> Response:
    view = parts().scoreboard.view
    return _of_state(json_response(state_text(view)), view)


@table.view(
    "GET",
    "/sheet",
    answers={200: ResponseDoc("The score sheet of a game", SheetJson, openapi_document.SHEET, etag=True)},
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
    return _of_state(json_response(values | {"entries": view_as_json.entries_since(game, 0)}), view)


@table.view(
    "GET",
    "/faults",
    answers={
        200: ResponseDoc(
            "The common faults",
            FaultsJson,
            {"faults": [{"fault": FaultName.NOT_CUT, "points": 2, "until": Until.LOOKED}]},
        )
    },
    refuses=ANY_REFUSALS,
)
def faults() -> Response:
    """The common faults by the rules of the current game, each with its award and its deadline."""
    rules = parts().scoreboard.view.game.rules
    usual = [{"fault": fault, "points": rules.award(fault), "until": rules.deadline(fault)} for fault in FAULT_RULES]
    return json_response({"faults": usual})


@table.view(
    "GET",
    "/health",
    answers={
        200: ResponseDoc(
            "The health of displays, inputs, the program and its translations", HealthJson, openapi_document.HEALTH
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
    return json_response(values)


@table.view(
    "POST",
    "/alarms/<id>/dismiss",
    takes=RequestBody(DismissRequest, {"dismiss": {}}),
    answers={200: ResponseDoc("Dismissed on every screen", StateJson, openapi_document.STATE, etag=True)},
    refuses=(*BODY_REFUSALS, "role", "no_alarm", "lasts"),
    path={"id": Parameter("the id of the alarm, from the state", example="5d21c07e")},
)
def dismiss(id: str) -> Response:  # noqa: A002 - the API's own word
    """Dismiss an alarm on every screen.

    Any scorer can; in a strict game only a director can dismiss an alarm about scores that may be lost.
    """
    sessions.require_scorer(request)
    load(DismissRequest, json_object(request), "a request")
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
    takes=RequestBody(MemoryRequest, {"memory": {"memory": True}}),
    answers={
        200: ResponseDoc(
            "Scores are kept in memory only; every screen shows a warning",
            StateJson,
            openapi_document.STATE,
            etag=True,
        )
    },
    refuses=(*BODY_REFUSALS, "role", "stores"),
)
def play_in_memory() -> Response:
    """Play in memory, as a director, while scores cannot be stored.

    Scores in memory are lost if the power fails; they are written when the disk works again.
    """
    sessions.require_director(sessions.role(request), "memory_director")
    load(MemoryRequest, json_object(request), "a request")
    if not parts().scoreboard.play_in_memory():
        raise Problem(409, "stores", "memory_not_needed")
    return _state_now()


@table.view(
    "POST",
    "/commands",
    takes=RequestBody(command_schema, openapi_document.COMMANDS),
    answers={
        201: ResponseDoc("Accepted and stored", ReceiptJson, openapi_document.RECEIPT, etag=True),
        200: ResponseDoc("Already accepted before", ReceiptJson, openapi_document.REPEATED, etag=True),
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
    envelope, move = read_command(json_object(request))
    scoreboard = parts().scoreboard
    rate = sessions.current_access().rates.check_command(request, sessions.device(request))
    if rate.wait_s and scoreboard.receipt_of(envelope["id"]) is None:
        rate.refuse()
    director = sessions.is_director(request)
    source = "phone" if "Origin" in request.headers else "program"  # browsers send their page's origin
    receipt = scoreboard.handle(move, source=source, director=director, **envelope)
    if receipt.replayed:
        rate.refund()
    return _receipt(receipt)


@table.view(
    "GET",
    "/commands/<id>",
    answers={200: ResponseDoc("Stored", ReceiptJson, openapi_document.REPEATED, etag=True)},
    refuses=(*ANY_REFUSALS, "no_command", "not_stored"),
    path={"id": Parameter("the id of the command", example="Qm7vX2nLw0aTz5RkD1sYbg")},
)
def stored_command(id: str) -> Response:  # noqa: A002 - the API's own word
    """Look up whether a command is stored.

    For a client that lost the response; unlike a repeat of the command, this never stores anything.
    """
    receipt = parts().scoreboard.receipt_of(id)
    if receipt is None:
        raise Problem(404, "no_command", "command_unknown", id=quote(id))
    return _receipt(receipt)


def conflict(error: PegboardError) -> dict[str, Any]:
    """Extra members of a 409 response: the current state, so that a page can repeat its command at once."""
    if STATUS.get(error.code) != HTTPStatus.CONFLICT:
        return {}
    since = {"entries": error.entries} if isinstance(error, Moved) else {}
    return since | {"state": view_as_json.snapshot(parts().scoreboard.view)}


def _receipt(receipt: Receipt) -> Response:
    replayed, entry = json.dumps(receipt.replayed), json.dumps(receipt.entry)
    note = "" if receipt.note is None else f',"note":{json.dumps(receipt.note, ensure_ascii=False)}'
    text = f'{{"replayed":{replayed},"entry":{entry},"state":{state_text(receipt.view)}{note}}}'
    return _of_state(json_response(text, 200 if receipt.replayed else 201), receipt.view)


def _of_state(response: Response, view: View) -> Response:
    """The response with an ETag that names the state of the table."""
    response.set_etag(state_id(view))
    return response


# --- API of previews: the effect of a command, without storing anything ---


previews = DocumentedBlueprint("previews", tag="history")

ANY_ID = "preview-of-a-tap"
"""A dummy id, because the command's schema requires one and a preview may omit it."""

TAP_S = 0.02
"""CPU seconds of a preview that count as one tap; slower previews count as several."""


@strict
class BoardJson(TypedDict):
    """A game's board."""

    fronts: Annotated[list[int], "by lane: the hole of the front peg"]
    rears: Annotated[list[int], "by lane: the hole of the rear peg"]
    over: Annotated[bool, "whether the game is over"]
    winner: Annotated[int | None, "the lane that won, or null"]
    skunks: Annotated[list[int], "by lane: how many skunk lines it did not pass"]


@strict
class PreviewJson(TypedDict):
    """The effect that a command would have."""

    state: StateJson
    entry: Annotated[str | None, "the line it would add or change, or null"]
    note: Annotated[str | None, "what a correction would leave unchanged, in words, or null"]
    game: Annotated[str, "the game's id"]
    before: BoardJson
    after: BoardJson
    loses_win: Annotated[int | None, "the lane that would lose its win, or null; ask before sending it"]


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
    answers={200: ResponseDoc("The effect", PreviewJson, A_PREVIEW)},
    refuses=(*BODY_REFUSALS, *(code for code in COMMAND_REFUSALS if code != "id_reused")),
)
def preview() -> Response:
    """Preview the effect of a command.

    The preview is checked like the command, and nothing is stored. The `id` is optional. Previews have the same rate
    limit as commands; a preview of a very long game counts as several.
    """
    sessions.require_scorer(request)
    envelope, move = read_command({"id": ANY_ID} | json_object(request))
    del envelope["id"]
    director = sessions.is_director(request)
    rate = sessions.current_access().rates.check_preview(request, sessions.device(request))
    if rate.wait_s:
        rate.refuse()
    began_s = time.thread_time()
    try:
        one = parts().scoreboard.preview(move, director=director, **envelope)
        return json_response(
            {
                "state": view_as_json.snapshot(one.view),
                "entry": one.entry,
                "note": one.note,
                "game": one.game,
                "before": _board(one.before),
                "after": _board(one.after),
                "loses_win": one.loses_win,
            }
        )
    finally:
        rate.charge(int((time.thread_time() - began_s) / TAP_S))


def _board(game: Game) -> dict[str, Any]:
    outcome = game.outcome
    return {
        "fronts": [lane.front for lane in game.lanes],
        "rears": [lane.rear for lane in game.lanes],
        "over": outcome is not None,
        "winner": None if outcome is None else outcome.winner,
        "skunks": [0] * game.rules.lanes if outcome is None else list(outcome.skunks),
    }
