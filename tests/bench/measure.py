"""Every budget, measured on this machine: median and 99th percentile beside what is allowed.

`python -m tests.bench` measures all; names of groups given as arguments measure only those.
"""

import itertools
import random
import statistics
import sys
import tempfile
import time
import timeit
import urllib.request
from pathlib import Path

from rich.console import Console
from rich.table import Table

import pegboard
from hardware.simulator.panels.ssd1306 import Chip
from pegboard.commandline.progress import progress_bar
from pegboard.core.cards.pack import RANKS, SUITS, VALUES
from pegboard.core.moves import Amend, OverPeg, Penalize, Retract, SetPegs
from pegboard.core.snapshot import snapshot
from pegboard.core.view import View
from tests.bench.course import following, through_the_page
from tests.bench.entry import entry
from tests.bench.floods import floods
from tests.bench.hardware import devices, dropped
from tests.bench.history import history
from tests.bench.keys import keys
from tests.bench.oled import oled
from tests.bench.service import first_burst, percentile, undisturbed, usage, wire_ms
from tests.bench.strip import strip
from tests.bench.viewers import viewers
from tests.support.program import Service


class Budgets:
    """The table of what was measured."""

    def __init__(self):
        self.table = Table("what", "median", "p99", "budget", "", title="pegboard: budgets")

    def add(self, what, values, budget, unit, *, of="p99", fails=False):
        """`of` names the figure that the budget is for; one that `fails` shows that the measurement can."""
        values = sorted(values)
        figures = {"median": statistics.median(values), "p99": percentile(values, 0.99)}
        good = budget is None or (figures[of] <= budget) != fails
        allowed = "" if budget is None else f"{of} {'>' if fails else '<='} {budget:g} {unit}"
        row = [f"{figures[name]:.4g} {unit}" for name in ("median", "p99")]
        self.table.add_row(f"{what} (n={len(values)})", *row, allowed, "ok" if good else "[bold red]MISSED[/]")
        print(f"{what}: {', '.join(row)}{'' if good else f', MISSED: {allowed}'}", file=sys.stderr, flush=True)


LONG = ("course-page",)
"""Groups that take more than an hour, and are only measured where they are named."""


def groups():
    """The groups of figures by name."""
    return {
        "core": core,
        "counting": counting,
        "course": following,
        "course-page": through_the_page,
        "start": start,
        "press": press,
        "keys": keys,
        "oled": oled,
        "strip": strip,
        "devices": devices,
        "viewers": viewers,
        "floods": floods,
        "history": history,
        "idle": idle,
        "entry": entry,
    }


def measure(names):
    """Measure the groups of these names, or all, and print."""
    chosen = names or [name for name in groups() if name not in LONG]
    for name in chosen:
        if name not in groups():
            print(f"there is no group {name!r}; these are taken: {', '.join(groups())}", file=sys.stderr)
            sys.exit(2)
    budgets = Budgets()
    with progress_bar("measuring", len(chosen)) as advance:
        for name in chosen:
            print(f"measuring {name} ...", file=sys.stderr)
            with tempfile.TemporaryDirectory() as folder:
                groups()[name](budgets, Path(folder))
            if advance:
                advance(1)
    Console(width=130).print(budgets.table)


def timed(act, number, rounds=200):
    """Microseconds of one call, once a round."""
    return [seconds / number * 1e6 for seconds in timeit.repeat(act, number=number, repeat=rounds)]


def core(budgets, _folder):
    """Entries and corrections on a sheet of 120 lines, hands and cribs among them; the first line costs the most."""
    game = long_game()
    undone = pegboard.play(game, pegboard.TakeBack(1))
    entries = {"score": pegboard.Score(2, 0, why="play"), "penalty": Penalize(2, 1, "misdeal"), "deal": pegboard.Deal()}
    corrections = {
        "undo of line 1": (game, pegboard.TakeBack(1)),
        "redo of line 1": (undone, pegboard.Restore(1)),
        "amend of line 1": (game, Amend(1, 2, 1)),
        "over-peg at line 1": (game, OverPeg(1, 0, 1)),
        "retract to line 1": (game, Retract(1)),
        "set pegs": (game, SetPegs(0, 100, 90)),
    }
    for name, command in entries.items():
        took = timed(lambda command=command: pegboard.apply(game, pegboard.decide(game, command)), 50)
        budgets.add(f"decide + apply a new {name}, 120 on the sheet", took, 40, "us")
    for name, (sheet, command) in corrections.items():
        took = timed(lambda sheet=sheet, command=command: pegboard.play(sheet, command), 5)
        budgets.add(f"decide + apply {name}, 120 on the sheet", took, 500, "us")
    each = [once(pegboard.play, game, pegboard.TakeBack(line)) for line in range(1, 121) for _ in range(5)]
    budgets.add("decide + apply undo of each of 120 lines", each, 500, "us")
    budgets.add("the state of the table as JSON-ready values", timed(lambda: snapshot(View(game)), 5), None, "us")


def long_game():
    """A sheet of 120 lines that nobody has won: five cards, both hands and an empty crib in each deal."""
    game = pegboard.new_game(pegboard.Rules(), ("Ann", "Bob"))
    for line in range(120):
        pone, dealer = game.rules.after(game.dealer), game.dealer
        in_turn = [(pone, 1, "play"), (dealer, 1, "play")] * 2 + [
            (pone, 1, "hand"),
            (dealer, 1, "hand"),
            (dealer, 0, "crib"),
        ]
        seat, points, why = in_turn[line % 7]
        game = pegboard.play(game, pegboard.Score(points, seat, why=why))
    return game


def counting(budgets, folder):
    """Text to points, each hand and each play only once: nothing can be remembered from an earlier call."""
    dice = random.Random(29)
    pack = [rank + suit for rank in RANKS for suit in SUITS]
    hands = {tuple(dice.sample(pack, 5)) for _ in range(10_000)}
    shows = [(" ".join(cards), starter) for *cards, starter in hands]
    plays = {lay(dice, pack[: low * len(SUITS)]) for low in (7, 13) for _ in range(5_000)}
    budgets.add("count_show, each hand once", [once(count_show_points, *show) for show in shows], 20, "us")
    budgets.add(
        "count_play, each play once, 3 cards and more", [once(count_play_points, play) for play in plays], 10, "us"
    )
    with Service(folder / "state") as service:
        client = service.client()
        client.state()
        for what in ("count?ranks=5,5,5,J&starter=5&nobs=1", "play?laid=4,5,3,3,3,7,6,K"):
            answers = [once(client.ask, "GET", f"/api/v1/{what}") / 1e3 for _ in range(200)]
            budgets.add(f"/api/v1/{what.partition('?')[0]} over HTTP", answers, 20, "ms", of="median")


def count_show_points(hand, starter):
    return pegboard.count_show(hand, starter).points


def count_play_points(laid):
    return pegboard.count_play(laid).points


def lay(dice, pack):
    """Cards from a shuffled pack, as many as do not pass 31."""
    cards = dice.sample(pack, len(pack))
    counts = itertools.accumulate(VALUES[RANKS.index(card[:-1]) + 1] for card in cards)
    return " ".join(card for card, count in zip(cards, counts, strict=True) if count <= 31)


def once(act, *what):
    """Microseconds of this one call."""
    begun = time.perf_counter_ns()
    act(*what)
    return (time.perf_counter_ns() - begun) / 1e3


def start(budgets, folder):
    frame, ready, page, stop = zip(*undisturbed(starts(folder), 12), strict=True)
    budgets.add("process start to the end of the first OLED frame", frame, 0.6, "s")
    budgets.add("process start to the first HTTP answer", ready, 1.0, "s")
    budgets.add("process start to the whole first page, once all is compiled", page, 0.7, "s", of="median")
    budgets.add("SIGTERM to exit, nobody watching", stop, 0.5, "s")


def starts(folder):
    """Seconds to the first picture, to the first answer, to the first page, and from SIGTERM to the end."""
    for n in itertools.count():
        with Service(folder / f"state{n}", record=folder / f"record{n}") as service:
            service.client().state()
            ready = (time.monotonic_ns() - service.begun_ns) / 1e9
            with urllib.request.urlopen(f"{service.url}/") as page:
                page.read()
            shown = (time.monotonic_ns() - service.begun_ns) / 1e9
            frame = (end_of_first_frame(service.recorded()) - service.begun_ns) / 1e9
            yield frame, ready, shown, service.stop()


def end_of_first_frame(lines):
    """When the panel had been sent the whole of its first picture."""
    chip, sent = Chip(), [line for line in lines if line["bus"] == "i2c"]
    for n, line in enumerate(sent):
        chip.receive(bytes.fromhex(line["data"]))
        if any(chip.pixels()):
            return first_burst(sent[n:])[-1]["t_ns"]
    raise AssertionError("no picture was sent")


def press(budgets, folder):
    record = folder / "record"
    with Service(folder / "state", record=record) as service:
        client = service.client()
        dialled, wire = zip(*undisturbed(dials(client, service), 150), strict=True)
        budgets.add("press edge to the last OLED byte of the dialled amount", dialled, 10, "ms")
        budgets.add("  the same bytes on a 400 kHz wire", wire, None, "ms")
        committed = undisturbed(commits(client, service), 60)
        budgets.add("press that commits to the last OLED byte", committed, 25, "ms")
        budgets.add("POST to the last OLED byte", undisturbed(posts(client, service), 150), 25, "ms")


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
    """A score over HTTP, which is taken back."""
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


def idle(budgets, folder, seconds=20):
    with Service(folder / "state") as service:
        service.client().state()
        time.sleep(3)
        before, begun = usage(service.pid), time.monotonic()
        time.sleep(seconds)
        after, took = usage(service.pid), time.monotonic() - begun
        budgets.add("idle memory (RSS)", [after["rss_mb"]], 70, "MB")
        budgets.add("idle wake-ups a second", [(after["switches"] - before["switches"]) / took], 15, "")
        budgets.add("idle CPU", [(after["cpu_s"] - before["cpu_s"]) / took * 100], 0.5, "%")
