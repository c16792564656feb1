"""Refusals are delayed: for each client one after another, and for all strangers together, whatever is refused."""

import asyncio
import contextlib
import heapq
from collections.abc import Callable
from typing import Any

import pytest

from tests.support.event_loop import apart
from tests.support.waiting import soon
from tests.support.web_server_and_clients import OPEN, Site
from web.http import security_middleware
from web.http.asgi import AsgiMessage, Receive, Scope
from web.http.client_address import Proxies
from web.http.problems import Problem, busy
from web.http.rate_limit import CAPACITY, LONGEST_DELAY_S, REFUSALS_A_SECOND, STRANGERS_REFUSALS_A_SECOND, RefusalDelays
from web.http.request_body import MAX_BYTES, wait_while_connected
from web.http.security_middleware import Guard, RequestLimiter


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def address(number: int) -> str:
    return f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"


def sent_within_a_second(who: Callable[[int], str], connections: int) -> int:
    """How many refusals are sent to so many connections, on each of which another one is due once one was sent."""
    clock = Clock()
    delays, ends = RefusalDelays(clock=clock), clock.now + 1
    due = [(clock.now + delays.next_s(who(n)), n) for n in range(connections)]
    heapq.heapify(due)
    sent = 0
    while due[0][0] < ends:
        clock.now, connection = heapq.heappop(due)
        sent += 1
        heapq.heappush(due, (clock.now + delays.next_s(who(connection)), connection))
    return sent


def test_refusals_of_one_client_leave_one_after_another():
    delays = RefusalDelays(clock=Clock())
    waits = [delays.next_s("192.168.1.9") for _ in range(3)]
    assert waits == pytest.approx([n / REFUSALS_A_SECOND for n in range(3)])
    assert max(delays.next_s("192.168.1.9") for _ in range(10_000)) == LONGEST_DELAY_S, "nobody waits for long"


def test_one_client_gets_so_many_refusals_a_second_on_any_number_of_connections():
    assert sent_within_a_second(lambda _: "192.168.1.9", 128) == pytest.approx(REFUSALS_A_SECOND, abs=3)


@pytest.mark.parametrize("addresses", [60, 1000])
def test_strangers_get_so_many_refusals_a_second_together_from_any_number_of_addresses(addresses: int):
    assert sent_within_a_second(address, addresses) == pytest.approx(STRANGERS_REFUSALS_A_SECOND, abs=5)


def test_a_paired_device_waits_for_no_stranger_and_has_one_line_from_any_address():
    delays = RefusalDelays(clock=Clock())
    for n in range(10_000):
        delays.next_s(address(n))
    waits = [delays.next_s(address(n), "a phone") for n in range(3)]
    assert waits == pytest.approx([n / REFUSALS_A_SECOND for n in range(3)])
    assert delays.next_s("10.9.9.9", "another phone") == 0.0
    assert delays.next_s("10.9.9.9") == LONGEST_DELAY_S


def test_a_flood_is_forgotten_as_soon_as_its_last_refusal_has_been_sent():
    clock = Clock()
    delays = RefusalDelays(clock=clock)
    for n in range(100_000):
        delays.next_s(address(n % 50))
    clock.now += LONGEST_DELAY_S + 0.02
    assert delays.next_s(address(3)) == 0.0


def test_memory_of_delays_is_bounded():
    delays = RefusalDelays(clock=Clock())
    for n in range(3 * CAPACITY):
        delays.next_s(address(n))
    assert len(delays._each) == CAPACITY
    assert len(delays._strangers) == 1


# --- by the middleware ---


def refused(kinds: list[Problem], device: str = "", **asked: Any) -> list[float]:
    """By how much answers to strangers are delayed, each refused in its way and from an address of its own."""
    waited, problems = [], list(kinds)

    async def app(*_: object) -> None:
        raise problems.pop(0)

    async def wait(_: Receive, seconds: float) -> None:
        waited.append(seconds)

    async def receive() -> AsgiMessage:
        return {"type": "http.disconnect"}

    async def send(_: AsgiMessage) -> None:
        pass

    async def play() -> None:
        limiter = RequestLimiter(OPEN, lambda: 1000.0, device_of=lambda _: device)
        guard = Guard(app, {"localhost"}, limiter, Proxies(()), wrong_name_page=lambda *_: b"")
        for n in range(len(kinds)):
            headers = [(b"host", b"localhost")]
            scope: Scope = {"client": (address(n), 1), "server": ("10.0.0.255", 80), "headers": headers}
            await guard(scope | {"method": "GET", "path": "/api/v1/me"} | asked, receive, send)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(security_middleware, "wait_while_connected", wait)
        apart(play())
    return waited


KINDS: list[Problem] = [
    busy("busy_statistics"),
    busy("viewers", "too_many_viewers", viewers=4),
    Problem(403, "not_paired", "not_paired"),
    Problem(413, "too_large", "too_large", most=1),
]


def test_whatever_is_refused_strangers_wait_for_it_in_one_line():
    in_line = pytest.approx([n / STRANGERS_REFUSALS_A_SECOND for n in range(1, 8)])
    assert refused(KINDS * 2) == in_line
    assert refused(KINDS * 2, headers=[(b"host", b"example.org")]) == in_line


def test_refusals_of_a_paired_device_are_delayed_as_one_clients():
    assert refused(KINDS, "a phone") == pytest.approx([n / REFUSALS_A_SECOND for n in range(1, 4)])


def test_the_tables_own_machine_does_not_wait():
    assert refused(KINDS, client=("127.0.0.1", 1), server=("127.0.0.1", 80)) == []


def test_what_is_refused_before_there_is_a_request_waits_in_the_same_line(site: Site):
    for n in range(30):
        site.server._limiter.refusals.next_s(address(n))
    connection = site.raw(b"no request\r\n\r\n")
    connection.settimeout(0.02)
    with pytest.raises(TimeoutError):
        connection.recv(1)
    connection.settimeout(60)
    assert connection.recv(65536).startswith(b"HTTP/1.1 400 ")


# --- the wait itself ---


def waiting(messages: list[AsgiMessage], seconds: float) -> tuple[float, int]:
    """Seconds for which a refusal has waited, and how many messages are left."""

    async def receive() -> AsgiMessage:
        if not messages:
            await asyncio.sleep(60)
        return messages.pop(0)

    async def play() -> float:
        begun = asyncio.get_running_loop().time()
        await wait_while_connected(receive, seconds)
        return asyncio.get_running_loop().time() - begun

    return apart(play()), len(messages)


WHOLE: AsgiMessage = {"type": "http.request", "body": b"", "more_body": False}
PART: AsgiMessage = {"type": "http.request", "body": b"a" * 1024, "more_body": True}


def test_a_client_that_has_left_is_not_waited_for():
    assert waiting([WHOLE, {"type": "http.disconnect"}], 60)[0] < 30


def test_one_that_stays_waits_for_its_time():
    assert waiting([WHOLE], 0.05)[0] >= 0.05


def test_little_is_read_of_a_body_meanwhile():
    took_s, left = waiting([PART] * 1000, 0.05)
    assert took_s >= 0.05
    assert left == 1000 - MAX_BYTES // 1024 - 1


def test_nothing_is_kept_of_clients_that_leave_before_they_are_refused(serve: Callable[..., Site]):
    site = serve(throttle_loopback=True, requests_a_second=1, requests_at_once=1)
    for n in range(10 * STRANGERS_REFUSALS_A_SECOND):
        site.server._limiter.refusals.next_s(address(n))
    asked = b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n"
    connections = [site.raw(asked) for _ in range(20)]
    assert soon(lambda: len(site.server._http.server_state.tasks) > 10)
    for connection in connections:
        with contextlib.closing(connection):
            pass
    assert soon(lambda: not site.server._http.server_state.tasks)
