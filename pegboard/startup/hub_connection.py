"""The table's connection to a hub: joining, leaving, rejoining events, by the settings or by code; search for hubs."""

import contextlib
import os
import re
import secrets
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from pegboard.config import HubSettings, Settings, require_fit
from pegboard.devices.health import Devices, Health
from pegboard.feed import Feed
from pegboard.install.host import TRIAL_VARIABLE
from pegboard.mqtt.broker_session import read_password
from pegboard.mqtt.hub_announcement import find_hubs
from pegboard.mqtt.joined_event import FILE, JoinedEvent, LinkTarget, read_beginnings, read_joined, write_joined
from pegboard.startup.devices import contain_errors
from pegboard.storage.reader import read_snapshot
from pegboard.table.event_table import EventTable
from pegboard.table.joining import JoinAnswer
from pegboard.table.scoreboard import Scoreboard
from web.access.invitation import own_addresses
from web.http.listener import EVERYWHERE

if TYPE_CHECKING:
    from pegboard.core.wire import Json
    from pegboard.mqtt.hub_link import HubLink

SECTION, NAME = "hub", "Hub"
"""The connection's section of the settings; its name in the list of devices, which shows its faults."""


class HubConnection:
    """The link to the hub of the joined event, if any; the table can join another or leave at any time.

    Attributes:
        joined: the joined event, or None.
        is_set: whether the settings name the event; then an event joined by code is ignored.
        on_command: the callback for each command of the hub; the newest is repeated after each reconnection.
        on_change: the callback after a change of `joined`, `is_linked`, `waiting` or of what the hub has acknowledged.
        more_state: returns values to publish in addition to the state; call `wake` when they have changed.
    """

    def __init__(self, folder: Path, feed: Feed, devices: Devices) -> None:
        """`folder` is the folder of the journal and of the file with the joined event."""
        self._folder, self._feed, self._devices = folder, feed, devices
        self._link: HubLink | None = None
        self._stop: Callable[[], None] = lambda: None
        self._changing = threading.RLock()  # held from reading the joined event until its link runs, to have only one
        self._stamp = self._read_stamp()
        self._is_listed = self.is_set = False
        self.joined: JoinedEvent | None = None
        self.on_command: Callable[[Json], None] = lambda _: None
        self.on_change: Callable[[], None] = lambda: None
        self.more_state: Callable[[], Json] = dict

    def make_event(self, scoreboard: Scoreboard) -> EventTable:
        """Make the table's event, which the table's keys control and this connection serves."""
        event = EventTable(scoreboard, self._feed, self._folder, self, name=machine_name(), search=search_hubs)
        self.on_command, self.on_change, self.more_state = event.take_orders, event.wake, event.more_state
        scoreboard.keys.event_controls = event
        return event

    def connect(self, event: EventTable, settings: Settings, cleanup: contextlib.ExitStack) -> None:
        """Connect to the hub of the event until `cleanup`, if an event is joined and this is not a trial start."""
        cleanup.callback(self.stop)
        if TRIAL_VARIABLE not in os.environ:
            with contain_errors(NAME, settings, self._devices):
                require_fit(settings, SECTION)
                self._follow_settings(settings.hub)
        cleanup.callback(event.start())

    @property
    def place(self) -> JoinAnswer | None:
        """The table's place in the event, or None."""
        joined = self.joined
        return None if joined is None else place_of(joined)

    @property
    def health(self) -> Health:
        """The health of the link; ok if there is no link. Never blocks."""
        return Health(NAME, "") if self._link is None else self._link.health

    @property
    def is_linked(self) -> bool:
        """Whether the broker is reachable and a hub serves the event. Never blocks."""
        return self._link is not None and self._link.is_connected

    @property
    def waiting(self) -> int:
        """The number of journal entries that the hub is known to lack. Never blocks."""
        return 0 if self._link is None else self._link.waiting

    def wake(self) -> None:
        """Report that the values of `more_state` have changed. Never blocks."""
        if self._link is not None:
            self._link.wake()

    def join(self, place: JoinAnswer) -> None:
        """Join an event and leave the previous one; games that start from now on are sent.

        Raises:
            DeviceError: the broker or event settings are invalid; nothing has changed.
            JournalError: the journal cannot be read; nothing has changed.
            OSError: the event could not be stored; nothing has changed.
        """
        with self._changing:
            joined = joined_event_of(place, self._since(place.event))
            self._follow(joined, lambda: write_joined(self._folder, joined))

    def reload(self) -> bool:
        """Join or leave if another program has changed the file in the state folder; return whether it did.

        Raises:
            DeviceError: the broker or event settings are invalid; nothing has changed.
        """
        before, self._stamp = self._stamp, self._read_stamp()
        if before == self._stamp:
            return False
        with self._changing:
            if self.is_set or (found := read_joined(self._folder)) == self.joined:
                return False
            if found is None:
                self.stop()
                self.on_change()
            else:
                self._follow(found)
            return True

    def _read_stamp(self) -> tuple[int, int] | None:
        """Modification time and inode of the file with the joined event, to detect changes; None without a file."""
        try:
            now = (self._folder / FILE).stat()
        except OSError:
            return None
        return now.st_mtime_ns, now.st_ino

    def leave(self) -> None:
        """Leave the event; entries that the hub lacks stay in the journal, and are sent when the table rejoins.

        Raises:
            OSError: leaving could not be stored; nothing has changed.
        """
        with self._changing:
            write_joined(self._folder, None)
            self.stop()
            self.on_change()

    def _follow_settings(self, own: HubSettings) -> None:
        """Join the event in the settings, else the event last joined by code.

        Raises:
            DeviceError: the broker or event settings are invalid.
            JournalError: the journal cannot be read.
            OSError: the event could not be stored.
        """
        with self._changing:
            if not own.url:
                if (joined := read_joined(self._folder)) is not None:
                    self._follow(joined)
                return
            self.is_set = True
            target = _target_of(own)
            since = self._since(target.event)
            self._follow(
                JoinedEvent(target, since),
                lambda: write_joined(self._folder, read_joined(self._folder), target.event, since),
            )

    def stop(self) -> None:
        """Stop the link, until the table joins an event again."""
        with self._changing:
            self._stop()
            self._stop, self._link, self.joined = (lambda: None), None, None

    def _since(self, event: str) -> int:
        """The newest entry's number when the table first joined the event; a game without lines starts after it.

        Raises:
            JournalError: the journal cannot be read.
        """
        if (known := read_beginnings(self._folder).get(event)) is not None:
            return known
        view = self._feed.view
        if view.game.entries or not view.id:
            return view.revision
        with read_snapshot(self._folder) as journal:
            return max(0, journal.first_event(view.id) - 1)

    def _follow(self, joined: JoinedEvent, store: Callable[[], None] = lambda: None) -> None:
        from pegboard.mqtt.hub_link import HubLink

        link = HubLink(
            joined,
            self._folder,
            self._devices.wake,
            jitter=lambda: secrets.randbelow(1000) / 1000,
            on_command=self.on_command,
            on_change=self.on_change,
            more_state=self.more_state,
        )
        store()
        self.stop()
        self._link, self.joined = link, joined
        self._stop = link.start(self._feed)
        if not self._is_listed:
            self._is_listed = True
            self._devices.add(lambda: self.health)
        self.on_change()


def _target_of(own: HubSettings) -> LinkTarget:
    """The link target in the settings.

    Raises:
        DeviceError: the password cannot be read.
    """
    host = re.sub(r"[^a-z0-9_-]+", "-", machine_name().lower()).strip("-")
    return LinkTarget(
        own.url,
        own.event,
        own.table or host[:32],
        password=read_password(own.password_file, "hub.password_file") if own.password_file else "",
        ca_file=own.ca_file,
        certificate=own.certificate,
        key=own.key,
    )


def place_of(joined: JoinedEvent) -> JoinAnswer:
    """A joined event as the table's place in it."""
    target = joined.target
    names = target.event, joined.event_name or target.event, target.table, joined.label or target.table
    return JoinAnswer(joined.hub, *names, target.url, target.password, target.ca, joined.key, joined.by)


def joined_event_of(place: JoinAnswer, since: int = 0) -> JoinedEvent:
    """A place as a joined event; `since` is the number of the newest entry in the table's journal."""
    target = LinkTarget(place.broker, place.event, place.table, place.password, place.ca)
    return JoinedEvent(target, since, place.event_name, place.label, place.hub, place.key, place.by)


def search_hubs() -> tuple[str, ...]:
    """The addresses `HOST:PORT` of the hubs announced on this machine's networks (discovery)."""
    return tuple(f"{host}:{port}" for host, port in find_hubs(own_addresses(EVERYWHERE)))


def machine_name() -> str:
    """This machine's host name, without its domain."""
    return socket.gethostname().partition(".")[0]
