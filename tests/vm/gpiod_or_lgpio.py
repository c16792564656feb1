"""What is beneath gpiozero in this run, gpiod or lgpio: all that differs between them."""

import os
import sys

GPIOD = os.environ["PINS"] == "gpiod"

FREE = 17
"""A pin that no key is on."""

_HOLD = (
    f"import gpiod; held = gpiod.request_lines('/dev/gpiochip0', {{{FREE}: None}}, 'another')"
    if GPIOD
    else f"import lgpio; lgpio.gpio_claim_input(lgpio.gpiochip_open(0), {FREE})"
)
HOLDER = [sys.executable, "-c", f"{_HOLD}; print('held', flush=True); input()"]
"""Another program, which keeps the free pin until it is sent a line."""

BUSY = 'GPIO busy: "another" holds it' if GPIOD else "GPIO busy"
"""What is said of it."""

SURVIVES = GPIOD
"""Whether its thread outlives a callback that raises."""

KEPT = 0 if GPIOD else 2
"""How many of two lines stay open when their devices are closed."""


def chip(factory):
    """The number of its lines, and its label."""
    if GPIOD:
        info = factory.chip.get_info()
        return info.num_lines, info.label
    return sys.modules["lgpio"].gpio_get_chip_info(factory._handle)[1::2]


def thread(factory):
    """The thread in which edges are told."""
    return factory.edges._thread if GPIOD else sys.modules["lgpio"]._notify_thread
