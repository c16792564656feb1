"""The hub's budgets: how soon an event of one of a thousand tables is committed, and how fast a backlog is drained.

Tables are simulated in this process; broker, hub and database are real programs on the same machine.
"""

import asyncio
import gc
import random
import resource
import subprocess
import sys
import time

from pegboard.hub.ledger.ledger import open_ledger
from tests.support.mosquitto import Broker
from tests.support.postgresql_server import PostgresqlServer
from tests.support.simulated_tables import SimulatedTable

EVENT = "club-night"
TABLES, PAUSE_S = 1000, 2.0
WARM_S = 3.0
BACKLOG, BACKLOG_TABLES = 50_000, 250


def ledgers(budgets, folder):
    """Milliseconds from a table's commit to the hub's acknowledgement after its own, and events drained a second."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    server = PostgresqlServer().start()
    try:
        for name, url in (("SQLite", f"sqlite:///{folder}/hub.db"), ("PostgreSQL", server.new_database())):
            commit_latency(budgets, folder, name, url)
        for name, url in (("SQLite", f"sqlite:///{folder}/backlog.db"), ("PostgreSQL", server.new_database())):
            backlog(budgets, folder, name, url)
    finally:
        server.stop()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def commit_latency(budgets, folder, name, url):
    """From the moment an event is in the table's journal until the table hears that the hub has committed it."""
    seconds = budgets.samples(60, quick=8)
    values = asyncio.run(_with_hub(folder, url, lambda port: _play(port, seconds)))
    label = f"{TABLES} tables, an event each {PAUSE_S:.0f} s, to the hub's commit ({name})"
    budgets.add(label, values, 5, "ms", of="median")
    budgets.add("  the slowest of a hundred", values, 25, "ms")


def backlog(budgets, folder, name, url):
    """Events a second of what tables have scored while there was no hub."""
    events = budgets.samples(BACKLOG, quick=10_000)
    rate = asyncio.run(_with_hub(folder, url, lambda port, begin: _drain(port, events, begin), begin_later=True))
    label = f"backlog of {events} events of {BACKLOG_TABLES} tables, each thousand ({name})"
    budgets.add(label, [1000 / rate * 1000], 125, "ms", of="median")  # 8,000 events a second are 125 ms a thousand


async def _with_hub(folder, url, act, *, begin_later=False):
    """What `act` gives with a broker and a hub; with `begin_later` it begins the hub itself, by what it is given."""
    with open_ledger(url) as ledger:
        ledger.open_event(EVENT)
    broker = Broker(folder).start()
    words = [sys.executable, "-m", "pegboard", "hub", "--database", url, "--broker", f"mqtt://127.0.0.1:{broker.port}"]
    words += ["--state", str(folder / "hub"), "--host", "127.0.0.1", "--port", "0"]
    processes = []

    def begin():
        processes.append(subprocess.Popen(words, stdout=subprocess.DEVNULL))

    try:
        if begin_later:
            return await act(broker.port, begin)
        begin()
        return await act(broker.port)
    finally:
        for each in processes:
            each.terminate()
            each.wait()
        broker.stop()


async def _play(port, seconds):
    """Milliseconds of each event."""
    dice, loop = random.Random(1), asyncio.get_running_loop()
    pending, values = {}, []

    def acknowledged(table, _epoch, number):
        begun = pending.pop((table, number), None)
        if begun is not None and begun > warm:
            values.append((time.perf_counter() - begun) * 1000)

    warm = float("inf")
    tables = [SimulatedTable(f"t{n}", EVENT, port, random.Random(n), acknowledged=acknowledged) for n in range(TABLES)]
    for table in tables:
        table.deal_ahead((WARM_S + seconds) / PAUSE_S + 2)
    gc.freeze()  # each real table has a processor of its own
    running = [asyncio.ensure_future(table.run()) for table in tables]
    await _until(lambda: all(table.hubs.present for table in tables))

    def score(table, at):
        """As of its own clock: if one that was late put off all that follows, more and more would score together."""
        pending[table.name, table.score()] = time.perf_counter()
        loop.call_at(at + PAUSE_S, score, table, at + PAUSE_S)

    for table in tables:
        at = loop.time() + dice.random() * PAUSE_S
        loop.call_at(at, score, table, at)
    await asyncio.sleep(WARM_S)
    warm = time.perf_counter()
    await asyncio.sleep(seconds)
    await _end(tables, running)
    return values


async def _drain(port, events, begin):
    """Events a second, from the moment when the hub is there until it has everything; `begin` starts it."""
    tables = [SimulatedTable(f"t{n}", EVENT, port, random.Random(n)) for n in range(BACKLOG_TABLES)]
    for table in tables:
        for _ in range(events // BACKLOG_TABLES):
            table.score()
    running = [asyncio.ensure_future(table.run()) for table in tables]
    await asyncio.sleep(2)
    begin()
    await _until(lambda: any(table.hubs.present for table in tables))
    begun = time.perf_counter()
    await _until(lambda: all(table.is_done for table in tables))
    seconds = time.perf_counter() - begun
    await _end(tables, running)
    return events / seconds


async def _end(tables, running):
    for table in tables:
        table.over = True
    for each in running:
        each.cancel()
    await asyncio.gather(*running, return_exceptions=True)


async def _until(look, seconds=120):
    ends = time.monotonic() + seconds
    while not look():
        assert time.monotonic() < ends, f"not within {seconds} s"
        await asyncio.sleep(0.005)
