"""`make test-power`: power cuts, kills and failing calls of the real program, each with a control that loses."""

import logging
import os
import random
import sys

from tests.proofs import disk, failing_calls, power_cuts
from tests.proofs.failing_program import prove_program
from tests.proofs.kills import prove_kills
from tests.proofs.progress import Proof, number, run, seed
from tests.proofs.weak_journal import LATE

IMAGES, COMMANDS, KILLS, CONTROL_IMAGES, CONTROL_KILLS, EVERY, PROGRAMS = 6000, 700, 500, 300, 10, 1, 60
"""Of the whole proof; IMAGES=500 and the like make it shorter, EVERY=7 lets each seventh call fail."""


def main():
    """Prove one after the other, and print a table of each."""
    if "LD_PRELOAD" not in os.environ:  # for the forks whose calls fail
        again = [sys.executable, "-m", "tests.proofs.power"]
        os.execvpe(again[0], again, os.environ | {"LD_PRELOAD": str(disk.library())})
    logging.disable()  # what each of thousands of starts finds
    proof = Proof("power", seed())
    commands = number("COMMANDS", COMMANDS)
    proof.row("power cuts", *power_cuts.COLUMNS)
    power_cuts.prove(proof, "WAL+FULL", number("IMAGES", IMAGES), commands)
    power_cuts.prove_controls(proof, number("CONTROL_IMAGES", CONTROL_IMAGES), max(60, commands // 5))
    proof.row("kill -9", "kills", "answers", "wrong")
    prove_kills(proof, "kills", number("KILLS", KILLS), random.Random(proof.seed))
    if not prove_kills(proof, f"kills, commits {LATE}", CONTROL_KILLS, random.Random(proof.seed), weak=LATE):
        proof.fail(f"commits that come late lost nothing in {CONTROL_KILLS} kills, so this proof sees nothing")
    proof.row("failing calls", *failing_calls.COLUMNS)
    failing_calls.prove_every_fault(proof, number("EVERY", EVERY))
    proof.row("failing calls of the real program", "programs", "refused", "wrong", "said")
    prove_program(proof, number("PROGRAMS", PROGRAMS), random.Random(proof.seed))
    proof.end()


if __name__ == "__main__":
    run(main)
