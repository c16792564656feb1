"""Demo tables: simulated tables that play random cribbage for a hub, their in-process broker, and one thread for all.

A table plays the games that the hub orders, and resends each event until the hub has acknowledged it.
"""

import heapq
import itertools
import json
import logging
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, Self

from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.cards.pack import JACK, RANKS, SUITS, Card
from pegboard.core.cards.play import THIRTY_ONE, PlayCount
from pegboard.core.cards.show import flush_points, has_nobs, rank_points
from pegboard.core.entry import Origin
from pegboard.core.match import Match
from pegboard.core.moves import Command, Confirm, Event, Reason, Score, Start, Started
from pegboard.core.referee import apply, decide
from pegboard.core.view import View
from pegboard.mqtt.broker_session import BrokerAddress, Delivery, Publication, SessionOwner
from pegboard.mqtt.hub_link import state_of
from pegboard.mqtt.messages_of_hub import (
    ACK,
    COMMANDS,
    EVENTS,
    ROOT,
    STATE,
    STATUS,
    TableTopics,
    read_acknowledgement,
    read_presence,
    read_small_object,
    write_object,
    write_status,
)
from pegboard.mqtt.outbox import NOTHING, KnownHubs, OutboxPage, SendWindow
from pegboard.storage.event_row import EventRow, chain_hash
from pegboard.table.event_shown import next_order, setup_of
from pegboard.tournament.table_orders import OrderedGame, TableOrders, read_orders

# --- a random game of cribbage: points pegged card by card; both players use simple tactics ---


PACK = tuple(Card(rank, suit) for suit in SUITS for rank in range(1, len(RANKS) + 1))

DEALT, HELD = 6, 4
"""Cards dealt to each of two players, and cards kept."""

SEATS = 2

HEELS, GO = 2, 1
"""Points for turning up a jack, and for a go or the last card."""


class Pegged(NamedTuple):
    """Points pegged at one time.

    Attributes:
        seat: the player's seat.
        points: the number of points; a hand or crib without points is pegged as 0.
        why: the reason for the points.
    """

    seat: int
    points: int
    why: Reason


def play_deals(dice: random.Random, dealer: int) -> Iterator[Pegged]:
    """Points pegged in an endless series of deals; `dealer` deals first, then the deal alternates."""
    while True:
        yield from play_deal(dice, dealer)
        dealer = 1 - dealer


def play_deal(dice: random.Random, dealer: int) -> Iterator[Pegged]:
    """Points pegged in one deal, in order: heels, the play, the pone's hand, the dealer's hand, the crib."""
    cards = dice.sample(PACK, SEATS * DEALT + 1)
    starter, dealt = cards[-1], (cards[:DEALT], cards[DEALT : 2 * DEALT])
    hands = [max(combinations(own, HELD), key=rank_points) for own in dealt]
    crib = [card for own, hand in zip(dealt, hands, strict=True) for card in own if card not in hand]
    if starter.rank == JACK:
        yield Pegged(dealer, HEELS, Reason.HEELS)
    yield from _play_hands(hands, 1 - dealer)
    for seat in (1 - dealer, dealer):
        yield Pegged(seat, _count(hands[seat], starter, is_crib=False), Reason.HAND)
    yield Pegged(dealer, _count(crib, starter, is_crib=True), Reason.CRIB)


def _count(cards: Sequence[Card], starter: Card, *, is_crib: bool) -> int:
    suits = flush_points(cards, starter, crib=is_crib) + has_nobs(cards, starter)
    return rank_points([*cards, starter]) + suits


def _play_hands(hands: Sequence[Sequence[Card]], seat: int) -> Iterator[Pegged]:
    """Points scored as the cards are played, `seat` first."""
    left = [list(hand) for hand in hands]
    laid, last = PlayCount(), seat
    while any(left):
        fits = [card for card in left[seat] if laid.count + card.value <= THIRTY_ONE]
        if fits:
            card = max(fits, key=lambda one: (_lay(laid, one).points, one.value))
            left[seat].remove(card)
            laid, last = _lay(laid, card), seat
            yield from _score(laid, seat)
        elif not any(laid.count + card.value <= THIRTY_ONE for card in left[1 - seat]):
            if 0 < laid.count < THIRTY_ONE:
                yield Pegged(last, GO, Reason.GO)
            laid, seat = PlayCount(), last
        seat = 1 - seat
    if laid.count < THIRTY_ONE:
        yield Pegged(last, GO, Reason.GO)


def _lay(laid: PlayCount, card: Card) -> PlayCount:
    return PlayCount((*laid.cards, card), laid.count + card.value)


def _score(laid: PlayCount, seat: int) -> Iterator[Pegged]:
    if laid.points:
        yield Pegged(seat, laid.points, Reason.THIRTY_ONE if laid.count == THIRTY_ONE else Reason.PLAY)


# --- in-memory journal of a simulated table: numbered rows, linked by a hash chain ---


SOURCE = "key"
"""Source of the events, as if entered by key."""


class DemoJournal:
    """The events of one table, like the journal of a real table."""

    def __init__(self, epoch: str) -> None:
        """Start an empty journal with the id `epoch`."""
        self.epoch = epoch
        self._rows: list[EventRow] = []
        self._links = [""]
        self._places: Counter[str] = Counter()

    @property
    def newest(self) -> int:
        """The number of the newest event; 0 before the first."""
        return len(self._rows)

    def add(self, game: str, event: Event, at: int) -> Origin:
        """Append an event of a game at `at` (ns since 1970), and return its origin."""
        self._places[game] += 1
        kind, body = wire.event_values(event)
        text, place = json.dumps(body, ensure_ascii=False), self._places[game]
        columns = self.newest + 1, game, place, at, kind, text, SOURCE, None, None, self.epoch, wire.version(event)
        self._rows.append(EventRow(*columns))
        self._links.append(chain_hash(self._links[-1], columns))
        return self._rows[-1].origin

    def read_page(self, after: int, most: int) -> OutboxPage:
        """At most `most` events after number `after`, which must not be the newest."""
        rows = self._rows[after : after + most]
        return OutboxPage(self.epoch, (after, self._links[after]), self._links[rows[-1].id], tuple(rows))


SITTING_DOWN_S, PEGGING_S, CONFIRMING_S = 40.0, 8.0, 10.0
"""Average seconds before the first score of a game, before each further one, and before each confirmation."""


class DemoTable:
    """One table of an event, and its two players."""

    def __init__(self, event: str, table: str, dice: random.Random, publish: Callable[[str, bytes], bool]) -> None:
        """Plays at random from `dice`; `publish` sends a message, given topic and payload."""
        self.table, self._dice, self._publish = table, dice, publish
        self._topics = TableTopics(event, table)
        self._journal = DemoJournal(f"{dice.getrandbits(64):016x}")
        self._hubs, self._window = KnownHubs(event), SendWindow(dice.random)
        self._orders: TableOrders | None = None
        self._game, self._id = Game(), ""
        self._played: set[str] = set()
        self._entries: Iterator[Pegged] = iter(())
        self._said = b""

    # --- messages from the hub ---

    def hear(self, topic: str, payload: bytes, now_s: float) -> None:
        """Handle a message received at `now_s` by a monotonic clock; ignores messages to other tables."""
        if topic == self._topics.of(ACK):
            self._hubs.note_acknowledgement(*read_acknowledgement(payload))
        elif topic == self._topics.of(COMMANDS):
            self._orders = read_orders(read_small_object(payload))
        elif topic.startswith(f"{ROOT}/hub/"):
            if self._hubs.note_presence(read_presence(payload)):
                self._window.restart()
        else:
            return
        self.send(now_s)

    def send(self, now_s: float) -> None:
        """Send events that the hub has not acknowledged, within a window; resend them after a silence."""
        if not self._hubs.present:
            return
        self._window.acknowledge(self._hubs.common_acknowledgement().get(self._journal.epoch, NOTHING).seq, now_s)
        self._window.back_off(now_s)
        while (room := self._window.room) and self._window.sent < self._journal.newest:
            page = self._journal.read_page(self._window.sent, room)
            if not self._publish(self._topics.of(EVENTS), page.message(self.table)):
                return
            self._window.note_sent(page.numbers, now_s)

    def say_status(self, *, is_online: bool) -> None:
        """Publish whether the table is online."""
        self._publish(self._topics.of(STATUS), write_status(self.table, self._journal.epoch, is_online=is_online))

    def say_state(self) -> None:
        """Publish what the board shows, if it has changed."""
        view = View(
            self._game,
            Match.empty(SEATS, "single"),
            id=self._id,
            match_id=self._id,
            epoch=self._journal.epoch,
            revision=self._journal.newest,
        )
        more = {"table": self.table, "waiting": self._journal.newest - self._window.acknowledged, "calls": []}
        said = write_object(state_of(view, "") | more | {"pairing": self._game.pairing})
        if said != self._said:
            self._said = said
            self._publish(self._topics.of(STATE), said)

    # --- the game ---

    def next_game(self) -> OrderedGame | None:
        """The next game by the hub's orders; None while a game is played, or if no order is known."""
        if self._orders is None or self.is_playing:
            return None
        return next_order(self._orders, self._game, self._played)

    @property
    def is_playing(self) -> bool:
        """Whether the table has a game that is not won yet, or not confirmed."""
        return bool(self._id) and (self._game.outcome is None or bool(self._game.lanes_to_confirm()))

    def wait_s(self) -> float:
        """Random seconds until the players' next action."""
        pegging_s = PEGGING_S if self._game.entries else SITTING_DOWN_S
        mean_s = pegging_s if self._game.outcome is None else CONFIRMING_S
        return mean_s * (0.5 + self._dice.random())

    def begin(self, order: OrderedGame, at: int) -> None:
        """Start a game at `at` (ns since 1970)."""
        assert self._orders is not None
        setup = setup_of(self._orders, order)
        start = Start(setup.rules, setup.players, setup.dealer, setup.format, pairing=setup.pairing)
        self._id = f"{self._dice.getrandbits(128):032x}"
        self._game = Game()
        self._do(start, at)
        self._entries = play_deals(self._dice, self._game.first_dealer)

    def go_on(self, at: int) -> None:
        """Take the next action of the game: peg points, or confirm the result."""
        outcome = self._game.outcome
        if outcome is None:
            entry = next(self._entries)
            self._do(Score(entry.points, entry.seat, why=entry.why), at)
            return
        (lane, *others) = self._game.lanes_to_confirm()
        self._do(Confirm(lane, outcome.winner, tuple(each.front for each in self._game.lanes)), at)
        if not others:
            self._played.add(self._game.pairing)

    def _do(self, command: Command, at: int) -> None:
        event = decide(self._game, command)
        if isinstance(event, Started):
            event = replace(event, match=self._id)
        self._game = apply(self._game, event, self._journal.add(self._id, event, at))


# --- in-process broker for the demo: a hub's session on one side, simulated tables on the other, all in one thread ---


log = logging.getLogger("pegboard")


class DemoBroker:
    """Carries messages between one hub and the tables; it is also the hub's session, whose connection is never lost.

    Attributes:
        news: queue of all messages from the hub; None wakes up the waiting reader.
    """

    def __init__(self) -> None:
        """`open_session` replaces `BrokerSession` for the hub."""
        self.news: SimpleQueue[Publication | None] = SimpleQueue()
        self._hub: SessionOwner | None = None
        self._is_connected = False

    def open_session(self, _address: BrokerAddress, owner: SessionOwner, **_: Any) -> Self:
        """The session of the hub `owner`; it always has a hub's subscriptions."""
        self._hub = owner
        return self

    def start(self) -> None:
        """Connect the hub."""
        assert self._hub is not None
        self._is_connected = True
        self._hub.note_connection()

    def stop(self, last: Publication | None = None) -> None:
        """Send the hub's last message and disconnect it."""
        if last is not None:
            self.publish(last)
        self._is_connected = False

    def publish(self, publication: Publication) -> bool:
        """Queue a message of the hub for the tables; from any thread."""
        self.news.put(publication)
        return True

    def publish_to_hub(self, topic: str, payload: bytes) -> bool:
        """Hand the hub a message of a table; returns whether the hub is connected. Errors in handling are contained."""
        if self._hub is None or not self._is_connected:
            return False
        try:
            self._hub.note_delivery(Delivery(topic, payload))
        except Exception:
            log.exception("a message could not be processed")
        return True


STATE_S = 0.25
"""Minimum seconds between two states of a table."""

LOOK_S = 1.0
"""Seconds until an idle table looks for a game again, and resends unacknowledged events."""

AT_ONCE = 8
"""Turns taken before the hub's messages are read again."""


class DemoRoom:
    """Tables of one event that play from `start` until `stop`."""

    def __init__(
        self,
        broker: DemoBroker,
        event: str,
        tables: Sequence[str],
        *,
        speed: float,
        dice: random.Random,
        may_begin: Callable[[str, str], bool],
    ) -> None:
        """The tables stay idle until `start`.

        Args:
            broker: carries their messages.
            event: the event id.
            tables: the names of the tables.
            speed: how many times faster than people the tables play; `math.inf` for no waiting.
            dice: random source.
            may_begin: returns whether a game can begin at a table, given table and game key; only in a started round.
        """
        self._broker, self._speed, self._may_begin = broker, speed, may_begin
        own = [random.Random(dice.getrandbits(64)) for _ in tables]  # noqa: S311 - cards of a simulation
        self._tables = [
            DemoTable(event, table, chance, broker.publish_to_hub) for table, chance in zip(tables, own, strict=True)
        ]
        self._order = itertools.count()
        self._due: list[tuple[float, int, DemoTable]] = []
        self._state_s: dict[str, float] = {}
        self._is_stopping = False
        self._thread = threading.Thread(target=self._run, name="demo tables", daemon=True)

    def start(self) -> None:
        """Start playing."""
        for table in self._tables:
            self._plan(table, 0.0)
        self._thread.start()

    def stop(self) -> None:
        """Stop playing."""
        self._is_stopping = True
        self._broker.news.put(None)
        if self._thread.is_alive():
            self._thread.join(5.0)

    def wake(self) -> None:
        """Check at once whether a game may begin, because a round has started. From any thread."""
        self._broker.news.put(None)

    def _run(self) -> None:
        for table in self._tables:
            table.say_status(is_online=True)
            table.say_state()
        while not self._is_stopping:
            self._listen(self._due[0][0] - time.monotonic())
            for _ in range(AT_ONCE):
                if self._due[0][0] <= time.monotonic():
                    self._take_turn(heapq.heappop(self._due)[2])
        for table in self._tables:
            table.say_status(is_online=False)

    def _listen(self, wait_s: float) -> None:
        """Deliver what the hub sends; wait up to `wait_s` for the first message."""
        is_news = False
        try:
            said = self._broker.news.get(timeout=wait_s) if wait_s > 0 else self._broker.news.get_nowait()
            while True:
                is_news |= self._deliver(said)
                said = self._broker.news.get_nowait()
        except Empty:
            pass
        if is_news:
            self._hurry()

    def _deliver(self, said: Publication | None) -> bool:
        """Deliver a message to all tables; returns whether a new game may begin because of it."""
        if said is None:
            return True
        now_s = time.monotonic()
        for table in self._tables:
            table.hear(said.topic, said.payload, now_s)
        return said.topic.endswith(f"/{COMMANDS}")

    def _hurry(self) -> None:
        """Let idle tables take their turn at once."""
        self._due = [(at_s if table.is_playing else 0.0, number, table) for at_s, number, table in self._due]
        heapq.heapify(self._due)

    def _take_turn(self, table: DemoTable) -> None:
        """Let a table take its turn, and schedule its next one; an error at one table stops no other."""
        wait_s = LOOK_S
        try:
            wait_s = self._move(table)
        except Exception:
            log.exception("error in a simulated table")
        self._plan(table, time.monotonic() + wait_s)

    def _move(self, table: DemoTable) -> float:
        """Let a table do what is due, and return the seconds until its next turn."""
        at, wait_s = time.time_ns(), LOOK_S
        order = table.next_game()
        if table.is_playing:
            table.go_on(at)
            wait_s = table.wait_s() / self._speed
        elif order is not None and self._may_begin(table.table, order.game):
            table.begin(order, at)
            wait_s = table.wait_s() / self._speed
        now_s = time.monotonic()
        table.send(now_s)
        if now_s >= self._state_s.get(table.table, 0.0) or not table.is_playing:
            self._state_s[table.table] = now_s + STATE_S
            table.say_state()
        return wait_s

    def _plan(self, table: DemoTable, at_s: float) -> None:
        heapq.heappush(self._due, (at_s, next(self._order), table))
