"""Decisions about the deal: who deals, that a new one begins, and where it stands."""

from pegboard.core.board import Game
from pegboard.core.moves import Deal, DealStage, Dealt, Stage, Staged
from pegboard.core.referee.deal_facts import deals_begun, has_scored, said_dealer
from pegboard.core.referee.decision_registry import decides
from pegboard.core.referee.decisions import check_running, require_seat
from pegboard.errors import Already, RuleError


@decides(Deal)
def deal(game: Game, asked: Deal) -> Dealt:
    """Judge that a new deal begins, or that the dealer of this deal is put right.

    Raises:
        RuleError: there is no such seat, or no dealer is named for this deal; `GameOver` after the end, `Already` where
            nothing of the deal has scored.
    """
    if asked.dealer is not None:
        require_seat(game.rules, asked.dealer)
    if asked.new is not None and type(asked.new) is not bool:
        raise RuleError("deal_new", value=repr(asked.new))
    if asked.new is False and asked.dealer is None:
        raise RuleError("deal_whose")
    check_running(game)
    if asked.new is not False and (has_scored(game) or game.position.deal == game.rules.last_deal):
        return Dealt(asked.dealer)
    return _dealer_put_right(game, asked)


def _dealer_put_right(game: Game, asked: Deal) -> Dealt:
    """The dealer of the deal in hand; before its first score another new one can only be meant of the first deal."""
    is_first = not deals_begun(game)
    if asked.dealer is None and is_first and game.rules.seats > 1:
        return Dealt(None, new=False)
    if asked.dealer is None or (asked.new and not is_first):
        raise Already("has_deal", name=game.players[game.dealer])
    if asked.dealer == said_dealer(game):
        raise Already("deal_said", name=game.players[asked.dealer])
    return Dealt(asked.dealer, new=False, midway=game.position.scored)


@decides(Stage)
def stage(game: Game, asked: Stage) -> Staged:
    """Judge that the deal stands in the play, or in the show.

    Raises:
        RuleError: there is no such stage, or one plays alone; `GameOver` after the end, `Already` where the newest line
            says so.
    """
    if game.rules.seats == 1:
        raise RuleError("stage_alone")
    if asked.stage not in tuple(DealStage):
        raise RuleError("stage_none", stage=repr(asked.stage))
    check_running(game)
    newest = game.newest_standing()
    if newest is not None and game.entries[newest - 1].event == Staged(asked.stage):
        raise Already("stage_already", stage=asked.stage)
    return Staged(asked.stage)
