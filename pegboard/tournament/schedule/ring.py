"""Round robin by the circle method: everyone but the anchor moves up one seat after each round.

The tables form a row, with players on both sides. The anchor stays at the first table. In each round, players on the
near side move one table toward the anchor, then sit opposite the anchor, then move away along the far side, and cross
back at the last table. After as many rounds as there are other players, everyone has met everyone once (E. Lucas,
Recreations mathematiques II, 1883, in the problem of the young ladies' walk). With an odd number of players the
anchor's seat is empty, and the player opposite sits out: each player once per lap.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

Seated = TypeVar("Seated")

Pair: TypeAlias = tuple[Seated, Seated]
"""Two opponents, the player on the near side first."""


def lap(field: int) -> int:
    """How many rounds it takes until everyone has met everyone once."""
    return field - 1 + field % 2


def ring_round(order: Sequence[Seated], number: int) -> list[Pair[Seated]]:
    """The pairs of one round, by table; each lap repeats the one before.

    Args:
        order: at least two players; the first is the anchor if the number is even, and sits out first if odd.
        number: the number of the round, from 0.
    """
    is_even = len(order) % 2 == 0
    moving = order[1:] if is_even else order
    anchored = [(order[0], moving[number % len(moving)])] if is_even else []
    return [*anchored, *around(moving, number)]


def around(moving: Sequence[Seated], label: int) -> list[Pair[Seated]]:
    """The pairs of an odd ring whose members are equally far from a place on either side, the nearest first."""
    length = len(moving)
    return [(moving[(label + step) % length], moving[(label - step) % length]) for step in range(1, (length + 1) // 2)]


def ring_rounds(order: Sequence[Seated], rounds: int) -> Iterator[list[Pair[Seated]]]:
    """The pairs of the first `rounds` rounds."""
    return (ring_round(order, number) for number in range(rounds))


# --- odd fields: one player sits out each round; if players times games is odd, one player is off by one ---
#
# A game takes two players, so the number of players times games must be even. If it is not, exactly one player has one
# game more (`ONE_MORE`: nobody gets fewer than they came for), or one fewer (`ONE_FEWER`, which sometimes saves a
# round).
#
# For every field there is an optimal schedule: the fewest possible rounds, no pair meets two times more than another,
# and nobody sits out twice before everyone has once. It consists of full laps of the ring, then as many rounds of
# another lap as games are left, and a last, short round. In each round of that lap one player sits out; the short round
# is the round of the ring in which exactly these players can be paired with each other, when everyone else is done.


OffByOne: TypeAlias = Literal["one_more", "one_fewer"]
"""What happens to one player if players times games is odd."""

ONE_MORE: OffByOne = "one_more"

ONE_FEWER: OffByOne = "one_fewer"


@dataclass(frozen=True, slots=True)
class FieldMeasure:
    """The rounds and games that are possible for a field, before the draw.

    Attributes:
        players: number of players.
        games: number of games that each player should have.
        possible: whether all players can have exactly this number of games.
        distinct_rounds: number of rounds that are possible without rematches.
        rounds: number of rounds until all players have their games.
        rounds_one_fewer: number of rounds if one player may have one game fewer; the same as `rounds` if `possible`.
        needs_rematches: whether rematches are unavoidable.
    """

    players: int
    games: int
    possible: bool
    distinct_rounds: int
    rounds: int
    rounds_one_fewer: int
    needs_rematches: bool


def measure_field(players: int, games: int) -> FieldMeasure:
    """The rounds and games that are possible for a field of at least two players, computed by counting only."""
    places = players * games
    at_once = players - players % 2
    return FieldMeasure(
        players,
        games,
        possible=places % 2 == 0,
        distinct_rounds=lap(players),
        rounds=-(-(places + places % 2) // at_once),
        rounds_one_fewer=-(-(places - places % 2) // at_once),
        needs_rematches=games > players - 1,
    )


def odd_rounds(order: Sequence[Seated], games: int, odd: OffByOne = ONE_MORE) -> Iterator[list[Pair[Seated]]]:
    """The pairs of each round for an odd field of at least three players with `games` games each.

    Args:
        order: the players; the first sits out first, and one of the last is off by one.
        games: number of games per player.
        odd: whether one player has one more or one fewer if players times games is odd.
    """
    laps, rest = divmod(games, len(order) - 1)
    yield from ring_rounds(order, laps * len(order))
    if rest:
        yield from ring_rounds(order, rest)
        short = list(_short_round(order, rest, odd))
        if short:
            yield short


def _short_round(order: Sequence[Seated], games: int, odd: OffByOne) -> Iterator[Pair[Seated]]:
    """The last round after `games` rounds of a lap: players who sat out in them have one game left.

    They are neighbors on the ring, and are paired around the place opposite their middle. If their number is odd, one
    of them meets a player who is done (`ONE_MORE`), or has one game fewer.
    """
    done = (len(order) - 1 - games) // 2
    pairs = around(order, -(done + 1))[done:]
    return iter(pairs[1:] if games % 2 and odd == ONE_FEWER else pairs)
