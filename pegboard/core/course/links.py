"""What an entry can be: moves from one place in a deal to another, and links from each state to the next ones."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pegboard.core.course.costs import SHARED, Cost
from pegboard.core.moves import Reason

if TYPE_CHECKING:
    from pegboard.core.course.hidden_markov_model import Model

Place: TypeAlias = int
"""A place in a deal, by its number in a model."""

State: TypeAlias = int
"""A dealer and a place in the deal: dealer * places + place."""

HEELS, PLAY, ENDED, HAND, CRIB, OTHER = range(6)
"""Kinds of entries; ENDED is a card or go that ends a count of the play, OTHER an award pegged as a score."""


class Move(NamedTuple):
    """One thing that an entry can be.

    Attributes:
        place: where the deal stands after it.
        deals: how many deals further that is, 0 or 1.
        cost: of the move and of the entry.
        what: one of `HEELS`, `PLAY` ...
    """

    place: Place
    deals: int
    cost: Cost
    what: int


class Seen(NamedTuple):
    """An entry as it is seen from the dealer.

    Attributes:
        lane: counted from the dealer's.
        seat: counted from the dealer; None where only the lane is known.
        points: how many.
        why: the reason that was said, if one was.
        guessed: whether a page has only guessed it.
        says: whether the players of its lane have given reasons in this game, and so would do for heels.
    """

    lane: int
    seat: int | None
    points: int
    why: Reason | None = None
    guessed: bool = False
    says: bool = False


class Link(NamedTuple):
    """A link from one state to another.

    Attributes:
        state: the state that it leads to.
        cost: of it, less than `LEAST`.
        what: what the entry is then.
    """

    state: State
    cost: Cost
    what: int


class Links(dict[State, tuple[Link, ...]]):
    """The links from each state with one entry, computed on first use.

    Attributes:
        lost: the links that lead from anywhere.
        lost_least: the cost of the cheapest of them.
    """

    def __init__(self, model: "Model", seen: Sequence[Seen]) -> None:
        super().__init__()
        self._model, self._seen = model, seen
        self.lost = tuple(
            [link for dealer, each in enumerate(seen) for link in self._from(dealer, model.lost_moves(each))]
        )
        self.lost_least = min(link.cost for link in self.lost)

    def __missing__(self, state: State) -> tuple[Link, ...]:
        dealer, place = divmod(state, self._model.places)
        self[state] = tuple(self._from(dealer, self._model.moves(place, self._seen[dealer])))
        return self[state]

    def _from(self, dealer: int, moves: Iterable[Move]) -> Iterator[Link]:
        for place, deals, cost, what in moves:
            yield Link(self._model.state(dealer + deals, place), SHARED[cost], what)
