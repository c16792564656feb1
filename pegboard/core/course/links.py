"""What an entry can be: moves from one place in a deal to another, and links from each state to the next ones."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from pegboard.core.course.costs import SHARED, Cost
from pegboard.core.moves import Reason

if TYPE_CHECKING:
    from pegboard.core.course.hidden_markov_model import Model

Place: TypeAlias = int
"""A place in a deal, by its number in a model."""

PlayKey: TypeAlias = tuple[int, int, int, int]
"""A place in the play: counts ended, the lane that pegged last, entries since a count ended, points of the last."""

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


class Habits(NamedTuple):
    """What the players of a sheet have done so far, and so are likely to do again.

    Attributes:
        says: whether those of the entry's lane have given reasons, and so would do for heels.
        crib_first: seats whose players have counted the crib before the hand, as was said.
    """

    says: bool = False
    crib_first: frozenset[int] = frozenset()


UNKNOWN = Habits()
"""Those of an empty sheet."""


class Seen(NamedTuple):
    """An entry as it is seen from the dealer.

    Attributes:
        lane: counted from the dealer's.
        seat: counted from the dealer; None where only the lane is known.
        points: how many.
        why: the reason that was said, if one was.
        guessed: whether a page has only guessed it.
        habits: the players' habits, their seats counted from the dealer.
    """

    lane: int
    seat: int | None
    points: int
    why: Reason | None = None
    guessed: bool = False
    habits: Habits = UNKNOWN

    @property
    def said_reason(self) -> Reason | None:
        """The reason, if a player has said it."""
        return None if self.guessed else self.why


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
