"""How long to wait before the next try at what fails: twice as long after each, and never longer than half a minute."""

FIRST_DELAY_S, LONGEST_DELAY_S = 1.0, 30.0
"""Seconds before the first try after an error, and before those that come after many."""


def next_delay(wait_s: float) -> float:
    """Seconds to wait after a wait of `wait_s` was of no use."""
    return min(2 * wait_s, LONGEST_DELAY_S)
