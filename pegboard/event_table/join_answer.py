"""What a hub answers to the code of a table: the event, the table's name there, and the way to the broker. Pure."""

import re
from dataclasses import dataclass
from typing import Any, TypeAlias

from pegboard.event_table.join_text import BROKER, HUB, JoinAddress, JoinError, NoHub, is_address

Json: TypeAlias = dict[str, Any]

VERSION = 1

ID = re.compile(r"[a-z0-9_-]{1,32}")

LONGEST_TEXT, LONGEST_CERTIFICATE = 300, 60_000

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Control characters, and separators of lines."""

REFUSED, UNKNOWN, TABLE, CONFLICT, USED, BUSY = 400, 404, 405, 409, 410, 429
"""Statuses of HTTP: from the first on it is a refusal; no such code; a table, which takes none; no broker; used, or too
old; too many tries."""

WHY = {
    UNKNOWN: "event_code_unknown",
    CONFLICT: "event_hub_no_broker",
    USED: "event_code_used",
    BUSY: "event_hub_busy",
}
"""What is said of a refusal. The answer is never quoted: nobody reads a server through a table."""


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
        by: who has joined it: the id of a paired device, `event_keys.KEYS`, or "" for others.
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
    by: str = ""


def read_answer(status: int, values: object, address: JoinAddress) -> JoinAnswer:
    """The table's place, by the hub's answer.

    Raises:
        JoinError: it refuses. `NoHub` if it is none.
    """
    body: Json = values if isinstance(values, dict) else {}
    if status >= REFUSED and status != TABLE and isinstance(body.get("detail"), str):  # of a hub
        raise JoinError(WHY.get(status, "event_code_refused"), hub=address.hub, code=address.code)
    try:
        return _read(body, address.hub)
    except (TypeError, ValueError, LookupError) as error:
        raise NoHub("event_answer", hub=address.hub) from error


def _read(body: Json, hub: str) -> JoinAnswer:
    event, table, broker = body["event"], body["table"], body["broker"]
    url, pages = _text(broker["url"]), _text(body.get("hub") or hub).rstrip("/")
    if body["v"] != VERSION or not is_address(url, BROKER):
        raise ValueError(body["v"])
    return JoinAnswer(
        hub=pages if is_address(pages, HUB) else hub,
        event=_id(event["id"]),
        event_name=_text(event.get("name") or event["id"]),
        table=_id(table["id"]),
        label=_text(table.get("label") or table["id"]),
        broker=url,
        password=_text(broker.get("password") or ""),
        ca=_lines(broker.get("ca") or ""),
        key=bytes.fromhex(_text(body.get("key") or "")).hex(),
    )


def _id(value: object) -> str:
    if not isinstance(value, str) or not ID.fullmatch(value):
        raise ValueError(value)
    return value


def _text(value: object) -> str:
    """A line: a control character in a password would be a line of its own to a server of another kind."""
    if not isinstance(value, str) or len(value) > LONGEST_TEXT or CONTROL.search(value):
        raise ValueError(value)
    return value


def _lines(value: object) -> str:
    if not isinstance(value, str) or len(value) > LONGEST_CERTIFICATE or CONTROL.search(re.sub(r"[\r\n]", "", value)):
        raise ValueError(value)
    return value
