"""The API of nights: which there are, what each page sees of one, and decisions, each of which counts once."""

import re
from typing import Any

from flask import Blueprint, Response, request

from pegboard.errors import NotAllowed
from pegboard.messages import legible
from pegboard.tournament.night.facts import PlayerEntered
from pegboard.tournament.night.night_state import Author, Night, Role, StoredDecision
from pegboard.tournament.night.views.night_views import audit_lines, director_view, player_view, screen_view
from web.access.sessions import current_access, not_paired
from web.api.contract.strict_json import json_object, json_response
from web.http.problems import Problem
from web.hub.hub_parts import Json, hub_parts

REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
"""The id of a request: 128 random bits, made where somebody tapped."""

LONGEST_NAME = 40
"""Letters of a director's name in the audit trail."""

MOST_OF_A_PLAYER = 500
"""Decisions of one player in a night: ten for each game of a long one, and no flood that fills the log."""

MADE, REPLAYED = 201, 200

night_api = Blueprint("night_api", __name__, url_prefix="/night/v1")


@night_api.get("/nights")
def list_nights() -> Response:
    """Every night, that of the latest date first."""
    return json_response({"nights": [line.as_json() for line in hub_parts().nights.lines()]})


@night_api.post("/nights")
def open_night() -> Response:
    """Make a night; the same request makes one night."""
    values = json_object(request)
    by = require_director(values)
    night = hub_parts().nights.open({"do": "open_night"} | _facts(values), by, request_id_of(values))
    return json_response({"night": night}, MADE)


@night_api.post("/decisions")
def decide() -> Response:
    """Decide something: a director whatever the limits allow, a player for himself."""
    values = json_object(request)
    night, by = str(values.get("night", "")), author_of(values)
    if by.role is Role.PLAYER:
        _check_player(hub_parts().nights.night(night), values, by)
    check_pace(night, by)
    return answer_of(*hub_parts().nights.decide(night, _facts(values), by, request_id_of(values)))


@night_api.get("/<night>/director")
def show_to_director(night: str) -> Response:
    """What the desk shows."""
    require_director({})
    nights = hub_parts().nights
    of_hub = {"alarms": nights.alarms(night), "troubles": nights.troubles(night)}
    return json_response(director_view(nights.night(night), nights.calls(night)) | of_hub)


@night_api.get("/<night>/carried")
def show_carried(night: str) -> Response:
    """What earlier nights have left for pots, by their kind, in cents."""
    require_director({})
    return json_response({"carried": hub_parts().nights.carried_into(night)})


@night_api.get("/<night>/audit")
def show_audit(night: str) -> Response:
    """Every decision, newest first."""
    require_director({})
    return json_response({"audit": audit_lines(hub_parts().nights.night(night))})


@night_api.get("/<night>/screen")
def show_to_all(night: str) -> Response:
    """What the big screen shows."""
    return json_response(screen_view(hub_parts().nights.night(night)))


@night_api.get("/<night>/players/<player>")
def show_to_player(night: str, player: str) -> Response:
    """What a player's phone shows: to that phone, and to a director."""
    hub = hub_parts()
    if player != hub.access.player_of(request.cookies, night):
        require_director({})
    return json_response(player_view(hub.nights.night(night), player))


# --- who decides what ---


def require_director(values: Json) -> Author:
    """The director who sends a request; `signature` in its values is a name for the audit trail.

    Raises:
        Problem: 403, it is none.
    """
    session = current_access().session_of(request.cookies)
    if session.role != "director":
        raise not_paired()
    labels = {device.id: device.label for device in current_access().devices}
    name = legible(" ".join(str(values.get("signature") or "").split()))[:LONGEST_NAME]
    return Author(Role.DIRECTOR, name or labels.get(session.device, ""))


def author_of(values: Json) -> Author:
    """Who sends a request for a decision: a director, unless it is sent `as` a player; else the phone of a player.

    Raises:
        Problem: 403, it is neither.
    """
    hub, night = hub_parts(), str(values.get("night", ""))
    is_director = current_access().session_of(request.cookies).role == "director"
    if is_director and values.get("as") != "player":
        return require_director(values)
    player = hub.access.player_of(request.cookies, night)
    if not player:
        raise Problem(403, "not_paired", "desk_no_player")
    return Author(Role.PLAYER, player)


def _check_player(night: Night, values: Json, by: Author) -> None:
    """See that a player enters nobody but at the door, and has not decided without end.

    Raises:
        NotAllowed: one of the two.
    """
    if values.get("do") == "enter":
        raise NotAllowed("night_director_only")
    if sum(row.by == by for row in night.rows) >= MOST_OF_A_PLAYER:
        raise NotAllowed("desk_too_many_of_a_player", most=MOST_OF_A_PLAYER)


def check_pace(night: str, by: Author) -> None:
    """Count a request of a director's device, or of a player.

    Raises:
        Problem: 429, it comes too fast.
    """
    access = current_access()
    device = access.session_of(request.cookies).device
    check = access.rates.check_command(request, device or f"{night} {by.role} {by.name}")
    if check.wait_s:
        check.refuse()


def answer_of(stored: StoredDecision, was_there: bool) -> Response:
    """The answer to a request that was stored; `player` is who was entered."""
    entered = stored.decision.player if isinstance(stored.decision, PlayerEntered) else ""
    more = {"player": entered} if entered else {}
    values = {"number": stored.number, "revision": stored.number, "replayed": was_there}
    return json_response(values | more, REPLAYED if was_there else MADE)


def _facts(values: Json) -> dict[str, Any]:
    """The request without what says who sends it."""
    return {name: value for name, value in values.items() if name not in ("as", "signature")}


def request_id_of(values: Json) -> str:
    """The id of a request.

    Raises:
        Problem: 422, it has none of such letters.
    """
    found = values.get("id")
    if not isinstance(found, str) or not REQUEST_ID.fullmatch(found):
        raise Problem(422, "shape", "desk_id")
    return found
