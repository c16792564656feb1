"""From a request to the decision that is stored: its shape, who may make it, what has to be chosen, today's limits."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from pegboard.errors import Moved, NotAllowed, RuleError
from pegboard.tournament.night import facts
from pegboard.tournament.night.choices import people_choices, play_off_choices, pot_choices, result_choices
from pegboard.tournament.night.choices.draw_choice import Shuffle, draw
from pegboard.tournament.night.choices.undo_choice import undo
from pegboard.tournament.night.decisions import ENVELOPE, ROWS, DecisionRow, Role
from pegboard.tournament.night.limits import check, check_phase
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.night.request_fields import check_fields
from pegboard.tournament.night.stored_form import Author, read_decision
from pegboard.tournament.night.topics import topics_of, topics_of_request

Json: TypeAlias = Mapping[str, Any]
Choice: TypeAlias = Callable[[Night, dict[str, Any]], facts.Decision]
"""Makes the fact of a request of one kind; raises `RuleError` where nothing can be chosen."""


def decide(night: Night, request: Json, by: Author, shuffle: Shuffle = tuple) -> facts.Decision:
    """The decision that a request leads to; the night is as it was until it is stored and added.

    Args:
        night: as it is.
        request: JSON with "do", the fields of its row, and perhaps "base", the revision that was seen.
        by: who wants it.
        shuffle: puts players in any order, for a draw.

    Raises:
        RuleError: its shape is wrong, or it is refused today; `Already` where there is nothing to do.
        NotAllowed: somebody else may decide that.
        Moved: what it is about has changed since `base`.
    """
    row = _row_of(request)
    values = {name: value for name, value in request.items() if name not in (*ENVELOPE, "do")}
    check_fields(row.own_fields, values)
    _check_author(row, values, by)
    _check_base(night, row, values, request.get("base"))
    check_phase(night, row.decision)
    if by.role is Role.PLAYER and row.do in CLAIMING:
        result_choices.require_both_free(night, values["game"])
    decision = _choose(night, row, values, by, shuffle)
    check(night, decision)
    return decision


def _row_of(request: Json) -> DecisionRow:
    do = request.get("do")
    if not isinstance(do, str) or do not in ROWS:
        raise RuleError("night_no_such_decision", do=repr(do)[:80], known=", ".join(ROWS))
    return ROWS[do]


def _check_author(row: DecisionRow, values: Json, by: Author) -> None:
    """See that this author may make the decision; a player only for himself, a table only of itself."""
    if by.role not in row.who:
        raise NotAllowed("night_director_only" if Role.DIRECTOR in row.who else "night_tables_only")
    if by.role is Role.PLAYER and row.do != "enter" and (values.get("players") or values.get("player") != by.name):
        raise NotAllowed("night_for_oneself")
    if by.role is Role.TABLE and values.get("table") != by.name:
        raise NotAllowed("night_other_table", table=by.name)


def _check_base(night: Night, row: DecisionRow, values: Json, base: Any) -> None:
    """Refuse what was decided on a state that is no longer so, where that would be wrong."""
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
        return people_choices.enter(night, values, by_themselves=by.role is Role.PLAYER)
    choice = CHOICES.get(row.do)
    return _read_request(row, values) if choice is None else choice(night, values)


def _read_request(row: DecisionRow, values: Json) -> facts.Decision:
    """The fact that a request is already."""
    decision = read_decision(row.do, dict(values))
    assert not isinstance(decision, facts.UnknownDecision)  # its fields were checked
    return decision


CLAIMING = ("claim", "confirm")
"""What players say of their own games."""

DRAWS: Mapping[str, Callable[[Night, dict[str, Any], Shuffle], facts.Decision]] = {
    "draw": draw,
    "draw_bracket": play_off_choices.draw_bracket,
}
"""What is chosen by chance, by the word of the decision."""

CHOICES: Mapping[str, Choice] = {
    "open_night": people_choices.open_night,
    "set_rules": people_choices.set_rules,
    "correct_entry": people_choices.correct_entry,
    "check_in": people_choices.check_in,
    "add_table": people_choices.add_table,
    "end_night": people_choices.end_night,
    "claim": result_choices.claim,
    "confirm": result_choices.confirm,
    "rule": result_choices.rule,
    "award": result_choices.award_game,
    "forfeit": result_choices.forfeit,
    "break_tie": play_off_choices.break_tie,
    "close_cut": play_off_choices.close_cut,
    "place": play_off_choices.place,
    "bracket_game": play_off_choices.play_game,
    "bracket_forfeit": play_off_choices.forfeit_games,
    "open_pot": pot_choices.open_pot,
    "enter_pot": pot_choices.enter_pot,
    "pot_hit": pot_choices.note_hit,
    "pay_pot": pot_choices.pay_pot,
    "undo": undo,
}
"""What is chosen, by the word of the decision; a request without a choice is its fact already."""
