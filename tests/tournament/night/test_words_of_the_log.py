"""The log in words: what a director reads there later, and shows to who doubts it."""

from dataclasses import fields

from pegboard.tournament.night.evening import RULE_KEYS
from pegboard.tournament.night.facts import NightRules
from tests.support.night_at_work import NightAtWork, lower_number_wins, table_of


def newest(night):
    return night.view()["audit"][0]["said"]["text"]


def test_the_log_says_which_rules_were_changed_and_from_what_to_what():
    night = NightAtWork().open(("Ann", "Bob"), fee=500)
    night.do("set_rules", rules={"games": 7, "fee": 1250, "points": "lurch"})
    assert newest(night) == "rules changed: games per player 3 → 7, game points, fee 5.00 → 12.50"
    number = night.do("set_rules", rules={"games": 9})
    assert newest(night) == "rules changed: games per player 7 → 9"
    night.do("undo", number=number)
    night.do("set_rules", rules={"games": 8, "cut": "half"})
    assert newest(night) == "rules changed: games per player 7 → 8, qualifiers 1/4 → 1/2"


def test_every_rule_that_a_director_can_change_has_a_word():
    assert RULE_KEYS.keys() == {each.name for each in fields(NightRules)} - {"version"}


def test_the_bracket_has_no_name_that_nobody_uses_and_a_consolation_has_its_own():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), cut="2")
    night.do("draw")
    assert newest(night) == "draw made; games: 6, rounds: 3"
    night.play_all(lower_number_wins, ("paper",))
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    assert newest(night) == "bracket drawn"
    night.do("draw_bracket", bracket="consolation", players=["p3", "p4"])
    assert newest(night) == "bracket consolation drawn"


def test_a_ruling_says_whose_each_value_is_however_the_game_was_drawn():
    night = NightAtWork(shuffle=lambda players: tuple(players)[::-1]).open(("Ann", "Bob", "Cy", "Dee"))
    night.do("draw")
    night.do("start_round", round=1)
    game = next(one for one in night.night.schedule.values() if one.players[0] > one.players[1])
    one, other = (night.night.name(player) for player in game.players)
    night.do("rule", game=game.key, letter="judge", values=[{"points": 0, "net": -40}, {"points": 3, "net": 40}])
    assert newest(night) == f"round {game.round}, {one} against {other}, ruling judge: {one} -40, {other} +40"


def test_each_confirmation_of_a_tables_result_is_a_line_of_its_own():
    night = NightAtWork().open(("Ann", "Bob"))
    night.do("draw")
    game = next(iter(night.night.schedule.values()))
    result = {"game": game.key, "table": game.table, "winner": "p1", "margin": 12}
    said = []
    for confirmed in ([], ["p1"], ["p1", "p2"]):
        night.do("table_result", table_of(game.table), **result, confirmed=confirmed)
        said.append(newest(night))
    assert said[1:] == [f"{said[0]}, confirmed by Ann", f"{said[0]}, confirmed by Ann and Bob"]


def test_a_table_that_was_removed_is_called_as_it_was():
    night = NightAtWork().open(("Ann", "Bob"))
    night.do("add_table", table="t-bar", label="the bar", kind="paper")
    night.do("remove_table", table="t-bar")
    assert "the bar" in newest(night)
