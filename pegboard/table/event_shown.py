"""What displays and pages show of the event: where players go next, who is called, whether the hub is reached. Pure."""

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

# --- the result of a game of an event, by its events in the journal. Pure ---


def result_of(rows: Sequence[EventRow], table: str) -> ResultCode | None:
    """The result of a game played at `table`; None where it is no game of an event, not over or not confirmed."""
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
        players=game.players,
        holes=tuple(lane.front for lane in game.lanes),
        confirmed=tuple(sorted(game.confirmed)),
        first=rows[0].id,
        last=rows[-1].id,
        rows=tuple(SheetRow(row.kind, json.loads(row.body), row.version) for row in rows),
    )


# --- which game of an event a table plays next, and by what rules. Pure ---


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


# --- the calls of a table: who was called here, and who comes. Pure; nothing of it is stored ---


Calls: TypeAlias = tuple[Call, ...]
"""At most one for each who can be called, in that order."""


def toggle(calls: Calls, kind: CallFor, new_id: str) -> Calls:
    """Call somebody, by that id; or take that back, where the call stands."""
    if any(call.kind == kind for call in calls):
        return tuple(call for call in calls if call.kind != kind)
    return _in_order((*calls, Call(new_id, kind, needed=NEEDED[kind])))


def merge(calls: Calls, answers: Iterable[CallAnswer]) -> Calls:
    """The calls after what the hub says of them; one that has ended is gone, and one it does not know still stands."""
    known = {answer.id: answer for answer in answers}
    return tuple(_with_answer(call, known.get(call.id)) for call in calls if not _has_ended(known.get(call.id)))


def _with_answer(call: Call, answer: CallAnswer | None) -> Call:
    return call if answer is None else call._replace(accepted=answer.accepted, needed=answer.needed)


def _has_ended(answer: CallAnswer | None) -> bool:
    return answer is not None and answer.ended


def _in_order(calls: Calls) -> Calls:
    return tuple(call for kind in NEEDED for call in calls if call.kind == kind)


# --- a finished game that has not reached the hub for a while: the address with its code, for a phone to carry ---


UNSENT_S = 10.0
"""Seconds after which it is shown as a code."""


PAGE = "R"
"""The page of a hub that takes a code; a capital, as QR codes of capitals are smaller."""


class UnsentResult:
    """Notes since when the finished game on the table waits for the hub."""

    def __init__(self, folder: Path, link: EventLink, clock: Callable[[], float]) -> None:
        """`folder` is that of the journal, `clock` gives steady seconds."""
        self._folder, self._link, self._clock = folder, link, clock
        self._since_s: float | None = None
        self._of: tuple[str, int] = ("", 0)
        self._url = ""

    @property
    def waits(self) -> bool:
        """Whether one waits, so that time alone changes something."""
        return self._since_s is not None

    def address(self, place: JoinAnswer, view: View, orders: TableOrders | None) -> str:
        """The address with the code, once the game has waited long enough; until then ""."""
        has_come = is_in(orders, view.game.pairing) or (self._link.is_linked and not self._link.waiting)
        if has_come or not is_agreed(view.game):
            self._since_s = None
            return ""
        if self._since_s is None:
            self._since_s = self._clock()
        return self._address(place, view) if self._clock() >= self._since_s + UNSENT_S else ""

    def _address(self, place: JoinAnswer, view: View) -> str:
        """The same, made once for each state of the game."""
        now = view.id, view.revision
        if now != self._of:
            result = result_of(rows_of_game(self._folder, view.id), place.table)
            self._of = now
            self._url = "" if result is None else f"{place.hub}/{PAGE}/{encode_short(result)}".lstrip("/")
        return self._url


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
