"""The pains of a real director's checklist, each a row: what it was elsewhere, and what happens here."""

import pytest

from pegboard.tournament.night.exchange.files_in import read_roster
from pegboard.tournament.night.views.night_views import player_view
from tests.support.night_at_work import NightAtWork, lower_number_wins, player_of, table_of


def four():
    return NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), cut="1", fee=1000)


def a_failed_check_in_shows_why():
    error = four().refusal("check_in", player_of("p1"), player="p1")
    assert str(error) == "Ann is already checked in"


def a_check_in_of_nobody_says_so():
    assert str(four().refusal("check_in", player="p9")) == "there is no player p9 on the roster"


def a_check_in_of_who_has_left_says_what_to_do_instead():
    night = four()
    night.do("leave", player="p2")
    assert str(night.refusal("check_in", player="p2")) == "Bob has left; mark them as back instead"


def late_drops_nobody():
    night = four()
    night.do("draw")
    night.do("start_round", round=1)
    night.do("enter", name="Player 5", walk_up=True)
    assert [player["player"] for player in night.view()["players"]] == ["p1", "p2", "p3", "p4", "p5"]
    night.do("draw")
    assert any("p5" in game.players for game in night.night.schedule.values())
    assert night.view()["people"]["late"] == 1


def registration_opens_again():
    night = four()
    night.do("close_registration")
    error = night.refusal("enter", name="Player 5")
    assert str(error) == "registration is closed; a director can reopen it to add Player 5"
    night.do("open_registration")
    night.do("enter", name="Player 5")


def free_players_need_no_amount():
    night = four()
    night.do("enter", name="Player 5", free=True, walk_up=True)
    assert night.view()["players"][-1]["fee"] == {"due": 0, "paid": 0}
    assert {row["player"] for row in night.view()["money"]["open"]} == {"p1", "p2", "p3", "p4"}


def a_player_without_a_number_checks_in():
    night = NightAtWork()
    night.do("open_night", name="Club night", date="2026-11-26")
    night.do("enter", name="Ann", number="MI101")
    night.do("enter", name="Bob")
    night.do("enter", name="Cy")  # a second one without a number is no double
    for player in ("p1", "p2", "p3"):
        night.do("check_in", player_of(player), player=player)
    assert night.view()["people"]["checked_in"] == 3


def a_walk_up_is_here_at_once():
    night = four()
    night.do("enter", name="Player 5", walk_up=True)
    assert night.view()["players"][-1]["state"] == "here"


def the_error_names_the_true_cause():
    night = four()
    night.do("draw")
    key = night.open_games()[0]
    game = night.night.schedule[key]
    other = next(table for table in night.night.tables if table != game.table)
    error = night.refusal("table_result", table_of(other), game=key, table=other, winner=game.players[0], margin=12)
    assert error.message.key == "night_wrong_table"
    assert error.message.values["label"] == night.night.label(game.table)
    stranger = next(player for player in night.night.players if player not in game.players)
    assert night.refusal("paper_result", game=key, winner=stranger, margin=12).message.key == "night_not_in_game"
    assert night.refusal("paper_result", game=key, winner=game.players[0], margin=122).message.key == "night_field"
    assert night.refusal("paper_result", game="r9:p1-p2", winner="p1", margin=12).message.key == "night_no_game"


def no_schedule_is_written_by_hand():
    night = four()
    night.do("draw")
    assert {frozenset(game.players) for game in night.night.schedule.values()} == {
        frozenset(pair) for pair in (("p1", "p2"), ("p1", "p3"), ("p1", "p4"), ("p2", "p3"), ("p2", "p4"), ("p3", "p4"))
    }
    assert len(night.view()["tables"]) == 2  # those that were missing came with it


def nothing_is_typed_twice():
    """One result of a table gives both cards, both values and the standings."""
    night = four()
    night.do("draw")
    key = night.open_games()[0]
    night.play(key, night.night.schedule[key].players[0], 31, "table")
    winner, loser = night.night.schedule[key].players
    assert night.standing(winner)["points"] == 3
    assert night.standing(loser)["net"] == -31
    assert player_view(night.night, loser)["card"][0]["claim"] == {"won": False, "margin": 31}


def a_roster_comes_as_a_file():
    night = NightAtWork()
    night.do("open_night", name="Club night", date="2026-11-26")
    for request in read_roster("name,number\nAnn,MI101\nBob,\n", night.night).requests:
        night.do(**request)
    assert list(night.night.names.values()) == ["Ann", "Bob"]


def a_forfeit_never_blocks_the_end():
    night = four()
    night.do("draw")
    keys = night.open_games()
    night.do("forfeit", game=keys[0], player=night.night.schedule[keys[0]].players[0])
    assert night.view()["actions"]["end_night"]["possible"]
    night.do("end_night")


def who_has_left_never_blocks_the_cut():
    night = four()
    night.do("draw")
    night.do("leave", player="p4")
    night.play_all(lower_number_wins)
    assert night.view()["actions"]["close_cut"]["possible"]


def a_grey_button_says_why():
    view = four().view()
    grey = [(do, button["why"]) for do, button in view["actions"].items() if not button["possible"]]
    assert grey
    assert all(why["text"] and why["key"] for _, why in grey)


def every_bye_is_chosen_by_the_seeds():
    night = NightAtWork().open([f"Player {n}" for n in range(1, 7)], games=5, cut="3")
    night.do("draw")
    night.play_all(lower_number_wins)
    night.break_seed_ties()
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    assert night.view()["brackets"][0]["byes"] == [night.night.cut.qualifiers[0]]


def a_name_twice_in_the_roster_is_told():
    night = four()
    assert night.refusal("enter", name=" ANN ").message.key == "night_name_twice"


def a_round_can_be_started_after_somebody_has_left():
    night = four()
    night.do("draw")
    night.do("leave", player="p2")
    rounds = night.view()["rounds"]
    assert {one["state"] for one in rounds} == {"drawn"}
    assert rounds[0]["actions"]["start_round"]["possible"]
    night.do("start_round", round=1)
    assert night.view()["rounds"][0]["state"] == "running"


PAINS = (
    a_failed_check_in_shows_why,
    a_check_in_of_nobody_says_so,
    a_check_in_of_who_has_left_says_what_to_do_instead,
    late_drops_nobody,
    registration_opens_again,
    free_players_need_no_amount,
    a_player_without_a_number_checks_in,
    a_walk_up_is_here_at_once,
    the_error_names_the_true_cause,
    no_schedule_is_written_by_hand,
    nothing_is_typed_twice,
    a_roster_comes_as_a_file,
    a_forfeit_never_blocks_the_end,
    who_has_left_never_blocks_the_cut,
    a_round_can_be_started_after_somebody_has_left,
    a_grey_button_says_why,
    every_bye_is_chosen_by_the_seeds,
    a_name_twice_in_the_roster_is_told,
)


@pytest.mark.parametrize("pain", PAINS, ids=lambda pain: pain.__name__)
def test_pain_is_spared(pain):
    pain()
