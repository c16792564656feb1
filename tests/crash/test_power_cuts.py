"""Power cuts of the real process at any of its calls, rebuilt from those, and the order of calls and answers."""

import random

import pytest

from tests.proofs.order_of_calls import read_order
from tests.proofs.power_cuts import prove, recorded
from tests.support.long_runs import some_of
from tests.support.preloaded import needs_compiler

pytestmark = needs_compiler

IMAGES = 600

SYNCS_OF_AN_ANSWER = 1.2
"""What an answer may wait for; a checkpoint, one answer in hundreds, waits for more."""


def test_what_was_shown_survives_a_power_cut_at_any_call(proof):
    prove(proof, "WAL+FULL", some_of(IMAGES, 10), some_of(300, 10))


@pytest.mark.long
@pytest.mark.parametrize("journal", ["WAL+NORMAL", "WAL+OFF", "DELETE+FULL"])
def test_a_journal_that_is_not_durable_is_seen_to_lose(proof, journal):
    assert prove(proof, journal, 60, 40, weak=journal)["lost"] > 0


def test_every_answer_stands_behind_the_sync_of_what_it_shows(tmp_path):
    order = read_order(recorded(tmp_path, random.Random(18), 60)[0])
    assert len(order.syncs) > 40
    assert order.too_early == []
    assert sum(order.syncs[1:]) / len(order.syncs[1:]) <= SYNCS_OF_AN_ANSWER


@pytest.mark.long
def test_an_answer_before_its_sync_is_seen(tmp_path):
    assert read_order(recorded(tmp_path, random.Random(18), 20, "WAL+NORMAL")[0]).too_early
