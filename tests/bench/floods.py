"""One address floods the table with requests: how long others wait for their score meanwhile."""

import asyncio
import contextlib
import http.client
import json
import multiprocessing
import socket
import time
from itertools import count

from tests.bench.history import filled
from tests.bench.service_probe import percentile, undisturbed, usage
from tests.bench.viewers import threads
from tests.support.program import Service

FLOODER, SCORER = "127.0.0.2", "127.0.0.3"
"""Addresses of loopback, each held to the limits as one of the network is."""

SETTINGS = "[web]\nthrottle_loopback = true\ncommands_a_second = 1000.0\n"
"""The scorer here taps faster than anybody's thumb."""

GAMES = 2000
"""That have been played here: lists and statistics have something to tell."""

ENTRIES = 54
"""Of a game of usual length; a longer sheet takes longer."""

MOST_ABOVE_QUIET_MS = 25
"""What a flood may add to the p99 of a score."""

MOST_THREADS = 17
"""Of luma.core four, of displays two, two of keys, one each of devices, backups, watchdog, web; five pools."""

LINES = 100
"""Connections of the flooder."""


def asking(path):
    return b"GET %b HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" % path


MOST_READ = 1 << 24
"""Bytes of an answer without a length: an export."""

ASKED = asking(b"/api/v1/state")
GUESS = b'{"code": "222222"}'
GUESSED = (
    b"POST /api/v1/pair HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    b"Content-Length: %d\r\n\r\n%b" % (len(GUESS), GUESS)
)


def with_fields(many, field):
    """A request with so many header fields besides."""
    return ASKED[:-2] + b"".join(field % n for n in range(many)) + b"\r\n"


TOO_LARGE = with_fields(3500, b"X-Field-%d: 1\r\n")
"""A head beyond what is taken: it is refused, and the connection closed."""

AS_LARGE_AS_TAKEN = with_fields(80, b"Cookie: table%02d=" + b"e30." * 18 + b"\r\n")
"""About 7,500 bytes of cookies, none of them ours."""

IN_CHUNKS = b"Host: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
SMALL_CHUNKS = b"POST /api/v1/commands HTTP/1.1\r\n" + IN_CHUNKS + b"1\r\na\r\n" * 65_000 + b"0\r\n\r\n"
"""A body of as many bytes as are read of one that is refused, in chunks of one byte."""

WITHOUT_END = b"GET /events HTTP/1.1\r\n" + IN_CHUNKS + b"1\r\na\r\n" * 100_000
"""The same for a stream, of a body that has no end."""

FLOODS = {
    "requests": (ASKED, 1, True),
    "heads too large": (TOO_LARGE, 1, False),
    "heads as large as is taken": (AS_LARGE_AS_TAKEN, 1, True),
    "bodies in small chunks": (SMALL_CHUNKS, 1, False),
    "bodies in small chunks without an end, for streams": (WITHOUT_END, 1, False),
    "codes": (GUESSED, 1, True),
    "requests sent ahead": (ASKED, 50, True),
    "connections": (ASKED, 1, False),
    "the rules page": (asking(b"/rules"), 1, True),
    "the phone's page": (asking(b"/"), 1, True),
    "the history page": (asking(b"/history"), 1, True),
    "lists of games": (asking(b"/api/v1/games?limit=100"), 1, True),
    "statistics": (asking(b"/api/v1/stats"), 1, True),
    "exports": (asking(b"/api/v1/export.csv"), 1, False),
    "who one is": (asking(b"/api/v1/me"), 1, True),
}
"""What is sent, how many before an answer is read, and whether the connection is kept."""

_taps = count(1)


def floods(budgets, folder):
    """Measure the answers to one who scores, while another address floods in each of the ways."""
    times = budgets.samples(150, quick=8, long=300)
    settings = folder / "pegboard.toml"
    settings.write_text(SETTINGS)
    filled(folder / "state", budgets.samples(GAMES, quick=GAMES // 10))
    with Service(folder / "state", "--config", str(settings), closed=True) as service:
        cookie = "=".join(service.cookie())
        quiet = score(service, cookie, times)
        budgets.add("POST to its answer, nobody floods", quiet, 25, "ms")
        allowed = percentile(quiet, 0.99) + MOST_ABOVE_QUIET_MS
        for name, flood in FLOODS.items():
            with flooded(service.port, flood, budgets.samples(1, quick=0.3)) as sent:
                begun, before, spent = time.monotonic(), sent.value, usage(service.pid)["cpu_s"]
                budgets.add(f"POST to its answer, a flood of {name}", score(service, cookie, times), allowed, "ms")
                took = time.monotonic() - begun
                budgets.add("... answered a second", [(sent.value - before) / took], None, "")
                budgets.add("... of one core", [(usage(service.pid)["cpu_s"] - spent) / took * 100], None, "%")
        budgets.add("threads, when everything has been asked for", [threads(service)], MOST_THREADS, "")
    stopped = ended_busy(folder, budgets.samples(8, quick=1))
    budgets.add("SIGTERM to exit, statistics and exports under way", stopped, 0.5, "s", of="median")


@contextlib.contextmanager
def flooded(port, flood, settled_s):
    """A process that floods the table for as long as this lasts; gives how many answers it has had."""
    sent = multiprocessing.Value("q")
    flooder = multiprocessing.Process(target=pour, args=(port, flood, sent), daemon=True)
    flooder.start()
    try:
        time.sleep(settled_s)
        yield sent
    finally:
        flooder.kill()
        flooder.join()


def ended_busy(folder, times):
    """Seconds that the end took, so many times, when much had been asked for."""
    took = []
    for _ in range(times):
        with Service(folder / "state", closed=True) as service, contextlib.ExitStack() as lines:
            wanted = [b"/api/v1/stats?since=%d" % n for n in range(8)]
            for path in (*wanted, b"/api/v1/export.jsonl", b"/api/v1/export.csv"):
                line = lines.enter_context(socket.create_connection(("127.0.0.1", service.port)))
                line.sendall(asking(path))
            time.sleep(0.2)
            took.append(service.stop())
    return took


def score(service, cookie, times):
    """Milliseconds from each score of one device to its answer, so often, whenever the host leaves us alone."""
    return undisturbed(scores(service, cookie), times)


def scores(service, cookie):
    """The same without end, in games of a usual length."""
    line = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10, source_address=(SCORER, 0))
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    line.request("GET", "/api/v1/state", headers=headers)
    state = json.loads(line.getresponse().read())
    for n in count(1):
        begun = time.monotonic_ns()
        line.request("POST", "/api/v1/commands", json.dumps(tap(state) if n % ENTRIES else anew(state)), headers)
        answer = line.getresponse()
        body = json.loads(answer.read())
        took = (time.monotonic_ns() - begun) / 1e6
        assert answer.status == 201, body
        if n % ENTRIES:
            yield took
        state = body["state"]
        time.sleep(0.03)


def tap(state):
    """A score that is always taken: nothing for nobody's crib."""
    return named(state) | {"do": "score", "seat": 0, "points": 0, "base": state["lanes"][0]["revision"]}


def anew(state):
    """A game in place of the one that runs."""
    start = {"do": "start", "variant": "standard", "players": ["Ann", "Bob"], "replaces": state["game"]["id"]}
    return named(state) | start | {"base": state["revision"]}


def named(state):
    """What every command of the scorer has."""
    return {"id": f"flood-{time.time_ns()}-{next(_taps):06}", "game": state["game"]["id"]}


def pour(port, flood, sent):
    """Flood, in a process of its own, until it is ended."""

    async def all_lines():
        await asyncio.gather(*(one_line(port, *flood, sent) for _ in range(LINES)))

    asyncio.run(all_lines())


async def one_line(port, asked, ahead, is_kept, sent):
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(FLOODER, 0), limit=MOST_READ)
            while True:
                writer.write(asked * ahead)
                await writer.drain()
                for _ in range(ahead):
                    await one_answer(reader)
                    sent.value += 1
                if not is_kept:
                    break
        except (OSError, asyncio.IncompleteReadError):
            await asyncio.sleep(0.01)
        finally:
            writer.close()


async def one_answer(reader):
    head = await reader.readuntil(b"\r\n\r\n")
    lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length")]
    if lengths:
        await reader.readexactly(int(lengths[0].split(b":")[1]))
    else:
        await reader.readuntil(b"\r\n0\r\n\r\n")
