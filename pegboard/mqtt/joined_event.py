"""The event that a table has joined: broker, event name and table name, stored in a file in the state folder."""

from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pegboard.errors import DeviceError
from pegboard.mqtt.broker_session import BrokerAddress, parse_broker_url
from pegboard.mqtt.messages_of_hub import NAME
from pegboard.storage.state_files import read_values, write_values
from pegboard.values import STORED, read

FILE = "joined_event.json"
"""The file in the state folder that stores the joined event and the `since` numbers."""

MOST_EVENTS = 50
"""Maximum events whose `since` number is remembered; the oldest are forgotten."""

UNREADABLE = (OSError, ValueError, TypeError, LookupError, AttributeError)
"""Errors from reading a file that is missing or damaged."""


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """The broker and event that a table sends its games to.

    Attributes:
        url: the broker, `mqtt://HOST:PORT` or `mqtts://HOST:PORT`.
        event: the name of the event; table: the name of the table, also its user name at the broker.
        password: the table's password; "" for none.
        ca: trusted CA certificates as text; ca_file: a file with such certificates (PEM).
        certificate, key: files with the table's client certificate and its key (PEM); "" for none.
    """

    url: str
    event: str
    table: str
    password: str = ""
    ca: str = ""
    ca_file: str = ""
    certificate: str = ""
    key: str = ""

    @property
    def address(self) -> BrokerAddress:
        """The broker's address and the table's credentials.

        Raises:
            DeviceError: the URL is invalid, or a name is not 1 to 32 lower-case letters, digits, `_` and `-`.
        """
        for setting, name in (("hub.event", self.event), ("hub.table", self.table)):
            if not NAME.fullmatch(name):
                raise DeviceError("hub_name", setting=setting, name=repr(name))
        return replace(
            parse_broker_url(self.url),
            user=self.table,
            password=self.password or None,
            ca=self.ca,
            ca_file=self.ca_file,
            certificate=self.certificate,
            key=self.key,
        )


@dataclass(frozen=True, slots=True)
class JoinedEvent:
    """An event that a table has joined.

    Attributes:
        target: the broker and event that the table's games are sent to.
        since: the number of the journal's newest event when the table first joined; it sends games that begin later.
        event_name: the display name of the event; label: the table's name in the event.
        hub: the URL of the hub's pages; "" if unknown.
        key: the key with which the table seals its result codes, in hexadecimal; "" for none.
        by: the id of the paired device that joined, and so may make the table leave; "keys"; or "" for others.
    """

    target: LinkTarget
    since: int = 0
    event_name: str = ""
    label: str = ""
    hub: str = ""
    key: str = ""
    by: str = ""


def read_joined(folder: Path) -> JoinedEvent | None:
    """The event that the table joined by a code; None if there is none, or the file is damaged."""
    try:
        found = read_values(folder / FILE)["joined"]
        return None if found is None else read(JoinedEvent, found, STORED)
    except UNREADABLE:
        return None


def read_beginnings(folder: Path) -> dict[str, int]:
    """For each event, the number of the journal's newest event when the table first joined it."""
    try:
        return {str(event): int(number) for event, number in read_values(folder / FILE)["since"].items()}
    except UNREADABLE:
        return {}


def write_joined(folder: Path, joined: JoinedEvent | None, event: str = "", since: int = 0) -> None:
    """Store the joined event, or None; the `since` number of an event that was joined before does not change.

    `event` and `since` belong to an event that the settings name.

    Raises:
        OSError: the file could not be written; it is unchanged.
    """
    beginnings = read_beginnings(folder)
    new = {event: since} if joined is None else {joined.target.event: joined.since}
    beginnings |= {name: number for name, number in new.items() if name and name not in beginnings}
    values = None if joined is None else asdict(replace(joined, since=beginnings[joined.target.event]))
    write_values(folder / FILE, {"joined": values, "since": dict(list(beginnings.items())[-MOST_EVENTS:])})
