"""The door for devices: pair with a code, unpair, and ask who one is."""

from typing import Any, get_args

from flask import Response, request
from marshmallow import RAISE, Schema, fields, validate

from pegboard.core.view import Reach
from web.access import sessions
from web.access.pairing_codes import LENGTH, InvalidCode
from web.access.sessions import VIEWER, Access, Session
from web.api.contract.answer_fields import Answered
from web.api.contract.fields import TrueOrFalse, read, taken
from web.api.contract.json_body import document
from web.api.contract.json_response import json_response
from web.api.contract.openapi import DocumentedBlueprint, RequestBody, ResponseDoc
from web.api.table import ASKING as SCORING
from web.api.table import LOOKING
from web.http.problems import Problem

LONGEST_TYPED = 40
"""Letters that a code is typed in, with all its blanks and dashes."""

ASKING = (*(code for code in SCORING if code != "not_paired"), "not_stored")
"""Refusals that any request with a body can meet; here nobody need be paired."""

NOT_THE_CODE = (
    "that is not the table's code, or no longer; look at the table again, it shows the newest; "
    "a director's is told anew by pegboard code director"
)
"""What is said to a wrong code; the table never shows a director's."""

ROLES = ["viewer", "scorer", "director"]

doors = DocumentedBlueprint("pairing", "Who may score: devices and their codes.")


class PairSchema(Schema):
    """A code that somebody has typed."""

    class Meta:
        """A field nobody knows is refused, never dropped."""

        unknown = RAISE

    code = fields.String(
        required=True,
        validate=validate.Length(LENGTH, LONGEST_TYPED),
        metadata=taken("the code that the table shows, such as 7KQ2AB, in any case, with or without blanks and dashes"),
    )


class UnpairSchema(Schema):
    """Who is to be unpaired."""

    class Meta:
        """A field nobody knows is refused, never dropped."""

        unknown = RAISE

    all = TrueOrFalse(load_default=False, metadata=taken("true for every device, false for the one that asks"))


class PassSchema(Answered):
    """As what a device asks."""

    role = fields.String(required=True, validate=validate.OneOf(ROLES))
    until = fields.Integer(
        required=True, allow_none=True, metadata={"description": "seconds since 1970; null where it does not end"}
    )


class MeSchema(PassSchema):
    """As what a device asks, and at what table."""

    open = fields.Boolean(required=True, metadata={"description": "whether everybody may score here, unpaired"})


class QrSchema(Answered):
    """A QR code."""

    size = fields.Integer(required=True, metadata={"description": "modules, quiet zone included"})
    path = fields.String(required=True, metadata={"description": "the dark modules, as the path of an SVG"})


class PairingSchema(Answered):
    """How a phone is paired now."""

    code = fields.String(
        required=True, allow_none=True, metadata={"description": "to be typed; null at an open table, which needs none"}
    )
    url = fields.String(required=True, metadata={"description": "the page that pairs; of an open table its score pad"})
    host = fields.String(required=True, metadata={"description": "the table's name or address, to be typed"})
    reach = fields.String(
        required=True,
        validate=validate.OneOf(get_args(Reach)),
        metadata={
            "description": "who reaches that address: everybody on the `network`; this `machine` alone, as the table is"
            " set; or this machine alone while it has no network, `offline`. A phone does on `network` only"
        },
    )
    qr = fields.Nested(
        QrSchema, required=True, allow_none=True, metadata={"description": "null where no phone reaches that address"}
    )
    command = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "what is typed on the table's machine to start it so that phones reach it, or null"},
    )
    until = fields.Integer(
        required=True, allow_none=True, metadata={"description": "when the code ends, in seconds since 1970"}
    )


@doors.view(
    "GET",
    "/me",
    answers={200: ResponseDoc("As what one asks", MeSchema, {"role": "scorer", "until": 1795043200, "open": False})},
    refuses=LOOKING,
)
def me() -> Response:
    """Who asks: a viewer, a scorer or a director."""
    here = sessions.current_access()
    return json_response(_told(here.session_of(request.cookies)) | {"open": here.is_open})


@doors.view(
    "POST",
    "/pair",
    takes=RequestBody(PairSchema, {"pair": {"code": "7KQ2AB"}}),
    answers={200: ResponseDoc("Paired, and a cookie says so", PassSchema, {"role": "scorer", "until": 1795043200})},
    refuses=(*ASKING, "wrong_code", "too_many_tries"),
)
def pair() -> Response:
    """Pair a device with the table.

    The cookie in the answer makes it a scorer, or a director with a director's code. A code counts once.
    """
    here = sessions.current_access()
    typed = read(PairSchema(), document(request), "a pairing")["code"]
    if here.is_open:
        return json_response(_told(Session("director")))
    here.check_pairing_rate(request)
    return _paired(here, typed)


@doors.view(
    "POST",
    "/unpair",
    takes=RequestBody(UnpairSchema, {"this one": {"all": False}, "every device": {"all": True}}),
    answers={200: ResponseDoc("Unpaired", PassSchema, {"role": "viewer", "until": None})},
    refuses=(*ASKING, "role"),
)
def unpair() -> Response:
    """Unpair the device that asks; or, as a director, every device, this one too."""
    here = sessions.current_access()
    if read(UnpairSchema(), document(request), "an unpairing")["all"]:
        if sessions.role(request) != "director":
            raise Problem(403, "role", "unpair_all")
        here.codes.unpair_all()
    response = json_response(_told(Session("director") if here.is_open else VIEWER))
    here.delete_cookie(response, secure=request.is_secure)
    return response


@doors.view(
    "GET",
    "/pairing",
    answers={
        200: ResponseDoc(
            "How a phone is paired now",
            PairingSchema,
            {"code": "7KQ2AB", "url": "http://192.168.1.7:8080/j/7KQ2AB", "host": "pegboard.local:8080"}
            | {"reach": "network", "qr": {"size": 33, "path": "M4 4h7v1H4z"}, "command": None, "until": 1795000600},
        )
    },
    refuses=(*LOOKING, "not_paired", "not_stored"),
)
def pairing() -> Response:
    """The code that pairs a phone: for the table's own machine, and for who is paired already."""
    here = sessions.current_access()
    sessions.require_code_viewer(request)
    return json_response(here.invitation())


def _paired(here: Access, typed: str) -> Response:
    try:
        role = here.codes.redeem(typed)
    except InvalidCode as error:
        raise Problem(422, "shape", error.message) from None
    if role is None:
        raise Problem(403, "wrong_code", "wrong_code")
    had = here.session_of(request.cookies)
    if had.role == "director" and role == "scorer":  # who directs loses nothing by it, and gains no time
        return json_response(_told(had))
    given, cookie = here.pair(role, had.device)
    response = json_response(_told(given))
    here.set_cookie(response, cookie, secure=request.is_secure)
    return response


def _told(given: Session) -> dict[str, Any]:
    return {"role": given.role, "until": None if given.until is None else int(given.until)}
