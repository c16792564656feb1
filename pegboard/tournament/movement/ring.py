"""The anchored ring, or circle method: all but the anchor move on by one seat after each round.

Tables stand in a row, with players on both sides. The anchor stays at the first. Those of the near side move towards
him by one table, then opposite him, and from there along the far side away from him and back. After as many rounds as
there are other players everybody has met everybody once (E. Lucas, Recreations mathematiques II, 1883, with the walk of
the young ladies). In an odd field nobody has the anchor's chair, and who comes opposite it sits out: each once a lap.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias, TypeVar

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
