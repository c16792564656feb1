"""The nights of a hub: opens them, has requests decided, says what each page sees, and tells who follows of changes."""

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
from pegboard.tournament.calls import NO_CALLS, OpenCalls
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.decide import add, decide, fold
from pegboard.tournament.night.decide import decide as decide_request
from pegboard.tournament.night.decisions import ROWS, as_row, from_row
from pegboard.tournament.night.night_state import EMPTY_NIGHT, Author, Night, Role, StoredDecision
from pegboard.tournament.night.pots import came_by_kind, left_by_kind
from pegboard.tournament.night.views.actions import say
from pegboard.tournament.night.views.night_views import phase_of

# --- one night in memory: what its decisions add up to, and the log that stores them ---


Json: TypeAlias = dict[str, Any]


TRIES = 5
"""Times that a request is judged, where another hub on the same ledger has stored something meanwhile."""


_CHANCE = SystemRandom()
"""What draws are made by: what was drawn is stored, and never drawn again."""


class OpenedNight:
    """A night whose decisions are judged, then stored, and only then seen: one lock, as on the table.

    Attributes:
        night: what the stored decisions add up to.
    """

    def __init__(self, log: DecisionLog, clock_ms: Callable[[], int]) -> None:
        """Read its decisions; `clock_ms` tells the time in ms since 1970."""
        self._log, self._clock_ms, self._lock = log, clock_ms, threading.Lock()
        self._stored = {one.id: from_row(one.row) for one in log.read()}
        self.night: Night = fold(self._stored.values())

    def decide(self, request: Json, by: Author, id: str) -> tuple[StoredDecision, bool]:  # noqa: A002 - the API's word
        """What a request is stored as, and whether it was stored before: an id counts once.

        Raises:
            RuleError: today's limits forbid it, or it has no such shape.
            NotStored: it cannot be stored, and so was not decided.
            IdReused: the id is that of another request.
            HubBusy: others decide all the time.
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
        self._add(made, id)
        return made, False

    def find(self, id: str) -> StoredDecision | None:  # noqa: A002 - see `decide`
        """What the request of that id is stored as; None where none of it is."""
        return self._stored.get(id)

    def _read_on(self) -> None:
        """Take over what another hub on the same ledger has stored."""
        for one in self._log.read(after=self.night.revision):
            self._add(from_row(one.row), one.id)

    def _add(self, stored: StoredDecision, id: str) -> None:  # noqa: A002 - see `decide`
        self.night = add(self.night, stored)
        self._stored[id] = stored


def _same(earlier: StoredDecision, request: Json, by: Author) -> StoredDecision:
    """The earlier decision, where the request asks for one of its kind; a director may sign by another name by now.

    Raises:
        IdReused: it is of another kind, or another person's.
    """
    row = ROWS.get(str(request.get("do")))
    is_same_author = earlier.by == by or earlier.by.role is by.role is Role.DIRECTOR
    if row is None or type(earlier.decision) is not row.decision or not is_same_author:
        raise IdReused("desk_id_reused", id=str(request.get("id"))[:64])
    return earlier


def _shuffle(players: Sequence[PlayerId]) -> tuple[PlayerId, ...]:
    """The players in any order."""
    return tuple(_CHANCE.sample(players, len(players)))


A_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


OWN_LETTERS = 5
"""Letters that tell two nights of one date apart."""


OUTLINE = ("open_night", "set_rules", "enter", "correct_entry", "end_night", "open_again", "undo")
"""Decisions that tell of a night that has ended what lists and seasons show: name, people, and its standings."""


NIGHTS_BEFORE = 20
"""Nights that are looked through for a pot of the same kind."""


Follower: TypeAlias = Callable[[str, str | None], None]
"""Called with a night, and with a table where its live row alone has changed; from any thread, and must not wait."""


class LiveFeed(Protocol):
    """What tables send without deciding anything."""

    def tables(self, night: str) -> Mapping[str, Json]:
        """What each table of a night shows: `online`, `since`, `last_at` (ms since 1970) and its `state`."""

    def troubles(self) -> list[Json]:
        """Why tables are not heard of, or nothing of theirs is stored; empty where all is well."""


class NoLiveFeed:
    """The feed of a hub to which no table is connected."""

    def tables(self, night: str) -> Mapping[str, Json]:  # noqa: ARG002 - as in the protocol
        """None."""
        return {}

    def troubles(self) -> list[Json]:
        """None."""
        return []


@dataclass(frozen=True, slots=True)
class NightLine:
    """A line of the list of nights.

    Attributes:
        id: what it is called in addresses and topics.
        night: what its decisions add up to; of a night that has ended perhaps its `OUTLINE` alone.
    """

    id: str
    night: Night

    @property
    def date(self) -> str:
        """The date that it was opened for; "" where nobody has opened it yet."""
        return self.night.opening.date if self.night.opening else ""

    def as_json(self) -> Json:
        """JSON-ready values, with the phase in which it stands."""
        name = self.night.opening.name if self.night.opening else ""
        ended = self.night.ended is not None
        return {"night": self.id, "name": name, "date": self.date, "phase": phase_of(self.night), "ended": ended}


class NightService:
    """Every night of one hub.

    Attributes:
        ledger: where decisions are stored, and what tables have sent.
        feed: what tables show now.
        clock_ms: ms since 1970.
    """

    def __init__(
        self,
        ledger: Ledger,
        feed: LiveFeed | None = None,
        *,
        clock_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        """Serve the nights of a ledger.

        Args:
            ledger: where decisions are stored.
            feed: what the tables send; None where there are none.
            clock_ms: ms since 1970.
        """
        self.ledger, self.clock_ms = ledger, clock_ms
        self.feed: LiveFeed = feed or NoLiveFeed()
        self._calls: dict[str, OpenCalls] = {}
        self._opened: dict[str, OpenedNight] = {}
        self._outlines: dict[str, Night] = {}
        self._lock, self._calling = threading.Lock(), threading.Lock()
        self._followers: list[Follower] = []

    def lines(self) -> list[NightLine]:
        """All nights, that of the latest date first, of one date the one that was opened last.

        Nobody waits until those of a whole season are derived.
        """
        found = self._outlines_of([event.name for event in self.ledger.open_events()])
        begun = {name: one for name, one in found.items() if one.revision > 0}
        lines = [NightLine(name, one if one.ended is not None else self.night(name)) for name, one in begun.items()]
        return sorted(lines, key=lambda line: line.date)[::-1]

    def open_lines(self) -> list[NightLine]:
        """The nights that go on, that of the latest date first."""
        return [line for line in self.lines() if line.night.opened is not None and line.night.ended is None]

    def _outlines_of(self, names: list[str]) -> dict[str, Night]:
        """The nights in memory, and the outlines of others, which are read once."""
        missing = [name for name in names if name not in self._opened and name not in self._outlines]
        if missing:
            read = read_kinds(self.ledger, missing, OUTLINE)
            self._outlines |= {name: fold(from_row(one.row) for one in rows) for name, rows in read.items()}
        opened = {name: self._opened[name].night for name in names if name in self._opened}
        return {name: opened.get(name) or self._outlines[name] for name in names}

    def open(self, request: Json, by: Author, id: str) -> str:  # noqa: A002 - the API's own word
        """Make a night of a request `open_night`, and return its id: the same for the same request.

        Raises:
            RuleError, NotStored: as `decide` says; what is refused leaves nothing behind.
        """
        date = str(request.get("date", ""))
        own = hashlib.sha256(id.encode()).hexdigest()[:OWN_LETTERS]
        name = f"{date if A_DATE.fullmatch(date) else 'night'}-{own}"
        decide_request(EMPTY_NIGHT, request, by)
        self.ledger.open_event(name, str(request.get("name", ""))[:80])
        self.decide(name, request, by, id)
        return name

    def decide(self, night: str, request: Json, by: Author, id: str) -> tuple[StoredDecision, bool]:  # noqa: A002
        """What a request is stored as, and whether it was stored before; see `OpenedNight.decide`.

        Raises:
            NoNight: there is no such night.
            RuleError, NotStored: as there.
        """
        stored, was_there = self._open(night).decide(request, by, id)
        if not was_there:
            self._tell(night)
        return stored, was_there

    def take_result(self, night: str, result: TableResult) -> tuple[StoredDecision, bool] | None:
        """Decide about a game that a table has finished, or opened again: as `decide`; None where it did neither.

        A sheet that was decided about is not judged once more: the rules may have changed since.

        Raises:
            RuleError, NotStored: as `decide` says.
        """
        state, id_ = self.night(night), request_id(result)
        if (stored := self._open(night).find(id_)) is not None:
            return stored, True
        values = request_of(result, night, state)
        return None if values is None else self.decide(night, values, Author(Role.TABLE, result.table), id_)

    def night(self, night: str) -> Night:
        """What the decisions of a night add up to.

        Raises:
            NoNight: there is no such night.
        """
        return self._open(night).night

    def carried_into(self, night: str) -> dict[str, int]:
        """Cents that pots of earlier nights have left and that are in no pot of this night yet, by the kind of pot.

        Raises:
            NoNight: there is no such night.
        """
        here = self.night(night)
        found: dict[str, int] = {}
        from_here = dropwhile(lambda line: line.id != night, self.lines())
        earlier = [line.id for line in from_here if line.id != night and line.night.opened is not None]
        for before in earlier[:NIGHTS_BEFORE]:
            found = left_by_kind(self.night(before)) | found
        return {kind: max(0, cents - came_by_kind(here).get(kind, 0)) for kind, cents in found.items()}

    # --- calls, of which nothing is stored ---

    def calls(self, night: str) -> OpenCalls:
        """The calls for a judge or the director that are open."""
        return self._calls.get(night, NO_CALLS)

    def change_calls(self, night: str, change: Callable[[OpenCalls], OpenCalls]) -> OpenCalls:
        """Change the open calls, and say so.

        Raises:
            RuleError: as `change` does; nothing has changed then.
        """
        with self._calling:
            before = self.calls(night)
            after = self._calls[night] = change(before)
        if after != before:
            self._tell(night)
        return after

    # --- alarms of the ledger: messages that were refused, boards that are not what they were ---

    def alarms(self, night: str) -> list[Json]:
        """The alarms of a night that nobody has dismissed, oldest first."""
        return [
            {"alarm": one.number, "table": one.table, "at": one.at // 1_000_000, "said": say(one.message)}
            for one in self.ledger.alarms(night)
            if one.dismissed_by is None
        ]

    def alarms_changed(self, night: str) -> None:
        """Say that a night has other alarms; from any thread, and it does not wait."""
        self._tell(night)

    def troubles(self, night: str) -> list[Json]:
        """Why the tables of a night are not heard of, or nothing of theirs is stored.

        It does not concern a night without a board, or one that has ended.

        Raises:
            NoNight: there is no such night.
        """
        found = self.night(night)
        has_board = any(table.kind == "board" for table in found.tables.values())
        return self.feed.troubles() if has_board and found.ended is None else []

    def troubles_changed(self) -> None:
        """Say of each night that goes on that the hub has other troubles; from any thread, and it does not wait."""
        for night, opened in list(self._opened.items()):
            if opened.night.ended is None:
                self._tell(night)

    def dismiss_alarm(self, night: str, number: int, by: Author) -> None:
        """Dismiss an alarm of this night, and say so; one that another night has stays.

        Raises:
            NotStored: that cannot be stored.
        """
        self.ledger.dismiss_alarm(night, number, by.name)
        self._tell(night)

    # --- who wants to know ---

    def follow(self, follower: Follower) -> Callable[[], None]:
        """Call `follower` after each change; returns what ends that."""
        self._followers.append(follower)
        return lambda: self._followers.remove(follower)

    def tables_changed(self, night: str, table: str) -> None:
        """Say that what a table shows has changed; from any thread, and it does not wait."""
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
