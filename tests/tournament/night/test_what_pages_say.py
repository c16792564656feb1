"""What pages say of people and money in the moments that a night of plain rounds does not have."""

import csv

from pegboard.tournament.night.exchange.night_files import brackets_csv, pots_csv
from pegboard.tournament.night.view_as_json import player_view, screen_view
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
    assert [said["text"] for said in pot["said"]] == ["as results are now, it would pay: Bob 24.00, Ann 16.00"]
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
