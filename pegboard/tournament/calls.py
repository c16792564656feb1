"""Calls of a table for a judge or the director. They live only while the hub runs: nothing of them is ever stored.

A judge's call needs two judges (ACC 11): once both have accepted, nobody else is called. The director's needs one.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from pegboard.errors import Already, RuleError

JUDGE, CHIEF = "judge", "director"
"""Who can be called."""


NEEDED: Mapping[str, int] = {JUDGE: 2, CHIEF: 1}
"""How many have to accept, in the order in which a table lists its calls; two judges decide together."""


CallId: TypeAlias = str


@dataclass(frozen=True, slots=True)
class TableCall:
    """A table calls, or somebody by phone who has no table: before the draw, or in a match of a bracket.

    Attributes:
        call: its id, made by the table.
        table: the table's id; "" where it is none that calls.
        wanted: who is called, `JUDGE` or `CHIEF`.
        since: milliseconds since 1970.
        accepted: the names of those who come.
        ended: whether nobody is needed any more.
        name: of who calls without a table.
    """

    call: CallId
    table: str
    wanted: str
    since: int = 0
    accepted: tuple[str, ...] = ()
    ended: bool = False
    name: str = ""

    @property
    def number_needed(self) -> int:
        """How many have to accept."""
        return NEEDED[self.wanted]

    @property
    def is_answered(self) -> bool:
        """Whether enough have accepted, so that nobody else is called."""
        return len(self.accepted) >= self.number_needed


@dataclass(frozen=True, slots=True)
class OpenCalls:
    """All calls by their ids, oldest first."""

    by_id: Mapping[CallId, TableCall] = field(default_factory=dict)

    def with_call(self, call: TableCall) -> "OpenCalls":
        """The calls with one more; the same call sent again changes nothing.

        Raises:
            RuleError: nobody of that kind can be called.
        """
        if call.wanted not in NEEDED:
            raise RuleError("night_call_wanted", known=", ".join(NEEDED))
        return self if call.call in self.by_id else OpenCalls({**self.by_id, call.call: call})

    def with_acceptance(self, call: CallId, name: str) -> "OpenCalls":
        """The calls with one who comes.

        Raises:
            RuleError: there is no such call; `Already` where enough come, or this one does.
        """
        found = self._find(call)
        if name in found.accepted:
            raise Already("night_call_accepted", name=name)
        if found.ended or found.is_answered:
            raise Already("night_call_answered", count=found.number_needed)
        return OpenCalls({**self.by_id, call: replace(found, accepted=(*found.accepted, name))})

    def wants_director(self, call: CallId) -> bool:
        """Whether a call is for the director.

        Raises:
            RuleError: there is no such call.
        """
        return self._find(call).wanted == CHIEF

    def without_call(self, call: CallId) -> "OpenCalls":
        """The calls without one that nobody is needed for any more.

        Raises:
            RuleError: there is no such call.
        """
        self._find(call)
        return OpenCalls({name: one for name, one in self.by_id.items() if name != call})

    def without_calls(self, calls: Collection[CallId]) -> "OpenCalls":
        """The calls without these, as far as they are there."""
        return OpenCalls({name: one for name, one in self.by_id.items() if name not in calls})

    def _find(self, call: CallId) -> TableCall:
        if call not in self.by_id:
            raise RuleError("night_no_call")
        return self.by_id[call]

    def as_json(self, labels: Mapping[str, str]) -> list[dict[str, Any]]:
        """The calls for pages and tables, oldest first; `labels` is what people call each table."""
        return [
            {
                "call": call.call,
                "table": call.table,
                "label": labels.get(call.table, call.table),
                "name": call.name,
                "for": call.wanted,
                "since": call.since,
                "accepted": list(call.accepted),
                "needed": call.number_needed,
                "answered": call.is_answered,
                "ended": call.ended,
            }
            for call in self.by_id.values()
        ]


NO_CALLS = OpenCalls()
"""When nobody calls."""


# --- the calls that tables make: what is new in the state of a table is an open call, and what it leaves out is none
# ---


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
