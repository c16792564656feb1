"""First pairing of rounds to come: what stands of the former plan, else the ring, else the cheapest opponent.

It is where the search for rematches that can be spared begins; often it finds none.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from pegboard.tournament.movement.rematch_search.meetings import Meetings
from pegboard.tournament.movement.rematch_search.sit_outs import Lineup
from pegboard.tournament.movement.ring import around, ring_round

Pairs: TypeAlias = list[tuple[int, int]]
"""The pairs of one round."""


def pair_first(lineup: Lineup, meetings: Meetings, planned: Sequence[Pairs]) -> list[Pairs]:
    """Pairs for each round of a lineup, one round after the other; the meetings then know them.

    Args:
        lineup: who plays in each round.
        meetings: those so far.
        planned: for each round the pairs of the former plan; those of which both play in it are left as they are.
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
        return _pair_anew(playing, meetings)
    left = free.difference(*standing)
    return standing + _pair_greedily(sorted(left), meetings)


def _pair_anew(playing: list[int], meetings: Meetings) -> Pairs:
    """The cheapest round of the ring; where it costs something, perhaps one that looks for opponents one by one."""
    from_ring = _cheapest(_ring_rounds(playing, len(meetings.met)), meetings)
    if from_ring is not None and not _cost(from_ring, meetings):
        return from_ring
    greedy = _pair_greedily(playing, meetings)
    return greedy if from_ring is None or _cost(greedy, meetings) < _cost(from_ring, meetings) else from_ring


def _ring_rounds(playing: list[int], field: int) -> Iterator[Pairs]:
    """The rounds of the ring that these players can play; with one of an odd field sitting out there is just one."""
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
    """Who has the fewest opponents that cost nothing chooses first: of the cheapest, one who has few as well."""
    choices = {one: sum(not meetings.cost_of_next(one, other) for other in playing) for one in playing}
    waiting = sorted(playing, key=lambda one: (choices[one], one))
    pairs = []
    while waiting:
        one = waiting.pop(0)
        other = min(waiting, key=lambda other: (meetings.cost_of_next(one, other), choices[other], other))
        waiting.remove(other)
        pairs.append((one, other))
    return pairs
