"""Event sourcing: turn a request into a decision, and fold stored decisions into the state of an event.

The fold takes one step per decision. It reads what was chosen and never refuses: a decision that today's limits would
refuse is listed as a departure and still counts. An undone decision counts as never made: the rest is folded again
without it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, TypeAlias

from pegboard.errors import Already, Moved, NotAllowed, RuleError
from pegboard.messages import Message
from pegboard.tournament.night import facts
from pegboard.tournament.night.deciding import (
    ENVELOPE,
    Choosing,
    Request,
    Shuffle,
    check,
    check_phase,
    find_refusal,
    kind_of,
    read_request,
)
from pegboard.tournament.night.decisions import BY_WORD, topics_of, topics_of_request
from pegboard.tournament.night.night_state import EMPTY_NIGHT, Author, LimitViolation, Night, Role, StoredDecision

# --- from a request to a stored decision: fields, author, choices, limits ---


Json: TypeAlias = Mapping[str, Any]


def decide(night: Night, request: Json, by: Author, shuffle: Shuffle = tuple) -> facts.Decision:
    """Turn a request into a decision; the event is unchanged until the decision is stored and added.

    Args:
        night: the current state.
        request: JSON with "do", the fields of the decision, and optionally "base", the revision that the client saw.
        by: the author.
        shuffle: a function that puts players in random order, for a draw.

    Raises:
        RuleError: a field of the request is wrong, or the decision is refused; `Already` if there is nothing to do.
        NotAllowed: this author may not make the decision.
        Moved: the subject of the decision has changed since `base`.
    """
    kind = _kind_of(request)
    values = {name: value for name, value in request.items() if name not in (*ENVELOPE, "do")}
    wish = read_request(kind, values)
    _check_author(kind, values, by)
    _check_base(night, wish, request.get("base"))
    check_phase(night, kind.fact)
    decision = wish.choose(night, Choosing(by, shuffle, add))
    check(night, decision)
    return decision


def _kind_of(request: Json) -> type[Request]:
    do = request.get("do")
    if not isinstance(do, str) or do not in BY_WORD:
        raise RuleError("night_no_such_decision", do=repr(do)[:80], known=", ".join(BY_WORD))
    return BY_WORD[do]


def _check_author(kind: type[Request], values: Json, by: Author) -> None:
    """Check that this author may make the decision; players only for themselves, tables only about themselves."""
    if by.role not in kind.who:
        raise NotAllowed("night_director_only" if Role.DIRECTOR in kind.who else "night_tables_only")
    if by.role is Role.PLAYER and kind.do != "enter" and (values.get("players") or values.get("player") != by.name):
        raise NotAllowed("night_for_oneself")
    if by.role is Role.TABLE and values.get("table") != by.name:
        raise NotAllowed("night_other_table", table=by.name)


def _check_base(night: Night, wish: Request, base: Any) -> None:
    """Refuse a request based on an outdated revision, if it needs a base (optimistic locking)."""
    if not wish.needs_base or base is None:
        return
    if type(base) is not int:
        raise RuleError("night_field", field="base", takes="the revision you saw, a whole number")
    about = topics_of_request(wish)
    for stored in reversed(night.rows):
        if stored.number <= base:
            return
        if not about.isdisjoint(topics_of(stored.decision)):
            raise Moved("night_moved", number=stored.number)


# --- from stored decisions to the state ---


def fold(rows: Iterable[StoredDecision]) -> Night:
    """The event that results from these decisions, in order."""
    rows = tuple(rows)
    undone = find_undone(rows)
    night = replace(EMPTY_NIGHT, departures=tuple(_find_idle_undoings(rows)))
    for row in rows:
        night = _step(night, row, undone)
    return replace(night, rows=rows, undone=undone)


def add(night: Night, row: StoredDecision, *, is_checked: bool = False) -> Night:
    """The event after one more decision; the same as folding all of them.

    `is_checked`: the decision has just been made for this event, so that no limit needs to be checked again.
    """
    if isinstance(row.decision, facts.DecisionUndone):
        return fold((*night.rows, row))
    return replace(_step(night, row, {}, is_checked=is_checked), rows=(*night.rows, row))


def find_undone(rows: Iterable[StoredDecision]) -> dict[int, int]:
    """The numbers of undone decisions, each mapped to the number of the decision that undid it.

    Scans from the newest, so that an undo that was itself undone has no effect.
    """
    undone: dict[int, int] = {}
    for row in sorted(rows, key=lambda row: row.number, reverse=True):
        if isinstance(row.decision, facts.DecisionUndone) and row.number not in undone:
            for number in (row.decision.number, *row.decision.also):
                if number < row.number:
                    undone.setdefault(number, row.number)
    return undone


def _find_idle_undoings(rows: Iterable[StoredDecision]) -> Iterator[LimitViolation]:
    """Undos of decisions that do not exist or come later."""
    known: set[int] = set()
    for row in rows:
        if isinstance(row.decision, facts.DecisionUndone) and row.decision.number not in known:
            yield LimitViolation(row.number, Message("night_no_decision", number=row.decision.number))
        known.add(row.number)


def _step(night: Night, row: StoredDecision, undone: Mapping[int, int], *, is_checked: bool = False) -> Night:
    if row.number in undone:
        return night
    is_checked = is_checked or isinstance(row.decision, facts.DecisionUndone)
    why = None if is_checked else find_refusal(partial(check, night, row.decision))
    if why is not None:
        departure = LimitViolation(row.number, why.message, isinstance(why, Already))
        night = replace(night, departures=(*night.departures, departure))
    kind = kind_of(type(row.decision))
    return night if kind is None else kind.apply(night, row.decision, row.number)
