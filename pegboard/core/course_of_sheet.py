"""Inferred course of a score sheet, computed lazily: phase and dealer, likeliest reason of each line, certainties."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from pegboard.core import best_path
from pegboard.core.best_path import Course, CourseStep, Progress, Reading, Transitions, Weights, ways, why_of
from pegboard.core.course_costs import ONE, shares, weight_of, weights
from pegboard.core.course_model import OTHER, Links, Model, Place, State, model_of
from pegboard.core.moves import FAULTS, Dealt, Reason, Retracted, Scored, Staged
from pegboard.core.position import Phase, Position
from pegboard.core.rules import Rules, Seat

if TYPE_CHECKING:
    from pegboard.core.entry import Entry
    from pegboard.core.moves import Line

# --- certainty: the forward-backward algorithm ---
#
# Probabilities of the states and readings of the hidden Markov model whose best path `best_path` finds. Weights are
# integers, so that every way to reach the same sheet gives the same result.


WHOLE = 1 << 24
"""Approximate total of the weights after a line."""

STRAINED = 650
"""Strain (see `CourseStep`) that simulated games almost never reach, even with 1 line in 10,000 forgotten or wrong."""

UNLIKELY = 0.05
"""Probability below which an alternative standing is not offered."""

SMALL = 1e-100
"""Threshold below which the odds of later lines are rescaled; far above the smallest float."""

PARTS: dict[str | None, str] = {"heels": "play", "play": "play", "go": "play", "hand": "hand", "crib": "crib"}
"""The part of a deal that a reason belongs to."""


class Where(NamedTuple):
    """A standing of the deal (dealer, phase, next hand), as inferred from the lines.

    Attributes:
        dealer: the dealer of the deal.
        phase: the play, or counting hands or the crib.
        to_count: while hands are counted, the seat whose hand is next.
        sure: the probability of this standing, 0 to 1.
    """

    dealer: Seat
    phase: Phase
    to_count: Seat | None
    sure: float


def weigh(rules: Rules, course: Course, old: Course | None = None) -> Course:
    """The course with the weights after each of its lines (forward pass).

    `old` is the course of an earlier state of the sheet. If its steps were reused and the weights agree, its weights
    are reused too.
    """
    model, after = model_of(rules), list(course.weights or [_first(course)])
    while len(after) < len(course.steps):
        number = len(after)
        after.append(_weigh_line(model, course, after, number))
        if old is not None and number < len(old.weights) and _joins(course, old, number, after[number]):
            after += old.weights[number + 1 : len(course.steps)]
            old = None
    return course._replace(weights=tuple(after))


def _first(course: Course) -> Weights:
    return _normalize({state: weight_of(cost) for state, cost in course.steps[0].costs.items()})


def _joins(course: Course, old: Course, number: int, now: Weights) -> bool:
    """Whether everything from here on equals the old course; reused steps are identical objects."""
    last = min(len(course.steps), len(old.weights)) - 1
    return (
        course.steps[number] is old.steps[number]
        and course.steps[last] is old.steps[last]
        and now == old.weights[number]
    )


def _weigh_line(model: Model, course: Course, so_far: Sequence[Weights], number: int) -> Weights:
    """The weights after one more line."""
    line, step = course.lines[number - 1], course.steps[number]
    before = so_far[step.before]
    if step.back is None:
        return before
    after = dict.fromkeys(step.costs, 0)
    if step.links is not None:
        _add(after, before, step.links)
        return _normalize(after)
    assert isinstance(line, Dealt | Staged | Scored)
    for state, weight in before.items():
        for target, cost in ways(model, line, state):
            if target in after:
                after[target] += weight * weight_of(cost)
    return _normalize(after)


def _add(after: dict[State, int], before: Mapping[State, int], links: Links) -> None:
    """Sum the transitions by which an entry leads to each state."""
    parts = weights()
    for state, weight in before.items():
        for target, cost, _ in links[state]:
            if target in after:
                after[target] += weight * parts[cost]
    for target, cost, _ in links.lost:
        if target in after:
            after[target] += WHOLE * parts[cost]


def _normalize(added_up: Mapping[State, int]) -> Weights:
    whole = sum(added_up.values()) or 1
    return Weights({state: weight * WHOLE // whole or 1 for state, weight in added_up.items()})


# --- standings of the deal ---


def standings(rules: Rules, course: Course) -> list[Where]:
    """Every possible standing of the deal: the one by the best path, then the alternatives, most likely first.

    `course` must have weights. If the entries fit no deal, such as thirty hands in a row, all probabilities are low.
    """
    model, odds = model_of(rules), dict[tuple[Seat, Phase, Seat | None], int]()
    for state, weight in course.weights[-1].items():
        where = _where(model, *divmod(state, model.places))
        odds[where] = odds.get(where, 0) + weight
    whole, strain = sum(odds.values()) or 1, course.steps[-1].strain
    fits = min(1.0, (STRAINED / strain) ** 2) if strain else 1.0
    best = _where(model, *divmod(course.steps[-1].best, model.places))
    others = sorted(
        (Where(*where, fits * weight / whole) for where, weight in odds.items() if where != best),
        key=lambda where: -where.sure,
    )
    return [Where(*best, fits * odds[best] / whole), *others]


def other_than(rules: Rules, first: Where, others: Sequence[Where]) -> Where:
    """The most likely standing other than `first`; if none is likely, the other stage of the deal.

    It differs in dealer or stage; a different next hand in the same show is ignored.
    """
    told = first.dealer, first.phase == Phase.PLAY
    apart = [each for each in others if (each.dealer, each.phase == Phase.PLAY) != told]
    if apart and apart[0].sure >= UNLIKELY:
        return apart[0]
    if first.phase == Phase.PLAY:
        return Where(first.dealer, Phase.HAND, rules.after(first.dealer), 0.0)
    return Where(rules.after(first.dealer), Phase.PLAY, None, 0.0)


def _where(model: Model, dealer: Seat, place: Place) -> tuple[Seat, Phase, Seat | None]:
    if model.in_play(place):
        return dealer, Phase.PLAY, None
    if place == model.crib:  # the next deal
        return (dealer + 1) % model.seats, Phase.PLAY, None
    if place == model.due:
        return dealer, Phase.HAND, dealer
    counted = place - model.show
    if counted == model.seats:
        return dealer, Phase.CRIB, None
    return dealer, Phase.HAND, (dealer + 1 + counted) % model.seats


# --- certainty of each line's reading ---


class Certainty(NamedTuple):
    """How likely the reading of a line is, given all lines.

    Attributes:
        why: probability of its reason, with any dealer, 0 to 1.
        part: probability of its dealer and part of the deal (heels count as play), 0 to 1.
    """

    why: float
    part: float


def certainties(rules: Rules, course: Course, told: Sequence[Reading | None], newest: int) -> dict[int, Certainty]:
    """How likely the readings `told` of the `newest` lines are, by line number (backward pass).

    `course` must have weights from before the first of these lines on.
    """
    model, found, number = model_of(rules), dict[int, Certainty](), len(course.lines)
    ahead: Mapping[State, float] = dict.fromkeys(course.steps[-1].costs, 1.0)
    while number > max(0, len(course.lines) - newest):
        line, step = course.lines[number - 1], course.steps[number]
        before = course.weights[step.before]
        if step.links is not None:
            reading = told[number - 1]
            assert reading is not None  # it is on the best path
            dealt = range(reading.dealer * model.places, (reading.dealer + 1) * model.places)
            same = _same_reading(reading.why, getattr(line, "points", 0))
            taken = _transitions(before, step.links, course.weights[number])
            found[number], ahead = _look_back(before, taken, ahead, dealt, same)
        elif step.back is not None and isinstance(line, Dealt | Staged | Scored):
            ahead = {
                state: sum(weight_of(cost) / ONE * ahead.get(target, 0.0) for target, cost in ways(model, line, state))
                for state in before
            }
        number = step.before
    return found


@cache
def _same_reading(why: Reason | None, points: int) -> tuple[tuple[bool, bool], ...]:
    """For each kind of entry with so many points: whether its reason is `why`, and whether it is in the same part."""
    reasons = [why_of(what, points) for what in range(OTHER + 1)]
    return tuple([(reason == why, PARTS.get(reason) == PARTS.get(why)) for reason in reasons])


def _rescale(ahead: dict[State, float]) -> dict[State, float]:
    """The odds, rescaled if all are small: only ratios matter, and a long sheet would underflow to zero."""
    most = max(ahead.values())
    return ahead if most > SMALL else {state: odd / (most or 1.0) for state, odd in ahead.items()}


def _transitions(before: Mapping[State, int], links: Links, after: Weights) -> Transitions:
    """The transitions from the states before an entry; kept, as they are needed again after each of the next lines."""
    if after.transitions is None:
        share, into = shares(), dict[tuple[State, int], float]()
        lost = [(target, share[cost], what) for target, cost, what in links.lost if target in after]
        for target, odds, what in lost:
            into[target, what] = into.get((target, what), 0.0) + WHOLE * odds
        between = list[tuple[State, State, float]]()
        for state, weight in before.items():
            for target, cost, what in links[state]:
                if target in after:
                    between.append((state, target, share[cost]))
                    into[target, what] = into.get((target, what), 0.0) + weight * share[cost]
        weighed = [(target, what, weight) for (target, what), weight in into.items()]
        after.transitions = Transitions(weighed, [(target, odds) for target, odds, _ in lost], between)
    return after.transitions


def _look_back(
    before: Mapping[State, int],
    taken: Transitions,
    ahead: Mapping[State, float],
    dealt: range,
    same: Sequence[tuple[bool, bool]],
) -> tuple[Certainty, dict[State, float]]:
    """How likely the reading of an entry is, and the odds of the later lines from each state before it.

    `dealt` are the states with the reading's dealer, `same` tells for each kind of entry whether it agrees with the
    reading.
    """
    whole = with_why = in_part = 0.0
    for target, what, weight in taken.into:
        odds = weight * ahead[target]
        whole += odds
        has_why, has_part = same[what]
        if has_why:
            with_why += odds
        if has_part and target in dealt:
            in_part += odds
    now = dict.fromkeys(before, sum([share * ahead[target] for target, share in taken.lost]))
    for state, target, share in taken.between:
        now[state] += share * ahead[target]
    return Certainty(with_why / (whole or 1.0), in_part / (whole or 1.0)), _rescale(now)


BOTH_WAYS_BELOW = 0.6
"""Below this probability, pages and displays show the two most likely standings of a deal."""


class Standing(NamedTuple):
    """Where the deal stands, as displays and pages show it; a later line can correct it.

    Attributes:
        dealer: the dealer of this deal.
        deal: the number of this deal, from 1.
        phase: the phase of this deal.
        to_count: while hands are counted, the seat whose hand is next.
        begun: whether anything has been pegged in this deal.
        sure: probability that dealer, phase and `to_count` are right, 0 to 1.
        dealer_sure: probability that the dealer is right.
        other: the second most likely standing; None if `sure` is at least `BOTH_WAYS_BELOW`.
    """

    dealer: Seat
    deal: int
    phase: Phase
    to_count: Seat | None
    begun: bool
    sure: float = 1.0
    dealer_sure: float = 1.0
    other: Where | None = None


class InferredCourse:
    """The course of one state of a sheet, computed on first use.

    `former` is the course of an earlier state; its steps are reused as far as the lines are the same.
    """

    def __init__(
        self,
        rules: Rules,
        first: tuple[Seat, bool],
        entries: "Sequence[Entry]",
        positions: Sequence[Position],
        true_points: Mapping[int, int],
        *,
        former: Course | None,
    ) -> None:
        self._rules, self._first = rules, first
        self._entries, self._positions, self._former = entries, positions, former
        self._true_points = true_points
        self._certainties: dict[int, dict[int, Certainty]] = {}

    @property
    def newest(self) -> Course | None:
        """The course as far as computed: for this state, or else for an earlier one."""
        return self.__dict__.get("weighted_course") or self.__dict__.get("course", self._former)

    @cached_property
    def course(self) -> Course:
        """The course; empty for solitaire, where nothing is inferred."""
        if self._rules.seats == 1:
            return Course((), ())
        dealer, said = self._first
        first = best_path.begin(self._rules, dealer, said=said)
        return best_path.follow(self._rules, first, self._lines(), self._former)

    @cached_property
    def weighted_course(self) -> Course:
        """The course, with the probability of each state after each line."""
        return weigh(self._rules, self.course, self._former)

    def _lines(self) -> "list[Line | None]":
        """Each line if it says something about the deal, else None.

        Lines that are undone or come after the end say nothing. If two stages were announced without a score or a deal
        in between, only the later one counts.
        """
        said = list(self._true_lines())
        later = False
        for number in range(len(said) - 1, -1, -1):
            line = said[number]
            if isinstance(line, Staged):
                said[number], later = None if later else line, True
            elif later and (
                isinstance(line, Dealt | Retracted)
                or (isinstance(line, Scored) and (line.why not in FAULTS or line.redeal is not None))
            ):
                later = False
        return said

    def _true_lines(self) -> "Iterator[Line | None]":
        """Each line, with its true points if it is under a ruling."""
        truth = self._true_points
        for number, entry in enumerate(self._entries, 1):
            event = entry.event
            if not entry.stands:
                yield None
            elif isinstance(event, Retracted):
                yield event
            elif self._positions[number - 1].outcome is not None:
                yield None
            elif isinstance(event, Scored):
                yield replace(event, points=truth[number]) if number in truth else event
            elif isinstance(event, Dealt) and event.new and self._rules.dealer_start:
                yield replace(event, midway=True)  # if the dealer starts ahead, a deal is often announced late
            elif isinstance(event, Dealt) and event.dealer is None and not event.new:
                yield replace(event, dealer=self._positions[number].dealer)
            else:
                yield event

    @cached_property
    def readings(self) -> tuple[Reading | None, ...]:
        """The most likely reading of each line; None if the game was rolled back past it."""
        if self._rules.seats == 1:
            return tuple(self._said_readings())
        return tuple(best_path.readings(self._rules, self.course))

    def _said_readings(self) -> Iterator[Reading | None]:
        """The readings as the players stated them, for solitaire, where nothing is inferred."""
        for number, entry in enumerate(self._entries, 1):
            before, after = self._positions[number - 1], self._positions[number]
            why = entry.event.why if isinstance(entry.event, Scored) else None
            deal = before.deal if why == Reason.CRIB else after.deal
            yield Reading(why, deal, after.dealer) if entry.stands else None

    def certainties(self, newest: int) -> dict[int, Certainty]:
        """How likely the readings of the `newest` lines are, by line number."""
        if self._rules.seats == 1:
            return {}
        if newest not in self._certainties:
            self._certainties[newest] = certainties(self._rules, self.weighted_course, self.readings, newest)
        return self._certainties[newest]

    @property
    def is_certain(self) -> bool:
        """Whether every reason was stated and each deal ends with one possible dealer; False for solitaire."""
        if self._rules.seats == 1:
            return False
        told = list(zip(self.course.lines, self.readings, self.course.steps[1:], strict=True))
        scores = (line for line, reading, _ in told if reading is not None and isinstance(line, Scored))
        if not all(line.why is not None and not line.guessed for line in scores):
            return False
        known = {reading.deal for _, reading, step in told if reading is not None and self._has_one_dealer(step)}
        return known >= {reading.deal for reading in self.readings if reading is not None}

    def _has_one_dealer(self, step: CourseStep) -> bool:
        """Whether all possible states after a line have the same dealer."""
        places = model_of(self._rules).places
        return len({state // places for state in step.costs}) == 1

    @cached_property
    def progress(self) -> Progress:
        """The current deal, its dealer, and whether anything has been pegged in it."""
        if self._rules.seats == 1:
            at = self._positions[-1]
            return Progress(at.deal, at.dealer, at.scored)
        last = self._ending()
        if last is not None and last.why == Reason.CRIB:  # the crib ended the deal, and no other has begun
            return Progress(last.deal, last.dealer, begun=True)
        return best_path.progress_of(self._rules, self.course, self.readings)

    def _ending(self) -> Reading | None:
        """The reading of the line that ended the game; None if the game is still on."""
        line = len(self._entries)
        while line and self._positions[line - 1].outcome is not None:
            line -= 1
        return self.readings[line - 1] if line and self._positions[line].outcome is not None else None

    @cached_property
    def standing(self) -> Standing:
        """The standing of the deal."""
        at = self._positions[-1]
        if self._rules.seats == 1:
            return Standing(at.dealer, at.deal, at.phase, at.to_count, at.scored)
        found = standings(self._rules, self.weighted_course)
        first = found[0]
        dealer_sure = sum(each.sure for each in found if each.dealer == first.dealer)
        deal, dealer, begun = self.progress
        if at.outcome is not None:
            return Standing(dealer, deal, Phase.OVER, None, begun=True)
        phase = Phase.CUT if at.phase == Phase.CUT and first.phase == Phase.PLAY else first.phase
        other = other_than(self._rules, first, found[1:]) if first.sure < BOTH_WAYS_BELOW else None
        return Standing(first.dealer, deal, phase, first.to_count, begun, first.sure, dealer_sure, other)
