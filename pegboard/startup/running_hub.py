"""Running hub: connects MQTT transport, events and web pages; turns results into decisions, decisions into orders."""

import logging
import secrets
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue

from pegboard.config import WebSettings
from pegboard.devices.health import Health
from pegboard.errors import Already, NotNow, PegboardError
from pegboard.hub.hub_transport import BROKER, BrokerConnection, HeardTable, HubTransport
from pegboard.hub.ledger.ledger import Ledger
from pegboard.hub.ledger.ledger_rows import Refusal, TableEvent
from pegboard.hub.night_service import NightService
from pegboard.hub.result_requests import alarm_of_entered, alarm_of_refused
from pegboard.hub.table_results import LiveResults, TableResult
from pegboard.messages import Message
from pegboard.mqtt.broker_session import BrokerAddress, BrokerSession
from pegboard.tournament.calls import CallTracker, calls_in
from pegboard.tournament.night.views.actions import SaidJson, say
from pegboard.tournament.night.views.event_orders import event_orders
from pegboard.tournament.table_orders import CallAnswer, Json, TableOrders
from web.hub.hub_parts import BrokerOf
from web.hub.hub_server import HubServer

# --- live table states and transport problems for the pages ---


NS_PER_MS = 1_000_000


def _row(one: HeardTable) -> Json:
    last_at = one.last_event_at or one.since
    return {
        "online": one.online,
        "since": one.since // NS_PER_MS,
        "last_at": last_at // NS_PER_MS,
        "state": one.state,
    }


def _trouble_of(one: Health) -> Message:
    if one.name == BROKER:
        return Message("hub_broker_away", fault=one.trouble)
    inner = one.trouble.values.get("fault") if isinstance(one.trouble, Message) else None
    return Message("hub_ledger_away", fault=inner or one.trouble)  # the message already says that nothing is stored


RETRY_S = 1.0
"""Retry delay in seconds after a result could not be stored."""

BATCH_S = 0.02
"""Batching delay in seconds: wait for more journal entries before deriving results; decisions are handled at once.

Deriving results after each commit would delay the next commit: with a thousand tables, storing an entry took 4.5 ms,
and 4.0 ms with batching.
"""

log = logging.getLogger("pegboard")


@dataclass(frozen=True, slots=True)
class Stored:
    """A work item: journal entries of a table that have been stored."""

    night: str
    table: str
    rows: Sequence[TableEvent]


class RunningHub:
    """One hub, from `start` until `stop`.

    Attributes:
        nights: the hub's events.
        transport: the MQTT connection to the hub's tables.
        server: the server of the hub's pages.
    """

    def __init__(
        self,
        ledger: Ledger,
        web: WebSettings,
        folder: Path,
        address: BrokerAddress,
        *,
        open_session: Callable[..., BrokerConnection] = BrokerSession,
        broker_of: BrokerOf = lambda _night, _table: None,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        """Connect the parts of the hub.

        Args:
            ledger: the hub's storage.
            web: the settings of the pages' server.
            folder: the hub's folder.
            address: the address of the broker.
            open_session: opens the broker session.
            broker_of: returns the broker details that a table needs to join an event.
            tls: the pages' TLS context; None for plain HTTP.

        Raises:
            DeviceError: paho-mqtt is missing, or a certificate cannot be read.
            SettingError: a proxy in the settings is not an address.
        """
        self.nights = NightService(ledger, self)
        self.transport = HubTransport(
            ledger,
            address,
            jitter=lambda: secrets.randbelow(1000) / 1000,
            on_events=self._note_events,
            on_state=self._note_state,
            on_alarm=self.nights.notify_alarms,
            on_health=self.nights.notify_troubles,
            open_session=open_session,
        )
        self._broker_of = broker_of
        self.server = HubServer(self.nights, web, folder=folder, tls=tls, broker_of=self._broker_if_online)
        self._ledger = ledger
        self._results: dict[str, LiveResults] = {}
        self._sent: dict[tuple[str, str], TableOrders] = {}
        self._refused: dict[str, dict[tuple[str, str], tuple[TableResult, str]]] = {}
        self._heard_calls = CallTracker()
        self._work: SimpleQueue[Stored | str | None] = SimpleQueue()
        self._stopping, self._is_urgent = threading.Event(), threading.Event()
        self._urgency = threading.Lock()  # held to queue a change and mark it urgent in one step
        self._thread = threading.Thread(target=self._run, name="hub results", daemon=True)

    def start(self) -> None:
        """Serve pages and tables.

        Raises:
            SettingError: host or port cannot be bound.
            HubNotNow: the database does not answer.
        """
        self.nights.follow(self._note_change)
        self.server.start()
        self.transport.refresh_events()
        self.transport.start()
        self._thread.start()

    def stop(self) -> None:
        """Stop the pages, the transport and the results thread."""
        self._stopping.set()
        self._is_urgent.set()
        self._work.put(None)
        self.server.stop()
        self.transport.stop()
        if self._thread.is_alive():
            self._thread.join(5.0)

    # --- any thread ---

    def tables(self, night: str) -> Mapping[str, Json]:
        """The live state of each table of an event; times in ms since 1970."""
        return {name: _row(one) for name, one in self.transport.tables(night).items()}

    def troubles(self) -> list[SaidJson]:
        """Problems that keep the hub from receiving or storing the tables' messages."""
        return [say(_trouble_of(one)) for one in self.transport.health if not one.ok]

    def _broker_if_online(self, night: str, table: str) -> Json | None:
        is_there = all(one.ok for one in self.transport.health if one.name == BROKER)
        return self._broker_of(night, table) if is_there else None

    def _note_events(self, night: str, table: str, rows: Sequence[TableEvent]) -> None:
        self.nights.notify_table(night, table)
        if rows:
            self._work.put(Stored(night, table, rows))

    def _note_state(self, night: str, table: str) -> None:
        self.nights.notify_table(night, table)
        place, calls = (night, table), self._calls_of(night, table)
        if self._heard_calls.is_new(place, calls):
            now_ms = self.nights.clock_ms()
            self.nights.change_calls(night, lambda before: self._heard_calls.note(place, calls, before, now_ms))
            self._note_change(night, None)
        elif night not in self._results and self.transport.tables(night)[table].online:
            self._note_change(night, None)  # the event has ended, and the table may not know

    def _calls_of(self, night: str, table: str) -> dict[str, str]:
        """A table's current calls: the id of each call -> "judge" or "director"."""
        live = self.transport.tables(night).get(table)
        return {} if live is None else calls_in(live.state)

    def _note_change(self, night: str, table: str | None) -> None:
        if table is None:
            self.transport.note_event(night)
            with self._urgency:
                self._work.put(night)
                self._is_urgent.set()

    # --- the thread of results and orders ---

    def _run(self) -> None:
        self._call_with_retry(self._read_nights)
        while not self._stopping.is_set():
            stored, changed = self._gather()
            for (night, table), rows in stored.items():
                self._call_with_retry(self._take_results, night, table, rows)
            for night in changed:
                self._call_with_retry(self._send_orders, night)

    def _read_nights(self) -> None:
        """Load the open events; an ended event is loaded only when something in it changes."""
        for line in self.nights.open_lines():
            self._read_all(line.id)

    def _gather(self) -> tuple[dict[tuple[str, str], list[TableEvent]], set[str]]:
        """Wait for work, then empty the queue: journal entries by event and table, and the changed events."""
        stored: dict[tuple[str, str], list[TableEvent]] = {}
        changed: set[str] = set()
        work = self._work.get()
        if isinstance(work, Stored):
            self._is_urgent.wait(BATCH_S)
        with self._urgency:
            self._is_urgent.clear()
            while work is not None:
                if isinstance(work, Stored):
                    stored.setdefault((work.night, work.table), []).extend(work.rows)
                else:
                    changed.add(work)
                work = None if self._work.empty() else self._work.get()
        return stored, changed

    def _call_with_retry(self, does: Callable[..., None], *words: object) -> None:
        """Call a function, retrying while the database is unavailable; log other errors, so that the thread goes on."""
        while not self._stopping.is_set():
            try:
                return does(*words)
            except NotNow as error:
                log.warning("%s", error)
                self._stopping.wait(RETRY_S)
            except Exception:
                log.exception("error in the hub")
                return None
        return None

    def _read_all(self, night: str) -> None:
        """Load an event's stored results; each counts once, however often it is read."""
        results = LiveResults(self._ledger, night, partial(self.nights.notify_alarms, night))
        self._decide_about(night, results.read_all())
        state = self.nights.night(night)
        for stored in state.active_rows():  # the hub may have stopped before raising the alarm
            self._raise_alarm(alarm_of_entered(night, stored, state))
        self._results[night] = results
        self._send_orders(night)

    def _take_results(self, night: str, table: str, rows: Sequence[TableEvent]) -> None:
        results = self._results.get(night)
        if results is None:
            self._read_all(night)
        else:
            self._decide_about(night, results.note_stored(table, rows))

    def _decide_about(self, night: str, results: Iterable[TableResult]) -> None:
        """Enter results in the event's log; a refusal is shown on the desk, and retried when the event changes."""
        for result in results:
            try:
                decided = self.nights.take_result(night, result)
            except NotNow:
                raise
            except Already:
                self._forget_refused(night, result)
            except PegboardError as error:
                self._note_refused(night, result, error.message)
            else:
                self._forget_refused(night, result)
                if decided is not None:
                    self._raise_alarm(alarm_of_entered(night, decided[0], self.nights.night(night)))

    def _forget_refused(self, night: str, result: TableResult) -> None:
        """Forget the refused result of a score sheet, because the sheet's result has been decided."""
        self._refused.get(night, {}).pop((result.table, result.game), None)

    def _note_refused(self, night: str, result: TableResult, fault: Message) -> None:
        """Remember a refused result, and show the reason on the desk unless it was shown already."""
        waiting, sheet = self._refused.setdefault(night, {}), (result.table, result.game)
        alarm = alarm_of_refused(night, result, self.nights.night(night), fault)
        known, cause = waiting.get(sheet), "" if alarm is None else alarm.cause
        if known is None or known[1] != cause:
            self._raise_alarm(alarm)
        waiting[sheet] = result, cause  # after the alarm: if it cannot be stored, both are retried

    def _raise_alarm(self, alarm: Refusal | None) -> None:
        if alarm is not None:
            self._ledger.quarantine(alarm)
            self.nights.notify_alarms(alarm.event)

    def _send_orders(self, night: str) -> None:
        """Retry refused results; send each table its orders if they have changed."""
        if night not in self._results:
            return self._read_all(night)
        self._decide_about(night, [result for result, _ in self._refused.get(night, {}).values()])
        state = self.nights.night(night)
        for table, orders in event_orders(state, night, self.nights.calls(night)).items():
            ended = () if table in state.former_boards else self._ended_calls(night, table, orders)
            self._send_orders_to(night, replace(orders, calls=(*orders.calls, *ended)))
        return None

    def _send_orders_to(self, night: str, orders: TableOrders) -> None:
        """Send a table its orders, unless they equal the last orders sent."""
        sent = self._sent.get((night, orders.table))
        if sent is None or replace(sent, revision=0) != replace(orders, revision=0):
            self.transport.send_command(night, orders.table, orders.as_json())
            self._sent[night, orders.table] = orders

    def _ended_calls(self, night: str, table: str, orders: TableOrders) -> list[CallAnswer]:
        """The calls that a table still shows although they are over."""
        calls, still = self._calls_of(night, table), {call.id for call in orders.calls}
        return [CallAnswer(call, whom, ended=True) for call, whom in calls.items() if call not in still]
