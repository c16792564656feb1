"""Event sourcing: turn a request into a decision, and fold stored decisions into the state of an event.

The fold takes one step per decision. It reads what was chosen and never refuses: a decision that today's limits would
refuse is listed as a departure and still counts. An undone decision counts as never made: the rest is folded again
without it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from pegboard.errors import Already, Moved, NotAllowed, RuleError
from pegboard.messages import Message
from pegboard.tournament.night import facts, people, play_offs, pots, results_decided
from pegboard.tournament.night.deciding import ENVELOPE, DecisionRow
from pegboard.tournament.night.decisions import (
    PLAY_OFF_STEPS,
    ROWS,
    check,
    check_phase,
    read_decision,
    refusal,
    topics_of,
    topics_of_request,
)
from pegboard.tournament.night.evening import _announce, _end, _open, _open_again, _set_rules
from pegboard.tournament.night.night_state import EMPTY_NIGHT, Author, LimitViolation, Night, Role, StoredDecision
from pegboard.tournament.night.people import (
    _check_in,
    _close_registration,
    _come_back,
    _correct_entry,
    _enter,
    _leave,
    _open_registration,
    _pay_fee,
)
from pegboard.tournament.night.request_shapes import check_fields
from pegboard.tournament.night.rounds import Shuffle, _add_table, _draw, _move_game, _remove_table, _start_round, draw

# --- undo: what is undone together with a decision, and what must be undone before it ---


def undo(night: Night, values: dict[str, Any]) -> facts.DecisionUndone:
    """Undo a decision, together with the bracket games that fit no match without it.

    Raises:
        RuleError: there is no such decision, or a later one (named) depends on it; `Already` if it is undone.
    """
    fact = facts.DecisionUndone(values["number"])
    check(night, fact)
    also = _find_idle_games(_after(night, fact)) - _find_idle_games(night)
    fact = facts.DecisionUndone(fact.number, tuple(sorted(also)))
    resting = find_dependents(night, fact)
    if resting:
        raise RuleError("night_undo_first", number=resting[-1].number, why=_with_names(night, resting[-1].why))
    return fact


def _with_names(night: Night, why: Message) -> Message:
    """A refusal with the player's name in place of the id, since the undo may remove the player from the roster."""
    player = why.values.get("player")
    return Message(why.key, **{**why.values, "player": night.name(player)}) if isinstance(player, str) else why


def find_dependents(night: Night, fact: facts.DecisionUndone) -> list[LimitViolation]:
    """Later decisions that would have been refused without the undone one, oldest first."""
    before = {departure.number for departure in night.departures}
    return [one for one in _after(night, fact).departures if not one.idle and one.number not in before]


def _after(night: Night, fact: facts.DecisionUndone) -> Night:
    return add(night, StoredDecision(night.revision + 1, 0, Author(Role.DIRECTOR), fact))


def _find_idle_games(night: Night) -> set[int]:
    """Decision numbers of bracket games that fit no match."""
    found: set[int] = set()
    for state in night.brackets.values():
        idle = {id(game) for game in state.bracket.idle}
        rows = zip(state.bracket.games, state.numbers, strict=True)
        found |= {number for game, number in rows if id(game) in idle}
    return found


# --- from a request to a stored decision: fields, author, choices, limits ---


Json: TypeAlias = Mapping[str, Any]


Choice: TypeAlias = Callable[[Night, dict[str, Any]], facts.Decision]
"""Makes the fact for one kind of request; raises `RuleError` if nothing can be chosen."""


def decide(night: Night, request: Json, by: Author, shuffle: Shuffle = tuple) -> facts.Decision:
    """Turn a request into a decision; the event is unchanged until the decision is stored and added.

    Args:
        night: the current state.
        request: JSON with "do", the fields of its row, and optionally "base", the revision that the client saw.
        by: the author.
        shuffle: puts players in random order, for a draw.

    Raises:
        RuleError: its fields are wrong, or it is refused; `Already` if there is nothing to do.
        NotAllowed: this author may not make the decision.
        Moved: its subject has changed since `base`.
    """
    row = _row_of(request)
    values = {name: value for name, value in request.items() if name not in (*ENVELOPE, "do")}
    check_fields(row.own_fields, values)
    _check_author(row, values, by)
    _check_base(night, row, values, request.get("base"))
    check_phase(night, row.decision)
    if by.role is Role.PLAYER and row.do in CLAIM_DECISIONS:
        results_decided.require_no_earlier_open_game(night, values["game"])
    decision = _choose(night, row, values, by, shuffle)
    check(night, decision)
    return decision


def _row_of(request: Json) -> DecisionRow:
    do = request.get("do")
    if not isinstance(do, str) or do not in ROWS:
        raise RuleError("night_no_such_decision", do=repr(do)[:80], known=", ".join(ROWS))
    return ROWS[do]


def _check_author(row: DecisionRow, values: Json, by: Author) -> None:
    """Check that this author may make the decision; players only for themselves, tables only about themselves."""
    if by.role not in row.who:
        raise NotAllowed("night_director_only" if Role.DIRECTOR in row.who else "night_tables_only")
    if by.role is Role.PLAYER and row.do != "enter" and (values.get("players") or values.get("player") != by.name):
        raise NotAllowed("night_for_oneself")
    if by.role is Role.TABLE and values.get("table") != by.name:
        raise NotAllowed("night_other_table", table=by.name)


def _check_base(night: Night, row: DecisionRow, values: Json, base: Any) -> None:
    """Refuse a request based on an outdated revision, if its row needs a base (optimistic locking)."""
    if not row.needs_base or base is None:
        return
    if not isinstance(base, int) or isinstance(base, bool):
        raise RuleError("night_field", field="base", takes="the revision you saw, a whole number")
    about = topics_of_request(row.do, values)
    for stored in reversed(night.rows):
        if stored.number <= base:
            return
        if not about.isdisjoint(topics_of(stored.decision)):
            raise Moved("night_moved", number=stored.number)


# --- choosing ---


def _choose(night: Night, row: DecisionRow, values: dict[str, Any], by: Author, shuffle: Shuffle) -> facts.Decision:
    if row.do in DRAWS:
        return DRAWS[row.do](night, values, shuffle)
    if row.do == "enter":
        return people.enter(night, values, by_themselves=by.role is Role.PLAYER)
    choice = CHOICES.get(row.do)
    return _read_request(row, values) if choice is None else choice(night, values)


def _read_request(row: DecisionRow, values: Json) -> facts.Decision:
    """The fact of a request that leaves nothing to choose."""
    decision = read_decision(row.do, dict(values))
    assert not isinstance(decision, facts.UnknownDecision)  # its fields were checked
    return decision


CLAIM_DECISIONS = ("claim", "confirm")
"""Decisions by which players report their own games."""


DRAWS: Mapping[str, Callable[[Night, dict[str, Any], Shuffle], facts.Decision]] = {
    "draw": draw,
    "draw_bracket": play_offs.draw_bracket,
}
"""Random choices, by the word of the decision."""


CHOICES: Mapping[str, Choice] = {
    "open_night": people.open_night,
    "set_rules": people.set_rules,
    "correct_entry": people.correct_entry,
    "check_in": people.check_in,
    "add_table": people.add_table,
    "end_night": people.end_night,
    "claim": results_decided.claim,
    "confirm": results_decided.confirm,
    "rule": results_decided.rule,
    "award": results_decided.award_game,
    "forfeit": results_decided.forfeit,
    "break_tie": play_offs.break_tie,
    "close_cut": play_offs.close_cut,
    "place": play_offs.place,
    "bracket_game": play_offs.play_game,
    "bracket_forfeit": play_offs.forfeit_games,
    "open_pot": pots.open_pot,
    "enter_pot": pots.enter_pot,
    "pot_hit": pots.note_hit,
    "pay_pot": pots.pay_pot,
    "undo": undo,
}
"""Other choices except `enter`, by the word of the decision; a request without one is already its fact."""


Step: TypeAlias = Callable[[Night, Any, int], Night]
"""Applies a fact to an event; the number is that of its decision."""


def fold(rows: Iterable[StoredDecision]) -> Night:
    """The event that results from these decisions, in order."""
    rows = tuple(rows)
    undone = find_undone(rows)
    night = replace(EMPTY_NIGHT, departures=tuple(_find_idle_undoings(rows)))
    for row in rows:
        night = _step(night, row, undone)
    return replace(night, rows=rows, undone=undone)


def add(night: Night, row: StoredDecision) -> Night:
    """The event after one more decision; the same as folding all of them."""
    if isinstance(row.decision, facts.DecisionUndone):
        return fold((*night.rows, row))
    return replace(_step(night, row, {}), rows=(*night.rows, row))


def without(night: Night, numbers: Iterable[int]) -> Night:
    """The event without these decisions, as if they had never been listed."""
    gone = set(numbers)
    return fold(row for row in night.rows if row.number not in gone)


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


def _step(night: Night, row: StoredDecision, undone: Mapping[int, int]) -> Night:
    if row.number in undone:
        return night
    why = None if isinstance(row.decision, facts.DecisionUndone) else refusal(night, row.decision)
    if why is not None:
        departure = LimitViolation(row.number, why.message, isinstance(why, Already))
        night = replace(night, departures=(*night.departures, departure))
    step = STEPS.get(type(row.decision))
    return night if step is None else step(night, row.decision, row.number)


STEPS: Mapping[type, Step] = {
    facts.NightOpened: _open,
    facts.NightRulesSet: _set_rules,
    facts.PlayerEntered: _enter,
    facts.EntryCorrected: _correct_entry,
    facts.CheckedIn: _check_in,
    facts.PlayerLeft: _leave,
    facts.PlayerReturned: _come_back,
    facts.RegistrationClosed: _close_registration,
    facts.RegistrationOpened: _open_registration,
    facts.FeePaid: _pay_fee,
    facts.TableAdded: _add_table,
    facts.TableRemoved: _remove_table,
    facts.ScheduleDrawn: _draw,
    facts.GameMoved: _move_game,
    facts.RoundStarted: _start_round,
    **results_decided.STEPS,
    **PLAY_OFF_STEPS,
    facts.Announced: _announce,
    facts.NightEnded: _end,
    facts.NightOpenedAgain: _open_again,
}
"""By fact class; an undo has no step because `find_undone` handles it."""
