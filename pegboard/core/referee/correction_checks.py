"""Checks of the lines that a correction names: that they stand, are free of rulings, and say what was seen."""

from pegboard.core.board import Entry, Game
from pegboard.core.moves import PointsRuling, Reason, Scored
from pegboard.core.referee.decisions import check_amount, check_penalty_amount
from pegboard.errors import Already, Moved, RuleError
from pegboard.messages import Message


def find_score(game: Game, line: int, was: int | None) -> Scored:
    """The score at a line that is free to be put right and says `was` points.

    Raises:
        RuleError: there is no such line, or it is no score; `Moved` when it does not say `was`; `Already` when it does
            not stand or is ruled on.
    """
    event = find_standing(game, line).event
    if not isinstance(event, Scored):
        raise RuleError("not_a_score", line=line)
    check_free(game, line)
    if type(was) is not int:
        raise RuleError("was_points", line=line, was=repr(was))
    if was != event.points:
        raise Moved("says_now", (line,), line=line, points=event.points, was=repr(was))
    return event


def check_true_points(game: Game, event: Scored, points: int) -> None:
    """Whatever was pegged, the truth can be that nothing was due: no go, no heels, no fault.

    Raises:
        RuleError: nobody scores so.
    """
    if type(points) is not int or points != 0:
        check_points(game, event, points)


def check_points(game: Game, event: Scored, points: int) -> None:
    """A penalty is of any size, other points as many as cards give.

    Raises:
        RuleError: nobody scores so.
    """
    if event.why == Reason.PENALTY:
        check_penalty_amount(game.rules, points)
    else:
        check_amount(game.rules, points, event.why)


def find_standing(game: Game, line: int) -> Entry:
    """The line of that number, which stands.

    Raises:
        RuleError: there is none; `Already` when it does not stand.
    """
    entry = find_entry(game, line)
    if not entry.stands:
        raise Already("gone_already", line=line)
    return entry


def find_entry(game: Game, line: int) -> Entry:
    """The line of that number.

    Raises:
        RuleError: there is none.
    """
    if type(line) is not int or not 1 <= line <= len(game.entries):
        raise RuleError(
            "no_line",
            line=repr(line),
            lines=Message("one_line" if len(game.entries) == 1 else "many_lines", n=len(game.entries)),
        )
    return game.entries[line - 1]


def check_free(game: Game, line: int) -> None:
    """A line under a standing ruling stays as it is; so undo of the ruling restores everything.

    Raises:
        Already: it is under one.
    """
    ruling = game.ruling_on(line)
    if ruling is not None:
        raise Already("ruled", line=line, ruling=ruling)


def check_withdrawable(game: Game, to: int, before: int) -> None:
    """The lines between `to` and `before` are tied to none outside by a ruling, and `to` still says something.

    Raises:
        RuleError: a ruling would be torn from its line; `Already` when `to` is withdrawn or a line is ruled on later.
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
