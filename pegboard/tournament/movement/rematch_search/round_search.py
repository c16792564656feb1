"""Search for rounds with fewer rematches: tabu search over changes of opponents within a round.

A meeting that costs something is chosen; its two players change opponents with another pair of that round, or one of
them changes places with somebody who sits out in it and plays in a round in which he himself sits out. The best change
is made even if it makes things dearer, and what was given up may not come back for some steps (F. Glover, Tabu Search,
1989). It ends where a counting bound is reached, below which no schedule can cost, or after a number of tries that is
fixed: the same field has the same schedule on every machine. Equals are chosen from by a fixed sequence of numbers.
"""

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias, TypeVar

from pegboard.tournament.movement.rematch_search.first_pairing import Pairs
from pegboard.tournament.movement.rematch_search.idle_rounds import IdleRounds
from pegboard.tournament.movement.rematch_search.meetings import COSTS, Meetings

EFFORT = 60_000
"""How many changes are looked at before the best that was found is good enough: a tenth of a second on a PC."""

EFFORT_OF_STEP = 20
"""As many of them take as long as the rest of a step."""

TABU_STEPS, TABU_SPREAD = 6, 8
"""For how many steps a pair may not come back to a round at least, and how far that varies."""

_Thing = TypeVar("_Thing")

Meeting: TypeAlias = tuple[int, int, int]
"""A round, and the two who meet in it."""


class Change(NamedTuple):
    """Meetings that go and come, and what that adds to the cost."""

    gone: tuple[Meeting, ...]
    come: tuple[Meeting, ...]
    cost: int


class RoundSearch:
    """Rounds on their way to better ones.

    Attributes:
        cost: of all meetings in these rounds.
        effort: how many changes were looked at, and steps made.
    """

    def __init__(self, rounds: Sequence[Pairs], meetings: Meetings, idle: IdleRounds) -> None:
        """Begin with rounds whose pairs the meetings know already."""
        self.cost = self.effort = 0
        self._meetings, self._idle = meetings, idle
        self._opponents = [[-1] * len(meetings.met) for _ in rounds]
        self._rounds_of: dict[tuple[int, int], list[int]] = {}
        self._costly: dict[tuple[int, int], None] = {}
        self._tabu: dict[Meeting, int] = {}
        self._step, self._dice = 0, 1
        everything = [_meeting(number, *pair) for number, pairs in enumerate(rounds) for pair in pairs]
        for _, one, other in everything:
            meetings.remove(one, other)
        for meeting in everything:
            self._add(meeting)

    def improve(self, bound: int, effort: int = EFFORT) -> list[Pairs]:
        """The cheapest rounds that are found; the meetings know them then, and `cost` is theirs."""
        best, rounds = self.cost, self.rounds
        while best > bound and self.effort < effort and self._costly:
            self._step += 1
            self.effort += EFFORT_OF_STEP
            change = self._choose(best)
            if change is None:
                continue
            self._make(change)
            if self.cost < best:
                best, rounds = self.cost, self.rounds
        self._take(rounds)
        return rounds

    @property
    def rounds(self) -> list[Pairs]:
        """The pairs of each round, by the lower player."""
        return [[(one, other) for one, other in enumerate(opponents) if one < other] for opponents in self._opponents]

    def _take(self, rounds: Sequence[Pairs]) -> None:
        """Go back to these rounds."""
        for number, pairs in enumerate(self.rounds):
            for one, other in pairs:
                self._remove((number, one, other))
        for number, pairs in enumerate(rounds):
            for one, other in pairs:
                self._add((number, one, other))

    def _choose(self, best: int) -> Change | None:
        """The best change of one costly meeting that may be made; None where there is none."""
        one, other = self._costly_pair()
        number = self._pick(self._rounds_of[one, other])
        chosen = self._change_of_opponents((number, one, other), best)
        for change in self._changes_of_rounds((number, one, other)):
            self.effort += 1
            if (chosen is None or change.cost < chosen.cost) and self._may(change.come, change.cost, best):
                chosen = change
        return chosen

    def _costly_pair(self) -> tuple[int, int]:
        """One of the dearest every other time, else any."""
        pairs = list(self._costly)
        if self._step % 2:
            costs = [self._meetings.cost_of_last(one, other) for one, other in pairs]
            dearest = max(costs)
            pairs = [pair for pair, cost in zip(pairs, costs, strict=True) if cost == dearest]
        return self._pick(pairs)

    def _may(self, come: tuple[Meeting, ...], cost: int, best: int) -> bool:
        """Whether nothing comes back too early, unless it is better than all before."""
        if self.cost + cost < best:
            return True
        return all(self._tabu.get(meeting, 0) < self._step for meeting in come)

    def _change_of_opponents(self, meeting: Meeting, best: int) -> Change | None:
        """The best change with another pair of the round; each comes twice, once from either side, for both ways."""
        number, one, other = meeting
        met, extra, opponents = self._meetings.met, self._meetings.extra, self._opponents[number]
        met_one, met_other, extra_one, extra_other = met[one], met[other], extra[one], extra[other]
        least, chosen = None, None
        for third in self._players_from_any(len(opponents)):
            fourth = opponents[third]
            if fourth < 0 or third in (one, other):
                continue
            self.effort += 1
            cost = COSTS[met_one[third] + 1] + extra_one[third] + COSTS[met_other[fourth] + 1] + extra_other[fourth]
            cost -= COSTS[met[third][fourth]] + extra[third][fourth]
            if least is None or cost < least:
                come = _meeting(number, one, third), _meeting(number, other, fourth)
                change = cost - COSTS[met_one[other]] - extra_one[other]
                if self._may(come, change, best):
                    least, chosen = cost, Change((meeting, _meeting(number, third, fourth)), come, change)
        return chosen

    def _changes_of_rounds(self, meeting: Meeting) -> Iterator[Change]:
        """One of the two sits out, and somebody else plays in his place; in another round it is the other way round."""
        number, *pair = meeting
        for one, other in (pair, reversed(pair)):
            for third, later in self._idle.exchanges(one, number):
                fourth = self._opponents[later][third]
                if fourth not in (one, other, -1):
                    come = _meeting(number, third, other), _meeting(later, one, fourth)
                    gone = meeting, _meeting(later, third, fourth)
                    yield Change(gone, come, self._cost_of(gone, come))

    def _cost_of(self, gone: tuple[Meeting, ...], come: tuple[Meeting, ...]) -> int:
        saved = sum(self._meetings.cost_of_last(one, other) for _, one, other in gone)
        return sum(self._meetings.cost_of_next(one, other) for _, one, other in come) - saved

    def _make(self, change: Change) -> None:
        for meeting in change.gone:
            self._remove(meeting)
            self._tabu[meeting] = self._step + TABU_STEPS + self._roll(TABU_SPREAD)
        for meeting in change.come:
            self._add(meeting)

    def _add(self, meeting: Meeting) -> None:
        number, one, other = meeting
        self.cost += self._meetings.cost_of_next(one, other)
        self._meetings.add(one, other)
        self._idle.play(one, number)
        self._idle.play(other, number)
        self._opponents[number][one], self._opponents[number][other] = other, one
        self._rounds_of.setdefault((one, other), []).append(number)
        self._note_cost((one, other))

    def _remove(self, meeting: Meeting) -> None:
        number, one, other = meeting
        self.cost -= self._meetings.cost_of_last(one, other)
        self._meetings.remove(one, other)
        self._idle.rest(one, number)
        self._idle.rest(other, number)
        self._opponents[number][one] = self._opponents[number][other] = -1
        self._rounds_of[one, other].remove(number)
        self._note_cost((one, other))

    def _note_cost(self, pair: tuple[int, int]) -> None:
        if self._rounds_of[pair] and self._meetings.cost_of_last(*pair):
            self._costly[pair] = None
        else:
            self._costly.pop(pair, None)

    def _pick(self, things: Sequence[_Thing]) -> _Thing:
        return things[self._roll(len(things))]

    def _players_from_any(self, players: int) -> Iterator[int]:
        """All players, from one of them on."""
        begin = self._roll(players)
        return chain(range(begin, players), range(begin))

    def _roll(self, sides: int) -> int:
        """The next of a fixed sequence (D. Knuth's MMIX, The Art of Computer Programming 2, 3.3.4)."""
        self._dice = (6364136223846793005 * self._dice + 1442695040888963407) % 2**64
        return (self._dice >> 33) % sides


def _meeting(number: int, one: int, other: int) -> Meeting:
    return (number, one, other) if one < other else (number, other, one)
