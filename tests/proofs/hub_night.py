"""`make test-hub`: a night of 200 tables; broker and hub are killed three times each, and nothing is lost or doubled.

One table's Wi-Fi is cut, messages come twice and out of turn, one is poison, and a card is flashed anew under the old
name. The standings have to be those that the tables' own results add up to. The same night with tables that believe the
broker's acknowledgement must lose something, or this proves nothing. SQLite and PostgreSQL.
"""

import asyncio
import contextlib
import itertools
import random
import subprocess
import sys
import time
from collections import defaultdict

from pegboard.hub.ledger.ledger import open_ledger
from pegboard.hub.ledger.ledger_rows import Refused, TableEvent
from pegboard.hub.night_service import NightService
from pegboard.hub.table_results import results_of
from pegboard.mqtt.messages_of_hub import read_events
from pegboard.tournament.night.night_state import Author, Role
from pegboard.tournament.night.views.night_views import director_view
from tests.proofs.progress import Proof, number, run, seed
from tests.support.mosquitto import Broker
from tests.support.postgresql_server import PostgresqlServer
from tests.support.simulated_tables import SimulatedTable, Sitting

TABLES, EVENTS, ROUNDS = 200, 60, 3
A_SECOND = 1.5
"""Events of a table a second, so that kills fall in the middle of them."""

KILLS = 3
PATIENCE_S = 90
"""Seconds within which the hub has everything after the last event; a back-off lasts up to a minute and a half."""

DIRECTOR = Author(Role.DIRECTOR, "Dee")
SKUNK = 31
"""The margin from which a win counts three game points (ACC)."""


class HubProgram:
    """`pegboard hub` in a process of its own."""

    def __init__(self, database, folder, port):
        self.words = [sys.executable, "-m", "pegboard", "hub", "--database", database, "--state", str(folder)]
        self.words += ["--broker", f"mqtt://127.0.0.1:{port}", "--host", "127.0.0.1", "--port", "0"]
        self.process = None

    def start(self):
        self.process = subprocess.Popen(self.words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        self.process.kill()
        self.process.wait()


def open_night(database):
    """A night of two players a table whose first round has begun: its id, names, and what each table plays."""
    with open_ledger(database) as ledger:
        nights = NightService(ledger)
        ids = (f"request-of-the-proof-{number:06}" for number in itertools.count())
        request = {"do": "open_night", "name": "Proof", "date": "2026-11-26", "rules": {"games": ROUNDS}}
        event = nights.open(request, DIRECTOR, next(ids))

        def do(word, **values):
            nights.decide(event, {"do": word, **values}, DIRECTOR, next(ids))

        for number in range(1, TABLES + 1):
            do("add_table", table=f"t{number}", label=str(number), kind="board")
        for number in range(1, 2 * TABLES + 1):
            do("enter", name=f"Player {number}", walk_up=True)
        do("draw")
        do("start_round", round=1)
        night = nights.night(event)
        sittings = {table: [] for table in night.tables}
        for game in sorted(night.schedule.values(), key=lambda game: game.round):
            names = tuple(night.name(player) for player in game.players)
            sittings[game.table].append(Sitting(f"{event}/{game.key}", names, game.players.index(game.deals_first)))
        return event, sittings


class Night:
    """One night with these tables, and what happens to it."""

    def __init__(self, proof, database, *, trusts_broker):
        self.dice, self.database = random.Random(proof.seed), database
        self.event, sittings = open_night(database)
        folder = proof.folder / f"broker-{time.monotonic_ns()}"
        folder.mkdir()
        self.broker = Broker(folder).start()
        self.hub = HubProgram(database, folder, self.broker.port)
        more = {"trusts_broker": trusts_broker}
        self.tables = [
            SimulatedTable(
                name, self.event, self.broker.port, random.Random(self.dice.random()), sittings=sittings[name], **more
            )
            for name in (f"t{n}" for n in range(1, TABLES + 1))
        ]
        self.kills = self.repeats = 0

    async def play(self, events):
        """Score, with everything that happens, and wait until the hub has it all, or so long."""
        self.hub.start()
        running = [asyncio.ensure_future(table.run()) for table in self.tables]
        scoring = [asyncio.ensure_future(self._score(table, events)) for table in self.tables]
        troubles = asyncio.ensure_future(self._trouble(events / A_SECOND))
        await asyncio.gather(*scoring, troubles)
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until and not all(table.is_done for table in self.tables):  # noqa: ASYNC110
            await asyncio.sleep(0.2)
        await asyncio.sleep(0.5)
        for table in self.tables:
            table.over = True
        for each in running:
            each.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    async def _score(self, table, events):
        for n in range(events):
            await asyncio.sleep(2 * self.dice.random() / A_SECOND)
            table.score()
            if n % 7 == 3 and len(table.journal.lines) > 4:
                self._disturb(table)
            if table is self.tables[1] and n == events // 2:
                await self._flash(table)

    def _disturb(self, table):
        """Old messages once more, out of turn; and, of some tables, what is none."""
        newest = len(table.journal.lines)
        for first in self.dice.sample(range(1, newest), min(3, newest - 1)):
            table.publish(table.journal.payload(first, min(first + 2, newest)))
            self.repeats += 1
        if table is self.tables[2]:
            table.publish(b"\xff\x00 poison")

    async def _flash(self, table):
        """A fresh card under the old name, once the old one has sent all: what only it had would be gone with it."""
        until = time.monotonic() + PATIENCE_S
        while not table.is_done and time.monotonic() < until:  # noqa: ASYNC110 - a table tells nobody
            await asyncio.sleep(0.1)
        table.put_card_in()

    async def _trouble(self, seconds):
        """Kill broker and hub in turns, and cut one table off for as long as two kills take."""
        pause = seconds / (2 * KILLS + 1)
        for n in range(2 * KILLS):
            await asyncio.sleep(pause)
            self.kills += 1
            if n == 1:
                self.tables[0].cut()
            if n == 3:
                self.tables[0].is_cut = False
            if n % 2:
                self.hub.kill()
                await asyncio.sleep(0.3)
                self.hub.start()
            else:
                self.broker.stop()
                await asyncio.sleep(0.3)
                self.broker.start()

    def end(self):
        self.hub.kill()
        self.broker.stop()


def written(night):
    """What the tables have in their journals, as the ledger should have it."""
    for table in night.tables:
        for journal in table.journals:
            message = read_events_of(journal)
            for event in message:
                yield (
                    TableEvent(
                        *(night.event, table.name, journal.epoch, event.seq, event.game, event.place, event.at, 0),
                        *(event.kind, event.body, event.source, event.version, event.digest),
                    )
                )


def read_events_of(journal):
    for first in range(1, len(journal.lines) + 1, 32):
        yield from read_events(journal.payload(first, min(first + 31, len(journal.lines)))).events


def key(row):
    return row.table, row.epoch, row.seq


def compare(ledger, night):
    """How many events are lost, doubled or otherwise than they were sent; and whether the results are the same."""
    due = {key(row): row for row in written(night)}
    rows = ledger.rows_of(night.event)
    found = {key(row): row for row in rows}
    lost = len(due.keys() - found.keys())
    doubled = len(rows) - len(found)
    strange = sum(row.digest != due[place].digest for place, row in found.items() if place in due)
    strange += len(found.keys() - due.keys())
    results = [(each.table, each.game, each.holes, each.margin) for each in results_of(rows)]
    expected = [(each.table, each.game, each.holes, each.margin) for each in results_of(sorted(due.values(), key=key))]
    return len(due), lost, doubled, strange, sorted(results, key=str) == sorted(expected, key=str)


def added_up(tables):
    """Game points, games won and net spread of each player, by what the tables themselves have played to the end."""
    sums = defaultdict(lambda: [0, 0, 0])
    for table in tables:
        for sitting, winner, margin in table.results:
            for seat, name in enumerate(sitting.players):
                won = seat == winner
                sums[name][0] += (3 if margin >= SKUNK else 2) * won
                sums[name][1] += won
                sums[name][2] += margin if won else -margin
    return {name: tuple(values) for name, values in sums.items()}


def standings_of(ledger, event):
    """The same by the standings of the hub, of who has played."""
    view = director_view(NightService(ledger).night(event))
    rows = (row for row in view["standings"] if row["games"])
    return {view["names"][row["player"]]: (row["points"], row["won"], row["net"]) for row in rows}


def prove_standings(proof, name, ledger, night):
    """See that the standings come to what the tables have played."""
    due, until = added_up(night.tables), time.monotonic() + PATIENCE_S
    while (found := standings_of(ledger, night.event)) != due and time.monotonic() < until:
        time.sleep(0.5)
    games = sum(len(table.results) for table in night.tables)
    if found != due or games < TABLES:
        wrong = [one for one in due.keys() | found.keys() if due.get(one) != found.get(one)]
        proof.fail(f"{name}: of {games} games the standings of {len(wrong)} players are others, such as {wrong[:1]}")
    return f"{games} games"


def prove(proof, name, database, *, trusts_broker=False):
    """One night on a database; whether it lost anything."""
    night = Night(proof, database, trusts_broker=trusts_broker)
    with open_ledger(database) as ledger:
        try:
            asyncio.run(night.play(number("EVENTS", EVENTS)))
            games = "" if trusts_broker else prove_standings(proof, name, ledger, night)
        finally:
            night.end()
        due, lost, doubled, strange, same = compare(ledger, night)
        alarms = {alarm.kind for alarm in ledger.alarms(night.event)}
    cells = (f"{due} events", f"{night.kills} kills", f"{lost} lost", f"{doubled} doubled", f"{strange} other", games)
    proof.row(name, *cells)
    if trusts_broker:
        if not lost:
            proof.fail(f"{name}: tables that believe the broker lose nothing, so this would not notice a loss")
        return
    if lost or doubled or strange or not same:
        how = "as" if same else "not as"
        proof.fail(f"{name}: {lost} lost, {doubled} doubled, {strange} other, results {how} played")
    for kind in (Refused.POISON, Refused.SECOND_EPOCH):
        if kind not in alarms:
            proof.fail(f"{name}: no alarm of {kind}")


def main():
    proof = Proof("hub", seed())
    prove(proof, "SQLite", f"sqlite:///{proof.folder}/hub.db")
    with contextlib.closing(_Server()) as server:
        prove(proof, "PostgreSQL", server.new_database())
        prove(proof, "control: the broker's word, SQLite", f"sqlite:///{proof.folder}/control.db", trusts_broker=True)
        prove(proof, "control: the broker's word, PostgreSQL", server.new_database(), trusts_broker=True)
    proof.end()


class _Server(PostgresqlServer):
    def __init__(self):
        super().__init__()
        self.start()

    def close(self):
        self.stop()


if __name__ == "__main__":
    run(main)
