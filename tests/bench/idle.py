"""Nobody does anything: what the program needs meanwhile, with all devices and with none."""

import contextlib
import statistics
import time

from pegboard.devices.health import POLL_INTERVAL_S
from tests.bench.all_devices import laid
from tests.bench.service_probe import usage
from tests.support.program import Service

NO_DEVICES = "[keys]\nenabled = false\n[oled]\nenabled = false\n[strip]\nenabled = false\n"

SETTLED_S = 15
"""Until the panel has been told everything once more after its first picture."""


def idle(budgets, folder):
    """Memory, wake-ups and processor time of a program as it comes; more wake-ups with all devices than with none."""
    what = "idle wake-ups a second more with all devices than without any, the looks at them included"
    if budgets.samples(False, quick=True):
        as_it_comes(budgets, folder, 2, (3, 1))
        budgets.skip(what, 2, "", f"the panel comes to rest only after {SETTLED_S} s")
        return
    every, none = as_it_comes(
        budgets, folder, SETTLED_S, (20, 3), laid(folder / "all"), laid(folder / "none", NO_DEVICES)
    )
    more = [a - b + 1 / POLL_INTERVAL_S for (a, _), (b, _) in zip(every, none, strict=True)]
    budgets.add("idle wake-ups a second without any device", [switches for switches, _ in none], 4, "")
    budgets.add(what, [statistics.median(more)], 2, "")


def as_it_comes(budgets, folder, settled_s, spans, *others):
    """Budgets of a program as it comes; what `idle_rates` tells of others that run beside it, for each of the spans.

    `spans` is how many seconds each lasts, and how many there are.
    """
    seconds, rounds = spans
    with contextlib.ExitStack() as running:
        services = [running.enter_context(each) for each in (Service(folder / "state"), *others)]
        services[0].client().state()
        time.sleep(settled_s)
        rates = [idle_rates(services, seconds) for _ in range(rounds)]
        budgets.add("idle memory (RSS)", [usage(services[0].pid)["rss_mb"]], 70, "MB")
    plain, *rest = zip(*rates, strict=True)
    budgets.add("idle wake-ups a second", [switches for switches, _ in plain], 15, "")
    budgets.add("idle CPU", [processor for _, processor in plain], 0.5, "%")
    return rest


def idle_rates(services, seconds):
    """Of each program, wake-ups a second and percent of a processor while so much time passes."""
    before, begun = [usage(service.pid) for service in services], time.monotonic()
    time.sleep(seconds)
    after, took = [usage(service.pid) for service in services], time.monotonic() - begun
    return [
        ((new["switches"] - old["switches"]) / took, (new["cpu_s"] - old["cpu_s"]) / took * 100)
        for old, new in zip(before, after, strict=True)
    ]
