"""Hidden Markov model of a deal: its states, and the probability of each next entry.

Hidden states are places in a deal: cards dealt, heels pegged, a number of counts of the play ended and of entries
since, play over, a number of hands counted, crib counted. Observations are entries: a lane, points, and a reason if
one was given. Probabilities were learned from simulated games (`learned_tables`); those of forgetting, miscounting or
pegging a hand in parts are in `course_costs`.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeAlias

from pegboard.core.course_costs import (
    AWARD_AS_SCORE,
    AWARD_POINTS,
    BY_PARTNER,
    CRIB_FIRST,
    FORGOTTEN,
    GO_FORGOTTEN,
    GUESSED,
    HAND_FIRST,
    HEELS_TURNED,
    IN_PARTS,
    LATE,
    LOST,
    LUMPED,
    MUGGINS,
    NO_HEELS,
    NO_THIRTY_ONE,
    RARE,
    SHARED,
    UNHEARD,
    UNIT,
    UNLIKELY,
    UNPLAYED,
    UNSEEN_ANYWHERE,
    UNTOLD,
    ZERO_ENTERED,
    ZERO_LEFT_OUT,
    Cost,
    cost_of,
    costs_anywhere,
    play_entries,
    show_costs,
)
from pegboard.core.learned_tables import TABLES
from pegboard.core.moves import Reason
from pegboard.core.rules import MOST_AT_ONCE, Rules

# --- transitions: moves between places in a deal, and links between states ---


Place: TypeAlias = int
"""A place in a deal, by its number in a model."""

PlayKey: TypeAlias = tuple[int, int, int, int]
"""A place in the play: counts ended, lane that pegged last, entries since a count ended, points of the last entry."""

State: TypeAlias = int
"""A dealer and a place in the deal: dealer * places + place."""

HEELS, PLAY, ENDED, HAND, CRIB, OTHER = range(6)
"""Kinds of entries; ENDED is a card or go that ends a count of the play, OTHER an award pegged as a score."""


class Move(NamedTuple):
    """One interpretation of an entry.

    Attributes:
        place: the place in the deal after it.
        deals: how many deals ahead that place is, 0 or 1.
        cost: combined cost of the transition and the entry.
        what: kind of entry: `HEELS`, `PLAY` ...
    """

    place: Place
    deals: int
    cost: Cost
    what: int


class Habits(NamedTuple):
    """Habits that the players of a sheet have shown and are likely to keep.

    Attributes:
        says: whether the players of the entry's lane have given reasons, and so would give one for heels.
        crib_first: seats whose players were said to count the crib before the hand.
    """

    says: bool = False
    crib_first: frozenset[int] = frozenset()


UNKNOWN = Habits()
"""Habits on an empty sheet."""


class Seen(NamedTuple):
    """An entry as seen from the dealer.

    Attributes:
        lane: the lane, counted from the dealer's.
        seat: the seat, counted from the dealer; None if only the lane is known.
        points: number of points.
        why: the reason, if any.
        guessed: whether the reason is only a page's guess.
        habits: the players' habits, with seats counted from the dealer.
    """

    lane: int
    seat: int | None
    points: int
    why: Reason | None = None
    guessed: bool = False
    habits: Habits = UNKNOWN

    @property
    def said_reason(self) -> Reason | None:
        """The reason, if a player stated it."""
        return None if self.guessed else self.why


class Link(NamedTuple):
    """A transition from one state to another.

    Attributes:
        state: the target state.
        cost: the cost of the transition, less than `LEAST`.
        what: the kind of entry that the transition implies.
    """

    state: State
    cost: Cost
    what: int


class Links(dict[State, tuple[Link, ...]]):
    """The links that one entry opens from each state, computed on first use.

    Attributes:
        lost: the links that are possible from any state.
        lost_least: the cost of the cheapest of them.
    """

    def __init__(self, model: "Model", seen: Sequence[Seen]) -> None:
        super().__init__()
        self._model, self._seen = model, seen
        self.lost = tuple(
            [link for dealer, each in enumerate(seen) for link in self._from(dealer, model.lost_moves(each))]
        )
        self.lost_least = min(link.cost for link in self.lost)

    def __missing__(self, state: State) -> tuple[Link, ...]:
        dealer, place = divmod(state, self._model.places)
        self[state] = tuple(self._from(dealer, self._model.moves(place, self._seen[dealer])))
        return self[state]

    def _from(self, dealer: int, moves: Iterable[Move]) -> Iterator[Link]:
        for place, deals, cost, what in moves:
            yield Link(self._model.state(dealer + deals, place), SHARED[cost], what)


MOST_COUNTS, MOST_SINCE, MOST_POINTS = 3, 2, 3
"""Caps on the numbers of ended counts, of entries since, and of points of the last entry; each cap also stands for all
higher numbers."""

NOBODY = 9
"""Placeholder for the lane that pegged last if nobody has pegged."""

BEGUN = (0, NOBODY, 0, 0)
"""The place in the play before its first entry."""


def play_key(head: str) -> PlayKey:
    """Parse a place in the play from its four digits in the table."""
    counts, lane, since, points = map(int, head)
    return counts, lane, since, points


def after_entry(key: PlayKey, lane: int, points: int, *, ends: bool) -> PlayKey:
    """The place in the play after one more entry."""
    counts, _, since, _ = key
    return min(counts + ends, MOST_COUNTS), lane, 0 if ends else min(since + 1, MOST_SINCE), min(points, MOST_POINTS)


SAID = {
    Reason.HEELS: {HEELS},
    Reason.PLAY: {PLAY, ENDED},
    Reason.GO: {ENDED},
    Reason.THIRTY_ONE: {ENDED},
    Reason.HAND: {HAND},
    Reason.CRIB: {CRIB},
}
"""The kinds of entry that each stated reason allows."""

MOST_KEPT = 250
"""Cache size: entries whose links are kept; a game has about a hundred different ones."""

ONE_CARD = frozenset({*range(1, 10), *range(12, 16)})
"""Points that one card can score."""

TABLE_OF = {
    (1, 1): "two",
    (2, 1): "partners",
    (2, 2): "two",
    (3, 3): "three",
    (4, 2): "partners",
    (4, 4): "four",
    (6, 3): "six",
}
"""The learned table by numbers of players and lanes."""


class Model:
    """The places of a deal and the moves between them, for one way of dealing.

    Attributes:
        seats: number of players.
        lanes: number of rows of holes.
        show: the place at the start of the show; `show` + n is the place after n hands.
        crib: the place after the crib.
        due: the place at which the dealer's hand is due after the crib.
        places: number of places.
    """

    def __init__(self, text: str, seats: int, lanes: int, *, muggins: bool = False) -> None:
        self.seats, self.lanes = seats, lanes
        self._award = MUGGINS if muggins else AWARD_AS_SCORE
        rows = [line.split(" ") for line in text.splitlines()]
        play = [(play_key(head), body) for head, body in rows if head != "show"]
        self._shows = [show_costs(body) for head, body in rows if head == "show"]
        named: list[object] = ["dealt", "heels", *(key for key, _ in play if key != BEGUN), "show"]
        self.show = len(named) - 1
        self.crib = self.show + seats + 1
        self.due = self.crib + 1
        self.places = self.crib + 2
        self._number = {name: place for place, name in enumerate(named)}
        self._rows = {self._number.get(key, 0): tuple(play_entries(body)) for key, body in play}
        self._rows[1] = self._rows[0]
        self._tells = {self._number.get(key, 0): key for key, _ in play} | {1: BEGUN}
        self._any = costs_anywhere(self._rows.values())
        self._sums: dict[Place, dict[tuple[int, int], list[tuple[Place, Cost, bool]]]] = {}
        self._links: dict[tuple[Any, ...], Links] = {}
        self._ahead: dict[tuple[Place, bool], tuple[tuple[Place, int, Cost], ...]] = {}

    def state(self, dealer: int, place: Place) -> State:
        """The state of a place and a dealer (modulo the seats)."""
        return dealer % self.seats * self.places + place

    def in_play(self, place: Place) -> bool:
        """Whether cards may still be played at this place."""
        return place < self.show

    def in_show(self, place: Place) -> bool:
        """Whether hands or the crib are due at this place."""
        return self.show <= place and place != self.crib

    # --- interpretations of an entry ---

    def links(  # noqa: PLR0917 - one key of a cache
        self, lane: int, seat: int | None, points: int, why: Reason | None, guessed: bool, habits: Habits = UNKNOWN
    ) -> "Links":
        """The links of an entry, cached."""
        key = lane, seat, points, why, guessed, habits
        found = self._links.get(key)
        if found is None:
            if len(self._links) >= MOST_KEPT:
                self._links.clear()
            found = self._links[key] = Links(self, [self._see(dealer, *key) for dealer in range(self.seats)])
        return found

    def _see(self, dealer: int, lane: int, seat: int | None, *entry: Any) -> Seen:
        """An entry as seen from a dealer."""
        *told, habits = entry
        known = seat is not None and self.seats != self.lanes
        seen = Seen(
            (lane - dealer) % self.lanes, (seat - dealer) % self.seats if known and seat is not None else None, *told
        )
        return seen._replace(habits=self._habits_from(habits, dealer))

    def _habits_from(self, habits: Habits, dealer: int) -> Habits:
        """The same habits with seats counted from a dealer."""
        return habits._replace(crib_first=frozenset((seat - dealer) % self.seats for seat in habits.crib_first))

    def moves(self, place: Place, seen: Seen) -> Iterator[Move]:
        """The moves that the entry allows from a place, except those possible from anywhere."""
        return self._best(self._all_moves(place, seen), seen)

    def lost_moves(self, seen: Seen) -> Iterator[Move]:
        """The moves that the entry allows from anywhere; there is always at least one."""
        found = [Move(m.place, m.deals, m.cost + LOST, m.what) for m in self._anywhere(seen)]
        return self._best(found, seen, UNLIKELY + LOST + RARE)

    def _best(self, moves: Iterable[Move], seen: Seen, most: Cost = UNLIKELY) -> Iterator[Move]:
        """The cheapest move to each place, among those that the stated reason allows."""
        best: dict[tuple[Place, int, int], Cost] = {}
        for place, deals, cost, what in moves:
            fits = seen.why is None or what in SAID.get(seen.why, ())
            if not fits and not seen.guessed:
                continue
            cost += self._unlike(seen, what) if fits else GUESSED  # noqa: PLW2901 - with the cost of the stated reason
            key = place, deals, what
            if cost <= most and cost < best.get(key, most + 1):
                best[key] = cost
        for (place, deals, what), cost in best.items():
            yield Move(place, deals, cost, what)

    def _unlike(self, seen: Seen, what: int) -> Cost:
        """The cost of a thirty-one that was entered as play."""
        return NO_THIRTY_ONE if seen.said_reason == Reason.PLAY and what == ENDED else 0

    def _all_moves(self, place: Place, seen: Seen) -> Iterator[Move]:
        for reached, deals, ahead in self.ahead(place, seen.habits):
            for move in self._entry_moves(reached, seen if not deals else self._next_dealer(seen)):
                yield Move(move.place, deals, ahead + move.cost, move.what)

    def _next_dealer(self, seen: Seen) -> Seen:
        """The same entry as seen from the next dealer."""
        seat = None if seen.seat is None else (seen.seat - 1) % self.seats
        return seen._replace(lane=(seen.lane - 1) % self.lanes, seat=seat, habits=self._habits_from(seen.habits, 1))

    def _entry_moves(self, place: Place, seen: Seen) -> Iterator[Move]:
        """The moves with the entry if it comes directly after this place."""
        if place < self.show:
            yield from self._in_play(place, seen)
        else:
            for counted, reached, cost in self._next_counts(place, seen.habits, seen.said_reason):
                for move in self._count_moves(counted, seen):
                    yield move._replace(place=reached, cost=move.cost + cost)
            yield from self._between(place, seen)

    def _in_play(self, place: Place, seen: Seen) -> Iterator[Move]:
        if place == 0 and seen.points == 2 and seen.lane == 0 and seen.seat in (None, 0):  # noqa: PLR2004 - two for his heels
            yield Move(1, 0, HEELS_TURNED + (UNTOLD if seen.habits.says and seen.why is None else 0), HEELS)
        none = NO_HEELS if place == 0 else 0
        for reached, cost, ends in self._entries(place).get((seen.lane, seen.points), ()):
            yield Move(reached, 0, none + cost, ENDED if ends else PLAY)
        unheard = min(UNHEARD + self._any.get((seen.lane, seen.points), RARE), UNSEEN_ANYWHERE)
        for flags in (0, 1) if seen.points in ONE_CARD else ():
            yield Move(self._after(place, seen.lane, seen.points, flags), 0, none + unheard, ENDED if flags else PLAY)

    def _entries(self, place: Place) -> dict[tuple[int, int], list[tuple[Place, Cost, bool]]]:
        """By lane and points, the possible next entries in the play: one score, or two of one player as their sum."""
        if place not in self._sums:
            found: dict[tuple[int, int], list[tuple[Place, Cost, bool]]] = {}
            for (lane, points, flags), cost in self._rows[place]:
                reached = self._after(place, lane, points, flags)
                found.setdefault((lane, points), []).append((reached, cost, bool(flags & 1)))
                for other, more, at, at_cost, ends in self._seconds(reached):
                    if other == lane and points + more <= MOST_AT_ONCE:
                        found.setdefault((lane, points + more), []).append((at, cost + at_cost + LUMPED, ends))
            self._sums[place] = found
        return self._sums[place]

    def _seconds(self, place: Place) -> Iterator[tuple[int, int, Place, Cost, bool]]:
        """Scores to add to the previous score: lane, points, place after it, cost, whether it ends a count."""
        for (lane, points, flags), cost in self._rows.get(place, ()):
            yield lane, points, self._after(place, lane, points, flags), cost, bool(flags & 1)
        if place == self.show:
            for points, cost in enumerate(self._shows[0]):
                if points:
                    yield 1 % self.lanes, points, place + 1, cost, True

    def _after(self, place: Place, lane: int, points: int, flags: int) -> Place:
        """The place in the play, or the show, after one more entry."""
        if flags & 2:
            return self.show
        return self._number.get(after_entry(self._tells[place], lane, points, ends=bool(flags & 1)), place)

    def _next_counts(
        self, place: Place, habits: Habits, why: Reason | None = None
    ) -> Iterator[tuple[Place, Place, Cost]]:
        """Each hand or crib that can be counted next, the place after it, and its cost."""
        if place == self.due:
            yield self.crib - 1, self.crib, 0
        elif place < self.crib:
            dealers, turned = place == self.crib - 2, 0 in habits.crib_first
            yield place + 1, place + 1, HAND_FIRST if dealers and turned else 0
            if dealers:
                yield self.crib, self.due, 0 if turned else CRIB_FIRST[why == Reason.CRIB]

    def _count_moves(self, place: Place, seen: Seen) -> Iterator[Move]:
        """A hand or the crib, entered whole."""
        theirs = self._belongs(place, seen)
        if theirs is not None:
            what = CRIB if place == self.crib else HAND
            yield Move(place, 0, theirs + self._show_cost(place, seen), what)

    def _show_cost(self, place: Place, seen: Seen) -> Cost:
        cost = self._shows[place - self.show - 1][seen.points]
        return cost if seen.points else cost + cost_of(ZERO_ENTERED)

    def _belongs(self, place: Place, seen: Seen) -> Cost | None:
        """The cost of reading the entry as the hand or crib of this place; None if impossible."""
        seat = 0 if place >= self.crib else (place - self.show) % self.seats
        if seat % self.lanes != seen.lane:
            return None
        return 0 if seen.seat in (None, seat) else BY_PARTNER

    def _between(self, place: Place, seen: Seen) -> Iterator[Move]:
        """Moves that leave the deal where it is: the rest of a hand, a late card, an award pegged as a score."""
        for counted in self._hands_before(place) if seen.points else ():
            for _, _, cost, what in self._count_moves(counted, seen):
                yield Move(place, 0, IN_PARTS + cost, what)
        cost = self._any.get((seen.lane, seen.points), RARE)
        if seen.points in ONE_CARD:
            yield Move(place, 0, LATE + cost, PLAY)
            yield Move(place, 0, LATE + cost, ENDED)
        if place > self.show and self._belongs(place, seen) is None and seen.points:
            untold = UNTOLD if seen.habits.says and seen.why is None else 0
            yield Move(place, 0, self._award + untold + AWARD_POINTS.get(seen.points, RARE), OTHER)

    def _hands_before(self, place: Place) -> Iterable[Place]:
        """The hands and the crib that have been counted."""
        if place == self.due:
            return *range(self.show + 1, self.crib - 1), self.crib
        return range(self.show + 1, place + 1)

    def _anywhere(self, seen: Seen) -> Iterator[Move]:
        if seen.lane == 0 and seen.seat in (None, 0):
            yield Move(1, 0, HEELS_TURNED if seen.points == 2 else RARE, HEELS)  # noqa: PLR2004
        middle = self.middle(seen.lane)
        yield Move(middle, 0, self._any.get((seen.lane, seen.points), RARE), ENDED if seen.points == 1 else PLAY)
        if seen.points != 1:
            yield Move(middle, 0, self._any.get((seen.lane, seen.points), RARE), ENDED)
        for place in range(self.show + 1, self.crib + 1):
            yield from self._count_moves(place, seen)

    @cache  # noqa: B019 - models live as long as the program
    def middle(self, lane: int) -> Place:
        """A place in the middle of the play after a lane (counted from the dealer's) has pegged."""
        return next(self._number[key] for key in ((1, lane, 1, 2), (1, lane, 0, 1)) if key in self._number)

    # --- skipped entries ---

    def ahead(self, place: Place, habits: Habits = UNKNOWN) -> tuple[tuple[Place, int, Cost], ...]:
        """Places reachable by skipping zeros and forgotten entries, each with deals ahead and cost."""
        key = place, 0 in habits.crib_first
        if key not in self._ahead:
            self._ahead[key] = tuple(self._skip_entries(place, habits))
        return self._ahead[key]

    def _skip_entries(self, place: Place, habits: Habits) -> Iterator[tuple[Place, int, Cost]]:
        best: dict[tuple[Place, int], Cost] = {(place, 0): 0}
        todo = [(place, 0)]
        while todo:
            at = todo.pop()
            for reached, deals, cost in self._skips(*at, habits):
                key, total = (reached, deals), best[at] + cost
                if total < best.get(key, UNLIKELY):
                    best[key] = total
                    todo.append(key)
        yield from ((reached, deals, cost) for (reached, deals), cost in best.items())

    def _skips(self, place: Place, deals: int, habits: Habits) -> Iterator[tuple[Place, int, Cost]]:
        """The places after skipping one entry."""
        if place < self.show:
            missing: dict[Place, float] = {}
            for (lane, points, flags), cost in self._rows[place]:
                reached = self._after(place, lane, points, flags)
                odds = GO_FORGOTTEN if points == 1 else FORGOTTEN
                missing[reached] = missing.get(reached, 0) + odds * math.exp(-cost / UNIT)
            yield from ((reached, deals, cost_of(odds)) for reached, odds in missing.items() if reached != place)
            if place <= 1:
                yield self.show, deals, UNPLAYED
        elif place == self.crib:
            yield 0, deals + 1, 0
        else:
            for counted, reached, cost in self._next_counts(place, habits):
                zero = math.exp(-self._shows[counted - self.show - 1][0] / UNIT)
                yield reached, deals, cost + cost_of(zero * ZERO_LEFT_OUT + FORGOTTEN)


def model_of(rules: Rules) -> Model:
    """The model for these rules, cached: one for each way of dealing, with and without muggins."""
    name = TABLE_OF[rules.seats, rules.lanes]
    if rules.variant == "five-card":
        name = "five-card"
    return _model(name, rules.seats, rules.lanes, muggins=rules.muggins)


@cache
def _model(name: str, seats: int, lanes: int, *, muggins: bool) -> Model:
    return Model(TABLES[name], seats, lanes, muggins=muggins)
