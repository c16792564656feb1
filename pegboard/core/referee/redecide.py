"""Decides again about an event: derives the command behind it, for imports from other tables."""

from dataclasses import replace
from typing import assert_never

from pegboard.core.board import Game
from pegboard.core.moves import (
    Abandon,
    Abandoned,
    Amend,
    Amended,
    CallMuggins,
    ClaimFalsely,
    Command,
    Confirm,
    Confirmed,
    Deal,
    Dealt,
    Event,
    FalselyClaimed,
    MugginsCalled,
    OverPeg,
    OverPegged,
    PegBack,
    PeggedBack,
    PegsSet,
    Penalize,
    Rename,
    Renamed,
    Restore,
    Restored,
    Retract,
    Retracted,
    Score,
    Scored,
    SetPegs,
    Stage,
    Staged,
    Start,
    Started,
    TakeBack,
    TakenBack,
)
from pegboard.core.referee.decide import decide
from pegboard.core.rules import Rules, Seat


def redecide(game: Game, event: Event) -> Event:
    """Decide on the command behind `event` once more: the same event, if it can have happened in `game`.

    A muggins award stays as it was judged at its table: who missed the points is not kept, and older tables awarded
    what the game hole would have cut off. Of a start the match, the game it replaces and the note are not the judge's,
    and are left out. Whether its dealer was said, and what the version of a body tells, is as in `event`.

    Raises:
        PegboardError: it cannot have happened.
    """
    judged = decide(game, command_behind(game, event))
    if isinstance(judged, Started) and isinstance(event, Started):
        return replace(judged, dealer_said=event.dealer_said)
    if isinstance(judged, Scored) and isinstance(event, Scored):
        return replace(judged, guessed=True) if event.guessed else judged
    if isinstance(judged, Dealt) and isinstance(event, Dealt):
        return replace(judged, twice=event.twice)
    if isinstance(event, MugginsCalled) and isinstance(judged, MugginsCalled) and _can_be_awarded(event):
        return replace(judged, points=event.points)
    return judged


def _can_be_awarded(event: MugginsCalled) -> bool:
    return event.missed > 0 and event.points in range(1, min(event.claimed, event.missed) + 1)


def command_behind(game: Game, event: Event) -> Command:  # noqa: C901, PLR0911, PLR0912 - a table of events
    """The command that `event` came of."""
    match event:
        case Started(rules, players, dealer):
            return Start(rules, players, dealer, event.format)
        case Scored(why="penalty", seat=int(seat)):
            return Penalize(event.points, seat, event.note)
        case Scored(lane, points, seat, why):
            return Score(points, seat, lane, why)
        case MugginsCalled(caller=caller, claimed=claimed, missed=missed):
            return CallMuggins(caller, claimed, missed, _opponent(game.rules, event) if missed else event.seat)
        case Dealt(dealer, new):
            return Deal(dealer, None if dealer is None and not new else new)
        case Staged(stage):
            return Stage(stage)
        case TakenBack(line):
            return TakeBack(line)
        case Restored(line):
            return Restore(line)
        case Amended(line, points, why, seat):
            return Amend(line, points, _points_of_line(game, line), why, seat)
        case OverPegged(line=line, points=points, was=was, to=to):
            return OverPeg(line, points, was, _somebody(game.rules, to))
        case FalselyClaimed(line=line, points=points, was=was, to=to):
            return ClaimFalsely(line, points, was, _somebody(game.rules, to))
        case PeggedBack(lane, holes, seat, note):
            return PegBack(_seat_or_any(game.rules, seat, lane), holes, note)
        case PegsSet(lane, front, rear, seat, note):
            return SetPegs(_seat_or_any(game.rules, seat, lane), front, rear, note)
        case Retracted(to, note):
            return Retract(to, note)
        case Confirmed(seat, winner, fronts):
            return Confirm(seat, winner, fronts)
        case Abandoned(note):
            return Abandon(note)
        case Renamed(seat, former, to):
            return Rename(seat, former, to)
        case _:
            assert_never(event)


def _opponent(rules: Rules, event: MugginsCalled) -> Seat | None:
    """Some opponent of the lane that was awarded."""
    return next((seat for seat in range(rules.seats) if rules.lane_of(seat) != event.lane), None)


def _somebody(rules: Rules, lane: int | None) -> Seat | None:
    """A seat whose player pegs in the lane, None where nobody does."""
    return next((seat for seat in range(rules.seats) if rules.lane_of(seat) == lane), None)


def _seat_or_any(rules: Rules, seat: Seat | None, lane: int) -> Seat:
    """The seat of a ruling; if none was named, one that pegs in its lane."""
    return (_somebody(rules, lane) or 0) if seat is None else seat


def _points_of_line(game: Game, line: int) -> int:
    """The points that a line says; 0 where it says none."""
    event = game.entries[line - 1].event if 1 <= line <= len(game.entries) else None
    return event.points if isinstance(event, Scored) else 0
