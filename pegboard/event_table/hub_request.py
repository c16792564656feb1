"""Hands a code in at a hub: one request over HTTP, which never takes longer than a person waits."""

import json
import socket
from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeAlias
from urllib.parse import urlsplit

from pegboard.event_table.join_answer import JoinAnswer, read_answer
from pegboard.event_table.join_text import HOST, JoinAddress, NoHub

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
