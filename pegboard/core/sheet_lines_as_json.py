"""Lines of the score sheet as JSON-ready values: what each says, and what later lines have changed about it."""

from collections.abc import Iterator
from typing import Any

from pegboard.core.board import EntryChange, Game
from pegboard.core.command_fields import line_id
from pegboard.core.moves import (
    UNCHANGED,
    Dealt,
    FalselyClaimed,
    Line,
    PointsRuling,
    Reason,
    Retracted,
    row_of_event,
)
from pegboard.core.rules import FALSE_CLAIM_HOLES
from pegboard.core.wire import Json, event_values

NANOSECONDS = 1_000_000_000

CERTAIN = 0.999
"""Probability from which on something counts as certain."""


def round_probability(odds: float) -> float:
    """A probability rounded to hundredths; what is not certain stays below 1."""
    return 1.0 if odds >= CERTAIN else min(0.99, round(odds, 2))


def entries_since(game: Game, line: int) -> list[Json]:
    """The lines of the sheet after `line` as a snapshot has them, newest first."""
    sure = game.followed.certainties(len(game.entries) - line)
    return [entry_state(game, n, sure[n].why if n in sure else None) for n in range(len(game.entries), line, -1)]


def renamings(game: Game) -> list[Json]:
    """The corrected names of a game, oldest first; each after the newest line that had been made by then."""
    return [
        {
            "seat": each.event.seat,
            "from": each.event.former,
            "to": each.event.to,
            "source": each.origin.source,
            "at": each.origin.at / NANOSECONDS,
            "after": line_id(sum(entry.origin.event < each.origin.event for entry in game.entries)),
        }
        for each in game.renamings
    ]


def entry_state(game: Game, line: int, sure: float | None = None) -> Json:
    """One line of the sheet as a snapshot has it.

    `likely` is what points were most likely for whose reason nobody has said, with how `sure` that is.

    `from` and `to` are the holes its lane's front peg stood in, `entry` the line that a ruling names, `ruled_by` the
    standing line that rules on this one, `truth` the points it counts then, `retracted` whether the game has gone back
    over it, `history` what has changed it in its place.
    """
    entry = game.entries[line - 1]
    before, after = game.positions[line - 1], game.positions[line]
    values: Json = {
        "id": line_id(line),
        "do": "penalty" if getattr(entry.event, "why", None) == Reason.PENALTY else row_of_event(entry.event).do,
        "source": entry.origin.source,
        "at": entry.origin.at / NANOSECONDS,
        "stands": entry.stands,
        "counts": game.counts(line),
        "seat": None,
        "lane": None,
        "points": None,
        "why": getattr(entry.event, "why", None),
    } | dict(_entry_fields(entry.event))
    if getattr(entry.event, "guessed", False):
        values["guessed"] = True
    if sure is not None and (values["why"] is None or "guessed" in values) and values["counts"]:
        reading = game.followed.readings[line - 1]
        values["likely"] = {"why": None if reading is None else reading.why, "sure": round_probability(sure)}
    if isinstance(entry.event, FalselyClaimed):
        values["holes"] = FALSE_CLAIM_HOLES
    if isinstance(entry.event, Dealt):
        reading = game.followed.readings[line - 1]
        values["dealer"] = after.dealer if reading is None else reading.dealer
    if (lane := values["lane"]) is not None:
        values |= {"from": before.lanes[lane].front, "to": after.lanes[lane].front}
    return values | dict(_correction_fields(game, line))


def _correction_fields(game: Game, line: int) -> Iterator[tuple[str, Any]]:
    """What later lines have changed about this one."""
    ruling = game.ruling_on(line)
    if ruling is not None:
        yield "ruled_by", line_id(ruling)
        event = game.entries[ruling - 1].event
        if game.withdrawn(line):
            yield "retracted", True
        else:
            assert isinstance(event, PointsRuling)
            yield "truth", event.points
    if game.entries[line - 1].history:
        yield "history", [_change(change) for change in game.entries[line - 1].history]


def _entry_fields(line: Line) -> Iterator[tuple[str, Any]]:
    """The values of a line, by the names that commands have for them."""
    for name, value in event_values(line)[1].items():
        match name:
            case "line":
                yield "entry", line_id(value)
            case "to" if isinstance(line, Retracted):
                yield "entry", line_id(value)
            case "to":
                yield "awarded", value
            case "new" | "dealer" | "midway":
                pass
            case _:
                yield name, value


def _change(change: EntryChange) -> Json:
    """A change to a line in its place, with the former value of everything that was amended."""
    values = {
        "did": change.did,
        "source": change.origin.source,
        "at": change.origin.at / NANOSECONDS,
        "was": change.was,
    }
    if change.why is not UNCHANGED:
        values["was_why"] = change.why
    if change.lane is not None:
        values |= {"was_seat": change.seat, "was_lane": change.lane}
    return values
