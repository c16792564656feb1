"""Viterbi algorithm that infers the course of a game: which deal each entry belongs to, and what it was for.

Whatever the players stated is fact. Everything else is inferred from all entries together, again after every entry, as
the best path through a hidden Markov model (`course_model`). A later entry can change the reading of an earlier one.
The course moves no peg, is never stored, and never causes a refusal. `course_of_sheet` computes how certain it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pegboard.core.course_costs import DEAL_LATE, LOST, SAID_LATE, Cost, cost_of
from pegboard.core.course_model import CRIB, ENDED, HAND, HEELS, PLAY, Habits, Links, Model, Place, State, model_of
from pegboard.core.moves import FAULTS, Dealt, Line, Reason, Retracted, Scored, Staged
from pegboard.core.rules import FirstDeal, Rules, Seat

POLICY = 0.9
"""Probability that the dealer chosen by the table's policy actually deals."""

BEAM = 1000
"""Beam width: states that cost this much more than the best one are dropped."""

USUAL = 500
"""Upper limit of the cost of 98 in 100 entries of simulated games."""

REASONS_WITH_A_KEY = (Reason.GO, Reason.THIRTY_ONE, Reason.HEELS)
"""Reasons that have a key of their own."""

BITS, NOTHING = 3, 7
"""Bits that hold the kind of entry, packed with the previous state; and the value for a line that is not an entry."""

NEVER = 1 << 30

Announcement: TypeAlias = Dealt | Staged | Scored
"""A line that states where the deal is; a score does so only if it is a redeal."""


class CourseStep(NamedTuple):
    """The course after one line.

    Attributes:
        costs: for each possible state, the cost of the best path to it minus that of the overall best path.
        best: the state of the best path; the first one if two are equal.
        back: for each state, the previous state and the kind of entry, packed; None if the line says nothing about
            the deal.
        before: the number of the previous step: of the previous line, or of the line that the game was rolled back to.
        links: the transitions from each previous state, if the line is an entry.
        telling: the lanes for which a reason in `REASONS_WITH_A_KEY` was given.
        crib_first: the seats whose players were said to count the crib before the hand in one of their deals.
        strain: how much less likely the newest entries are than those of simulated games; 0 if they are normal.
    """

    costs: Mapping[State, Cost]
    best: State
    back: Mapping[State, int] | None
    before: int
    links: Links | None = None
    telling: frozenset[int] = frozenset()
    strain: Cost = 0
    crib_first: frozenset[Seat] = frozenset()


class Transitions(NamedTuple):
    """The transitions by which an entry leads to the states after it.

    Attributes:
        into: for each state after it and each kind of entry, the weight of all transitions into that state.
        lost: the states that any state can lead to, and with which probability.
        between: the state before it, the state after it, and the probability of that transition.
    """

    into: list[tuple[State, int, float]]
    lost: list[tuple[State, float]]
    between: list[tuple[State, State, float]]


class Weights(dict[State, int]):
    """How likely each state is after a line.

    Attributes:
        transitions: the transitions by which the line leads to them; None until first used.
    """

    transitions: Transitions | None = None


class Course(NamedTuple):
    """The course of a whole sheet.

    Attributes:
        lines: each line of the sheet; None if it says nothing about the deal, such as an undone line.
        steps: a step for the empty sheet, and one for each line.
        weights: the weight (likelihood) of each state after each of the first lines, as far as computed.
    """

    lines: tuple[Line | None, ...]
    steps: tuple[CourseStep, ...]
    weights: tuple[Weights, ...] = ()


# --- forward pass, line by line ---


def begin(rules: Rules, dealer: Seat, *, said: bool) -> CourseStep:
    """The step of an empty sheet; `said` tells whether the players named the dealer.

    The policy's choice is likely; if the cards are cut for the deal, all seats are equally likely.
    """
    model = model_of(rules)
    odds = dict.fromkeys(range(model.seats), (1 - POLICY) / (model.seats - 1)) | {dealer: POLICY}
    if rules.first_deal == FirstDeal.CUT:
        odds = dict.fromkeys(range(model.seats), 1 / model.seats)
    costs = {seat * model.places: cost_of(odd) for seat, odd in ({dealer: 1.0} if said else odds).items()}
    return _prune(costs, None, 0, None, frozenset())


def follow(rules: Rules, first: CourseStep, lines: Sequence[Line | None], old: Course | None = None) -> Course:
    """The course of a sheet with these lines, starting with `first`, the step of the empty sheet.

    `old` is the course of an earlier state of this sheet, if known. Its steps are reused up to the first changed line,
    and again after the last changed line, from the step where both courses agree.
    """
    now, model = tuple(lines), model_of(rules)
    if old is None:
        old = Course((), (first,))
    known = _alike(now, old.lines)
    steps, joins = list(old.steps[: known + 1]), _joins(now, old.lines, known)
    while len(steps) <= len(now):
        number = len(steps)
        steps.append(_observe(model, steps, now[number - 1]))
        if joins <= number < len(old.steps) and _agree(steps[number], old.steps[number]):
            steps += old.steps[number + 1 : len(now) + 1]
            joins = len(old.steps)
    return Course(now, tuple(steps), old.weights[: known + 1])


def _alike(now: Sequence[Line | None], former: Sequence[Line | None]) -> int:
    """Length of the common prefix."""
    pairs = enumerate(zip(now, former, strict=False))
    differ = (number for number, (one, other) in pairs if one is not other and one != other)
    return next(differ, min(len(now), len(former)))


def _joins(now: Sequence[Line | None], former: Sequence[Line | None], known: int) -> int:
    """The line after which nothing has changed; beyond the end if lines were only added or the game rolled back."""
    if known == len(former) or any(isinstance(line, Retracted) for line in now[known:]):
        return len(former) + 1
    both = range(min(len(now), len(former)) - 1, known - 1, -1)
    return next((number + 1 for number in both if now[number] != former[number]), known)


def _agree(one: CourseStep, other: CourseStep) -> bool:
    return one._replace(back=None, before=0, links=None) == other._replace(back=None, before=0, links=None)


def _observe(model: Model, steps: Sequence[CourseStep], line: Line | None) -> CourseStep:
    """The step after one more line; `steps` are all steps before it."""
    number = len(steps) - 1
    match line:
        case Scored() if line.why not in FAULTS:
            return _follow_entry(model, steps[-1], line, number)
        case Dealt() | Staged() | Scored(redeal=int()):
            return _follow_announcement(model, steps[-1], line, number)
        case Retracted(to):
            number = to
    return steps[number]._replace(back=None, before=number, links=None)


def _follow_entry(model: Model, before: CourseStep, line: Scored, number: int) -> CourseStep:
    """The step after an entry."""
    telling = before.telling
    habits = Habits(line.lane in telling, before.crib_first)
    links = model.links(line.lane, line.seat, line.points, line.why, line.guessed, habits)
    costs, back = dict[State, Cost](), dict[State, int]()
    for state, cost in before.costs.items():
        for target, more, what in links[state]:
            total = cost + more
            if target not in costs or total < costs[target]:
                costs[target], back[target] = total, state << BITS | what
    if not costs or links.lost_least <= min(costs.values()) + BEAM:
        for target, more, what in links.lost:
            if more < costs.get(target, NEVER):
                costs[target], back[target] = more, before.best << BITS | what
    if line.why in REASONS_WITH_A_KEY and not line.guessed and line.lane not in telling:
        telling |= {line.lane}
    step = _prune(costs, back, number, links, telling, before.strain * 3 // 4 - USUAL, before.crib_first)
    dealer, place = divmod(step.best, model.places)
    if place == model.crib and back[step.best] >> BITS == model.state(dealer, model.due):
        return step._replace(crib_first=step.crib_first | {dealer})
    return step


def _prune(  # noqa: PLR0917 - the fields of a step
    costs: dict[State, Cost],
    back: dict[State, int] | None,
    number: int,
    links: Links | None,
    telling: frozenset[int],
    strain: Cost = -NEVER,
    crib_first: frozenset[Seat] = frozenset(),
) -> CourseStep:
    """The step with costs relative to the best state; states outside the beam are pruned."""
    if len(costs) == 1:  # only one state is possible
        ((best, least),) = costs.items()
        return CourseStep({best: 0}, best, back, number, links, telling, max(0, strain + least), crib_first)
    least = min(costs.values())
    most = least + BEAM
    kept = {state: costs[state] - least for state in sorted(costs) if costs[state] <= most}  # the same path if tied
    best = next(state for state, cost in kept.items() if not cost)
    return CourseStep(kept, best, back, number, links, telling, max(0, strain + least), crib_first)


def _follow_announcement(model: Model, before: CourseStep, line: Announcement, number: int) -> CourseStep:
    """The step after a line that states the phase of the deal or its dealer; only matching states remain."""
    costs, back = dict[State, Cost](), dict[State, int]()
    for state, cost in before.costs.items():
        for target, more in ways(model, line, state):
            if cost + more < costs.get(target, NEVER):
                costs[target], back[target] = cost + more, state << BITS | NOTHING
    return _prune(costs, back, number, None, before.telling, crib_first=before.crib_first)


# --- readings: each line's most likely reason and deal, from the best path ---


class Reading(NamedTuple):
    """The most likely reading of a line.

    Attributes:
        why: "heels", "play", "go", "hand" or "crib"; None if it is not a score, or is an award pegged as a score.
        deal: the number of its deal, from 1.
        dealer: the dealer of that deal.
    """

    why: Reason | None
    deal: int
    dealer: Seat


def readings(rules: Rules, course: Course) -> list[Reading | None]:
    """The most likely reading of each line; None if the game was rolled back past it."""
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
    """The progress of the best path.

    Attributes:
        deal: the number of the current deal.
        dealer: the dealer of that deal.
        begun: whether anything has been pegged in that deal.
    """

    deal: int
    dealer: Seat
    begun: bool


def progress_of(rules: Rules, course: Course, told: Sequence[Reading | None]) -> Progress:
    """The progress of the game according to these readings."""
    model = model_of(rules)
    dealer, place = divmod(course.steps[-1].best, model.places)
    deal = next((each.deal for each in reversed(told) if each is not None), 1)
    if place == model.crib:
        return Progress(deal + 1, (dealer + 1) % model.seats, begun=False)
    return Progress(deal, dealer, place > 0)


def _path(steps: Sequence[CourseStep]) -> Iterator[tuple[int, int, State, State]]:
    """Backtrack along the best path: each line's number, its kind of entry, and the states before and after it."""
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
    if isinstance(line, Scored) and line.redeal is not None:
        return place == model.crib or (dealt != deals and place > 0)
    return dealt != deals or (reached < model.show <= place)


_REASONS = {
    HEELS: Reason.HEELS,
    PLAY: Reason.PLAY,
    ENDED: Reason.PLAY,
    HAND: Reason.HAND,
    CRIB: Reason.CRIB,
}


def why_of(what: int, points: int) -> Reason | None:
    """The reason for a kind of entry; a single point in the play is a go or the last card."""
    if points == 1 and what in (PLAY, ENDED):
        return Reason.GO
    return _REASONS.get(what)


# --- announcements: transitions after a new deal, a named dealer, or the announced play or show ---


def ways(model: Model, line: Announcement, state: State) -> Iterator[tuple[State, Cost]]:
    """The states that can follow `state` after an announcement, each with its cost."""
    dealer, place = divmod(state, model.places)
    if isinstance(line, Scored):
        yield from _redeal(model, dealer, place, line.redeal or 0)
        return
    if isinstance(line, Dealt) and not line.new:
        yield _name_dealer(model, dealer, place, line.dealer or 0)
        return
    if isinstance(line, Dealt) and line.midway and _is_late(model, line, dealer, place):
        yield state, DEAL_LATE
    for reached, deals, more in _to_stage(model, place, line.stage) if isinstance(line, Staged) else _on(model, place):
        now = (dealer + deals) % model.seats
        named = now if isinstance(line, Staged) or line.dealer is None else line.dealer
        yield reached + model.places * named, more + (0 if named == now else LOST)


def _redeal(model: Model, dealer: Seat, place: Place, said: Seat) -> Iterator[tuple[State, Cost]]:
    """The state after `said` redeals: at the beginning of this deal, or of the next one."""
    _, cost = _name_dealer(model, dealer, place, said)
    yield model.places * said, cost
    for _, deals, more in _on(model, place) if place != model.crib else ():
        yield model.places * said, more + (0 if (dealer + deals) % model.seats == said else LOST)


def _name_dealer(model: Model, dealer: Seat, place: Place, said: Seat) -> tuple[State, Cost]:
    """The state after the current dealer is named; after the crib, that is the dealer of the next deal."""
    now = (dealer + 1) % model.seats if place == model.crib else dealer
    if now == said:
        return dealer * model.places + place, 0
    return (0 if place == model.crib else place) + model.places * said, LOST


def _is_late(model: Model, line: Dealt, dealer: Seat, place: Place) -> bool:
    """Whether the announced deal can be the current one, announced late, after its first points."""
    begun = place not in {0, model.crib}
    return begun and (model.in_play(place) if line.dealer is None else line.dealer == dealer)


Ways: TypeAlias = list[tuple[Place, int, Cost]]
"""Reachable places, each with how many deals ahead it is and its cost."""


def _on(model: Model, place: Place) -> Ways:
    """Ways to a new deal; anything not pegged in the current deal was zero or forgotten."""
    return [way for way in model.ahead(place) if way[:2] == (0, 1)] or [(0, 1, LOST)]


def _to_stage(model: Model, place: Place, stage: str) -> Ways:
    """Ways to the play, or to the show."""
    wanted = model.in_play if stage == "play" else model.in_show
    found = [
        (reached, deals, cost + (SAID_LATE if stage == "show" and reached > model.show else 0))
        for reached, deals, cost in model.ahead(place)
        if wanted(reached)
    ]
    return found or [(model.middle(0) if stage == "play" else model.show, 0, LOST)]
