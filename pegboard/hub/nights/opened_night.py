"""One night in memory: what its decisions add up to, and the log that stores them."""

import threading
from collections.abc import Callable, Sequence
from random import SystemRandom
from typing import TYPE_CHECKING, Any, TypeAlias

from pegboard.errors import IdReused
from pegboard.hub.hub_errors import DecisionMoved, HubBusy
from pegboard.hub.ledger.decision_log import DecisionLog
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night.decide import add, decide, fold
from pegboard.tournament.night.decisions import ROWS, as_row, from_row
from pegboard.tournament.night.night_state import Author, Role, StoredDecision

if TYPE_CHECKING:
    from pegboard.tournament.night.night_state import Night

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
