"""The calls of a table: who was called here, and who comes. Pure; nothing of it is stored."""

from collections.abc import Iterable
from typing import TypeAlias

from pegboard.core.view import Call, CallFor
from pegboard.tournament.calls import NEEDED
from pegboard.tournament.table_orders import CallAnswer

Calls: TypeAlias = tuple[Call, ...]
"""At most one for each who can be called, in that order."""


def toggle(calls: Calls, kind: CallFor, new_id: str) -> Calls:
    """Call somebody, by that id; or take that back, where the call stands."""
    if any(call.kind == kind for call in calls):
        return tuple(call for call in calls if call.kind != kind)
    return _in_order((*calls, Call(new_id, kind, needed=NEEDED[kind])))


def merge(calls: Calls, answers: Iterable[CallAnswer]) -> Calls:
    """The calls after what the hub says of them; one that has ended is gone, and one it does not know still stands."""
    known = {answer.id: answer for answer in answers}
    return tuple(_with_answer(call, known.get(call.id)) for call in calls if not _has_ended(known.get(call.id)))


def _with_answer(call: Call, answer: CallAnswer | None) -> Call:
    return call if answer is None else call._replace(accepted=answer.accepted, needed=answer.needed)


def _has_ended(answer: CallAnswer | None) -> bool:
    return answer is not None and answer.ended


def _in_order(calls: Calls) -> Calls:
    return tuple(call for kind in NEEDED for call in calls if call.kind == kind)
