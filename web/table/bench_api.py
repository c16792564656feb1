"""The API of mock mode's workbench: its picture, keys, plugs and faults."""

from collections.abc import Callable
from typing import Any, cast

from flask import Response, request
from marshmallow import Schema, fields, validate

from pegboard.errors import DeviceError, PegboardError
from pegboard.messages import Message
from web.access import sessions
from web.http.problems import Problem
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    BODY_REFUSALS,
    DocumentedBlueprint,
    RequestBody,
    ResponseDoc,
    StrictBoolean,
    describe,
    json_object,
    json_response,
    load,
)
from web.table.program_parts import Bench, parts

workbench = DocumentedBlueprint("bench", "The bench of simulated hardware.", prefix="/bench")


class PressSchema(Schema):
    """A key of the bench goes down or up."""

    key = fields.String(
        required=True, validate=validate.Length(1, 32), metadata=describe("the name of a key, such as a1, undo or deal")
    )
    level = fields.String(required=True, validate=validate.OneOf(["down", "up"]), metadata=describe('"down" or "up"'))


class PlugSchema(Schema):
    """A device of the bench is plugged in or pulled out."""

    device = fields.String(
        required=True, validate=validate.Length(1, 32), metadata=describe("the name of a device on the bench")
    )
    plugged = StrictBoolean(required=True, metadata=describe("true or false"))


class FaultSchema(Schema):
    """A device of the bench begins to fail, or works again."""

    device = fields.String(
        required=True, validate=validate.Length(1, 32), metadata=describe("the name of a device on the bench")
    )
    fault = fields.String(
        required=True, validate=validate.Length(1, 32), metadata=describe("the name of a fault of the device")
    )
    on = StrictBoolean(required=True, metadata=describe("true or false"))


@workbench.view(
    "GET",
    "",
    answers={200: ResponseDoc("Panel, strip, keys and buses", {"type": "object"})},
    refuses=(*ANY_REFUSALS, "not_paired"),
)
def picture() -> Response:
    """What the simulated hardware shows; only for clients that can see the pairing code, which is on the panel."""
    sessions.require_code_viewer(request)
    return json_response(_bench().picture())


@workbench.view(
    "POST",
    "/keys",
    takes=RequestBody(PressSchema, {"press": {"key": "a1", "level": "down"}}),
    answers={204: ResponseDoc("The key moved")},
    refuses=BODY_REFUSALS,
)
def keys() -> Response:
    """Press or release a key."""
    values = _load(PressSchema(), "a key")
    return _do(lambda: _bench().press(values["key"], values["level"]))


@workbench.view(
    "POST",
    "/plugs",
    takes=RequestBody(PlugSchema, {"pull": {"device": "OLED", "plugged": False}}),
    answers={204: ResponseDoc("Plugged in or unplugged")},
    refuses=BODY_REFUSALS,
)
def plugs() -> Response:
    """Plug in or unplug a device."""
    values = _load(PlugSchema(), "a plug")
    return _do(lambda: _bench().plug(values["device"], values["plugged"]))


@workbench.view(
    "POST",
    "/fault",
    takes=RequestBody(FaultSchema, {"hang": {"device": "OLED", "fault": "hang", "on": True}}),
    answers={204: ResponseDoc("The fault is on or off")},
    refuses=BODY_REFUSALS,
)
def fault() -> Response:
    """Turn a fault of a device on or off."""
    values = _load(FaultSchema(), "a fault")
    return _do(lambda: _bench().fault(values["device"], values["fault"], values["on"]))


def _bench() -> Bench:
    return cast("Bench", parts().bench)  # these views are only registered with a bench


def _load(schema: Schema, what: str) -> dict[str, Any]:
    sessions.require_scorer(request)
    return load(schema, json_object(request), what)


def _do(act: Callable[[], None]) -> Response:
    try:
        act()
    except (DeviceError, ValueError) as error:
        message = error.message if isinstance(error, PegboardError) else Message("verbatim", text=error)
        raise Problem(422, "shape", message) from error
    return Response(status=204, headers={"Cache-Control": "no-store"})
