"""Undo: what goes with a decision, and what has to be undone before it."""

from typing import Any

from pegboard.errors import RuleError
from pegboard.messages import Message
from pegboard.tournament.night import facts
from pegboard.tournament.night.decisions import Role
from pegboard.tournament.night.derivation import add
from pegboard.tournament.night.limits import check
from pegboard.tournament.night.night_state import Departure, Night
from pegboard.tournament.night.stored_form import Author, StoredDecision


def undo(night: Night, values: dict[str, Any]) -> facts.DecisionUndone:
    """The undoing of a decision, with the games of brackets that fit no match without it.

    Raises:
        RuleError: there is no such decision, or a later one rests on it, which is named; `Already` where it is undone.
    """
    fact = facts.DecisionUndone(values["number"])
    check(night, fact)
    also = _find_idle_games(_after(night, fact)) - _find_idle_games(night)
    fact = facts.DecisionUndone(fact.number, tuple(sorted(also)))
    resting = find_resting(night, fact)
    if resting:
        raise RuleError("night_undo_first", number=resting[-1].number, why=_with_names(night, resting[-1].why))
    return fact


def _with_names(night: Night, why: Message) -> Message:
    """Why a decision would not be possible, with the name of a player whom only the decision to undo has made known."""
    player = why.values.get("player")
    return Message(why.key, **{**why.values, "player": night.name(player)}) if isinstance(player, str) else why


def find_resting(night: Night, fact: facts.DecisionUndone) -> list[Departure]:
    """The later decisions that could not have been made without the one that is undone, oldest first."""
    before = {departure.number for departure in night.departures}
    return [one for one in _after(night, fact).departures if not one.idle and one.number not in before]


def _after(night: Night, fact: facts.DecisionUndone) -> Night:
    return add(night, StoredDecision(night.revision + 1, 0, Author(Role.DIRECTOR), fact))


def _find_idle_games(night: Night) -> set[int]:
    """The numbers of decisions whose games of brackets fit no match."""
    found: set[int] = set()
    for state in night.brackets.values():
        idle = {id(game) for game in state.bracket.idle}
        rows = zip(state.bracket.games, state.numbers, strict=True)
        found |= {number for game, number in rows if id(game) in idle}
    return found
