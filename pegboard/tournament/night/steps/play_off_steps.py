"""What decisions about the cut, brackets and pots do to the night."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pegboard.tournament.night import facts
from pegboard.tournament.night.night_state import Night, NightBracket, NightPot
from pegboard.tournament.playoffs.bracket import Bracket


def _break_tie(night: Night, fact: facts.TieBroken, number: int) -> Night:
    return replace(night, ties_broken=(*night.ties_broken, (number, fact)))


def _close_cut(night: Night, fact: facts.CutClosed, _: int) -> Night:
    return replace(night, cut=fact, gone_at_cut=frozenset(filter(night.has_left, night.players)))


def _open_cut(night: Night, _fact: facts.CutOpened, _: int) -> Night:
    return replace(night, cut=None, gone_at_cut=frozenset())


# --- brackets ---


def _draw_bracket(night: Night, fact: facts.BracketDrawn, _: int) -> Night:
    gone = tuple(one.player for one in fact.placements if one.player is not None and night.has_left(one.player))
    return _with_bracket(night, NightBracket(Bracket(fact.bracket, fact.placements, fact.best_of, gone=gone)))


def _place(night: Night, fact: facts.BracketPlaced, _: int) -> Night:
    state = night.brackets.get(fact.bracket)
    if state is None:
        return night
    return _with_bracket(night, _drop_idle(replace(state, bracket=replace(state.bracket, placements=fact.placements))))


def _play_bracket_game(night: Night, fact: facts.BracketGamePlayed, number: int) -> Night:
    state = night.brackets.get(fact.match.split(":")[0])
    if state is None:
        return night
    bracket = replace(state.bracket, games=(*state.bracket.games, fact.game))
    return _with_bracket(night, NightBracket(bracket, (*state.numbers, number)))


def mark_gone(night: Night, player: str) -> Night:
    """The night with a player gone from each bracket: whoever they would meet goes on, so that nothing waits."""
    for state in night.brackets.values():
        if player in state.bracket.players and player not in state.bracket.gone:
            gone = (*state.bracket.gone, player)
            night = _with_bracket(night, replace(state, bracket=replace(state.bracket, gone=gone)))
    return night


def mark_back(night: Night, player: str) -> Night:
    """The night with a player back in each bracket; what others won in their stead does not count."""
    for state in night.brackets.values():
        if player in state.bracket.gone:
            gone = tuple(one for one in state.bracket.gone if one != player)
            night = _with_bracket(night, _drop_idle(replace(state, bracket=replace(state.bracket, gone=gone))))
    return night


def _drop_idle(state: NightBracket) -> NightBracket:
    """Leave out the games that fit no match any more, so that none comes to life later."""
    idle = {id(game) for game in state.bracket.idle}
    rows = [
        (game, number) for game, number in zip(state.bracket.games, state.numbers, strict=True) if id(game) not in idle
    ]
    games = tuple(game for game, _ in rows)
    return NightBracket(replace(state.bracket, games=games), tuple(number for _, number in rows))


def _with_bracket(night: Night, state: NightBracket) -> Night:
    return replace(night, brackets={**night.brackets, state.bracket.name: state})


# --- pots ---


def _open_pot(night: Night, fact: facts.PotOpened, _: int) -> Night:
    return replace(night, pots={**night.pots, fact.pot: NightPot(fact)})


def _enter_pot(night: Night, fact: facts.PotEntered, _: int) -> Night:
    return _change_pot(night, fact.pot, lambda pot: replace(pot, entries=(*_others(pot, fact.player), fact)))


def _leave_pot(night: Night, fact: facts.PotLeft, _: int) -> Night:
    return _change_pot(night, fact.pot, lambda pot: replace(pot, entries=_others(pot, fact.player)))


def _note_hit(night: Night, fact: facts.PotHitNoted, _: int) -> Night:
    return _change_pot(night, fact.pot, lambda pot: replace(pot, hits=(*pot.hits, fact)))


def _pay_pot(night: Night, fact: facts.PotPaid, _: int) -> Night:
    return _change_pot(night, fact.pot, lambda pot: replace(pot, paid=fact))


def _others(pot: NightPot, player: str) -> tuple[facts.PotEntered, ...]:
    return tuple(entry for entry in pot.entries if entry.player != player)


def _change_pot(night: Night, name: str, change: Callable[[NightPot], NightPot]) -> Night:
    pot = night.pots.get(name)
    return night if pot is None else replace(night, pots={**night.pots, name: change(pot)})


STEPS: Mapping[type, Callable[[Night, Any, int], Night]] = {
    facts.TieBroken: _break_tie,
    facts.CutClosed: _close_cut,
    facts.CutOpened: _open_cut,
    facts.BracketDrawn: _draw_bracket,
    facts.BracketPlaced: _place,
    facts.BracketGamePlayed: _play_bracket_game,
    facts.PotOpened: _open_pot,
    facts.PotEntered: _enter_pot,
    facts.PotLeft: _leave_pot,
    facts.PotHitNoted: _note_hit,
    facts.PotPaid: _pay_pot,
}
"""By the class of a fact."""
