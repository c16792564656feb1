"""Whom a refusal names, and by which number."""

import pytest

from pegboard import Rules, Score, new_game
from pegboard.core.house_rules import with_house_rules
from pegboard.core.moves import CallMuggins
from pegboard.core.referee import decide
from pegboard.errors import RuleError


def test_of_several_opponents_one_has_to_be_named():
    three = new_game(with_house_rules(Rules.named("three-handed"), ["muggins=on"]), ("Ann", "Bob", "Cy"))
    with pytest.raises(RuleError) as refusal:
        decide(three, CallMuggins(0, 2, 2))
    assert refusal.value.message.values == {"lanes": 3}


def test_a_seat_that_is_not_of_the_lane_is_named_with_both():
    with pytest.raises(RuleError) as refusal:
        decide(new_game(Rules(), ("Ann", "Bob")), Score(2, seat=0, lane=1))
    assert refusal.value.message.values == {"seat": 0, "lane": 0, "other": 1}
