"""Event data for displays: next game and its setup, next seats, calls, settled results; result codes for the hub."""

import json
from collections.abc import Callable, Container, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from pegboard.core.board import Game
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Setup
from pegboard.core.names import clean_name
from pegboard.core.rules import Rules, format_named
from pegboard.core.sentences import join_names
from pegboard.core.view import Call, CallFor, EventNews, NextSeat, View
from pegboard.messages import Message
from pegboard.storage.event_row import EventRow, replay_rows
from pegboard.storage.games import rows_of_game
from pegboard.table.joining import EventLink, JoinAnswer
from pegboard.tournament.calls import NEEDED
from pegboard.tournament.result_code import ResultCode, SheetRow, encode_short
from pegboard.tournament.table_orders import CallAnswer, OrderedGame, TableOrders

# --- result of an event's game, from its journal events. Pure ---


def result_of(rows: Sequence[EventRow], table: str) -> ResultCode | None:
    """The result of a game played at `table`; None if it is not an event's game, not over or not confirmed."""
    game = replay_rows(rows)
    if not is_agreed(game):
        return None
    event, _, pairing = game.pairing.partition("/")
    return ResultCode(
        event=event,
        table=table,
        epoch=rows[-1].original_epoch,
        game=rows[0].game,
        pairing=pairing,
        players=game.first_players,
        holes=tuple(lane.front for lane in game.lanes),
        confirmed=tuple(sorted(game.confirmed)),
        first=rows[0].id,
        last=rows[-1].id,
        rows=tuple(SheetRow(row.kind, json.loads(row.body), row.version) for row in rows),
    )


# --- the next game that a table plays in an event, and its rules. Pure ---


VARIANT, FORMAT = "acc", "single"
"""The variant and format of every event game; its orders may add house rules."""

EVENT_HOUSE_RULES = ("strict=on", "confirm=on")
"""Rules of every event game: only a director corrects, and the players confirm the result."""


def full_pairing(orders: TableOrders, order: OrderedGame) -> str:
    """The journal's name for a game of the event."""
    return f"{orders.event}/{order.game}"


def order_of(orders: TableOrders, pairing: str) -> OrderedGame | None:
    """The order of a game, by its name in the journal, or None."""
    return next((order for order in orders.games if full_pairing(orders, order) == pairing), None)


def next_order(orders: TableOrders, now: Game, played: Container[str]) -> OrderedGame | None:
    """The next game to play, the first not played yet; None if no such game is known, or it is already on the table.

    `played` are the finished games, by their names in the journal.
    """
    to_play = (order for order in orders.games if not order.is_done and full_pairing(orders, order) not in played)
    first = next(to_play, None)
    return None if first is None or _is_now(orders, first, now) else first


def _is_now(orders: TableOrders, order: OrderedGame, now: Game) -> bool:
    """Whether a game is on the table; once begun, it stays there, even if its order now has other names or rules."""
    if full_pairing(orders, order) != now.pairing:
        return False
    return bool(now.entries) or (_names(order), _rules(order)) == (now.players, now.rules)


def _names(order: OrderedGame) -> tuple[str, ...]:
    """The players' names, as the table cleans them.

    Raises:
        RuleError: a name is invalid.
    """
    return tuple(clean_name(name) for name in order.players)


def _rules(order: OrderedGame) -> Rules:
    """The rules of the game.

    Raises:
        RuleError: a house rule is unknown.
    """
    return with_house_rules(Rules.named(VARIANT), order.house, EVENT_HOUSE_RULES)


def setup_of(orders: TableOrders, order: OrderedGame) -> Setup:
    """The setup of a game of the event.

    Raises:
        RuleError: a house rule is unknown, or a name is invalid.
    """
    return Setup(_rules(order), _names(order), format_named(FORMAT), order.dealer, full_pairing(orders, order))


# --- calls from a table for a judge or the director, and the helpers who are coming. Pure; not stored ---


Calls: TypeAlias = tuple[Call, ...]
"""At most one call for each kind, in the order of the kinds."""


def toggle(calls: Calls, kind: CallFor, new_id: str) -> Calls:
    """Add a call of this kind, with the id `new_id`; if there already is a call of this kind, cancel it."""
    if any(call.kind == kind for call in calls):
        return tuple(call for call in calls if call.kind != kind)
    return _in_order((*calls, Call(new_id, kind, needed=NEEDED[kind])))


def merge(calls: Calls, answers: Iterable[CallAnswer]) -> Calls:
    """Merge the hub's answers into the calls: ended calls are removed, calls unknown to the hub stay."""
    known = {answer.id: answer for answer in answers}
    return tuple(_with_answer(call, known.get(call.id)) for call in calls if not _has_ended(known.get(call.id)))


def _with_answer(call: Call, answer: CallAnswer | None) -> Call:
    return call if answer is None else call._replace(accepted=answer.accepted, needed=answer.needed)


def _has_ended(answer: CallAnswer | None) -> bool:
    return answer is not None and answer.ended


def _in_order(calls: Calls) -> Calls:
    return tuple(call for kind in NEEDED for call in calls if call.kind == kind)


# --- QR code for a finished game that the hub has not received: a phone can carry the result to the hub ---


UNSENT_S = 10.0
"""Seconds that a finished game waits for the hub before its code is shown."""

PAGE = "R"
"""The hub's page for such a code; in upper case, because QR codes of upper-case text are smaller."""


class UnsentResult:
    """Tracks how long the finished game on the table has been waiting for the hub."""

    def __init__(self, folder: Path, link: EventLink, clock: Callable[[], float]) -> None:
        """`folder` is the folder of the journal, `clock` returns monotonic seconds."""
        self._folder, self._link, self._clock = folder, link, clock
        self._since_s: float | None = None
        self._of: tuple[str, int] = ("", 0)
        self._url = ""

    @property
    def waits(self) -> bool:
        """Whether a result is waiting, so that the display changes as time passes."""
        return self._since_s is not None

    def address(self, place: JoinAnswer, view: View, orders: TableOrders | None) -> str:
        """The address with the code once the game has waited long enough; "" until then."""
        has_come = is_in(orders, view.game.pairing) or (self._link.is_linked and not self._link.waiting)
        if has_come or not is_agreed(view.game):
            self._since_s = None
            return ""
        if self._since_s is None:
            self._since_s = self._clock()
        return self._address(place, view) if self._clock() >= self._since_s + UNSENT_S else ""

    def _address(self, place: JoinAnswer, view: View) -> str:
        """The address, cached for each state of the game."""
        now = view.id, view.revision
        if now != self._of:
            result = result_of(rows_of_game(self._folder, view.id), place.table)
            self._of = now
            self._url = "" if result is None else f"{place.hub}/{PAGE}/{encode_short(result)}".lstrip("/")
        return self._url


STORED_AT_HUB = frozenset({"in", "mismatch", "ruled"})
"""The hub's words for a result that it has."""


@dataclass(frozen=True, slots=True)
class EventFacts:
    """The current facts of the event.

    Attributes:
        place: the table's place in the event.
        orders: the newest orders from the hub, or None.
        game: the game on the table.
        waiting: the names of the players who play here next.
        calls: the open calls.
        is_linked: whether the hub is connected.
        result_url: an address with the code of the finished game if the hub has not received it; else "".
    """

    place: JoinAnswer
    orders: TableOrders | None
    game: Game
    waiting: tuple[str, ...] = ()
    calls: Calls = ()
    is_linked: bool = True
    result_url: str = ""


def shown_event(facts: EventFacts) -> EventNews:
    """The event as displays show it."""
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
    """Whether a game of an event is over and confirmed by all."""
    return bool(game.pairing) and game.outcome is not None and not game.lanes_to_confirm()


def say_settled(orders: TableOrders, game: Game) -> Message | None:
    """The reason why the hub already counts the finished game, unconfirmed here; None if the hub does not count it."""
    event, _, key = game.pairing.partition("/")
    found = orders.settled.get(key) if event == orders.event else None
    if found is None or game.outcome is None or not game.lanes_to_confirm():
        return None
    if found.winner is None:
        return Message("event_director_decided")
    fronts = [lane.front for lane in game.lanes]
    ended = game.outcome.winner, abs(fronts[0] - fronts[1])
    if ended != (found.winner, found.margin):
        return None  # the result has changed here since, which the hub does not know yet
    names = [name for seat, name in enumerate(game.first_players) if seat in found.by_phone]
    return Message("event_confirmed_by_phone", names=join_names(names))


def is_in(orders: TableOrders | None, pairing: str) -> bool:
    """Whether the hub has reported that it has the result of a game."""
    return orders is not None and orders.results.get(pairing.partition("/")[2]) in STORED_AT_HUB


def _label(facts: EventFacts) -> str:
    return (facts.orders.label if facts.orders else "") or facts.place.label


def _next_seats(facts: EventFacts, order: OrderedGame | None) -> tuple[NextSeat, ...]:
    """The next seat of each player of the game."""
    if order is None:
        return ()
    label = _label(facts)
    return tuple(
        NextSeat(name) if seat is None else NextSeat(name, seat.table, seat.against, seat.deals, seat.table == label)
        for name, seat in zip(facts.game.first_players, order.after, strict=False)
    )
