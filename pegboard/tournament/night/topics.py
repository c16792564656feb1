"""What a decision is about, so that one made on an older state is refused only where that would be wrong."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pegboard.tournament.night import facts

RESULTS, SCHEDULE, CUT, FIELD, RULES, END = "results", "schedule", "cut", "field", "rules", "end"
UNDONE = "undone"


def topics_of_request(do: str, values: Mapping[str, Any]) -> frozenset[str]:
    """What must not have changed since a director looked; an undoing may have changed anything."""
    find = OF_REQUESTS.get(do)
    return frozenset({UNDONE, *(find(values) if find else ())})


def topics_of(decision: facts.Decision) -> frozenset[str]:
    """What a decision has changed."""
    find = OF_FACTS.get(type(decision))
    if find is not None:
        return frozenset(find(decision))
    game = getattr(decision, "game", "")
    return frozenset({RESULTS, f"game {game}"} if game else ())


def _bracket_of(match: str) -> str:
    return match.partition(":")[0]


def _of_game(values: Mapping[str, Any]) -> Iterable[str]:
    return (f"game {values['game']}",)


def _of_cut(_: Mapping[str, Any]) -> Iterable[str]:
    return (RESULTS, CUT, SCHEDULE, FIELD, RULES)


def _of_bracket(values: Mapping[str, Any]) -> Iterable[str]:
    return (CUT, f"bracket {values['bracket']}")


def _of_match(values: Mapping[str, Any]) -> Iterable[str]:
    return (f"match {values['match']}", f"places {_bracket_of(values['match'])}")


def _hits_of(pot: str, player: str) -> Iterable[str]:
    return (f"hits {pot} {player}",)


def _of_fee(values: Mapping[str, Any]) -> Iterable[str]:
    return (f"fee {values['player']}",)


OF_REQUESTS: Mapping[str, Callable[[Mapping[str, Any]], Iterable[str]]] = {
    "draw": lambda _: (SCHEDULE,),
    "set_rules": lambda _: (RULES,),
    "paper_result": _of_game,
    "rule": _of_game,
    "award": _of_game,
    "forfeit": _of_game,
    "close_cut": _of_cut,
    "break_tie": _of_cut,
    "draw_bracket": _of_bracket,
    "place": _of_bracket,
    "bracket_game": _of_match,
    "bracket_forfeit": _of_match,
    "pot_hit": lambda values: _hits_of(values["pot"], values["player"]),
    "pay_pot": lambda values: (RESULTS, CUT, f"pot {values['pot']}"),
    "end_night": lambda _: (END,),
    "fee_paid": _of_fee,
}
"""By the word of a request: those that need no base say what they are about."""


def _changes_schedule(_: Any) -> Iterable[str]:
    return (SCHEDULE,)


def _changes_cut(_: Any) -> Iterable[str]:
    return (CUT,)


def _changes_places(fact: Any) -> Iterable[str]:
    return (f"bracket {fact.bracket}", f"places {fact.bracket}")


def _changes_match(fact: facts.BracketGamePlayed) -> Iterable[str]:
    return (f"match {fact.match}", f"bracket {_bracket_of(fact.match)}")


def _changes_pot(fact: Any) -> Iterable[str]:
    return (f"pot {fact.pot}",)


def _changes_hits(fact: facts.PotHitNoted) -> Iterable[str]:
    return (*_changes_pot(fact), *_hits_of(fact.pot, fact.player))


def _changes_field(_: Any) -> Iterable[str]:
    return (FIELD,)


def _changes_end(_: Any) -> Iterable[str]:
    return (END,)


OF_FACTS: Mapping[type, Callable[[Any], Iterable[str]]] = {
    facts.PlayerEntered: _changes_field,
    facts.CheckedIn: _changes_field,
    facts.PlayerLeft: _changes_field,
    facts.PlayerReturned: _changes_field,
    facts.ScheduleDrawn: _changes_schedule,
    facts.GameMoved: _changes_schedule,
    facts.NightRulesSet: lambda _: (RULES,),
    facts.TieBroken: _changes_cut,
    facts.CutClosed: _changes_cut,
    facts.CutOpened: _changes_cut,
    facts.BracketDrawn: _changes_places,
    facts.BracketPlaced: _changes_places,
    facts.BracketGamePlayed: _changes_match,
    facts.PotEntered: _changes_pot,
    facts.PotLeft: _changes_pot,
    facts.PotHitNoted: _changes_hits,
    facts.PotPaid: _changes_pot,
    facts.FeePaid: lambda fact: (f"fee {fact.player}",),
    facts.NightEnded: _changes_end,
    facts.NightOpenedAgain: _changes_end,
    facts.DecisionUndone: lambda _: (UNDONE,),
}
"""By the class of a fact; those about a game change its result."""
