"""A commit beside a raw append of as many bytes to the same disk, and the syncs that an answer waits for."""

import os
import random
import statistics
import time

from tests.proofs.order_of_calls import read_order
from tests.proofs.power_cuts import recorded
from tests.support.scoreboard_on_a_folder import Table

MOST_TIMES_RAW, MOST_SYNCS = 1.3, 1.2

FRAMES = 3 * 4120
"""Bytes of a usual commit in the log, for one that began it anew and so did not let it grow."""

A_SECOND = 10
"""Events between two checkpoints: a running table makes one a second, and a busy one scores so often in it."""


def commits(budgets, folder):
    """The journal's own time for an event, a raw append with fdatasync in turn with it, and syncs of the program."""
    times = budgets.samples(400, quick=30)
    stored, raw = in_turn(folder / "running", times, checkpoint_every=A_SECOND)
    budgets.add("an event stored in the journal, until it is on the disk", stored, None, "ms")
    budgets.add("as many bytes appended to a file, with fdatasync", raw, None, "ms")
    budgets.add(
        "the first of these by the second, of their medians", ratio(stored, raw), MOST_TIMES_RAW, "", of="median"
    )
    growing = ratio(*in_turn(folder / "growing", times))
    budgets.add("the same where nothing is copied out of the log, so that it grows too", growing, None, "", of="median")
    (folder / "recorded").mkdir()
    syncs = read_order(recorded(folder / "recorded", random.Random(1), budgets.samples(200, quick=40))[0]).syncs[1:]
    budgets.add("syncs for each event that an answer shows", [statistics.mean(syncs)], MOST_SYNCS, "", of="median")


def ratio(stored, raw):
    """One time by the other, of their medians."""
    return [statistics.median(stored) / statistics.median(raw)]


def in_turn(folder, times, checkpoint_every=None):
    """Milliseconds of each, so often, in a new folder, whose log is copied into the database every so many events."""
    folder.mkdir()
    table, stored, raw = Table(folder / "state"), [], []
    append = table.journal.append

    def timed(*words, **more):
        begun = time.perf_counter_ns()
        append(*words, **more)
        stored.append((time.perf_counter_ns() - begun) / 1e6)

    table.journal.append = timed
    log = folder / "state" / "journal.db-wal"
    with (folder / "raw").open("ab", buffering=0) as file:
        for n in range(times):
            if checkpoint_every and n % checkpoint_every == 0:
                table.journal.checkpoint()
            before = log.stat().st_size
            table.score(n % 2, 0)
            grown = log.stat().st_size - before
            content = os.urandom(grown if grown > 0 else FRAMES)
            begun = time.perf_counter_ns()
            file.write(content)
            os.fdatasync(file.fileno())
            raw.append((time.perf_counter_ns() - begun) / 1e6)
    table.journal.close()
    return stored, raw
