"""Nights of pairs: two who play as one, under both their names, and take turns in dealing first."""

import pytest

from pegboard.tournament.night.exchange.files_in import read_results, read_roster
from pegboard.tournament.night.exchange.files_out import roster_csv
from pegboard.tournament.night.facts import FORMATS, PAIRS, SIDES
from pegboard.tournament.night.views.event_orders import event_orders
from pegboard.tournament.night.views.night_views import player_view
from tests.support.night_at_work import NightAtWork, lower_number_wins, player_of

COUPLES = (("Ann", "Bob"), ("Cy", "Dee"), ("Player 5", "Player 6"), ("Player 7", "Player 8"))


def a_night_of_pairs(**rules):
    night = NightAtWork()
    night.do("open_night", name="Club night", date="2026-11-26", rules={"games": 3, "format": PAIRS, **rules})
    for one, other in COUPLES:
        night.do("enter", name=one, partner=other, walk_up=True)
    return night


def test_a_pair_is_called_by_both_names_everywhere():
    night = a_night_of_pairs()
    for table in ("t1", "t2"):
        night.do("add_table", table=table)
    night.do("draw")
    assert night.view()["names"]["p1"] == "Ann & Bob"
    assert night.view()["players"][0]["partner"] == "Bob"
    game = next(game for game in night.night.schedule.values() if "p1" in game.players)
    assert "Ann & Bob" in event_orders(night.night, "night")[game.table].games[0].players
    assert "Ann & Bob" in night.view()["audit"][-2]["said"]["text"]


def test_the_night_says_that_it_is_one_of_pairs():
    night = a_night_of_pairs()
    assert night.view()["night"]["rules"]["format"] == PAIRS
    assert FORMATS == ("singles", "pairs", "teams")
    assert NightAtWork().open(("Ann", "Bob")).view()["night"]["rules"]["format"] == "singles"
    assert "one of singles, pairs, teams" in str(night.refusal("set_rules", rules={"format": "fours"}))


def test_standings_of_pairs_are_those_of_their_games():
    night = a_night_of_pairs()
    night.do("draw")
    night.play_all(lower_number_wins)
    assert [row["player"] for row in night.view()["standings"]] == ["p1", "p2", "p3", "p4"]
    assert sum(row["net"] for row in night.view()["standings"]) == 0


@pytest.mark.parametrize("rules", [{}, {"movement": SIDES, "games": 2}], ids=["ring", "sides"])
def test_partners_take_turns_in_dealing_first(rules):
    """Where the pair deals first, now the one of them does, next time the other."""
    night = a_night_of_pairs(**rules)
    night.do("draw")
    turns = {player: [] for player in night.night.players}
    for each in night.view()["rounds"]:
        for game in each["games"]:
            turns[game["deals_first"]].append(game["dealer"])
            assert player_view(night.night, game["deals_first"])["card"]
    for (player, dealt), names in zip(turns.items(), COUPLES, strict=True):
        assert dealt == [names[turn % 2] for turn in range(len(dealt))], player


def test_the_phone_of_a_pair_says_which_of_them_deals_first():
    night = a_night_of_pairs()
    night.do("draw")
    for player in night.night.players:
        following = player_view(night.night, player)["next"]
        dealing = player if following["deals_first"] else following["against"]
        assert following["dealer"] == night.night.players[dealing].name


def test_a_single_player_deals_under_the_own_name():
    night = NightAtWork().open(("Ann", "Bob"))
    night.do("draw")
    game = night.view()["rounds"][0]["games"][0]
    assert game["dealer"] == night.view()["names"][game["deals_first"]]


def test_nobody_is_in_two_pairs():
    night = a_night_of_pairs()
    assert str(night.refusal("enter", name="bob")).startswith("Ann & Bob is already on the roster")
    assert str(night.refusal("enter", name="Player 9", partner=" ANN ")).startswith(
        "Ann & Bob is already on the roster"
    )
    assert str(night.refusal("enter", name="Player 9", partner="player 9")).startswith(
        "Player 9 is already on the roster"
    )


def test_a_partner_comes_later_and_can_be_another():
    night = NightAtWork()
    night.do("open_night", name="Club night", date="2026-11-26", rules={"format": PAIRS})
    night.do("enter", player_of("door"), name="Ann")
    assert night.night.name("p1") == "Ann"
    night.do("correct_entry", player="p1", partner="Bob")
    assert night.night.name("p1") == "Ann & Bob"
    night.do("correct_entry", player="p1", number="MI101")
    assert night.night.name("p1") == "Ann & Bob", "what is not said stays"
    night.do("correct_entry", player="p1", partner="")
    assert night.night.name("p1") == "Ann"
    assert night.replayed().players == night.night.players


def test_both_names_are_no_longer_than_a_table_can_show():
    night = a_night_of_pairs()
    error = night.refusal("enter", name="A" * 40, partner="B" * 40)
    assert str(error) == "the two names of a pair can have at most 61 characters in all; these have 80"


def test_pairs_go_out_and_come_in_with_roster_and_results():
    night, again = a_night_of_pairs(), NightAtWork()
    night.do("draw")
    again.do("open_night", name="Club night", date="2026-11-26", rules={"format": PAIRS})
    for request in read_roster(roster_csv(night.night), again.night).requests:
        again.do(**request)
    assert again.night.names == night.night.names
    one, other = next(iter(night.night.schedule.values())).players
    line = f"round,player,opponent,player_net\n1,{night.night.name(one)},{night.night.name(other)},12\n"
    assert read_results(line, night.night).faults == ()
