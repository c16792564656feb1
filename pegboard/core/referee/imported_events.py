"""Decides again about an event: derives the command behind it, for imports from other tables."""

from dataclasses import fields, replace

from pegboard.core.board import Game
from pegboard.core.moves import (
    Amend,
    Amended,
    CallMuggins,
    ClaimFalsely,
    Command,
    Deal,
    Dealt,
    Event,
    FalselyClaimed,
    MugginsCalled,
    OverPeg,
    OverPegged,
    Penalize,
    Reason,
    Renamed,
    Score,
    Scored,
    Start,
    Started,
    row_of_event,
)
from pegboard.core.naming.player_names import compose
from pegboard.core.referee.decide import decide
from pegboard.core.rules import Rules, Seat


def redecide(game: Game, event: Event) -> Event:
    """Decide on the command behind `event` once more: the same event, if it can have happened in `game`.

    A muggins award stays as it was judged at its table: who missed the points is not kept, and older tables awarded
    what the game hole would have cut off. Of a start the match, the game it replaces and the note are not the judge's,
    and are left out. Whether its dealer was said, and what the version of a body tells, is as in `event`; so are names
    that older tables stored with accents apart from their letters (not NFC).

    Raises:
        PegboardError: it cannot have happened.
    """
    judged = decide(game, command_behind(game, event))
    match judged, event:
        case Started(), Started():
            players = event.players if tuple(map(compose, event.players)) == judged.players else judged.players
            return replace(judged, players=players, dealer_said=event.dealer_said)
        case Renamed(), Renamed() if compose(event.to) == judged.to:
            return event
        case Scored(), Scored():
            return replace(judged, guessed=event.guessed)
        case Dealt(), Dealt():
            return replace(judged, twice=event.twice)
        case MugginsCalled(), MugginsCalled() if event.points in range(1, min(event.claimed, event.missed) + 1):
            return replace(judged, points=event.points)
    return judged


def command_behind(game: Game, event: Event) -> Command:  # noqa: PLR0911 - a table of events
    """The command that `event` came of."""
    match event:
        case Started(rules, players, dealer):
            return Start(rules, players, dealer, event.format, pairing=event.pairing)
        case Scored(why=Reason.PENALTY, seat=int(seat)):
            return Penalize(event.points, seat, event.note)
        case Scored(lane, points, seat, why):
            return Score(points, seat, lane, why)
        case MugginsCalled(caller=caller, claimed=claimed, missed=missed):
            return CallMuggins(caller, claimed, missed, _opponent(game.rules, event) if missed else event.seat)
        case Dealt(dealer, new):
            return Deal(dealer, None if dealer is None and not new else new)
        case Amended(line, points, why, seat):
            return Amend(line, points, _points_of_line(game, line), why, seat)
        case OverPegged(line=line, points=points, was=was, to=to):
            return OverPeg(line, points, was, _somebody(game.rules, to))
        case FalselyClaimed(line=line, points=points, was=was, to=to):
            return ClaimFalsely(line, points, was, _somebody(game.rules, to))
    return _with_same_values(game.rules, event)


def _with_same_values(rules: Rules, event: Event) -> Command:
    """The command of the event's row with the event's own values; a seat that it needs is one that pegs in the lane."""
    row = row_of_event(event)
    values = {each.name: getattr(event, each.name) for each in fields(row.command) if hasattr(event, each.name)}
    if values.get("seat", 0) is None and row.fields["seat"].required:
        values["seat"] = _somebody(rules, getattr(event, "lane", None)) or 0
    return row.command(**values)


def _opponent(rules: Rules, event: MugginsCalled) -> Seat | None:
    """Some opponent of the lane that was awarded."""
    return next((seat for seat in range(rules.seats) if rules.lane_of(seat) != event.lane), None)


def _somebody(rules: Rules, lane: int | None) -> Seat | None:
    """A seat whose player pegs in the lane, None where nobody does."""
    return next((seat for seat in range(rules.seats) if rules.lane_of(seat) == lane), None)


def _points_of_line(game: Game, line: int) -> int:
    """The points that a line says; 0 where it says none."""
    event = game.entries[line - 1].event if 1 <= line <= len(game.entries) else None
    return event.points if isinstance(event, Scored) else 0
