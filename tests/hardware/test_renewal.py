"""When a panel is told everything again, with the clock passed in: two seconds after news, ten after the last time."""

import pytest

from hardware.panel.renewal import Renewal
from tests.hardware.table import table


def news():
    """A view that is not the one before, however alike."""
    return table((20, 12), (30, 24))


@pytest.fixture
def renewal():
    """One whose panel has been set up at second 100."""
    renewal = Renewal()
    renewal.tell(news(), 100.0)
    return renewal


def due(renewal, *seconds):
    return [renewal.is_due(now_s) for now_s in seconds]


def test_panel_that_has_just_been_set_up_is_not_told_again(renewal):
    assert due(renewal, 100.0, 1e6) == [False, False]
    assert renewal.due_s(100.0) is None


def test_everything_is_told_two_seconds_after_news_and_once(renewal):
    renewal.tell(news(), 200.0)
    assert due(renewal, 200.0, 201.9, 202.0, 900.0) == [False, False, True, True]
    assert (renewal.due_s(200.5), renewal.due_s(203.0)) == (1.5, 0.0)
    renewal.done(202.0)
    assert due(renewal, 202.0, 1e6) == [False, False]
    assert renewal.due_s(202.0) is None


def test_same_view_shown_again_is_no_news(renewal):
    view = news()
    renewal.tell(view, 200.0)
    renewal.tell(view, 201.5)
    assert due(renewal, 202.0) == [True]
    renewal.done(202.0)
    renewal.tell(view, 300.0)
    assert due(renewal, 1e6) == [False]


def test_amount_that_pegs_by_itself_is_waited_for(renewal):
    renewal.tell(news(), 200.0)
    renewal.tell(news(), 201.2)
    assert due(renewal, 203.1, 203.2) == [False, True]


def test_everything_is_told_no_sooner_than_ten_seconds_after_the_last_time(renewal):
    renewal.tell(news(), 101.0)
    assert due(renewal, 109.9, 110.0) == [False, True], "to be set up is to be told everything"
    renewal.done(115.0)
    renewal.tell(news(), 116.0)
    assert due(renewal, 124.9, 125.0) == [False, True]
    assert renewal.due_s(116.0) == 9.0
