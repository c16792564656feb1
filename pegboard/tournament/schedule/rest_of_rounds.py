"""Pairing of the remaining rounds with as few rematches as possible; lower bound on rematches by maximum flow.

First choose who plays in which round, so that sit-outs are fair; then pair them, changing the former plan as little as
possible; then search for avoidable rematches, until a bound proves that no schedule has fewer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pegboard.tournament.schedule.round_search import (
    BOTH_STAY,
    COSTS,
    EFFORT,
    TEAM_MATES,
    Meetings,
    Pairs,
    RoundSearch,
    pair_first,
    put_rematches_late,
)
from pegboard.tournament.schedule.sit_outs import (
    IdleRounds,
    Lineup,
    RoundsToShare,
    share_all,
    share_narrowly,
    share_some,
)

# --- lower bound on rematches: the minimum cost of the remaining games, in any order of rounds ---
#
# Put each player on both sides of a bipartite graph, and play each game twice, once from each side. Then games that
# cost no more than a price are a flow from one side to the other, in which every player sends and receives as much as
# they have games. No schedule has more such games than half of the maximum flow (L. Ford and D. Fulkerson, Flows in
# Networks, 1962, chapter II). The games beyond cost at least the next price, and so on from price to price.


def least_cost(meetings: Meetings, owed: Sequence[int]) -> int:
    """The minimum cost of this many more games per player, in the costs of `Meetings`.

    Args:
        meetings: the meetings so far.
        owed: how many games each player has left; their sum is even.
    """
    games, flow = sum(owed) // 2, _TwoSidedFlow(owed)
    total = price = 0
    beyond = games
    for higher in _prices(meetings, owed):
        total += beyond * (higher - price)
        price = higher
        flow.allow(_capacities(meetings, owed, price))
        beyond = games - flow.fill() // 2
        if not beyond:
            break
    return total


def _prices(meetings: Meetings, owed: Sequence[int]) -> list[int]:
    """Possible costs of a remaining game, the cheapest first."""
    playing = [player for player, games in enumerate(owed) if games]
    prices: set[int] = set()
    for one in playing:
        for other in playing:
            met, extra = meetings.met[one][other], meetings.extra[one][other]
            prices.update(
                COSTS[met + more] + extra for more in range(1, min(owed[one], owed[other]) + 1) if one < other
            )
    return sorted(prices)


def _capacities(meetings: Meetings, owed: Sequence[int], price: int) -> Iterator[tuple[int, int, int]]:
    """How often two players could still meet for at most a price each time, if at all."""
    for one, games in enumerate(owed):
        for other, others in enumerate(owed):
            met, extra = meetings.met[one][other], meetings.extra[one][other]
            most = min(games, others) if one != other else 0
            times = 0
            while times < most and COSTS[met + times + 1] + extra <= price:
                times += 1
            if times:
                yield one, other, times


class _TwoSidedFlow:
    """A maximum flow from players to players; sets of players are bit masks."""

    def __init__(self, owed: Sequence[int]) -> None:
        self._to_send, self._to_receive = list(owed), list(owed)
        self._room = [[0] * len(owed) for _ in owed]
        self._sent = [[0] * len(owed) for _ in owed]
        self._open = [0] * len(owed)
        self._senders = [0] * len(owed)
        self._total = 0

    def allow(self, capacities: Iterator[tuple[int, int, int]]) -> None:
        """Set the capacities; flow already sent counts against them."""
        for one, other, most in capacities:
            self._room[one][other] = most - self._sent[one][other]
            if self._room[one][other]:
                self._open[one] |= 1 << other

    def fill(self) -> int:
        """Send as much flow as possible; returns the total."""
        while (path := self._path()) is not None:
            for one, other, amount in path:
                self._send(one, other, amount)
            self._to_send[path[-1][0]] -= 1
            self._to_receive[path[0][1]] -= 1
            self._total += 1
        return self._total

    def _path(self) -> list[tuple[int, int, int]] | None:
        """An augmenting path, from a player who can receive back to one who can send: edges, each with +1 or -1."""
        queue = [player for player, amount in enumerate(self._to_send) if amount]
        came_from: dict[int, int] = {}
        reached_by: dict[int, int] = {}
        unseen, waiting = (1 << len(self._open)) - 1, ~sum(1 << player for player in queue)
        for one in queue:
            for other in _members(self._open[one] & unseen):
                reached_by[other] = one
                unseen &= ~(1 << other)
                if self._to_receive[other]:
                    return _walk_back(other, reached_by, came_from)
                for sender in _members(self._senders[other] & waiting):
                    waiting &= ~(1 << sender)
                    came_from[sender] = other
                    queue.append(sender)
        return None

    def _send(self, one: int, other: int, amount: int) -> None:
        self._room[one][other] -= amount
        self._sent[one][other] += amount
        self._open[one] = _with_member(self._open[one], other, is_in=self._room[one][other] > 0)
        self._senders[other] = _with_member(self._senders[other], one, is_in=self._sent[one][other] > 0)


def _walk_back(last: int, reached_by: dict[int, int], came_from: dict[int, int]) -> list[tuple[int, int, int]]:
    one = reached_by[last]
    path = [(one, last, 1)]
    while one in came_from:
        other = came_from[one]
        path.append((one, other, -1))
        one = reached_by[other]
        path.append((one, other, 1))
    return path


def _members(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


def _with_member(bits: int, member: int, *, is_in: bool) -> int:
    return bits | 1 << member if is_in else bits & ~(1 << member)


FIRST_EFFORT = 12_000
"""Search effort before a bound is computed; usually no rematch is left by then."""


@dataclass(frozen=True, slots=True)
class PairingInput:
    """The input for pairing; players are numbers, in the order of the draw.

    Attributes:
        to_share: each player's remaining games, and when they are free.
        met: the pairs that have met, once for each meeting.
        planned: for each round the pairs of the former plan.
        teams: groups of players who should not meet.
        stay: players who must each stay at their own table.
        most_rounds: the number of rounds that there is time for; None if there is no limit.
    """

    to_share: RoundsToShare
    met: Sequence[tuple[int, int]] = ()
    planned: Sequence[Pairs] = ()
    teams: Sequence[Sequence[int]] = ()
    stay: Sequence[int] = ()
    most_rounds: int | None = None

    def meetings(self) -> Meetings:
        """The meetings so far."""
        meetings = Meetings(len(self.to_share.owed), self.met)
        meetings.charge(self.teams, TEAM_MATES)
        meetings.charge([self.stay], BOTH_STAY)
        return meetings


@dataclass(frozen=True, slots=True)
class PairedRounds:
    """Pairs of all rounds.

    Attributes:
        rounds: the pairs of each round.
        cost: the cost of their meetings.
        is_least: whether no schedule with these games costs less.
    """

    rounds: list[Pairs] = field(default_factory=list)
    cost: int = 0
    is_least: bool = True


def pair_rest(rest: PairingInput) -> PairedRounds:
    """Pair the rest of an event; if rounds or opponents are too few, some players get fewer games than they should."""
    searches = []
    for lineup in _lineups(rest):
        search = _begin_search(rest, lineup)
        if not search.cost:
            return PairedRounds(search.rounds)
        searches.append((lineup, search))
    return _search_on(rest, searches) if searches else PairedRounds()


def _begin_search(rest: PairingInput, lineup: Lineup) -> RoundSearch:
    meetings = rest.meetings()
    first = pair_first(lineup, meetings, rest.planned)
    return RoundSearch(first, meetings, IdleRounds(rest.to_share.sat, rest.to_share.busy, len(lineup)))


def _search_on(rest: PairingInput, searches: Sequence[tuple[Lineup, RoundSearch]]) -> PairedRounds:
    """The best result of several searches, each tried briefly at first: usually one of them needs no rematch."""
    for _, search in searches:
        rounds = search.improve(0, FIRST_EFFORT)
        if not search.cost:
            return PairedRounds(rounds)
    bound = least_cost(rest.meetings(), _games_of(searches[0][0], len(rest.to_share.owed)))
    best = min((search for _, search in searches), key=lambda search: search.cost)
    for _, search in searches:
        if best.cost > bound:
            search.improve(bound, EFFORT // len(searches))
            best = min(best, search, key=lambda search: search.cost)
    if best.cost > bound and rest.most_rounds is None:
        best = _search_narrowly(rest, len(searches[0][0]), best, bound)
    return PairedRounds(put_rematches_late(best.rounds, rest.met), best.cost, best.cost <= bound)


def _search_narrowly(rest: PairingInput, rounds: int, best: RoundSearch, bound: int) -> RoundSearch:
    """A result better than `best` in which more players sit out one round; else `best`."""
    lineup = share_narrowly(rest.to_share, rounds)
    if lineup is None:
        return best
    search = _begin_search(rest, lineup)
    search.improve(bound, EFFORT)
    return min(best, search, key=lambda search: search.cost)


def _lineups(rest: PairingInput) -> list[Lineup]:
    """Ways to share out the rounds: all games if there is time for them, else as many as fit."""
    ways = share_all(rest.to_share)
    most = rest.most_rounds
    if most is not None and (not ways or len(ways[0]) > most):
        return [share_some(rest.to_share, most)]
    return ways


def _games_of(lineup: Lineup, players: int) -> list[int]:
    games = [0] * players
    for playing in lineup:
        for player in playing:
            games[player] += 1
    return games
