"""Seeds: the order of a bracket, its size, and who has a bye in its first round (ACC 13, the play-off brackets)."""

from collections.abc import Sequence
from dataclasses import dataclass

from pegboard.errors import RuleError
from pegboard.tournament.ids import PlayerId


@dataclass(frozen=True, slots=True)
class Placement:
    """Who begins in which place of a bracket: a stored row.

    Attributes:
        place: from 1 at the top; places 1 and 2 meet, 3 and 4, and so on.
        seed: 1 for the best; whoever meets a seed beyond the qualifiers has a bye.
        player: None where that seed is beyond them.
    """

    place: int
    seed: int
    player: PlayerId | None


def bracket_order(size: int) -> tuple[int, ...]:
    """The seeds from the top of a bracket of 1, 2, 4, 8 ... places: 1 8 5 4 3 6 7 2 for eight.

    Each half of a bracket is made of one of half its size: seed s at an even place, counted from 0, becomes s and the
    one it meets, at an odd place the other way round.
    """
    order: tuple[int, ...] = (1,)
    while len(order) < size:
        both = 2 * len(order) + 1
        pairs = ((seed, both - seed) if at % 2 == 0 else (both - seed, seed) for at, seed in enumerate(order))
        order = tuple(seed for pair in pairs for seed in pair)
    return order


def bracket_size(qualifiers: int) -> int:
    """The places of the bracket: the next power of two; 1 where one qualifies, and has won."""
    return 1 << max(qualifiers - 1, 0).bit_length()


def count_byes(qualifiers: int) -> int:
    """How many have a bye in the first round, the highest seeds; the second round is full."""
    return bracket_size(qualifiers) - qualifiers


def place_seeds(players: Sequence[PlayerId]) -> tuple[Placement, ...]:
    """The placements of players by seed, best first.

    Raises:
        RuleError: nobody is there, or somebody twice.
    """
    if not players:
        raise RuleError("playoffs_bracket_nobody")
    if len(set(players)) < len(players):
        raise RuleError("playoffs_bracket_twice")
    order = bracket_order(bracket_size(len(players)))
    by_seed = dict(enumerate(players, 1))
    return tuple(Placement(place, seed, by_seed.get(seed)) for place, seed in enumerate(order, 1))
