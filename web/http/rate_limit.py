"""Rate limiter (a burst, then a steady rate), delays of refusals, and the limits on commands, codes and check-ins.

Nobody is locked out for good.
"""

import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NoReturn

from flask import Request

from pegboard.config import WebSettings
from web.http.client_address import address_of_request, is_local_request, limited_address
from web.http.problems import Problem

CAPACITY = 4096
"""Maximum number of remembered clients; the client silent the longest is forgotten first."""

REFUSALS_A_SECOND = 100
"""Refusals per second for one client; further refusals are delayed."""

STRANGERS_REFUSALS_A_SECOND = 300
"""Refusals per second for all unpaired clients together: a tenth of a processor."""

LONGEST_DELAY_S = 4.0
"""Maximum seconds that a refusal is delayed, in which a thousand unpaired connections can be refused in turn."""

ROUNDING_S = 1e-6
"""Waits up to this many seconds are rounding errors."""


class RateLimiter:
    """Allows each client `burst` requests at once, and `a_second` in the long run.

    A client's debt is stored as one number: the time when it will be paid off.
    """

    def __init__(
        self, a_second: float, burst: int, *, clock: Callable[[], float] = time.monotonic, capacity: int = CAPACITY
    ) -> None:
        self._apart_s, self._burst_s = 1 / a_second, (burst - 1) / a_second
        self._clock, self._capacity = clock, capacity
        self._paid_off: OrderedDict[str, float] = OrderedDict()
        self._lock = threading.Lock()

    def wait_s(self, client: str, cost: int = 1) -> float:
        """0 if the request is allowed, and counts it as `cost` requests; else the seconds to wait, counting nothing.

        A request that costs more than a whole burst is allowed if the client owes nothing.
        """
        with self._lock:
            now = self._clock()
            more_s = min((cost - 1) * self._apart_s, self._burst_s)
            wait = self._wait_s(client, now, self._burst_s - more_s)
            if wait <= 0:
                self._owe(client, now, cost)
            return wait

    def pending_s(self, client: str) -> float:
        """Seconds until the client is allowed a request; does not count one."""
        with self._lock:
            return self._wait_s(client, self._clock(), self._burst_s)

    def queue_s(self, client: str, most_s: float = math.inf) -> float:
        """Seconds until the client's turn in a queue, up to `most_s` long; counts the request."""
        with self._lock:
            now = self._clock()
            wait = self._wait_s(client, now, self._burst_s)
            if wait < most_s:
                self._owe(client, now)
            return min(wait, most_s)

    def charge(self, client: str, cost: int) -> None:
        """Count `cost` more requests, for a request whose cost is known only afterwards."""
        with self._lock:
            self._owe(client, self._clock(), cost)

    def refund(self, client: str) -> None:
        """Count one request less for the client."""
        with self._lock:
            if client in self._paid_off:
                self._paid_off[client] -= self._apart_s

    def __len__(self) -> int:
        """The number of remembered clients."""
        return len(self._paid_off)

    def _wait_s(self, client: str, now: float, credit_s: float) -> float:
        wait = self._paid_off.get(client, now) - now - credit_s
        return wait if wait > ROUNDING_S else 0.0

    def _owe(self, client: str, now: float, cost: int = 1) -> None:
        self._paid_off[client] = max(now, self._paid_off.get(client, now)) + cost * self._apart_s
        self._paid_off.move_to_end(client)
        if len(self._paid_off) > self._capacity:
            self._paid_off.popitem(last=False)


class RefusalDelays:
    """Delays refusals: those of one client wait in a queue, and so do those of all unpaired clients together.

    So a client whose requests are refused gets no more processor time by sending faster or from more addresses.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._each = RateLimiter(REFUSALS_A_SECOND, 1, clock=clock)
        self._strangers = RateLimiter(STRANGERS_REFUSALS_A_SECOND, 1, clock=clock, capacity=1)

    def next_s(self, address: str, device: str = "") -> float:
        """Seconds until a refusal may be sent; counts the refusal for a paired `device`, else for an address."""
        if device:
            return self._each.queue_s(f"device {device}", LONGEST_DELAY_S)
        own_s = self._each.queue_s(address, LONGEST_DELAY_S)
        return max(own_s, self._strangers.queue_s("", LONGEST_DELAY_S))


def retry_after(wait_s: float) -> str:
    """The value of a Retry-After header: whole seconds, at least one."""
    return str(max(1, math.ceil(wait_s)))


# --- rate limits of commands, previews and codes; a repeated command is not counted ---


WRONG_A_MINUTE, TRIES_A_SECOND, TRIES_AT_ONCE = 60, 10, 60
"""Limits on codes from all addresses together: wrong codes a minute, beyond which addresses that tried a wrong code
must wait, and tries of any code."""

WRONG_CODE_MEMORY_S = 600
"""Seconds that an address counts as having tried a wrong code."""

PAIRINGS_A_MINUTE, PAIRINGS_AT_ONCE = 10, 30
"""New scorers from all addresses together: a paired device sees the next code, and could pair device after device."""

NEW_NAMES_A_MINUTE, NEW_NAMES_AT_ONCE = 30, 100
"""Players not on the roster who check in at a hub from one address: enough for a full room behind a router."""

SEATS_A_MINUTE, SEATS_AT_ONCE = 10, 40
"""Wrong tries of tables' six-digit codes from all addresses together: only a few of a million codes can be tried while
one is valid. Addresses that have tried a wrong code share `ERRED_SEATS_A_MINUTE` instead."""

ERRED_SEATS_A_MINUTE, ERRED_SEATS_AT_ONCE = 6, 20


@dataclass(frozen=True, slots=True)
class RateCheck:
    """The rate limiter's decision about a command or preview.

    Attributes:
        wait_s: seconds until the request is allowed; 0 if it is allowed now.
        refund: removes the request from the count.
        charge: adds to the cost of the request.
    """

    wait_s: float = 0.0
    refund: Callable[[], None] = lambda: None
    charge: Callable[[int], None] = lambda _: None

    def refuse(self) -> NoReturn:
        """Refuse a command that is not allowed yet.

        Raises:
            Problem: 429, the command comes too soon.
        """
        seconds = retry_after(self.wait_s)
        raise Problem(429, "too_fast", "too_fast", headers={"Retry-After": seconds}, seconds=seconds)


class RateLimits:
    """The rate limits of a table or hub: for each paired device, whatever its address, and each unpaired address."""

    def __init__(self, settings: WebSettings, ticks: Callable[[], float] = time.monotonic) -> None:
        """Use the limits of the settings; `ticks` returns monotonic seconds."""
        self._limits_loopback = settings.throttle_loopback
        self._pairing = RateLimiter(settings.pairings_a_minute / 60, settings.pairings_a_minute, clock=ticks)
        self._all_tries = RateLimiter(TRIES_A_SECOND, TRIES_AT_ONCE, clock=ticks)
        self._wrong = RateLimiter(WRONG_A_MINUTE / 60, WRONG_A_MINUTE, clock=ticks)
        self._erred = RateLimiter(1 / WRONG_CODE_MEMORY_S, 1, clock=ticks)
        self._new_scorers = RateLimiter(PAIRINGS_A_MINUTE / 60, PAIRINGS_AT_ONCE, clock=ticks)
        self._new_names = RateLimiter(NEW_NAMES_A_MINUTE / 60, NEW_NAMES_AT_ONCE, clock=ticks)
        self._seats = RateLimiter(SEATS_A_MINUTE / 60, SEATS_AT_ONCE, clock=ticks)
        self._erred_seats = RateLimiter(ERRED_SEATS_A_MINUTE / 60, ERRED_SEATS_AT_ONCE, clock=ticks)
        self._commands = RateLimiter(settings.commands_a_second, settings.commands_at_once, clock=ticks)
        self._previews = RateLimiter(settings.commands_a_second, settings.commands_at_once, clock=ticks)

    def check_pairing(self, request: Request) -> None:
        """Count an attempt to enter a code.

        Raises:
            Problem: 429, too many attempts from this address or from all addresses, or too many wrong codes from all
                addresses if this one has tried a wrong code.
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
        """Check whether a check-in code or card code may be tried; if it is right, call the returned function.

        Only wrong codes count against the address (`note_wrong_guest`), since a whole room behind one address checks in
        at once.

        Raises:
            Problem: 429, too many wrong codes from this address, too many attempts from all addresses, or too many
                wrong codes from all addresses if this one has tried a wrong code.
        """
        if self._is_exempt(request):
            return lambda: None
        client = _client(request)
        if wait := self._pairing.pending_s(client):
            raise _too_many_tries("too_many_tries", wait)
        self._check_all_tries(client)
        return partial(self._all_tries.refund, "")

    def note_wrong_guest(self, request: Request) -> None:
        """Count a wrong check-in or card code."""
        if not self._is_exempt(request):
            self._pairing.charge(_client(request), 1)
        self.note_wrong(request)

    def note_wrong(self, request: Request) -> None:
        """Count a wrong code."""
        self._wrong.wait_s("")
        self._erred.wait_s(_client(request))

    def refund_pairing(self, request: Request) -> None:
        """Count an attempt less, because its code was right."""
        self._pairing.refund(_client(request))

    def check_new_scorer(self, request: Request) -> None:
        """Count the pairing of a scorer.

        Raises:
            Problem: 429, too many scorers were paired lately.
        """
        if wait := 0.0 if self._is_exempt(request) else self._new_scorers.wait_s(""):
            raise _too_many_tries("too_many_pairings", wait)

    def check_seat(self, request: Request) -> Callable[[], None]:
        """Count an attempt at a table's six-digit code; if the code is right, call the returned function to undo that.

        Raises:
            Problem: 429, too many attempts from this address, or from all addresses.
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
        """Count a player who checks in at a hub and was on no roster.

        Raises:
            Problem: 429, too many new names from this address.
        """
        if wait := 0.0 if self._is_exempt(request) else self._new_names.wait_s(_client(request)):
            raise _too_many_tries("desk_too_many_arrivals", wait)

    def check_command(self, request: Request, device: str) -> RateCheck:
        """Count a device's command; the caller refuses it (`RateCheck.refuse`) if it comes too soon and is new."""
        return self._check(self._commands, request, device)

    def check_preview(self, request: Request, device: str) -> RateCheck:
        """Count a device's preview as one command; further cost is charged when it is known."""
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
