"""What schedules can be had at all: counting bounds, and every schedule of a small field tried.

Nothing here knows how pegboard draws: rounds are lists of pairs, players are numbers or ids.
"""

import itertools
from collections import Counter


def fewest_rounds(players, games, *, fewer=False):
    """Rounds until each of so many has so many games, where one may have one more, or `fewer`; a game takes two."""
    places = players * games
    games_in_all = places // 2 if fewer else (places + 1) // 2
    at_once = players // 2
    return (games_in_all + at_once - 1) // at_once


def most_meetings(players, games):
    """How often the pair that meets most must meet at least: everyone's games over his opponents (pigeonholes)."""
    return -(-games // (players - 1))


def fewest_rematches(players, games):
    """Games less pairs, while no pair can meet twice before all have met once."""
    return max(0, (players * games + players * games % 2) // 2 - players * (players - 1) // 2)


def meetings_by_number(rounds, played=()):
    """How many games of these rounds are a pair's second meeting, third and so on, the highest number first."""
    met = Counter(frozenset(pair) for pair in played)
    numbers = Counter()
    for pair in itertools.chain.from_iterable(rounds):
        met[frozenset(pair)] += 1
        numbers[met[frozenset(pair)]] += 1
    return tuple(numbers[number] for number in range(max(numbers, default=1), 1, -1))


MOST_MEETINGS = 20
"""Longer than any vector of a small field."""


def padded(vector, length=MOST_MEETINGS):
    """A vector with noughts before it, so that vectors compare by the highest number of a meeting first."""
    return (0,) * (length - len(vector)) + tuple(vector)


def best_of_all(owed, rounds, played=()):
    """The least `meetings_by_number` of all schedules in which player p has `owed[p]` games in so many rounds.

    Rounds come in any order, so only those orders are tried in which they do not grow. None where there is no schedule.
    """
    matchings = sorted(all_matchings(tuple(range(len(owed)))), key=lambda pairs: (-len(pairs), pairs))
    best = None

    def go_on(begin, left, rounds_left, pairs_so_far):
        nonlocal best
        cost = padded(meetings_by_number([pairs_so_far], played))
        if best is not None and cost >= best:
            return
        if not any(left):
            best = cost
        for index in range(begin, len(matchings)):
            pairs = matchings[index]
            if max(left) > rounds_left or sum(left) > 2 * rounds_left * len(pairs):
                return  # those after it are no larger
            after = without(left, pairs)
            if min(after) >= 0:
                go_on(index, after, rounds_left - 1, [*pairs_so_far, *pairs])

    go_on(0, tuple(owed), rounds, [])
    return best


def without(left, pairs):
    """What players have to come after these games."""
    playing = Counter(itertools.chain.from_iterable(pairs))
    return tuple(games - playing[player] for player, games in enumerate(left))


def all_matchings(players):
    """Every set of pairs of these players in which nobody stands twice, but the empty one."""
    if len(players) < 2:
        return
    first, *others = players
    for other in others:
        rest = tuple(player for player in others if player != other)
        yield ((first, other),)
        yield from (((first, other), *pairs) for pairs in all_matchings(rest))
    yield from all_matchings(tuple(others))
