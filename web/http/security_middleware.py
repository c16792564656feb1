"""ASGI middleware: rate limit by the cost of a request, Host and Origin checks, security headers."""

import logging
import socket
import time
from collections.abc import Callable, Iterable
from email.utils import formatdate
from typing import TypeAlias

from pegboard.config import WebSettings
from pegboard.messages import Message
from web.http.asgi import PORTS, App, AsgiMessage, Headers, Receive, Scope, Send, header
from web.http.client_address import (
    NETWORK_SHARE,
    Proxies,
    address_of,
    is_local,
    limited_client,
    parse_address,
    url_by_ip,
)
from web.http.problems import Problem, internal_error, refuse
from web.http.rate_limit import RateLimiter, RefusalDelays, retry_after
from web.http.request_body import wait_while_connected
from web.http.security_log import SecurityLog, quote_request, quote_text

log = logging.getLogger(__name__)

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing, so they need no Origin check."""

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
"""Cost of a request by path prefix: 1 is about a millisecond of work."""

WrongNamePage: TypeAlias = Callable[[str, str, str | None], bytes]
"""Renders a page from an Accept-Language header, the host name that was used, and the URL that works, or None."""

STYLE_OF_WRONG_NAME = "sha256-fuYXYgsg5nHAM2l8VkrYwHVcQJPhY2oE4tKmz/Y4W6I="
"""The hash of the inline style of the page for a wrong host name, which cannot load a style sheet."""

PAGE_POLICY = (
    f"default-src 'none'; script-src 'self'; style-src 'self' '{STYLE_OF_WRONG_NAME}'; img-src 'self' data:; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)

FILE_POLICY = "default-src 'none'; frame-ancestors 'none'"
"""Content-Security-Policy of responses other than pages, which load nothing; short, as each file of a page has it."""

SECURITY_HEADERS: Headers = [
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
]


def own_names(settings: WebSettings) -> frozenset[str]:
    """The host names that the server answers to."""
    machine = socket.gethostname().lower()
    first = machine.partition(".")[0]
    ours = {"localhost", "pegboard.local", machine, first, f"{first}.local"}
    return frozenset(ours | {name.lower() for name in settings.names})


def cost_of(path: str) -> int:
    """The cost of a request for a path."""
    return next((cost for beginning, cost in COSTS.items() if path.startswith(beginning)), 1)


class RequestLimiter:
    """The rate limiter for requests by their cost: for each paired device, and for each address of unpaired clients.

    The addresses of one IPv6 network also share a limit, because one machine may have all of them.

    Attributes:
        refusals: the delays of refusals.
    """

    def __init__(
        self,
        settings: WebSettings,
        clock: Callable[[], float] = time.monotonic,
        device_of: Callable[[Scope], str] = lambda _: "",
        cost_of: Callable[[str], int] = cost_of,
    ) -> None:
        """Use the limits of the settings; `cost_of` returns the cost of a path."""
        self._cost_of = cost_of
        a_second, at_once = settings.requests_a_second, settings.requests_at_once
        self._limits_loopback, self._device_of = settings.throttle_loopback, device_of
        self._requests = RateLimiter(a_second, at_once, clock=clock)
        self._networks = RateLimiter(a_second * NETWORK_SHARE, at_once * NETWORK_SHARE, clock=clock)
        self.refusals = RefusalDelays(clock=clock)

    def admit(self, scope: Scope) -> None:
        """Count a request.

        Raises:
            Problem: 429, too many requests from this address.
        """
        if self._is_exempt(scope):
            return
        wait = self._wait_s(scope, limited_client(scope), self._cost_of(scope.get("path", "")))
        if wait:
            seconds = retry_after(wait)
            full = Message("too_fast_requests", address=address_of(scope), seconds=seconds)
            raise Problem(429, "too_fast", full, headers={"Retry-After": seconds})

    async def delay_refusal(self, scope: Scope, receive: Receive) -> None:
        """Wait until a refusal may be sent, or the client has disconnected."""
        seconds = 0.0 if self._is_exempt(scope) else self.refusals.next_s(limited_client(scope), self._device_of(scope))
        if seconds:
            await wait_while_connected(receive, seconds)

    def _is_exempt(self, scope: Scope) -> bool:
        return is_local(scope) and not self._limits_loopback

    def _wait_s(self, scope: Scope, network: str, cost: int) -> float:
        if device := self._device_of(scope):
            return self._requests.wait_s(f"device {device}", cost)
        address = address_of(scope)
        wait = 0.0 if network == address else self._networks.wait_s(network, cost)
        return wait or self._requests.wait_s(address, cost)


class WrongName(Problem):
    """The refusal of a wrong host name, with a page that says which address works."""

    def __init__(self, name: str, make_page: Callable[[], bytes]) -> None:
        super().__init__(400, "bad_host", "bad_host", host=repr(name))
        self._make_page = make_page

    def page(self) -> bytes:
        """The page with the address that works, and the setting for more names."""
        return self._make_page()


class Guard:
    """Middleware that guards an ASGI application."""

    def __init__(
        self,
        app: App,
        names: Iterable[str],
        limiter: RequestLimiter,
        proxies: Proxies,
        note_client: Callable[[Scope], None] = lambda _: None,
        *,
        security_log: SecurityLog | None = None,
        wrong_name_page: WrongNamePage,
    ) -> None:
        """Guard `app`, which answers to `names`.

        Args:
            app: the application.
            names: the host names it answers to, in addition to any IP address.
            limiter: the rate limiter.
            proxies: the trusted proxies.
            note_client: called with each request, after its client was resolved through `proxies`.
            security_log: logs refusals.
            wrong_name_page: renders the page for a browser that uses another name.
        """
        self._wrong_name_page = wrong_name_page
        self._log = security_log or SecurityLog()
        self._app, self._names = app, frozenset(names)
        self._limiter, self._proxies, self._note_client = limiter, proxies, note_client

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        secured = _WithSecurityHeaders(send)
        scope = self._proxies.resolve_client(scope)
        self._note_client(scope)
        try:
            self._limiter.admit(scope)
            self._check(scope)
            await self._app(scope, receive, secured)
        except Problem as problem:
            self._note(problem, scope)
            await self._limiter.delay_refusal(scope, receive)
            await refuse(problem, scope, secured)
        except Exception:
            log.exception("%s failed", quote_request(scope["method"], scope["path"]))
            if secured.has_started:
                raise
            await refuse(internal_error(), scope, secured)

    def _note(self, problem: Problem, scope: Scope) -> None:
        name = {"bad_host": b"host", "foreign_origin": b"origin"}.get(problem.code)
        about = "" if name is None else f"of {quote_text(header(scope, name) or '')}"
        self._log.note_refusal(problem.code, address_of(scope), scope["method"], scope["path"], about)

    def _check(self, scope: Scope) -> None:
        host = header(scope, b"host") or ""
        name = _name(host)
        if name not in self._names and parse_address(name) is None:
            language = header(scope, b"accept-language") or ""
            raise WrongName(name, lambda: self._wrong_name_page(language, name, url_by_ip(scope)))
        origin = header(scope, b"origin")
        if scope["method"] not in SAFE_METHODS and origin is not None and not _is_same_origin(origin, host):
            raise Problem(403, "foreign_origin", "foreign_origin", origin=repr(origin))


class _WithSecurityHeaders:
    """A `send` that adds the Date and security headers."""

    def __init__(self, send: Send) -> None:
        self._send, self.has_started = send, False

    async def __call__(self, message: AsgiMessage) -> None:
        if message["type"] == "http.response.start":
            self.has_started = True
            message = {**message, "headers": with_security_headers(message["headers"])}
        await self._send(message)


def with_security_headers(headers: Headers) -> Headers:
    """Add the headers that every response has."""
    is_page = any(name == b"content-type" and value.startswith(b"text/html") for name, value in headers)
    policy = (b"content-security-policy", (PAGE_POLICY if is_page else FILE_POLICY).encode())
    return [*headers, (b"date", formatdate(usegmt=True).encode()), policy, *SECURITY_HEADERS]


def _name(host: str) -> str:
    """The host name of a Host header, without port, in lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].lower()
    return host.partition(":")[0].lower().removesuffix(".")


def _is_same_origin(origin: str, host: str) -> bool:
    scheme, _, place = origin.lower().partition("://")
    port = f":{PORTS.get(scheme)}"
    return bool(place) and scheme in PORTS and place.removesuffix(port) == host.lower().removesuffix(port)
