"""Exponential backoff: after each failed try the wait doubles, up to half a minute."""

FIRST_DELAY_S, LONGEST_DELAY_S = 1.0, 30.0
"""Seconds before the first retry, and the most before any other."""


def next_delay(delay_s: float) -> float:
    """Seconds before the next retry, when the last one came after `delay_s` and failed too."""
    return min(2 * delay_s, LONGEST_DELAY_S)
