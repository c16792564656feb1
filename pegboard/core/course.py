"""The course of a game: who deals, where the deal stands, and what each entry was most likely for.

What the players said is a fact; what nobody said is worked out here, anew with every entry, from all entries together:
the best path through a hidden Markov model (Viterbi), whose moves `course_moves` knows. A later entry can change what
an earlier one is taken for. The course moves no peg, is stored nowhere, and is no reason to refuse anything.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pegboard.core.course_moves import (
    CRIB,
    ENDED,
    HAND,
    LOST,
    ONE,
    PLAY,
    Cost,
    Links,
    Model,
    Place,
    State,
    cost_of,
    model_of,
    weight_of,
)
from pegboard.core.moves import FAULTS, Dealt, Line, Retracted, Scored, Staged
from pegboard.core.rules import Rules, Seat

POLICY = 0.9
"""How likely the dealer whom the table's own policy chose does deal."""

BEAM = 1000
"""States that cost more than the best one by this are given up."""

WHOLE = 1 << 24
"""What the weights of a step add up to, about; whole numbers, so that two ways to the same step come out equal."""

USUAL = 500
"""What an entry costs at most, of 98 in 100 of dealt games."""

STRAINED = 650
"""A strain that dealt games hardly ever reach, even where entries are forgotten or wrong (1 entry in 10,000)."""

KEYS = ("go", "thirty-one", "heels")
"""Reasons that have keys of their own."""

BITS, NOTHING = 3, 7
"""Of what an entry was, beside the state before; and that a line was no entry."""

NEVER = 1 << 30


class Step(NamedTuple):
    """What is known after a line.

    Attributes:
        costs: for each state that can be, the cost of the best path to it, less that of the best of all.
        weights: for each of these states how likely it is; they add up to `WHOLE`, about.
        back: for each state the state before it and what the entry was, packed; None where the line tells nothing.
        before: the number of the step before: of the line before, or of the one that the game went back to.
        telling: the lanes in which a reason was told that a key has: go, thirty-one or heels.
        strain: how much less likely the newest entries are than those of dealt games; 0 where they are usual.
    """

    costs: Mapping[State, Cost]
    weights: Mapping[State, int]
    back: Mapping[State, int] | None
    before: int
    telling: frozenset[int] = frozenset()
    strain: Cost = 0


class Course(NamedTuple):
    """What is known of a whole sheet.

    Attributes:
        lines: what each of its lines says; None for one that does not stand or comes after the end.
        steps: one for the empty sheet, and one for each line.
    """

    lines: tuple[Line | None, ...]
    steps: tuple[Step, ...]


class Where(NamedTuple):
    """Where a deal stands, as far as the lines tell.

    Attributes:
        dealer: who deals.
        phase: "play", "hand" or "crib".
        to_count: in "hand", the seat whose hand is next.
        sure: how likely it is, 0 to 1.
    """

    dealer: Seat
    phase: str
    to_count: Seat | None
    sure: float


class Reading(NamedTuple):
    """What a line was most likely for.

    Attributes:
        why: "heels", "play", "go", "hand" or "crib"; None where it is no score, or an award that was pegged as one.
        deal: the number of its deal, from 1.
        dealer: who dealt that.
    """

    why: str | None
    deal: int
    dealer: Seat


# --- one line after the other ---


def begin(rules: Rules, dealer: Seat, *, said: bool) -> Step:
    """The step of an empty sheet; `said` tells whether the players named the dealer.

    The policy's own choice is likely; where the cards are cut for the deal everybody is as likely as another.
    """
    model = model_of(rules)
    odds = dict.fromkeys(range(model.seats), (1 - POLICY) / (model.seats - 1)) | {dealer: POLICY}
    if rules.first_deal == "cut":
        odds = dict.fromkeys(range(model.seats), 1 / model.seats)
    costs = {seat * model.places: cost_of(odd) for seat, odd in ({dealer: 1.0} if said else odds).items()}
    whole = sum(map(weight_of, costs.values()))
    weights = {state: weight_of(cost) * WHOLE // whole for state, cost in costs.items()}
    least = min(costs.values())
    return Step({state: cost - least for state, cost in costs.items()}, weights, None, 0)


def follow(rules: Rules, first: Step, lines: Sequence[Line | None], old: Course | None = None) -> Course:
    """The course of a sheet with these lines, from the step of the empty sheet on.

    `old` is a course of an earlier state of this sheet, if one is known: its steps are taken over up to the first line
    that has changed, and again behind the last one from where both agree.
    """
    now, former = tuple(lines), () if old is None else old.lines
    known = _alike(now, former)
    steps = [first] if old is None else list(old.steps[: known + 1])
    joins = _changed(now, former, known) if old is not None else len(now)
    for number in range(known + 1, len(now) + 1):
        steps.append(observe(rules, steps, now[number - 1]))
        if old is not None and joins <= number < len(old.steps) and _agree(steps[number], old.steps[number]):
            steps += old.steps[number + 1 : len(now) + 1]
            return follow(rules, first, now, Course(now[: len(steps) - 1], tuple(steps)))
    return Course(now, tuple(steps))


def _alike(now: Sequence[Line | None], former: Sequence[Line | None]) -> int:
    """How many lines both begin with."""
    pairs = enumerate(zip(now, former, strict=False))
    return next(
        (number for number, (one, other) in pairs if one is not other and one != other), min(len(now), len(former))
    )


def _changed(now: Sequence[Line | None], former: Sequence[Line | None], known: int) -> int:
    """From which line on nothing has changed; beyond the end where the game goes back to an earlier line."""
    if any(isinstance(line, Retracted) for line in now[known:]):
        return len(now) + 1
    both = range(min(len(now), len(former)) - 1, known - 1, -1)
    return next((number + 1 for number in both if now[number] != former[number]), known)


def _agree(one: Step, other: Step) -> bool:
    return (one.costs, one.weights, one[4:]) == (other.costs, other.weights, other[4:])


def observe(rules: Rules, steps: Sequence[Step], line: Line | None) -> Step:
    """The step after one more line; `steps` are all until then."""
    model, number = model_of(rules), len(steps) - 1
    match line:
        case Scored() if line.why not in FAULTS:
            return _entered(model, steps[-1], line, number)
        case Dealt() | Staged():
            return _told(model, steps[-1], line, number)
        case Retracted(to):
            number = to
    return steps[number]._replace(back=None, before=number)


def _entered(model: Model, before: Step, line: Scored, number: int) -> Step:
    """The step after an entry."""
    costs, weights, back = dict[State, Cost](), dict[State, int](), dict[State, int]()
    links, weighed = _links(model, before, line), before.weights
    for state, cost in before.costs.items():
        weight = weighed[state]
        for target, more, part, what in links[state]:
            total = cost + more
            if target not in costs:
                costs[target], back[target], weights[target] = total, state << BITS | what, weight * part
                continue
            weights[target] += weight * part
            if total < costs[target]:
                costs[target], back[target] = total, state << BITS | what
    best = _best(before)
    for target, more, part, what in links.lost:
        if more < costs.get(target, NEVER):
            costs[target], back[target] = more, best << BITS | what
        weights[target] = weights.get(target, 0) + WHOLE * part
    tells = line.why in KEYS and not line.guessed
    after = _tidied(costs, weights, back, number, before.telling | {line.lane} if tells else before.telling)
    strain = before.strain * 3 // 4 + after.strain - USUAL
    return after._replace(strain=max(0, strain))


def _links(model: Model, before: Step, line: Scored) -> Links:
    return model.links(line.lane, line.seat, line.points, line.why, line.guessed, line.lane in before.telling)


def _tidied(
    costs: dict[State, Cost], weights: dict[State, int], back: dict[State, int], number: int, telling: frozenset[int]
) -> Step:
    """The step with the best state at no cost, and without those that are out of the question."""
    least = min(costs.values())
    most = least + BEAM
    kept = {state: cost - least for state, cost in costs.items() if cost <= most}
    whole = sum(map(weights.__getitem__, kept)) or 1
    return Step(
        kept,
        {state: weights[state] * WHOLE // whole or 1 for state in kept},
        {state: back[state] for state in kept},
        number,
        telling,
        least,
    )


# --- what is said of the deal ---


def _told(model: Model, before: Step, line: Dealt | Staged, number: int) -> Step:
    """The step after a line that says where the deal stands, or who deals: only what fits it is left."""
    costs, weights, back = dict[State, Cost](), dict[State, int](), dict[State, int]()
    for state, cost in before.costs.items():
        for target, more in _ways(model, line, state):
            if cost + more < costs.get(target, NEVER):
                costs[target], back[target] = cost + more, state << BITS | NOTHING
            weights[target] = weights.get(target, 0) + before.weights[state] * weight_of(more)
    return _tidied(costs, weights, back, number, before.telling)._replace(strain=0)


def _ways(model: Model, line: Dealt | Staged, state: State) -> Iterator[tuple[State, Cost]]:
    """Where a state can lead, given such a line, and at what cost."""
    dealer, place = divmod(state, model.places)
    if isinstance(line, Dealt) and not line.new:
        yield _put_right(model, dealer, place, line.dealer or 0)
        return
    for reached, deals, more in _to_stage(model, place, line.stage) if isinstance(line, Staged) else _on(model, place):
        now = (dealer + deals) % model.seats
        named = now if isinstance(line, Staged) or line.dealer is None else line.dealer
        yield reached + model.places * named, more + (0 if named == now else LOST)


def _put_right(model: Model, dealer: Seat, place: Place, said: Seat) -> tuple[State, Cost]:
    """It is said who deals now, wherever the deal stands; after the crib that is the next deal."""
    now = (dealer + 1) % model.seats if place == model.crib else dealer
    if now == said:
        return dealer * model.places + place, 0
    return (0 if place == model.crib else place) + model.places * said, LOST


Ways: TypeAlias = list[tuple[Place, int, Cost]]
"""Places that can be reached, how many deals further, and the cost."""


def _on(model: Model, place: Place) -> Ways:
    """A new deal begins; what has not been pegged of this one was nothing, or is forgotten."""
    return [way for way in model.ahead(place) if way[:2] == (0, 1)] or [(0, 1, LOST)]


def _to_stage(model: Model, place: Place, stage: str) -> Ways:
    """The cards are laid, or the hands are counted."""
    wanted = model.in_play if stage == "play" else model.in_show
    found = [way for way in model.ahead(place) if wanted(way[0])]
    return found or [(model.middle(0) if stage == "play" else model.show, 0, LOST)]


# --- what it tells ---


def standings(rules: Rules, step: Step) -> list[Where]:
    """Where the deal can stand: first the likeliest of the likeliest dealer, then the others, the likeliest first.

    Of entries that fit no deal, such as thirty hands in a row, none of it is sure.
    """
    model, odds = model_of(rules), dict[tuple[Seat, str, Seat | None], int]()
    dealers = [0] * model.seats
    for state, weight in step.weights.items():
        where = _where(model, *divmod(state, model.places))
        odds[where] = odds.get(where, 0) + weight
        dealers[where[0]] += weight
    whole, dealer = sum(dealers) or 1, dealers.index(max(dealers))
    fits = min(1.0, (STRAINED / step.strain) ** 2) if step.strain else 1.0
    found = [Where(*where, fits * weight / whole) for where, weight in odds.items()]
    found.sort(key=lambda each: -each.sure)
    first = next(each for each in found if each.dealer == dealer)
    return [first, *(each for each in found if each is not first)]


def _where(model: Model, dealer: Seat, place: Place) -> tuple[Seat, str, Seat | None]:
    if model.in_play(place):
        return dealer, "play", None
    if place == model.crib:  # the next deal
        return (dealer + 1) % model.seats, "play", None
    counted = place - model.show
    return (dealer, "crib", None) if counted == model.seats else (dealer, "hand", (dealer + 1 + counted) % model.seats)


def readings(rules: Rules, course: Course) -> list[Reading | None]:
    """What each line was most likely for; None where the game went back over it."""
    model = model_of(rules)
    path = list(_path(course.steps))[::-1]
    found: list[Reading | None] = [None] * len(course.lines)
    deal = 1
    for number, what, before, after in path:
        line = course.lines[number - 1]
        deal += _passes(model, line, before, after)
        points = line.points if isinstance(line, Scored) else 0
        found[number - 1] = Reading(_why(what, points), deal, after // model.places)
    return found


def reached(rules: Rules, course: Course, told: Sequence[Reading | None]) -> tuple[int, bool]:
    """The number of the deal in hand, and whether anything of it has been pegged."""
    model = model_of(rules)
    place = _best(course.steps[-1]) % model.places
    deal = next((each.deal for each in reversed(told) if each is not None), 1)
    return (deal + 1, False) if place == model.crib else (deal, place > 0)


def _path(steps: Sequence[Step]) -> Iterator[tuple[int, int, State, State]]:
    """The best path backwards: the number of each line, what it was, and the states before and after it."""
    number = len(steps) - 1
    state = _best(steps[number])
    while number:
        step = steps[number]
        if step.back is None:
            yield number, NOTHING, state, state
        else:
            packed = step.back[state]
            yield number, packed & NOTHING, packed >> BITS, state
            state = packed >> BITS
        number = step.before


def _best(step: Step) -> State:
    """The likeliest state; of two equal ones the first."""
    return min(step.costs, key=lambda state: (step.costs[state], state))


def _passes(model: Model, line: Line | None, before: State, after: State) -> bool:
    """Whether a new deal has begun between two states."""
    if isinstance(line, Dealt):
        return line.new
    (dealt, place), (deals, reached) = divmod(before, model.places), divmod(after, model.places)
    return dealt != deals or (reached < model.show <= place)


def _why(what: int, points: int) -> str | None:
    """The reason in words; a single point of the play is a go or the last card."""
    match what:
        case 0:
            return "heels"
        case _ if what in (PLAY, ENDED):
            return "go" if points == 1 else "play"
    return {HAND: "hand", CRIB: "crib"}.get(what)


# --- how sure it is ---


class Certainty(NamedTuple):
    """How likely the reading of a line is, all lines considered.

    Attributes:
        why: its reason, whoever deals, 0 to 1.
        deal: its reason and its dealer, 0 to 1.
    """

    why: float
    deal: float


def certainties(rules: Rules, course: Course, newest: int) -> dict[int, Certainty]:
    """How likely the reading of each of the newest entries is, by the number of its line; a backward pass."""
    model, told = model_of(rules), readings(rules, course)
    found, number = dict[int, Certainty](), len(course.lines)
    ahead = dict.fromkeys(course.steps[-1].weights, 1.0)
    while number > max(0, len(course.lines) - newest):
        line, step, before = course.lines[number - 1], course.steps[number], course.steps[number - 1]
        if isinstance(line, Scored) and line.why not in FAULTS:
            odds, ahead = _looked_back(model, before, line, ahead)
            found[number] = _certainty(odds, told[number - 1], line.points)
        elif isinstance(line, Dealt | Staged):
            ahead = {
                state: sum(weight_of(more) / ONE * ahead.get(target, 0.0) for target, more in _ways(model, line, state))
                for state in before.weights
            }
        number = step.before
    return found


def _certainty(odds: Mapping[tuple[int, Seat], float], reading: Reading | None, points: int) -> Certainty:
    whole = sum(odds.values()) or 1.0
    same = {key: odd for key, odd in odds.items() if reading is not None and _why(key[0], points) == reading.why}
    dealt = sum(odd for (_, dealer), odd in same.items() if reading is not None and dealer == reading.dealer)
    return Certainty(sum(same.values()) / whole, dealt / whole)


def _looked_back(
    model: Model, before: Step, line: Scored, ahead: Mapping[State, float]
) -> tuple[dict[tuple[int, Seat], float], dict[State, float]]:
    """How likely each reason and dealer of an entry is, and what lies ahead of each state before it."""
    odds, now = dict[tuple[int, Seat], float](), dict[State, float]()
    links, lost = _links(model, before, line), 0.0
    for target, _, part, what in links.lost:
        odd = part / ONE * ahead.get(target, 0.0)
        key = what, target // model.places
        odds[key] = odds.get(key, 0.0) + WHOLE * odd
        lost += odd
    for state, weight in before.weights.items():
        total = lost
        for target, _, part, what in links[state]:
            odd = part / ONE * ahead.get(target, 0.0)
            key = what, target // model.places
            odds[key] = odds.get(key, 0.0) + weight * odd
            total += odd
        now[state] = total
    return odds, now
