"""The API of calls for a judge or the director, of which nothing is stored, and of the ledger's alarms."""

import secrets

from flask import Blueprint, Response, request

from pegboard.errors import NotAllowed, RuleError
from pegboard.tournament.calls import OpenCalls, TableCall
from pegboard.tournament.night.night_state import Author, Night, Role
from pegboard.tournament.night.views.people_view import next_of
from web.api.contract.strict_json import json_object, json_response
from web.hub.api.night_api import author_of, check_pace, require_director
from web.hub.hub_parts import Json, hub_parts

LARGEST_NUMBER = 2**31 - 1
"""Of an alarm: a database has no larger ones."""

call_api = Blueprint("call_api", __name__, url_prefix="/night/v1")


@call_api.post("/calls")
def call() -> Response:
    """Call (`call`), come (`accept_call`), or say that nobody is needed any more (`end_call`)."""
    values = json_object(request)
    night, by = str(values.get("night", "")), author_of(values)
    check_pace(night, by)
    after = hub_parts().nights.change_calls(night, lambda calls: _change(calls, night, values, by))
    return json_response({"calls": after.as_json({})})


@call_api.post("/alarms")
def dismiss_alarm() -> Response:
    """Dismiss an alarm of a night."""
    values = json_object(request)
    by, night, number = require_director(values), str(values.get("night", "")), values.get("alarm")
    if type(number) is not int or not 0 <= number <= LARGEST_NUMBER:
        raise RuleError("desk_alarm_number")
    hub_parts().nights.night(night)
    hub_parts().nights.dismiss_alarm(night, number, by)
    return json_response({"alarms": hub_parts().nights.alarms(night)})


def _change(calls: OpenCalls, night: str, values: Json, by: Author) -> OpenCalls:
    known, about = hub_parts().nights.night(night), str(values.get("call", ""))
    match values.get("do"):
        case "call":
            made = _call_of(known, values, by)
            if (made.table, made.name, made.wanted) in {(c.table, c.name, c.wanted) for c in calls.by_id.values()}:
                return calls  # they have called already
            return calls.with_call(made)
        case "accept_call":
            if by.role is Role.PLAYER and calls.wants_director(about):
                raise NotAllowed("night_director_only")
            name = known.name(by.name) if by.role is Role.PLAYER else by.name
            called = calls.by_id[about]
            if by.role is Role.PLAYER and (called.name == name or _sits_at(known, by.name, called.table)):
                raise NotAllowed("desk_call_own")
            return calls.with_acceptance(about, name)
        case "end_call":
            if by.role is Role.PLAYER:
                raise NotAllowed("night_director_only")
            return calls.without_call(about)
    raise RuleError("desk_call_do")


def _call_of(night: Night, values: Json, by: Author) -> TableCall:
    """The call of a request: of a table, or of a player who has none now.

    Raises:
        RuleError: there is no such table.
        NotAllowed: a player calls for a table of others.
    """
    call, table, wanted = secrets.token_hex(4), str(values.get("table", "")), str(values.get("for", ""))
    if by.role is Role.PLAYER and not table:
        return TableCall(call, "", wanted, hub_parts().nights.clock_ms(), name=night.name(by.name))
    if table not in night.tables:
        raise RuleError("desk_call_table")
    if by.role is Role.PLAYER and not _plays_at(night, by.name, table):
        raise NotAllowed("desk_call_own_table")
    return TableCall(call, table, wanted, hub_parts().nights.clock_ms())


def _sits_at(night: Night, player: str, table: str) -> bool:
    """Whether a player's next game, or the one that is played, is at that table."""
    following = next_of(night, player)
    return following is not None and following["table"] == table != ""


def _plays_at(night: Night, player: str, table: str) -> bool:
    """Whether a player has, or had, or will have a game at that table."""
    return any(game.table == table and player in game.players for game in night.schedule.values())
