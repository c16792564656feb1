"""How a proof is told: rows as they come, one sentence at a failure, and what replays it."""

import atexit
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path


def number(name, usual):
    """A whole number of the environment, such as IMAGES=500.

    Raises:
        SystemExit: it is none.
    """
    word = os.environ.get(name, "")
    if not word:
        return usual
    if not word.isdecimal():
        sys.exit(f"{name}={word}: a whole number is taken, such as {name}={usual}")
    return int(word)


def seed():
    """SEED, or a new one."""
    return number("SEED", random.SystemRandom().randrange(10**6))


class Proof:
    """One proof of so many cases under one seed, with a folder of its own."""

    def __init__(self, name, made_with):
        self.name, self.seed, self.begun = name, made_with, time.monotonic()
        self.folder = Path(tempfile.mkdtemp(prefix=f"pegboard-{name}-", dir=memory()))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.failures = []
        print(f"{name}: SEED={made_with}", flush=True)

    def row(self, *cells):
        """One row of the table, with the seconds since the begin."""
        first, *rest = cells
        print(f"{time.monotonic() - self.begun:6.0f} s  {first:<44}", *(f"{cell:>10}" for cell in rest), flush=True)

    def fail(self, sentence, folder=None):
        """Note what went wrong; the folder that shows it is kept. The number of such so far."""
        self.failures.append(sentence)
        if folder is not None and len(self.failures) <= 5:
            kept = Path(tempfile.gettempdir()) / f"pegboard-{self.name}-{self.seed}-{len(self.failures)}"
            shutil.rmtree(kept, ignore_errors=True)
            shutil.copytree(folder, kept)
            sentence += f" (kept in {kept})"
        if len(self.failures) <= 20:
            print(f"  FAILED {sentence}", flush=True)
        return len(self.failures)

    def end(self):
        """Exit with 0, or with 1 and one sentence."""
        if self.failures:
            first = self.failures[0]
            sys.exit(f"{self.name} failed {len(self.failures)} times, first: {first}; SEED={self.seed} does it again")
        print(f"{self.name}: proved in {time.monotonic() - self.begun:.0f} s, SEED={self.seed}", flush=True)


def run(main):
    """Prove; Ctrl-C ends that with one sentence."""
    try:
        main()
    except KeyboardInterrupt:
        sys.exit("stopped; the rows above are whole")


def memory():
    """Where folders of a proof lie: in memory, where there is room."""
    room = Path("/dev/shm")
    return room if room.is_dir() and shutil.disk_usage(room).free > 1 << 30 else None
