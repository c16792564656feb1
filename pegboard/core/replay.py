"""Replay of the score sheet: the position after each line, step by step, with rulings; never refuses a line."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from pegboard.core.entry import Entry, true_points
from pegboard.core.moves import (
    FOR_CARDS,
    Award,
    Dealt,
    FalselyClaimed,
    HeadStartGiven,
    Line,
    MugginsCalled,
    PeggedBack,
    PegsSet,
    PointsRuling,
    Reason,
    Retracted,
    Scored,
    Staged,
    Substituted,
)
from pegboard.core.position import Lane, Outcome, Phase, Position, deal_out, head_starts
from pegboard.core.rules import FALSE_CLAIM_HOLES, Rules, Seat

BEFORE_THE_SHOW = (Reason.HEELS, *FOR_CARDS)
"""Reasons for points before the show; once the crib is due, they can only come from a new deal."""

Lanes: TypeAlias = tuple[Lane, ...]

MovingRuling: TypeAlias = PointsRuling | PeggedBack | PegsSet
"""A ruling that moves pegs itself; a rollback returns to an earlier position instead."""


def replay(rules: Rules, kept: Sequence[Position], entries: Sequence[Entry]) -> tuple[Position, ...]:
    """The positions after all `entries`; `kept` are those already known: of the start and after the first lines.

    Undone lines move nothing. A line under a ruling counts the correct points that the ruling found.
    """
    positions, truth = list(kept), true_points(entries)
    for line in range(len(kept), len(entries) + 1):
        entry = entries[line - 1]
        if not entry.stands:
            positions.append(positions[-1])
        elif line in truth:
            positions.append(step(rules, positions, _with_true_points(entry, truth[line])))
        else:
            positions.append(step(rules, positions, entry.event))
    return tuple(positions)


def _with_true_points(entry: Entry, points: int) -> Line:
    assert isinstance(entry.event, Scored)
    return replace(entry.event, points=points)


def step(rules: Rules, before: Sequence[Position], line: Line) -> Position:
    """The position after one more line (not undone); `before` are all earlier positions.

    After the end of the game, normal play moves nothing; rulings always do.
    """
    at = before[-1]
    if isinstance(line, Retracted):
        return before[line.to]
    if isinstance(line, Substituted):
        return at if at.outcome is not None else _take_over(rules, at, line, len(before))
    after = _move(rules, at, line)
    return after if after.seated_by == at.seated_by else after._replace(seated_by=at.seated_by)


def _take_over(rules: Rules, at: Position, line: Substituted, number: int) -> Position:
    """The position after somebody took over a seat by line `number`."""
    seated_by = at.seated_by or (0,) * rules.seats
    return at._replace(seated_by=(*seated_by[: line.seat], number, *seated_by[line.seat + 1 :]))


def _move(rules: Rules, at: Position, line: Award | Dealt | Staged | HeadStartGiven | MovingRuling) -> Position:
    """The position after a line that does not seat anyone."""
    if isinstance(line, (Scored, MugginsCalled)):
        return at if at.outcome is not None else _score(rules, at, line)
    if isinstance(line, Dealt):
        return at if at.outcome is not None else _deal(rules, at, line)
    if isinstance(line, HeadStartGiven):
        return at if at.outcome is not None else _give_head_start(rules, at, line)
    if isinstance(line, Staged):
        return at
    after = _after_ruling(rules, at, _move_pegs(rules, at.lanes, line))
    if not at.head_starts_swapped:
        return after
    return _with_head_starts(after, at, _move_pegs(rules, at.head_starts_swapped, line))


def _give_head_start(rules: Rules, at: Position, line: HeadStartGiven) -> Position:
    """The position after a handicap; like a head start by the rules, it stops one hole short of the game hole."""
    lanes, swapped = (
        pegs and _put(pegs, line.lane, pegs[line.lane].leapfrog(line.holes, rules.game_hole - 1))
        for pegs in (at.lanes, at.head_starts_swapped)
    )
    return at._replace(lanes=lanes, head_starts_swapped=swapped)


# --- rulings: they move pegs, which can end or reopen the game ---


def _move_pegs(rules: Rules, lanes: Lanes, line: MovingRuling) -> Lanes:
    """The pegs after a ruling."""
    match line:
        case PeggedBack(lane, holes):
            return _put(lanes, lane, lanes[lane].back(holes))
        case PegsSet(lane, front, rear):
            return _put(lanes, lane, Lane(front, rear))
    if line.to is not None:
        lanes = _put(lanes, line.to, lanes[line.to].leapfrog(line.award, rules.game_hole))
    if isinstance(line, FalselyClaimed):  # the 15 holes are due even if the award has ended the game
        lanes = _put(lanes, line.lane, lanes[line.lane].back(FALSE_CLAIM_HOLES))
    return lanes


def _put(lanes: Lanes, lane: int, pegs: Lane) -> Lanes:
    after = list(lanes)
    after[lane] = pegs
    return tuple(after)


def _after_ruling(rules: Rules, at: Position, lanes: Lanes) -> Position:
    """The position after a ruling has moved pegs: it can end the game, reopen it, or change the winner."""
    arrived = _lanes_home(rules, at, lanes)
    if arrived:
        return _over(rules, at, lanes, arrived)
    if at.outcome is None:
        return at._replace(lanes=lanes)
    if at.last_hand:
        return _end_last_deal(rules, at, lanes)
    return Position(lanes, at.dealer, at.deal, Phase.UNKNOWN, scored=True)


def _lanes_home(rules: Rules, at: Position, lanes: Lanes) -> tuple[int, ...]:
    """The lanes whose front peg is in the game hole, in order of arrival."""
    there = [lane for lane, pegs in enumerate(lanes) if pegs.front >= rules.game_hole]
    return (*(lane for lane in at.arrived if lane in there), *(lane for lane in there if lane not in at.arrived))


def _over(rules: Rules, at: Position, lanes: Lanes, arrived: tuple[int, ...]) -> Position:
    won = _outcome(rules, lanes, arrived[0])
    return Position(
        lanes, at.dealer, at.deal, Phase.OVER, scored=True, outcome=won, arrived=arrived, last_hand=at.last_hand
    )


def _outcome(rules: Rules, lanes: Lanes, winner: int) -> Outcome:
    return Outcome(
        winner, tuple(0 if lane == winner else rules.skunks_of(pegs.front) for lane, pegs in enumerate(lanes))
    )


def _end_last_deal(rules: Rules, at: Position, lanes: Lanes) -> Position:
    """The position after the last deal of solitaire, which is won from hole `rules.enough` on."""
    outcome = _outcome(rules, lanes, 0) if lanes[0].front >= rules.enough else Outcome(None, (0,) * rules.lanes)
    return Position(lanes, at.dealer, at.deal, Phase.OVER, scored=True, outcome=outcome, last_hand=True)


# --- normal play ---


def _score(rules: Rules, at: Position, line: Award) -> Position:
    if at.phase == Phase.CRIB and line.why in BEFORE_THE_SHOW:  # a crib without points is often not entered
        at = _next_deal(rules, at, at.lanes, rules.after(at.dealer))
    lanes = _peg(rules, at.lanes, line)
    swapped = at.head_starts_swapped and _peg(rules, at.head_starts_swapped, line)
    last_hand = at.deal == rules.last_deal and line.why in (None, Reason.HAND)
    if lanes[line.lane].front >= rules.game_hole:  # the game can be reopened, and its dealer then corrected
        over = _over(rules, at, lanes, (line.lane,))._replace(last_hand=last_hand)
        return _with_head_starts(over, at, swapped)
    if last_hand:
        return _end_last_deal(rules, at, lanes)
    after = _advance(rules, at, line, lanes)
    return after if after.deal != at.deal or not swapped else _with_head_starts(after, at, swapped)


def _peg(rules: Rules, lanes: Lanes, line: Award) -> Lanes:
    return _put(lanes, line.lane, lanes[line.lane].leapfrog(line.points, rules.game_hole))


def _advance(rules: Rules, at: Position, line: Award, lanes: Lanes) -> Position:
    """The position after points that did not end the game."""
    match line.why:
        case Reason.MUGGINS | Reason.PENALTY:
            return at._replace(lanes=lanes)
        case Reason.CRIB:
            after = _next_deal(rules, at, lanes, rules.after(_owner(rules, at, line)))
            return after._replace(passed=after.outcome is None)
        case Reason.HAND:
            phase, to_count = _after_hand(rules, at, line)
            return Position(lanes, at.dealer, at.deal, phase, to_count, scored=True, carded=True, heels=at.heels)
        case Reason.HEELS:
            return _in_play(at._replace(dealer=_owner(rules, at, line)), lanes, heels=True)
        case why if why in FOR_CARDS and at.phase != Phase.UNKNOWN:
            return _in_play(at, lanes, heels=at.heels, carded=True)
    return Position(lanes, at.dealer, at.deal, Phase.UNKNOWN, scored=True)


def _in_play(at: Position, lanes: Lanes, *, heels: bool, carded: bool = False) -> Position:
    """The position after a card in the play; a card entered during the show does not change what is counted next."""
    phase = Phase.HAND if at.phase == Phase.HAND else Phase.PLAY
    carded = carded or at.carded
    return Position(lanes, at.dealer, at.deal, phase, at.to_count, scored=True, carded=carded, heels=heels)


def _owner(rules: Rules, at: Position, line: Award) -> Seat:
    """The dealer who owns this crib or these heels; in an unknown phase, taken from the line itself."""
    if at.phase != Phase.UNKNOWN or (rules.lane_of(at.dealer) == line.lane and line.seat in (None, at.dealer)):
        return at.dealer
    return rules.after(at.dealer) if line.seat is None else line.seat


def _after_hand(rules: Rules, at: Position, line: Award) -> tuple[Phase, Seat | None]:
    """The phase after a hand: pone counts first, the dealer last, then the crib; a repeated hand changes nothing."""
    if at.phase in (Phase.UNKNOWN, Phase.CRIB):
        return at.phase, None
    due = rules.after(at.dealer) if at.to_count is None else at.to_count
    if line.seat is None and rules.lane_of(due) != line.lane:
        return Phase.UNKNOWN, None
    counted = due if line.seat is None else line.seat
    if _turn(rules, at.dealer, counted) < _turn(rules, at.dealer, due):
        return at.phase, at.to_count
    return (Phase.CRIB, None) if counted == at.dealer else (Phase.HAND, rules.after(counted))


def _turn(rules: Rules, dealer: Seat, seat: Seat) -> int:
    """A seat's place in the counting order, 0 for pone."""
    return (seat - dealer - 1) % rules.seats


def _deal(rules: Rules, at: Position, line: Dealt) -> Position:
    begun = line.new and at.passed and not line.twice and at.deal != rules.last_deal
    usual = at.dealer if begun else rules.after(at.dealer)
    dealer = usual if line.dealer is None else line.dealer
    if line.new and not begun:
        return _next_deal(rules, at, at.lanes, dealer)
    if line.midway:
        return at._replace(dealer=dealer, to_count=None)
    at = at._replace(passed=False)
    lanes, swapped = _head_starts_moved(rules, at, dealer)
    after = _after_ruling(rules, at._replace(dealer=dealer, phase=Phase.PLAY, to_count=None), lanes)
    return after._replace(head_starts_swapped=swapped, head_starts_of=dealer)


def _with_head_starts(after: Position, at: Position, swapped: Lanes) -> Position:
    """The position after another line of the same deal, keeping its head starts."""
    return after._replace(head_starts_swapped=swapped, head_starts_of=at.head_starts_of)


def _head_starts_moved(rules: Rules, at: Position, dealer: Seat) -> tuple[Lanes, Lanes]:
    """The pegs, and those with head starts swapped, if another player dealt; points pegged since then are kept."""
    moved = head_starts(rules, at.head_starts_of, at.deal) ^ head_starts(rules, dealer, at.deal)
    if not at.head_starts_swapped:
        return at.lanes, ()
    both = list(zip(at.lanes, at.head_starts_swapped, strict=True))
    return tuple(pegs[n in moved] for n, pegs in enumerate(both)), tuple(
        pegs[n not in moved] for n, pegs in enumerate(both)
    )


def _next_deal(rules: Rules, at: Position, lanes: Lanes, dealer: Seat) -> Position:
    return (
        _end_last_deal(rules, at, lanes) if at.deal == rules.last_deal else deal_out(rules, lanes, dealer, at.deal + 1)
    )
