"""The API for pairing: pairing and unpairing devices, their list, the current pairing code, a device's role."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict, get_args

from flask import Response, request

from pegboard.core.view import Reach
from pegboard.values import Takes
from web.access import sessions
from web.access.invitation import QrJson
from web.access.paired_devices import VIEWER, PairedDevice, Session
from web.access.pairing_codes import LENGTH, InvalidCode
from web.access.sessions import Access
from web.http.client_address import address_of_request
from web.http.problems import Problem
from web.http.security_log import quote_text
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    BODY_REFUSALS,
    DocumentedBlueprint,
    RequestBody,
    ResponseDoc,
    json_object,
    json_response,
    load,
    quote,
)

LONGEST_CODE = 40
"""Maximum characters of a code as typed, with spaces and dashes."""

LONGEST_ID = 32
"""Maximum characters of a paired device's id; ours have 16."""

REFUSES = (*(code for code in BODY_REFUSALS if code != "not_paired"), "not_stored")
"""Error codes of requests to pair and unpair, which need no pairing."""

A_DEVICE = {
    "id": "9f2c07d1e4b85a36",
    "label": "Android, Firefox",
    "role": "scorer",
    "since": 1795000000,
    "seen": 1795003600,
    "until": 1795043200,
    "this": False,
}
"""A paired device, for the examples."""

pairings = DocumentedBlueprint("pairing", "Who can score: devices and pairing codes.")


@dataclass(frozen=True, slots=True)
class PairRequest:
    """A typed code."""

    code: Annotated[
        str,
        Takes(
            words="the code shown at the table, such as 7KQ2AB, in any case, with or without spaces and dashes",
            least=LENGTH,
            most=LONGEST_CODE,
        ),
    ]


@dataclass(frozen=True, slots=True)
class UnpairRequest:
    """The device to unpair, or all of them."""

    all: Annotated[bool, "true for every device, false for this one"] = False
    device: Annotated[
        str | None,
        Takes(
            words="the id of the device to unpair, from `/paired`; if omitted, `all` decides",
            least=1,
            most=LONGEST_ID,
        ),
    ] = None


class PassJson(TypedDict):
    """The role of a device."""

    role: Literal["viewer", "scorer", "director"]
    until: Annotated[int | None, "seconds since 1970; null if it does not expire"]


class MeJson(PassJson):
    """The role of a device, and whether the table is open."""

    open: Annotated[bool, "whether anyone can score without pairing"]


class PairedDeviceJson(TypedDict):
    """A paired device."""

    id: Annotated[str, "the id for `/unpair`"]
    label: Annotated[str, 'its system and browser, such as "Android, Firefox"; empty if unknown']
    role: Literal["scorer", "director"]
    since: Annotated[int, "time of pairing, in seconds since 1970"]
    seen: Annotated[int | None, "time of its last request, in seconds since 1970; null if none since the table started"]
    until: Annotated[int, "end of the pairing, in seconds since 1970"]
    this: Annotated[bool, "whether it is the device making this request"]


class PairedDevicesJson(TypedDict):
    """The paired devices."""

    devices: Annotated[list[PairedDeviceJson], "most recently paired first"]


class PairingJson(TypedDict):
    """The data for pairing a phone now."""

    code: Annotated[str | None, "the code to type; null at an open table"]
    url: Annotated[str, "the pairing page, or the score pad of an open table"]
    host: Annotated[str, "the table's name or address to type"]
    reach: Annotated[
        str,
        Takes(
            words=(
                "who can reach that address: everyone on the `network`, only this `machine` by its settings,"
                " or only this machine while it is `offline`; phones need `network`"
            ),
            one_of=tuple(get_args(Reach)),
        ),
    ]
    qr: Annotated[QrJson | None, "null if phones cannot reach that address"]
    command: Annotated[str | None, "the command that starts the table so that phones can reach it, or null"]
    until: Annotated[int | None, "end of the code's validity, in seconds since 1970"]


@pairings.view(
    "GET",
    "/me",
    answers={200: ResponseDoc("The device's role", MeJson, {"role": "scorer", "until": 1795043200, "open": False})},
    refuses=ANY_REFUSALS,
)
def me() -> Response:
    """The role of this device: viewer, scorer or director."""
    access = sessions.current_access()
    return json_response(_values(access.session_of(request.cookies)) | {"open": access.is_open})


@pairings.view(
    "POST",
    "/pair",
    takes=RequestBody(PairRequest, {"pair": {"code": "7KQ2AB"}}),
    answers={200: ResponseDoc("Paired; the response sets a cookie", PassJson, {"role": "scorer", "until": 1795043200})},
    refuses=(*REFUSES, "wrong_code", "too_many_tries", "too_many_paired"),
)
def pair() -> Response:
    """Pair a device with the table.

    The cookie in the response makes it a scorer, or a director with a director's code. A code works once.
    """
    access = sessions.current_access()
    code = load(PairRequest, json_object(request), "a request").code
    if access.is_open:
        return json_response(_values(Session("director")))
    try:
        session, cookie = access.pair_by_code(request, code, "wrong_code")
    except InvalidCode as error:
        raise Problem(422, "shape", error.message) from None
    response = json_response(_values(session))
    if cookie:
        _log(access, f"paired device {session.device} as a {session.role}, by its code")
        access.set_cookie(response, cookie, secure=request.is_secure)
    return response


@pairings.view(
    "POST",
    "/unpair",
    takes=RequestBody(
        UnpairRequest,
        {"this one": {"all": False}, "another": {"device": A_DEVICE["id"]}, "every device": {"all": True}},
    ),
    answers={200: ResponseDoc("Unpaired", PassJson, {"role": "viewer", "until": None})},
    refuses=(*REFUSES, "role", "no_device"),
)
def unpair() -> Response:
    """Unpair this device; a director can also unpair another device, or all of them."""
    access = sessions.current_access()
    chosen = load(UnpairRequest, json_object(request), "a request")
    before = access.session_of(request.cookies)
    if chosen.all:
        if not sessions.is_director(request):
            raise Problem(403, "role", "unpair_all")
        access.unpair_all()
        _log(access, f"unpaired all devices, by device {before.device or 'none'}")
    elif chosen.device not in (None, before.device):
        return _unpair_another(access, chosen.device)
    elif before.device:
        access.unpair(before.device)
        _log(access, f"unpaired device {before.device}, by itself")
    response = json_response(_values(Session("director") if access.is_open else VIEWER))
    access.delete_cookie(response, secure=request.is_secure)
    return response


@pairings.view(
    "GET",
    "/paired",
    answers={200: ResponseDoc("The paired devices", PairedDevicesJson, {"devices": [A_DEVICE]})},
    refuses=(*ANY_REFUSALS, "not_paired", "role"),
)
def list_paired() -> Response:
    """The paired devices; only for a director."""
    access = sessions.current_access()
    sessions.require_director(sessions.role(request), "see_paired")
    this = access.session_of(request.cookies).device
    return json_response({"devices": [_device_values(access, one, this) for one in access.devices]})


@pairings.view(
    "GET",
    "/pairing",
    answers={
        200: ResponseDoc(
            "How to pair a phone now",
            PairingJson,
            {"code": "7KQ2AB", "url": "http://192.168.1.7:8080/j/7KQ2AB", "host": "pegboard.local:8080"}
            | {"reach": "network", "qr": {"size": 33, "path": "M4 4h7v1H4z"}, "command": None, "until": 1795000600},
        )
    },
    refuses=(*ANY_REFUSALS, "not_paired", "not_stored"),
)
def pairing() -> Response:
    """The code that pairs a phone; for the table's own machine and paired devices."""
    access = sessions.current_access()
    sessions.require_code_viewer(request)
    return json_response(access.invitation())


def _unpair_another(access: Access, device: str) -> Response:
    if not sessions.is_director(request):
        raise Problem(403, "role", "unpair_another")
    if access.unpair(device) is None:
        raise Problem(404, "no_device", "no_such_device", device=quote(device))
    own = access.session_of(request.cookies)
    _log(access, f"unpaired device {quote_text(device)}, by device {own.device or 'none'}")
    return json_response(_values(own))


def _log(access: Access, about: str) -> None:
    access.security_log.note_pairing(address_of_request(request), about)


def _device_values(access: Access, device: PairedDevice, this: str) -> dict[str, Any]:
    seen = access.last_seen(device)
    return {
        "id": device.id,
        "label": device.label,
        "role": device.role,
        "since": int(access.codes.as_wall_time(device.since)),
        "seen": None if seen is None else int(access.codes.as_wall_time(seen)),
        "until": int(access.codes.as_wall_time(device.since + access.paired_s)),
        "this": device.id == this,
    }


def _values(session: Session) -> dict[str, Any]:
    until = session.until
    ends = None if until is None else int(sessions.current_access().codes.as_wall_time(until))
    return {"role": session.role, "until": ends}
