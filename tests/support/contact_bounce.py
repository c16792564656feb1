"""Synthetic presses of a key whose contacts spring apart: up to five times within 20 ms at each stroke."""

from typing import NamedTuple

MS = 1_000_000
"""Nanoseconds in a millisecond."""

MOST_BOUNCES, BOUNCING = 5, 20 * MS


class Press(NamedTuple):
    """A press from `at` until `until`, with every change of its line as (time, whether down)."""

    at: int
    until: int
    edges: list[tuple[int, bool]]


def presses(dice, number, shortest=10 * MS, longest=300 * MS, rest=400 * MS):
    """So many presses of one key, from short taps to the longest, and from 60 ms to a `rest` before each."""
    made, t = [], 0
    for _ in range(number):
        t += dice.randrange(60 * MS, rest)
        until = t + dice.randrange(shortest, longest)
        made.append(Press(t, until, [*stroke(dice, t, True, until - t), *stroke(dice, until, False, BOUNCING)]))
        t = until
    return made


def stroke(dice, t, down, room):
    """One change of a line with its bounces, all over before `room` and before contacts have come to rest."""
    within = min(BOUNCING, room - MS)
    springs = sorted(dice.sample(range(1, within), 2 * dice.randrange(MOST_BOUNCES + 1)))
    return [(t, down), *[(t + spring, down if n % 2 else not down) for n, spring in enumerate(springs)]]
