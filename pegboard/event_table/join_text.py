"""What people type or scan to join an event: a code of six digits, alone or with the address of the hub. Pure."""

import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from pegboard.errors import PegboardError

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
