"""How soon a peg is on every screen of a night of forty tables: the desk, the big screen, and two hundred phones.

`python -m tests.bench.hub_screens PORT NIGHT` is the crowd, in a process of its own, as lean as Python is: it shares
the cores with the hub that is measured.
"""

import json
import select
import socket
import subprocess
import sys
import time
from pathlib import Path

from tests.support.hub_site import opened_hub

TABLES, PLAYERS, DESKS, SCREENS = 40, 80, 2, 2
PHONES, ONLOOKERS = 160, 40
"""Two phones of each player, and some that show the big screen: two hundred."""

LIMIT_MS = 100


def screens(budgets, folder):
    """Milliseconds from a peg to the last screen that shows its table, and from a decision to every screen."""
    with opened_hub(Path(folder) / "screens", open=True) as hub:
        night = hub.open_night(games=9)
        hub.enter(night, PLAYERS)
        hub.do(night, "draw")
        hub.do(night, "start_round", round=1)
        tables = [game["table"] for game in hub.view(night)["rounds"][0]["games"]]
        command = [sys.executable, "-m", "tests.bench.hub_screens", str(hub.server.port), night]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as crowd:
            try:
                crowd.stdout.readline()  # all are there
                pegs = [_peg(hub, night, tables, turn, crowd) for turn in range(budgets.samples(400, quick=40))]
                said = [_announce(hub, night, turn, crowd) for turn in range(budgets.samples(40, quick=8))]
            finally:
                crowd.kill()
    budgets.add(f"a peg on every screen: {TABLES} tables, {PHONES + ONLOOKERS} phones", pegs, LIMIT_MS, "ms")
    budgets.add("  and a decision", said, None, "ms")


def _peg(hub, night, tables, turn, crowd):
    """Milliseconds from what a table sends to the last of those who look at it."""
    table = tables[turn % len(tables)]
    state = {"scores": [turn % 121, (turn * 7) % 121], "players": ["Ann", "Bob"]}
    begun = time.monotonic_ns()
    hub.feed.rows[table] = {"online": True, "since": 0, "last_at": hub.clock[0] + turn, "state": state}
    hub.nights.notify_table(night, table)
    return _last(crowd, f"peg {hub.clock[0] + turn}", begun)


def _announce(hub, night, turn, crowd):
    begun = time.monotonic_ns()
    hub.do(night, "announce", text=f"say {turn:06}")
    return _last(crowd, f"say {turn:06}", begun)


def _last(crowd, what, begun):
    while True:
        said, at = json.loads(crowd.stdout.readline())
        if said == what:
            return (at - begun) / 1e6


# --- the crowd ---


def run(port, night):
    """Print what every one of those who should see it has seen, and when the last of them did."""
    asks = [("director", "")] * DESKS + [("screen", "")] * (SCREENS + ONLOOKERS)
    asks += [("player", f"p{1 + number % PLAYERS}") for number in range(PHONES)]
    poll, streams = select.epoll(), {}
    for view, player in asks:
        stream = socket.create_connection(("127.0.0.1", port))
        query = f"night={night}&view={view}&player={player}"
        stream.sendall(f"GET /night/v1/events?{query} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
        stream.setblocking(False)
        poll.register(stream, select.EPOLLIN)
        streams[stream.fileno()] = [stream, b""]
    seen, started = {}, False
    while True:
        ready = poll.poll(0.5)
        if not ready and not started:
            started = True
            print("ready", flush=True)
        for number, _ in ready:
            _read(streams[number], seen, started)


def _read(held, seen, started):
    data = held[1] + held[0].recv(1_048_576)
    now = time.monotonic_ns()
    whole, _, held[1] = data.rpartition(b"\n\n")
    if not started:
        return
    for block in whole.split(b"\n\n"):
        for what, wanted in _named(block):
            seen[what] = seen.get(what, 0) + 1
            if seen[what] == wanted:
                print(json.dumps([what, now]), flush=True)


def _named(block):
    """What an event brings, and on how many screens it is to be: a table has two players, and each has phones."""
    if b"event: table" in block:
        at = json.loads(block.partition(b"data: ")[2])["last_at"]
        yield f"peg {at}", DESKS + SCREENS + ONLOOKERS + 2 * (PHONES // PLAYERS)
    elif b'"part":"announcements"' in block and b"say " in block:
        start = block.index(b"say ")
        yield block[start : start + 10].decode(), DESKS + SCREENS + ONLOOKERS + PHONES


if __name__ == "__main__":
    run(int(sys.argv[1]), sys.argv[2])
