"""The API of events: list, views, decisions and their log, calls for a judge, alarms, results as QR or short codes."""

import secrets
from typing import Annotated, Any, Literal, NotRequired, TypedDict

from flask import Response, request

from pegboard.errors import NotAllowed, RuleError
from pegboard.hub.result_requests import replay_code, request_id_of_short, request_of_short, require_report
from pegboard.messages import escape_control
from pegboard.tournament.calls import OpenCalls, TableCall
from pegboard.tournament.night.facts import PlayerEntered, TableResultReceived
from pegboard.tournament.night.night_state import Author, Night, Role, StoredDecision
from pegboard.tournament.night.views.night_views import audit_lines, director_view, player_view, screen_view
from pegboard.tournament.night.views.people_view import next_of
from pegboard.tournament.night.views.view_types import DirectorJson, PlayersPageJson, ScreenJson
from pegboard.tournament.result_code import ResultCodeError, ShortResult, decode, is_sealed_with
from pegboard.values import Takes
from web.access.sessions import current_access, device, is_director, not_paired
from web.http.problems import Problem
from web.hub.hub_answers import AlarmsJson, CallsJson, CarriedJson, EventIdJson, EventsJson, LogJson, StoredJson
from web.hub.hub_openapi import (
    AT_EVENT,
    AT_PLAYER,
    EVENT,
    EXAMPLES,
    OF_ANY,
    OF_DIRECTOR,
    OF_EVENT,
    OF_POST,
    OPENING,
    REQUEST_ID,
    STARTED_MS,
    AuthoredRequest,
    DecisionRequest,
    EventRef,
    SignedRequest,
    any_text,
    decision_schema,
    example_event,
    load_leniently,
    opening_schema,
)
from web.hub.hub_parts import Json, hub_parts
from web.kit.documented_endpoints import DocumentedBlueprint, RequestBody, ResponseDoc, json_object, json_response

# --- API of calls for a judge or the director, which are not stored, and of the ledger's alarms ---


LARGEST_NUMBER = 2**31 - 1
"""Maximum number of an alarm, as in the database."""

call_api = DocumentedBlueprint("calls", "Calls for a judge or the director, and alarms.", root="/night/v1")


class CallRequest(AuthoredRequest):
    """A request to make a call, accept it, or end it."""

    do: Annotated[Literal["call", "accept_call", "end_call"], "make a call, accept it, or end it"]
    call: NotRequired[Annotated[str, any_text("accept_call, end_call: the id of the call")]]
    table: NotRequired[Annotated[str, any_text("call: the id of the table; a player may leave it out")]]
    wanted: NotRequired[Annotated[str, Takes(words="call: who is called, judge or director", key="for", read=str)]]


class AlarmRequest(SignedRequest):
    """An alarm to dismiss."""

    night: EventRef
    alarm: Annotated[int, Takes(words="the alarm's number", least=0, most=LARGEST_NUMBER)]


A_CALL = {"call": "5d21c07e", "table": "t1", "label": "t1", "name": "", "for": "judge", "since": STARTED_MS} | {
    "accepted": ["Bob"],
    "needed": 2,
    "answered": False,
    "ended": False,
}


@call_api.view(
    "POST",
    "/calls",
    takes=RequestBody(
        CallRequest,
        {
            "call": {"do": "call", "night": EVENT, "table": "t1", "for": "judge"},
            "accept_call": {"do": "accept_call", "night": EVENT, "call": A_CALL["call"]},
            "end_call": {"do": "end_call", "night": EVENT, "call": A_CALL["call"]},
        },
    ),
    answers={200: ResponseDoc("The calls after that", CallsJson, {"calls": [A_CALL]})},
    refuses=(*OF_POST, "not_paired", "no_night", "rule", "already", "role"),
)
def call() -> Response:
    """Make a call (`call`), accept it (`accept_call`), or end it (`end_call`)."""
    body = load_leniently(CallRequest, json_object(request))
    by = author_of(body)
    check_pace(body["night"], by)
    after = hub_parts().nights.change_calls(body["night"], lambda calls: _change(calls, body, by))
    return json_response({"calls": after.as_json({})})


@call_api.view(
    "POST",
    "/alarms",
    takes=RequestBody(AlarmRequest, {"dismiss": {"night": EVENT, "alarm": 3}}),
    answers={200: ResponseDoc("The alarms after that", AlarmsJson, {"alarms": []})},
    refuses=(*OF_POST, "not_paired", "no_night", "rule"),
)
def dismiss_alarm() -> Response:
    """Dismiss an alarm of an event."""
    body = load_leniently(AlarmRequest, json_object(request))
    by, night, number = require_director(body["signature"]), body["night"], body["alarm"]
    if type(number) is not int or not 0 <= number <= LARGEST_NUMBER:
        raise RuleError("desk_alarm_number")
    hub_parts().nights.night(night)
    hub_parts().nights.dismiss_alarm(night, number, by)
    return json_response({"alarms": hub_parts().nights.alarms(night)})


def _change(calls: OpenCalls, body: CallRequest, by: Author) -> OpenCalls:
    known, about = hub_parts().nights.night(body["night"]), body["call"]
    match body["do"]:
        case "call":
            made = _call_of(known, body, by)
            if (made.table, made.name, made.wanted) in {(c.table, c.name, c.wanted) for c in calls.by_id.values()}:
                return calls  # the same call is already open
            return calls.with_call(made)
        case "accept_call":
            if by.role is not Role.PLAYER:
                return calls.with_acceptance(about, by.name)
            if calls.wants_director(about):
                raise NotAllowed("night_director_only")
            name, called = known.name(by.name), calls.by_id[about]
            if called.name == name or _sits_at(known, by.name, called.table):
                raise NotAllowed("desk_call_own")
            return calls.with_acceptance(about, name)
        case "end_call":
            if by.role is Role.PLAYER:
                raise NotAllowed("night_director_only")
            return calls.without_call(about)
    raise RuleError("desk_call_do")


def _call_of(night: Night, body: CallRequest, by: Author) -> TableCall:
    """The call in a request: from a table, or from a player without a table.

    Raises:
        RuleError: there is no such table.
        NotAllowed: a player calls for other players' table.
    """
    call, table, wanted = secrets.token_hex(4), body["table"], body["wanted"]
    if by.role is Role.PLAYER and not table:
        return TableCall(call, "", wanted, hub_parts().nights.clock_ms(), name=night.name(by.name))
    if table not in night.tables:
        raise RuleError("desk_call_table")
    if by.role is Role.PLAYER and not _plays_at(night, by.name, table):
        raise NotAllowed("desk_call_own_table")
    return TableCall(call, table, wanted, hub_parts().nights.clock_ms())


def _sits_at(night: Night, player: str, table: str) -> bool:
    """Whether a player's current or next game is at that table."""
    following = next_of(night, player)
    return following is not None and following["table"] == table != ""


def _plays_at(night: Night, player: str, table: str) -> bool:
    """Whether a player has any game at that table, past or future."""
    return any(game.table == table and player in game.players for game in night.schedule.values())


# --- API for results as codes, from tables without a network ---


result_api = DocumentedBlueprint("results", tag="events", root="/night/v1")


class ResultRequest(TypedDict):
    """A scanned or typed result code."""

    code: Annotated[str, any_text("the code, from a table's QR code or panel")]


STORED = {"number": 25, "revision": 25, "replayed": False}

STORED_ANSWERS = {
    201: ResponseDoc("Decided and stored", StoredJson, STORED),
    200: ResponseDoc("Stored before", StoredJson, STORED | {"replayed": True}),
}


@result_api.view(
    "POST",
    "/result-codes",
    takes=RequestBody(ResultRequest, {"short": {"code": "7KQ2-AB4C-9D1E"}}),
    answers=STORED_ANSWERS,
    refuses=(*OF_POST, "wrong_code", "too_many_tries", "no_night", "result_code", "rule", "already", "id_reused"),
)
def take_result() -> Response:
    """Import a result from a QR code: replays the game; the same code counts once.

    Anyone may submit a code that the table has sealed. Without the seal, as in a panel's short code, it could be
    forged, so it needs a director.
    """
    access = current_access()
    access.rates.check_pairing(request)
    text = load_leniently(ResultRequest, json_object(request))["code"]
    try:
        code = decode(text)
        if isinstance(code, ShortResult):
            return _take_short(code)
        is_sealed = is_sealed_with(text, hub_parts().access.seal_key(code.event, code.table))
    except ResultCodeError as error:
        raise Problem(422, error.code, error.message) from None
    if not is_sealed and not is_director(request):
        access.rates.note_wrong(request)
        raise Problem(403, "wrong_code", "desk_result_not_sealed")
    access.rates.refund_pairing(request)
    decided = hub_parts().nights.take_result(code.event, replay_code(code))
    if decided is None:
        raise RuleError("desk_result_of_no_game")
    return _answer(code.event, *decided)


def _answer(night: str, stored: StoredDecision, was_there: bool) -> Response:
    """The response to a result code.

    Raises:
        RuleError: the result was undone; `Already` if there is a newer result, or the table has reopened the game.
    """
    state = hub_parts().nights.night(night)
    undone_by = state.undone.get(stored.number)
    if undone_by is not None:
        raise RuleError("desk_code_undone", number=undone_by)
    if isinstance(stored.decision, TableResultReceived):
        require_report(state, stored.decision)
    return answer_of(stored, was_there)


def _take_short(short: ShortResult) -> Response:
    """Enter a panel's short code, like a director reading the panel; counts once, however often it is scanned.

    Raises:
        Problem: 403, the client is not a director.
        RuleError: the code fits no game of an open event, or its result cannot be entered (`request_of_short`).
    """
    access = current_access()
    if not is_director(request):
        access.rates.note_wrong(request)
        raise Problem(403, "wrong_code", "desk_short_code")
    access.rates.refund_pairing(request)
    by = require_director()
    for line in hub_parts().nights.open_lines():
        values = request_of_short(short, line.id, line.night)
        if values is not None:
            return _answer(line.id, *hub_parts().nights.decide(line.id, values, by, request_id_of_short(short)))
    raise RuleError("desk_result_of_no_game")


LONGEST_NAME = 40
"""Maximum characters of a director's name in the audit trail."""

MOST_OF_A_PLAYER = 500
"""Maximum decisions of one player in an event: ten for each game of a long event, but too few to flood the log."""

MADE, REPLAYED = 201, 200

night_api = DocumentedBlueprint("events", "Events: their views and decisions.", root="/night/v1")

OF_HUB: Json = {"alarms": [], "troubles": []}
"""The parts of the desk's view that are about the hub, in the example."""

AN_EVENT = {"night": EVENT, "name": "Club night", "date": "2026-11-26", "phase": "registration", "ended": False}

OF_DECISION = (*OF_POST, "not_paired", "no_night", "rule", "role", "already", "moved", "id_reused")
"""Error codes of a decision."""


@night_api.view(
    "GET",
    "/nights",
    answers={200: ResponseDoc("The events", EventsJson, {"nights": [AN_EVENT]})},
    refuses=OF_ANY,
)
def list_nights() -> Response:
    """All events, latest date first."""
    return json_response({"nights": [line.as_json() for line in hub_parts().nights.lines()]})


@night_api.view(
    "POST",
    "/nights",
    takes=RequestBody(opening_schema, {"open_night": OPENING}),
    answers={201: ResponseDoc("Created", EventIdJson, {"night": EVENT})},
    refuses=(*OF_POST, "not_paired", "rule", "id_reused"),
)
def open_night() -> Response:
    """Create an event; a repeated request creates it only once."""
    values = json_object(request)
    body = load_leniently(DecisionRequest, values)
    by = require_director(body["signature"])
    night = hub_parts().nights.open({"do": "open_night"} | _facts(values), by, require_id(body["id"]))
    return json_response({"night": night}, MADE)


@night_api.view(
    "POST",
    "/decisions",
    takes=RequestBody(decision_schema, EXAMPLES),
    answers=STORED_ANSWERS,
    refuses=OF_DECISION,
)
def decide() -> Response:
    """Make a decision, rate-limited: directors can make any, players only for themselves."""
    values = json_object(request)
    body = load_leniently(DecisionRequest, values)
    night, by = body["night"], author_of(body)
    if by.role is Role.PLAYER:
        _check_player(hub_parts().nights.night(night), body["do"], by)
    check_pace(night, by)
    return answer_of(*hub_parts().nights.decide(night, _facts(values), by, require_id(body["id"])))


@night_api.view(
    "GET",
    "/<night>/director",
    path=AT_EVENT,
    answers={200: ResponseDoc("The view", DirectorJson, lambda: director_view(example_event()) | OF_HUB)},
    refuses=OF_DIRECTOR,
)
def show_to_director(night: str) -> Response:
    """The view of the desk."""
    require_director()
    nights = hub_parts().nights
    of_event = director_view(nights.night(night), nights.calls(night))
    view: DirectorJson = {**of_event, "alarms": nights.alarms(night), "troubles": nights.troubles(night)}
    return json_response(view)


@night_api.view(
    "GET",
    "/<night>/carried",
    path=AT_EVENT,
    answers={200: ResponseDoc("The money", CarriedJson, {"carried": {"q_pool": 400}})},
    refuses=OF_DIRECTOR,
)
def show_carried(night: str) -> Response:
    """The money that earlier events have carried over, by kind of pot, in cents."""
    require_director()
    return json_response({"carried": hub_parts().nights.carried_into(night)})


@night_api.view(
    "GET",
    "/<night>/audit",
    path=AT_EVENT,
    answers={200: ResponseDoc("The log", LogJson, lambda: {"audit": audit_lines(example_event())})},
    refuses=OF_DIRECTOR,
)
def show_audit(night: str) -> Response:
    """All decisions, newest first."""
    require_director()
    return json_response({"audit": audit_lines(hub_parts().nights.night(night))})


@night_api.view(
    "GET",
    "/<night>/screen",
    path=AT_EVENT,
    answers={200: ResponseDoc("The view", ScreenJson, lambda: screen_view(example_event()))},
    refuses=OF_EVENT,
)
def show_to_all(night: str) -> Response:
    """The view of the big screen."""
    return json_response(screen_view(hub_parts().nights.night(night)))


@night_api.view(
    "GET",
    "/<night>/players/<player>",
    path=AT_PLAYER,
    answers={200: ResponseDoc("The view", PlayersPageJson, lambda: player_view(example_event(), "p2"))},
    refuses=(*OF_DIRECTOR, "rule"),
)
def show_to_player(night: str, player: str) -> Response:
    """The view of a player's phone, for that phone and for directors."""
    hub = hub_parts()
    if player != hub.access.player_of(request.cookies, night):
        require_director()
    return json_response(player_view(hub.nights.night(night), player))


# --- authors of decisions ---


def require_director(signature: str = "") -> Author:
    """The director who sent the request; `signature` is a name for the audit trail.

    Raises:
        Problem: 403, the client is not a director.
    """
    session = current_access().session_of(request.cookies)
    if session.role != "director":
        raise not_paired()
    labels = {one.id: one.label for one in current_access().devices}
    name = escape_control(" ".join(signature.split()))[:LONGEST_NAME]
    return Author(Role.DIRECTOR, name or labels.get(session.device, ""))


def author_of(body: AuthoredRequest) -> Author:
    """The author of a decision: a director, unless the request says `as` a player; else the player of the phone.

    Raises:
        Problem: 403, the client is neither a director nor a player of the event.
    """
    if is_director(request) and body["speaks_as"] != "player":
        return require_director(body["signature"])
    player = hub_parts().access.player_of(request.cookies, body["night"])
    if not player:
        raise Problem(403, "not_paired", "desk_no_player")
    return Author(Role.PLAYER, player)


def _check_player(night: Night, do: str, by: Author) -> None:
    """Check that a player's decision does not add a player, and that the player has not made too many decisions.

    Raises:
        NotAllowed: it adds a player, which only check-in does, or the player has made too many.
    """
    if do == "enter":
        raise NotAllowed("night_director_only")
    if sum(row.by == by for row in night.rows) >= MOST_OF_A_PLAYER:
        raise NotAllowed("desk_too_many_of_a_player", most=MOST_OF_A_PLAYER)


def check_pace(night: str, by: Author) -> None:
    """Rate-limit requests of a director's device, or of a player.

    Raises:
        Problem: 429, the request comes too soon.
    """
    check = current_access().rates.check_command(request, device(request) or f"{night} {by.role} {by.name}")
    if check.wait_s:
        check.refuse()


def answer_of(stored: StoredDecision, was_there: bool) -> Response:
    """The response for a stored request, with `player` if it added one."""
    entered = stored.decision.player if isinstance(stored.decision, PlayerEntered) else ""
    more = {"player": entered} if entered else {}
    values = {"number": stored.number, "revision": stored.number, "replayed": was_there}
    return json_response(values | more, REPLAYED if was_there else MADE)


def _facts(values: Json) -> dict[str, Any]:
    """The request without the fields about its author."""
    return {name: value for name, value in values.items() if name not in ("as", "signature")}


def require_id(own: object) -> str:
    """The id of a request.

    Raises:
        Problem: 422, the id is missing or invalid.
    """
    if not isinstance(own, str) or not REQUEST_ID.fullmatch(own):
        raise Problem(422, "shape", "desk_id")
    return own
