"""The small messages beside those of events: a hub's acknowledgement and presence, a table's status and state."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pegboard.hub_protocol.event_messages import CHAIN, EPOCH, LATEST
from pegboard.hub_protocol.message_json import BadMessage, is_integer, is_text, read_object
from pegboard.hub_protocol.table_topics import NAME

VERSION = 1

HUB_ID = r"[0-9a-f]{8,32}"

LONGEST_SMALL_MESSAGE = 65_536
"""Bytes of a status, a state, an acknowledgement, a hub's presence, or a command."""

MOST_EPOCHS = 8
"""Epochs of one table that an acknowledgement names: those that came last."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """Up to where a hub has stored the events of an epoch: the number of the last one, and its link in the chain."""

    seq: int
    chain: str


@dataclass(frozen=True, slots=True)
class HubPresence:
    """That a hub is there, or not.

    Attributes:
        hub: its id, made with its database.
        is_online: whether it is there; its will says that it is not.
        birth: another one with each connection: what was sent before it may not have arrived.
        events: the events that it serves.
    """

    hub: str
    is_online: bool
    birth: str
    events: tuple[str, ...]


def write_acknowledgement(hub: str, epochs: Mapping[str, Acknowledged]) -> bytes:
    """The acknowledgement of a table's events, by epoch, the newest last."""
    newest = list(epochs.items())[-MOST_EPOCHS:]
    return _write(hub=hub, acks={epoch: [each.seq, each.chain] for epoch, each in newest})


def read_acknowledgement(payload: bytes) -> tuple[str, dict[str, Acknowledged]]:
    """The id of the hub, and for each epoch up to where it has stored the events.

    Raises:
        BadMessage: it is no acknowledgement.
    """
    values = _read(payload)
    acks = values.get("acks")
    if not is_text(values.get("hub"), HUB_ID) or not isinstance(acks, dict):
        raise BadMessage("hub_message_field", name="acks")
    return values["hub"], {epoch: _read_one(epoch, one) for epoch, one in acks.items()}


def _read_one(epoch: str, one: Any) -> Acknowledged:
    is_pair = isinstance(one, list) and len(one) == 2  # noqa: PLR2004 - number and link
    if not (is_text(epoch, EPOCH) and is_pair and is_integer(one[0], 0, LATEST) and is_text(one[1], CHAIN)):
        raise BadMessage("hub_message_field", name="acks")
    return Acknowledged(one[0], one[1])


def write_presence(presence: HubPresence) -> bytes:
    """That a hub is there, or not."""
    return _write(hub=presence.hub, online=presence.is_online, birth=presence.birth, events=list(presence.events))


def read_presence(payload: bytes) -> HubPresence:
    """Whether a hub is there.

    Raises:
        BadMessage: the payload does not say so.
    """
    values = _read(payload)
    events = values.get("events")
    if not is_text(values.get("hub"), HUB_ID) or not is_text(values.get("birth"), r"[0-9a-f]{0,32}"):
        raise BadMessage("hub_message_field", name="hub")
    if not isinstance(events, list) or not all(isinstance(one, str) and NAME.fullmatch(one) for one in events):
        raise BadMessage("hub_message_field", name="events")
    return HubPresence(values["hub"], values.get("online") is True, values["birth"], tuple(events))


def write_status(table: str, epoch: str, *, is_online: bool) -> bytes:
    """Whether a table is there; its will says that it is not."""
    return _write(online=is_online, table=table, epoch=epoch)


def read_status(payload: bytes) -> bool:
    """Whether a table says that it is there.

    Raises:
        BadMessage: the payload does not say so.
    """
    return _read(payload).get("online") is True


def write_object(values: Mapping[str, Any]) -> bytes:
    """A state or a command: any object of JSON."""
    return _write(**values)


def read_small_object(payload: bytes) -> dict[str, Any]:
    """The object of JSON in a state or a command.

    Raises:
        BadMessage: there is none, or it is too long.
    """
    return _read(payload)


def _write(**values: Any) -> bytes:
    return json.dumps({"v": VERSION, **values}, ensure_ascii=False).encode()


def _read(payload: bytes) -> dict[str, Any]:
    if len(payload) > LONGEST_SMALL_MESSAGE:
        raise BadMessage("hub_message_long", bytes=len(payload), most=LONGEST_SMALL_MESSAGE)
    return read_object(payload)
