"""A press or a request down to the wire: milliseconds until the panel has its last byte."""

import itertools
import time

from tests.bench.all_devices import dropped
from tests.bench.service_probe import first_burst, undisturbed, wire_ms
from tests.support.program import Service


def press(budgets, folder):
    """Presses that dial and that commit, and a request, each until the panel has been sent its last byte."""
    many = budgets.samples(150, quick=10)
    with Service(folder / "state", record=folder / "record") as service:
        client = service.client()
        dialled, wire = zip(*undisturbed(dials(client, service), many), strict=True)
        budgets.add("press edge to the last OLED byte of the dialled amount", dialled, 10, "ms")
        budgets.add("  the same bytes on a 400 kHz wire", wire, None, "ms")
        committed = undisturbed(commits(client, service), budgets.samples(60, quick=6))
        budgets.add("press that commits to the last OLED byte", committed, 25, "ms")
        budgets.add("POST to the last OLED byte", undisturbed(posts(client, service), many), 25, "ms")


def dials(client, service):
    """+1 presses far enough apart that each has its own frames."""
    for _ in dropped(client):
        mark = len(service.recorded())
        client.press("a1")
        time.sleep(0.06)
        lines = service.recorded()[mark:]
        edge = next(line["t_ns"] for line in lines if line["bus"] == "gpio")
        frame = first_burst([line for line in lines if line["bus"] == "i2c"])
        yield (frame[-1]["t_ns"] - edge) / 1e6, sum(wire_ms(line) for line in frame)


def commits(client, service):
    """The other lane's key pegs what is dialled, so its edge is the press that commits."""
    for n in itertools.count():
        client.press("ab"[n % 2] + "1")
        time.sleep(0.06)
        mark = len(service.recorded())
        client.press("ba"[n % 2] + "1")
        time.sleep(0.08)
        lines = service.recorded()[mark:]
        edge = next(line["t_ns"] for line in lines if line["bus"] == "gpio")
        yield (first_burst([li for li in lines if li["bus"] == "i2c"])[-1]["t_ns"] - edge) / 1e6
        client.press("undo")
        time.sleep(0.06)
        client.press("undo")
        time.sleep(0.06)


def posts(client, service):
    """A score over HTTP, which is undone."""
    for n in itertools.count():
        state = client.state()
        mark = len(service.recorded())
        begun = time.monotonic_ns()
        values = {"game": state["game"]["id"], "do": "score", "seat": n % 2, "points": 1}
        status, answer = client.command(**values, base=state["lanes"][n % 2]["revision"])
        assert status == 201, answer
        time.sleep(0.05)
        lines = [line for line in service.recorded()[mark:] if line["bus"] == "i2c"]
        yield (first_burst(lines)[-1]["t_ns"] - begun) / 1e6
        client.command(game=state["game"]["id"], do="undo", entry=answer["entry"])
        time.sleep(0.05)
