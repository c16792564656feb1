"""What pages say of people and money in the moments that a night of plain rounds does not have."""

import csv

from pegboard.tournament.night.exchange.files_out import brackets_csv, pots_csv
from pegboard.tournament.night.views.night_views import player_view, screen_view
from tests.support.night_at_work import NightAtWork, lower_number_wins

FIVE = ("Ann", "Bob", "Cy", "Dee", "Player 5")


def odd_night():
    night = NightAtWork().open(FIVE, games=4)
    night.do("draw")
    return night


def play_round(night, number):
    for key, game in night.night.schedule.items():
        if game.round == number:
            night.play(key, *lower_number_wins(*game.players, 1))


def test_who_sits_out_the_round_that_is_played_hears_so_and_nobody_else_does():
    night = odd_night()
    (out,) = night.night.sit_outs[1]
    assert {player_view(night.night, player)["sits_out"] for player in night.night.players} == {None}
    night.do("start_round", round=1)
    assert {player: player_view(night.night, player)["sits_out"] for player in night.night.players} == {
        player: 1 if player == out else None for player in night.night.players
    }
    play_round(night, 1)
    assert player_view(night.night, out)["sits_out"] is None


# --- who may be in the bracket is not sent home ---


def ahead(night, player):
    said = player_view(night.night, player)["ahead"]
    return said and said["text"]


def qualified_night(**rules):
    """Six of eleven qualify, all games are played; the lower number wins."""
    night = NightAtWork().open([f"Player {number}" for number in range(1, 12)], games=5, cut="6", **rules)
    night.do("draw")
    night.play_all(lower_number_wins)
    night.break_seed_ties()
    return night


def test_a_player_who_has_played_all_games_hears_that_qualifying_is_open():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), games=1, cut="2")
    night.do("draw")
    key = night.open_games()[0]
    one, other = night.night.schedule[key].players
    assert (ahead(night, one), player_view(night.night, one)["next"]["game"]) == (None, key)
    night.play(key, one, 12)
    assert ahead(night, one) == "you are 1st now, and 2 qualify; wait until qualifying closes"
    assert ahead(night, other).endswith("wait until qualifying closes")


def test_before_the_first_game_nobody_has_a_place():
    night = NightAtWork().open(("Ann", "Bob"))
    assert ahead(night, "p1") is None


def test_after_the_last_game_each_player_hears_who_goes_on():
    night = qualified_night()
    order = [row["player"] for row in night.view()["standings"]]
    assert ahead(night, order[2]) == "you are 3rd of 6 qualifiers; wait for the bracket"
    assert ahead(night, order[6]) == "you are 7th now, and 6 qualify; wait until qualifying closes"


def test_players_tied_at_the_cutoff_wait_for_the_tie_to_be_broken():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), games=1, cut="1")
    night.do("draw")
    for key in night.open_games():
        night.play(key, night.night.schedule[key].players[0], 12)
    tied = night.view()["cut"]["ties"][0]["players"]
    said = "you are tied at the cutoff (qualifiers: 1); wait until the director breaks the tie"
    assert [ahead(night, player) for player in tied] == [said, said]


def test_each_seed_hears_of_a_bye_and_of_the_next_opponent():
    night = qualified_night()
    night.do("close_cut")
    seeds, others = night.night.cut.qualifiers, set(night.night.players) - set(night.night.cut.qualifiers)
    assert ahead(night, seeds[0]) == "you are seed 1 of 6; wait for the bracket"
    assert {ahead(night, player) for player in others} == {"no match for you now; a consolation can still be drawn"}
    night.do("draw_bracket", bracket="main", best_of=[1])
    names = night.night.names
    bye = f"you are seed 1: a bye, then the winner of {names[seeds[4]]} and {names[seeds[3]]}"
    assert ahead(night, seeds[0]) == bye
    assert ahead(night, seeds[3]) is None, "a match that can be played now is shown as such"
    play(night, seeds[3], seeds[4])
    assert ahead(night, seeds[0]) is None
    assert ahead(night, seeds[4]) == "no match for you now; a consolation can still be drawn"
    play(night, seeds[0], seeds[3])
    assert ahead(night, seeds[0]) == "you play on; your next opponent is not known yet"
    play(night, seeds[2], seeds[5])
    assert ahead(night, seeds[0]).startswith("next you play the winner of Player")
    play(night, seeds[1], seeds[2])
    play(night, seeds[0], seeds[1])
    assert ahead(night, seeds[0]) == "you won the bracket"


def play(night, winner, loser):
    matches = night.night.brackets["main"].bracket.matches
    match = next(match for match in matches if set(match.players) == {winner, loser})
    night.do("bracket_game", match=match.key, winner=winner)


def test_a_player_who_is_out_hears_of_a_consolation_until_one_is_drawn_without_them():
    night = qualified_night()
    night.do("close_cut")
    night.do("draw_bracket", bracket="main", best_of=[1])
    may = night.view()["consolations"][0]["players"]
    assert {ahead(night, player) for player in may} == {"no match for you now; a consolation can still be drawn"}
    night.do("draw_bracket", bracket="consolation", players=may[:3], best_of=[1])
    assert ahead(night, may[0]).startswith("you are seed 1: a bye")
    assert ahead(night, may[3]) is None


def test_players_who_left_or_whose_event_has_ended_hear_of_nothing_ahead():
    night = qualified_night()
    night.do("leave", player="p1")
    assert ahead(night, "p1") is None
    night.do("end_night")
    assert {ahead(night, player) for player in night.night.players} == {None}


def test_the_screen_shows_each_round_that_is_played():
    night = odd_night()
    assert [one["round"] for one in screen_view(night.night)["rounds"]] == [1]
    night.do("start_round", round=1)
    night.do("start_round", round=2)
    view = screen_view(night.night)
    assert [one["round"] for one in view["rounds"]] == [1, 2]
    assert view["sitting_out"] == list(night.night.sit_outs[2])
    play_round(night, 1)
    assert [one["round"] for one in screen_view(night.night)["rounds"]] == [2]


def test_nobody_waits_for_a_table_at_which_nothing_is_played():
    night = odd_night()
    said = [one["why"]["key"] for one in night.view()["waiting"]]
    assert "night_waits_table" not in said
    night.do("start_round", round=1)
    play_round(night, 1)
    assert "night_waits_table" not in [one["why"]["key"] for one in night.view()["waiting"]]


def paid_night():
    """Ann and Bob played the final, which Ann has won; the prizes are paid by it."""
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), games=3, cut="2", fee=1000, best_of=[1])
    night.do("open_pot", kind="prizes", scale="60-40", name="Prizes")
    night.do("draw")
    night.play_all(lower_number_wins)
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    night.final = night.do("bracket_game", match="main:1:1", winner=night.id_of("Ann"), margin=9)
    night.do("pay_pot", pot="prizes")
    return night


def test_a_pot_that_would_pay_others_after_a_correction_says_whom():
    night = paid_night()
    assert not night.view()["pots"][0]["differs"]
    night.do("undo", number=night.final)
    (pot,) = night.view()["pots"]
    assert (pot["differs"], [said["key"] for said in pot["said"]]) == (True, ["night_pot_differs_open"])
    night.do("bracket_game", match="main:1:1", winner=night.id_of("Bob"), margin=9)
    (pot,) = night.view()["pots"]
    assert [said["text"] for said in pot["said"]] == [
        "by the current results, this pot would pay: Bob 24.00, Ann 16.00"
    ]
    assert {share["player"]: share["cents"] for share in pot["shares"]} == {"p1": 2400, "p2": 1600}


def test_the_files_name_pots_as_people_do_and_have_the_brackets():
    night = paid_night()
    assert {row["pot"] for row in rows_of(pots_csv(night.night))} == {"Prizes"}
    ann, bob = rows_of(brackets_csv(night.night))
    assert list(ann.values()) == ["main", "1", "1", "Ann", "Bob", "1", "0", "yes", "1"]
    assert list(bob.values()) == ["main", "1", "1", "Bob", "Ann", "0", "1", "no", "2"]


def test_the_file_of_the_brackets_has_who_went_on_by_a_bye():
    night = NightAtWork().open(("Ann", "Bob", "Cy"), cut="3")
    night.do("draw")
    night.play_all(lower_number_wins)
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    byes = [row for row in rows_of(brackets_csv(night.night)) if not row["opponent"]]
    assert [list(row.values()) for row in byes] == [["main", "1", "1", "Ann", "", "", "", "yes", ""]]


def rows_of(text):
    return list(csv.DictReader(text.removeprefix("\ufeff").splitlines()))


def test_a_pot_that_was_undone_makes_room_for_another_of_its_kind():
    night = NightAtWork().open(FIVE)
    first = night.do("open_pot", kind="q_pool", fee=500)
    night.do("open_pot", kind="q_pool", fee=500)
    night.do("undo", number=first)
    night.do("open_pot", kind="q_pool", fee=500)
    assert sorted(night.night.pots) == ["q_pool", "q_pool-2"]
