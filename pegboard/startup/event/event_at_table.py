"""The event of a table, wired: keys and pages lead to it, and its link to the hub is that of the settings or a code."""

import contextlib
import socket
from pathlib import Path

from pegboard.config import Settings
from pegboard.devices.health import Devices
from pegboard.feed import Feed
from pegboard.mqtt.hub_announcement import find_hubs
from pegboard.mqtt.joined_event import FILE, JoinedEvent, LinkTarget
from pegboard.startup.hub_connection import HubConnection, connect_to_hub
from pegboard.table.event_table import EventTable
from pegboard.table.joining import JoinAnswer
from pegboard.table.scoreboard import Scoreboard
from web.access.invitation import own_addresses
from web.http.listener import EVERYWHERE


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
