"""The API that switches the table's machine off, where pegboard runs there as the installed service."""

from flask import Response, request
from marshmallow import fields, validate

from web.access import sessions
from web.api.contract.documented_endpoints import BODY_REFUSALS, DocumentedBlueprint, RequestBody, ResponseDoc
from web.api.contract.schema_fields import RequestSchema, ResponseSchema, StrictBoolean, describe, load
from web.api.contract.strict_json import json_object, json_response
from web.api.program_parts import parts
from web.http.problems import Problem

power = DocumentedBlueprint("power", tag="settings")


class PowerOffSchema(RequestSchema):
    """The wish to switch the machine off."""

    off = StrictBoolean(required=True, validate=validate.Equal(True), metadata=describe("true", enum=[True]))


class SwitchingSchema(ResponseSchema):
    """What becomes of it."""

    switching_off = fields.Boolean(required=True, metadata={"description": "true"})


EXAMPLE = {"switching_off": True}


@power.view(
    "POST",
    "/power",
    takes=RequestBody(PowerOffSchema, {"off": {"off": True}}),
    answers={200: ResponseDoc("The machine is shutting down; every display says so", SwitchingSchema, EXAMPLE)},
    refuses=(*BODY_REFUSALS, "role", "no_switch", "not_stored"),
)
def power_off() -> Response:
    """Shut down the table's machine, as a director, if `power_off` in the settings is true.

    Every score is already stored, and the game resumes at the next start.
    """
    sessions.require_director(sessions.role(request), "power_director")
    load(PowerOffSchema(), json_object(request), "a request")
    keys = parts().scoreboard.keys
    if not keys.power.is_there:
        raise Problem(404, "no_switch", "power_elsewhere")
    keys.power_off_now()
    return json_response(EXAMPLE)
