"""Debounce of one key: what counts at once, what the lock-out hides, and what a sample or a poll brings after it."""

import pytest

from hardware.keys.debounce import Contact

LOCKOUT = 25


@pytest.fixture
def contact():
    return Contact(LOCKOUT)


def test_leading_edge_counts_at_once_and_its_bounces_do_not(contact):
    assert contact.edge(100, True)
    assert not any(contact.edge(at, down) for at, down in ((103, False), (105, True), (109, False), (112, True)))
    assert contact.down


def test_release_within_the_lockout_counts_when_the_level_is_sampled_after_it(contact):
    contact.edge(100, True)
    assert not contact.edge(110, False)
    assert contact.sample()
    assert (contact.down, contact.locked_until) == (False, 100 + 2 * LOCKOUT)


def test_sample_of_a_level_that_counts_already_changes_nothing(contact):
    contact.edge(100, True)
    assert not contact.sample()
    assert (contact.down, contact.locked_until) == (True, 100 + LOCKOUT)


def test_edge_from_before_a_sample_that_counted_is_too_late(contact):
    contact.edge(100, True)
    contact.edge(110, False)
    contact.sample()
    assert (contact.is_stale(124), contact.is_stale(125)) == (True, False)


def test_poll_counts_where_no_edge_came_and_has_a_lockout_of_its_own(contact):
    assert contact.poll(200, True)
    assert (contact.down, contact.locked_until) == (True, 200 + LOCKOUT)
    assert not contact.poll(300, True), "it is no news"


def test_edge_that_is_delivered_after_a_poll_moves_the_lockout_to_its_own_time(contact):
    contact.poll(200, True)
    contact.expect_edge(190, True)
    contact.edge(190, True)
    assert contact.locked_until == 190 + LOCKOUT


def test_key_that_was_released_and_is_polled_down_again_waits_for_its_next_edge(contact):
    contact.edge(100, True)
    contact.edge(110, False)
    assert not contact.poll(130, True)
    assert not contact.sample(), "it sprang back: the release was a bounce"
    assert contact.down
