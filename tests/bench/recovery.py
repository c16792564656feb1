"""Recovery: seconds from a damaged journal of 50 MB to a new one, with a backup of most of it and without any."""

import random
import shutil
import time
from pathlib import Path

from pegboard.interpreter_tuning import pause_collection
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check
from pegboard.storage.rescue.backups import back_up
from pegboard.storage.rescue.journal_findings import look_at_state
from pegboard.storage.rescue.quarantine import quarantine
from pegboard.storage.rescue.salvage import salvage
from pegboard.storage.schema import FILE
from tests.bench.history import season

MOST_MB, FEW_MB = 50, 3

GAME_KB = 10.4
"""What a game of some fifty events takes in the journal, with its summary."""

BACKED_UP = 0.98
"""The part of the games that was there at the last backup: a table makes one after each."""

ZEROED = 20
"""Pages that are damaged."""

PAGE = 4096


def recovery(budgets, folder):
    """A journal of pages filled with zeros, quarantined and salvaged; a backup; a check in words."""
    megabytes, times = budgets.samples(MOST_MB, quick=FEW_MB), budgets.samples(3, quick=1)
    whole, backups = fill(folder / "whole", megabytes)
    size = (whole / FILE).stat().st_size / 1e6
    budgets.add("a journal of games", [size], None, "MB")
    made = [timed(lambda: back_up(whole, time.time()))[0] for _ in range(times)]
    budgets.add("a backup of it, verified", made, None, "s")
    checked = [timed(lambda: list(look_at_state(whole, time.time(), lambda: None)))[0]]
    budgets.add("pegboard check, every event and all lists and statistics", checked, None, "s")
    for what, backup, budget in (
        (f"recovery, {ZEROED} pages damaged, with the last backup", backups, 10),
        ("  without any backup", None, 10),
    ):
        took = [recover(whole, backup, folder / f"damaged{n}", n) for n in range(times)]
        budgets.add(what, took, budget, "s", of="median")


def fill(folder, megabytes):
    """A journal of about so many megabytes, and the backups that were there shortly before its end."""
    games = int(megabytes * 1000 / GAME_KB)
    events = list(season(games))
    last = next(n for n, event in enumerate(events) if event.game == f"season-{int(games * BACKED_UP)}")
    with Journal(folder) as journal:
        journal.import_games(events[:last])
        back_up(folder, time.time())
        backups = shutil.copytree(folder / "backups", folder.with_name("backups"))
        journal.import_games(events[last:])
    return folder, backups


def recover(whole, backups, folder, seed):
    """Seconds until a damaged copy is a whole journal again."""
    folder.mkdir()
    damage(whole / FILE, folder / FILE, random.Random(seed))
    if backups is not None:
        shutil.copytree(backups, folder / "backups")
    with pause_collection():  # as a table does until it has begun
        seconds, found = timed(lambda: salvage(folder, quarantine(folder), lambda: None))
    assert found.events == check(folder)
    shutil.rmtree(folder)
    return seconds


def damage(source, target, dice):
    """Copy a file, some of its pages filled with zeros."""
    data = bytearray(Path(source).read_bytes())
    for _ in range(ZEROED):
        start = dice.randrange(0, len(data), PAGE)
        data[start : start + PAGE] = bytes(PAGE)
    Path(target).write_bytes(data)


def timed(act):
    """Seconds that it takes, and what it gives."""
    begun = time.perf_counter()
    found = act()
    return time.perf_counter() - begun, found
