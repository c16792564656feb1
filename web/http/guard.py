"""The doorkeeper: looks at who asks, Host and Origin before anything else does, and seals every answer."""

import asyncio
import ipaddress
import logging
import socket
import time
from collections.abc import Callable, Iterable
from email.utils import formatdate

from pegboard.config import WebSettings
from web.http.asgi import App, Headers, Message, Receive, Scope, Send, header
from web.http.client_address import Proxies, address_of, is_here
from web.http.problems import Problem, broken, refuse
from web.http.rate_limit import Throttle, retry_after

log = logging.getLogger(__name__)

LOOKING = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""

COSTS = {
    "/api/v1/stats": 20,
    "/api/v1/export": 20,
    "/api/v1/games": 10,
    "/api/v1/sheet": 5,
    "/api/": 1,
    "/static/": 1,
    "/words/": 1,
    "/events": 1,
    "/": 3,
}
"""What a request counts as, by the beginning of its path: 1 is about a thousandth of a second of work."""

REFUSALS_A_SECOND = 100
"""Requests of one address that are refused a second; more of them wait."""

LONGEST_QUEUE_S = 1.0
"""Seconds that a refusal waits at most."""

DEFAULT_PORTS = {"http": "80", "https": "443"}

CONTENT_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

SECURITY: Headers = [
    (b"content-security-policy", CONTENT_POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
]


def own_names(settings: WebSettings) -> frozenset[str]:
    """The names that the table answers to."""
    machine = socket.gethostname().lower()
    first = machine.partition(".")[0]
    ours = {"localhost", "pegboard.local", machine, first, f"{first}.local"}
    return frozenset(ours | {name.lower() for name in settings.names})


class Turnstile:
    """Lets each address make so many requests, fewer dear ones; what is too fast is refused slowly, which costs little.

    An answer to a refused request waits its turn: whoever asks one thing after another gets no more of our time
    by asking faster.
    """

    def __init__(self, settings: WebSettings, clock: Callable[[], float] = time.monotonic) -> None:
        self._holds_loopback = settings.throttle_loopback
        self._requests = Throttle(settings.requests_a_second, settings.requests_at_once, clock=clock)
        self._refusals = Throttle(REFUSALS_A_SECOND, 1, clock=clock)

    async def admit(self, scope: Scope) -> None:
        """Count a request.

        Raises:
            Problem: 429, too many have come from its address.
        """
        if is_here(scope) and not self._holds_loopback:
            return
        address = address_of(scope)
        wait = self._requests.wait_s(address, cost_of(scope.get("path", "")))
        if wait:
            await asyncio.sleep(min(self._refusals.turn_s(address), LONGEST_QUEUE_S))
            seconds = retry_after(wait)
            raise Problem(
                429, "too_fast", "too_fast_requests", headers={"Retry-After": seconds}, address=address, seconds=seconds
            )


def cost_of(path: str) -> int:
    """What a request for that counts as."""
    return next((cost for beginning, cost in COSTS.items() if path.startswith(beginning)), 1)


class Guard:
    """An ASGI application before another one."""

    def __init__(self, app: App, names: Iterable[str], turnstile: Turnstile, proxies: Proxies) -> None:
        self._app, self._names = app, frozenset(names)
        self._turnstile, self._proxies = turnstile, proxies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        sealed = _Sealed(send)
        scope = self._proxies.behind(scope)
        try:
            await self._turnstile.admit(scope)
            self._admit(scope)
            await self._app(scope, receive, sealed)
        except Problem as problem:
            await refuse(problem, scope, sealed)
        except Exception:
            log.exception("%s %s failed", scope["method"], scope["path"])
            if sealed.begun:
                raise
            await refuse(broken(), scope, sealed)

    def _admit(self, scope: Scope) -> None:
        host = header(scope, b"host") or ""
        if not self._is_ours(host):
            raise Problem(400, "bad_host", "bad_host", host=repr(_name(host)))
        origin = header(scope, b"origin")
        if scope["method"] not in LOOKING and origin is not None and not _same_place(origin, host):
            raise Problem(403, "foreign_origin", "foreign_origin", origin=repr(origin))

    def _is_ours(self, host: str) -> bool:
        name = _name(host)
        return name in self._names or _is_address(name)


class _Sealed:
    """A `send` that adds date and security headers."""

    def __init__(self, send: Send) -> None:
        self._send, self.begun = send, False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            message = {**message, "headers": [*message["headers"], *seal()]}
        await self._send(message)


def seal() -> Headers:
    """The headers of every answer."""
    return [(b"date", formatdate(usegmt=True).encode()), *SECURITY]


def _name(host: str) -> str:
    """A Host header without its port, in lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower().removesuffix(".")


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _same_place(origin: str, host: str) -> bool:
    scheme, _, place = origin.lower().partition("://")
    port = ":" + DEFAULT_PORTS.get(scheme, "")
    return bool(place) and place.removesuffix(port) == host.lower().removesuffix(port)
