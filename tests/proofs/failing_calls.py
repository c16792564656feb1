"""Each call of a game fails once, from the start to the finish: what was answered is there, and nothing refused is.

A process that has loaded everything is forked for each call, so that a game takes milliseconds. Calls of files fail
beneath SQLite and Python (`disk.c`), statements at the connection: before they are done, or after.
"""

import errno
import json
import logging
import os
import pickle
import shutil
import sqlite3
import sys
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pegboard import Score
from pegboard.errors import NotStored, PegboardError
from pegboard.feed import Feed
from pegboard.storage.journal.journal import Journal
from pegboard.table.scoreboard import Scoreboard
from tests.proofs import disk
from tests.proofs.recovery import events, recover, said_by
from tests.proofs.weak_journal import Late, connect_by
from tests.support.scoreboard_on_a_folder import STANDARD

POINTS = 12
"""Of each score; eleven of a lane finish the game."""

MOST_SCORES = 40
"""Where scores are refused again and again, the players give up."""

FILE_FAULTS = {
    "write: EIO once": (disk.ON_WRITE, errno.EIO, disk.ONCE),
    "write: half, then ENOSPC": (disk.ON_WRITE, errno.ENOSPC, disk.SHORT),
    "write: ENOSPC from there on": (disk.ON_WRITE, errno.ENOSPC, disk.LASTING),
    "sync: EIO once": (disk.ON_SYNC, errno.EIO, disk.ONCE),
    "sync: EIO from there on": (disk.ON_SYNC, errno.EIO, disk.LASTING),
    "truncate: EIO once": (disk.ON_TRUNCATE, errno.EIO, disk.ONCE),
    "open: EIO once": (disk.ON_OPEN, errno.EIO, disk.ONCE),
    "open: EROFS from there on": (disk.ON_OPEN, errno.EROFS, disk.LASTING),
    "rename: EIO once": (disk.ON_RENAME, errno.EIO, disk.ONCE),
    "unlink: EIO once": (disk.ON_UNLINK, errno.EIO, disk.ONCE),
    "read: EIO once": (disk.ON_READ, errno.EIO, disk.ONCE),
    "read: EIO from there on": (disk.ON_READ, errno.EIO, disk.LASTING),
}
"""What fails, with what, and how."""

STATEMENT_FAULTS = ("statement: fails undone", "statement: fails when done", "statement: fail from there on")

PLUG = ", then the plug"
"""At the end of a fault: the first refusal is the last thing that happens before the next start."""

PLUGGED = (
    "write: EIO once",
    "write: half, then ENOSPC",
    "sync: EIO once",
    "sync: EIO from there on",
    "statement: fails when done",
)

FAULTS = (*FILE_FAULTS, *STATEMENT_FAULTS, *(fault + PLUG for fault in PLUGGED))
COLUMNS = ("calls", "refused", "lost", "back", "traceback", "no start", "said")


@dataclass
class Game:
    """What a player was answered while one call failed."""

    stored: list = field(default_factory=list)
    refused: list = field(default_factory=list)
    sentence: str = ""
    traceback: str = ""
    said: tuple = ()
    calls: int = 0


class Failing(sqlite3.Connection):
    """A connection to a file of which statement number `number` fails; memory has no faults."""

    number, calls, way = 0, 0, ""

    def __init__(self, database, *words, **more):
        super().__init__(database, *words, **more)
        self.is_in_memory = ":memory:" in str(database)

    def execute(self, *words):
        if self.is_in_memory:
            return super().execute(*words)
        Failing.calls += 1
        failing = self.calls == self.number or (self.way.endswith("from there on") and self.calls > self.number > 0)
        if failing and not self.way.endswith("when done"):
            raise sqlite3.OperationalError("disk I/O error")
        found = super().execute(*words)
        if failing:
            found.close()
            raise sqlite3.OperationalError("disk I/O error")
        return found


def let_fail(fault, number):
    """Let call `number` of this process fail so; 0 lets none fail, and counts them."""
    fault = fault.removesuffix(PLUG)
    if fault in FILE_FAULTS:
        classes, error, how = FILE_FAULTS[fault]
        disk.loaded().disk_fault(classes, number, error, how)
    else:
        Failing.number, Failing.calls, Failing.way = number, 0, fault
        connect_by(Failing)


def count_calls(fault):
    return disk.loaded().disk_calls() if fault.removesuffix(PLUG) in FILE_FAULTS else Failing.calls


def play(folder, fault, number, scores=MOST_SCORES):
    """A game of two lanes while that call fails; what cannot be stored is asked for anew, as people do."""
    game = Game()
    let_fail(fault, number)
    try:
        journal = Journal(folder)
        board = Scoreboard(journal, Feed(), STANDARD)
        score_to_the_end(board, game, scores, to_the_plug=fault.endswith(PLUG))
        game.said = said_by(board.view)
        if not fault.endswith(PLUG):  # else the process ends with all open
            journal.close()
    except PegboardError as sentence:
        game.sentence = str(sentence)
    except Exception:  # noqa: BLE001 - which it is stands in the proof's table
        game.traceback = traceback.format_exc()
    game.calls = count_calls(fault)
    return game


def score_to_the_end(board, game, scores, *, to_the_plug):
    for n in range(scores):
        view = board.view
        if view.game.outcome is not None or (to_the_plug and game.refused):
            return
        seat, name = n % 2, f"failing-{n:020}"
        try:
            board.handle(Score(POINTS, seat), source="phone", id=name, game=view.id, base=view.game.revisions[seat])
        except PegboardError as sentence:
            game.refused.append(name)
            game.sentence = str(sentence)
        else:
            game.stored.append((name, seat))


def in_a_child(act, *words):
    """What `act` returns in a process forked for it.

    Raises:
        ChildProcessError: it has died.
    """
    reading, writing = os.pipe()
    if not (child := os.fork()):
        with os.fdopen(writing, "wb") as out:
            pickle.dump(act(*words), out)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        found = answer.read()
    os.waitpid(child, 0)
    if not found:
        raise ChildProcessError(f"{act.__name__} died")
    return pickle.loads(found)


def judge(folder, game, *, heeds_alarms=True):
    """What is wrong when a table is started on the folder later, where nothing fails; None where nothing is."""
    if game.traceback:
        return "traceback", game.traceback.strip().splitlines()[-1]
    found = in_a_child(recover, folder)
    if found.trouble:
        return "no start", found.trouble
    if heeds_alarms and (found.said or game.said):
        return None
    fronts = tuple(min(121, POINTS * sum(seat == lane for _, seat in game.stored)) for lane in (0, 1))
    if found.fronts != fronts:
        worse = "lost" if any(there < told for there, told in zip(found.fronts, fronts, strict=True)) else "back"
        return worse, f"{fronts} was answered, {found.fronts} is there"
    kept = {event[-1] for event in events(folder)}
    missing = [name for name, _ in game.stored if name not in kept]
    return ("lost", f"{missing} is missing") if missing else None


def prove_fault(tell, fault, folder, every=1, first=1):
    """Each call of one kind, or one in `every` from about the `first`; the counts, and how many a game has."""
    counts = Counter()
    number = 1 + (first - 1) % max(1, in_a_child(play, folder, fault, 0).calls)
    while True:
        shutil.rmtree(folder, ignore_errors=True)
        game = in_a_child(play, folder, fault, number)
        if game.calls < number:
            return counts, game.calls
        wrong = judge(folder, game)
        counts.update({"calls": 1, "refused": bool(game.refused), "said": bool(game.said)})
        if wrong:
            counts[wrong[0]] += 1
            tell(f"{fault}, call {number}: {wrong[0]}: {wrong[1]}", folder)
        number += every


def come_late():
    """A control: the newest transaction is stored by the next one."""
    connect_by(Late)


def refuse_stored():
    """A control: some events are stored, and refused all the same."""
    append = Journal.append

    def forget(journal, *words, **more):
        append(journal, *words, **more)
        if journal.last_id % 5 == 0:
            raise NotStored("not_saved", fault="as a control")

    Journal.append = forget


CONTROLS = {come_late: "lost", refuse_stored: "back"}
"""What is done to the journal, and the verdict that must come of it, whatever an alarm says."""


def play_control(weaken, folder):
    """The game of a control, in which no call fails, until a plug is pulled."""
    weaken()
    return play(folder, f"write: EIO once{PLUG}", 0, 6)


def prove_controls(tell, folder):
    """A journal that loses, or brings back, is seen to."""
    for weaken, expected in CONTROLS.items():
        shutil.rmtree(folder, ignore_errors=True)
        found = judge(folder, in_a_child(play_control, weaken, folder), heeds_alarms=False)
        if found is None or found[0] != expected:
            tell(f"the control {weaken.__name__} gave {found}, so this proof does not see {expected}", folder)


def prove_every_fault(proof, every=1):
    """The table of all faults."""
    disk.loaded().disk_watch(str(proof.folder).encode())
    prove_controls(proof.fail, proof.folder / "game")
    for fault in FAULTS:
        counts, calls = prove_fault(proof.fail, fault, proof.folder / "game", every)
        proof.row(f"{fault} ({calls} in a game)", *(counts[column] for column in COLUMNS))


def main(words):
    """`python -m tests.proofs.failing_calls FOLDER EVERY FIRST`: JSON of the counts, preloaded; for tests."""
    logging.disable()  # what each of the starts finds
    folder, every, first = words
    disk.loaded().disk_watch(folder.encode())
    told = []

    def tell(words, _):
        told.append(words)

    prove_controls(tell, Path(folder) / "game")
    for fault in FAULTS:
        counts, calls = prove_fault(tell, fault, Path(folder) / "game", int(every), int(first))
        print(json.dumps({"fault": fault, "in_a_game": calls, **counts}), flush=True)
    print(json.dumps({"told": told}))


if __name__ == "__main__":
    main(sys.argv[1:])
