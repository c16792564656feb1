"""Nobody does anything: what the program needs meanwhile, with all devices and with none."""

import contextlib
import statistics
import time

from pegboard.devices.poller import POLL_INTERVAL_S
from tests.bench.hardware import laid
from tests.bench.service import usage
from tests.support.program import Service

NO_DEVICES = "[keys]\nenabled = false\n[oled]\nenabled = false\n[strip]\nenabled = false\n"

SETTLED_S = 15
"""Until the panel has been told everything once more after its first picture."""


def idle(budgets, folder):
    """Memory, wake-ups and processor time of a program as it comes; more wake-ups with all devices than with none."""
    seconds, rounds = budgets.samples((20, 3), quick=(5, 1))
    with contextlib.ExitStack() as running:
        plain = running.enter_context(Service(folder / "state"))
        every = running.enter_context(laid(folder / "all"))
        none = running.enter_context(laid(folder / "none", NO_DEVICES))
        plain.client().state()
        time.sleep(SETTLED_S)
        rates = zip(*(idle_rates((plain, every, none), seconds) for _ in range(rounds)), strict=True)
        (switches, processor), (with_all, _), (without, _) = (zip(*each, strict=True) for each in rates)
        budgets.add("idle memory (RSS)", [usage(plain.pid)["rss_mb"]], 70, "MB")
    budgets.add("idle wake-ups a second", switches, 15, "")
    budgets.add("idle CPU", processor, 0.5, "%")
    budgets.add("idle wake-ups a second without any device", without, None, "")
    more = [a - b + 1 / POLL_INTERVAL_S for a, b in zip(with_all, without, strict=True)]
    budgets.add("  more with all devices, the looks at them included", [statistics.median(more)], 2, "")


def idle_rates(services, seconds):
    """Of each program, wake-ups a second and percent of a processor while so much time passes."""
    before, begun = [usage(service.pid) for service in services], time.monotonic()
    time.sleep(seconds)
    after, took = [usage(service.pid) for service in services], time.monotonic() - begun
    return [
        ((new["switches"] - old["switches"]) / took, (new["cpu_s"] - old["cpu_s"]) / took * 100)
        for old, new in zip(before, after, strict=True)
    ]
