"""A hidden Markov model of a deal: its places, and what the next entry can be from each of them, and how likely.

Hidden states are places in a deal: the cards dealt, heels pegged, so many entries of the play with so many counts
ended, the play over, so many hands counted, the crib counted. What is seen is an entry: a lane, points, and a reason
where one was said. How likely each is was learned from dealt games (`learned_tables`); how likely people forget,
miscount, or peg a hand in parts stands in `costs`.
"""

import math
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from pegboard.core.course.costs import (
    AWARD_AS_SCORE,
    BY_PARTNER,
    FORGOTTEN,
    GUESSED,
    HEELS_TURNED,
    IN_PARTS,
    LATE,
    LOST,
    NO_HEELS,
    NO_THIRTY_ONE,
    RARE,
    UNHEARD,
    UNHEARD_OF,
    UNIT,
    UNLIKELY,
    UNPLAYED,
    UNTOLD,
    ZERO_ENTERED,
    ZERO_LEFT_OUT,
    Cost,
    cost_of,
    costs_anywhere,
    play_entries,
    show_costs,
)
from pegboard.core.course.learned_tables import TABLES
from pegboard.core.course.links import CRIB, ENDED, HAND, HEELS, OTHER, PLAY, Links, Move, Place, Seen, State
from pegboard.core.moves import Reason
from pegboard.core.rules import Rules

MOST_ENTRIES, MOST_COUNTS = 8, 4
"""Numbers of entries of the play, and of ended counts, that are distinguished; the last stands for all beyond."""

NOBODY = 9
"""Stands for the lane that pegged last if nobody has pegged."""

SAID = {
    Reason.HEELS: {HEELS},
    Reason.PLAY: {PLAY, ENDED},
    Reason.GO: {ENDED},
    Reason.THIRTY_ONE: {ENDED},
    Reason.HAND: {HAND},
    Reason.CRIB: {CRIB},
}
"""What an entry can be for whose reason was said."""

MOST_KEPT = 150
"""Entries whose links are cached; a game has some sixty different ones."""

ONE_CARD = frozenset({*range(1, 10), *range(12, 16)})
"""Points that one card can peg."""

THREE = 3


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
        self._shows = [show_costs(body) for head, body in rows if head == "show"]
        named: list[object] = ["dealt", "heels", *(key for key, _ in play if key[0]), "show"]
        self.show = len(named) - 1
        self.crib = self.show + seats + 1
        self.places = self.crib + 1
        self._number = {name: place for place, name in enumerate(named)}
        self._rows = {self._number.get(key, 0): tuple(play_entries(body)) for key, body in play}
        self._rows[1] = self._rows[0]
        self._tells = {self._number.get(key, 0): key for key, _ in play} | {1: (0, 0, NOBODY)}
        self._any = costs_anywhere(self._rows.values())
        self._links: dict[tuple[Any, ...], Links] = {}
        self._ahead: dict[Place, tuple[tuple[Place, int, Cost], ...]] = {}

    def state(self, dealer: int, place: Place) -> State:
        """The state of a place and a dealer, taken modulo the seats."""
        return dealer % self.seats * self.places + place

    def in_play(self, place: Place) -> bool:
        """Whether cards are still laid in this place, as far as is known."""
        return place < self.show

    def in_show(self, place: Place) -> bool:
        """Whether hands or the crib are due in this place."""
        return self.show <= place < self.crib

    # --- what an entry can be ---

    def links(self, lane: int, seat: int | None, points: int, why: Reason | None, guessed: bool, says: bool) -> "Links":  # noqa: PLR0917 - one key of a cache
        """The links of an entry; computed once, on first use."""
        key = lane, seat, points, why, guessed, says
        found = self._links.get(key)
        if found is None:
            if len(self._links) >= MOST_KEPT:
                self._links.clear()
            found = self._links[key] = Links(self, [self._see(dealer, *key) for dealer in range(self.seats)])
        return found

    def _see(self, dealer: int, lane: int, seat: int | None, *entry: Any) -> Seen:
        """An entry as it is seen from a dealer."""
        known = seat is not None and self.seats != self.lanes
        return Seen(
            (lane - dealer) % self.lanes, (seat - dealer) % self.seats if known and seat is not None else None, *entry
        )

    def moves(self, place: Place, seen: Seen) -> Iterator[Move]:
        """The moves with the entry from a place, without those from anywhere."""
        return self._best(self._all_moves(place, seen), seen)

    def lost_moves(self, seen: Seen) -> Iterator[Move]:
        """The moves with the entry from anywhere; there is always one."""
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
        """The cost of a thirty-one that was entered as play."""
        return NO_THIRTY_ONE if seen.why == Reason.PLAY and what == ENDED and not seen.guessed else 0

    def _all_moves(self, place: Place, seen: Seen) -> Iterator[Move]:
        for reached, deals, ahead in self.ahead(place):
            for move in self._entry_moves(reached, seen if not deals else self._next_dealer(seen)):
                yield Move(move.place, deals, ahead + move.cost, move.what)

    def _next_dealer(self, seen: Seen) -> Seen:
        """The same entry as seen from the next dealer."""
        seat = None if seen.seat is None else (seen.seat - 1) % self.seats
        return seen._replace(lane=(seen.lane - 1) % self.lanes, seat=seat)

    def _entry_moves(self, place: Place, seen: Seen) -> Iterator[Move]:
        """The moves with the entry if it is the next one after this place."""
        if place < self.show:
            yield from self._in_play(place, seen)
        elif place < self.crib:
            yield from self._count_moves(place + 1, seen)
        if place >= self.show:
            yield from self._between(place, seen)

    def _in_play(self, place: Place, seen: Seen) -> Iterator[Move]:
        if place == 0 and seen.points == 2 and seen.lane == 0 and seen.seat in (None, 0):  # noqa: PLR2004 - two for his heels
            yield Move(1, 0, HEELS_TURNED + (UNTOLD if seen.says and seen.why is None else 0), HEELS)
        none = NO_HEELS if place == 0 else 0
        for (lane, points, flags), cost in self._rows[place]:
            if (lane, points) == (seen.lane, seen.points):
                yield Move(self._after(place, lane, flags), 0, none + cost, ENDED if flags & 1 else PLAY)
        unheard = min(UNHEARD + self._any.get((seen.lane, seen.points), RARE), UNHEARD_OF)
        for flags in (0, 1) if seen.points in ONE_CARD else ():
            yield Move(self._after(place, seen.lane, flags), 0, none + unheard, ENDED if flags else PLAY)

    def _after(self, place: Place, lane: int, flags: int) -> Place:
        """Where the play stands after one more entry."""
        if flags & 2:
            return self.show
        entries, counts, _ = self._tells[place]
        key = min(entries + 1, MOST_ENTRIES), min(counts + (flags & 1), MOST_COUNTS), lane
        return self._number.get(key, place)

    def _count_moves(self, place: Place, seen: Seen) -> Iterator[Move]:
        """A hand or the crib, whole."""
        theirs = self._belongs(place, seen)
        if theirs is not None:
            what = CRIB if place == self.crib else HAND
            yield Move(place, 0, theirs + self._show_cost(place, seen.points), what)

    def _show_cost(self, place: Place, points: int) -> Cost:
        cost = self._shows[place - self.show - 1][points]
        return cost if points else cost + cost_of(ZERO_ENTERED)

    def _belongs(self, place: Place, seen: Seen) -> Cost | None:
        """The cost of the entry being the hand or crib of this place; None where it cannot be."""
        seat = 0 if place == self.crib else (place - self.show) % self.seats
        if seat % self.lanes != seen.lane:
            return None
        return 0 if seen.seat in (None, seat) else BY_PARTNER

    def _between(self, place: Place, seen: Seen) -> Iterator[Move]:
        """Moves that leave the deal where it is: the rest of a hand, a late card, an award pegged as a score."""
        for counted in range(self.show + 1, place + 1) if seen.points else ():
            for _, _, cost, what in self._count_moves(counted, seen):
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
            yield from self._count_moves(place, seen)

    @cache  # noqa: B019 - models live as long as the program
    def middle(self, lane: int) -> Place:
        """A place in the middle of the play, where a lane, counted from the dealer's, has pegged last."""
        return next(self._number[2, counts, lane] for counts in (1, 0, 2) if (2, counts, lane) in self._number)

    # --- entries left out ---

    def ahead(self, place: Place) -> tuple[tuple[Place, int, Cost], ...]:
        """Places that can be reached by leaving out zeros and forgotten entries, with deals and cost."""
        if place not in self._ahead:
            self._ahead[place] = tuple(self._skip_entries(place))
        return self._ahead[place]

    def _skip_entries(self, place: Place) -> Iterator[tuple[Place, int, Cost]]:
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


def model_of(rules: Rules) -> Model:
    """The model for these rules, made on first use; there is one for each way to deal."""
    if rules.lanes != rules.seats:
        return _model("partners", rules.seats, rules.lanes)
    if rules.seats == THREE:
        return _model("three", rules.seats, rules.lanes)
    return _model("five-card" if rules.variant == "five-card" else "two", rules.seats, rules.lanes)


@cache
def _model(name: str, seats: int, lanes: int) -> Model:
    return Model(TABLES[name], seats, lanes)
