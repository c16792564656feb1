"""What a table has joined: the broker, the event, the name that the table has there; a file in the state folder."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import Any

from pegboard.errors import DeviceError
from pegboard.mqtt.broker_session import BrokerAddress, parse_broker_url
from pegboard.mqtt.messages_of_hub import NAME
from pegboard.storage.state_files import read_values, write_values

FILE = "joined_event.json"
"""The file in the state folder that says which event the table has joined, and since when."""

MOST_EVENTS = 50
"""Events whose beginning is remembered: those that came last."""

UNREADABLE = (OSError, ValueError, TypeError, LookupError, AttributeError)
"""What reading a file ends in that is missing, or that nobody can have written so."""


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """An event that a table sends its games to.

    Attributes:
        url: the broker, `mqtt://HOST:PORT` or `mqtts://HOST:PORT`.
        event: the name of the event; table: that of the table, and its user name at the broker.
        password: its password; "" for none.
        ca: the certificates that are trusted, as text; ca_file: the same in a file (PEM).
        certificate, key: files of the table's own certificate and its key (PEM); "" for none.
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
        """The broker, and who the table is there.

        Raises:
            DeviceError: the URL is none, or a name is not one of 1 to 32 small letters, digits, `_` and `-`.
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
    """What a table has joined.

    Attributes:
        target: where its games are sent.
        since: the number of the journal's newest event when it joined first: the games that begin later are sent.
        event_name: what the event is called; label: what the table is called there.
        hub: the URL of the hub's pages; "" where it is not known.
        key: what the table seals the codes of its results with, in hexadecimal; "" for none.
        by: who has joined it, and so may leave it: the id of a paired device, "keys", or "" for others.
    """

    target: LinkTarget
    since: int = 0
    event_name: str = ""
    label: str = ""
    hub: str = ""
    key: str = ""
    by: str = ""


def read_joined(folder: Path) -> JoinedEvent | None:
    """What the table has joined by a code; None where it has joined nothing so, or the file is damaged."""
    try:
        found = read_values(folder / FILE)["joined"]
        if found is None:
            return None
        target = LinkTarget(**_texts(found["target"], LinkTarget))
        return JoinedEvent(target, int(found["since"]), **_texts(found, JoinedEvent, ("target", "since")))
    except UNREADABLE:
        return None


def _texts(values: Mapping[str, Any], kind: type, others: tuple[str, ...] = ()) -> dict[str, str]:
    names = {each.name for each in fields(kind)} - set(others)
    return {name: str(value) for name, value in values.items() if name in names}


def read_beginnings(folder: Path) -> dict[str, int]:
    """By event, the number of the journal's newest event when the table joined it first."""
    try:
        return {str(event): int(number) for event, number in read_values(folder / FILE)["since"].items()}
    except UNREADABLE:
        return {}


def write_joined(folder: Path, joined: JoinedEvent | None, event: str = "", since: int = 0) -> None:
    """Store what the table has joined, None for nothing; the beginning of an event that it has known before stays.

    `event` and `since` are what an event began with that the settings name.

    Raises:
        OSError: it could not be written; the file is as it was.
    """
    beginnings = read_beginnings(folder)
    new = {event: since} if joined is None else {joined.target.event: joined.since}
    beginnings |= {name: number for name, number in new.items() if name and name not in beginnings}
    values = None if joined is None else asdict(replace(joined, since=beginnings[joined.target.event]))
    write_values(folder / FILE, {"joined": values, "since": dict(list(beginnings.items())[-MOST_EVENTS:])})
