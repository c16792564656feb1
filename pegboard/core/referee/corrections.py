"""Judging corrections: what puts a line, the pegs or the end of a game right; allowed after the end too."""

from dataclasses import replace
from typing import NoReturn

from pegboard.core.board import Entry, Game
from pegboard.core.moves import (
    UNCHANGED,
    Amend,
    Amended,
    ClaimFalsely,
    Confirm,
    Confirmed,
    FalselyClaimed,
    OverPeg,
    OverPegged,
    PegBack,
    PeggedBack,
    PegsSet,
    Restore,
    Restored,
    Retract,
    Retracted,
    Scored,
    SetPegs,
    TakeBack,
    TakenBack,
)
from pegboard.core.referee.decisions import (
    amount_is_possible,
    listed,
    muggins_is_played,
    noted,
    opponent,
    penalty_is_possible,
    seat_exists,
    so_many,
)
from pegboard.core.rules import Seat
from pegboard.errors import Already, Moved, RuleError


def take_back(game: Game, asked: TakeBack) -> TakenBack:
    """Judge an undo.

    Raises:
        RuleError: there is no such line; `Already` when it does not stand, is ruled on, or there is none.
    """
    line = game.newest_standing() if asked.line is None else asked.line
    if line is None:
        _nothing("there is nothing to take back")
    _standing(game, line)
    _is_free(game, line)
    return TakenBack(line)


def restore(game: Game, asked: Restore) -> Restored:
    """Judge a redo.

    Raises:
        RuleError: there is no such line; `Already` when it stands, is ruled on, or there is none.
    """
    if asked.line is None and not game.undone:
        _nothing("there is nothing to put back")
    line = game.undone[-1] if asked.line is None else asked.line
    event = _entry(game, line).event
    if game.entries[line - 1].stands:
        raise Already(f"line {line} stands already")
    _is_free(game, line)
    if isinstance(event, OverPegged | FalselyClaimed) and _named_score(game, event.line, event.was).lane != event.lane:
        raise Moved(f"line {event.line} is another player's now, so line {line} no longer fits it", (event.line,))
    if isinstance(event, Retracted):
        _can_be_withdrawn(game, event.to, line)
    return Restored(line)


def amend(game: Game, asked: Amend) -> Amended:
    """Judge another amount, reason or player for an old score or penalty.

    Raises:
        RuleError: nothing is given, or the line, the amount, the reason or the seat cannot be so; `Moved` when it does
            not say `was`; `Already` when it says so, does not stand or is ruled on.
    """
    if asked.points is None and asked.why is UNCHANGED and asked.seat is None:
        raise RuleError("an amendment gives one or more of `points`, `why` and `seat`, and this one gives none")
    event = _named_score(game, asked.line, asked.was)
    _can_be_amended(game, event, asked)
    if asked.seat is not None:
        _can_be_of(game, asked.line, event, asked.seat)
    elif asked.points in (None, event.points) and (asked.why is UNCHANGED or _says_why(event, asked.why)):
        if asked.points is not None:
            raise Already(f"line {asked.line} says {event.points} already")
        if event.why is None:
            raise Already(f"line {asked.line} has no reason as it is")
        raise Already(f"line {asked.line} is for {event.why} already")
    return Amended(asked.line, asked.points, asked.why, asked.seat)


def _can_be_amended(game: Game, event: Scored, asked: Amend) -> None:
    """See that the line can say so many points for that reason; penalties stay penalties, and no score becomes one."""
    why = event.why if asked.why is UNCHANGED else asked.why
    if event.why == "penalty" != why:
        raise RuleError(f"a penalty has no other reason; take line {asked.line} back and enter it anew")
    if why == "penalty" != event.why:
        raise RuleError(f"a score does not become a penalty; take line {asked.line} back and enter it anew")
    if why == "muggins" and event.why != "muggins":
        muggins_is_played(game.rules)
    _can_say(game, replace(event, why=why), event.points if asked.points is None else asked.points)


def _says_why(event: Scored, why: str | None) -> bool:
    return event.why == why and not event.guessed


def _can_be_of(game: Game, line: int, event: Scored, seat: Seat) -> None:
    """See that a line can be moved to a player's lane.

    Raises:
        RuleError: there is no such seat, it pegs in the same lane, or the pegs of a lane were set since; `Already`
            when the line is that player's.
    """
    lane = game.rules.lane_of(seat_exists(game.rules, seat))
    if seat == event.seat:
        raise Already(f"line {line} is {game.players[seat]}'s already")
    if lane == event.lane:
        raise RuleError(f"{game.players[seat]} pegs in the same lane, so line {line} stays where it is")
    for each in (event.lane, lane):
        pin = game.pinned_by(each, after=line)
        if pin is not None:
            raise RuleError(
                f"{game.called(each)}'s pegs were set in line {pin}, after line {line}; take line {pin} back first,"
                " or set the pegs anew"
            )


def over_peg(game: Game, asked: OverPeg) -> OverPegged:
    """Judge that a score was pegged too far (ACC: corrected; the old law: the opponent scores the excess).

    Raises:
        RuleError: the line cannot have been so; `Moved` when it does not say `was`; `Already` when it is ruled on.
    """
    event = _named_score(game, asked.line, asked.was)
    _can_be_true(game, event, asked.points)
    if game.positions[asked.line - 1].outcome is not None:
        raise RuleError(f"line {asked.line} came after the end and counts for nothing, so nothing was pegged too far")
    if asked.points >= event.points:
        raise RuleError(f"line {asked.line} pegged {event.points}, so the true points are fewer, not {asked.points}")
    if game.rules.overpeg_award == "none":
        return OverPegged(event.lane, asked.line, asked.points, asked.was)
    to = opponent(game, event.lane, asked.opponent)
    award = 0 if to is None else event.points - asked.points
    return OverPegged(event.lane, asked.line, asked.points, asked.was, to, award)


def false_claim(game: Game, asked: ClaimFalsely) -> FalselyClaimed:
    """Judge a false claim of game: the overclaim goes to the opponent, the offender 15 back (ACC 8.4).

    Raises:
        RuleError: the line did not end the game, or did so rightly; `Moved` when it does not say `was`; `Already`
            when it is ruled on.
    """
    event = _named_score(game, asked.line, asked.was)
    before, after = game.positions[asked.line - 1], game.positions[asked.line]
    if before.outcome is not None or event.lane not in after.home:
        raise RuleError(f"line {asked.line} has not ended the game, so no game was claimed with it")
    _can_be_true(game, event, asked.points)
    overclaim = game.rules.game_hole - (before.lanes[event.lane].front + asked.points)
    if overclaim < 1:
        home = f"{game.told_of(event.lane, 'is', 'are')} in the game hole"
        raise RuleError(f"with {asked.points} points {home}: no false claim")
    to = opponent(game, event.lane, asked.opponent)
    return FalselyClaimed(event.lane, asked.line, asked.points, asked.was, to, 0 if to is None else overclaim)


def peg_back(game: Game, asked: PegBack) -> PeggedBack:
    """Judge a backward penalty.

    Raises:
        RuleError: there is no such seat, or nobody goes back so far.
    """
    lane = game.rules.lane_of(seat_exists(game.rules, asked.seat))
    hole = game.rules.game_hole
    if type(asked.holes) is not int or not 1 <= asked.holes <= hole:
        raise RuleError(f"a peg goes back by 1 to {hole} holes, not by {asked.holes!r}")
    return PeggedBack(lane, asked.holes, asked.seat, noted(asked.note))


def set_pegs(game: Game, asked: SetPegs) -> PegsSet:
    """Judge where a judge puts pegs.

    Raises:
        RuleError: there is no such seat, or pegs do not stand so.
    """
    lane = game.rules.lane_of(seat_exists(game.rules, asked.seat))
    front, rear, hole = asked.front, asked.rear, game.rules.game_hole
    whole = type(front) is int and type(rear) is int
    if not whole or not (0 <= rear < front <= hole or front == rear == 0):
        raise RuleError(
            f"pegs do not stand at {front!r} and {rear!r}: the front peg stands before the rear one, up to hole {hole},"
            " or both in the start"
        )
    return PegsSet(lane, front, rear, asked.seat, noted(asked.note))


def retract(game: Game, asked: Retract) -> Retracted:
    """Judge that the game goes on from an earlier line, as after a renege.

    Raises:
        RuleError: there is no such line, or a ruling would be torn from its line; `Already` when it is the newest
            line, does not stand, or is withdrawn.
    """
    newest = len(game.entries)
    if asked.to != 0 or type(asked.to) is not int:
        _standing(game, asked.to)
    if asked.to == newest:
        _nothing(f"nothing came after line {newest}" if newest else "the sheet is empty")
    _can_be_withdrawn(game, asked.to, newest + 1)
    return Retracted(asked.to, noted(asked.note))


def confirm(game: Game, asked: Confirm) -> Confirmed:
    """Judge that a player confirms the result on the board.

    Raises:
        RuleError: there is no such seat, or no result yet; `Moved` when the result is another; `Already` when the
            player has confirmed it.
    """
    seat_exists(game.rules, asked.seat)
    if game.outcome is None:
        raise RuleError("there is no result to confirm before the game is over")
    fronts = tuple(lane.front for lane in game.lanes)
    if any(type(value) is not int for value in (*asked.fronts, 0 if asked.winner is None else asked.winner)):
        raise RuleError("`winner` is a lane or null and `fronts` are holes, all of them whole numbers")
    if (asked.winner, asked.fronts) != (game.outcome.winner, fronts):
        stand = listed([str(front) for front in fronts])
        raise Moved(f"the result is another: the front pegs stand at {stand}; look again")
    if asked.seat in game.confirmed:
        raise Already(f"{game.players[asked.seat]} has confirmed the result already")
    return Confirmed(asked.seat, asked.winner, fronts)


def _named_score(game: Game, line: int, was: int | None) -> Scored:
    """The score at a line that is free to be put right and says `was` points."""
    event = _standing(game, line).event
    if not isinstance(event, Scored):
        raise RuleError(f"line {line} is neither a score nor a penalty, so it has no points to put right")
    _is_free(game, line)
    if type(was) is not int:
        raise RuleError(f"`was` is the points that line {line} was seen to say, a whole number, not {was!r}")
    if was != event.points:
        raise Moved(f"line {line} says {event.points} now, not {was!r}; look again", (line,))
    return event


def _can_be_true(game: Game, event: Scored, points: int) -> None:
    """Whatever was pegged, the truth can be that nothing was due: no go, no heels, no fault."""
    if type(points) is not int or points != 0:
        _can_say(game, event, points)


def _can_say(game: Game, event: Scored, points: int) -> None:
    """A penalty is of any size, other points as many as cards give."""
    if event.why == "penalty":
        penalty_is_possible(game.rules, points)
    else:
        amount_is_possible(points, event.why)


def _standing(game: Game, line: int) -> Entry:
    entry = _entry(game, line)
    if not entry.stands:
        raise Already(f"line {line} has been taken back already")
    return entry


def _entry(game: Game, line: int) -> Entry:
    if type(line) is not int or not 1 <= line <= len(game.entries):
        raise RuleError(f"there is no line {line!r} on this sheet; it has {so_many(len(game.entries), 'line')}")
    return game.entries[line - 1]


def _is_free(game: Game, line: int) -> None:
    """A line under a standing ruling stays as it is; so undo of the ruling restores everything."""
    ruling = game.ruled_by(line)
    if ruling is not None:
        raise Already(f"line {line} is under the ruling of line {ruling}; take that one back first")


def _can_be_withdrawn(game: Game, to: int, before: int) -> None:
    """The lines between `to` and `before` are tied to none outside by a ruling, and `to` still says something."""
    if game.withdrawn(to):
        raise Already(f"line {to} has been retracted already")
    for line, entry in enumerate(game.entries, 1):
        if line >= before and any(entry.rules_on(each) for each in range(to + 1, before)):
            raise Already(f"line {line} rules on what would be retracted; take that one back first")
        event = entry.event
        if not entry.stands or not isinstance(event, OverPegged | FalselyClaimed):
            continue
        if event.line <= to < line < before:
            raise RuleError(
                f"line {line} rules on line {event.line}, which would stay: retract to a line before {event.line},"
                f" or take line {line} back first"
            )


def _nothing(sentence: str) -> NoReturn:
    raise Already(sentence)
