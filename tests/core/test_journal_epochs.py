"""Epochs of a journal: which state of it came first."""

import pytest

from pegboard.core.names import is_earlier, is_unclear, original_journal
from pegboard.storage.event_row import another_epoch


def test_a_journal_that_was_renewed_stays_the_same_journal():
    renewed = another_epoch("9f2c61d0a47be835")
    assert renewed != "9f2c61d0a47be835"
    assert original_journal(renewed) == original_journal(another_epoch(renewed)) == "9f2c61d0a47be835"


@pytest.mark.parametrize(
    ("one", "other", "due"),
    [
        (("9f2c", 12), ("9f2c", 13), True),
        (("9f2c", 13), ("9f2c", 13), False),
        (("9f2c", 60), ("9f2c--5d1f", 46), True),  # its last events are lost
        (("9f2c--5d1f", 46), ("9f2c", 60), False),
        (("9f2c--5d1f", 46), ("9f2c--5d1f", 47), True),
        (("9f2c--5d1f", 46), ("9f2c--07aa", 47), False),  # nobody knows
        (("9f2c--07aa", 47), ("9f2c--5d1f", 46), False),
        (("9f2c", 1), ("5d1f", 2), False),
        (("9f2c", 1), ("5d1f--9f2c", 2), False),
        (("5d1f--9f2c", 1), ("9f2c", 2), False),
    ],
)
def test_what_a_journal_had_come_to_first(one, other, due):
    assert is_earlier(one, other) is due


@pytest.mark.parametrize(
    ("one", "other", "due"),
    [
        ("9f2c--5d1f", "9f2c--07aa", True),
        ("9f2c--5d1f", "9f2c--5d1f", False),
        ("9f2c", "9f2c--5d1f", False),
        ("9f2c--5d1f", "9f2c", False),
        ("9f2c--5d1f", "07aa--5d1f", False),
    ],
)
def test_of_a_journal_that_was_renewed_twice_nobody_knows_which_epoch_came_first(one, other, due):
    assert is_unclear(one, other) is due
