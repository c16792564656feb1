"""Which game of an event a table plays next, and by what rules. Pure."""

from collections.abc import Container

from pegboard.core.board import Game
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Setup
from pegboard.core.names import clean_name
from pegboard.core.rules import Rules, format_named
from pegboard.tournament.table_orders import OrderedGame, TableOrders

VARIANT, FORMAT = "acc", "single"
"""What is played in an event, but for the house rules of its orders."""

OF_EVENTS = ("strict=on", "confirm=on")
"""What every game of an event is played by: only a director corrects, and the players confirm the result."""


def full_pairing(orders: TableOrders, order: OrderedGame) -> str:
    """What the journal calls a game of the event."""
    return f"{orders.event}/{order.game}"


def order_of(orders: TableOrders, pairing: str) -> OrderedGame | None:
    """The order of a game, by what the journal calls it; None where there is none."""
    return next((order for order in orders.games if full_pairing(orders, order) == pairing), None)


def next_order(orders: TableOrders, now: Game, played: Container[str]) -> OrderedGame | None:
    """The game that is to be played next: the first one that was not; None where none is known, or it is played now.

    `played` are the games that are over, by what the journal calls them.
    """
    to_play = (order for order in orders.games if not order.is_done and full_pairing(orders, order) not in played)
    first = next(to_play, None)
    return None if first is None or _is_now(orders, first, now) else first


def _is_now(orders: TableOrders, order: OrderedGame, now: Game) -> bool:
    """Whether a game is on the table; one that has begun is, whatever names and rules are ordered by now."""
    if full_pairing(orders, order) != now.pairing:
        return False
    return bool(now.entries) or (_names(order), _rules(order)) == (now.players, now.rules)


def _names(order: OrderedGame) -> tuple[str, ...]:
    """The names as a table has them.

    Raises:
        RuleError: one cannot be had there.
    """
    return tuple(clean_name(name) for name in order.players)


def _rules(order: OrderedGame) -> Rules:
    """The rules that are played by.

    Raises:
        RuleError: there is no such house rule.
    """
    return with_house_rules(Rules.named(VARIANT), (*order.house, *OF_EVENTS))


def setup_of(orders: TableOrders, order: OrderedGame) -> Setup:
    """Who plays what in a game of the event.

    Raises:
        RuleError: there is no such house rule or name.
    """
    return Setup(_rules(order), _names(order), format_named(FORMAT), order.dealer, full_pairing(orders, order))
