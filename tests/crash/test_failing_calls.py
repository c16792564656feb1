"""A call fails, of a file or of the database: at the next start there is what was answered, and nothing refused."""

import json
import os
import random
import subprocess
import sys

import pytest

from tests.proofs import disk
from tests.proofs.failing_calls import FAULTS
from tests.proofs.failing_program import try_fault
from tests.support.long_runs import SEED, is_long
from tests.support.preloaded import needs_compiler

pytestmark = needs_compiler

EVERY = 1 if is_long() else 61
"""One call in so many fails; which, SEED chooses."""

FEWEST_REFUSED = 500 if is_long() else 5


def test_whichever_call_fails_answers_are_true(tmp_path):
    first = random.Random(SEED).randint(1, EVERY)
    command = [sys.executable, "-m", "tests.proofs.failing_calls", str(tmp_path), str(EVERY), str(first)]
    preloaded = os.environ | {"LD_PRELOAD": str(disk.library())}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=preloaded)
    *rows, end = map(json.loads, done.stdout.splitlines())
    assert [row["fault"] for row in rows] == list(FAULTS)
    assert sum(row.get("refused", 0) for row in rows) >= FEWEST_REFUSED
    assert end["told"] == []


@pytest.mark.sampled
@pytest.mark.parametrize("fault", ["sync: EIO from there on", "write: half, then ENOSPC", "write: EIO once"])
def test_the_real_program_tells_the_truth_while_a_call_fails(tmp_path, fault):
    case = try_fault(tmp_path / "state", fault, random.Random(fault).randint(30, 60))
    assert case.wrong == ""
