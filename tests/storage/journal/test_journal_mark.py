"""The mark: two slots in turn, of which a damaged one counts for nothing."""

import os

import pytest

from pegboard.storage.journal.journal_mark import BLOCK, FILE, SLOT_BYTES, JournalMark, MarkedTail
from tests.support.damage import flip_bit

FIRST, SECOND = MarkedTail("9f2c61d0a47be835", 4, "a" * 32), MarkedTail("9f2c61d0a47be835", 5, "b" * 32, True)


@pytest.fixture
def mark(tmp_path):
    mark = JournalMark(tmp_path)
    yield mark
    mark.close()


def found(folder):
    mark = JournalMark(folder)
    mark.close()
    return mark.found


def test_nothing_is_claimed_before_it_is_written(mark):
    assert mark.found is None


def test_newest_tail_is_found_again(mark, tmp_path):
    for tail in (FIRST, SECOND, FIRST):
        mark.write(tail)
        assert found(tmp_path) == tail


@pytest.mark.parametrize("place", range(0, SLOT_BYTES, 7))
def test_whatever_bit_is_flipped_in_the_newer_slot_the_older_counts(mark, tmp_path, place):
    mark.write(FIRST)
    mark.write(SECOND)
    flip_bit(tmp_path / FILE, place)
    assert found(tmp_path) == FIRST


def test_two_damaged_slots_claim_nothing(mark, tmp_path):
    mark.write(FIRST)
    mark.write(SECOND)
    flip_bit(tmp_path / FILE, 9)
    flip_bit(tmp_path / FILE, BLOCK + 9)
    assert found(tmp_path) is None


@pytest.mark.parametrize("size", [0, 1, SLOT_BYTES - 1, BLOCK])
def test_one_that_was_cut_off_claims_nothing_wrong(mark, tmp_path, size):
    mark.write(FIRST)  # the first write is to the second slot
    os.truncate(tmp_path / FILE, size)
    assert found(tmp_path) is None
    mark.write(SECOND)
    assert found(tmp_path) == SECOND


def test_one_whose_epoch_is_no_text_claims_nothing(mark, tmp_path):
    class Bytes(str):
        __slots__ = ()

        def encode(self, *_):
            return b"\xff\xfe"

    mark.write(MarkedTail(Bytes(), 4, "a" * 32))
    assert found(tmp_path) is None
