"""The rate limit: how much is allowed at once and in a second, and that nobody is shut out."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from web.http.rate_limit import RateLimiter, retry_after


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_may_come_at_once_and_then_so_many_a_second():
    clock = Clock()
    limiter = RateLimiter(10, 30, clock=clock)
    assert [limiter.wait_s("phone") for _ in range(30)] == [0.0] * 30
    assert limiter.wait_s("phone") == pytest.approx(0.1)
    clock.now += 0.1
    assert limiter.wait_s("phone") == 0.0
    assert limiter.wait_s("phone") == pytest.approx(0.1)


def test_a_costly_request_counts_as_many():
    clock = Clock()
    limiter = RateLimiter(10, 30, clock=clock)
    assert [limiter.wait_s("phone", 10) for _ in range(3)] == [0.0] * 3
    assert limiter.wait_s("phone", 10) == pytest.approx(1.0)
    assert limiter.wait_s("phone") == pytest.approx(0.1)
    clock.now += 1.0
    assert limiter.wait_s("phone", 10) == 0.0


def test_the_costliest_request_is_allowed_when_nothing_is_owed():
    clock = Clock()
    limiter = RateLimiter(10, 5, clock=clock)
    assert limiter.wait_s("phone", 20) == 0.0
    assert limiter.wait_s("phone", 20) == pytest.approx(2.0)


def test_what_is_refused_does_not_count():
    clock = Clock()
    limiter = RateLimiter(10, 1, clock=clock)
    limiter.wait_s("phone")
    waits = [limiter.wait_s("phone") for _ in range(1000)]
    assert waits == [pytest.approx(0.1)] * 1000, "nobody is shut out for asking"
    clock.now += 0.1
    assert limiter.wait_s("phone") == 0.0


def test_everybody_has_a_share_of_their_own():
    limiter = RateLimiter(1, 1, clock=Clock())
    assert [limiter.wait_s(f"phone {number}") for number in range(100)] == [0.0] * 100


def test_a_refunded_request_may_come_again():
    limiter = RateLimiter(1, 3, clock=Clock())
    for _ in range(50):
        assert limiter.wait_s("phone") == 0.0
        limiter.refund("phone")
    assert [limiter.wait_s("phone") for _ in range(4)] == [0.0, 0.0, 0.0, pytest.approx(1.0)]


def test_those_who_queue_come_one_after_another():
    clock = Clock()
    queue = RateLimiter(250, 1, clock=clock)
    assert [queue.queue_s("flood") for _ in range(4)] == pytest.approx([0.0, 0.004, 0.008, 0.012])
    assert queue.queue_s("other") == 0.0
    clock.now += 1
    assert queue.queue_s("flood") == 0.0


def test_memory_is_bounded_and_the_one_silent_for_longest_is_forgotten():
    clock = Clock()
    limiter = RateLimiter(1, 1, clock=clock, capacity=100)
    limiter.wait_s("flood")
    for number in range(99):
        limiter.wait_s(f"{number}")
    assert limiter.wait_s("flood") > 0
    for number in range(100_000):
        limiter.wait_s(f"address {number}")
    assert len(limiter) == 100
    assert limiter.wait_s("flood") == 0.0


@given(some.lists(some.floats(0, 0.5), min_size=1, max_size=200), some.integers(1, 8))
def test_no_window_ever_has_more_than_burst_and_rate_allow(pauses: list[float], burst: int):
    clock, taken = Clock(), []
    limiter = RateLimiter(10, burst, clock=clock)
    for pause in pauses:
        clock.now += pause
        if limiter.wait_s("phone") == 0:
            taken.append(clock.now)
    for first, begun in enumerate(taken):
        for last, now in enumerate(taken[first:], first):
            assert last - first + 1 <= burst + 10 * (now - begun) + 1e-3


@given(some.floats(0.01, 1000), some.integers(1, 500))
def test_who_waits_as_long_as_told_may(a_second: float, burst: int):
    clock = Clock()
    limiter = RateLimiter(a_second, burst, clock=clock)
    for _ in range(burst):
        assert limiter.wait_s("phone") == 0
    wait = limiter.wait_s("phone")
    assert wait > 0
    clock.now += wait
    assert limiter.wait_s("phone") == 0


@pytest.mark.parametrize(("wait", "told"), [(0.001, "1"), (1.0, "1"), (1.1, "2"), (12.0, "12")])
def test_retry_after_is_in_whole_seconds_and_never_too_early(wait: float, told: str):
    assert retry_after(wait) == told
