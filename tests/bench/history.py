"""Ten thousand finished games: how fast lists and statistics answer, and whether a score waits for them."""

import contextlib
import http.client
import itertools
import os
import random
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pegboard
from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.moves import Started
from pegboard.core.referee import apply, decide
from pegboard.json_parser import canonical_json
from pegboard.storage.journal.journal import Journal
from pegboard.storage.summary import summarize
from pegboard.storage.transfer.import_transaction import ImportedEvent
from tests.bench.service_probe import usage
from tests.support.program import Service

GAMES, FEW = 10_000, 500

NAMES = [f"{name} {n}" for n in range(1, 26) for name in ("Ann", "Bob", "Cy", "Dee")]

STARTED_S = 1
"""What a command may take besides, however little it has to do."""

DAY_NS = 86_400_000_000_000

HANDS = (0, 2, 2, 4, 4, 4, 6, 6, 7, 8, 8, 8, 9, 10, 12, 12, 14, 16, 20, 24)
"""As hands are spread, roughly (`tests/data/hand_frequency.json` has it exactly)."""


def played(dice):
    """The events of a game that is played to its end, a line for each score, and its sheet."""
    first = dice.randrange(2)
    events = [Started(pegboard.Rules(), ("Ann", "Bob"), first, match="match")]
    game = apply(Game(), events[0])
    for command in course(dice, first):
        events.append(decide(game, command))
        game = apply(game, events[-1])
        if game.outcome is not None:
            return events, game
    raise AssertionError("a game ends")


def course(dice, first):
    """What is asked, deal after deal: the play, both hands and the crib."""
    for dealer in itertools.cycle((first, 1 - first)):
        pone = 1 - dealer
        for _ in range(dice.randint(1, 3)):
            yield pegboard.Score(dice.choice((1, 2, 2, 3)), dice.choice((pone, dealer)), why="play")
        yield pegboard.Score(1, dice.choice((pone, dealer)), why="go")
        yield pegboard.Score(dice.choice(HANDS), pone, why="hand")
        yield pegboard.Score(dice.choice(HANDS), dealer, why="hand")
        yield pegboard.Score(dice.choice(HANDS[:14]), dealer, why="crib")


def season(games=GAMES, patterns=300, names=NAMES):
    """So many games of these players as another table would export them, as fast as they can be made."""
    dice = random.Random(121)
    courses = [played(dice) for _ in range(patterns)]
    for n in range(games):
        events, sheet = courses[n % patterns]
        players = tuple(dice.sample(names, 2))
        began = 1_700_000_000_000_000_000 + n * DAY_NS // 40
        first = replace(events[0], players=players, match=f"match-{n // 3}", format="best of 3")
        yield from arrivals(f"season-{n}", [first, *events[1:]], replace(sheet, players=players), began)


def arrivals(game, events, sheet, began):
    for seq, event in enumerate(events, 1):
        at = began + seq * 20_000_000_000
        body = canonical_json(wire.event_values(event)[1])
        summary = summarize(sheet) if seq == len(events) else None
        yield ImportedEvent(game, seq, at, event, body, "phone", "season", summary)


def filled(folder, games=GAMES):
    """Seconds in which a journal of so many games was made in one transaction."""
    begun = time.perf_counter()
    with Journal(folder) as journal:
        journal.import_games(season(games))
    return time.perf_counter() - begun


def history(budgets, folder):
    """Lists, statistics, one game and exports over HTTP, and scores beside them."""
    state, times = folder / "state", budgets.samples(200, quick=20)
    games, step = budgets.samples(GAMES, quick=FEW), budgets.samples(1, quick=10)
    budgets.add("so many games of 50 events, judged before, kept in one transaction", [filled(state, games)], None, "s")
    with Service(state) as service:
        client = service.client()
        client.state()
        before = usage(service.pid)["rss_mb"]
        alone = [post(client, n) for n in range(times)]
        for what, paths in asked(games).items():
            budgets.add(f"{what}, {games:,} games", [get(service.port, path) for path in paths[::step]], 200, "ms")
        budgets.add("the journal as JSON lines, streamed", [get(service.port, "/api/v1/export.jsonl")], None, "ms")
        budgets.add("every game as CSV, streamed", [get(service.port, "/api/v1/export.csv")], None, "ms")
        budgets.add("memory that all of this has taken", [usage(service.pid)["rss_mb"] - before], 40, "MB")
        budgets.add("POST of a score, nobody asking", alone, 25, "ms")
        budgets.add("POST of a score while statistics are asked one after another", beside(service, times), 25, "ms")


def transfer(budgets, folder):
    """All games from one table to another by the command line, as somebody does who has a new Pi."""
    state, file, times = folder / "state", folder / "season.jsonl", budgets.samples(3, quick=1)
    filled(state, budgets.samples(GAMES, quick=FEW))
    out = [told(file, "export", "--state", state) for _ in range(times)]
    report(budgets, "export", out, 4)
    into = [told(folder / "said", "import", file, "--state", folder / f"there{n}") for n in range(times)]
    report(budgets, "import", into, 12)


def report(budgets, what, took, budget):
    """Add what a command took by the clock and by the processor."""
    seconds, processor = zip(*took, strict=True)
    games, note = budgets.samples(GAMES, quick=FEW), ""
    if games < GAMES:
        note, budget = f"({budget} s of {GAMES:,})", STARTED_S + budget * games / GAMES
    budgets.add(f"pegboard {what} of {games:,} games", seconds, budget, "s", of="median", note=note)
    budgets.add("  its processor time, however busy the machine is", processor, None, "s")


def told(file, *words):
    """Seconds by the clock and by the processor that `pegboard` takes for these words, its answer going into a file."""
    with file.open("wb") as answer:
        begun = time.perf_counter()
        running = subprocess.Popen([sys.executable, "-m", "pegboard", *map(str, words)], stdout=answer)
        _, status, used = os.wait4(running.pid, 0)
        took = time.perf_counter() - begun
    assert status == 0, words
    running.returncode = 0
    return took, used.ru_utime + used.ru_stime


def asked(games):
    """What is asked, each so often; statistics are filtered otherwise each time, so that none is remembered."""
    return {
        "the list": [f"/api/v1/games?before=season-{(n * 90 + 50) % games}" for n in range(100)],
        "the list of a player": [f"/api/v1/games?player={quoted(name)}" for name in NAMES],
        "one game": [f"/api/v1/games/season-{n * 90 % games}" for n in range(100)],
        "statistics of all": [f"/api/v1/stats?since={n}" for n in range(60)],
        "statistics of a player": [f"/api/v1/stats?player={quoted(name)}" for name in NAMES],
        "statistics that were asked before": ["/api/v1/stats"] * 100,
    }


def quoted(name):
    return name.replace(" ", "%20")


def get(port, path):
    """Milliseconds from the request to the end of the answer."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
    begun = time.perf_counter_ns()
    connection.request("GET", path)
    answer = connection.getresponse()
    while answer.read(65536):
        pass
    took = (time.perf_counter_ns() - begun) / 1e6
    assert answer.status == 200, path
    connection.close()
    return took


def post(client, n):
    """Milliseconds of a score."""
    state = client.state()
    seat = n % 2
    command = {"id": f"bench-of-history-{n:06}", "game": state["game"]["id"], "do": "score", "seat": seat}
    body = command | {"points": 0, "why": "hand", "base": state["lanes"][seat]["revision"]}
    begun = time.perf_counter_ns()
    status, _ = client.ask("POST", "/api/v1/commands", body)
    took = (time.perf_counter_ns() - begun) / 1e6
    assert status == 201
    return took


def beside(service, times):
    """Scores, a fiftieth of a second apart, while somebody asks for statistics that nobody has asked for before."""
    client, took = service.client(), []
    with asking_on(service.port):
        for n in range(1000, 1000 + times):
            took.append(post(client, n))
            time.sleep(0.02)
    return took


@contextlib.contextmanager
def asking_on(port):
    """Somebody who asks for other statistics again and again, for as long as this lasts."""
    stop = threading.Event()

    def ask():
        for n in itertools.count(100_000):
            if stop.is_set():
                return
            get(port, f"/api/v1/stats?since={n}")

    asker = threading.Thread(target=ask)
    asker.start()
    try:
        yield
    finally:
        stop.set()
        asker.join()
