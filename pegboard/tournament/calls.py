"""Calls for a judge or the director, from tables or phones; kept in memory only, while the hub runs.

A judge call needs two judges (ACC 11): once both have accepted, nobody else is called. A director call needs one.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from pegboard.errors import Already, RuleError

JUDGE, CHIEF = "judge", "director"
"""The officials who can be called."""

NEEDED: Mapping[str, int] = {JUDGE: 2, CHIEF: 1}
"""How many people must accept, in the order a table lists its calls; two judges decide together."""

CallId: TypeAlias = str


@dataclass(frozen=True, slots=True)
class TableCall:
    """A call from a table, or by phone from someone without a table: before the draw, or in a bracket match.

    Attributes:
        call: the call's id, made by the table.
        table: the table's id; "" if no table calls.
        wanted: the official who is called, `JUDGE` or `CHIEF`.
        since: the time of the call, in milliseconds since 1970.
        accepted: the names of people who accepted.
        ended: whether nobody is needed anymore.
        name: the caller's name, if the call comes from no table.
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
        """How many people must accept."""
        return NEEDED[self.wanted]

    @property
    def is_answered(self) -> bool:
        """Whether enough people have accepted, so that nobody else is called."""
        return len(self.accepted) >= self.number_needed


@dataclass(frozen=True, slots=True)
class OpenCalls:
    """All calls by id, oldest first."""

    by_id: Mapping[CallId, TableCall] = field(default_factory=dict)

    def with_call(self, call: TableCall) -> "OpenCalls":
        """Add a call; adding the same call again changes nothing.

        Raises:
            RuleError: the call is not for a judge or the director.
        """
        if call.wanted not in NEEDED:
            raise RuleError("night_call_wanted", known=", ".join(NEEDED))
        return self if call.call in self.by_id else OpenCalls({**self.by_id, call.call: call})

    def with_acceptance(self, call: CallId, name: str) -> "OpenCalls":
        """Record that a person accepts a call.

        Raises:
            RuleError: there is no such call; `Already` if enough people or this person already accepted.
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
        """Remove a call that nobody is needed for anymore.

        Raises:
            RuleError: there is no such call.
        """
        self._find(call)
        return OpenCalls({name: one for name, one in self.by_id.items() if name != call})

    def without_calls(self, calls: Collection[CallId]) -> "OpenCalls":
        """Remove these calls; unknown ids are ignored."""
        return OpenCalls({name: one for name, one in self.by_id.items() if name not in calls})

    def _find(self, call: CallId) -> TableCall:
        if call not in self.by_id:
            raise RuleError("night_no_call")
        return self.by_id[call]

    def as_json(self, labels: Mapping[str, str]) -> list[Any]:
        """The calls for pages and tables, oldest first; `labels` has the display name of each table."""
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


EMPTY_CALLS = OpenCalls()
"""No open calls."""


# --- calls that tables make: a new call in a table's state is opened, a missing one is closed ---


MOST_CALLS, LONGEST_ID = 4, 64
"""Maximum calls per table, and maximum characters of their ids; our tables never send more."""

Place: TypeAlias = tuple[str, str]
"""An event id and a table id."""


def calls_in(state: Mapping[str, Any] | None) -> dict[str, str]:
    """The calls in a table's state: the kind of call by the call's id. Invalid entries are skipped."""
    rows = (state or {}).get("calls")
    found = rows[:MOST_CALLS] if isinstance(rows, list) else []
    named = [one for one in found if isinstance(one, dict) and "id" in one and str(one.get("for")) in NEEDED]
    return {str(one["id"])[:LONGEST_ID]: str(one["for"]) for one in named}


class CallTracker:
    """The calls each table made in its last state; a call ended at the hub stays ended while the table still sends it.

    Calls that phones make for a table are not tracked, so the table's state never ends them.
    """

    def __init__(self) -> None:
        """Start with no tables."""
        self._heard: dict[Place, frozenset[str]] = {}

    def is_new(self, place: Place, calls: Mapping[str, str]) -> bool:
        """Whether the table's calls differ from the calls in its last state."""
        return calls.keys() != self._heard.get(place, frozenset())

    def note(self, place: Place, calls: Mapping[str, str], before: OpenCalls, now_ms: int) -> OpenCalls:
        """The open calls after a table has reported its calls."""
        heard = self._heard.pop(place, frozenset())
        if calls:
            self._heard[place] = frozenset(calls)
        after = before.without_calls(heard - calls.keys())
        for call in calls.keys() - heard:
            after = after.with_call(TableCall(call, place[1], calls[call], now_ms))
        return after
