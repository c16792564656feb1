"""A score's answer, with displays on, in turn with a plain Flask answer of the same size from a process like it."""

import contextlib
import http.client
import itertools
import json
import statistics
import subprocess
import sys
import time

from tests.support.program import Service

APART_S = 0.025
"""Seconds between two requests: the displays have drawn the score by then."""

POINTS = (2, 3, 1, 4, 6, 2, 8, 1, 5, 7)
"""Points of the scores in turn; a game of these has about thirty lines."""

WARM = 60
"""Scores before the first that is measured: two games, with which whatever is computed once has been computed."""

MOST_TIMES_PLAIN, STATE_TIMES_PLAIN = 2, 1.5


def answers(budgets, folder):
    """A score and a look at the state, each beside the plain answer; rounds, as the machine is faster at one time."""
    times, rounds = budgets.samples(100, quick=40), budgets.samples(5, quick=1)
    with Service(folder / "state") as service:
        table = Scorer(service.port)
        for _ in range(WARM):
            table.score()
        with plain_flask(table.score()[1]) as post, plain_flask(table.look()[1]) as get:
            told = [in_turn(table, post, get, times) for _ in range(rounds)]
    score, plain, look, plain_look = zip(*told, strict=True)
    budgets.add("a score's answer, with panel and strip", [*itertools.chain(*score)], None, "ms")
    budgets.add("  a plain Flask answer of the same size, in turn", [*itertools.chain(*plain)], None, "ms")
    budgets.add("  the first by the second, of their medians", ratios(score, plain), MOST_TIMES_PLAIN, "", of="median")
    budgets.add("the state's answer", [*itertools.chain(*look)], None, "ms")
    budgets.add("  a plain Flask answer of the same size, in turn", [*itertools.chain(*plain_look)], None, "ms")
    by_plain = ratios(look, plain_look)
    budgets.add("  the first by the second, of their medians", by_plain, STATE_TIMES_PLAIN, "", of="median")


def ratios(ours, plain):
    """One time by the other, of their medians, for each round."""
    return [statistics.median(our) / statistics.median(their) for our, their in zip(ours, plain, strict=True)]


def in_turn(table, post, get, times):
    """Milliseconds of scores, of plain answers to the same body, of looks at the state, and of plain answers to GET."""
    figures = [[], [], [], []]
    for _ in range(times):
        figures[0].append(table.score()[0])
        time.sleep(APART_S)
        figures[1].append(post.ask("POST", "/answer", table.body)[0])
        time.sleep(APART_S)
        figures[2].append(table.look()[0])
        figures[3].append(get.ask("GET", "/answer")[0])
    return figures


class Line:
    """A connection that measures each answer."""

    def __init__(self, port):
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

    def ask(self, method, path, body=None):
        """Milliseconds until the whole answer is there, and the answer."""
        begun = time.perf_counter_ns()
        self._connection.request(method, path, body, {} if body is None else {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        text = answer.read()
        took = (time.perf_counter_ns() - begun) / 1e6
        assert answer.status in {200, 201}, text
        return took, text


class Scorer:
    """A program that scores at a table, game after game.

    Attributes:
        body: what it sent last.
    """

    def __init__(self, port):
        self._line, self._taps = Line(port), itertools.count(1)
        self._state = json.loads(self._line.ask("GET", "/api/v1/state")[1])

    def score(self):
        """Milliseconds of a score, and how many bytes its answer has."""
        if self._state["game"]["over"]:
            self._command(do="start", variant="standard", players=["Ann", "Bob"], base=self._state["revision"])
        number = next(self._taps)
        seat, points = number % 2, POINTS[number % len(POINTS)]
        base = self._state["lanes"][seat]["revision"]
        took, text = self._command(do="score", seat=seat, points=points, base=base)
        return took, len(text)

    def look(self):
        """Milliseconds of a look at the state, and how many bytes that has."""
        took, text = self._line.ask("GET", "/api/v1/state")
        return took, len(text)

    def _command(self, **values):
        values |= {"id": f"tap-of-the-bench-{next(self._taps):020}", "game": self._state["game"]["id"]}
        self.body = json.dumps(values)
        took, text = self._line.ask("POST", "/api/v1/commands", self.body)
        self._state = json.loads(text)["state"]
        return took, text


@contextlib.contextmanager
def plain_flask(size):
    """A plain Flask application under uvicorn, in a process of its own, whose answers have so many bytes."""
    command = [sys.executable, "-m", "tests.bench.plain_flask", str(size)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        line = Line(int(process.stdout.readline()))
        line.ask("GET", "/answer")
        yield line
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()
