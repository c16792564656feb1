"""Order of rounds: rematches as late as can be, and not twice in a row, without changing when anybody sits out."""

from collections import Counter
from collections.abc import Iterable, Sequence

from pegboard.tournament.movement.rematch_search.first_pairing import Pairs
from pegboard.tournament.movement.rematch_search.meetings import COSTS


def put_rematches_late(rounds: Sequence[Pairs], before: Iterable[tuple[int, int]]) -> list[Pairs]:
    """The same rounds, those with cheap meetings first wherever rounds one after the other have the same players.

    Args:
        rounds: the pairs of each.
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
    """What the meetings of a round would cost next, and how many of them were in the last round as well."""
    both = [_sorted_pair(pair) for pair in pairs]
    return sum(COSTS[met[pair] + 1] for pair in both), sum(pair in last for pair in both)


def _sorted_pair(pair: tuple[int, int]) -> tuple[int, int]:
    one, other = pair
    return (one, other) if one < other else (other, one)
