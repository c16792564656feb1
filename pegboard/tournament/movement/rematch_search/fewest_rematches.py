"""Fewest rematches: how cheap the games to come can be at the very least, whatever the rounds.

Let each player have two chairs, one on either side of the tables, and each game be played twice, once from each side.
Then games that cost no more than a price are a flow from one side to the other, of which every player sends and
receives as much as he has games. No schedule has more such games than half of the largest flow (L. Ford and
D. Fulkerson, Flows in Networks, 1962, chapter II). The games beyond cost the next price at least, and so on from price
to price.
"""

from collections.abc import Iterator, Sequence

from pegboard.tournament.movement.rematch_search.meetings import COSTS, Meetings


def least_cost(meetings: Meetings, owed: Sequence[int]) -> int:
    """What so many more games of each player cost at the very least, in the costs of `Meetings`.

    Args:
        meetings: those so far.
        owed: how many games each player has to come; their sum is even.
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
    """What one of the games to come can cost, the cheapest first."""
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
    """How often two could still meet for no more than a price each time, where they could."""
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
    """A flow from players to players; sets of players are bits of a number."""

    def __init__(self, owed: Sequence[int]) -> None:
        self._to_send, self._to_receive = list(owed), list(owed)
        self._room = [[0] * len(owed) for _ in owed]
        self._sent = [[0] * len(owed) for _ in owed]
        self._open = [0] * len(owed)
        self._senders = [0] * len(owed)
        self._total = 0

    def allow(self, capacities: Iterator[tuple[int, int, int]]) -> None:
        """Let so much flow from the one to the other, together with what flows already."""
        for one, other, most in capacities:
            self._room[one][other] = most - self._sent[one][other]
            if self._room[one][other]:
                self._open[one] |= 1 << other

    def fill(self) -> int:
        """Send as much as there is room for; how much flows then in all."""
        while (path := self._path()) is not None:
            for one, other, amount in path:
                self._send(one, other, amount)
            self._to_send[path[-1][0]] -= 1
            self._to_receive[path[0][1]] -= 1
            self._total += 1
        return self._total

    def _path(self) -> list[tuple[int, int, int]] | None:
        """From a player who can receive back to one who can send: where to send one more, and where one less."""
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
