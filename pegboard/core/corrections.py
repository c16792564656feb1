"""Decisions about corrections: undo, redo, changing a line, rulings, confirming the result; also after the end."""

from dataclasses import replace

from pegboard.core.board import Game
from pegboard.core.decisions import (
    check_amount,
    check_muggins_played,
    check_one_head_start,
    check_other_seats,
    check_penalty_amount,
    decides,
    only_settles,
    opponent,
    require_seat,
)
from pegboard.core.entry import Entry
from pegboard.core.moves import (
    UNCHANGED,
    Amend,
    Amended,
    Award,
    ClaimFalsely,
    Confirm,
    Confirmed,
    FalselyClaimed,
    HeadStartGiven,
    Line,
    OverPeg,
    OverPegged,
    PegBack,
    PeggedBack,
    PegsSet,
    PointsRuling,
    Reason,
    Restore,
    Restored,
    Retract,
    Retracted,
    Ruling,
    Scored,
    SetPegs,
    Substituted,
    TakeBack,
    TakenBack,
)
from pegboard.core.names import clean_note, comparison_key
from pegboard.core.penalties import check_award, check_moved, check_one_choice, is_choice
from pegboard.core.replay import replay
from pegboard.core.rules import OverpegAward, Seat
from pegboard.core.sentences import join_names
from pegboard.errors import Already, Moved, RuleError
from pegboard.messages import Message

# --- checks of the lines that a correction names ---


def find_score(game: Game, line: int, was: int | None) -> Scored:
    """The score at a line that can be corrected and has `was` points.

    Raises:
        RuleError: there is no such line, or the line is not a score; `Moved` if it does not have `was` points;
            `Already` if it is undone or under a ruling.
    """
    event = find_line_in_effect(game, line).event
    if not isinstance(event, Scored):
        raise RuleError("not_a_score", line=line)
    check_free(game, line)
    if type(was) is not int:
        raise RuleError("was_points", line=line, was=repr(was))
    if was != event.points:
        raise Moved("says_now", (line,), line=line, points=event.points, was=repr(was))
    return event


def check_true_points(game: Game, event: Scored, points: int) -> None:
    """Check the correct points for a score; 0 is always possible: no go, no heels, no fault.

    Raises:
        RuleError: such a score is not possible.
    """
    if type(points) is not int or points != 0:
        check_points(game, event, points)


def check_points(game: Game, event: Scored, points: int) -> None:
    """Check points: a penalty can have any amount that its fault costs, other scores only what cards can give.

    Raises:
        RuleError: such a score is not possible.
    """
    if event.why == Reason.PENALTY:
        check_penalty_amount(game.rules, points, 0 if is_choice(event) else 1)
        check_award(game.rules, event.fault, points, accepted=event.accepted)
    else:
        check_amount(game.rules, points, event.why)


def find_line_in_effect(game: Game, line: int) -> Entry:
    """The line with this number, if it is not undone.

    Raises:
        RuleError: there is no such line; `Already` if it is undone.
    """
    entry = find_entry(game, line)
    if not entry.stands:
        raise Already("gone_already", line=line)
    return entry


def find_entry(game: Game, line: int) -> Entry:
    """The line with this number.

    Raises:
        RuleError: there is no such line.
    """
    if type(line) is not int or not 1 <= line <= len(game.entries):
        raise RuleError(
            "no_line",
            line=repr(line),
            lines=Message("one_line" if len(game.entries) == 1 else "many_lines", n=len(game.entries)),
        )
    return game.entries[line - 1]


def check_free(game: Game, line: int) -> None:
    """Check that a line is not under a ruling: it must not change, so that undoing the ruling restores everything.

    Raises:
        Already: the line is under a ruling.
    """
    ruling = game.ruling_on(line)
    if ruling is not None:
        raise Already("ruled", line=line, ruling=ruling)


def check_can_roll_back(game: Game, to: int, before: int) -> None:
    """Check that no ruling ties a line between `to` and `before` to a line outside, and that `to` still counts.

    Raises:
        RuleError: a ruling would be separated from its line; `Already` if `to` is rolled back or a later line rules on
            one of these lines.
    """
    if game.withdrawn(to):
        raise Already("retracted", line=to)
    for line, entry in enumerate(game.entries, 1):
        if line >= before and any(entry.rules_on(each) for each in range(to + 1, before)):
            raise Already("ruled_on_it", line=line)
        event = entry.event
        if not entry.stands or not isinstance(event, PointsRuling):
            continue
        if event.line <= to < line < before:
            raise RuleError("ruled_on_line", line=line, other=event.line, before=event.line, again=line)


@decides(TakeBack)
def take_back(game: Game, asked: TakeBack) -> TakenBack:
    """Decide on an undo.

    Raises:
        RuleError: there is no such line; `Already` if it is undone or under a ruling, there is nothing to undo, or
            somebody would then take over from themselves.
    """
    line = game.newest_standing() if asked.line is None else asked.line
    if line is None:
        raise Already("nothing_to_take_back")
    find_line_in_effect(game, line)
    check_free(game, line)
    check_substitutes(game, line)
    return TakenBack(line)


@decides(Restore)
def restore(game: Game, asked: Restore) -> Restored:
    """Decide on a redo.

    Raises:
        RuleError: there is no such line, or it names somebody who plays at another seat; `Already` if it is not undone
            or is under a ruling, there is nothing to redo, somebody would then take over from themselves, a head start
            follows, or another head start of the lane or another choice after the same fault counts.
    """
    if asked.line is None and not game.undone:
        raise Already("nothing_to_put_back")
    line = game.undone[-1] if asked.line is None else asked.line
    event = find_entry(game, line).event
    if game.entries[line - 1].stands:
        raise Already("stands_already", line=line)
    check_free(game, line)
    if isinstance(event, PointsRuling) and find_score(game, event.line, event.was).lane != event.lane:
        raise Moved("amend_moved", (event.line,), line=event.line, ruling=line)
    if isinstance(event, Retracted):
        check_can_roll_back(game, event.to, line)
    if isinstance(event, Substituted):
        check_other_seats(game, event.seat, event.name)
    if isinstance(event, HeadStartGiven):
        check_one_head_start(game, event.lane)
    if isinstance(event, Scored):
        check_one_choice(game, event, line)
    _check_before_head_start(game, event, line)
    check_substitutes(game, line)
    return Restored(line)


def _check_before_head_start(game: Game, event: Line, line: int) -> None:
    """Check that no head start follows a line that pegs something.

    Raises:
        Already: one does; the message names it.
    """
    if not isinstance(event, Award | Ruling) or only_settles(event):
        return
    for n in range(line + 1, len(game.entries) + 1):
        if isinstance(game.entries[n - 1].event, HeadStartGiven) and game.counts(n):
            raise Already("head_start_before", line=n)


def check_substitutes(game: Game, line: int) -> None:
    """Check that nobody takes over from themselves if `line` is undone or redone, as another line depends on it.

    Raises:
        Already: somebody would; the message names the line in which.
    """
    turned = game.entries[line - 1]
    if not isinstance(turned.event, Substituted | Retracted):
        return
    entries = (*game.entries[: line - 1], replace(turned, stands=not turned.stands), *game.entries[line:])
    then = replace(game, entries=entries, positions=replay(game.rules, game.positions[:line], entries))
    for n in range(line, len(entries) + 1):
        event = entries[n - 1].event
        if not isinstance(event, Substituted) or not _seats_nobody_new(then, n) or _seats_nobody_new(game, n):
            continue
        if n == line:
            raise Already("plays_already", name=then.players_after(n - 1)[event.seat])
        raise Already("plays_for_self", name=event.name, line=n)


def _seats_nobody_new(game: Game, line: int) -> bool:
    """Whether a line counts and its substitute already played at the seat before it."""
    event = game.entries[line - 1].event
    assert isinstance(event, Substituted)
    there = game.players_after(line - 1)[event.seat]
    return game.counts(line) and comparison_key(there) == comparison_key(event.name)


@decides(Amend)
def amend(game: Game, asked: Amend) -> Amended:
    """Decide on corrected points, reason or player for an earlier score or penalty.

    Raises:
        RuleError: no correction is given, or the line, points, reason or seat is not valid; `Moved` if the line does
            not have `was` points; `Already` if it already has these values, is undone or is under a ruling, if one
            side would get the points of a fault twice, or if points would come before a head start.
    """
    if asked.points is None and asked.why is UNCHANGED and asked.seat is None:
        raise RuleError("amend_nothing")
    event = find_score(game, asked.line, asked.was)
    _check_amended(game, event, asked)
    if asked.seat is not None:
        _check_moved_to(game, asked.line, event, asked.seat)
    elif asked.points in (None, event.points) and (
        asked.why is UNCHANGED or (asked.why == event.why and not event.guessed)
    ):
        if asked.points is not None:
            raise Already("says_already", line=asked.line, points=event.points)
        if event.why is None:
            raise Already("amend_no_why", line=asked.line)
        raise Already("amend_why", line=asked.line, why=event.why)
    seat = event.seat if asked.seat is None else asked.seat
    lane = event.lane if asked.seat is None else game.rules.lane_of(asked.seat)
    points = event.points if asked.points is None else asked.points
    amended = replace(event, lane=lane, seat=seat, points=points)
    check_one_choice(game, amended, asked.line)
    _check_before_head_start(game, amended, asked.line)
    return Amended(asked.line, asked.points, asked.why, asked.seat)


def _check_amended(game: Game, event: Scored, asked: Amend) -> None:
    """Check the corrected points and reason; a penalty stays a penalty, and no score can become one."""
    why = event.why if asked.why is UNCHANGED else asked.why
    if event.why == Reason.PENALTY != why:
        raise RuleError("amend_penalty", line=asked.line)
    if why == Reason.PENALTY != event.why:
        raise RuleError("amend_to_penalty", line=asked.line)
    if why == Reason.MUGGINS != event.why:
        check_muggins_played(game.rules)
    check_points(game, replace(event, why=why), event.points if asked.points is None else asked.points)


def _check_moved_to(game: Game, line: int, event: Scored, seat: Seat) -> None:
    """Check that a line can be moved to a player's lane.

    Raises:
        RuleError: there is no such seat, the seat shares the lane, the penalty cannot be that player's, or the pegs of
            either lane were set since; `Already` if the line is already that player's.
    """
    lane = game.rules.lane_of(require_seat(game.rules, seat))
    if seat == event.seat:
        raise Already("amend_whose", line=line, name=game.players[seat])
    if lane == event.lane:
        raise RuleError("amend_same_lane", name=game.players[seat], line=line)
    check_moved(game, replace(event, lane=lane, seat=seat), line)
    for each in (event.lane, lane):
        pin = game.pin_of(each, after=line)
        if pin is not None:
            raise RuleError("amend_pinned", name=game.lane_name(each), pin=pin, line=line, again=pin)


@decides(OverPeg)
def over_peg(game: Game, asked: OverPeg) -> OverPegged:
    """Decide on an over-pegged score (ACC: corrected; traditional rules: the opponent scores the excess).

    Raises:
        RuleError: the line cannot be over-pegged; `Moved` if it does not have `was` points; `Already` if it is undone
            or under a ruling.
    """
    event = find_score(game, asked.line, asked.was)
    check_true_points(game, event, asked.points)
    if game.positions[asked.line - 1].outcome is not None:
        raise RuleError("after_the_end", line=asked.line)
    if asked.points >= event.points:
        raise RuleError("true_fewer", line=asked.line, points=event.points, more=asked.points)
    if game.rules.overpeg_award == OverpegAward.NONE:
        return OverPegged(event.lane, asked.line, asked.points, asked.was)
    to = opponent(game, event.lane, asked.opponent)
    award = 0 if to is None else event.points - asked.points
    return OverPegged(event.lane, asked.line, asked.points, asked.was, to, award)


@decides(ClaimFalsely)
def false_claim(game: Game, asked: ClaimFalsely) -> FalselyClaimed:
    """Decide on a false claim of game: the overclaim goes to the opponent, the offender goes back 15 (ACC 8.4).

    Raises:
        RuleError: the line did not end the game, or ended it correctly; `Moved` if it does not have `was` points;
            `Already` if it is undone or under a ruling.
    """
    event = find_score(game, asked.line, asked.was)
    before, after = game.positions[asked.line - 1], game.positions[asked.line]
    if before.outcome is not None or event.lane not in after.arrived:
        raise RuleError("not_ended", line=asked.line)
    check_true_points(game, event, asked.points)
    overclaim = game.rules.game_hole - (before.lanes[event.lane].front + asked.points)
    if overclaim < 1:
        home = game.message_on(event.lane, "is_home", "are_home")
        raise RuleError("no_false_claim", points=asked.points, home=home)
    to = opponent(game, event.lane, asked.opponent)
    return FalselyClaimed(event.lane, asked.line, asked.points, asked.was, to, 0 if to is None else overclaim)


@decides(PegBack)
def peg_back(game: Game, asked: PegBack) -> PeggedBack:
    """Decide on a backward penalty.

    Raises:
        RuleError: there is no such seat, or the number of holes is not valid.
    """
    lane = game.rules.lane_of(require_seat(game.rules, asked.seat))
    hole = game.rules.game_hole
    if type(asked.holes) is not int or not 1 <= asked.holes <= hole:
        raise RuleError("peg_back", most=hole, holes=repr(asked.holes))
    return PeggedBack(lane, asked.holes, asked.seat, clean_note(asked.note))


@decides(SetPegs)
def set_pegs(game: Game, asked: SetPegs) -> PegsSet:
    """Decide on setting pegs by a judge's ruling.

    Raises:
        RuleError: there is no such seat, or the peg positions are not valid.
    """
    lane = game.rules.lane_of(require_seat(game.rules, asked.seat))
    front, rear, hole = asked.front, asked.rear, game.rules.game_hole
    whole = type(front) is int and type(rear) is int
    if not whole or not (0 <= rear < front <= hole or front == rear == 0):
        raise RuleError("pegs_stand", front=repr(front), rear=repr(rear), hole=hole)
    return PegsSet(lane, front, rear, asked.seat, clean_note(asked.note))


@decides(Retract)
def retract(game: Game, asked: Retract) -> Retracted:
    """Decide on rolling the game back to an earlier line, as after a renege.

    Raises:
        RuleError: there is no such line, or a ruling would be separated from its line; `Already` if it is the newest
            line, is undone, or is rolled back.
    """
    newest = len(game.entries)
    if asked.to != 0 or type(asked.to) is not int:
        find_line_in_effect(game, asked.to)
    if asked.to == newest:
        raise Already("nothing_after_line", line=newest) if newest else Already("sheet_empty")
    check_can_roll_back(game, asked.to, newest + 1)
    return Retracted(asked.to, clean_note(asked.note))


@decides(Confirm)
def confirm(game: Game, asked: Confirm) -> Confirmed:
    """Decide on a player's confirmation of the result on the board.

    Raises:
        RuleError: there is no such seat, or no result yet; `Moved` if the result is different; `Already` if the player
            has confirmed it.
    """
    require_seat(game.rules, asked.seat)
    if game.outcome is None:
        raise RuleError("no_result")
    fronts = tuple(lane.front for lane in game.lanes)
    if any(type(value) is not int for value in (*asked.fronts, 0 if asked.winner is None else asked.winner)):
        raise RuleError("result_form")
    if (asked.winner, asked.fronts) != (game.outcome.winner, fronts):
        raise Moved("other_result", holes=join_names([str(front) for front in fronts]))
    if asked.seat in game.confirmed:
        raise Already("confirmed", name=game.players[asked.seat])
    return Confirmed(asked.seat, asked.winner, fronts)
