"""The table's event, in a thread of its own: joining, leaving, hub to confirm, saved orders, seating games, calls."""

import logging
import secrets
import threading
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TypeAlias
from urllib.parse import urlsplit

from pegboard.core.view import CallFor, EventNews, View
from pegboard.errors import PegboardError, RuleError
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.storage.games import played_pairings
from pegboard.storage.state_files import read_values, write_values
from pegboard.table.event_shown import Calls, EventFacts, UnsentResult, merge, next_order, setup_of, shown_event, toggle
from pegboard.table.joining import (
    EventLink,
    JoinAddress,
    JoinAnswer,
    JoinError,
    Json,
    NoHub,
    Post,
    hand_in,
    names_one_machine,
    post_json,
    read_join_text,
)
from pegboard.table.key_entry import EVENT_KEYS
from pegboard.table.scoreboard import Scoreboard
from pegboard.tournament.table_orders import OrdersError, TableOrders, read_orders

# --- saved orders of the hub, in the state folder, by which the table continues without a network ---


FILE = "event_orders.json"

UNREADABLE = (OSError, ValueError, TypeError, LookupError, OrdersError)
"""Errors from reading a file that is missing, damaged or of another version."""


class EventFiles:
    """The saved event state of one table: the last hub that it joined, and the orders from that hub."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / FILE

    def last_hub(self) -> str:
        """The address of the last hub that was joined, or ""."""
        try:
            return str(read_values(self._file)["hub"])
        except UNREADABLE:
            return ""

    def read_orders(self, place: JoinAnswer) -> TableOrders | None:
        """The saved orders for that place, or None."""
        try:
            orders = read_orders(read_values(self._file)["orders"])
        except UNREADABLE:
            return None
        return orders if (orders.event, orders.table) == (place.event, place.table) else None

    def write(self, hub: str, orders: Json | None) -> None:
        """Save the hub's address, and its orders as received.

        Raises:
            OSError: the file could not be written.
        """
        write_values(self._file, {"hub": hub, "orders": orders})


# --- event membership: joined by a code, set in the settings, or none ---


PANEL_LETTERS = 30
"""Maximum characters of an address that every panel shows in full."""

PORTS = {"http": 80, "https": 443}
"""Default ports, which addresses may omit."""

log = logging.getLogger("pegboard")

Search: TypeAlias = Callable[[], Collection[str]]
"""Returns the addresses `HOST:PORT` of the hubs that announce themselves on the table's networks."""


@dataclass(frozen=True, slots=True)
class HubQuestion:
    """A question to confirm before a table joins, so that no scorer can send it to a machine of their choice.

    Attributes:
        address: the hub, and the code for it.
        by: the device or keys that join (`JoinAnswer.by`).
        place: the hub's answer, if its broker is on another machine; None before the code is sent.
    """

    address: JoinAddress
    by: str
    place: JoinAnswer | None = None

    @property
    def hub(self) -> str:
        """The address of the hub."""
        return self.address.hub

    @property
    def broker(self) -> str:
        """The broker on another machine; "" if the question is about the hub itself."""
        return "" if self.place is None else self.place.broker

    @property
    def subject(self) -> str:
        """The address that the question is about."""
        return self.broker or self.hub

    @property
    def message(self) -> Message:
        """The question as the panel shows it, or a note that a page asks it."""
        if not self.fits_panel:
            return Message("event_ask_on_page")
        return Message("event_ask_broker" if self.broker else "event_ask_hub", address=self.subject)

    @property
    def fits_panel(self) -> bool:
        """Whether the panel shows the address in full, so that the keys can confirm it."""
        return len(self.subject) <= PANEL_LETTERS


class EventMembership:
    """The table's place in an event, served by its link.

    Attributes:
        question: the question to confirm, or None.
    """

    def __init__(self, folder: Path, link: EventLink, name: str, post: Post, search: Search) -> None:
        """`name` is the name of this machine; `post` sends a request to a hub; `search` finds hubs nearby."""
        self._files, self._link, self._name, self._post = EventFiles(folder), link, name, post
        self._search = search
        self.question: HubQuestion | None = None

    @property
    def place(self) -> JoinAnswer | None:
        """The table's place, or None."""
        return self._link.place

    @property
    def is_set(self) -> bool:
        """Whether the settings name the place."""
        return self._link.is_set

    def join(self, text: str, by: str = "", *, confirmed: bool = False) -> JoinAnswer | None:
        """Join the event of a code, with or without the address of its hub; None if `question` must be confirmed first.

        `confirmed` means that a director typed the text, so an address in it needs no confirmation.

        Raises:
            JoinError: the code is invalid, no hub answers, the hub refuses, or the place cannot be stored.
            PegboardError: the link cannot serve the place.
        """
        self._require_free()
        self.question = None
        last = self._files.last_hub()
        address = read_join_text(text, last)
        is_trusted = address.hub == last or (confirmed and address.is_typed)
        if not is_trusted and (found := find_announced(address, self._search())) is not None:
            address, is_trusted = found, True
        if is_trusted:
            return self._hand_in(address, by)
        self.question = HubQuestion(address, by)
        return None

    def answer(self, address: str, *, yes: bool) -> JoinAnswer | None:
        """Answer `question`; None if nothing is joined, or another question follows.

        Raises:
            JoinError: the question has changed, no hub answers, the hub refuses, or the place cannot be stored.
            PegboardError: the link cannot serve the place.
        """
        question = self.question
        if question is None or question.subject != address:
            raise JoinError("event_question_changed")
        self._require_free()
        self.question = None
        if not yes:
            return None
        if question.place is not None:
            return self._enter(question.place, question.hub)
        return self._hand_in(question.address, question.by)

    def _hand_in(self, address: JoinAddress, by: str) -> JoinAnswer | None:
        found, address = hand_in_or_find(address, self._name, self._post, self._search)
        place = replace(found, by=by)
        if names_one_machine(place.broker, address.hub):
            return self._enter(place, address.hub)
        self.question = HubQuestion(address, by, place)
        return None

    def _enter(self, place: JoinAnswer, hub: str) -> JoinAnswer:
        try:
            self._link.join(place)
        except OSError as error:
            raise storing_error(error) from error
        self._keep(hub, None)
        return place

    def leave(self) -> None:
        """Leave the event.

        Raises:
            JoinError: the settings name the event, or leaving could not be stored.
        """
        self._require_free()
        try:
            self._link.leave()
        except OSError as error:
            raise storing_error(error) from error

    def read_orders(self) -> TableOrders | None:
        """The hub's newest orders for this place, if known."""
        return None if self.place is None else self._files.read_orders(self.place)

    def keep_orders(self, values: Json) -> None:
        """Save the hub's orders."""
        self._keep(self._files.last_hub() or ("" if self.place is None else self.place.hub), values)

    def _keep(self, hub: str, orders: Json | None) -> None:
        """Save data that is only needed without a network; if saving fails, the table plays on."""
        try:
            self._files.write(hub, orders)
        except OSError as error:
            log.warning("the hub's orders cannot be saved: %s", error)

    def _require_free(self) -> None:
        if self._link.is_set:
            raise JoinError("event_set")


def storing_error(error: OSError) -> JoinError:
    """The error that event data could not be stored."""
    return JoinError("event_not_stored", error=error.strerror or str(error))


def hand_in_or_find(address: JoinAddress, name: str, post: Post, search: Search) -> tuple[JoinAnswer, JoinAddress]:
    """Send the code to the hub; returns the place and the hub's address. Searches for a moved hub if none was typed.

    Raises:
        JoinError: no hub answers, or the hub refuses.
    """
    try:
        return hand_in(address, name, post), address
    except NoHub:
        moved = None if address.is_typed else find_announced(replace(address, is_known=False), search())
        if moved is None or moved.hub == address.hub:
            raise
        return hand_in(moved, name, post), moved


def find_announced(address: JoinAddress, found: Collection[str]) -> JoinAddress | None:
    """The announced hub for an address: the hub named in it, or any if none was named; None if not announced.

    Raises:
        JoinError: several hubs are announced, and none was named.
    """
    if not address.is_known:
        if len(found) > 1:
            raise JoinError("event_hubs", hubs=", ".join(sorted(found)))
        return next((replace(address, hub=f"http://{one}", is_known=True) for one in found), None)
    hub = urlsplit(address.hub)
    return address if f"{hub.hostname}:{hub.port or PORTS[hub.scheme]}" in found else None


LOOK_S = 2.0
"""Seconds between checks of the link while a finished game waits for it."""

Task: TypeAlias = Callable[[], None]


class EventTable:
    """The table's part in an event. Public methods queue tasks for its thread, which starts with the first task.

    Attributes:
        is_joining: whether the hub has yet to answer.
        trouble: the error of the last request, or None.
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
        """`name` names this machine, `post` sends requests to a hub, `search` finds hubs, `new_id` makes ids of calls.

        `clock` returns monotonic seconds.
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

    # --- public methods: they queue tasks and do not block ---

    def start(self) -> Callable[[], None]:
        """Continue the event that the table plays in, if any; the returned function stops the thread."""
        if self.place is not None:
            self._hand_on(self._enter)
        return self._stop

    def look(self) -> None:
        """Check whether another program has joined or left an event for this table; call it at intervals."""
        try:
            is_another = self._link.reload()
        except PegboardError as error:
            self._say_once(error.message)
            return
        if is_another:
            self._hand_on(self._enter)

    def join(self, text: str, by: str = "", *, confirmed: bool = False) -> None:
        """Start joining the event of a code, with or without the hub's address; the outcome becomes a notice.

        `by` identifies the device or keys that join (`JoinAnswer.by`); `confirmed` means that a director typed the
        text.
        """
        self.is_joining = True
        self._hand_on(partial(self._join, partial(self._membership.join, text, by, confirmed=confirmed)))

    def answer_question(self, address: str, *, yes: bool) -> None:
        """Answer the `question` about that address: whether to join."""
        self.is_joining = True
        self._hand_on(partial(self._join, partial(self._membership.answer, address, yes=yes)))

    def leave(self) -> None:
        """Leave the event."""
        self._hand_on(self._leave)

    def toggle_call(self, kind: CallFor) -> None:
        """Make a call, or cancel it."""
        self._hand_on(partial(self._toggle_call, kind))

    def take_orders(self, values: Json) -> None:
        """Handle new orders from the hub."""
        self._hand_on(partial(self._take_orders, values))

    def wake(self) -> None:
        """Handle a change of the link's state."""
        if self._thread is not None:
            self._tasks.put(_no_op)

    def more_state(self) -> Json:
        """The values to send to the hub with the state of the board."""
        return self._state

    @property
    def place(self) -> JoinAnswer | None:
        """The table's place in its event, or None."""
        return self._membership.place

    @property
    def is_by_keys(self) -> bool:
        """Whether the event was joined by keys, so that keys may make the table leave it."""
        return self.place is not None and self.place.by == EVENT_KEYS and not self.is_set

    @property
    def question(self) -> HubQuestion | None:
        """The question to confirm before the table joins."""
        return self._membership.question

    @property
    def is_set(self) -> bool:
        """Whether the settings name the place."""
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
        """Handle a view in the publishing thread; views that do not matter to the event must cost next to nothing."""
        game = view.game
        over = game.outcome is not None
        now = view.id, over, game.confirmed, view.revision if over else 0
        if now != self._noticed:
            self._noticed = now
            self._tasks.put(_no_op)

    # --- in the event's own thread ---

    def _run(self) -> None:
        while True:
            try:
                task = self._tasks.get(timeout=LOOK_S if self._unsent.waits else None)
            except Empty:
                task = _no_op
            if task is None:
                return
            for act in (task, self._update):
                try:
                    act()
                except PegboardError as error:
                    self._say_once(error.message)
                except Exception:  # continue with the next task
                    log.exception("error in the event of this table")

    def _update(self) -> None:
        """Seat the next players, and show the current state."""
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
        """Start the next game, or let it wait; returns the waiting players."""
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
        """Switch to the event of the current place, or to none."""
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


def _no_op() -> None:
    """A task that does nothing, queued for the update after it."""
