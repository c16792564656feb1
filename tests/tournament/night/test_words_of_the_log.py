"""The log in words: what a director reads there later, and shows to who doubts it."""

from dataclasses import fields

from pegboard.tournament.night.facts import NightRules
from pegboard.tournament.night.views.trail_view import RULES
from tests.support.night_at_work import NightAtWork, lower_number_wins


def newest(night):
    return night.view()["audit"][0]["said"]["text"]


def test_the_log_says_which_rules_were_changed_and_from_what_to_what():
    night = NightAtWork().open(("Ann", "Bob"), fee=500)
    night.do("set_rules", rules={"games": 7, "fee": 1250, "points": "lurch"})
    assert newest(night) == "the rules are changed: games each 3 → 7, game points, entry fee 5.00 → 12.50"
    number = night.do("set_rules", rules={"games": 9})
    assert newest(night) == "the rules are changed: games each 7 → 9"
    night.do("undo", number=number)
    night.do("set_rules", rules={"games": 8, "cut": "half"})
    assert newest(night) == "the rules are changed: games each 7 → 8, who goes on 1/4 → 1/2"


def test_every_rule_that_a_director_can_change_has_a_word():
    assert RULES.keys() == {each.name for each in fields(NightRules)} - {"version"}


def test_the_bracket_has_no_name_that_nobody_uses_and_a_consolation_has_its_own():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), cut="2")
    night.do("draw")
    assert newest(night) == "drawn; games: 6, rounds: 3"
    night.play_all(lower_number_wins, ("paper",))
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    assert newest(night) == "the bracket is drawn"
    night.do("draw_bracket", bracket="consolation", players=["p3", "p4"])
    assert newest(night) == "the bracket consolation is drawn"
