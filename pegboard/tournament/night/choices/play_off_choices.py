"""The cut, play-offs and brackets: who goes on in which order, who stands where, and whose games go to whom."""

from typing import Any

from pegboard.errors import Already, RuleError
from pegboard.tournament.ids import PlayerId
from pegboard.tournament.night import facts
from pegboard.tournament.night.checks.play_off_limits import MAIN, require_bracket
from pegboard.tournament.night.checks.shared_limits import require_open_cut, say_game_of
from pegboard.tournament.night.choices.draw_choice import Shuffle
from pegboard.tournament.night.night_report import NightReport, ranking_of, report
from pegboard.tournament.night.night_state import Night
from pegboard.tournament.playoffs.bracket import Bracket, draw
from pegboard.tournament.playoffs.bracket_games import BracketMatch, Ending
from pegboard.tournament.playoffs.consolation import (
    CONSOLATIONS,
    ConsolationField,
    count_open_matches,
    draw_consolation,
    eligible,
)
from pegboard.tournament.playoffs.qualifying import Cut
from pegboard.tournament.playoffs.ties import Decider, Ranking, Tie, TieDecision, say_tie


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
