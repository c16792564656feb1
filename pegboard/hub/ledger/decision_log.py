"""Decision log of an event: numbered, append-only, each request id stored once; hash chain and its check."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from pegboard.hub.ledger.database import reading, writing
from pegboard.hub.ledger.hub_errors import DecisionMoved
from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.ledger.ledger_tables import NIGHT_DECISION
from pegboard.json_parser import canonical_json


@dataclass(frozen=True, slots=True)
class LoggedDecision:
    """A stored decision.

    Attributes:
        number: the decision's number in its event, from 1, without gaps.
        id: the id of the request that made the decision.
        row: `number`, `at`, `by` (`role` and `name`), `do`, `version` and `body`, JSON-ready.
        replayed: whether it was stored before, by an earlier request with the same id.
    """

    number: int
    id: str
    row: Mapping[str, Any]
    replayed: bool = False


class DecisionLog:
    """The decisions of one event."""

    def __init__(self, ledger: Ledger, event: str) -> None:
        """`event` is the name of the event."""
        self._engine, self._event = ledger.engine, event

    def append(self, row: Mapping[str, Any], id: str, number: int | None = None) -> LoggedDecision:  # noqa: A002 - of the request
        """Store a decision; on disk when this returns. If its id is already stored, returns the stored decision.

        Args:
            row: `at` (ms since 1970), `by` with `role` and `name`, `do`, `version`, and `body`.
            id: the id of the request.
            number: the number the decision must get; None for the next one.

        Raises:
            DecisionMoved: another decision has that number already.
            LedgerNotStored: the database cannot store now; nothing was stored.
        """
        try:
            with writing(self._engine) as connection:
                return self._append(connection, row, id, number)
        except IntegrityError:  # another hub stored concurrently
            if (there := self._find(id)) is not None:
                return there
            raise DecisionMoved("hub_decision_moved", number=number or 0) from None

    def _append(self, connection: Connection, row: Mapping[str, Any], id: str, number: int | None) -> LoggedDecision:  # noqa: A002
        if (there := self._select(connection, id)) is not None:
            return there
        last, chain = self._end(connection)
        if number not in {None, last + 1}:
            raise DecisionMoved("hub_decision_moved", number=number)
        values = {
            "event": self._event,
            "number": last + 1,
            "id": id,
            "at": row["at"],
            "role": row["by"]["role"],
            "name": row["by"]["name"],
            "kind": row["do"],
            "version": row["version"],
            "body": canonical_json(row["body"]),
        }
        connection.execute(insert(NIGHT_DECISION).values(values | {"chain": _link(chain, values)}))
        return _as_decision(values)

    def _end(self, connection: Connection) -> tuple[int, str]:
        """Number and chain link of the newest decision; 0 and "" for an empty log."""
        own = NIGHT_DECISION.c
        newest = select(func.max(own.number)).where(own.event == self._event).scalar_subquery()
        query = select(own.number, own.chain).where(own.event == self._event, own.number == newest)
        found = connection.execute(query).first()
        return (0, "") if found is None else (int(found[0]), str(found[1]))

    def _select(self, connection: Connection, id: str) -> LoggedDecision | None:  # noqa: A002
        own = NIGHT_DECISION.c
        query = select(NIGHT_DECISION).where(own.event == self._event, own.id == id)
        found = connection.execute(query).mappings().first()
        return None if found is None else replace(_as_decision(dict(found)), replayed=True)

    def _find(self, id: str) -> LoggedDecision | None:  # noqa: A002
        with reading(self._engine) as connection:
            return self._select(connection, id)

    def read(self, after: int = 0) -> list[LoggedDecision]:
        """The decisions after number `after`, in order."""
        return [_as_decision(row) for row in self._rows(after)]

    def check(self) -> int | None:
        """The number of the first decision that was altered, or that follows a missing one; None if all are intact."""
        chain = ""
        for expected, row in enumerate(self._rows(0), 1):
            chain = _link(chain, row)
            if (row["number"], row["chain"]) != (expected, chain):
                return expected
        return None

    def _rows(self, after: int) -> list[dict[str, Any]]:
        own = NIGHT_DECISION.c
        query = select(NIGHT_DECISION).where(own.event == self._event, own.number > after).order_by(own.number)
        with reading(self._engine) as connection:
            return [dict(row) for row in connection.execute(query).mappings()]


def read_kinds(ledger: Ledger, events: Collection[str], kinds: Collection[str]) -> dict[str, list[LoggedDecision]]:
    """The decisions of certain kinds for each of these events, in order."""
    own = NIGHT_DECISION.c
    where = (own.event.in_(events), own.kind.in_(kinds))
    found: dict[str, list[LoggedDecision]] = {event: [] for event in events}
    with reading(ledger.engine) as connection:
        for row in connection.execute(select(NIGHT_DECISION).where(*where).order_by(own.event, own.number)).mappings():
            found[row["event"]].append(_as_decision(dict(row)))
    return found


def _as_decision(values: Mapping[str, Any]) -> LoggedDecision:
    row = {
        "number": values["number"],
        "at": values["at"],
        "by": {"role": values["role"], "name": values["name"]},
        "do": values["kind"],
        "version": values["version"],
        "body": json.loads(values["body"]),
    }
    return LoggedDecision(values["number"], values["id"], row)


def _link(previous: str, values: Mapping[str, Any]) -> str:
    """The hash chain link of a decision: it covers the decision and, through the previous link, all earlier ones."""
    names = ("event", "number", "id", "at", "role", "name", "kind", "version", "body")
    text = canonical_json([previous, *(values[name] for name in names)])
    return sha256(text.encode()).hexdigest()[:32]
