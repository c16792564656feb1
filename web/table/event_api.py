"""The API of the table's event: joining and leaving, calls for a judge or the director, and result codes."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal, TypedDict

from flask import Response, request

from pegboard.messages import message_json
from pegboard.storage.games import rows_of_game
from pegboard.table.event_shown import PAGE, result_of
from pegboard.table.event_table import EventTable
from pegboard.table.joining import LONGEST
from pegboard.tournament.result_code import encode
from pegboard.values import Takes
from web.access import sessions
from web.access.invitation import QrJson, qr
from web.http.client_address import is_local_request
from web.http.problems import Problem
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    BODY_REFUSALS,
    DocumentedBlueprint,
    MustBeTrue,
    RequestBody,
    ResponseDoc,
    json_object,
    json_response,
    load,
)
from web.kit.openapi_writer import MessageJson
from web.table.games_api import JOURNAL_REFUSALS, THE_GAME
from web.table.program_parts import parts

events = DocumentedBlueprint("event", "The event the table is in.", prefix="/event")


@dataclass(frozen=True, slots=True)
class JoinEventRequest:
    """The code of an event."""

    code: Annotated[
        str,
        Takes(words="an event code of six digits, with or without the hub's address before it", least=1, most=LONGEST),
    ]


@dataclass(frozen=True, slots=True)
class LeaveEventRequest:
    """A request to leave the event."""

    leave: MustBeTrue


@dataclass(frozen=True, slots=True)
class HubAnswerRequest:
    """The answer to the question whether to join."""

    address: Annotated[str, Takes(words="the address shown in `asks`", least=1, most=LONGEST)]
    join: Annotated[bool, "true to join, false to decline"]


@dataclass(frozen=True, slots=True)
class CallWishRequest:
    """A request to call a judge or the director, or to cancel the call."""

    kind: Annotated[Literal["judge", "director"], Takes(words='"judge" or "director"', key="for")]
    call: Annotated[bool, "true to call, false to cancel the call"]


class HubQuestionJson(TypedDict):
    """A hub that must be confirmed at the table's keys or by a director."""

    hub: Annotated[str, "the address of the hub's pages"]
    broker: Annotated[str, "the broker that the hub names, if on another machine; otherwise empty"]
    address: Annotated[str, "the one of these two addresses to confirm"]


class MembershipJson(TypedDict):
    """The table's place in an event."""

    joined: Annotated[bool, "whether the table is in an event"]
    event: Annotated[str | None, "the event's name; null if there is none"]
    table: Annotated[str | None, "the table's name in the event"]
    hub: Annotated[str | None, "the address of the hub's pages; empty if unknown"]
    settings: Annotated[bool, "whether the settings file sets the event, so that codes cannot change it"]
    joining: Annotated[bool, "whether the table is waiting for a hub's answer"]
    asks: HubQuestionJson | None
    may_answer: Annotated[bool, "whether this device may accept `asks`"]
    may_leave: Annotated[bool, "whether this device may make the table leave the event"]
    trouble: Annotated[str | None, "why the last request failed"]
    trouble_message: MessageJson | None


class ResultCodeJson(TypedDict):
    """A finished game as a code."""

    code: Annotated[str, "the characters of the code: A to Z and 2 to 7"]
    url: Annotated[str, "the hub's page that accepts it, or only the code if the hub is unknown"]
    qr: Annotated[QrJson, "the QR code of `url`"]


A_PLACE: dict[str, Any] = {
    "joined": True,
    "event": "Club night 7",
    "table": "4",
    "hub": "http://192.168.1.20:8090",
    "settings": False,
    "joining": False,
    "asks": None,
    "may_answer": False,
    "may_leave": True,
    "trouble": None,
    "trouble_message": None,
}

A_CODE = {"code": "AEBAGBAF", "url": "http://192.168.1.20:8090/R/AEBAGBAF", "qr": {"size": 33, "path": "M4 4h7v1H4z"}}


@events.view(
    "GET",
    "",
    answers={200: ResponseDoc("The table's event, if any", MembershipJson, A_PLACE)},
    refuses=ANY_REFUSALS,
)
def membership() -> Response:
    """The event that the table is in, if any."""
    return _membership()


@events.view(
    "POST",
    "/join",
    takes=RequestBody(
        JoinEventRequest, {"code": {"code": "482913"}, "address": {"code": "192.168.1.20:8090/t/482913"}}
    ),
    answers={202: ResponseDoc("Waiting for the hub's answer while `joining` is true", MembershipJson, A_PLACE)},
    refuses=(*BODY_REFUSALS, "role", "no_event"),
)
def join() -> Response:
    """Join an event by its code. Any scorer can; if the table is already in an event, only a director can."""
    table = _event_table()
    sessions.require_scorer(request)
    if table.place is not None:
        sessions.require_director(sessions.role(request), "event_director")
    code = load(JoinEventRequest, json_object(request), "a code").code
    table.join(code, sessions.device(request), confirmed=_confirms_hubs())
    return _membership(202)


@events.view(
    "POST",
    "/answer",
    takes=RequestBody(HubAnswerRequest, {"join": {"address": "http://192.168.1.20:8090", "join": True}}),
    answers={202: ResponseDoc("Waiting for the hub's answer, or declined", MembershipJson, A_PLACE)},
    refuses=(*BODY_REFUSALS, "role", "no_event"),
)
def answer() -> Response:
    """Answer whether to join the hub in `asks`: any scorer can say no, but only a director can say yes.

    At an open table, only the table's own machine and its keys can say yes.
    """
    table = _event_table()
    sessions.require_scorer(request)
    wish = load(HubAnswerRequest, json_object(request), "a request")
    if wish.join and not _confirms_hubs():
        raise Problem(403, "role", "event_confirm")
    table.answer_question(wish.address, yes=wish.join)
    return _membership(202)


@events.view(
    "POST",
    "/leave",
    takes=RequestBody(LeaveEventRequest, {"leave": {"leave": True}}),
    answers={202: ResponseDoc("The table is leaving its event", MembershipJson, A_PLACE)},
    refuses=(*BODY_REFUSALS, "role", "no_event"),
)
def leave() -> Response:
    """Leave the event; only a director or the device that joined it can."""
    table = _event_table()
    if not _may_leave(table):
        sessions.require_director(sessions.role(request), "event_director")
    load(LeaveEventRequest, json_object(request), "a request")
    table.leave()
    return _membership(202)


@events.view(
    "POST",
    "/calls",
    takes=RequestBody(CallWishRequest, {"call": {"for": "judge", "call": True}}),
    answers={202: ResponseDoc("The state will show the call", MembershipJson, A_PLACE)},
    refuses=(*BODY_REFUSALS, "no_event"),
)
def call() -> Response:
    """Call a judge or the director to the table, or cancel the call; calls are not stored."""
    table = _event_table()
    sessions.require_scorer(request)
    wish = load(CallWishRequest, json_object(request), "a call")
    if table.place is None:
        raise Problem(404, "no_event", "event_none")
    event = parts().scoreboard.view.event
    stands = event is not None and any(one.kind == wish.kind for one in event.calls)
    if wish.call is not stands:
        table.toggle_call(wish.kind)
    return _membership(202)


@events.view(
    "GET",
    "/results/<game>",
    answers={200: ResponseDoc("The game as a code", ResultCodeJson, A_CODE)},
    refuses=(*JOURNAL_REFUSALS, "no_result", "no_event"),
    path={"game": THE_GAME},
)
def result(game: str) -> Response:
    """A finished game of an event as a code that a phone can take to the hub without a network."""
    table = _event_table()
    if not parts().scoreboard.history.has_game(game):
        raise Problem(404, "no_result", "result_code_none", game=game)
    place = table.place
    found = result_of(rows_of_game(parts().scoreboard.history.folder, game), "" if place is None else place.table)
    if found is None:
        raise Problem(404, "no_result", "result_code_none", game=game)
    is_of_place = place is not None and (place.event, place.table) == (found.event, found.table)
    code = encode(found, bytes.fromhex(place.key) if place is not None and is_of_place else b"")
    url = f"{place.hub}/{PAGE}/{code}" if place is not None and place.hub else code
    return json_response({"code": code, "url": url, "qr": qr(url)})


def _event_table() -> EventTable:
    table = parts().service.event
    if table is None:
        raise Problem(404, "no_event", "event_none")
    return table


def _confirms_hubs() -> bool:
    """Whether the client may confirm any hub: a director; at an open table, only the table's own machine."""
    if sessions.current_access().is_open:
        return is_local_request(request)
    return sessions.is_director(request)


def _may_leave(table: EventTable) -> bool:
    """Whether the client may make the table leave its event: a director, or the device that joined."""
    device, place = sessions.device(request), table.place
    return sessions.role(request) == "director" or (bool(device) and place is not None and place.by == device)


def _membership(status: int = 200) -> Response:
    table = parts().service.event
    place, trouble = (None, None) if table is None else (table.place, table.trouble)
    asks = None if table is None else table.question
    values = {
        "joined": place is not None,
        "event": None if place is None else place.event_name,
        "table": None if place is None else place.label,
        "hub": None if place is None else place.hub,
        "settings": table is not None and table.is_set,
        "joining": table is not None and table.is_joining,
        "asks": None if asks is None else {"hub": asks.hub, "broker": asks.broker, "address": asks.subject},
        "may_answer": asks is not None and _confirms_hubs(),
        "may_leave": table is not None and place is not None and not table.is_set and _may_leave(table),
        "trouble": None if trouble is None else str(trouble),
        "trouble_message": message_json(trouble),
    }
    return json_response(values, status)
