"""The cut, play-offs and brackets: who goes on in which order, who stands where, and whose games go to whom."""

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

# --- what is refused of the cut and of brackets: one that is closed or drawn already, matches that wait, other players
# ---


MAIN = "main"
"""The bracket of the qualifiers; all others are consolations."""


def require_bracket(night: Night, name: str) -> NightBracket:
    """The bracket of that name.

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
"""By the class of a fact."""


# --- what decisions about the cut, brackets and pots do to the night ---


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
    """A tie as it was played out, best first.

    Raises:
        RuleError: games are open, the cut is closed, or just these players are not tied.
    """
    players = tuple(values["players"])
    if not any(frozenset(tie.players) == frozenset(players) for tie in require_ties(night)):
        raise RuleError("night_no_such_tie")
    return facts.TieBroken(TieDecision(tuple((player,) for player in players), Decider(values.get("how", "game"))))


def require_ties(night: Night) -> tuple[Tie, ...]:
    """The ties that can be broken now.

    Raises:
        RuleError: games are open, or the cut is closed.
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
    """Every tie on which something hangs: at the cut, of seeds, of the highest who do not qualify."""
    if found is None:
        return ()
    return tuple(tie for tie in (found.tie, *found.seed_ties, found.tie_below) if tie is not None)


def close_cut(night: Night, _: dict[str, Any]) -> facts.CutClosed:
    """The qualifiers by seed.

    Raises:
        RuleError: a game has no result, or a tie has to be broken first; the sentence names it.
    """
    derived = report(night)
    found = require_cut(night, derived)
    return facts.CutClosed(found.order_seeds(), found.high_non_qualifiers)


def require_cut(night: Night, derived: NightReport) -> Cut:
    """The cut, which nothing hinders.

    Raises:
        RuleError: nobody is here, a game has no result, or a tie has to be broken first.
        Already: it is closed.
    """
    if night.cut is not None:
        raise Already("night_cut_closed_already")
    found = require_results(night, derived)
    for tie in (found.tie, *found.seed_ties):
        if tie is not None:
            raise RuleError(say_tie(tie, night.names))
    return found


def require_results(night: Night, derived: NightReport) -> Cut:
    """The cut of standings in which no result is missing.

    Raises:
        RuleError: nothing was drawn, or a game has no result.
    """
    if derived.cut is None or not derived.records:
        raise RuleError("night_no_games")
    if derived.open_games:
        first = derived.records[derived.open_games[0]].pairing
        raise RuleError("night_games_open", count=len(derived.open_games), game=say_game_of(night, first))
    return derived.cut


# --- brackets ---


def draw_bracket(night: Night, values: dict[str, Any], shuffle: Shuffle) -> facts.BracketDrawn:
    """The places of the first round: of the qualifiers by seed, or of those who may and will play a consolation.

    Ties of qualifiers were broken before the cut; who are level in a consolation are drawn by lot.

    Raises:
        RuleError: the cut is open, nobody may play, or somebody may not.
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
    """A consolation whose field no open match of the main bracket can change.

    Raises:
        RuleError: the main bracket is not drawn, or who may play hangs on matches of it that are open.
    """
    main = require_bracket(night, MAIN).bracket
    if count := count_open_matches(main, CONSOLATIONS.get(name, ConsolationField.NON_QUALIFIERS)):
        raise RuleError("night_consolation_waits", count=count)


def find_eligible(night: Night, name: str) -> Ranking:
    """Who may play in a consolation of that name and is not gone, by the standings.

    Raises:
        RuleError: the main bracket is not drawn, from which they follow.
    """
    may = find_field(night, name)
    here = (tuple(player for player in group if not night.has_left(player)) for group in may)
    return tuple(group for group in here if group)


def find_field(night: Night, name: str) -> Ranking:
    """Who may play in a consolation of that name, also who has left since, by the standings.

    Raises:
        RuleError: the main bracket is not drawn, from which they follow.
    """
    main = require_bracket(night, MAIN).bracket
    field = CONSOLATIONS.get(name, ConsolationField.NON_QUALIFIERS)
    return eligible(ranking_of(night, report(night).placings), main, field)


def place(night: Night, values: dict[str, Any]) -> facts.BracketPlaced:
    """The places after a player has changed with another, or has come in for one.

    Raises:
        RuleError: there is no such bracket or place; `Already` where the player stands there.
    """
    bracket = require_bracket(night, values["bracket"]).bracket
    changed = bracket.with_player_at(values["place"], values["player"])
    return facts.BracketPlaced(bracket.name, changed.placements)


def play_game(night: Night, values: dict[str, Any]) -> facts.BracketGamePlayed:
    """A game of a match that was played.

    Raises:
        RuleError: there is no such match, it waits, or the winner does not play in it; `Already` where it is decided.
    """
    bracket = _bracket_of(night, values["match"])
    return facts.BracketGamePlayed(
        bracket.with_game(values["match"], values["winner"], Ending.PLAYED, values.get("margin")).games[-1]
    )


def forfeit_games(night: Night, values: dict[str, Any]) -> facts.BracketGamePlayed:
    """Games of a match that a player loses by not coming.

    Raises:
        RuleError: there is no such match, it waits, or the player does not play in it; `Already` where it is decided.
    """
    bracket = _bracket_of(night, values["match"])
    match = bracket.find_match(values["match"])
    winner = _opponent(match, values["player"])
    games = values.get("games", 1)
    return facts.BracketGamePlayed(bracket.with_game(match.key, winner, Ending.NO_SHOW, games=games).games[-1])


def _opponent(match: BracketMatch, player: PlayerId) -> PlayerId:
    """The other player of a match; "" where there is none yet, which the bracket refuses with its reason."""
    if player not in match.players:
        return ""
    return match.players[1 - match.players.index(player)] or ""


def _bracket_of(night: Night, match: str) -> Bracket:
    return require_bracket(night, match.split(":", maxsplit=1)[0]).bracket
