"""The API for joining: directors by code, players at check-in or by score card, tables by six digits."""

from typing import Annotated, Any, NotRequired, TypedDict

from flask import Response, request

from pegboard.errors import Already, RuleError
from pegboard.messages import escape_control
from pegboard.tournament.night.facts import PlayerEntered
from pegboard.tournament.night.night_state import Author, Presence, Role
from pegboard.values import Takes
from web.access import sessions
from web.access.pairing_codes import LENGTH, InvalidCode
from web.access.sessions import current_access
from web.http.client_address import address_of_request, is_local_request
from web.http.problems import Problem
from web.hub.hub_answers import (
    CodePageJson,
    DirectorCodeJson,
    DirectorsJson,
    DoorJson,
    EventIdJson,
    GuestsJson,
    JoinedJson,
    OwnRoleJson,
    PlayersPhoneJson,
    RoleJson,
)
from web.hub.hub_openapi import (
    A_REQUEST,
    AT_EVENT,
    AT_PLAYER,
    EVENT,
    OF_ANY,
    OF_DIRECTOR,
    OF_POST,
    STARTED_MS,
    EventRef,
    RequestId,
    any_text,
    load_leniently,
    text_or_empty,
)
from web.hub.hub_parts import Json, hub_parts
from web.hub.night_api import require_director, require_id
from web.kit.documented_endpoints import (
    DocumentedBlueprint,
    Parameter,
    RequestBody,
    ResponseDoc,
    json_object,
    json_response,
)

LATEST_NIGHTS = 10
"""Maximum events whose score cards are valid; a wrong code is compared with all of their codes."""

joining_api = DocumentedBlueprint("joining", "Who takes part: directors, players and tables.", root="")


class CodeRequest(TypedDict):
    """A code as typed or scanned."""

    code: Annotated[str, any_text("the code, in any case, with or without spaces and dashes")]


A_CODE = {"code": "7KQ2AB"}

CODE_BODY = RequestBody(CodeRequest, {"code": A_CODE})

OF_CODE = (*OF_POST, "wrong_code", "too_many_tries")
"""Error codes of a request with a code."""


def _address(path: str) -> Json:
    """A page's address, for the examples."""
    qr = {"size": 33, "path": "M4 4h7v1H4z"}
    return {"url": f"http://192.168.1.20:8090/{path}", "host": "hub.local:8090", "reach": "network", "qr": qr} | {
        "command": None
    }


# --- directors ---


class DeviceRequest(TypedDict):
    """The device to unpair."""

    device: NotRequired[
        Annotated[str, text_or_empty("the device's id, from `/night/v1/directors`; if left out, this device")]
    ]


@joining_api.view(
    "GET",
    "/night/v1/me",
    answers={200: ResponseDoc("The role", OwnRoleJson, {"role": "viewer", "open": False})},
    refuses=OF_ANY,
)
def me() -> Response:
    """Whether the client is a director."""
    access = current_access()
    return json_response({"role": _role(), "open": access.is_open})


@joining_api.view(
    "POST",
    "/night/v1/pair",
    takes=CODE_BODY,
    answers={200: ResponseDoc("Paired; the response sets a cookie", RoleJson, {"role": "director"})},
    refuses=(*OF_CODE, "too_many_paired"),
)
def pair() -> Response:
    """Pair a director's device by a code, which works once."""
    access = current_access()
    code = load_leniently(CodeRequest, json_object(request))["code"]
    if access.is_open:
        return json_response({"role": "director"})
    try:
        session, cookie = access.pair_by_code(request, code, "desk_director_code", only="director")
    except InvalidCode:
        raise Problem(422, "shape", "desk_code_form", length=LENGTH) from None
    access.security_log.note_pairing(address_of_request(request), f"paired device {session.device} as a director")
    response = json_response({"role": "director"})
    access.set_cookie(response, cookie, secure=request.is_secure)
    return response


@joining_api.view(
    "POST",
    "/night/v1/unpair",
    takes=RequestBody(DeviceRequest, {"this one": {}, "another": {"device": "9f2c07d1e4b85a36"}}),
    answers={200: ResponseDoc("Unpaired", RoleJson, {"role": "viewer"})},
    refuses=(*OF_POST, "not_paired", "no_device"),
)
def unpair() -> Response:
    """Unpair a director's device: the client's own, or the device named."""
    access = current_access()
    body = load_leniently(DeviceRequest, json_object(request))
    own = sessions.device(request)
    device = body["device"] or own
    if device != own:
        require_director()
    if device and access.unpair(device) is None:
        raise Problem(404, "no_device", "no_such_device", device=repr(device[:32]))
    response = json_response({"role": _role()})
    if device == own:
        access.delete_cookie(response, secure=request.is_secure)
    return response


@joining_api.view(
    "GET",
    "/night/v1/directors",
    answers={
        200: ResponseDoc(
            "The devices",
            DirectorsJson,
            {"directors": [{"device": "9f2c07d1e4b85a36", "label": "Android, Firefox", "this": True}]},
        )
    },
    refuses=(*OF_ANY, "not_paired"),
)
def list_directors() -> Response:
    """The devices of directors."""
    require_director()
    own = sessions.device(request)
    rows = [{"device": one.id, "label": one.label, "this": one.id == own} for one in current_access().devices]
    return json_response({"directors": rows})


@joining_api.view(
    "POST",
    "/night/v1/directors/code",
    answers={200: ResponseDoc("The code", DirectorCodeJson, A_CODE | {"until": 1795000600} | _address("j/7KQ2AB"))},
    refuses=(*OF_ANY, "not_paired", "foreign_origin"),
)
def make_director_code() -> Response:
    """A code for another director, with the address and QR code of its page."""
    require_director()
    code = current_access().codes.director()
    until = int(current_access().codes.as_wall_time(code.until))
    return json_response({"code": code.text, "until": until} | hub_parts().address_of(f"j/{code.text}"))


def _role() -> str:
    return "director" if sessions.is_director(request) else "viewer"


# --- players ---


def _typed_text(words: str) -> Takes:
    """A text in which blanks are collapsed; other values mean an empty text."""
    return Takes(words=words, read=_collapse)


def _collapse(value: Any) -> str:
    return escape_control(" ".join(value.split())) if isinstance(value, str) else ""


class ArrivalRequest(TypedDict):
    """A person at check-in: a player on the roster, or someone new by name."""

    id: RequestId
    code: Annotated[str, any_text("the check-in code")]
    player: NotRequired[Annotated[str, _typed_text("the id of a player on the roster")]]
    name: NotRequired[Annotated[str, _typed_text("the name of someone who is not on the roster")]]
    number: NotRequired[Annotated[str, _typed_text("their association number, if any")]]
    partner: NotRequired[Annotated[str, _typed_text("their partner's name, if they play as a pair")]]


class ForgetRequest(TypedDict):
    """The event whose player the phone must forget."""

    night: EventRef


A_PLAYER = {"night": EVENT, "player": "p2"}


@joining_api.view(
    "GET",
    "/night/v1/<night>/door",
    path=AT_EVENT,
    answers={200: ResponseDoc("The code", DoorJson, A_CODE | {"until": STARTED_MS + 40_000} | _address("d/7KQ2AB"))},
    refuses=OF_DIRECTOR,
)
def show_door(night: str) -> Response:
    """The check-in code of this minute, with its address and QR code."""
    require_director()
    access = hub_parts().access
    hub_parts().nights.night(night)
    code = access.door_code(night)
    return json_response({"code": code, "until": access.door_until_ms()} | hub_parts().address_of(f"d/{code}"))


@joining_api.view(
    "GET",
    "/night/v1/<night>/players/<player>/code",
    path=AT_PLAYER,
    answers={200: ResponseDoc("The code", CodePageJson, A_CODE | _address("p/7KQ2AB"))},
    refuses=(*OF_ANY, "not_paired"),
)
def show_player_code(night: str, player: str) -> Response:
    """The code that makes a phone the player's, with its address and QR code."""
    require_director()
    code = hub_parts().access.player_code(night, player)
    return json_response({"code": code} | hub_parts().address_of(f"p/{code}"))


@joining_api.view(
    "POST",
    "/night/v1/<night>/players/<player>/code",
    path=AT_PLAYER,
    answers={200: ResponseDoc("The new code", CodePageJson, A_CODE | _address("p/7KQ2AB"))},
    refuses=(*OF_DIRECTOR, "no_player", "foreign_origin"),
)
def renew_player_code(night: str, player: str) -> Response:
    """A new code for a player; disconnects the player's phones."""
    require_director()
    found = hub_parts().nights.night(night).players.get(player)
    if found is None:
        raise Problem(404, "no_player", "desk_no_such_player")
    hub_parts().access.disconnect_phones(night, player)
    return show_player_code(night, player)


@joining_api.view(
    "POST",
    "/night/v1/door/list",
    takes=CODE_BODY,
    answers={
        200: ResponseDoc(
            "The event",
            GuestsJson,
            {"name": "Club night", "format": "singles", "players": [{"player": "p2", "name": "Bob"}]},
        )
    },
    refuses=OF_CODE,
)
def list_guests() -> Response:
    """The event of a check-in code, and the players on its roster who are not here yet."""
    night = night_at_door(load_leniently(CodeRequest, json_object(request))["code"])
    found = hub_parts().nights.night(night)
    guests = [one for one in found.players.values() if one.presence is Presence.ENTERED]
    name = night if found.opened is None else found.opened.name
    players = [{"player": one.player, "name": one.display_name} for one in guests]
    return json_response({"name": name, "format": found.rules.format, "players": players})


@joining_api.view(
    "POST",
    "/night/v1/door",
    takes=RequestBody(
        ArrivalRequest,
        {"roster": A_CODE | {"id": A_REQUEST, "player": "p2"}, "new": A_CODE | {"id": A_REQUEST, "name": "Cy"}},
    ),
    answers={200: ResponseDoc("Checked in; the response sets a cookie", PlayersPhoneJson, A_PLAYER)},
    refuses=(*OF_CODE, "no_player", "name_twice", "here", "rule", "id_reused"),
)
def check_in() -> Response:
    """Check in a player from the roster, or someone new by name.

    From then on the phone is that player's, unless they are already checked in.
    """
    body = load_leniently(ArrivalRequest, json_object(request))
    own, night = require_id(body["id"]), night_at_door(body["code"])
    if body["name"]:
        current_access().rates.check_new_name(request)
        try:
            return _enter(night, body, own)
        except RuleError as error:
            if error.message.key != "night_name_twice":
                raise
            raise Problem(409, "name_twice", "desk_name_twice", name=error.message.values["name"]) from None
    known = hub_parts().nights.night(night).players.get(body["player"])
    if known is None:
        raise Problem(404, "no_player", "desk_no_such_player")
    try:
        return _check_in_player(night, body["player"], own)
    except Already:
        raise Problem(409, "here", "desk_here_already", name=known.display_name) from None


@joining_api.view(
    "POST",
    "/night/v1/card",
    takes=CODE_BODY,
    answers={200: ResponseDoc("The player; the response sets a cookie", PlayersPhoneJson, A_PLAYER)},
    refuses=OF_CODE,
)
def redeem_card() -> Response:
    """Assign this phone to the player whose score card has the code."""
    access = hub_parts().access
    night, player = player_by_code(load_leniently(CodeRequest, json_object(request))["code"])
    response = json_response({"night": night, "player": player})
    access.remember_player(response, night, player, secure=request.is_secure)
    return response


@joining_api.view(
    "POST",
    "/night/v1/forget",
    takes=RequestBody(ForgetRequest, {"forget": {"night": EVENT}}),
    answers={200: ResponseDoc("Forgotten", EventIdJson, {"night": EVENT})},
    refuses=(*OF_POST, "no_night"),
)
def forget_card() -> Response:
    """Forget the player of this phone."""
    night = load_leniently(ForgetRequest, json_object(request))["night"]
    hub_parts().nights.night(night)
    response = json_response({"night": night})
    hub_parts().access.forget_player(response, night, secure=request.is_secure)
    return response


def night_at_door(code: str) -> str:
    """The event with that check-in code.

    Raises:
        Problem: 403, the code is wrong; 422, it cannot be a code; 429, too many codes were tried.
    """
    hub = hub_parts()
    count_as_right = current_access().rates.check_guest(request)
    try:
        for line in hub.nights.open_lines():
            if hub.access.is_door_code(line.id, code):
                count_as_right()
                return line.id
    except InvalidCode:
        raise Problem(422, "shape", "desk_code_form", length=LENGTH) from None
    current_access().rates.note_wrong_guest(request)
    raise Problem(403, "wrong_code", "desk_door_code")


def player_by_code(code: str) -> tuple[str, str]:
    """The event and the player with that score card code.

    Raises:
        Problem: 403, the code is wrong; 422, it cannot be a code; 429, too many codes were tried.
    """
    hub = hub_parts()
    count_as_right = current_access().rates.check_guest(request)
    try:
        for line in hub.nights.lines()[:LATEST_NIGHTS]:
            for player in line.night.players:
                if hub.access.is_player_code(line.id, player, code):
                    count_as_right()
                    return line.id, player
    except InvalidCode:
        raise Problem(422, "shape", "desk_code_form", length=LENGTH) from None
    current_access().rates.note_wrong_guest(request)
    raise Problem(403, "wrong_code", "desk_card_code")


def _enter(night: str, body: ArrivalRequest, id: str) -> Response:  # noqa: A002 - the API's own word
    """Add someone who is in the room; a repeated request adds nobody twice.

    Raises:
        Problem: 422, the request id was used for someone else.
    """
    wanted = {"name": body["name"], "number": body["number"], "partner": body["partner"]}
    values = {"do": "enter", **wanted, "walk_up": True}
    stored, _ = hub_parts().nights.decide(night, values, Author(Role.PLAYER), id)
    assert isinstance(stored.decision, PlayerEntered)
    if stored.decision.name != body["name"]:
        raise Problem(422, "id_reused", "desk_id_reused", id=id)
    return _welcome(night, stored.decision.player)


def _check_in_player(night: str, player: str, id: str) -> Response:  # noqa: A002 - the API's own word
    hub_parts().nights.decide(night, {"do": "check_in", "player": player}, Author(Role.PLAYER, player), id)
    return _welcome(night, player)


def _welcome(night: str, player: str) -> Response:
    response = json_response({"night": night, "player": player})
    hub_parts().access.remember_player(response, night, player, secure=request.is_secure)
    return response


# --- tables ---


JOINED = {
    "v": 1,
    "hub": "http://192.168.1.20:8090",
    "event": {"id": EVENT, "name": "Club night"},
    "table": {"id": "t1", "label": "Table 1"},
    "broker": {"url": "mqtt://192.168.1.20:1883", "user": "t1", "password": "kept by the table", "ca": None},
    "key": "6f1c" * 16,
}


@joining_api.view(
    "POST",
    "/night/v1/<night>/tables/<table>/code",
    path=AT_EVENT | {"table": Parameter("the table's id in the event", example="t1")},
    answers={200: ResponseDoc("The code", CodePageJson, {"code": "482913"} | _address("t/482913"))},
    refuses=(*OF_DIRECTOR, "no_broker", "foreign_origin"),
)
def make_table_code(night: str, table: str) -> Response:
    """A code for a table to join, with its address and QR code."""
    require_director()
    hub = hub_parts()
    code = hub.seats.make_code(night, table, hub.nights.night(night).label(table))
    return json_response({"code": code} | hub.address_of(f"t/{code}"))


@joining_api.view(
    "POST",
    "/join",
    takes=RequestBody(CodeRequest, {"code": {"code": "482913"}}),
    answers={200: ResponseDoc("Joined", JoinedJson, JOINED)},
    refuses=(*OF_POST, "wrong_code 404", "code_gone", "no_broker", "too_many_tries"),
)
def join_table() -> Response:
    """Let a table join: returns the event, the table's place, and the broker."""
    access, hub = current_access(), hub_parts()
    refund = access.rates.check_seat(request)
    try:
        code = load_leniently(CodeRequest, json_object(request))["code"]
        seat, broker = hub.seats.redeem(code, is_here=is_local_request(request))
    except Problem as error:
        if error.code == "wrong_code":
            access.rates.note_wrong(request)
        raise
    refund()
    access.security_log.note_pairing(address_of_request(request), f"table {seat.table} has joined {seat.night}")
    opened = hub.nights.night(seat.night).opened
    event = {"id": seat.night, "name": seat.night if opened is None else opened.name}
    table = {"id": seat.table, "label": seat.label}
    address, key = hub.address_of("")["url"].rstrip("/"), hub.access.seal_key(seat.night, seat.table)
    return json_response({"v": 1, "hub": address, "event": event, "table": table, "broker": broker, "key": key.hex()})
