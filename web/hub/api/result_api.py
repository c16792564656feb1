"""The API of results that come as codes: of a table that no network reaches."""

from flask import Blueprint, Response, request

from pegboard.errors import RuleError
from pegboard.hub.result_requests import replay_code, request_id_of_short, request_of_short, require_report
from pegboard.tournament.night.facts import TableResultReceived
from pegboard.tournament.night.night_state import StoredDecision
from pegboard.tournament.result_code import ResultCodeError, ShortResult, decode, is_sealed_with
from web.access.sessions import current_access
from web.api.contract.strict_json import json_object
from web.http.problems import Problem
from web.hub.api.night_api import answer_of, require_director
from web.hub.hub_parts import hub_parts

result_api = Blueprint("result_api", __name__)


@result_api.post("/night/v1/result-codes")
def take_result() -> Response:
    """Take in the result of a QR code: the game is replayed from it, and the same code counts once.

    Anybody may carry one that the table has sealed; one without its seal, such as the short one of a panel, could be
    anybody's, and is for a director.
    """
    access = current_access()
    access.rates.check_pairing(request)
    text = str(json_object(request).get("code", ""))
    try:
        code = decode(text)
        if isinstance(code, ShortResult):
            return _take_short(code)
        is_sealed = is_sealed_with(text, hub_parts().access.seal_key(code.event, code.table))
    except ResultCodeError as error:
        raise Problem(422, error.code, error.message) from None
    if not is_sealed and access.session_of(request.cookies).role != "director":
        access.rates.note_wrong(request)
        raise Problem(403, "wrong_code", "desk_result_not_sealed")
    access.rates.refund_pairing(request)
    decided = hub_parts().nights.take_result(code.event, replay_code(code))
    if decided is None:
        raise RuleError("desk_result_of_no_game")
    return _answer(code.event, *decided)


def _answer(night: str, stored: StoredDecision, was_there: bool) -> Response:
    """What a code has come to.

    Raises:
        RuleError: its result was undone; `Already` where there is a newer one, or its table has opened the game again.
    """
    state = hub_parts().nights.night(night)
    undone_by = state.undone.get(stored.number)
    if undone_by is not None:
        raise RuleError("desk_code_undone", number=undone_by)
    if isinstance(stored.decision, TableResultReceived):
        require_report(state, stored.decision)
    return answer_of(stored, was_there)


def _take_short(short: ShortResult) -> Response:
    """Enter what a panel shows, as a director reads it off; once, however often it is scanned.

    Raises:
        Problem: 403, no director has sent it.
        RuleError: no game of a night has these marks, nobody has confirmed it, or more is known of it.
    """
    access = current_access()
    if access.session_of(request.cookies).role != "director":
        access.rates.note_wrong(request)
        raise Problem(403, "wrong_code", "desk_short_code")
    access.rates.refund_pairing(request)
    by = require_director({})
    for line in hub_parts().nights.open_lines():
        values = request_of_short(short, line.id, line.night)
        if values is not None:
            return _answer(line.id, *hub_parts().nights.decide(line.id, values, by, request_id_of_short(short)))
    raise RuleError("desk_result_of_no_game")
