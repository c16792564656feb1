"""Rate limits of taps, previews and codes: each may, or is refused, a tap unless it turns out to be a repeat."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NoReturn

from flask import Request

from pegboard.config import WebSettings
from web.http.client_address import address_of_request, is_local_request, limited_address
from web.http.problems import Problem
from web.http.rate_limit import RateLimiter, retry_after

WRONG_A_MINUTE, TRIES_A_SECOND, TRIES_AT_ONCE = 60, 10, 60
"""Codes from all addresses together: wrong ones, after which who has tried one waits, and any that are looked at."""

ERRED_S = 600
"""Seconds for which an address is one that has tried a wrong code."""

PAIRINGS_A_MINUTE, PAIRINGS_AT_ONCE = 10, 30
"""Scorers that are paired, from all addresses together: whoever is paired reads the next code and could go on."""


NEW_NAMES_A_MINUTE, NEW_NAMES_AT_ONCE = 30, 100
"""Names that were on no roster and come in at a hub's door from one address: a full room behind a router, no flood."""


SEATS_A_MINUTE, SEATS_AT_ONCE = 10, 40
"""Tries at the six digits of tables from all addresses together, right ones aside: of a million codes few are tried
while one counts. An address that has tried a wrong one shares `ERRED_SEATS_A_MINUTE` with all others such."""

ERRED_SEATS_A_MINUTE, ERRED_SEATS_AT_ONCE = 6, 20


@dataclass(frozen=True, slots=True)
class RateCheck:
    """What the rate limit says of a command or preview.

    Attributes:
        wait_s: seconds until it is allowed; 0 when it is.
        refund: let it not count.
        charge: let it count as so many more.
    """

    wait_s: float = 0.0
    refund: Callable[[], None] = lambda: None
    charge: Callable[[int], None] = lambda _: None

    def refuse(self) -> NoReturn:
        """Refuse a command that is not allowed yet.

        Raises:
            Problem: 429.
        """
        seconds = retry_after(self.wait_s)
        raise Problem(429, "too_fast", "too_fast", headers={"Retry-After": seconds}, seconds=seconds)


class RateLimits:
    """The rate limits of a table: of each paired device, whatever its addresses, and of each address without one."""

    def __init__(self, settings: WebSettings, ticks: Callable[[], float] = time.monotonic) -> None:
        """Limit as the settings say; `ticks` are seconds that never jump."""
        self._limits_loopback = settings.throttle_loopback
        self._pairing = RateLimiter(settings.pairings_a_minute / 60, settings.pairings_a_minute, clock=ticks)
        self._all_tries = RateLimiter(TRIES_A_SECOND, TRIES_AT_ONCE, clock=ticks)
        self._wrong = RateLimiter(WRONG_A_MINUTE / 60, WRONG_A_MINUTE, clock=ticks)
        self._erred = RateLimiter(1 / ERRED_S, 1, clock=ticks)
        self._new_scorers = RateLimiter(PAIRINGS_A_MINUTE / 60, PAIRINGS_AT_ONCE, clock=ticks)
        self._new_names = RateLimiter(NEW_NAMES_A_MINUTE / 60, NEW_NAMES_AT_ONCE, clock=ticks)
        self._seats = RateLimiter(SEATS_A_MINUTE / 60, SEATS_AT_ONCE, clock=ticks)
        self._erred_seats = RateLimiter(ERRED_SEATS_A_MINUTE / 60, ERRED_SEATS_AT_ONCE, clock=ticks)
        self._commands = RateLimiter(settings.commands_a_second, settings.commands_at_once, clock=ticks)
        self._previews = RateLimiter(settings.commands_a_second, settings.commands_at_once, clock=ticks)

    def check_pairing(self, request: Request) -> None:
        """Count a try at a code.

        Raises:
            Problem: 429, its address has made too many, or all have, and this one a wrong one before.
        """
        if self._is_exempt(request):
            return
        client = _client(request)
        if wait := self._pairing.wait_s(client):
            raise _too_many_tries("too_many_tries", wait)
        self._check_all_tries(client)

    def _check_all_tries(self, client: str) -> None:
        has_erred = self._erred.pending_s(client) > 0
        if wait := (self._wrong.pending_s("") if has_erred else 0.0) or self._all_tries.wait_s(""):
            raise _too_many_tries("too_many_wrong_codes", wait)

    def check_guest(self, request: Request) -> Callable[[], None]:
        """See whether a code of the door or of a card may be tried; what it returns is called for a right one.

        Wrong ones alone count, by `note_wrong_guest`: a whole room behind one address comes in at once.

        Raises:
            Problem: 429, its address has tried too many wrong ones, or all have, and this one a wrong one before.
        """
        if self._is_exempt(request):
            return lambda: None
        client = _client(request)
        if wait := self._pairing.pending_s(client):
            raise _too_many_tries("too_many_tries", wait)
        self._check_all_tries(client)
        return partial(self._all_tries.refund, "")

    def note_wrong_guest(self, request: Request) -> None:
        """Count a wrong code of the door or of a card."""
        if not self._is_exempt(request):
            self._pairing.charge(_client(request), 1)
        self.note_wrong(request)

    def note_wrong(self, request: Request) -> None:
        """Count a wrong code."""
        self._wrong.wait_s("")
        self._erred.wait_s(_client(request))

    def refund_pairing(self, request: Request) -> None:
        """Let a try not count: its code was right."""
        self._pairing.refund(_client(request))

    def check_new_scorer(self, request: Request) -> None:
        """Count the pairing of a scorer.

        Raises:
            Problem: 429, too many have been paired.
        """
        if wait := 0.0 if self._is_exempt(request) else self._new_scorers.wait_s(""):
            raise _too_many_tries("too_many_pairings", wait)

    def check_seat(self, request: Request) -> Callable[[], None]:
        """Count a try at the six digits of a table; what it returns lets it not count, for the code was right.

        Raises:
            Problem: 429, its address has made too many, or all have.
        """
        self.check_pairing(request)
        if self._is_exempt(request):
            return lambda: None
        seats = self._erred_seats if self._erred.pending_s(_client(request)) > 0 else self._seats
        if wait := seats.wait_s(""):
            raise _too_many_tries("too_many_wrong_codes", wait)

        def refund() -> None:
            seats.refund("")
            self.refund_pairing(request)

        return refund

    def check_new_name(self, request: Request) -> None:
        """Count a player who comes in at a hub's door and was on no roster.

        Raises:
            Problem: 429, too many have come from that address.
        """
        if wait := 0.0 if self._is_exempt(request) else self._new_names.wait_s(_client(request)):
            raise _too_many_tries("desk_too_many_arrivals", wait)

    def check_command(self, request: Request, device: str) -> RateCheck:
        """Count a command of a device; one that comes too soon is for `RateCheck.refuse`, unless it is a repeat."""
        return self._check(self._commands, request, device)

    def check_preview(self, request: Request, device: str) -> RateCheck:
        """Count a preview of a device as one tap; what it costs beyond that is charged when it is known."""
        return self._check(self._previews, request, device)

    def _check(self, limiter: RateLimiter, request: Request, device: str) -> RateCheck:
        if self._is_exempt(request):
            return RateCheck()
        client = device or _client(request)
        wait = limiter.wait_s(client)
        refund, charge = partial(limiter.refund, client), partial(limiter.charge, client)
        return RateCheck(wait) if wait else RateCheck(0.0, refund, charge)

    def _is_exempt(self, request: Request) -> bool:
        return not self._limits_loopback and is_local_request(request)


def _too_many_tries(key: str, wait_s: float) -> Problem:
    seconds = retry_after(wait_s)
    return Problem(429, "too_many_tries", key, headers={"Retry-After": seconds}, seconds=seconds)


def _client(request: Request) -> str:
    return limited_address(address_of_request(request))
