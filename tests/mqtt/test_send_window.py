"""The window of unacknowledged events and its back-off, told the time and the chance."""

import pytest

from pegboard.mqtt.outbox import FIRST_WAIT_S, LONGEST_WAIT_S, SendWindow

MIDDLE = 0.5
"""The chance by which a wait is as long as it says."""


def window(acknowledged=0, chance=MIDDLE):
    return SendWindow(lambda: chance, acknowledged)


def test_thirty_two_events_are_under_way_at_most():
    own = window()
    own.note_sent(range(1, 33), 0.0)
    assert (own.room, own.sent) == (0, 32)
    own.acknowledge(5, 1.0)
    assert own.room == 5


def test_an_acknowledged_event_is_not_sent_again():
    own = window(7)
    assert (own.sent, own.room) == (7, 32)
    own.note_sent([8, 9], 0.0)
    own.acknowledge(8, 0.0)
    own.restart()
    assert own.sent == 8


def test_without_an_acknowledgement_all_is_sent_again_later_and_later():
    own, now, waits = window(), 0.0, []
    for _ in range(8):
        own.note_sent([1, 2, 3], now)
        assert not own.back_off(own.due_s - 0.001)
        waits.append(own.due_s - now)
        now = own.due_s
        assert own.back_off(now)
        assert own.sent == 0
    assert waits == pytest.approx([min(FIRST_WAIT_S * 2**n, LONGEST_WAIT_S) for n in range(8)])


def test_whatever_the_hub_acknowledges_begins_the_waits_anew():
    own = window()
    own.note_sent([1, 2, 3], 0.0)
    own.back_off(own.due_s)
    own.note_sent([1, 2, 3], 10.0)
    own.acknowledge(1, 11.0)
    assert own.due_s == pytest.approx(11.0 + FIRST_WAIT_S)


def test_an_acknowledgement_that_says_nothing_new_makes_no_wait_longer():
    """A hub that is flooded with repeats acknowledges each; that is no reason to wait on."""
    own = window()
    own.note_sent([1, 2, 3], 0.0)
    due = own.due_s
    for now in (0.5, 1.0, 1.5):
        own.acknowledge(0, now)
    assert own.due_s == due


@pytest.mark.parametrize(("chance", "part"), [(0.0, 0.5), (1.0, 1.5)])
def test_tables_wait_for_different_times(chance, part):
    own = window(chance=chance)
    own.note_sent([1], 0.0)
    assert own.due_s == pytest.approx(FIRST_WAIT_S * part)


def test_nothing_is_due_where_nothing_is_under_way():
    own = window()
    assert own.due_s is None
    own.note_sent([1], 0.0)
    own.acknowledge(1, 0.1)
    assert own.due_s is None
    assert not own.back_off(1_000.0)


def test_a_hub_that_was_put_back_gets_the_rest_again():
    """Its database was restored from an older copy: it acknowledges less than before."""
    own = window()
    own.note_sent(range(1, 11), 0.0)
    own.acknowledge(10, 0.1)
    own.acknowledge(4, 0.2)
    assert (own.acknowledged, own.sent, own.room) == (4, 4, 32)


def test_a_hub_that_has_more_than_was_sent_now_is_believed():
    """It was sent before this program began anew."""
    own = window()
    own.note_sent([1, 2], 0.0)
    own.acknowledge(30, 0.1)
    assert (own.sent, own.room) == (30, 32)
