"""What is refused of results: games that nobody drew, other players, another table, a cut that is closed."""

from collections.abc import Callable, Mapping
from typing import Any

from pegboard.errors import Already, RuleError
from pegboard.tournament.night import facts
from pegboard.tournament.night.checks.shared_limits import require_game, require_open_cut, say_game_of
from pegboard.tournament.night.night_state import Night
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
    state = night.games.get(fact.game)
    if state is not None and state.report == fact:
        raise Already("night_result_there", game=say_game_of(night, game.pairing))
    if state is not None and state.report is not None and _is_older(fact.sheet, state.report.sheet):
        raise Already("night_result_older", game=say_game_of(night, game.pairing))


def _check_withdrawal(night: Night, fact: facts.TableResultWithdrawn) -> None:
    game = require_game(night, fact.game)
    require_open_cut(night)
    state = night.games.get(fact.game)
    known = None if state is None or state.report is None else state.report.sheet
    if known is None or (known.table, known.game) != (fact.table, fact.sheet.game):
        raise Already("night_no_result_to_withdraw", game=say_game_of(night, game.pairing))
    if _is_older(fact.sheet, known):
        raise Already("night_result_older", game=say_game_of(night, game.pairing))


def _is_older(sheet: facts.SheetReference | None, known: facts.SheetReference | None) -> bool:
    """Whether a score sheet is an earlier state of the one that is known."""
    if sheet is None or known is None:
        return False
    names = ("table", "epoch", "game")
    return all(getattr(sheet, name) == getattr(known, name) for name in names) and sheet.last < known.last


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
