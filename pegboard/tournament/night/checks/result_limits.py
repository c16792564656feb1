"""What is refused of results: games that nobody drew, other players, another table, a cut that is closed."""

from collections.abc import Callable, Mapping
from typing import Any

from pegboard.errors import Already, RuleError
from pegboard.tournament.night import facts
from pegboard.tournament.night.checks.shared_limits import require_game, require_open_cut, say_game_of
from pegboard.tournament.night.night_state import GameFacts, Night
from pegboard.tournament.results.scoring import check_margin


def _check_claim(night: Night, fact: facts.ResultClaimed | facts.ResultConfirmed) -> None:
    game = require_game(night, fact.game, fact.player)
    require_open_cut(night)
    if fact.claim.margin is not None:
        check_margin(fact.claim.margin, night.rules.points)
    require_undecided(night, game)
    state, place = night.games.get(fact.game), game.pairing.players.index(fact.player)
    if state is not None and isinstance(fact, facts.ResultConfirmed) and state.claims[place] == fact.claim:
        raise Already("night_confirmed_already", name=night.name(fact.player))


def require_undecided(night: Night, game: facts.ScheduledGame) -> None:
    """See that no director has decided a game.

    Raises:
        Already: one has.
    """
    state = night.games.get(game.key)
    if state is not None and state.verdict is not None:
        raise Already("night_decided_already", game=say_game_of(night, game.pairing))


def _check_paper(night: Night, fact: facts.PaperResultEntered) -> None:
    require_game(night, fact.game, fact.winner)
    require_open_cut(night)
    check_margin(fact.margin, night.rules.points)


def _check_table_result(night: Night, fact: facts.TableResultReceived) -> None:
    game = require_game(night, fact.game, fact.winner)
    require_open_cut(night)
    check_margin(fact.margin, night.rules.points)
    if game.table and game.table != fact.table:
        raise RuleError(
            "night_wrong_table",
            game=say_game_of(night, game.pairing),
            label=night.label(game.table),
            other=night.label(fact.table),
        )
    if (state := night.games.get(fact.game)) is not None:
        _check_beside(night, fact, state)


def _check_beside(night: Night, fact: facts.TableResultReceived, state: GameFacts) -> None:
    """See that a table's result is none that the night has already, nor an older one than it has.

    Raises:
        Already: it is there, or an older state of what is there.
        RuleError: both have confirmed the result of another score sheet, or nobody knows which state of it came first;
            which of the two counts is for a director.
    """
    said = say_game_of(night, state.pairing)
    if state.report == fact:
        raise Already("night_result_there", game=said)
    _check_order(night, fact.sheet, state)
    if fact.sheet is not None and state.has_gone_on(fact.sheet):
        raise Already("night_result_reopened", game=said)
    if state.report is None:
        return
    if fact.sheet is not None and fact.sheet.is_earlier(state.report.sheet):
        raise Already("night_result_older", game=said)
    if state.is_confirmed and fact.sheet is not None and not fact.sheet.is_of(state.report.sheet):
        raise RuleError("night_other_result", game=said, label=night.label(state.report.table))


def _check_order(night: Night, sheet: facts.SheetReference | None, state: GameFacts) -> None:
    """See that it is known whether a score sheet had come to this before what is known of it.

    Raises:
        RuleError: nobody knows.
    """
    known = [*state.withdrawn, state.report.sheet if state.report else None]
    if sheet is not None and any(sheet.is_unclear(one) for one in known):
        raise RuleError("night_unclear_sheet", game=say_game_of(night, state.pairing))


def _check_withdrawal(night: Night, fact: facts.TableResultWithdrawn) -> None:
    game = require_game(night, fact.game)
    state = night.games.get(fact.game) or GameFacts(game.pairing)
    if state.has_gone_on(fact.sheet):
        raise Already("night_result_reopened", game=say_game_of(night, game.pairing))
    _check_order(night, fact.sheet, state)
    if state.report is None or not fact.sheet.is_of(state.report.sheet):
        return
    require_open_cut(night)
    if fact.sheet.is_earlier(state.report.sheet):
        raise Already("night_result_older", game=say_game_of(night, game.pairing))


def _check_ruling(night: Night, fact: facts.ResultRuled) -> None:
    require_game(night, fact.game)
    require_open_cut(night)


def _check_award(night: Night, fact: facts.GameAwarded) -> None:
    require_game(night, fact.game, fact.against)
    require_open_cut(night)


def _check_forfeit(night: Night, fact: facts.GameForfeited) -> None:
    game = require_game(night, fact.game, fact.player)
    require_open_cut(night)
    state = night.games.get(fact.game)
    if state is not None and isinstance(state.verdict, facts.GameForfeited) and state.verdict.player == fact.player:
        raise Already("night_decided_already", game=say_game_of(night, game.pairing))


RESULT_LIMITS: Mapping[type, Callable[[Night, Any], None]] = {
    facts.ResultClaimed: _check_claim,
    facts.ResultConfirmed: _check_claim,
    facts.PaperResultEntered: _check_paper,
    facts.TableResultReceived: _check_table_result,
    facts.TableResultWithdrawn: _check_withdrawal,
    facts.ResultRuled: _check_ruling,
    facts.GameAwarded: _check_award,
    facts.GameForfeited: _check_forfeit,
}
"""By the class of a fact."""
