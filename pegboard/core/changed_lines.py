"""What an event has changed on a sheet: its line, lines since a revision, and what it could not do in full."""

from pegboard.core.board import Game
from pegboard.core.command_fields import line_id
from pegboard.core.moves import Event, InPlace, Line, MugginsCalled, PointsRuling
from pegboard.core.sheet_lines_as_json import entry_state
from pegboard.core.view_as_json import NEWEST_SHOWN
from pegboard.errors import Moved
from pegboard.messages import Message


def line_made(event: Event, sheet: Game) -> str | None:
    """The id of the line that an event makes or changes on `sheet`, the sheet before it, or None."""
    if isinstance(event, InPlace):
        return line_id(event.line)
    return line_id(len(sheet.entries) + 1) if isinstance(event, Line) else None


def remainder_note(event: Event, sheet: Game) -> str | None:
    """A note on what an event could not do in full, or None.

    A change to an earlier line leaves lanes whose pegs a later ruling has set, and the game hole cuts an award of
    muggins short.
    """
    if isinstance(event, MugginsCalled):
        return _award_cut_note(event)
    ruling = sheet.entries[event.line - 1].event if isinstance(event, InPlace) else event
    if isinstance(ruling, PointsRuling):
        line, lanes = ruling.line, {ruling.lane, ruling.to}
    elif isinstance(event, InPlace):
        line, lanes = event.line, {getattr(ruling, "lane", None)}
    else:
        return None
    pins = {lane: sheet.pin_of(lane, after=line) for lane in range(sheet.rules.lanes) if lane in lanes}
    stay = [Message("pegs_stay", name=sheet.lane_name(lane), pin=pin) for lane, pin in pins.items() if pin]
    return "; ".join(stay) or None


def _award_cut_note(event: MugginsCalled) -> Message | None:
    """A note where a muggins award was cut because the game hole was near."""
    if event.missed == 0 or event.points >= min(event.claimed, event.missed):
        return None
    return Message("muggins_cut", points=event.points)


def lines_since(sheet: Game, lane: int | None, base: int) -> tuple[int, ...]:
    """The lines made or changed since `base`: a lane's revision, or the number of the board's newest event then."""
    if lane is not None:
        lines = set(sheet.touches[lane][base:])
    else:
        lines = {
            line
            for line, entry in enumerate(sheet.entries, 1)
            if entry.origin.event > base or any(change.origin.event > base for change in entry.history)
        }
    return tuple(sorted(lines, reverse=True)[:NEWEST_SHOWN])


def with_entries(moved: Moved, sheet: Game) -> Moved:
    """The refusal, with its lines as a snapshot has them."""
    moved.entries = [entry_state(sheet, line) for line in moved.lines]
    return moved
