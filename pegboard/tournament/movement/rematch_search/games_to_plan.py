"""Games to plan: how many each player gets of those that he has to come, so that they can be paired at all.

A game takes two, so all of them together fill an even number of places, and nobody can play more games than all others
together. What that changes is said.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from pegboard.tournament.movement.odd_fields import ONE_MORE, OffByOne
from pegboard.tournament.movement.rematch_search.sit_outs import RoundsToShare, fewest_rounds


@dataclass(frozen=True, slots=True)
class GamesToPlan:
    """Games that can be paired; players are numbers.

    Attributes:
        owed: how many each plays.
        off_by_one: who plays one more or one fewer, where the games fill an odd number of places.
    """

    owed: tuple[int, ...]
    off_by_one: int | None = None


def games_to_plan(
    to_share: RoundsToShare, in_all: Sequence[int], odd: OffByOne, off_before: Collection[int] = ()
) -> GamesToPlan:
    """What can be paired of these games.

    Args:
        to_share: the games that everybody has to come, of whatever sum.
        in_all: how many each will have had in the end.
        odd: which way one player is off where their sum is odd.
        off_before: who was off in the former plan.
    """
    ways = _ways_to_be_even(to_share.owed, odd)
    if sum(to_share.owed) % 2 == 0 or not ways:
        return GamesToPlan(_without_excess(to_share.owed))
    change = 1 if odd == ONE_MORE else -1

    def disadvantage(player: int) -> tuple[int, bool, int, bool, int, int]:
        """More rounds are worst; then somebody who is done already; then who has more games, or fewer, than others."""
        rounds = fewest_rounds(replace(to_share, owed=ways[player]))
        changes = player not in off_before
        is_done = changes and not to_share.owed[player]
        return rounds, is_done, change * in_all[player], changes, -change * to_share.sat[player], -player

    off = min(ways, key=disadvantage)
    return GamesToPlan(_without_excess(ways[off]), off)


def _ways_to_be_even(owed: Sequence[int], odd: OffByOne) -> dict[int, tuple[int, ...]]:
    """The games of all if one player has one more, or if one who has some to come has one fewer."""
    change = 1 if odd == ONE_MORE else -1
    players = [player for player, games in enumerate(owed) if games + change >= 0 and len(owed) > 1]
    return {player: (*owed[:player], owed[player] + change, *owed[player + 1 :]) for player in players}


def _without_excess(owed: Sequence[int]) -> tuple[int, ...]:
    """No more for anybody than all others have together, of an even sum."""
    most = max(range(len(owed)), key=lambda player: owed[player], default=0)
    others = sum(owed) - owed[most] if owed else 0
    return tuple(min(games, others) if player == most else games for player, games in enumerate(owed))
