"""Calls of a judge: two accept and the others are not asked any more; nothing of it is a decision."""

import pytest

from pegboard.errors import Already, RuleError
from pegboard.tournament.calls import EMPTY_CALLS, TableCall
from pegboard.tournament.night.decisions import DECISIONS
from pegboard.tournament.night.views.night_views import director_view
from tests.support.night_at_work import NightAtWork

CALL = TableCall("c81f", "t4", "judge", since=1_795_720_000_000)


def test_two_judges_accept_and_a_third_is_not_needed():
    calls = EMPTY_CALLS.with_call(CALL).with_acceptance("c81f", "Cy")
    assert not calls.by_id["c81f"].is_answered
    calls = calls.with_acceptance("c81f", "Dee")
    assert calls.by_id["c81f"].is_answered
    with pytest.raises(Already) as refused:
        calls.with_acceptance("c81f", "Ann")
    assert refused.value.message.key == "night_call_answered"


def test_one_director_is_enough():
    calls = EMPTY_CALLS.with_call(TableCall("d1", "t4", "director")).with_acceptance("d1", "Dee")
    assert calls.by_id["d1"].is_answered


def test_a_judge_accepts_once():
    calls = EMPTY_CALLS.with_call(CALL).with_acceptance("c81f", "Cy")
    with pytest.raises(Already):
        calls.with_acceptance("c81f", "Cy")


def test_the_same_call_sent_again_is_the_same():
    calls = EMPTY_CALLS.with_call(CALL).with_acceptance("c81f", "Cy")
    assert calls.with_call(CALL) is calls


def test_a_call_that_its_table_makes_no_more_is_gone():
    calls = EMPTY_CALLS.with_call(CALL).with_call(TableCall("x", "t5", "judge"))
    assert list(calls.without_calls({"c81f", "gone"}).by_id) == ["x"]
    assert list(calls.without_call("x").by_id) == ["c81f"]
    with pytest.raises(RuleError):
        EMPTY_CALLS.without_call("x")


def test_nobody_else_can_be_called():
    with pytest.raises(RuleError) as refused:
        EMPTY_CALLS.with_call(TableCall("x", "t5", "waiter"))
    assert refused.value.message.key == "night_call_wanted"


def test_nothing_of_a_call_is_recorded():
    assert not any("call" in row.do for row in DECISIONS)
    night = NightAtWork().open(("Ann", "Bob"))
    calls = EMPTY_CALLS.with_call(CALL).with_acceptance("c81f", "Cy")
    view = director_view(night.night, calls)
    assert view["calls"] == [
        {
            "call": "c81f",
            "table": "t4",
            "label": "t4",
            "name": "",
            "for": "judge",
            "since": 1_795_720_000_000,
            "accepted": ["Cy"],
            "needed": 2,
            "answered": False,
            "ended": False,
        }
    ]
    assert view | {"calls": []} == night.view()
