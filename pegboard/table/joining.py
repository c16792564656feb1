"""Joining an event by a code: parsing it, typing it with keys, HTTP request to the hub, its answer, link interface."""

import json
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from pegboard.core.names import PLACE_ID
from pegboard.errors import PegboardError
from pegboard.values import Takes, read

# --- join text: a code of six digits, alone or with the hub's address. Pure ---


CODE = re.compile(r"\d{6}")

LONGEST, LONGEST_SAID = 300, 60
"""Maximum characters of the typed text, and of its part in an error message."""

SERVER = r"([\w-]{1,63}(\.[\w-]{1,63})*\.?|\[[0-9A-Fa-f:.]{2,45}(%[\w.-]{1,15})?\])(:\d{1,5})?"
"""A host name or IP address with optional port, ASCII only: look-alike letters could mislead its reader."""

HUB, BROKER = re.compile(f"https?://{SERVER}", re.ASCII), re.compile(f"mqtts?://{SERVER}/?", re.ASCII)
"""Addresses of a hub's pages and of a broker: scheme and server only."""

PLACE = re.compile(r"(?P<scheme>https?://)?(?P<host>[^/\s]+)(?:/t)?[/\s]+(?P<code>[\d\s-]+)/?", re.IGNORECASE)
"""A hub's address followed by a code."""

HOST = "pegboard-hub.local"

USUAL_HUB = f"http://{HOST}:8090"
"""The default hub address if none was named: a machine with that name announces it by multicast DNS."""


class JoinError(PegboardError):
    """The event could not be joined; the table is unchanged."""

    code = "event"


class NoHub(JoinError):
    """No answer at an address, or the answer is not from a hub."""


@dataclass(frozen=True, slots=True)
class JoinAddress:
    """The address of a hub, and a code to join an event of it.

    Attributes:
        hub: the address of the hub's pages, without a trailing slash.
        code: six digits.
        is_known: whether the hub was named, now or before.
        is_typed: whether it was named now.
    """

    hub: str
    code: str
    is_known: bool = True
    is_typed: bool = False


def read_join_text(text: str, last_hub: str = "") -> JoinAddress:
    """Parse a code with or without a hub's address; `last_hub` is the hub of the previous event, or "".

    Raises:
        JoinError: the text has no valid code, or no valid address.
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
    """Whether a URL matches `HUB` or `BROKER`, without user, path or query."""
    try:
        return kind.fullmatch(url) is not None and urlsplit(url).port != 0
    except ValueError:
        return False


def _no_code(typed: str) -> JoinError:
    return JoinError("event_address", text=repr(typed[:LONGEST_SAID]))


Json: TypeAlias = dict[str, Any]

VERSION = 1

LONGEST_TEXT, LONGEST_CERTIFICATE = 300, 60_000

CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
"""Control characters and line separators."""

Id: TypeAlias = Annotated[str, Takes(pattern=PLACE_ID)]

Text: TypeAlias = Annotated[str, Takes(most=LONGEST_TEXT, test=lambda text: not CONTROL.search(text))]
"""A single line: a control character in a password could start a new line in another server's protocol."""

Lines: TypeAlias = Annotated[
    str, Takes(most=LONGEST_CERTIFICATE, test=lambda text: not CONTROL.search(re.sub(r"[\r\n]", "", text)))
]

REFUSED, UNKNOWN, TABLE, CONFLICT, USED, BUSY = 400, 404, 405, 409, 410, 429
"""HTTP statuses: refused (this and above); no such code; a table, which accepts no codes; no broker; code used or
expired; too many attempts."""

WHY = {
    UNKNOWN: "event_code_unknown",
    CONFLICT: "event_hub_no_broker",
    USED: "event_code_used",
    BUSY: "event_hub_busy",
}
"""The error message for each refusal. The answer is never quoted, so a table cannot be used to read other servers
(SSRF)."""


@dataclass(frozen=True, slots=True)
class JoinAnswer:
    """A table's place in an event.

    Attributes:
        hub: the address of the hub's pages.
        event: the id of the event; `event_name` its display name.
        table: the id of the table, also its user name at the broker; `label` its display name.
        broker: the broker, `mqtt://HOST:PORT` or `mqtts://HOST:PORT`.
        password: the table's password at the broker.
        ca: the CA certificates to trust for the broker (PEM), or "" for the system's.
        key: the key with which the table seals its result codes, in hexadecimal; "" for none.
        by: the id of the paired device that joined, `key_entry.EVENT_KEYS` for the table's keys, or "" for others.
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
    """Parse the hub's answer.

    Raises:
        JoinError: the hub refuses. `NoHub` if the answer is not from a hub.
    """
    body: Json = values if isinstance(values, dict) else {}
    if status >= REFUSED and status != TABLE and isinstance(body.get("detail"), str):  # from a hub
        raise JoinError(WHY.get(status, "event_code_refused"), hub=address.hub, code=address.code)
    try:
        return _read(body, address.hub)
    except (TypeError, ValueError, LookupError) as error:
        raise NoHub("event_answer", hub=address.hub) from error


def _read(body: Json, hub: str) -> JoinAnswer:
    event, table, broker = body["event"], body["table"], body["broker"]
    url, pages = read(Text, broker["url"]), read(Text, body.get("hub") or hub).rstrip("/")
    if body["v"] != VERSION or not is_address(url, BROKER):
        raise ValueError(body["v"])
    return JoinAnswer(
        hub=pages if is_address(pages, HUB) else hub,
        event=read(Id, event["id"]),
        event_name=read(Text, event.get("name") or event["id"]),
        table=read(Id, table["id"]),
        label=read(Text, table.get("label") or table["id"]),
        broker=url,
        password=read(Text, broker.get("password") or ""),
        ca=read(Lines, broker.get("ca") or ""),
        key=bytes.fromhex(read(Text, body.get("key") or "")).hex(),
    )


# --- interface of the link to a hub, as a table's event uses it ---


class EventLink(Protocol):
    """A table's link to a hub, which stores the table's place; no method waits for the hub."""

    @property
    def place(self) -> JoinAnswer | None:
        """The table's place in an event, or None."""

    @property
    def is_set(self) -> bool:
        """Whether the settings name the place, so that no code changes it."""

    @property
    def is_linked(self) -> bool:
        """Whether the hub is connected."""

    @property
    def waiting(self) -> int:
        """The number of events that the hub has not acknowledged."""

    def join(self, place: JoinAnswer) -> None:
        """Store a new place, and connect to its hub. Raises `PegboardError` or `OSError` on failure."""

    def leave(self) -> None:
        """Remove the place, and disconnect from its hub. Raises `OSError` if that cannot be stored."""

    def reload(self) -> bool:
        """Use the place that another program has stored; returns whether the place has changed."""

    def wake(self) -> None:
        """Send the values that go with the table's state, after they have changed."""


# --- sending a code to a hub: one HTTP request with a short timeout ---


TIMEOUT_S = 6.0
"""Timeout in seconds for the hub's answer."""

MOST_BYTES = 100_000
"""Maximum bytes of an answer."""

Post: TypeAlias = Callable[[str, dict[str, Any]], tuple[int, object]]
"""Posts values as JSON to a URL, and returns the status and values of the response. Raises `OSError`."""


def hand_in(address: JoinAddress, table: str, post: Post) -> JoinAnswer:
    """Send the code for the table called `table`, and return its place, whose `hub` is on the machine that answered.

    Raises:
        JoinError: the hub refuses. `NoHub` if no hub answers.
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
    """Whether a URL names the machine of a hub, by the same host name or by one of its addresses."""
    host, own = urlsplit(url).hostname, urlsplit(hub).hostname
    if host == own:
        return True
    try:
        return host in {each[4][0] for each in socket.getaddrinfo(own, None)}
    except (OSError, UnicodeError):
        return False


def post_json(url: str, values: dict[str, Any]) -> tuple[int, object]:
    """Post values as JSON without a proxy; returns the status, and the values of the response, None if it is not JSON.

    The status is 0 if the response is not HTTP.

    Raises:
        OSError: there is no response, or not in time.
    """
    import http.client  # noqa: PLC0415 - imported late, for a fast start
    import urllib.error  # noqa: PLC0415
    import urllib.request  # noqa: PLC0415

    class NoRedirect(urllib.request.HTTPRedirectHandler):
        """Refuses redirects: a code is only sent to the address that was given."""

        def redirect_request(self, *_: Any) -> None:
            """Return None, so the redirect itself is the response."""

    head = {"Content-Type": "application/json", "Accept": "application/json"}
    request = urllib.request.Request(url, json.dumps(values).encode(), head)  # noqa: S310 - http only, see `read_join_text`
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), NoRedirect())
    try:
        with opener.open(request, timeout=TIMEOUT_S) as answer:
            return answer.status, _json_of(answer.read(MOST_BYTES + 1))
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, _json_of(refusal.read(MOST_BYTES + 1))
    except (http.client.HTTPException, UnicodeError, ValueError):  # not HTTP, and never quoted
        return 0, None


def _json_of(content: bytes) -> object:
    try:
        return None if len(content) > MOST_BYTES else json.loads(content)
    except (ValueError, RecursionError):
        return None


def _reason(error: OSError) -> str:
    inner = getattr(error, "reason", error)
    return getattr(inner, "strerror", None) or str(inner) or type(inner).__name__


# --- an event's code typed with keys: digit by digit, counted up. Pure ---


LENGTH = 6
"""Number of digits of a code."""

OPEN, LEFT = "_", "."
"""Placeholders for the current digit, and for the digits after it."""


@dataclass(frozen=True, slots=True)
class TypedCode:
    """A partly typed code.

    Attributes:
        digits: the finished digits.
        digit: the current digit as counted so far; None if not counted yet.
    """

    digits: str = ""
    digit: int | None = None

    @property
    def is_complete(self) -> bool:
        """Whether all digits are typed."""
        return len(self.digits) == LENGTH

    @property
    def as_text(self) -> str:
        """The code as it is shown: "48 3_ .."."""
        now = OPEN if self.digit is None else str(self.digit)
        return f"{self.digits} {now}{LEFT * (LENGTH - len(self.digits) - 1)}".strip()

    def count_up(self, points: int) -> "TypedCode":
        """Add a key's points to the current digit; 9 is followed by 0."""
        return replace(self, digit=((self.digit or 0) + points) % 10)

    def go_on(self) -> "TypedCode":
        """Accept the current digit; 0 if not counted."""
        return TypedCode(f"{self.digits}{self.digit or 0}")

    def type_digit(self, digit: int) -> "TypedCode":
        """Add a digit typed directly."""
        return TypedCode(f"{self.digits}{digit}")

    def go_back(self) -> "TypedCode | None":
        """Clear the current digit, or else remove the last one; None if there was no digit."""
        if self.digit is not None:
            return TypedCode(self.digits)
        return TypedCode(self.digits[:-1]) if self.digits else None
