"""All devices together in the real program: a press down to the wire, with and without faults."""

import asyncio
import contextlib
import itertools
import os
import statistics
import threading
import time
from pathlib import Path

from tests.bench.service_probe import first_burst, percentile, recorded_since, undisturbed, watch, wire_ms
from tests.support.program import Service

VIEWERS = 50

APART_S = 0.12
"""Between two presses, so that each has its own frames."""

PATIENCE_S = 5
"""For what ought to be there at once."""

WELL_S = 40
"""For a device that was ill until just now."""

ROUNDS = 3
"""Presses with and without a fault are measured in turn, so that both meet the same machine."""

LUMAS = "[pegboard.displays]\nlumas = tests.bench.display_written_by_luma:Lumas\n"

FLAG = "[pegboard.displays]\nflag = tests.bench.noting_display:Flag\n"


# --- a press with everything attached ------------------------------------------------------------------------------


def devices(budgets, folder):
    """Presses with fifty viewers, beside luma's whole frames."""
    times = budgets.samples(200, quick=10)
    ours, sent = pressed_before_viewers(folder / "ours", times)
    with a_package(folder / "lumas", LUMAS):
        lumas, sent_by_luma = pressed_before_viewers(folder / "lumas", times, "[oled]\nenabled = false\n")
    what = f"press edge to the last OLED byte on a 400 kHz wire, strip and {VIEWERS} viewers"
    budgets.add(what, ours, 3, "ms", of="median")
    budgets.add("  the same", ours, 10, "ms")
    budgets.add("  of that on the wire", sent, None, "ms")
    budgets.add("  luma's whole frames, in the same place", lumas, None, "ms")
    budgets.add("  of that on the wire", sent_by_luma, None, "ms")


def pressed_before_viewers(folder, times, settings=""):
    """Milliseconds from edges to last bytes, and how many of them the bytes take on a wire (which nobody waits for)."""
    with laid(folder, settings) as service, looked_at(service.port):
        presses = undisturbed(presses_of(service, "i2c"), times)
    frames = [first_burst(on("i2c", lines)) for lines in presses]
    wire = [sum(map(wire_ms, frame)) for frame in frames]
    return [after_edge(*pair) + ms for *pair, ms in zip(presses, frames, wire, strict=True)], wire


@contextlib.contextmanager
def looked_at(port, viewers=VIEWERS):
    """So many viewers, in a thread of their own: when each saw what."""
    seen = [{} for _ in range(viewers)]
    here, leave = threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(look_on(port, seen, here, leave)))
    thread.start()
    assert here.wait(10)
    try:
        yield seen
    finally:
        leave.set()
        thread.join()


async def look_on(port, seen, here, leave):
    ready = [asyncio.Event() for _ in seen]
    tasks = [asyncio.create_task(watch(port, *each)) for each in zip(seen, ready, strict=True)]
    await asyncio.gather(*(each.wait() for each in ready))
    here.set()
    await asyncio.to_thread(leave.wait)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


# --- a press while another display is ill --------------------------------------------------------------------------

ILLS = {
    "the OLED hangs": ("OLED", "hang", "spi"),
    "the OLED does not answer": ("OLED", "no answer", "spi"),
    "the strip hangs": ("LED strip", "hang", "i2c"),
}
"""Which device fails how, and the bus of the other one, where the press must arrive as if nothing were."""


def faults(budgets, folder):
    """Presses while one display hangs or does not answer, beside presses while all is well."""
    times, rounds = budgets.samples(35, quick=4, long=50), budgets.samples(ROUNDS, quick=1, long=2 * ROUNDS)
    with laid(folder / "faults") as service:
        for what, (device, name, bus) in ILLS.items():
            well, ill = [], []
            for _ in range(rounds):
                well += arrivals(service, bus, times)
                fault(service, device, name, on=True)
                ill += arrivals(service, bus, times)
                fault(service, device, name, on=False)
                wait_until_well(service)
            budgets.add(f"press edge to the last byte on {bus.upper()}, all well", well, None, "ms")
            budgets.add(f"  while {what}", ill, percentile(well, 0.99) + 1, "ms")


def arrivals(service, bus, times):
    return [after_edge(lines, first_burst(on(bus, lines))) for lines in undisturbed(presses_of(service, bus), times)]


def fault(service, device, name, *, on):
    values = {"device": device, "fault": name, "on": on}
    status, problem = service.client().ask("POST", "/api/v1/bench/fault", values)
    assert status == 204, problem


def wait_until_well(service):
    """Until every device works again: what failed for long is not retried at once."""
    ends = time.monotonic() + WELL_S
    while not all(device["ok"] for device in service.client().ask("GET", "/api/v1/health")[1]["devices"]):
        assert time.monotonic() < ends
        time.sleep(0.5)
    time.sleep(0.5)


# --- a press while both displays hang ------------------------------------------------------------------------------

REST_S = 0.12
"""Between two presses of one key, so that it has come to rest."""

OTHERS = ("another display", "the live feed", "an HTTP answer")


def hung(budgets, folder):
    """Presses while both displays hang: what another display, the live feed and an HTTP answer notice of it."""
    times, rounds = budgets.samples(40, quick=4), budgets.samples(ROUNDS, quick=1, long=2 * ROUNDS)
    mast, well, ill = folder / "mast", [], []
    with a_flag(folder, mast), laid(folder / "hung") as service, looked_at(service.port, 1) as (feed,):
        for _ in range(rounds):
            well += undisturbed(reached(service, feed, mast), times)
            both_hang(service, on=True)
            ill += undisturbed(reached(service, feed, mast), times)
            both_hang(service, on=False)
            wait_until_well(service)
    for what, good, bad in zip(OTHERS, zip(*well, strict=True), zip(*ill, strict=True), strict=True):
        budgets.add(f"press edge to {what}, all well", good, None, "ms")
        budgets.add("  while both displays hang", bad, statistics.median(good) + 1, "ms", of="median")
        budgets.add("  the same", bad, percentile(good, 0.99) + 1, "ms")
    stopped = ended_hanging(folder, budgets.samples(8, quick=1))
    budgets.add("SIGTERM to exit while both displays hang", stopped, 1, "s")


def ended_hanging(folder, times):
    """Seconds that the end took, so many times."""
    for n in range(times):
        with laid(folder / f"ended-{n}") as service:
            both_hang(service, on=True)
            service.client().press("a5")
            time.sleep(0.5)
            yield service.stop()


def both_hang(service, *, on):
    for device in ("OLED", "LED strip"):
        fault(service, device, "hang", on=on)


def reached(service, feed, mast):
    """For each press, milliseconds from its edge until each of the others has seen it."""
    client = service.client()
    dialled = lambda: client.state()["lanes"][0]["dialled"]  # noqa: E731
    for _ in dropped(client):
        mark, shown, before = service.record.stat().st_size, len(mast.read_text("ascii")), dialled()
        client.press("a1")
        ends = time.monotonic() + PATIENCE_S
        while dialled() == before:
            assert time.monotonic() < ends, f"a press is shown: {client.state()['lanes']}"
        answered = time.monotonic_ns()
        time.sleep(REST_S)
        edge = on("gpio", recorded_since(service, mark))[0]["t_ns"]
        flagged = int(mast.read_text("ascii")[shown:].split()[0])
        yield [(at - edge) / 1e6 for at in (flagged, min(at for at in list(feed.values()) if at > edge), answered)]


# --- the program ---------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def laid(folder, settings=""):
    folder.mkdir(exist_ok=True)
    config = folder / "pegboard.toml"
    config.write_text(settings)
    with Service(folder / "state", "--config", str(config), record=folder / "record") as service:
        time.sleep(1)
        yield service


@contextlib.contextmanager
def a_package(folder, entry_points):
    """A display of a package that is found for as long as this lasts."""
    info = folder / "site" / "strangers-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: strangers\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(entry_points)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(folder / "site"), str(Path.cwd())])
    try:
        yield
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before


@contextlib.contextmanager
def a_flag(folder, mast):
    """The same of a third display, which notes in the file `mast` when it was shown what."""
    os.environ["FLAG"] = str(mast)
    try:
        with a_package(folder / "flag", FLAG):
            yield
    finally:
        del os.environ["FLAG"]


def presses_of(service, bus):
    """For each press of a key, what passed over the wires after it."""
    client = service.client()
    for n in dropped(client):
        mark = service.record.stat().st_size
        client.press("a1")
        lines = shown_since(service, mark, bus)
        assert n > 1 or on(bus, lines), f"nothing is shown on {bus}"
        yield lines


def dropped(client):
    """Rounds with a press each; UNDO drops what they have dialled now and then, and at their end: nothing is pegged."""
    try:
        for n in itertools.count(1):
            yield n
            if n % 20 == 0:
                drop(client)
    finally:
        drop(client)


def drop(client):
    client.press("undo")
    time.sleep(APART_S)


def shown_since(service, mark, bus):
    """What has passed over the wires, as soon as that bus has had its share, and a while has gone by."""
    time.sleep(APART_S)
    ends = time.monotonic() + PATIENCE_S
    while not on(bus, lines := recorded_since(service, mark)) and time.monotonic() < ends:
        time.sleep(APART_S)
    return lines


def on(bus, lines):
    return [line for line in lines if line["bus"] == bus]


def after_edge(lines, frame):
    """Milliseconds from the key's first edge to the last byte of a frame."""
    if not frame:
        return 1e3 * PATIENCE_S  # a press that was not shown misses every budget
    return (frame[-1]["t_ns"] - on("gpio", lines)[0]["t_ns"]) / 1e6
