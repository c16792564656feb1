"""The anchored ring, or circle method: all but the anchor move on by one seat after each round.

Tables stand in a row, with players on both sides. The anchor stays at the first. Those of the near side move towards
him by one table, then opposite him, and from there along the far side away from him and back. After as many rounds as
there are other players everybody has met everybody once (E. Lucas, Recreations mathematiques II, 1883, with the walk of
the young ladies). In an odd field nobody has the anchor's chair, and who comes opposite it sits out: each once a lap.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar

Seated = TypeVar("Seated")


Pair: TypeAlias = tuple[Seated, Seated]
"""Two that meet, the one on the near side first."""


def lap(field: int) -> int:
    """In how many rounds everybody meets everybody once, in a field of so many players."""
    return field - 1 + field % 2


def ring_round(order: Sequence[Seated], number: int) -> list[Pair[Seated]]:
    """The pairs of one round, by their tables; a lap is followed by the same one again.

    Args:
        order: the players, at least two; the first is the anchor where they are even, and sits out first where odd.
        number: of the round, from 0.
    """
    is_even = len(order) % 2 == 0
    moving = order[1:] if is_even else order
    anchored = [(order[0], moving[number % len(moving)])] if is_even else []
    return [*anchored, *around(moving, number)]


def around(moving: Sequence[Seated], label: int) -> list[Pair[Seated]]:
    """The pairs of a ring of odd length that are as far on one side of a place as on the other, the nearest first."""
    length = len(moving)
    return [(moving[(label + step) % length], moving[(label - step) % length]) for step in range(1, (length + 1) // 2)]


def ring_rounds(order: Sequence[Seated], rounds: int) -> Iterator[list[Pair[Seated]]]:
    """The pairs of so many rounds from the first."""
    return (ring_round(order, number) for number in range(rounds))


# --- odd fields: somebody sits out in each round, and where players times games is odd somebody is off by one ---
#
# A game takes two, so the games of all players together are even. Where they cannot be, exactly one player has one game
# more (`ONE_MORE`: nobody gets less than he came for), or one less (`ONE_FEWER`, which sometimes saves a round).
#
# The schedule that is best in every count exists for each field: the fewest rounds that there can be, no pair twice
# more
# than another pair, nobody sits out twice before everybody has once. It is some full laps of the ring, then as many
# rounds of a further lap as games are left, and a last, short one. In each round of that lap one player sits out; the
# last round is the one of the ring in which just these can be paired with each other, and everybody else is done.


OffByOne: TypeAlias = Literal["one_more", "one_fewer"]
"""What happens to one player where players times games is odd."""


ONE_MORE: OffByOne = "one_more"


ONE_FEWER: OffByOne = "one_fewer"


@dataclass(frozen=True, slots=True)
class FieldMeasure:
    """What can be had of a field, before anybody draws.

    Attributes:
        players: how many.
        games: how many each is to have.
        possible: whether each can have exactly so many.
        distinct_rounds: how many rounds there are before somebody has to meet somebody again.
        rounds: how many rounds it takes until everybody has them.
        rounds_one_fewer: how many where one may have one fewer; the same where `possible`.
        needs_rematches: whether somebody has to meet somebody again.
    """

    players: int
    games: int
    possible: bool
    distinct_rounds: int
    rounds: int
    rounds_one_fewer: int
    needs_rematches: bool


def measure_field(players: int, games: int) -> FieldMeasure:
    """What a field of two players or more can have, by counting alone."""
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
    """The pairs of each round in which an odd field, of three players or more, has so many games each.

    Args:
        order: the players; the first sits out first, and one of the last is off by one.
        games: of each.
        odd: which way one player is off, where players times games is odd.
    """
    laps, rest = divmod(games, len(order) - 1)
    yield from ring_rounds(order, laps * len(order))
    if rest:
        yield from ring_rounds(order, rest)
        short = list(_short_round(order, rest, odd))
        if short:
            yield short


def _short_round(order: Sequence[Seated], games: int, odd: OffByOne) -> Iterator[Pair[Seated]]:
    """The last round, after so many rounds of a lap: who sat out in them has one game to come.

    Those are neighbours on the ring; opposite their middle is the place round which they are paired. With an odd number
    of them one has to meet somebody who is done, and does so for `ONE_MORE`, or has one game fewer.
    """
    done = (len(order) - 1 - games) // 2
    pairs = around(order, -(done + 1))[done:]
    return iter(pairs[1:] if games % 2 and odd == ONE_FEWER else pairs)
