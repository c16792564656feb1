"""What displays and pages show of the event: where players go next, who is called, whether the hub is reached. Pure."""

from dataclasses import dataclass

from pegboard.core.board import Game
from pegboard.core.sentences import join_names
from pegboard.core.view import EventNews, NextSeat
from pegboard.event_table.join_answer import JoinAnswer
from pegboard.event_table.next_pairing import order_of
from pegboard.event_table.table_calls import Calls
from pegboard.messages import Message
from pegboard.tournament.table_orders import OrderedGame, TableOrders

IN_AT_HUB = frozenset({"in", "mismatch", "ruled"})
"""Words of a hub that has a result."""


@dataclass(frozen=True, slots=True)
class EventFacts:
    """What is known of the event now.

    Attributes:
        place: the table's place in it.
        orders: the newest orders of the hub, or None.
        game: the game on the table.
        waiting: the names of those who play here next.
        calls: who is called.
        is_linked: whether the hub is reached.
        result_url: an address with the code of the finished game, where that has not reached the hub; else "".
    """

    place: JoinAnswer
    orders: TableOrders | None
    game: Game
    waiting: tuple[str, ...] = ()
    calls: Calls = ()
    is_linked: bool = True
    result_url: str = ""


def shown_event(facts: EventFacts) -> EventNews:
    """What is shown of the event."""
    orders, game = facts.orders, facts.game
    order = None if orders is None else order_of(orders, game.pairing)
    settled = None if orders is None else say_settled(orders, game)
    return EventNews(
        name=(orders.event_name if orders else "") or facts.place.event_name,
        table=_label(facts),
        round=order.round if order else 0,
        rounds=order.of if order else 0,
        next=_next_seats(facts, order) if is_agreed(game) or settled else (),
        here=facts.waiting,
        calls=facts.calls,
        is_linked=facts.is_linked,
        result_url=facts.result_url,
        announcement=orders.announcement if orders else "",
        settled=settled,
    )


def is_agreed(game: Game) -> bool:
    """Whether a game of an event is over, and all have confirmed it."""
    return bool(game.pairing) and game.outcome is not None and not game.lanes_to_confirm()


def say_settled(orders: TableOrders, game: Game) -> Message | None:
    """How the hub came to count the finished game that waits here to be confirmed; None where it does not."""
    event, _, key = game.pairing.partition("/")
    found = orders.settled.get(key) if event == orders.event else None
    if found is None or game.outcome is None or not game.lanes_to_confirm():
        return None
    if found.winner is None:
        return Message("event_director_decided")
    fronts = [lane.front for lane in game.lanes]
    ended = game.outcome.winner, abs(fronts[0] - fronts[1])
    if ended != (found.winner, found.margin):
        return None  # it has another end here by now, of which the hub has not heard
    names = [name for seat, name in enumerate(game.players) if seat in found.by_phone]
    return Message("event_confirmed_by_phone", names=join_names(names))


def is_in(orders: TableOrders | None, pairing: str) -> bool:
    """Whether the hub has said that it has the result of a game."""
    return orders is not None and orders.results.get(pairing.partition("/")[2]) in IN_AT_HUB


def _label(facts: EventFacts) -> str:
    return (facts.orders.label if facts.orders else "") or facts.place.label


def _next_seats(facts: EventFacts, order: OrderedGame | None) -> tuple[NextSeat, ...]:
    """Where each player of the game goes."""
    if order is None:
        return ()
    label = _label(facts)
    return tuple(
        NextSeat(name) if seat is None else NextSeat(name, seat.table, seat.against, seat.deals, seat.table == label)
        for name, seat in zip(facts.game.players, order.after, strict=False)
    )
