"""The calls that tables make: what is new in the state of a table is an open call, and what it leaves out is none."""

from collections.abc import Mapping
from typing import Any, TypeAlias

from pegboard.tournament.night.calls import NEEDED, OpenCalls, TableCall

MOST_CALLS, LONGEST_ID = 4, 64
"""Calls that one table makes at once, and letters of their ids: what is beyond that no table of ours sends."""

Place: TypeAlias = tuple[str, str]
"""A night and a table."""


def calls_in(state: Mapping[str, Any] | None) -> dict[str, str]:
    """The calls in the state of a table: who is called, by the call's id; what cannot be one is passed over."""
    rows = (state or {}).get("calls")
    found = rows[:MOST_CALLS] if isinstance(rows, list) else []
    named = [one for one in found if isinstance(one, dict) and "id" in one and str(one.get("for")) in NEEDED]
    return {str(one["id"])[:LONGEST_ID]: str(one["for"]) for one in named}


class HeardCalls:
    """Which calls each table made when it was heard last: one that was ended and that it makes still stays ended.

    Calls that phones make for a table are not the table's, and it ends none of them.
    """

    def __init__(self) -> None:
        """Without a table."""
        self._heard: dict[Place, frozenset[str]] = {}

    def is_new(self, place: Place, calls: Mapping[str, str]) -> bool:
        """Whether a table makes other calls than before."""
        return calls.keys() != self._heard.get(place, frozenset())

    def note(self, place: Place, calls: Mapping[str, str], before: OpenCalls, now_ms: int) -> OpenCalls:
        """The open calls after a table has said which it makes."""
        heard = self._heard.pop(place, frozenset())
        if calls:
            self._heard[place] = frozenset(calls)
        after = before.without_calls(heard - calls.keys())
        for call in calls.keys() - heard:
            after = after.with_call(TableCall(call, place[1], calls[call], now_ms))
        return after
