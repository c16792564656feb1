"""The table's connection to a hub: begun as the settings say, or by joining an event; a fault is one of a device."""

import contextlib
import os
import re
import secrets
import socket
import threading
from collections.abc import Callable
from dataclasses import replace
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
"""The section of the settings; the name among the devices."""


class HubConnection:
    """The link to the hub, where the table has joined an event; it can join another and leave it at any time.

    Attributes:
        joined: what the table has joined; None where it has joined nothing.
        on_command: is called with each command of the hub; the newest comes again with each connection.
        on_change: is called where `joined`, `is_connected`, `waiting` or `acknowledged` has changed.
        more_state: gives what is published with the state besides; `wake` says that it has changed.
    """

    def __init__(self, folder: Path, feed: Feed, devices: Devices) -> None:
        """`folder` is that of the journal and of what the table has joined."""
        self._folder, self._feed, self._devices = folder, feed, devices
        self._link: HubLink | None = None
        self._stop: Callable[[], None] = lambda: None
        self._changing = threading.RLock()  # held from reading what is joined until its link runs: there is one link
        self._is_listed = self._is_set = False
        self.joined: JoinedEvent | None = None
        self.on_command: Callable[[Json], None] = lambda _: None
        self.on_change: Callable[[], None] = lambda: None
        self.more_state: Callable[[], Json] = dict

    @property
    def is_set(self) -> bool:
        """Whether the settings name the event, so that what was joined by a code does not count."""
        return self._is_set

    @property
    def health(self) -> Health:
        """How the link is; well where there is none. Never waits."""
        return Health(NAME, "") if self._link is None else self._link.health

    @property
    def is_connected(self) -> bool:
        """Whether the broker is there, and a hub that serves the event. Never waits."""
        return self._link is not None and self._link.is_connected

    @property
    def waiting(self) -> int:
        """How many events the hub lacks, as far as is known. Never waits."""
        return 0 if self._link is None else self._link.waiting

    def acknowledged_number(self, epoch: str) -> int:
        """The number up to which the hub has the events of an epoch of the journal; 0 for none. Never waits."""
        return 0 if self._link is None else self._link.acknowledged_number(epoch)

    def wake(self) -> None:
        """What `more_state` gives has changed. Never waits."""
        if self._link is not None:
            self._link.wake()

    def join(self, joined: JoinedEvent) -> None:
        """Join an event, and leave the one before; games that begin from now on are sent.

        Raises:
            DeviceError: what names the broker or the event cannot be accepted; all is as it was.
            JournalError: the journal cannot be read; all is as it was.
            OSError: it could not be stored; all is as it was.
        """
        with self._changing:
            joined = replace(joined, since=self._since(joined.target.event))
            self._follow(joined, lambda: write_joined(self._folder, joined))

    def reload(self) -> bool:
        """Join or leave as the file in the state folder says now, which another program may have written; whether so.

        Raises:
            DeviceError: what names the broker or the event cannot be accepted; all is as it was.
        """
        with self._changing:
            if self._is_set or (found := read_joined(self._folder)) == self.joined:
                return False
            if found is None:
                self.stop()
                self.on_change()
            else:
                self._follow(found)
            return True

    def leave(self) -> None:
        """Leave the event; what the hub lacks stays in the journal, and is sent when the table joins it again.

        Raises:
            OSError: that could not be stored; all is as it was.
        """
        with self._changing:
            write_joined(self._folder, None)
            self.stop()
            self.on_change()

    def follow_settings(self, own: HubSettings) -> None:
        """Join the event that the settings name, or the one that was joined by a code before.

        Raises:
            DeviceError: what names the broker or the event cannot be accepted.
            JournalError: the journal cannot be read.
            OSError: it could not be stored.
        """
        with self._changing:
            if not own.url:
                if (joined := read_joined(self._folder)) is not None:
                    self._follow(joined)
                return
            self._is_set = True
            target = _target_of(own)
            since = self._since(target.event)
            self._follow(
                JoinedEvent(target, since),
                lambda: write_joined(self._folder, read_joined(self._folder), target.event, since),
            )

    def stop(self) -> None:
        """End the link, until the table joins an event again."""
        with self._changing:
            self._stop()
            self._stop, self._link, self.joined = (lambda: None), None, None

    def _since(self, event: str) -> int:
        """The number of the newest event when the table joined an event first; a game without a line begins after it.

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
            on_command=self._hand_on,
            on_change=self._tell_change,
            more_state=self._add_state,
        )
        store()
        self.stop()
        self._link, self.joined = link, joined
        self._stop = link.start(self._feed)
        if not self._is_listed:
            self._is_listed = True
            self._devices.add(lambda: self.health)
        self.on_change()

    def _hand_on(self, command: "Json") -> None:
        self.on_command(command)

    def _tell_change(self) -> None:
        self.on_change()

    def _add_state(self) -> "Json":
        return self.more_state()


def _target_of(own: HubSettings) -> LinkTarget:
    """What the settings name.

    Raises:
        DeviceError: the password cannot be read.
    """
    host = re.sub(r"[^a-z0-9_-]+", "-", socket.gethostname().partition(".")[0].lower()).strip("-")
    return LinkTarget(
        own.url,
        own.event,
        own.table or host[:32],
        password=read_password(own.password_file, "hub.password_file") if own.password_file else "",
        ca_file=own.ca_file,
        certificate=own.certificate,
        key=own.key,
    )


def connect_to_hub(  # noqa: PLR0917 - what starts it has all of them
    settings: Settings,
    folder: Path,
    feed: Feed,
    devices: Devices,
    cleanup: contextlib.ExitStack,
    prepare: Callable[[HubConnection], None] = lambda _: None,
) -> HubConnection:
    """The table's connection to a hub until `cleanup`; a version that is only tried joins nothing.

    `prepare` sets what the connection calls, before the first command can come.
    """
    connection = HubConnection(folder, feed, devices)
    prepare(connection)
    cleanup.callback(connection.stop)
    if TRIAL_VARIABLE not in os.environ:
        with contain_errors(NAME, settings, devices):
            require_fit(settings, SECTION)
            connection.follow_settings(settings.hub)
    return connection


# --- the event of a table, wired: keys and pages lead to it, and its link to the hub is that of the settings or a code
# ---


class HubEventLink:
    """The table's connection to a hub, as its event sees it; until `serve` there is none."""

    def __init__(self, folder: Path) -> None:
        """`folder` is where the connection remembers what the table has joined."""
        self._file = folder / FILE
        self._connection: HubConnection | None = None
        self._stamp = self._read_stamp()

    def serve(self, connection: HubConnection) -> None:
        """Have this connection from now on."""
        self._connection = connection

    @property
    def place(self) -> JoinAnswer | None:
        """The table's place in an event; None where it has none."""
        joined = None if self._connection is None else self._connection.joined
        return None if joined is None else place_of(joined)

    @property
    def is_set(self) -> bool:
        """Whether that stands in the settings, so that no code changes it."""
        return self._connection is not None and self._connection.is_set

    @property
    def is_linked(self) -> bool:
        """Whether the hub is reached."""
        return self._connection is not None and self._connection.is_connected

    @property
    def waiting(self) -> int:
        """How many events the hub has not acknowledged."""
        return 0 if self._connection is None else self._connection.waiting

    def join(self, place: JoinAnswer) -> None:
        """Remember another place, and serve it.

        Raises:
            DeviceError: what the hub says of its broker cannot be accepted.
            OSError: it could not be stored.
        """
        if self._connection is not None:
            self._connection.join(joined_event_of(place))

    def leave(self) -> None:
        """Remember and serve none.

        Raises:
            OSError: that could not be stored.
        """
        if self._connection is not None:
            self._connection.leave()

    def reload(self) -> bool:
        """Serve what `pegboard join` has stored beside this program; whether that is another place."""
        before, self._stamp = self._stamp, self._read_stamp()
        return before != self._stamp and self._connection is not None and self._connection.reload()

    def wake(self) -> None:
        """What is sent besides the table's state has changed."""
        if self._connection is not None:
            self._connection.wake()

    def _read_stamp(self) -> tuple[int, int] | None:
        """What changes whenever another place is stored; None where none ever was."""
        try:
            now = self._file.stat()
        except OSError:
            return None
        return now.st_mtime_ns, now.st_ino


def place_of(joined: JoinedEvent) -> JoinAnswer:
    """The place in an event that a table has joined."""
    target = joined.target
    names = target.event, joined.event_name or target.event, target.table, joined.label or target.table
    return JoinAnswer(joined.hub, *names, target.url, target.password, target.ca, joined.key, joined.by)


def joined_event_of(place: JoinAnswer, since: int = 0) -> JoinedEvent:
    """What a table has joined at that place; `since` is the number of its journal's newest event."""
    target = LinkTarget(place.broker, place.event, place.table, place.password, place.ca)
    return JoinedEvent(target, since, place.event_name, place.label, place.hub, place.key, place.by)


def search_hubs() -> tuple[str, ...]:
    """The addresses `HOST:PORT` of the hubs that announce themselves in the networks of this machine."""
    return tuple(f"{host}:{port}" for host, port in find_hubs(own_addresses(EVERYWHERE)))


def machine_name() -> str:
    """What this machine is called on its network."""
    return socket.gethostname().partition(".")[0]


class LinkedEventTable(EventTable):
    """The table's part in events, to which its keys lead, with the link that it has once it is connected."""

    def __init__(self, settings: Settings, scoreboard: Scoreboard, feed: Feed, folder: Path) -> None:
        self._settings, self._own_link = settings, HubEventLink(folder)
        super().__init__(scoreboard, feed, folder, self._own_link, name=machine_name(), search=search_hubs)
        scoreboard.keys.event_door = self

    def connect(self, devices: Devices, cleanup: contextlib.ExitStack) -> None:
        """Connect to the hub until `cleanup`, where an event is joined; a version that is only tried does not."""
        connect_to_hub(self._settings, self._folder, self._feed, devices, cleanup, self._prepare)
        cleanup.callback(self.start())

    def _prepare(self, connection: HubConnection) -> None:
        connection.on_command, connection.on_change = self.take_orders, self.wake
        connection.more_state = self.more_state
        self._own_link.serve(connection)
