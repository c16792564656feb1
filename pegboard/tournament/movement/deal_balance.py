"""Balance of first deals: turning games round until nobody deals first too often for what somebody else lacks."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from pegboard.tournament.ids import PlayerId
from pegboard.tournament.pairings import Pairing

TOLERABLE = 1
"""By how much somebody may deal first oftener, or more rarely, than not: an odd number of games leaves it."""


def even_out(
    pairings: Sequence[Pairing], dealers: Sequence[PlayerId], before: Mapping[PlayerId, int]
) -> list[PlayerId]:
    """Who deals first in each game once no more turning helps.

    Args:
        pairings: the games.
        dealers: who deals first in each.
        before: how much oftener each has dealt first before them than not.
    """
    turned = list(dealers)
    while (way := _way_to_turn(pairings, turned, before)) is not None:
        for number in way:
            one, other = pairings[number].players
            turned[number] = other if turned[number] == one else one
    return turned


def _way_to_turn(
    pairings: Sequence[Pairing], dealers: Sequence[PlayerId], before: Mapping[PlayerId, int]
) -> list[int] | None:
    """Games from one who deals too often to one who deals much more rarely; each non-dealer deals in the next."""
    surplus = Counter(before)
    dealt: dict[PlayerId, list[tuple[int, PlayerId]]] = defaultdict(list)
    for number, (pairing, dealer) in enumerate(zip(pairings, dealers, strict=True)):
        one, other = pairing.players
        against = other if dealer == one else one
        surplus[dealer] += 1
        surplus[against] -= 1
        dealt[dealer].append((number, against))
    in_games = {player for pairing in pairings for player in pairing.players}
    if all(abs(surplus[player]) <= TOLERABLE for player in in_games):
        return None
    often = sorted(in_games, key=lambda player: (-surplus[player], player))
    return next(filter(None, (_shortest(player, dealt, surplus) for player in often)), None)


def _shortest(
    begin: PlayerId, dealt: Mapping[PlayerId, Sequence[tuple[int, PlayerId]]], surplus: Mapping[PlayerId, int]
) -> list[int] | None:
    """The games on the shortest way to somebody whom turning them helps more than it hurts the first."""
    ways: dict[PlayerId, list[int]] = {begin: []}
    queue = [begin]
    for player in queue:
        if _helps(surplus[begin], surplus[player]):
            return ways[player]
        for number, against in dealt.get(player, ()):
            if against not in ways:
                ways[against] = [*ways[player], number]
                queue.append(against)
    return None


def _helps(often: int, rarely: int) -> bool:
    """Whether one deal from the one to the other, which changes both by two, makes the worse of them better."""
    return max(abs(often), abs(rarely)) > max(TOLERABLE, abs(often - 2), abs(rarely + 2))
