"""What is refused today, row by row: one sentence with the true cause, and the night is as it was."""

from functools import partial

import pytest

from pegboard.messages import TRANSLATED
from pegboard.tournament.night.deciding import check, find_refusal
from pegboard.tournament.night.decisions import word_of
from pegboard.tournament.night.views.play_off_view import list_pots
from tests.support.night_at_work import NightAtWork, lower_number_wins, table_of


def four():
    work = NightAtWork()
    work.do("open_night", name="Club night", date="2026-11-26", rules={"games": 3, "cut": "2"})
    work.do("enter", name="Ann", number="MI101")
    for name in ("Bob", "Cy", "Dee", "Player 5"):
        work.do("enter", name=name)
    work.do("check_in", players=["p1", "p2", "p3", "p4"])
    work.do("add_table", table="t1")
    work.do("open_pot", kind="q_pool", fee=25)
    return work


def drawn():
    work = four()
    work.do("draw")
    work.do("start_round", round=1)
    return work


def closed():
    work = drawn()
    work.play_all(lower_number_wins)
    work.break_seed_ties()
    work.do("close_cut")
    return work


GAME = {"game": "r1:p1-p2"}
"""Drawn for four players by the ring."""

ROWS = [
    (four, "open_night", {"name": "Other", "date": "2026-11-27"}, "night_open_already"),
    (NightAtWork, "open_night", {"name": "Club night", "date": "2026-13-01"}, "night_day"),
    (NightAtWork, "open_night", {"name": "Club night", "date": "26/11/2026"}, "night_day"),
    (NightAtWork, "enter", {"name": "Ann"}, "night_not_open"),
    (four, "set_rules", {"rules": {}}, "night_rules_same"),
    (four, "set_rules", {"rules": 5}, "night_field"),
    (four, "set_rules", {"rules": None}, "night_field"),
    (four, "set_rules", {"rules": {"cut": "nobody"}}, "playoffs_cut_rule_unknown"),
    (closed, "set_rules", {"rules": {"games": 4}}, "night_cut_closed"),
    (four, "enter", {"name": "   "}, "night_name_blank"),
    (four, "enter", {"name": "\uff21\uff2e\uff2e"}, "night_name_twice"),
    (four, "enter", {"name": "A\u200bnn"}, "night_text_unseen"),
    (four, "correct_entry", {"player": "p2", "number": "MI\u2060102"}, "night_text_unseen"),
    (four, "enter", {"name": "Eve", "number": "MI101"}, "night_number_twice"),
    (four, "correct_entry", {"player": "p2", "name": "Ann"}, "night_name_twice"),
    (four, "correct_entry", {"player": "p2"}, "night_entry_same"),
    (four, "correct_entry", {"player": "p9", "name": "Ann"}, "night_no_player"),
    (four, "check_in", {}, "night_nobody_named"),
    (four, "check_in", {"players": ["p1", "p2"]}, "night_all_here"),
    (four, "come_back", {"player": "p1"}, "night_not_gone"),
    (four, "open_registration", {}, "night_registration_open_already"),
    (four, "fee_paid", {"player": "p1", "cents": 0}, "night_fee_nothing"),
    (four, "fee_paid", {"player": "p1", "cents": -1}, "night_fee_back"),
    (four, "fee_paid", {"player": "p1", "cents": 100_000_001}, "night_field"),
    (four, "open_pot", {"kind": "q_pool", "fee": -1}, "night_field"),
    (four, "open_pot", {"kind": "q_pool", "carried": 100_000_001}, "night_field"),
    (four, "add_table", {"table": "t1"}, "night_table_there"),
    (four, "add_table", {"table": "T 2"}, "night_table_id"),
    (four, "add_table", {"table": "t2", "label": "1"}, "night_label_twice"),
    (four, "remove_table", {"table": "t7"}, "night_no_table"),
    (drawn, "remove_table", {"table": "t1"}, "night_table_in_use"),
    (drawn, "start_round", {"round": 9}, "night_no_round"),
    (drawn, "start_round", {"round": 1}, "night_round_begun"),
    (drawn, "move_game", {**GAME, "table": "t7"}, "night_no_table"),
    (drawn, "paper_result", {"game": "r1:p1-p9", "winner": "p1", "margin": 3}, "night_no_game"),
    (drawn, "confirm", {**GAME, "player": "p1"}, "night_nothing_to_confirm"),
    (drawn, "rule", {**GAME, "letter": "a"}, "results_cards_missing"),
    (drawn, "rule", {**GAME, "letter": "judge"}, "night_judge_values"),
    (drawn, "award", {**GAME, "against": "p3", "kind": "late"}, "night_not_in_game"),
    (drawn, "close_cut", {}, "night_games_open"),
    (four, "close_cut", {}, "night_no_games"),
    (closed, "close_cut", {}, "night_cut_closed_already"),
    (drawn, "open_cut", {}, "night_cut_open_already"),
    (closed, "paper_result", {**GAME, "winner": "p1", "margin": 3}, "night_cut_closed"),
    (closed, "draw", {}, "night_cut_closed"),
    (drawn, "break_tie", {"players": ["p1", "p2"]}, "night_games_open"),
    (closed, "break_tie", {"players": ["p1", "p2"]}, "night_cut_closed"),
    (drawn, "draw_bracket", {"bracket": "main"}, "night_cut_first"),
    (closed, "draw_bracket", {"bracket": "consolation"}, "night_no_bracket"),
    (closed, "bracket_game", {"match": "main:1:1", "winner": "p1"}, "night_no_bracket"),
    (four, "enter_pot", {"pot": "other", "player": "p1"}, "night_no_pot"),
    (four, "enter_pot", {"pot": "q_pool", "player": "p1", "half": True}, "pots_no_half"),
    (four, "leave_pot", {"pot": "q_pool", "player": "p1"}, "night_pot_not_in"),
    (four, "pot_hit", {"pot": "q_pool", "player": "p1"}, "night_pot_kind"),
    (four, "pay_pot", {"pot": "q_pool"}, "night_cut_first"),
    (four, "announce", {"text": "  "}, "night_words_blank"),
    (four, "undo", {"number": 99}, "night_no_decision"),
    (four, "open_again", {}, "night_not_ended"),
    (four, "dance", {}, "night_no_such_decision"),
]


@pytest.mark.parametrize(("stage", "do", "values", "key"), ROWS, ids=[f"{row[1]}-{row[3]}" for row in ROWS])
def test_a_decision_is_refused_with_its_true_cause(stage, do, values, key):
    assert stage().refusal(do, **values).message.key == key


@pytest.mark.parametrize("name", ["\u0645\u06cc\u200c\u0631\u0648\u062f", "\U0001f469\u200d\U0001f467"])
def test_a_name_with_the_joiners_of_its_script_is_entered_as_at_a_table(name):
    work = four()
    work.do("enter", name=name)
    assert work.night.players["p6"].name == name


def test_what_a_night_says_is_translated():
    assert {key for *_, key in ROWS} <= TRANSLATED.keys()


def test_hits_are_noted_only_of_who_is_in_the_pot_and_stay_listed_where_a_player_leaves_it():
    work = four()
    work.do("open_pot", kind="hand_24", fee=500)
    assert work.refusal("pot_hit", pot="hand_24", player="p1").message.key == "night_pot_not_in"
    work.do("enter_pot", pot="hand_24", player="p1")
    work.do("pot_hit", pot="hand_24", player="p1")
    work.do("leave_pot", pot="hand_24", player="p1")
    pot = next(one for one in list_pots(work.night) if one["pot"] == "hand_24")
    assert [hit["player"] for hit in pot["hits"]] == ["p1"]
    assert pot["shares"] == []


def test_fewer_than_two_cannot_be_drawn():
    work = NightAtWork()
    work.do("open_night", name="Club night", date="2026-11-26")
    work.do("enter", name="Ann", walk_up=True)
    assert str(work.refusal("draw")) == "checked in: 1; a game needs two players"


def test_a_table_sends_only_of_itself():
    work = drawn()
    game = work.night.schedule[work.open_games()[0]]
    values = {"game": game.key, "table": "t7", "winner": game.players[0], "margin": 5}
    assert work.refusal("table_result", table_of("t1"), **values).code == "role"
    assert work.refusal("table_result", **values).code == "role"  # nor does a director enter what a sheet says


def test_a_moved_game_is_accepted_from_its_new_table():
    work = drawn()
    game = work.night.schedule[work.open_games()[0]]
    other = next(table for table in work.night.tables if table != game.table)
    work.do("move_game", game=game.key, table=other)
    values = {"winner": game.players[0], "margin": 5, "confirmed": list(game.players)}
    work.do("table_result", table_of(other), game=game.key, table=other, **values)
    assert work.standing(game.players[0])["won"] == 1


def test_the_same_result_sent_twice_counts_once():
    work = drawn()
    game = work.night.schedule[work.open_games()[0]]
    work.play(game.key, game.players[0], 5, "table")
    values = {"winner": game.players[0], "margin": 5, "confirmed": list(game.players)}
    error = work.refusal("table_result", table_of(game.table), game=game.key, table=game.table, **values)
    assert (error.code, error.message.key) == ("already", "night_result_there")


def test_nothing_changes_after_the_end_but_money_words_and_its_undoing():
    work = closed()
    work.do("end_night")
    assert work.refusal("enter", name="Eve").message.key == "night_ended"
    work.do("fee_paid", player="p1", cents=500)
    work.do("announce", text="Thank you")
    work.do("undo", number=next(row.number for row in work.night.rows if word_of(row.decision) == "end_night"))
    assert work.view()["night"]["phase"] == "cut"


def test_a_refusal_is_an_error_that_was_not_raised():
    work = four()
    assert find_refusal(partial(check, work.night, work.night.rows[-1].decision)).message.key == "night_pot_there"


@pytest.mark.parametrize("currency", ["KR.", "12$", "usd", "ÉUR", "U D"])
def test_a_currency_that_no_page_can_show_is_refused(currency):
    night = NightAtWork().open(("Ann", "Bob"))
    error = night.refusal("set_rules", rules={"currency": currency})
    assert (error.message.key, error.message.values["field"]) == ("night_field", "currency")
    night.do("set_rules", rules={"currency": "CAD"})
    assert night.view()["money"]["currency"] == "CAD"


SHEET = {"table": "t1", "epoch": "9f2c", "game": "g1", "first": 1, "last": 50, "digest": "5d1f"}


def sheet(last=50, **other):
    return SHEET | {"last": last} | other


def test_a_score_sheet_that_went_on_withdraws_what_it_said_until_then_once():
    work = drawn()
    game = next(one for one in work.night.schedule.values() if one.table == "t1")
    of_table = {"by": table_of("t1"), "game": game.key, "table": "t1"}
    result = of_table | {"winner": game.players[0], "margin": 5, "confirmed": list(game.players)}
    work.do("table_result", **result, sheet=sheet(50))
    older = work.refusal("table_withdrawal", **of_table, sheet=sheet(49))
    assert (older.code, older.message.key) == ("already", "night_result_older")
    work.do("table_withdrawal", **of_table, sheet=sheet(51))
    assert work.night.games[game.key].report is None
    for last in (50, 51):
        again = work.refusal("table_withdrawal", **of_table, sheet=sheet(last))
        assert (again.code, again.message.key) == ("already", "night_result_reopened")
        assert work.refusal("table_result", **result, sheet=sheet(last)).message.key == "night_result_reopened"
    work.do("table_withdrawal", **of_table, sheet=sheet(46, epoch="9f2c--07aa"))  # its last events are lost
    assert [one.epoch for one in work.night.games[game.key].withdrawn] == ["9f2c--07aa"]
    assert work.refusal("table_result", **result, sheet=sheet(60)).message.key == "night_result_reopened"
    work.do("table_result", **result, sheet=sheet(47, epoch="9f2c--07aa"))
    assert work.standing(game.players[0])["won"] == 1


def test_another_score_sheet_withdraws_nothing_of_a_result():
    work = drawn()
    game = next(one for one in work.night.schedule.values() if one.table == "t1")
    of_table = {"by": table_of("t1"), "game": game.key, "table": "t1"}
    work.do("table_result", **of_table, winner=game.players[0], margin=5, confirmed=list(game.players), sheet=sheet())
    work.do("table_withdrawal", **of_table, sheet=sheet(80, game="g2"))
    assert work.standing(game.players[0])["won"] == 1
    error = work.refusal("table_result", **of_table, winner=game.players[1], margin=7, sheet=sheet(90, game="g2"))
    assert (error.code, error.message.key) == ("rule", "night_other_result")
