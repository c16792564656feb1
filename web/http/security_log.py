"""Security log: pairings, wrong codes and refusals, with time and client address; rate limited and injection-safe.

A flood writes only a few lines: for each kind of event, an address gets `BURST` lines at once, then one a minute; all
addresses together get `BURST_OF_ALL` at once. The next line of that kind says how many were omitted. Codes and cookies
are never logged.
"""

import logging
import re
import threading
import time
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from web.http.client_address import limited_address
from web.http.rate_limit import RateLimiter

log = logging.getLogger("pegboard.security")

LINES_A_SECOND = 1 / 60

BURST, BURST_OF_ALL = 5, 30

LONGEST = 120
"""Maximum characters of a client's text that are logged."""

ADDRESS = re.compile(r"[0-9A-Za-z:.%_-]{1,60}")

INVITATION = re.compile(r"(/+[jdpt]/).+", re.IGNORECASE | re.DOTALL)
"""The path of an invitation, whose code is secret while it is valid; in QR codes the path is in upper case.

It leads to a table or to a hub's desk (j) or check-in (d), or it is for a player's phone (p) or for a table (t)."""

LOGGED_REFUSALS = frozenset(
    {"bad_host", "foreign_origin", "wrong_code", "too_many_tries", "too_fast", "not_paired", "role"}
)
"""Refusal codes that are security events."""


class SecurityLog:
    """The security events of one table or hub."""

    def __init__(self, clock: Callable[[], float] = time.monotonic, wall: Callable[[], float] = time.time) -> None:
        """`clock` returns monotonic seconds, `wall` seconds since 1970."""
        self._by_address = RateLimiter(LINES_A_SECOND, BURST, clock=clock)
        self._by_kind = RateLimiter(LINES_A_SECOND, BURST_OF_ALL, clock=clock)
        self._wall = wall
        self._left_out: Counter[str] = Counter()
        self._lock = threading.Lock()

    def note_pairing(self, address: str, about: str) -> None:
        """Log that a device was paired or unpaired; not rate limited, because both require a code or a pairing."""
        self._write(logging.INFO, address, about)

    def note_suspect(self, kind: str, address: str, about: str) -> None:
        """Log a possible attack, rate limited; `about` is our own text, or quoted by `quote_text`."""
        with self._lock:
            if self._by_address.wait_s(f"{kind} {limited_address(address)}") or self._by_kind.wait_s(kind):
                self._left_out[kind] += 1
                return
            left_out = self._left_out.pop(kind, 0)
        more = f" (and {left_out:,} before it)" if left_out else ""
        self._write(logging.WARNING, address, f"{kind}: {about}{more}")

    def note_refusal(self, code: str, address: str, method: str, path: str, about: str = "") -> None:
        """Log a refusal if its code is a security event."""
        if code in LOGGED_REFUSALS:
            self.note_suspect(code, address, " ".join(filter(None, (quote_request(method, path), about))))

    def _write(self, level: int, address: str, about: str) -> None:
        at = datetime.fromtimestamp(self._wall(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        log.log(level, "%s %s %s", at, address if ADDRESS.fullmatch(address) else quote_text(address), about)


def quote_text(text: str) -> str:
    """Quote a client's text for the log: in quotes, ASCII, on one line, shortened."""
    return ascii(text if len(text) <= LONGEST else f"{text[:LONGEST]}...")


def quote_request(method: str, path: str) -> str:
    """The method and path of a request for the log, without an invitation's code."""
    shown = method if method.isascii() and method.isalpha() and len(method) <= LONGEST else quote_text(method)
    without_code = INVITATION.sub(r"\1...", path)
    return f"{shown} {quote_text(without_code)}"
