"""The keys' contacts: the simulated lines of gpio-sim, pulled to ground and let go as a finger would."""

import os
import time
from pathlib import Path

_LINES = {
    pin: os.open(Path(os.environ["SIMULATED_LINES"]) / f"sim_gpio{pin}" / "pull", os.O_WRONLY) for pin in range(28)
}


def close(pin):
    """The key connects its line to ground."""
    os.pwrite(_LINES[pin], b"pull-down", 0)


def open_(pin):
    """The Pi's resistor pulls the line up again."""
    os.pwrite(_LINES[pin], b"pull-up", 0)


def press(pin, down_s=0.03):
    """Press and let go; the nanosecond in which the contact closed."""
    at = time.monotonic_ns()
    close(pin)
    time.sleep(down_s)
    open_(pin)
    return at


def bounce(first, then, pin, chance):
    """A contact that closes or opens as worn ones do, with a few strokes within 10 ms; how many it made."""
    again = chance.randint(1, 4)
    first(pin)
    for _ in range(again):
        time.sleep(chance.uniform(0.0002, 0.001))
        then(pin)
        time.sleep(chance.uniform(0.0002, 0.001))
        first(pin)
    return 1 + 2 * again
