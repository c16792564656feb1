"""Many who look on: how soon all of them see a score, and what they cost.

`python -m tests.bench.viewers PORT COUNT` is the crowd, in a process of its own: so many bare connections and one
epoll, as lean as Python is, for it shares the cores with the program that is measured.
"""

import contextlib
import ctypes
import itertools
import json
import select
import socket
import struct
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.bench.service_probe import undisturbed, usage
from tests.browser.conftest import bought
from tests.browser.pages_away import AWAY, Evening
from tests.conftest import chromium
from tests.support.program import Service

ASK = b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n"
WHOLE = b"\n\n\r\n"
"""How a message ends, and its chunk."""

SO_ATTACH_FILTER = 26
"""Of Linux; Python does not name it."""

FAR_LIMITS = {200: (25, 75), 1000: (100, 95)}
"""Milliseconds to the last of so many viewers, and megabytes."""


# --- the crowd ---


class Crowd:
    """Connections that read what comes and note the newest revision that each has whole."""

    def __init__(self, port, count):
        self.poll = select.epoll()
        self.viewers = {}
        for _ in range(count):
            viewer = socket.create_connection(("127.0.0.1", port))
            viewer.sendall(ASK)
            viewer.setblocking(False)
            self.poll.register(viewer, select.EPOLLIN)
            self.viewers[viewer.fileno()] = [viewer, b""]
        self.seen = {}
        self.last_ns = {}

    def run(self):
        """Print a line whenever every viewer has a revision: which, and when the last and the median one got it."""
        while self.viewers:
            for number, _ in self.poll.poll():
                self._read(number)

    def _read(self, number):
        held = self.viewers[number]
        try:
            data = held[1] + held[0].recv(262_144)
        except ConnectionError:
            data = held[1]
        now = time.monotonic_ns()
        if len(data) == len(held[1]):
            self.poll.unregister(number)
            del self.viewers[number]
            return
        held[1] = b"" if data.endswith(WHOLE) else data
        at = -1 if held[1] else data.rfind(b"id: ")
        if at >= 0:
            self._has(int(data[at : data.index(b"\n", at)].rsplit(b"-", 1)[1]), now)

    def _has(self, revision, now):
        times = self.seen.setdefault(revision, [])
        times.append(now)
        if len(times) == len(self.viewers):
            print(json.dumps([revision, times[-1], times[len(times) // 2]]), flush=True)
            del self.seen[revision]


@contextlib.contextmanager
def crowd(service, count):
    """So many viewers in a process of their own; gives its lines of output."""
    command = [sys.executable, "-m", "tests.bench.viewers", str(service.port), str(count)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        yield process.stdout
    finally:
        process.terminate()
        process.wait()
        process.stdout.close()


# --- what is measured ---


def viewers(budgets, folder):
    """Fan-out to 50, 200 and 1000, aborted streams, and viewers that never read."""
    stopped, crowds = [], {50: (200, 20), 200: (200, 20), 1000: (60, 10)}
    for n, (count, (times, few)) in enumerate(crowds.items()):
        with Service(folder / f"state{n}") as service, crowd(service, count) as lines:
            fan_out(budgets, service, lines, count, budgets.samples(times, quick=few))
            stopped.append(service.stop())
    budgets.add("SIGTERM to exit, 50, 200, 1000 viewers", stopped, 0.5, "s", of="median")
    with Service(folder / "aborted") as service:
        streams = budgets.samples(300, quick=30)
        budgets.add("descriptors left by aborted streams", [aborted(service, streams)], 0, "", trials=streams)
        scores = budgets.samples(1000, quick=100)
        cost = deaf(service, 10, scores)
        budgets.add("memory of a viewer that never reads so many scores", [cost], 1, "MB", trials=scores)
        die(budgets, service)


def die(budgets, service):
    """Budget for how long a viewer is kept whose line is dead."""
    what = "viewers whose line is dead are gone after"
    if budgets.samples(False, quick=True):
        budgets.skip(what, 45, "s", "it takes half a minute, however few there are")
        return
    try:
        budgets.add(what, half_open(service, 5), 45, "s")
    except PermissionError:
        budgets.skip(what, 45, "s", "only root may let a line die without a word here")


def fan_out(budgets, service, lines, count, times):
    """Budgets for how soon so many viewers have a score."""
    last, median, answered = zip(*undisturbed(fanned_out(service, lines), times), strict=True)
    milliseconds, megabytes = FAR_LIMITS.get(count, (25, 75))
    budgets.add(f"POST to its answer, {count} viewers", answered, None, "ms")
    budgets.add(f"POST to half of {count} viewers", median, None, "ms")
    budgets.add(f"POST to the last of {count} viewers", last, milliseconds, "ms")
    budgets.add(f"memory (RSS), {count} viewers", [usage(service.pid)["rss_mb"]], megabytes, "MB")
    budgets.add(f"threads, {count} viewers", [threads(service)], 15, "")


def fanned_out(service, lines):
    """Score after score, each when all have seen the one before; that every line comes shows that none is missed."""
    client = service.client()
    state = client.state()
    assert json.loads(lines.readline())[0] == state["revision"]
    for n in itertools.count():
        points = n % 2 if n < 240 else 0  # 120: nobody gets home
        values = {"game": state["game"]["id"], "do": "score", "seat": n % 2, "points": points}
        begun = time.monotonic_ns()
        status, answer = client.command(**values, base=state["lanes"][n % 2]["revision"])
        answered = time.monotonic_ns()
        assert status == 201, answer
        state = answer["state"]
        revision, last, median = json.loads(lines.readline())
        assert revision == state["revision"]
        yield [(at - begun) / 1e6 for at in (last, median, answered)]
        time.sleep(0.02)


def threads(service):
    return len(list(Path(f"/proc/{service.pid}/task").iterdir()))


def descriptors(service):
    return len(list(Path(f"/proc/{service.pid}/fd").iterdir()))


def aborted(service, count):
    """How many more descriptors there are after so many streams were cut off in the middle."""
    service.client().state()
    before = descriptors(service)
    cut = [watching(service.port) for _ in range(count)]
    for viewer in cut:
        viewer.recv(1000)
        viewer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        viewer.close()
    ends = time.monotonic() + 5
    while descriptors(service) > before and time.monotonic() < ends:
        time.sleep(0.05)
    return descriptors(service) - before


def deaf(service, count, times):
    """Megabytes that each of so many viewers costs which take nothing, while the table goes on scoring."""
    client = service.client()
    play_on(client, 50)
    before = usage(service.pid)["rss_mb"]
    silent = [watching(service.port, unread=4096) for _ in range(count)]
    play_on(client, times)
    cost = (usage(service.pid)["rss_mb"] - before) / count
    for viewer in silent:
        viewer.close()
    return cost


def half_open(service, count):
    """Seconds until the last of so many viewers is gone whose line has died without a word."""
    client = service.client()
    for viewer in (dead := [watching(service.port) for _ in range(count)]):
        viewer.recv(1000)
        cut_off(viewer)
    begun = time.monotonic()
    while client.ask("GET", "/api/v1/health")[1]["service"]["viewers"] and time.monotonic() < begun + 60:
        time.sleep(0.25)
    for viewer in dead:
        viewer.close()
    return [time.monotonic() - begun]


def cut_off(viewer):
    """From now on no packet reaches this connection, so it acknowledges nothing: as a phone that has left the room.

    Raises:
        PermissionError: this system lets only root do so.
    """
    drop_all = struct.pack("HBBI", 6, 0, 0, 0)  # BPF: return 0 bytes of each packet
    kept = ctypes.create_string_buffer(drop_all)
    viewer.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HL", 1, ctypes.addressof(kept)))


def play_on(client, times):
    """Scores of nothing: the sheet of one game would grow, so each tenth is taken by a new one."""
    state = client.state()
    for n in range(times):
        if n % 10 == 9:
            start = {"do": "start", "variant": "standard", "players": ["Ann", "Bob"], "replaces": state["game"]["id"]}
            status, answer = client.command(**start, game=state["game"]["id"], base=state["revision"])
        else:
            score = {"do": "score", "seat": n % 2, "points": 0, "base": state["lanes"][n % 2]["revision"]}
            status, answer = client.command(**score, game=state["game"]["id"])
        assert status == 201, answer
        state = answer["state"]


def watching(port, unread=None):
    """A connection that has asked for the live events."""
    viewer = socket.socket()
    if unread is not None:
        viewer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, unread)
    viewer.connect(("127.0.0.1", port))
    viewer.sendall(ASK)
    return viewer


if __name__ == "__main__":
    Crowd(int(sys.argv[1]), int(sys.argv[2])).run()


# --- pages that were away ---

BACK_S = 2
"""Seconds after which a page that was away is right again, without a reload."""


def back_from_sleep(budgets, folder):
    """Seconds until all three pages show what was scored while they were away."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium(), args=["--no-sandbox", "--disable-gpu"])

        def look(url, size):
            page = bought(browser, size, "everyone", "light", "reduce").new_page()
            page.goto(url)
            page.locator(".link.live").wait_for()
            return page

        evening = Evening(folder / "state", look)
        try:
            for away in AWAY:
                took = []
                for _ in range(budgets.samples(5, quick=1)):
                    away(evening)
                    began = time.perf_counter()
                    evening.soon_right()
                    took.append(time.perf_counter() - began)
                budgets.add(f"three pages right again, {away.__name__.replace('_', ' ')}", took, BACK_S, "s")
        finally:
            evening.program.__exit__()
            browser.close()
