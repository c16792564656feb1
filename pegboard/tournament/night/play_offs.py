"""Qualifying and playoffs: the cutoff, tie-breaks, brackets and consolations (limits, state changes, choices)."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pegboard.errors import Already, RuleError
from pegboard.messages import Message
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.night_report import NightReport, ranking_of, report
from pegboard.tournament.night.night_state import Night, NightBracket, require_open_cut, require_player, say_game_of
from pegboard.tournament.night.rounds import Shuffle
from pegboard.tournament.playoffs.bracket import Bracket, BracketMatch, Ending, draw
from pegboard.tournament.playoffs.consolation import (
    CONSOLATIONS,
    ConsolationField,
    count_open_matches,
    draw_consolation,
    eligible,
)
from pegboard.tournament.playoffs.qualifying import Cut, Decider, Ranking, Tie, TieDecision, say_tie

# --- limits of qualifying and brackets: closed or drawn already, matches not ready, wrong players ---


MAIN = "main"
"""Name of the qualifiers' bracket; all others are consolations."""


def require_bracket(night: Night, name: str) -> NightBracket:
    """The bracket with this name.

    Raises:
        RuleError: it is not drawn.
    """
    state = night.brackets.get(name)
    if state is None:
        raise RuleError("night_no_bracket", bracket=name)
    return state


def _check_tie(night: Night, fact: facts.TieBroken) -> None:
    require_open_cut(night)
    for player in sorted(fact.decision.players):
        require_player(night, player)


def _check_closing(night: Night, fact: facts.CutClosed) -> None:
    if night.cut is not None:
        raise Already("night_cut_closed_already")
    for player in (*fact.qualifiers, *fact.high_non_qualifiers):
        require_player(night, player)


def _check_opening(night: Night, _: facts.CutOpened) -> None:
    if night.cut is None:
        raise Already("night_cut_open_already")


def _check_drawing(night: Night, fact: facts.BracketDrawn) -> None:
    if night.cut is None:
        raise RuleError("night_cut_first")
    for place in fact.placements:
        if place.player is not None:
            require_player(night, place.player)
    state = night.brackets.get(fact.bracket)
    if state is not None and state.bracket.games:
        raise RuleError("night_bracket_begun", bracket=fact.bracket, number=state.numbers[-1])


def _check_place(night: Night, fact: facts.BracketPlaced) -> None:
    require_bracket(night, fact.bracket)
    for place in fact.placements:
        if place.player is not None:
            require_player(night, place.player)


def _check_game(night: Night, fact: facts.BracketGamePlayed) -> None:
    game = fact.game
    bracket = require_bracket(night, game.match.split(":")[0]).bracket
    bracket.with_game(game.match, game.winner, game.how, game.margin, game.games)


PLAY_OFF_LIMITS: Mapping[type, Callable[[Night, Any], None]] = {
    facts.TieBroken: _check_tie,
    facts.CutClosed: _check_closing,
    facts.CutOpened: _check_opening,
    facts.BracketDrawn: _check_drawing,
    facts.BracketPlaced: _check_place,
    facts.BracketGamePlayed: _check_game,
}
"""By fact class."""


# --- qualifying: state changes ---


def _break_tie(night: Night, fact: facts.TieBroken, number: int) -> Night:
    return replace(night, ties_broken=(*night.ties_broken, (number, fact)))


def _close_cut(night: Night, fact: facts.CutClosed, _: int) -> Night:
    return replace(night, cut=fact, left_before_cutoff=frozenset(filter(night.has_left, night.players)))


def _open_cut(night: Night, _fact: facts.CutOpened, _: int) -> Night:
    return replace(night, cut=None, left_before_cutoff=frozenset())


# --- brackets: state changes ---


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
    """Mark a player as left in each bracket: their opponents advance, so that no match waits for them."""
    for state in night.brackets.values():
        if player in state.bracket.players and player not in state.bracket.gone:
            gone = (*state.bracket.gone, player)
            night = _with_bracket(night, replace(state, bracket=replace(state.bracket, gone=gone)))
    return night


def mark_back(night: Night, player: str) -> Night:
    """Mark a player as back in each bracket; games others won in their place do not count."""
    for state in night.brackets.values():
        if player in state.bracket.gone:
            gone = tuple(one for one in state.bracket.gone if one != player)
            night = _with_bracket(night, _drop_idle(replace(state, bracket=replace(state.bracket, gone=gone))))
    return night


def _drop_idle(state: NightBracket) -> NightBracket:
    """Drop games that no longer fit a match, so that none of them counts again later."""
    idle = {id(game) for game in state.bracket.idle}
    rows = [
        (game, number) for game, number in zip(state.bracket.games, state.numbers, strict=True) if id(game) not in idle
    ]
    games = tuple(game for game, _ in rows)
    return NightBracket(replace(state.bracket, games=games), tuple(number for _, number in rows))


def _with_bracket(night: Night, state: NightBracket) -> Night:
    return replace(night, brackets={**night.brackets, state.bracket.name: state})


def _say_bracket(key: str, main_key: str) -> Callable[[Night, Any], Message]:
    return lambda _, fact: Message(main_key) if fact.bracket == MAIN else Message(key, bracket=fact.bracket)


def _say_bracket_game(night: Night, fact: facts.BracketGamePlayed) -> Message:
    game, (bracket, round_, number) = fact.game, fact.match.rsplit(":", 2)
    other = next((night.name(player) for player in game.players if player != game.winner), "")
    match = Message("night_match", number=number, round=round_)
    where = match if bracket == MAIN else Message("night_match_of", match=match, bracket=bracket)
    values: dict[str, Any] = {"match": where, "name": night.name(game.winner)}
    if game.how is not Ending.PLAYED:
        return Message("night_did_bracket_forfeit", **values, other=other, games=game.games)
    if game.margin is None:
        return Message("night_did_bracket_win", **values, other=other)
    return Message("night_did_bracket_game", **values, other=other, margin=game.margin)


def break_tie(night: Night, values: dict[str, Any]) -> facts.TieBroken:
    """Break a tie in this order, best first.

    Raises:
        RuleError: games are open, qualifying is closed, or there is no tie of exactly these players.
    """
    players = tuple(values["players"])
    if not any(frozenset(tie.players) == frozenset(players) for tie in require_ties(night)):
        raise RuleError("night_no_such_tie")
    return facts.TieBroken(TieDecision(tuple((player,) for player in players), Decider(values.get("how", "game"))))


def require_ties(night: Night) -> tuple[Tie, ...]:
    """The ties that can be broken now.

    Raises:
        RuleError: games are open, or qualifying is closed.
        Already: nobody is tied.
    """
    require_open_cut(night)
    derived = report(night)
    require_results(night, derived)
    ties = find_ties(derived.cut)
    if not ties:
        raise Already("night_no_tie")
    return ties


def find_ties(found: Cut | None) -> tuple[Tie, ...]:
    """Every tie that matters: at the cutoff, for seeds, and for the high non-qualifier."""
    if found is None:
        return ()
    return tuple(tie for tie in (found.tie, *found.seed_ties, found.tie_below) if tie is not None)


def close_cut(night: Night, _: dict[str, Any]) -> facts.CutClosed:
    """Close qualifying, with the qualifiers by seed.

    Raises:
        RuleError: a game has no result, or a tie must be broken first; the message names it.
    """
    derived = report(night)
    found = require_cut(night, derived)
    return facts.CutClosed(found.order_seeds(), found.high_non_qualifiers)


def require_cut(night: Night, derived: NightReport) -> Cut:
    """The cutoff, if qualifying can be closed.

    Raises:
        RuleError: there are no players or games, a game has no result, or a tie must be broken first.
        Already: qualifying is closed.
    """
    if night.cut is not None:
        raise Already("night_cut_closed_already")
    found = require_results(night, derived)
    for tie in (found.tie, *found.seed_ties):
        if tie is not None:
            raise RuleError(say_tie(tie, night.names))
    return found


def require_results(night: Night, derived: NightReport) -> Cut:
    """The cutoff, if every game has a result.

    Raises:
        RuleError: nothing was drawn, or a game has no result.
    """
    if derived.cut is None or not derived.records:
        raise RuleError("night_no_games")
    if derived.open_games:
        first = derived.records[derived.open_games[0]].pairing
        raise RuleError("night_games_open", count=len(derived.open_games), game=say_game_of(night, first))
    return derived.cut


# --- brackets: choices ---


def draw_bracket(night: Night, values: dict[str, Any], shuffle: Shuffle) -> facts.BracketDrawn:
    """Draw the first round of a bracket: the qualifiers by seed, or the eligible players chosen for a consolation.

    Qualifiers' ties were broken before qualifying was closed; tied players in a consolation are seeded by lot.

    Raises:
        RuleError: qualifying is open, nobody may play, or a chosen player may not.
    """
    if night.cut is None:
        raise RuleError("night_cut_first")
    name, best_of = values["bracket"], tuple(values.get("best_of", night.rules.best_of))
    if name == MAIN:
        drawn = draw(name, values.get("players") or night.cut.qualifiers, best_of)
    else:
        require_field_known(night, name)
        may = find_eligible(night, name)
        chosen = values.get("players") or [one for group in may for one in group]
        by_lot = tuple((one,) for group in may for one in shuffle([one for one in group if one in chosen]))
        drawn = draw_consolation(name, by_lot, chosen, best_of)
    return facts.BracketDrawn(name, drawn.placements, drawn.best_of)


def require_field_known(night: Night, name: str) -> None:
    """Check that no open match of the main bracket can change the field of a consolation.

    Raises:
        RuleError: the main bracket is not drawn, or the field depends on its open matches.
    """
    main = require_bracket(night, MAIN).bracket
    if count := count_open_matches(main, CONSOLATIONS.get(name, ConsolationField.NON_QUALIFIERS)):
        raise RuleError("night_consolation_waits", count=count)


def find_eligible(night: Night, name: str) -> Ranking:
    """Players eligible for a consolation who have not left, by the standings.

    Raises:
        RuleError: the main bracket, which determines them, is not drawn.
    """
    may = find_field(night, name)
    here = (tuple(player for player in group if not night.has_left(player)) for group in may)
    return tuple(group for group in here if group)


def find_field(night: Night, name: str) -> Ranking:
    """Players eligible for a consolation, including those who have left since, by the standings.

    Raises:
        RuleError: the main bracket, which determines them, is not drawn.
    """
    main = require_bracket(night, MAIN).bracket
    field = CONSOLATIONS.get(name, ConsolationField.NON_QUALIFIERS)
    return eligible(ranking_of(night, report(night).placings), main, field)


def place(night: Night, values: dict[str, Any]) -> facts.BracketPlaced:
    """First-round places after a player swaps with another one or replaces them.

    Raises:
        RuleError: there is no such bracket or place; `Already` if the player is in that place.
    """
    bracket = require_bracket(night, values["bracket"]).bracket
    changed = bracket.with_player_at(values["place"], values["player"])
    return facts.BracketPlaced(bracket.name, changed.placements)


def play_game(night: Night, values: dict[str, Any]) -> facts.BracketGamePlayed:
    """Record a played game of a match.

    Raises:
        RuleError: there is no such match, it is not ready, or the winner is not in it; `Already` if it is decided.
    """
    bracket = _bracket_of(night, values["match"])
    return facts.BracketGamePlayed(
        bracket.with_game(values["match"], values["winner"], Ending.PLAYED, values.get("margin")).games[-1]
    )


def forfeit_games(night: Night, values: dict[str, Any]) -> facts.BracketGamePlayed:
    """Record games of a match that a player loses as a no-show.

    Raises:
        RuleError: there is no such match, it is not ready, or the player is not in it; `Already` if it is decided.
    """
    bracket = _bracket_of(night, values["match"])
    match = bracket.find_match(values["match"])
    winner = _opponent(match, values["player"])
    games = values.get("games", 1)
    return facts.BracketGamePlayed(bracket.with_game(match.key, winner, Ending.NO_SHOW, games=games).games[-1])


def _opponent(match: BracketMatch, player: PlayerId) -> PlayerId:
    """The other player of a match; "" if there is none yet, which the bracket then refuses with a reason."""
    if player not in match.players:
        return ""
    return match.players[1 - match.players.index(player)] or ""


def _bracket_of(night: Night, match: str) -> Bracket:
    return require_bracket(night, match.split(":", maxsplit=1)[0]).bracket
