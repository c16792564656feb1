"""The moves of a deal: what the next entry can be from each place in it, and how likely that is.

A hidden Markov model. Its hidden states are places in a deal: the cards dealt, heels pegged, so many entries of the
play with so many counts ended, the play over, so many hands counted, the crib counted. What is seen is an entry: a
lane, points, and a reason where one was said. The odds of the play and of hands and cribs are learned from dealt games
(`course_table`); those of people who forget, miscount, or peg a hand in parts are the constants here.

Costs are whole numbers, -100 times the natural logarithm of a probability, so that sums of them are exact.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from pegboard.core.course.learned import TABLES
from pegboard.core.rules import Rules

Cost: TypeAlias = int
Place: TypeAlias = int
"""A place in a deal, by its number in a model."""

State: TypeAlias = int
"""A dealer and a place in the deal: dealer * places + place."""

MOST_ENTRIES, MOST_COUNTS = 8, 4
"""Entries of the play and counts ended that are told apart; beyond, the last stands for all."""

NOBODY = 9
"""Stands for the lane that pegged last where nobody has."""

BASE = 36
"""Of the digits in the table."""

UNIT = 100
RARE = 999
"""The cost of what has not been seen in dealt games; an entry of it costs nothing more elsewhere."""

HEELS, PLAY, ENDED, HAND, CRIB, OTHER = range(6)
"""What an entry can be for; ENDED is a card or go that ends a count of the play, OTHER an award pegged as a score."""

SAID = {
    "heels": {HEELS},
    "play": {PLAY, ENDED},
    "go": {ENDED},
    "thirty-one": {ENDED},
    "hand": {HAND},
    "crib": {CRIB},
}
"""What an entry can be for whose reason was said."""


ONE = 1 << 30
"""The weight of what is certain."""

LEAST = 3000
"""A cost from which on nothing weighs anything."""

SHARED = tuple(range(LEAST))
"""One object for each cost: tens of thousands of links refer to them."""


@cache
def weights() -> tuple[int, ...]:
    """The weight of each cost; made when the first of them is asked for."""
    return tuple([max(1, round(math.exp(-cost / UNIT) * ONE)) for cost in range(LEAST)])


def weight_of(cost: Cost) -> int:
    """The weight of a cost."""
    return weights()[min(cost, LEAST - 1)]


def cost_of(probability: float) -> Cost:
    """The cost of a probability."""
    return round(-UNIT * math.log(probability))


HEELS_TURNED = cost_of(0.7 / 13)
"""That a jack is turned, and that the two for it are entered like any others: most who turn one say so."""
NO_HEELS = cost_of(12 / 13)
ZERO_ENTERED, ZERO_LEFT_OUT = 0.4, 0.6
"""That a hand or crib without points is entered, and that it is not."""
FORGOTTEN = 0.008
"""That an entry is never made."""
UNPLAYED = cost_of(0.003)
"""That nothing of the play is entered."""
IN_PARTS = cost_of(0.005)
"""That more of a hand follows: 2, then 4, then one for nobs."""
AWARD_AS_SCORE = cost_of(0.001)
"""That an opponent pegs what was missed as a plain score."""
LATE = cost_of(0.001)
"""That somebody pegs a card or a go after the count of hands has begun."""
SAID_LATE = cost_of(0.1)
"""That it is said that hands are counted when one of them already was."""
DEAL_LATE = cost_of(0.02)
"""That it is said that a new deal has begun, and whose, when something of it has been pegged."""
BY_PARTNER = cost_of(0.05)
"""That a hand or crib is entered for the other seat of its lane."""
NO_THIRTY_ONE = cost_of(0.2)
"""That somebody says play of a thirty-one."""
MISCOUNTED = 0.02
"""That an amount is wrong by two."""
ONE_CARD = frozenset({*range(1, 10), *range(12, 16)})
"""What one card can peg."""
UNTOLD = cost_of(0.05)
"""That somebody who tells reasons tells none of heels."""
UNHEARD = 400
"""That an entry of the play comes where none like it was learned."""
UNHEARD_OF = 800
"""That it is one that was learned nowhere."""
LOST = cost_of(1e-5)
"""That the entry belongs anywhere: whatever was before tells nothing."""
GUESSED = cost_of(0.1)
"""That a reason which a page has guessed is wrong."""
MOST_KEPT = 150
"""Entries whose ways on are remembered; a game has some sixty different ones."""
THREE = 3
UNLIKELY = 1100
"""Moves that cost more are left to what belongs anywhere."""


class Move(NamedTuple):
    """What an entry can be.

    Attributes:
        place: where the deal stands after it.
        deals: how many deals further that is, 0 or 1.
        cost: of the move and of the entry.
        what: one of `HEELS`, `PLAY` ...
    """

    place: Place
    deals: int
    cost: Cost
    what: int


class Seen(NamedTuple):
    """An entry as it is seen from the dealer.

    Attributes:
        lane: counted from the dealer's.
        seat: counted from the dealer; None where only the lane is known.
        points: how many.
        why: the reason that was said, if one was.
        guessed: whether a page has only guessed it.
        says: whether whoever pegs here has told reasons in this game, and so would tell of heels.
    """

    lane: int
    seat: int | None
    points: int
    why: str | None = None
    guessed: bool = False
    says: bool = False


class Model:
    """The places of a deal and the moves between them, for one way to deal.

    Attributes:
        seats: players.
        lanes: rows of holes.
        names: for each place what it is: "dealt", "heels", "play", "show", or "counted" where hands were.
        counted: for each place the hands counted, the crib the last; -1 before the show.
        places: how many there are.
    """

    def __init__(self, text: str, seats: int, lanes: int) -> None:
        self.seats, self.lanes = seats, lanes
        rows = [line.split(" ") for line in text.splitlines()]
        play = [(tuple(map(int, head)), body) for head, body in rows if head != "show"]
        self._shows = [_spread(body) for head, body in rows if head == "show"]
        named: list[object] = ["dealt", "heels", *(key for key, _ in play if key[0]), "show"]
        self.show = len(named) - 1
        self.crib = self.show + seats + 1
        self.places = self.crib + 1
        self._number = {name: place for place, name in enumerate(named)}
        self._rows = {self._number.get(key, 0): tuple(_entries(body)) for key, body in play}
        self._rows[1] = self._rows[0]
        self._tells = {self._number.get(key, 0): key for key, _ in play} | {1: (0, 0, NOBODY)}
        self._any = _together(self._rows)
        self._links: dict[tuple[Any, ...], Links] = {}
        self._ahead: dict[Place, tuple[tuple[Place, int, Cost], ...]] = {}

    def state(self, dealer: int, place: Place) -> State:
        """The state of a place under a dealer, who may be counted on beyond the last seat."""
        return dealer % self.seats * self.places + place

    def in_play(self, place: Place) -> bool:
        """Whether cards are still laid in this place, as far as is known."""
        return place < self.show

    def in_show(self, place: Place) -> bool:
        """Whether hands or the crib are due in this place."""
        return self.show <= place < self.crib

    # --- what an entry can be ---

    def links(self, lane: int, seat: int | None, points: int, why: str | None, guessed: bool, says: bool) -> "Links":  # noqa: PLR0917 - one key of a cache
        """What this entry can be from each state; made when it is first asked for."""
        key = lane, seat, points, why, guessed, says
        found = self._links.get(key)
        if found is None:
            if len(self._links) >= MOST_KEPT:
                self._links.clear()
            seen = [self._seen(dealer, *key) for dealer in range(self.seats)]
            found = self._links[key] = Links(self, seen)
        return found

    def _seen(self, dealer: int, lane: int, seat: int | None, *entry: Any) -> Seen:
        """An entry as it is seen from a dealer."""
        known = seat is not None and self.seats != self.lanes
        return Seen(
            (lane - dealer) % self.lanes, (seat - dealer) % self.seats if known and seat is not None else None, *entry
        )

    def moves(self, place: Place, seen: Seen) -> Iterator[Move]:
        """What the entry can be from a place, without what belongs anywhere."""
        return self._best(self._all_moves(place, seen), seen)

    def lost(self, seen: Seen) -> Iterator[Move]:
        """What the entry can be where all before tells nothing; there is always something."""
        found = [Move(m.place, m.deals, m.cost + LOST, m.what) for m in self._anywhere(seen)]
        return self._best(found, seen, UNLIKELY + LOST + RARE)

    def _best(self, moves: Iterable[Move], seen: Seen, most: Cost = UNLIKELY) -> Iterator[Move]:
        """The cheapest of the moves to each place, of those that the reason allows."""
        best: dict[tuple[Place, int, int], Cost] = {}
        for place, deals, cost, what in moves:
            said = seen.why is None or what in SAID.get(seen.why, ())
            if not said and not seen.guessed:
                continue
            cost += self._unlike(seen, what) if said else GUESSED  # noqa: PLW2901 - the odds of what was said
            key = place, deals, what
            if cost <= most and cost < best.get(key, most + 1):
                best[key] = cost
        for (place, deals, what), cost in best.items():
            yield Move(place, deals, cost, what)

    def _unlike(self, seen: Seen, what: int) -> Cost:
        """What it costs that a thirty-one was said to be play."""
        return NO_THIRTY_ONE if seen.why == "play" and what == ENDED and not seen.guessed else 0

    def _all_moves(self, place: Place, seen: Seen) -> Iterator[Move]:
        for reached, deals, ahead in self.ahead(place):
            for move in self._entered(reached, seen if not deals else self._next_dealer(seen)):
                yield Move(move.place, deals, ahead + move.cost, move.what)

    def _next_dealer(self, seen: Seen) -> Seen:
        """The same entry as seen from the next dealer."""
        seat = None if seen.seat is None else (seen.seat - 1) % self.seats
        return seen._replace(lane=(seen.lane - 1) % self.lanes, seat=seat)

    def _entered(self, place: Place, seen: Seen) -> Iterator[Move]:
        """What the entry can be if it is the next after this place."""
        if place < self.show:
            yield from self._in_play(place, seen)
        elif place < self.crib:
            yield from self._counted(place + 1, seen)
        if place >= self.show:
            yield from self._between(place, seen)

    def _in_play(self, place: Place, seen: Seen) -> Iterator[Move]:
        if place == 0 and seen.points == 2 and seen.lane == 0 and seen.seat in (None, 0):  # noqa: PLR2004 - two for his heels
            yield Move(1, 0, HEELS_TURNED + self._untold(seen), HEELS)
        none = NO_HEELS if place == 0 else 0
        for (lane, points, flags), cost in self._rows[place]:
            if (lane, points) == (seen.lane, seen.points):
                what = ENDED if flags & 1 else PLAY
                yield Move(self._after(place, lane, flags), 0, none + cost, what)
        unheard = min(UNHEARD + self._any.get((seen.lane, seen.points), RARE), UNHEARD_OF)
        for flags in (0, 1) if seen.points in ONE_CARD else ():
            yield Move(self._after(place, seen.lane, flags), 0, none + unheard, ENDED if flags else PLAY)

    def _untold(self, seen: Seen) -> Cost:
        return UNTOLD if seen.says and seen.why is None else 0

    def _after(self, place: Place, lane: int, flags: int) -> Place:
        """Where the play stands after one more entry."""
        if flags & 2:
            return self.show
        entries, counts, _ = self._tells[place]
        key = min(entries + 1, MOST_ENTRIES), min(counts + (flags & 1), MOST_COUNTS), lane
        return self._number.get(key, place)

    def _counted(self, place: Place, seen: Seen) -> Iterator[Move]:
        """A hand or the crib, whole."""
        theirs = self._belongs(place, seen)
        if theirs is not None:
            what = CRIB if place == self.crib else HAND
            yield Move(place, 0, theirs + self._show_cost(place, seen.points), what)

    def _show_cost(self, place: Place, points: int) -> Cost:
        cost = self._shows[place - self.show - 1][points]
        return cost if points else cost + cost_of(ZERO_ENTERED)

    def _belongs(self, place: Place, seen: Seen) -> Cost | None:
        """What it costs that the hand or crib of this place is that of the entry; None where it cannot be."""
        seat = 0 if place == self.crib else (place - self.show) % self.seats
        if seat % self.lanes != seen.lane:
            return None
        return 0 if seen.seat in (None, seat) else BY_PARTNER

    def _between(self, place: Place, seen: Seen) -> Iterator[Move]:
        """What does not move the deal on: the rest of a hand, a card pegged late, an award pegged as a score."""
        for counted in range(self.show + 1, place + 1) if seen.points else ():
            for _, _, cost, what in self._counted(counted, seen):
                yield Move(place, 0, IN_PARTS + cost, what)
        cost = self._any.get((seen.lane, seen.points), RARE)
        if seen.points in ONE_CARD:
            yield Move(place, 0, LATE + cost, PLAY)
            yield Move(place, 0, LATE + cost, ENDED)
        if place > self.show and self._belongs(place, seen) is None and seen.points:
            yield Move(place, 0, AWARD_AS_SCORE + cost, OTHER)

    def _anywhere(self, seen: Seen) -> Iterator[Move]:
        if seen.lane == 0 and seen.seat in (None, 0):
            yield Move(1, 0, HEELS_TURNED if seen.points == 2 else RARE, HEELS)  # noqa: PLR2004
        middle = self.middle(seen.lane)
        yield Move(middle, 0, self._any.get((seen.lane, seen.points), RARE), ENDED if seen.points == 1 else PLAY)
        if seen.points != 1:
            yield Move(middle, 0, self._any.get((seen.lane, seen.points), RARE), ENDED)
        for place in range(self.show + 1, self.crib + 1):
            yield from self._counted(place, seen)

    @cache  # noqa: B019 - models live as long as the program
    def middle(self, lane: int) -> Place:
        """Somewhere in the play, a lane having pegged last, counted from the dealer's."""
        return next(self._number[2, counts, lane] for counts in (1, 0, 2) if (2, counts, lane) in self._number)

    # --- what is left out ---

    def ahead(self, place: Place) -> tuple[tuple[Place, int, Cost], ...]:
        """Where the deal can stand before the next entry, zeros and forgotten ones left out: place, deals, cost."""
        if place not in self._ahead:
            self._ahead[place] = tuple(self._left_out(place))
        return self._ahead[place]

    def _left_out(self, place: Place) -> Iterator[tuple[Place, int, Cost]]:
        best: dict[tuple[Place, int], Cost] = {(place, 0): 0}
        todo = [(place, 0)]
        while todo:
            at = todo.pop()
            for reached, deals, cost in self._skips(*at):
                key, total = (reached, deals), best[at] + cost
                if total < best.get(key, UNLIKELY):
                    best[key] = total
                    todo.append(key)
        yield from ((reached, deals, cost) for (reached, deals), cost in best.items())

    def _skips(self, place: Place, deals: int) -> Iterator[tuple[Place, int, Cost]]:
        """One entry left out."""
        if place < self.show:
            missing: dict[Place, float] = {}
            for (lane, _, flags), cost in self._rows[place]:
                reached = self._after(place, lane, flags)
                missing[reached] = missing.get(reached, 0) + FORGOTTEN * math.exp(-cost / UNIT)
            yield from ((reached, deals, cost_of(odds)) for reached, odds in missing.items() if reached != place)
            if place <= 1:
                yield self.show, deals, UNPLAYED
        elif place < self.crib:
            zero = math.exp(-self._shows[place - self.show][0] / UNIT)
            yield place + 1, deals, cost_of(zero * ZERO_LEFT_OUT + FORGOTTEN)
        else:
            yield 0, deals + 1, 0


class Link(NamedTuple):
    """A way from one state to another.

    Attributes:
        state: the state that it leads to.
        cost: of it, less than `LEAST`.
        what: what the entry is then.
    """

    state: State
    cost: Cost
    what: int


class Links(dict[State, tuple[Link, ...]]):
    """For each state that it was asked for, the ways on with one entry.

    Attributes:
        lost: the ways that lead from anywhere.
        lost_least: the cost of the cheapest of them.
    """

    def __init__(self, model: Model, seen: Sequence[Seen]) -> None:
        super().__init__()
        self._model, self._seen = model, seen
        self.lost = tuple([link for dealer, each in enumerate(seen) for link in self._from(dealer, model.lost(each))])
        self.lost_least = min(link.cost for link in self.lost)

    def __missing__(self, state: State) -> tuple[Link, ...]:
        dealer, place = divmod(state, self._model.places)
        self[state] = tuple(self._from(dealer, self._model.moves(place, self._seen[dealer])))
        return self[state]

    def _from(self, dealer: int, moves: Iterable[Move]) -> Iterator[Link]:
        for place, deals, cost, what in moves:
            yield Link(self._model.state(dealer + deals, place), SHARED[cost], what)


def _entries(body: str) -> Iterator[tuple[tuple[int, int, int], Cost]]:
    """The entries of a line of the table: lane, points, flags, and their cost."""
    for at in range(0, len(body), 5):
        lane, points, flags = body[at], body[at + 1], body[at + 2]
        yield (int(lane), int(points, BASE), int(flags)), int(body[at + 3 : at + 5], BASE)


def _spread(body: str) -> list[Cost]:
    """The costs of a hand's points, with those that are wrong by two."""
    told = [int(body[at : at + 2], BASE) for at in range(0, len(body), 2)]
    odds = [math.exp(-cost / UNIT) if cost < RARE else 0.0 for cost in told]
    return [_miscounted(odds, points) for points in range(len(odds))]


def _miscounted(odds: list[float], points: int) -> Cost:
    near = [odds[other] for other in (points - 2, points + 2) if 0 <= other < len(odds)]
    mixed = (1 - MISCOUNTED) * odds[points] + MISCOUNTED / 2 * sum(near)
    return min(RARE, cost_of(mixed)) if mixed else RARE


def _together(rows: Mapping[Place, tuple[tuple[tuple[int, int, int], Cost], ...]]) -> dict[tuple[int, int], Cost]:
    """The costs of lanes and points anywhere in the play."""
    odds: dict[tuple[int, int], float] = {}
    for row in rows.values():
        for (lane, points, _), cost in row:
            odds[lane, points] = odds.get((lane, points), 0) + math.exp(-cost / UNIT) / len(rows)
    return {key: cost_of(odd) for key, odd in odds.items()}


def model_of(rules: Rules) -> Model:
    """The model for these rules, made when it is first asked for; there is one for each way to deal."""
    if rules.lanes != rules.seats:
        return _model("partners", rules.seats, rules.lanes)
    if rules.seats == THREE:
        return _model("three", rules.seats, rules.lanes)
    return _model("five-card" if rules.variant == "five-card" else "two", rules.seats, rules.lanes)


@cache
def _model(name: str, seats: int, lanes: int) -> Model:
    return Model(TABLES[name], seats, lanes)
