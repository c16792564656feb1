"""What a hub answers to the code of a table: the event, the table's name there, and the way to the broker. Pure."""

import json
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from pegboard.errors import PegboardError

# --- what people type or scan to join an event: a code of six digits, alone or with the address of the hub. Pure ---


CODE = re.compile(r"\d{6}")


LONGEST, LONGEST_SAID = 300, 60
"""Letters of what is typed, and of that in a refusal."""


SERVER = r"([\w-]{1,63}(\.[\w-]{1,63})*\.?|\[[0-9A-Fa-f:.]{2,45}(%[\w.-]{1,15})?\])(:\d{1,5})?"
"""A name or an IP address and perhaps a port, in ASCII: look-alike letters could mislead the person who confirms it."""


HUB, BROKER = re.compile(f"https?://{SERVER}", re.ASCII), re.compile(f"mqtts?://{SERVER}/?", re.ASCII)
"""The address of a hub's pages, and of a broker: a server, and nothing else."""


PLACE = re.compile(r"(?P<scheme>https?://)?(?P<host>[^/\s]+)(?:/t)?[/\s]+(?P<code>[\d\s-]+)/?", re.IGNORECASE)
"""An address of a hub, and after it a code."""


HOST = "pegboard-hub.local"


USUAL_HUB = f"http://{HOST}:8090"
"""Where a hub is looked for that nobody has named: a machine of that name tells it on its network (multicast DNS)."""


class JoinError(PegboardError):
    """The event could not be joined, and the table is as it was."""

    code = "event"


class NoHub(JoinError):
    """Nobody answers at an address, or somebody who is no hub."""


@dataclass(frozen=True, slots=True)
class JoinAddress:
    """Where a code is handed in.

    Attributes:
        hub: the address of the hub's pages, without a slash at its end.
        code: six digits.
        is_known: whether the hub was named, now or before.
        is_typed: whether it was named now.
    """

    hub: str
    code: str
    is_known: bool = True
    is_typed: bool = False


def read_join_text(text: str, last_hub: str = "") -> JoinAddress:
    """Where to hand in the code of a text; `last_hub` is that of the event before, or "".

    Raises:
        JoinError: there is none in it.
    """
    typed = text.strip()
    if CODE.fullmatch(_without_gaps(typed)):
        return JoinAddress(last_hub or USUAL_HUB, _without_gaps(typed), bool(last_hub))
    place = PLACE.fullmatch(typed) if len(typed) <= LONGEST else None
    code = _without_gaps(place["code"]) if place else ""
    if place is None or not CODE.fullmatch(code):
        raise _no_code(typed)
    hub = f"{(place['scheme'] or 'http://').lower()}{place['host'].lower()}"
    if not is_address(hub, HUB):
        raise _no_code(typed)
    return JoinAddress(hub, code, is_typed=True)


def _without_gaps(typed: str) -> str:
    return re.sub(r"[\s-]", "", typed)


def is_address(url: str, kind: re.Pattern[str]) -> bool:
    """Whether it is an address of that kind, `HUB` or `BROKER`: no user, path or question."""
    try:
        return kind.fullmatch(url) is not None and urlsplit(url).port != 0
    except ValueError:
        return False


def _no_code(typed: str) -> JoinError:
    return JoinError("event_address", text=repr(typed[:LONGEST_SAID]))


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


# --- the link to a hub, as a table's event sees it: whoever brings one has these ---


class EventLink(Protocol):
    """The link of a table, which remembers the table's place; nothing of it waits for the hub."""

    @property
    def place(self) -> JoinAnswer | None:
        """The table's place in an event; None where it has none."""

    @property
    def is_set(self) -> bool:
        """Whether that stands in the settings, so that no code changes it."""

    @property
    def is_linked(self) -> bool:
        """Whether the hub is reached."""

    @property
    def waiting(self) -> int:
        """How many events the hub has not acknowledged."""

    def join(self, place: JoinAnswer) -> None:
        """Remember another place, and serve it. Raises `PegboardError` or `OSError` where that cannot be."""

    def leave(self) -> None:
        """Remember and serve none. Raises `OSError` where that cannot be stored."""

    def reload(self) -> bool:
        """Serve what another program has stored; whether that is another place."""

    def wake(self) -> None:
        """What is sent besides the table's state has changed."""


# --- hands a code in at a hub: one request over HTTP, which never takes longer than a person waits ---


TIMEOUT_S = 6.0
"""Seconds in which a hub answers."""


MOST_BYTES = 100_000
"""Bytes of an answer."""


Post: TypeAlias = Callable[[str, dict[str, Any]], tuple[int, object]]
"""Posts values as JSON to an address, and gives the status and the values of the answer. Raises `OSError`."""


def hand_in(address: JoinAddress, table: str, post: Post) -> JoinAnswer:
    """The place of the table that calls itself `table`, by the code; the hub's pages are on the machine that took it.

    Raises:
        JoinError: the hub refuses. `NoHub` if none answers.
    """
    try:
        status, values = post(f"{address.hub}/join", {"code": address.code, "name": table})
    except OSError as error:
        if not address.is_known:
            raise NoHub("event_no_hub", host=HOST) from error
        raise NoHub("event_unreachable", hub=address.hub, error=_reason(error)) from error
    place = read_answer(status, values, address)
    return place if names_one_machine(place.hub, address.hub) else replace(place, hub=address.hub)


def names_one_machine(url: str, hub: str) -> bool:
    """Whether a URL names the machine of a hub, by the same name or by an address of that."""
    host, own = urlsplit(url).hostname, urlsplit(hub).hostname
    if host == own:
        return True
    try:
        return host in {each[4][0] for each in socket.getaddrinfo(own, None)}
    except (OSError, UnicodeError):
        return False


def post_json(url: str, values: dict[str, Any]) -> tuple[int, object]:
    """Post values as JSON, through no proxy; the status, and the values of the answer, None where they are no JSON.

    The status is 0 where the answer is none of HTTP.

    Raises:
        OSError: nobody answers, or not in time.
    """
    import http.client  # noqa: PLC0415 - no start waits for them
    import urllib.error  # noqa: PLC0415
    import urllib.request  # noqa: PLC0415

    class NoRedirect(urllib.request.HTTPRedirectHandler):
        """A code is handed in where it was said, and nowhere else."""

        def redirect_request(self, *_: Any) -> None:
            """None: the redirection is the answer."""

    head = {"Content-Type": "application/json", "Accept": "application/json"}
    request = urllib.request.Request(url, json.dumps(values).encode(), head)  # noqa: S310 - `join_text` knows http alone
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect())
    try:
        with opener.open(request, timeout=TIMEOUT_S) as answer:
            return answer.status, _json_of(answer.read(MOST_BYTES + 1))
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, _json_of(refusal.read(MOST_BYTES + 1))
    except (http.client.HTTPException, UnicodeError, ValueError):  # what answers speaks another language: not quoted
        return 0, None


def _json_of(content: bytes) -> object:
    try:
        return None if len(content) > MOST_BYTES else json.loads(content)
    except (ValueError, RecursionError):
        return None


def _reason(error: OSError) -> str:
    inner = getattr(error, "reason", error)
    return getattr(inner, "strerror", None) or str(inner) or type(inner).__name__


# --- the code of an event as keys type it: digit by digit, each of which the keys count up. Pure ---


LENGTH = 6
"""Digits of a code."""


OPEN, LEFT = "_", "."
"""What stands for the digit that is to come, and for those after it."""


@dataclass(frozen=True, slots=True)
class TypedCode:
    """What has been typed.

    Attributes:
        digits: those that are done.
        digit: the next one as far as keys have counted it; None where they have not.
    """

    digits: str = ""
    digit: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether no digit is to come."""
        return len(self.digits) == LENGTH

    @property
    def as_text(self) -> str:
        """As it is shown: "48 3_ .."."""
        now = OPEN if self.digit is None else str(self.digit)
        return f"{self.digits} {now}{LEFT * (LENGTH - len(self.digits) - 1)}".strip()

    def count_up(self, points: int) -> "TypedCode":
        """A key of so many points was pressed: the digit goes up by them, and after 9 comes 0."""
        return replace(self, digit=((self.digit or 0) + points) % 10)

    def go_on(self) -> "TypedCode":
        """The digit is right; one that no key has counted is a 0."""
        return TypedCode(f"{self.digits}{self.digit or 0}")

    def type_digit(self, digit: int) -> "TypedCode":
        """A digit was typed as it is."""
        return TypedCode(f"{self.digits}{digit}")

    def go_back(self) -> "TypedCode | None":
        """The digit, or else the one before it, was wrong; None where there is none."""
        if self.digit is not None:
            return TypedCode(self.digits)
        return TypedCode(self.digits[:-1]) if self.digits else None
