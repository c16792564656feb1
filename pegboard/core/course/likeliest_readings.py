"""Readings: what each line of a sheet was most likely for, and in which deal, by the best path."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from pegboard.core.course.best_path import BITS, NOTHING, Course, CourseStep
from pegboard.core.course.hidden_markov_model import Model, model_of
from pegboard.core.course.links import CRIB, ENDED, HAND, HEELS, PLAY, State
from pegboard.core.moves import Dealt, Line, Reason, Scored
from pegboard.core.rules import Rules, Seat


class Reading(NamedTuple):
    """What a line was most likely for.

    Attributes:
        why: "heels", "play", "go", "hand" or "crib"; None where it is no score, or an award that was pegged as one.
        deal: the number of its deal, from 1.
        dealer: who dealt that.
    """

    why: Reason | None
    deal: int
    dealer: Seat


def readings(rules: Rules, course: Course) -> list[Reading | None]:
    """What each line was most likely for; None where the game went back over it."""
    model = model_of(rules)
    found: list[Reading | None] = [None] * len(course.lines)
    deal = 1
    for number, what, before, after in reversed(list(_path(course.steps))):
        line = course.lines[number - 1]
        deal += _passes(model, line, before, after)
        points = line.points if isinstance(line, Scored) else 0
        found[number - 1] = Reading(why_of(what, points), deal, after // model.places)
    return found


class Progress(NamedTuple):
    """How far the best path has come.

    Attributes:
        deal: the number of the deal in hand.
        dealer: whose that is.
        begun: whether anything of it has been pegged.
    """

    deal: int
    dealer: Seat
    begun: bool


def progress_of(rules: Rules, course: Course, told: Sequence[Reading | None]) -> Progress:
    """How far the game has come by these readings of its lines."""
    model = model_of(rules)
    dealer, place = divmod(course.steps[-1].best, model.places)
    deal = next((each.deal for each in reversed(told) if each is not None), 1)
    if place == model.crib:
        return Progress(deal + 1, (dealer + 1) % model.seats, begun=False)
    return Progress(deal, dealer, place > 0)


def _path(steps: Sequence[CourseStep]) -> Iterator[tuple[int, int, State, State]]:
    """The best path backwards: the number of each line, what it was, and the states before and after it."""
    number = len(steps) - 1
    state = steps[number].best
    while number:
        step = steps[number]
        if step.back is None:
            yield number, NOTHING, state, state
        else:
            packed = step.back[state]
            yield number, packed & NOTHING, packed >> BITS, state
            state = packed >> BITS
        number = step.before


def _passes(model: Model, line: Line | None, before: State, after: State) -> bool:
    """Whether a new deal has begun between two states."""
    if isinstance(line, Dealt):
        return line.new and before != after
    (dealt, place), (deals, reached) = divmod(before, model.places), divmod(after, model.places)
    return dealt != deals or (reached < model.show <= place)


def why_of(what: int, points: int) -> Reason | None:
    """The reason in words; a single point of the play is a go or the last card."""
    if what in (PLAY, ENDED):
        return Reason.GO if points == 1 else Reason.PLAY
    return {HEELS: Reason.HEELS, HAND: Reason.HAND, CRIB: Reason.CRIB}.get(what)
