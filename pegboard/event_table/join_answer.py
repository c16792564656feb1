"""What a hub answers to the code of a table: the event, the table's name there, and the way to the broker. Pure."""

import re
from dataclasses import dataclass
from typing import Any, TypeAlias

from pegboard.event_table.join_text import JoinAddress, JoinError

Json: TypeAlias = dict[str, Any]

VERSION = 1

ID = re.compile(r"[a-z0-9_-]{1,32}")

LONGEST_TEXT, LONGEST_CERTIFICATE = 300, 60_000

REFUSED, UNKNOWN, USED = 400, 404, 410
"""Statuses of HTTP: from the first on it is a refusal; there is no such code; it is used, or too old."""


@dataclass(frozen=True, slots=True)
class JoinAnswer:
    """A table's place in an event.

    Attributes:
        hub: the address of the hub's pages.
        event: the id of the event; `event_name` what it is called.
        table: the id of the table, which is its user name at the broker; `label` what it is called.
        broker: the broker, `mqtt://HOST:PORT` or `mqtts://HOST:PORT`.
        password: the table's at the broker.
        ca: the certificates to be trusted there (PEM), or "" for those of this machine.
        key: what the table seals the codes of its results with, in hexadecimal; "" for none.
    """

    hub: str
    event: str
    event_name: str
    table: str
    label: str
    broker: str
    password: str = ""
    ca: str = ""
    key: str = ""


def read_answer(status: int, values: object, address: JoinAddress) -> JoinAnswer:
    """The table's place, by the hub's answer.

    Raises:
        JoinError: it refuses, or it is no hub.
    """
    body: Json = values if isinstance(values, dict) else {}
    reason = body.get("detail")
    if status >= REFUSED and isinstance(reason, str):  # of a hub
        if status == UNKNOWN:
            raise JoinError("event_code_unknown", hub=address.hub, code=address.code)
        if status == USED:
            raise JoinError("event_code_used", code=address.code)
        raise JoinError("event_code_refused", hub=address.hub, reason=reason[:LONGEST_TEXT])
    try:
        return _read(body, address.hub)
    except (TypeError, ValueError, LookupError) as error:
        raise JoinError("event_answer", hub=address.hub) from error


def _read(body: Json, hub: str) -> JoinAnswer:
    event, table, broker = body["event"], body["table"], body["broker"]
    if body["v"] != VERSION or not broker["url"].startswith(("mqtt://", "mqtts://")):
        raise ValueError(body["v"])
    return JoinAnswer(
        hub=_text(body.get("hub") or hub).rstrip("/"),
        event=_id(event["id"]),
        event_name=_text(event.get("name") or event["id"]),
        table=_id(table["id"]),
        label=_text(table.get("label") or table["id"]),
        broker=_text(broker["url"]),
        password=_text(broker.get("password") or ""),
        ca=_text(broker.get("ca") or "", LONGEST_CERTIFICATE),
        key=bytes.fromhex(_text(body.get("key") or "")).hex(),
    )


def _id(value: object) -> str:
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise ValueError(value)
    return value


def _text(value: object, longest: int = LONGEST_TEXT) -> str:
    if not isinstance(value, str) or len(value) > longest:
        raise ValueError(value)
    return value
