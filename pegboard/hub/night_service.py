"""Event service of a hub: creates and lists events, decides requests; carried-over pots, calls, alarms, followers."""

import hashlib
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import dropwhile
from random import SystemRandom
from typing import Any, Protocol, TypeAlias

from pegboard.errors import IdReused
from pegboard.hub.ledger.decision_log import DecisionLog, read_kinds
from pegboard.hub.ledger.hub_errors import DecisionMoved, HubBusy, NoNight
from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.result_requests import request_id, request_of
from pegboard.hub.table_results import TableResult
from pegboard.tournament.calls import EMPTY_CALLS, OpenCalls
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.decide import add, decide, fold
from pegboard.tournament.night.decide import decide as decide_request
from pegboard.tournament.night.decisions import BY_WORD, as_row, from_row
from pegboard.tournament.night.night_state import EMPTY_NIGHT, Author, Night, Role, StoredDecision
from pegboard.tournament.night.pots import carried_in_by_kind, carried_out_by_kind
from pegboard.tournament.night.views.actions import SaidJson, say
from pegboard.tournament.night.views.night_views import phase_of
from pegboard.tournament.night.views.view_types import EventAlarmJson

# --- one event in memory: the state folded from its decisions, and the log that stores them ---


Json: TypeAlias = dict[str, Any]

TRIES = 5
"""Attempts to decide a request while another hub on the same ledger stores decisions."""

_RANDOM = SystemRandom()
"""Random source for draws; results are stored and never drawn again."""


class OpenedNight:
    """An open event: decisions are judged, then stored, and only then visible; one lock serializes them.

    Attributes:
        night: the state folded from the stored decisions.
    """

    def __init__(self, log: DecisionLog, clock_ms: Callable[[], int]) -> None:
        """Read the event's decisions; `clock_ms` returns ms since 1970."""
        self._log, self._clock_ms, self._lock = log, clock_ms, threading.Lock()
        self._stored = {one.id: from_row(one.row) for one in log.read()}
        self.night: Night = fold(self._stored.values())

    def decide(self, request: Json, by: Author, id: str) -> tuple[StoredDecision, bool]:  # noqa: A002 - the API's word
        """Decide a request; returns the stored decision, and whether a request with this id stored it before.

        Raises:
            RuleError: the current limits forbid the request, or it is malformed.
            NotStored: the decision cannot be stored, so nothing was decided.
            IdReused: the id belongs to a different request.
            HubBusy: other hubs keep storing decisions.
        """
        with self._lock:
            for _ in range(TRIES):
                try:
                    return self._decide(request, by, id)
                except DecisionMoved:
                    self._read_on()
        raise HubBusy("desk_busy")

    def _decide(self, request: Json, by: Author, id: str) -> tuple[StoredDecision, bool]:  # noqa: A002 - see `decide`
        if earlier := self._stored.get(id):
            return _same(earlier, request, by), True
        decision = decide(self.night, request, by, _shuffle)
        made = StoredDecision(self.night.revision + 1, self._clock_ms(), by, decision)
        if self._log.append(as_row(made), id, number=made.number).replayed:
            raise DecisionMoved("hub_decision_moved", number=made.number)  # under another number, by another hub
        self._add(made, id, is_checked=True)
        return made, False

    def find(self, id: str) -> StoredDecision | None:  # noqa: A002 - see `decide`
        """The stored decision of a request id, or None."""
        return self._stored.get(id)

    def _read_on(self) -> None:
        """Read decisions that another hub on the same ledger has stored."""
        for one in self._log.read(after=self.night.revision):
            self._add(from_row(one.row), one.id)

    def _add(self, stored: StoredDecision, id: str, *, is_checked: bool = False) -> None:  # noqa: A002 - see `decide`
        self.night = add(self.night, stored, is_checked=is_checked)
        self._stored[id] = stored


def _same(earlier: StoredDecision, request: Json, by: Author) -> StoredDecision:
    """The earlier decision, if kind and author of the request are the same; all directors count as the same author.

    Raises:
        IdReused: the request is of another kind, or by another person.
    """
    kind = BY_WORD.get(str(request.get("do")))
    is_same_author = earlier.by == by or earlier.by.role is by.role is Role.DIRECTOR
    if kind is None or type(earlier.decision) is not kind.fact or not is_same_author:
        raise IdReused("desk_id_reused", id=str(request.get("id"))[:64])
    return earlier


def _shuffle(players: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
    """The players in random order."""
    return tuple(_RANDOM.sample(players, len(players)))


A_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")

OWN_LETTERS = 5
"""Hexadecimal digits of an event id that distinguish events with the same date."""

OUTLINE = ("open_night", "set_rules", "enter", "correct_entry", "end_night", "open_again", "undo")
"""Decisions that lists and seasons need from an ended event: name, people, and standings."""

NIGHTS_BEFORE = 20
"""Maximum number of earlier events searched for a pot of the same kind."""

Follower: TypeAlias = Callable[[str, str | None], None]
"""Called with an event id, and with a table if only its live row changed; from any thread; must not block."""


class LiveFeed(Protocol):
    """Live data from tables; no decision depends on it."""

    def tables(self, night: str) -> Mapping[str, Json]:
        """The live row of each table of an event: `online`, `since`, `last_at` (ms since 1970), and its `state`."""

    def troubles(self) -> list[SaidJson]:
        """Why tables cannot be reached, or their messages cannot be stored; empty if all is well."""


class NoLiveFeed:
    """The live feed of a hub without connected tables."""

    def tables(self, night: str) -> Mapping[str, Json]:  # noqa: ARG002 - as in the protocol
        """No tables."""
        return {}

    def troubles(self) -> list[SaidJson]:
        """No troubles."""
        return []


@dataclass(frozen=True, slots=True)
class NightLine:
    """One row of the list of events.

    Attributes:
        id: the event's id in URLs and topics.
        night: the state of the event; for an ended event, perhaps only from its `OUTLINE`.
    """

    id: str
    night: Night

    @property
    def date(self) -> str:
        """The event's date; "" before its decision `open_night`."""
        return self.night.opening.date if self.night.opening else ""

    def as_json(self) -> Json:
        """JSON-ready values, including the current phase."""
        name = self.night.opening.name if self.night.opening else ""
        ended = self.night.ended is not None
        return {"night": self.id, "name": name, "date": self.date, "phase": phase_of(self.night), "ended": ended}


class NightService:
    """All events of one hub.

    Attributes:
        ledger: stores decisions and the tables' events.
        feed: the tables' live data.
        clock_ms: returns ms since 1970.
    """

    def __init__(
        self,
        ledger: Ledger,
        feed: LiveFeed | None = None,
        *,
        clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        """Serve the events of a ledger.

        Args:
            ledger: stores decisions.
            feed: the tables' live data; None if there are no tables.
            clock_ms: returns ms since 1970.
        """
        self.ledger, self.clock_ms = ledger, clock_ms
        self.feed: LiveFeed = feed or NoLiveFeed()
        self._calls: dict[str, OpenCalls] = {}
        self._opened: dict[str, OpenedNight] = {}
        self._outlines: dict[str, Night] = {}
        self._lock, self._calling = threading.Lock(), threading.Lock()
        self._followers: list[Follower] = []

    def lines(self) -> list[NightLine]:
        """All events, latest date first; on the same date, the one opened last first.

        Ended events are derived only from their `OUTLINE`, unless they are in memory, so that a whole season is fast.
        """
        found = self._outlines_of([event.name for event in self.ledger.open_events()])
        begun = {name: one for name, one in found.items() if one.revision > 0}
        lines = [NightLine(name, one if one.ended is not None else self.night(name)) for name, one in begun.items()]
        return sorted(lines, key=lambda line: line.date)[::-1]

    def open_lines(self) -> list[NightLine]:
        """The open events, latest date first."""
        return [line for line in self.lines() if line.night.opened is not None and line.night.ended is None]

    def _outlines_of(self, names: list[str]) -> dict[str, Night]:
        """The states of events in memory, and outlines of the others; each outline is read once."""
        missing = [name for name in names if name not in self._opened and name not in self._outlines]
        if missing:
            read = read_kinds(self.ledger, missing, OUTLINE)
            self._outlines |= {name: fold(from_row(one.row) for one in rows) for name, rows in read.items()}
        opened = {name: self._opened[name].night for name in names if name in self._opened}
        return {name: opened.get(name) or self._outlines[name] for name in names}

    def open(self, request: Json, by: Author, id: str) -> str:  # noqa: A002 - the API's own word
        """Create an event from an `open_night` request, and return its id, which is the same for the same request.

        Raises:
            RuleError, NotStored: see `decide`; a refused request leaves nothing behind.
        """
        date = str(request.get("date", ""))
        own = hashlib.sha256(id.encode()).hexdigest()[:OWN_LETTERS]
        name = f"{date if A_DATE.fullmatch(date) else 'night'}-{own}"
        decide_request(EMPTY_NIGHT, request, by)
        self.ledger.open_event(name, str(request.get("name", ""))[:80])
        self.decide(name, request, by, id)
        return name

    def decide(self, night: str, request: Json, by: Author, id: str) -> tuple[StoredDecision, bool]:  # noqa: A002
        """Decide a request; returns the stored decision, and whether it was stored before. See `OpenedNight.decide`.

        Raises:
            NoNight: there is no such event.
            RuleError, NotStored: see `OpenedNight.decide`.
        """
        stored, was_there = self._open(night).decide(request, by, id)
        if not was_there:
            self._tell(night)
        return stored, was_there

    def take_result(self, night: str, result: TableResult) -> tuple[StoredDecision, bool] | None:
        """Decide on a result of a table as `decide` does: a game finished or reopened; None if neither.

        A sheet that was already decided is not judged again: the rules may have changed since.

        Raises:
            RuleError, NotStored: see `decide`.
        """
        state, id_ = self.night(night), request_id(result)
        if (stored := self._open(night).find(id_)) is not None:
            return stored, True
        values = request_of(result, night, state)
        return None if values is None else self.decide(night, values, Author(Role.TABLE, result.table), id_)

    def night(self, night: str) -> Night:
        """The state of an event.

        Raises:
            NoNight: there is no such event.
        """
        return self._open(night).night

    def carried_into(self, night: str) -> dict[str, int]:
        """Cents left over from pots of earlier events and not yet carried into this event, by kind of pot.

        Raises:
            NoNight: there is no such event.
        """
        here = self.night(night)
        found: dict[str, int] = {}
        from_here = dropwhile(lambda line: line.id != night, self.lines())
        earlier = [line.id for line in from_here if line.id != night and line.night.opened is not None]
        for before in earlier[:NIGHTS_BEFORE]:
            found = carried_out_by_kind(self.night(before)) | found
        return {kind: max(0, cents - carried_in_by_kind(here).get(kind, 0)) for kind, cents in found.items()}

    # --- calls, which are never stored ---

    def calls(self, night: str) -> OpenCalls:
        """The open calls for a judge or the director."""
        return self._calls.get(night, EMPTY_CALLS)

    def change_calls(self, night: str, change: Callable[[OpenCalls], OpenCalls]) -> OpenCalls:
        """Change the open calls, and notify followers.

        Raises:
            RuleError: raised by `change`; nothing has changed then.
        """
        with self._calling:
            before = self.calls(night)
            after = self._calls[night] = change(before)
        if after != before:
            self._tell(night)
        return after

    # --- alarms of the ledger: refused messages, and boards that changed unexpectedly ---

    def alarms(self, night: str) -> list[EventAlarmJson]:
        """The alarms of an event that nobody has dismissed, oldest first."""
        return [
            {"alarm": one.number, "table": one.table, "at": one.at // 1_000_000, "said": say(one.message)}
            for one in self.ledger.alarms(night)
            if one.dismissed_by is None
        ]

    def notify_alarms(self, night: str) -> None:
        """Notify followers that an event's alarms changed; from any thread; does not block."""
        self._tell(night)

    def troubles(self, night: str) -> list[SaidJson]:
        """Why an event's tables cannot be reached, or their messages cannot be stored.

        Empty for an event without a board, or one that has ended.

        Raises:
            NoNight: there is no such event.
        """
        found = self.night(night)
        has_board = any(table.kind == "board" for table in found.tables.values())
        return self.feed.troubles() if has_board and found.ended is None else []

    def notify_troubles(self) -> None:
        """Notify followers of each open event that the hub's troubles changed; from any thread; does not block."""
        for night, opened in list(self._opened.items()):
            if opened.night.ended is None:
                self._tell(night)

    def dismiss_alarm(self, night: str, number: int, by: Author) -> None:
        """Dismiss an alarm of this event, and notify followers; alarms of other events are not touched.

        Raises:
            NotStored: the dismissal cannot be stored.
        """
        self.ledger.dismiss_alarm(night, number, by.name)
        self._tell(night)

    # --- followers ---

    def follow(self, follower: Follower) -> Callable[[], None]:
        """Call `follower` after each change; returns a function that unsubscribes it."""
        self._followers.append(follower)
        return lambda: self._followers.remove(follower)

    def notify_table(self, night: str, table: str) -> None:
        """Notify followers that a table's display changed; from any thread; does not block."""
        self._tell(night, table)

    def _tell(self, night: str, table: str | None = None) -> None:
        for follower in tuple(self._followers):
            follower(night, table)

    def _open(self, night: str) -> OpenedNight:
        with self._lock:
            if night not in self._opened:
                if night not in {event.name for event in self.ledger.open_events()}:
                    raise NoNight("desk_no_night", night=night[:40])
                self._opened[night] = OpenedNight(DecisionLog(self.ledger, night), self.clock_ms)
            return self._opened[night]
