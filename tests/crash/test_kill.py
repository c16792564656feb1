"""kill -9 in the middle of scoring by phone and keys: what was shown is there, and at most what was on its way."""

import random

import pytest

from pegboard.storage.reader import check
from tests.proofs.kills import Kills, prove_kills
from tests.proofs.weak_journal import LATE
from tests.support.long_runs import some_of
from tests.support.preloaded import needs_compiler

pytestmark = needs_compiler

TABLES, KILLS = 4, some_of(5, 2)
"""Twenty kills in `make test-long`; `make test-power` has five hundred."""


@pytest.mark.sampled
@pytest.mark.parametrize("table", range(TABLES))
def test_whatever_was_shown_survives_kill_9(proof, table):
    assert prove_kills(proof, "kills", KILLS, random.Random(proof.seed + table)) == 0
    assert check(proof.folder / "kills") > 0


@pytest.mark.long
def test_a_journal_that_commits_late_is_seen_to_lose(tmp_path):
    loop = Kills(tmp_path / "state", random.Random(18), weak=LATE)
    assert any("lost" in loop.kill(at_call=False).fault for _ in range(20))  # mostly the second
