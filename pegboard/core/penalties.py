"""Decision about a penalty: the award for a fault, and whether the cards are redealt or the deal stands."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeGuard

from pegboard.core.board import Game
from pegboard.core.decisions import (
    check_penalty,
    check_running,
    counting_lines,
    decides,
    is_redeal,
    require_seat,
    tells_of_cards,
)
from pegboard.core.faults import FAULT_RULES, WRONG_NUMBERS, FaultName, Until
from pegboard.core.moves import FOR_CARDS, DealStage, Dealt, Line, Penalize, Reason, Scored, Staged
from pegboard.core.names import clean_note
from pegboard.core.rules import Rules, Seat
from pegboard.errors import Already, RuleError
from pegboard.messages import Message


@decides(Penalize)
def penalty(game: Game, asked: Penalize) -> Scored:
    """Decide on points awarded to `asked.seat` for an opponent's fault, and on what happens to the deal.

    Raises:
        RuleError: there is no such seat, amount or fault, no opponent, the rules settle the fault in another way, or
            it was stated that somebody else deals or that the deal has gone on too far; `GameOver` after the end,
            `Already` if an earlier line settles the fault.
    """
    rules = game.rules
    lane = rules.lane_of(require_seat(rules, asked.seat))
    check_penalty(rules, asked.points, 0 if is_choice(asked) or _is_of_deal(asked.fault) else 1)
    note = clean_note(asked.note)
    if asked.fault is not None and asked.fault not in FAULT_RULES:
        raise RuleError("fault_unknown", fault=repr(asked.fault), faults=", ".join(FaultName))
    if is_choice(asked):
        _check_settled(rules, lane, asked)
    elif not asked.points:
        raise RuleError("fault_needs_choice")
    check_award(rules, asked.fault, asked.points, accepted=asked.accepted)
    check_running(game)
    _check_against_said_dealer(game, lane, asked)
    if asked.fault is not None and (asked.points or not asked.accepted):
        _check_in_time(game, asked.fault)
    decided = Scored(
        lane,
        asked.points,
        asked.seat,
        Reason.PENALTY,
        note,
        fault=asked.fault,
        redeal=asked.redeal,
        accepted=asked.accepted,
    )
    check_one_choice(game, decided, len(game.entries) + 1)
    return decided


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
    if asked.redeal is not None and asked.fault != FaultName.OUT_OF_TURN and rules.lane_of(asked.redeal) == lane:
        raise RuleError("fault_own")


def is_choice(penalty: Penalize | Scored) -> bool:
    """Whether a penalty says what happens to the deal: a redeal, or that it stands."""
    return penalty.redeal is not None or penalty.accepted


def check_moved(game: Game, moved: Scored, line: int) -> None:
    """Check that a penalty can be another player's, by the dealer that was stated for its deal, then or later.

    Raises:
        RuleError: the dealer's side would get the points of a misdeal, or another player than the pone would let the
            deal stand.
    """
    newest = max((n for n, _ in _lines_of_deal(game, range(line + 1, len(game.entries) + 1))), default=line)
    deal = replace(game, entries=game.entries[:newest], positions=game.positions[: newest + 1])
    _check_against_said_dealer(deal, moved.lane, moved)


def _check_against_said_dealer(game: Game, lane: int, penalty: Penalize | Scored) -> None:
    """Check that a stated dealer redeals and gets no points for a misdeal, and that only the pone lets the deal stand.

    For a wrong number of cards, every player but the dealer and the dealer's partner counts as pone.
    """
    dealer = _dealer_of_deal(game)
    if dealer is None or not _is_of_deal(penalty.fault) or penalty.fault == FaultName.OUT_OF_TURN:
        return
    if penalty.redeal not in (None, dealer):
        raise RuleError("fault_dealer", name=game.players[dealer])
    if game.rules.lane_of(dealer) == lane:
        raise RuleError("fault_own")
    pone = game.rules.after(dealer)
    if penalty.accepted and penalty.fault not in WRONG_NUMBERS and penalty.seat != pone:
        raise RuleError("fault_pone", name=game.players[pone])


_STEPS = {Reason.HEELS: 0, **dict.fromkeys(FOR_CARDS, 1), Reason.HAND: 2}
"""The order of scores in a deal before the crib, which ends it."""


def _dealer_of_deal(game: Game) -> Seat | None:
    """The stated dealer; None if no dealer was stated, or if a line since then may belong to another deal."""
    earliest, lanes = _STEPS[Reason.HAND], set()
    for line in counting_lines(game):
        if isinstance(line, Dealt):
            return line.dealer
        if is_redeal(line):
            return line.redeal
        if not tells_of_cards(line):
            continue
        step = None if line.why is None or line.guessed else _STEPS.get(line.why)
        if step is None or step > earliest or (line.why == Reason.HAND and line.lane in lanes):
            return None
        earliest = step
        lanes.add(line.lane)
    return game.first_dealer if game.dealer_said else None


def _is_of_deal(fault: FaultName | None) -> TypeGuard[FaultName]:
    return fault is not None and fault in FAULT_RULES and FAULT_RULES[fault].until is not None


def check_award(rules: Rules, fault: FaultName | None, points: int, *, accepted: bool) -> None:
    """Check that a fault of the deal costs the points that the rules say, or none: the opponents can waive them.

    Raises:
        RuleError: the fault costs nothing or other points; so does a deal out of turn that stands.
    """
    if not points or not _is_of_deal(fault):
        return
    if FAULT_RULES[fault].points == 0:
        raise RuleError("fault_of_deck")
    if accepted and fault == FaultName.OUT_OF_TURN:
        raise RuleError("fault_taken_up")
    usual = rules.award(fault)
    if not usual:
        raise RuleError("fault_no_points")
    if points != usual:
        raise RuleError("fault_points", points=usual)


def check_one_choice(game: Game, decided: Scored, line: int) -> None:
    """Check that no other line settles the same fault, or awards points for it to the same side, in the deal of `line`.

    After a redeal it is another fault, but the deal cannot stand after the same one: that is a second thought. A line
    about the cards ends the search, as another deal may have begun.

    Raises:
        RuleError: nobody is left who can have dealt out of turn; `Already` if another line settles the fault or awards
            its points: the message names that line, preferably one with a choice.
    """
    before = [(n, other, other, decided) for n, other in _same_fault(game, decided, range(line - 1, 0, -1))]
    after = _same_fault(game, decided, range(line + 1, len(game.entries) + 1))
    pairs = [*before, *((n, other, decided, other) for n, other in after)]
    for n, other, first, second in pairs:
        if is_choice(other) and _settles(game.rules, first, second):
            raise Already("fault_settled", line=n)
    for n, other, first, second in pairs:
        if _repeats_award(first, second):
            raise Already("fault_awarded", line=n, name=game.lane_name(other.lane))
    if decided.fault == FaultName.OUT_OF_TURN and not decided.accepted:
        _check_offender(game.rules, [decided, *(other for _, other, _, _ in pairs)])


def _same_fault(game: Game, decided: Scored, lines: range) -> Iterator[tuple[int, Scored]]:
    """Those of `lines` that are about the same fault of the same deal."""
    if not _is_of_deal(decided.fault):
        return
    for line, event in _lines_of_deal(game, lines):
        if isinstance(event, Scored) and event.fault == decided.fault:
            yield line, event


def _lines_of_deal(game: Game, lines: range) -> Iterator[tuple[int, Line]]:
    """Those of `lines` that count, up to and with a redeal, or up to a line about the cards."""
    for line in lines:
        event = game.entries[line - 1].event
        if not game.counts(line):
            continue
        if isinstance(event, Staged) or tells_of_cards(event) or (isinstance(event, Dealt) and event.new):
            return
        yield line, event
        if is_redeal(event):
            return


def _settles(rules: Rules, event: Scored, decided: Scored) -> bool:
    """Whether a line settles a fault, so that a later one cannot settle it again.

    After a deal out of turn, the right dealer has dealt, or the deal stands without points.
    """
    if decided.fault == FaultName.OUT_OF_TURN:
        return event.accepted or (is_choice(event) and is_choice(decided))
    if (event.accepted and is_choice(decided)) or (is_redeal(event) and decided.accepted):
        return _are_of_one_deal(rules, event, decided)
    return False


def _are_of_one_deal(rules: Rules, event: Scored, decided: Scored) -> bool:
    """Whether two choices can be of the same deal; dealers do not let their own deals stand."""
    one, other = _dealer_by(rules, event), _dealer_by(rules, decided)
    if one is not None and other is not None:
        return one == other
    if one is not None:
        return rules.lane_of(one) != decided.lane
    return event.lane == decided.lane if other is None else rules.lane_of(other) != event.lane


def _repeats_award(event: Scored, decided: Scored) -> bool:
    """Whether a side would get the points of one fault twice, or any for a deal out of turn that stands."""
    if decided.fault == FaultName.OUT_OF_TURN and (event.accepted or decided.accepted):
        return bool(event.points or decided.points)
    if is_redeal(event) and is_redeal(decided):
        return False
    return event.lane == decided.lane and bool(event.points and decided.points)


def _check_offender(rules: Rules, lines: list[Scored]) -> None:
    """Check that somebody can have dealt out of turn: another than the right dealer, of a side without the points."""
    sides, dealers = {line.lane for line in lines}, {line.redeal for line in lines}
    if all(rules.lane_of(seat) in sides or seat in dealers for seat in range(rules.seats)):
        raise RuleError("fault_no_offender")


def _dealer_by(rules: Rules, line: Scored) -> Seat | None:
    """The dealer as far as a choice tells: who redeals, or the player before the pone who lets the deal stand."""
    if line.accepted and line.seat is not None and line.fault not in WRONG_NUMBERS:
        return (line.seat - 1) % rules.seats
    return line.redeal


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
