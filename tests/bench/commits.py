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
    times, rounds = budgets.samples(400, quick=30), budgets.samples(9, quick=1)
    # Rounds, as the disk is faster at one time than at another.
    running = [in_turn(folder / f"running{n}", times, checkpoint_every=A_SECOND) for n in range(rounds)]
    growing = [in_turn(folder / f"growing{n}", times) for n in range(rounds)]
    budgets.add("an event stored in the journal, until it is on the disk", all_of(running, 0), None, "ms")
    budgets.add("as many bytes appended to a file, with fdatasync", all_of(running, 1), None, "ms")
    budgets.add("the first of these by the second, of their medians", ratios(running), MOST_TIMES_RAW, "", of="median")
    budgets.add("  where nothing is copied out of the log, so that it grows too", ratios(growing), None, "")
    (folder / "recorded").mkdir()
    syncs = read_order(recorded(folder / "recorded", random.Random(1), budgets.samples(200, quick=40))[0]).syncs[1:]
    budgets.add("syncs for each event that an answer shows", [statistics.mean(syncs)], MOST_SYNCS, "", of="median")


def all_of(rounds, which):
    """The times of an event, or of an append, in all rounds."""
    return [milliseconds for times in rounds for milliseconds in times[which]]


def ratios(rounds):
    """One time by the other, of their medians, for each round."""
    return [statistics.median(stored) / statistics.median(raw) for stored, raw in rounds]


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
