"""The table in its event: seats the next game, passes on calls, and shows what the hub says, in a thread of its own."""

import logging
import secrets
import threading
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias

from pegboard.core.view import CallFor, EventNews, View
from pegboard.errors import PegboardError, RuleError
from pegboard.event_table.event_link import EventLink
from pegboard.event_table.event_membership import EventMembership, HubQuestion, Search
from pegboard.event_table.hub_request import Post, post_json
from pegboard.event_table.join_answer import JoinAnswer, Json
from pegboard.event_table.next_pairing import next_order, setup_of
from pegboard.event_table.shown_event import EventFacts, shown_event
from pegboard.event_table.table_calls import Calls, merge, toggle
from pegboard.event_table.unsent_result import UnsentResult
from pegboard.feed import Feed
from pegboard.held_keys.event_keys import KEYS
from pegboard.messages import Message
from pegboard.scoreboard import Scoreboard
from pegboard.storage.games import played_pairings
from pegboard.tournament.table_orders import TableOrders, read_orders

LOOK_S = 2.0
"""Seconds between looks at the link, while a finished game waits for it."""

Task: TypeAlias = Callable[[], None]

log = logging.getLogger("pegboard")


class EventTable:
    """The table's part in an event. Its thread begins with the first event; doors hand tasks to it, and do not wait.

    Attributes:
        is_joining: whether a hub has yet to answer.
        trouble: why the last wish could not be met, or None.
    """

    def __init__(
        self,
        scoreboard: Scoreboard,
        feed: Feed,
        folder: Path,
        link: EventLink,
        *,
        name: str,
        post: Post = post_json,
        search: Search = tuple,
        new_id: Callable[[], str] = lambda: secrets.token_hex(4),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`name` is what this machine is called, `post` asks a hub, `search` finds some, `new_id` names a call.

        `clock` gives seconds.
        """
        self._scoreboard, self._feed, self._folder, self._link = scoreboard, feed, folder, link
        self._new_id = new_id
        self._membership = EventMembership(folder, link, name, post, search)
        self._unsent = UnsentResult(folder, link, clock)
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._leave_feed: Callable[[], None] | None = None
        self._orders: TableOrders | None = None
        self._calls: Calls = ()
        self._played: frozenset[str] = frozenset()
        self._noticed: object = None
        self._seated: object = None
        self._shown: EventNews | None = None
        self._state: Json = {}
        self.is_joining = False
        self.trouble: Message | None = None

    # --- doors: they hand on, and do not wait ---

    def start(self) -> Callable[[], None]:
        """Go on with the event that the table plays in, if any; the returned function ends that."""
        if self.place is not None:
            self._hand_on(self._enter)
        return self._stop

    def look(self) -> None:
        """See whether another program has joined or left an event for this table; to be called at intervals."""
        try:
            is_another = self._link.reload()
        except PegboardError as error:
            self._say_once(error.message)
            return
        if is_another:
            self._hand_on(self._enter)

    def join(self, text: str, by: str = "", *, confirmed: bool = False) -> None:
        """Begin to join the event of a code, with or without the hub's address; what becomes of it is a notice.

        `by` says who joins (`JoinAnswer.by`), `confirmed` that a director has typed it.
        """
        self.is_joining = True
        self._hand_on(partial(self._join, partial(self._membership.join, text, by, confirmed=confirmed)))

    def answer_question(self, address: str, *, yes: bool) -> None:
        """Join as `question` asks about that address, or not."""
        self.is_joining = True
        self._hand_on(partial(self._join, partial(self._membership.answer, address, yes=yes)))

    def leave(self) -> None:
        """Play in no event any more."""
        self._hand_on(self._leave)

    def toggle_call(self, kind: CallFor) -> None:
        """Call somebody, or take that back."""
        self._hand_on(partial(self._toggle_call, kind))

    def take_orders(self, values: Json) -> None:
        """The hub says what this table is to do."""
        self._hand_on(partial(self._take_orders, values))

    def wake(self) -> None:
        """The link is another than it was."""
        if self._thread is not None:
            self._tasks.put(_nothing)

    def more_state(self) -> Json:
        """What the hub is sent besides the state of the board."""
        return self._state

    @property
    def place(self) -> JoinAnswer | None:
        """The table's place in its event; None where it plays in none."""
        return self._membership.place

    @property
    def is_by_keys(self) -> bool:
        """Whether the keys have joined its event, and so may leave it."""
        return self.place is not None and self.place.by == KEYS and not self.is_set

    @property
    def question(self) -> HubQuestion | None:
        """What is to be confirmed before the table joins."""
        return self._membership.question

    @property
    def is_set(self) -> bool:
        """Whether the place stands in the settings."""
        return self._membership.is_set

    def _hand_on(self, task: Task) -> None:
        with self._starting:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="event", daemon=True)
                self._thread.start()
        self._tasks.put(task)

    def _stop(self) -> None:
        self._unfollow()
        if self._thread is not None:
            self._tasks.put(None)
            self._thread.join(1.0)

    def _notice(self, view: View) -> None:
        """Called for each view by whoever publishes it, so that what is no news for the event costs next to nothing."""
        game = view.game
        over = game.outcome is not None
        now = view.id, over, game.confirmed, view.revision if over else 0
        if now != self._noticed:
            self._noticed = now
            self._tasks.put(_nothing)

    # --- in the event's own thread ---

    def _run(self) -> None:
        while True:
            try:
                task = self._tasks.get(timeout=LOOK_S if self._unsent.waits else None)
            except Empty:
                task = _nothing
            if task is None:
                return
            for act in (task, self._update):
                try:
                    act()
                except PegboardError as error:
                    self._say_once(error.message)
                except Exception:  # the next task is as good as this one
                    log.exception("error in the event of this table")

    def _update(self) -> None:
        """Seat who plays next, and show what is so now."""
        place, view = self.place, self._feed.view
        if place is None:
            self._show(None)
            return
        try:
            here = self._seat(view)
        except RuleError as error:
            here = ()
            self._say_once(Message("event_order_unfit", fault=error.message))
        view = self._feed.view
        url = self._unsent.address(place, view, self._orders)
        linked = self._link.is_linked
        self._show(shown_event(EventFacts(place, self._orders, view.game, here, self._calls, linked, url)))
        self._tell_hub(self._feed.view)

    def _show(self, event: EventNews | None) -> None:
        if event != self._shown:
            self._shown = event
            self._scoreboard.show_event(event)

    def _seat(self, view: View) -> tuple[str, ...]:
        """Let the next game begin, or wait for its beginning; returns who waits."""
        orders = self._orders
        if orders is None:
            return ()
        now = orders, view.id, view.game.outcome is None
        if now != self._seated:
            self._played = played_pairings(self._folder, orders.event)
            self._seated = now
        order = next_order(orders, view.game, self._played)
        setup = None if order is None else setup_of(orders, order)
        is_now = self._scoreboard.seat_pairing(setup)
        return () if setup is None or is_now else setup.players

    def _tell_hub(self, view: View) -> None:
        state: Json = {
            "calls": [{"id": call.id, "for": call.kind} for call in self._calls],
            "pairing": view.game.pairing or None,
            "seated": 0 if self._orders is None else self._orders.revision,
            "settled": view.event is not None and view.event.settled is not None,
        }
        if state != self._state:
            self._state = state
            self._link.wake()

    def _take_orders(self, values: Json) -> None:
        place, orders = self.place, read_orders(values)
        if place is None or (orders.event, orders.table) != (place.event, place.table) or orders == self._orders:
            return
        self._orders = orders
        self._calls = merge(self._calls, orders.calls)
        self._membership.keep_orders(values)

    def _toggle_call(self, kind: CallFor) -> None:
        if self.place is not None:
            self._calls = toggle(self._calls, kind, self._new_id())

    # --- joining and leaving ---

    def _join(self, act: Callable[[], JoinAnswer | None]) -> None:
        self.trouble = None
        try:
            place, question = act(), self._membership.question
            if place is not None:
                self._enter()
                self._say(Message("event_joined", label=place.label, event=place.event_name))
            elif question is not None:
                self._scoreboard.keys.ask_hub(question.message, by_keys=question.fits_panel)
            else:
                self._say(Message("event_not_joined"))
        finally:
            self.is_joining = False

    def _leave(self) -> None:
        self.trouble = None
        self._membership.leave()
        self._enter()
        self._say(Message("event_left"))

    def _enter(self) -> None:
        """From now on the table plays in the event of its place, or in none."""
        place, orders = self.place, self._orders
        if place is None or orders is None or (orders.event, orders.table) != (place.event, place.table):
            self._orders = self._membership.read_orders()
        self._calls, self._seated = (), None
        if place is None:
            self._unfollow()
            self._state = {}
            self._scoreboard.seat_pairing(None)
        elif self._leave_feed is None:
            self._leave_feed = self._feed.follow(self._notice)

    def _unfollow(self) -> None:
        if self._leave_feed is not None:
            self._leave_feed()
            self._leave_feed = None

    def _say(self, message: Message) -> None:
        self._scoreboard.keys.show_notice(message)

    def _say_once(self, message: Message) -> None:
        if self.trouble != message:
            self.trouble = message
            self._say(message)


def _nothing() -> None:
    """The task of looking what is so now."""
