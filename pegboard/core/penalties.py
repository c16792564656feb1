"""Decision about a penalty: the award for a fault, and whether the cards are redealt or the deal stands."""

from pegboard.core.board import Game
from pegboard.core.decisions import (
    check_penalty,
    check_running,
    counting_lines,
    decides,
    is_redeal,
    require_seat,
    said_dealer,
    tells_of_cards,
)
from pegboard.core.faults import FAULT_RULES, FaultName, Until
from pegboard.core.moves import FOR_CARDS, DealStage, Dealt, Penalize, Reason, Scored, Staged
from pegboard.core.names import clean_note
from pegboard.core.rules import Rules
from pegboard.errors import RuleError
from pegboard.messages import Message


@decides(Penalize)
def penalty(game: Game, asked: Penalize) -> Scored:
    """Decide on points awarded to `asked.seat` for an opponent's fault, and on what happens to the deal.

    Raises:
        RuleError: there is no such seat, amount or fault, no opponent, the rules settle the fault in another way, or
            it was stated that somebody else deals or that the deal has gone on too far; `GameOver` after the end.
    """
    rules = game.rules
    lane = rules.lane_of(require_seat(rules, asked.seat))
    is_settled = asked.redeal is not None or asked.accepted
    check_penalty(rules, asked.points, 0 if is_settled else 1)
    note = clean_note(asked.note)
    if asked.fault is not None and asked.fault not in FAULT_RULES:
        raise RuleError("fault_unknown", fault=repr(asked.fault), faults=", ".join(FaultName))
    if is_settled:
        _check_settled(rules, lane, asked)
    check_award(asked.fault, asked.points, accepted=asked.accepted)
    check_running(game)
    if is_settled:
        _check_against_said_dealer(game, lane, asked)
    if asked.fault is not None and (asked.points or not asked.accepted):
        _check_in_time(game, asked.fault)
    return Scored(
        lane,
        asked.points,
        asked.seat,
        Reason.PENALTY,
        note,
        fault=asked.fault,
        redeal=asked.redeal,
        accepted=asked.accepted,
    )


def _check_settled(rules: Rules, lane: int, asked: Penalize) -> None:
    """Check that the fault can be settled by a redeal, or by a deal that stands."""
    if asked.redeal is not None and asked.accepted:
        raise RuleError("fault_both")
    if asked.redeal is not None:
        require_seat(rules, asked.redeal)
    rule = None if asked.fault is None else FAULT_RULES[asked.fault]
    if rule is None or rule.until is None:
        raise RuleError("fault_no_deal")
    if asked.accepted and rule.until is Until.ALWAYS:
        raise RuleError("fault_of_deck")
    if asked.accepted and rule.is_misdeal and not rules.pone_chooses:
        raise RuleError("fault_no_choice")
    if asked.redeal is not None and rule.until is not Until.TAKEN_UP and rules.lane_of(asked.redeal) == lane:
        raise RuleError("fault_own")


def _check_against_said_dealer(game: Game, lane: int, asked: Penalize) -> None:
    """Check that a stated dealer is the one who redeals, and that no partner of the dealer lets the deal stand."""
    dealer = said_dealer(game)
    if dealer is None or asked.fault is FaultName.OUT_OF_TURN:
        return
    if asked.redeal not in (None, dealer):
        raise RuleError("fault_dealer", name=game.players[dealer])
    if asked.accepted and game.rules.lane_of(dealer) == lane:
        raise RuleError("fault_own")


def check_award(fault: FaultName | None, points: int, *, accepted: bool) -> None:
    """Check that a fault can cost points: not a faulty deck, nor a deal out of turn that stands.

    Raises:
        RuleError: nobody gets points for that fault.
    """
    rule = None if fault is None else FAULT_RULES.get(fault)
    if points and rule is not None and rule.points == 0:
        raise RuleError("fault_of_deck")
    if points and accepted and fault == FaultName.OUT_OF_TURN:
        raise RuleError("fault_taken_up")


def _check_in_time(game: Game, fault: FaultName) -> None:
    """Check that nothing stated since the deal began shows that the fault is claimed too late.

    Only statements count, not the likely course of the deal: another deal may have begun since.
    """
    until = game.rules.deadline(fault)
    newest = next(
        (
            line
            for line in counting_lines(game)
            if isinstance(line, Dealt | Staged) or tells_of_cards(line) or is_redeal(line)
        ),
        None,
    )
    if until is None or until is Until.ALWAYS or newest is None:
        return
    if isinstance(newest, Staged):
        is_shown, is_begun = newest.stage == DealStage.SHOW, False
    else:
        why = newest.why if isinstance(newest, Scored) and not newest.guessed else None
        is_shown, is_begun = why == Reason.HAND, why in (Reason.HEELS, *FOR_CARDS)
    if is_shown:
        by_acc = until in (Until.TURNED, Until.UNSTATED)
        raise RuleError("say_deal_first", fault=Message("fault_in_show_acc" if by_acc else "fault_in_show"))
    if is_begun and until in (Until.LOOKED, Until.TAKEN_UP):
        raise RuleError("say_deal_first", fault=Message("fault_late"))
