"""States that can follow an announcement, with their costs: a new deal begins, who deals, hands are counted now."""

from collections.abc import Iterator
from typing import TypeAlias

from pegboard.core.course.costs import DEAL_LATE, LOST, SAID_LATE, Cost
from pegboard.core.course.hidden_markov_model import Model
from pegboard.core.course.links import Place, State
from pegboard.core.moves import Dealt, Staged
from pegboard.core.rules import Seat


def ways(model: Model, line: Dealt | Staged, state: State) -> Iterator[tuple[State, Cost]]:
    """States that can follow a state after such a line, each with its cost."""
    dealer, place = divmod(state, model.places)
    if isinstance(line, Dealt) and not line.new:
        yield _put_right(model, dealer, place, line.dealer or 0)
        return
    if isinstance(line, Dealt) and line.midway and _is_late(model, line, dealer, place):
        yield state, DEAL_LATE
    for reached, deals, more in _to_stage(model, place, line.stage) if isinstance(line, Staged) else _on(model, place):
        now = (dealer + deals) % model.seats
        named = now if isinstance(line, Staged) or line.dealer is None else line.dealer
        yield reached + model.places * named, more + (0 if named == now else LOST)


def _put_right(model: Model, dealer: Seat, place: Place, said: Seat) -> tuple[State, Cost]:
    """The state after it was said who deals now; after the crib that is the next deal."""
    now = (dealer + 1) % model.seats if place == model.crib else dealer
    if now == said:
        return dealer * model.places + place, 0
    return (0 if place == model.crib else place) + model.places * said, LOST


def _is_late(model: Model, line: Dealt, dealer: Seat, place: Place) -> bool:
    """Whether the announced deal can be the one in hand, announced late, after its first points."""
    begun = place not in {0, model.crib}
    return begun and (model.in_play(place) if line.dealer is None else line.dealer == dealer)


Ways: TypeAlias = list[tuple[Place, int, Cost]]
"""Places that can be reached, each with how many deals further it is and its cost."""


def _on(model: Model, place: Place) -> Ways:
    """Ways to a new deal; whatever was not pegged of this one was zero or forgotten."""
    return [way for way in model.ahead(place) if way[:2] == (0, 1)] or [(0, 1, LOST)]


def _to_stage(model: Model, place: Place, stage: str) -> Ways:
    """Ways to the play, or to the show."""
    wanted = model.in_play if stage == "play" else model.in_show
    found = [
        (reached, deals, cost + (SAID_LATE if stage == "show" and reached > model.show else 0))
        for reached, deals, cost in model.ahead(place)
        if wanted(reached)
    ]
    return found or [(model.middle(0) if stage == "play" else model.show, 0, LOST)]
