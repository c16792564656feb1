"""Tabu search for rounds with fewer rematches; their initial pairing, and an order that puts rematches late.

Each step picks a costly meeting. Its two players swap opponents with another pair of that round, or one of them trades
places with a player who sits out in it and plays in a round that the first sits out. The best swap is made even if it
raises the cost, and a removed meeting may not return for some steps (F. Glover, Tabu Search, 1989). The search ends at
a lower bound on the cost, or after a fixed number of tries: the same field gets the same schedule on every machine.
Ties are broken by a fixed pseudorandom sequence.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias, TypeVar

from pegboard.tournament.schedule.ring import around, ring_round
from pegboard.tournament.schedule.sit_outs import IdleRounds, Lineup

# --- meetings: how often each pair has met and will meet, and the cost of one more meeting ---
#
# A first meeting costs nothing, a second one `REMATCH`. Each further meeting costs so much more than the last that a
# pair meets a third time only if no other pair could meet a second time. A meeting within a team costs most of all.


REMATCH = 1000
"""Cost of a pair's second meeting."""

STEEPNESS = 256
"""How many n-th meetings are cheaper than one (n+1)-th; more than the rounds of an event with a small field."""

TEAM_MATES = REMATCH * STEEPNESS**12
"""Cost of a meeting within a team."""

BOTH_STAY = 1
"""Cost of a meeting of two players who must each stay at their own table."""

MOST_MEETINGS = 200
"""More meetings than a pair can have in an event."""

COSTS: tuple[int, ...] = (0, 0, *(REMATCH * STEEPNESS ** min(number, 10) for number in range(MOST_MEETINGS)))
"""Cost of a pair's n-th meeting, by n from 1; there is no meeting 0."""


class Meetings:
    """The meetings of a field, whose players are numbers.

    Attributes:
        met: for each player, how often they have met, or will meet, each other player.
        extra: additional cost of a meeting of two players; 0 unless set by `charge`.
    """

    __slots__ = ("extra", "met")

    def __init__(self, players: int, pairs: Iterable[tuple[int, int]] = ()) -> None:
        self.met = [[0] * players for _ in range(players)]
        self.extra = [[0] * players for _ in range(players)]
        for one, other in pairs:
            self.add(one, other)

    def add(self, one: int, other: int, meetings: int = 1) -> None:
        """Count one more meeting of two players, or `meetings` more."""
        self.met[one][other] += meetings
        self.met[other][one] += meetings

    def remove(self, one: int, other: int) -> None:
        """Count one meeting of two players fewer."""
        self.add(one, other, -1)

    def charge(self, groups: Iterable[Collection[int]], cost: int) -> None:
        """Add a cost to each meeting within one of these groups."""
        for group in groups:
            for one in group:
                for other in group:
                    if one != other:
                        self.extra[one][other] += cost

    def cost_of_next(self, one: int, other: int) -> int:
        """The cost of one more meeting of two players."""
        return COSTS[self.met[one][other] + 1] + self.extra[one][other]

    def cost_of_last(self, one: int, other: int) -> int:
        """The cost of the latest meeting of two players."""
        return COSTS[self.met[one][other]] + self.extra[one][other]


# --- initial pairing of the remaining rounds: keep the former plan, else the ring, else the cheapest opponents ---
#
# The search for avoidable rematches starts from this pairing, which often has none.


Pairs: TypeAlias = list[tuple[int, int]]
"""The pairs of one round."""


def pair_first(lineup: Lineup, meetings: Meetings, planned: Sequence[Pairs]) -> list[Pairs]:
    """Pair each round of a lineup, one after the other, and add the pairs to the meetings.

    Args:
        lineup: the players of each round.
        meetings: the meetings so far.
        planned: for each round, the pairs of the former plan; pairs whose players both play in the round are kept.
    """
    rounds = []
    for number, playing in enumerate(lineup):
        pairs = _pair_round(playing, meetings, planned[number] if number < len(planned) else [])
        for one, other in pairs:
            meetings.add(one, other)
        rounds.append(pairs)
    return rounds


def _pair_round(playing: list[int], meetings: Meetings, planned: Pairs) -> Pairs:
    free = set(playing)
    standing = [pair for pair in planned if free.issuperset(pair)]
    if not standing:
        return _pair_from_scratch(playing, meetings)
    left = free.difference(*standing)
    return standing + _pair_greedily(sorted(left), meetings)


def _pair_from_scratch(playing: list[int], meetings: Meetings) -> Pairs:
    """The cheapest round of the ring; if it costs anything, a greedy pairing may replace it."""
    from_ring = _cheapest(_ring_rounds(playing, len(meetings.met)), meetings)
    if from_ring is not None and not _cost(from_ring, meetings):
        return from_ring
    greedy = _pair_greedily(playing, meetings)
    return greedy if from_ring is None or _cost(greedy, meetings) < _cost(from_ring, meetings) else from_ring


def _ring_rounds(playing: list[int], field: int) -> Iterator[Pairs]:
    """The rounds of the ring these players can play; just one if the field is odd and one player sits out."""
    sitting = set(range(field)).difference(playing)
    if field % 2 and len(sitting) == 1:
        yield around(range(field), sitting.pop())
    else:
        yield from (ring_round(playing, number) for number in range(len(playing) - 1))


def _cheapest(rounds: Iterable[Pairs], meetings: Meetings) -> Pairs | None:
    best, least = None, 0
    for pairs in rounds:
        cost = _cost(pairs, meetings)
        if best is None or cost < least:
            best, least = pairs, cost
        if not cost:
            break
    return best


def _cost(pairs: Pairs, meetings: Meetings) -> int:
    return sum(meetings.cost_of_next(one, other) for one, other in pairs)


def _pair_greedily(playing: Sequence[int], meetings: Meetings) -> Pairs:
    """Greedy pairing: players with the fewest free opponents go first, preferring cheap opponents who also have few."""
    choices = {one: sum(not meetings.cost_of_next(one, other) for other in playing) for one in playing}
    waiting = sorted(playing, key=lambda one: (choices[one], one))
    pairs = []
    while waiting:
        one = waiting.pop(0)
        other = min(waiting, key=lambda other: (meetings.cost_of_next(one, other), choices[other], other))
        waiting.remove(other)
        pairs.append((one, other))
    return pairs


# --- order of rounds: move rematches late and avoid consecutive ones, without changing anyone's sit-outs ---


def put_rematches_late(rounds: Sequence[Pairs], before: Iterable[tuple[int, int]]) -> list[Pairs]:
    """Reorder rounds: within runs of rounds with the same players, those with cheap meetings come first.

    Args:
        rounds: the pairs of each round.
        before: the pairs that have met before, once for each meeting.
    """
    met = Counter(_sorted_pair(pair) for pair in before)
    ordered: list[Pairs] = []
    for run in _runs_of_the_same_players(rounds):
        waiting = list(run)
        while waiting:
            last = {_sorted_pair(pair) for pair in ordered[-1]} if ordered else set()
            following = min(waiting, key=lambda pairs: _lateness(pairs, met, last))
            waiting.remove(following)
            met.update(map(_sorted_pair, following))
            ordered.append(following)
    return ordered


def _runs_of_the_same_players(rounds: Sequence[Pairs]) -> list[list[Pairs]]:
    runs: list[list[Pairs]] = []
    playing: set[int] = set()
    for pairs in rounds:
        players = {player for pair in pairs for player in pair}
        if runs and players == playing:
            runs[-1].append(pairs)
        else:
            runs.append([pairs])
        playing = players
    return runs


def _lateness(pairs: Pairs, met: Counter[tuple[int, int]], last: set[tuple[int, int]]) -> tuple[int, int]:
    """The cost of the meetings of a round if it came next, and how many of them were also in the last round."""
    both = [_sorted_pair(pair) for pair in pairs]
    return sum(COSTS[met[pair] + 1] for pair in both), sum(pair in last for pair in both)


def _sorted_pair(pair: tuple[int, int]) -> tuple[int, int]:
    one, other = pair
    return (one, other) if one < other else (other, one)


EFFORT = 60_000
"""How many changes are tried before the best result is good enough: a tenth of a second on a PC."""

EFFORT_OF_STEP = 20
"""Effort of a step apart from its changes: how many changes take as long."""

TABU_STEPS, TABU_SPREAD = 6, 8
"""Minimum steps before a pair may return to a round, and how far that varies."""

_Thing = TypeVar("_Thing")

Meeting: TypeAlias = tuple[int, int, int]
"""A round, and the two players who meet in it."""


class Change(NamedTuple):
    """Meetings to remove and to add, and the resulting change in cost."""

    gone: tuple[Meeting, ...]
    come: tuple[Meeting, ...]
    cost: int


class RoundSearch:
    """A search that improves rounds step by step.

    Attributes:
        cost: the cost of all meetings in these rounds.
        effort: number of changes tried, plus `EFFORT_OF_STEP` for each step.
    """

    def __init__(self, rounds: Sequence[Pairs], meetings: Meetings, idle: IdleRounds) -> None:
        """Start with rounds whose pairs are already counted in the meetings."""
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
        """Search for cheaper rounds and return the best rounds, which the meetings and `cost` then reflect."""
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
        """The pairs of each round, sorted by the lower player."""
        return [[(one, other) for one, other in enumerate(opponents) if one < other] for opponents in self._opponents]

    def _take(self, rounds: Sequence[Pairs]) -> None:
        """Restore these rounds."""
        for number, pairs in enumerate(self.rounds):
            for one, other in pairs:
                self._remove((number, one, other))
        for number, pairs in enumerate(rounds):
            for one, other in pairs:
                self._add((number, one, other))

    def _choose(self, best: int) -> Change | None:
        """The best allowed change of one costly meeting, or None."""
        one, other = self._costly_pair()
        number = self._pick(self._rounds_of[one, other])
        chosen = self._change_of_opponents((number, one, other), best)
        for change in self._changes_of_rounds((number, one, other)):
            self.effort += 1
            if (chosen is None or change.cost < chosen.cost) and self._may(change.come, change.cost, best):
                chosen = change
        return chosen

    def _costly_pair(self) -> tuple[int, int]:
        """One of the costliest pairs on every other step, else any costly pair."""
        pairs = list(self._costly)
        if self._step % 2:
            costs = [self._meetings.cost_of_last(one, other) for one, other in pairs]
            dearest = max(costs)
            pairs = [pair for pair, cost in zip(pairs, costs, strict=True) if cost == dearest]
        return self._pick(pairs)

    def _may(self, come: tuple[Meeting, ...], cost: int, best: int) -> bool:
        """Whether no meeting is tabu, or the change beats the best result so far."""
        if self.cost + cost < best:
            return True
        return all(self._tabu.get(meeting, 0) < self._step for meeting in come)

    def _change_of_opponents(self, meeting: Meeting, best: int) -> Change | None:
        """The best swap with another pair of the round; each pair comes twice, once from either side, for both ways."""
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
        """Swaps in which one of the two sits out and another player takes over; in another round the reverse."""
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
        """All players once, starting with a random player."""
        begin = self._roll(players)
        return chain(range(begin, players), range(begin))

    def _roll(self, sides: int) -> int:
        """The next number of a fixed sequence (D. Knuth's MMIX, The Art of Computer Programming 2, 3.3.4)."""
        self._dice = (6364136223846793005 * self._dice + 1442695040888963407) % 2**64
        return (self._dice >> 33) % sides


def _meeting(number: int, one: int, other: int) -> Meeting:
    return (number, one, other) if one < other else (number, other, one)
