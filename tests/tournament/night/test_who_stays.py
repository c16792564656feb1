"""Players who have to stay at one table, and fields that do not come out even, as a director sets them on the desk."""

import pytest

from pegboard.tournament.night.exchange.files_in import read_roster
from pegboard.tournament.night.exchange.files_out import roster_csv
from pegboard.tournament.night.facts import SIDES
from tests.support.night_at_work import NightAtWork, lower_number_wins

ELEVEN = ("Ann", "Bob", "Cy", "Dee", *(f"Player {number}" for number in range(5, 12)))


def a_night(players=11, stays=(), **rules):
    night = NightAtWork(lambda players: tuple(reversed(players))).open(ELEVEN[:players], **rules)
    for player in stays:
        night.do("correct_entry", player=player, stays=True)
    night.do("draw")
    return night


def tables_of(night, player):
    """The tables of a player in the rounds where he does not meet another who has to stay."""
    staying = {one.player for one in night.night.players.values() if one.stays}
    games = [game for game in night.night.schedule.values() if player in game.players]
    return {game.table for game in games if len(staying.intersection(game.players)) == 1}


@pytest.mark.parametrize("players", [8, 11])
def test_who_has_to_stay_has_one_table_all_night(players):
    night = a_night(players, stays=("p3",), games=5)
    assert len(tables_of(night, "p3")) == 1
    moving = [
        {game.table for game in night.night.schedule.values() if one in game.players} for one in ("p1", "p2", "p4")
    ]
    assert min(map(len, moving)) > 1, "it would prove nothing"


def test_it_is_the_same_table_after_another_draw():
    night = a_night(10, stays=("p3", "p8"), games=6)
    before = {player: tables_of(night, player) for player in ("p3", "p8")}
    night.do("start_round", round=1)
    for key in [key for key in night.open_games() if key.startswith("r1:")]:
        night.play(key, night.night.schedule[key].players[0], 12)
    night.do("enter", name="Player 12", walk_up=True)
    night.do("leave", player="p1")
    night.do("draw")
    assert {player: tables_of(night, player) for player in ("p3", "p8")} == before
    assert all(len(tables) == 1 for tables in before.values())
    assert before["p3"] != before["p8"]
    night.play_all(lower_number_wins)
    assert night.view()["night"]["phase"] == "played"


@pytest.mark.parametrize("player", [f"p{number}" for number in range(1, 11)])
def test_who_can_move_no_more_stays_where_he_sits(player):
    night = a_night(10, games=6)
    night.do("start_round", round=1)
    (sits,) = {game.table for game in night.night.schedule.values() if player in game.players and game.round == 1}
    for key in [key for key in night.open_games() if key.startswith("r1:")]:
        night.play(key, night.night.schedule[key].players[0], 12)
    night.do("correct_entry", player=player, stays=True)
    night.do("draw")
    tables = {game.round: game.table for game in night.night.schedule.values() if player in game.players}
    assert tables == dict.fromkeys(range(1, 7), sits)


@pytest.mark.parametrize("teams", [False, True])
def test_who_has_to_stay_is_of_the_side_that_stays(teams):
    night = NightAtWork().open(ELEVEN[:8], games=4, movement=SIDES)
    for number, player in enumerate(night.night.players):
        team = {"team": ("Riverside", "Hilltop")[number % 2]} if teams else {}
        night.do("correct_entry", player=player, stays=player in ("p2", "p6"), number=f"MI{number}", **team)
    night.do("draw")
    assert [len(tables_of(night, player)) for player in ("p2", "p6")] == [1, 1]


def test_the_page_says_who_stays_and_the_file_of_the_roster_keeps_it():
    night = a_night(4, stays=("p2",), games=3)
    assert [one["stays"] for one in night.view()["players"]] == [False, True, False, False]
    other = NightAtWork().open(("Player 12",))
    requests = read_roster(roster_csv(night.night), other.night).requests
    assert [request["stays"] for request in requests] == [False, True, False, False]
    for request in requests:
        other.do(**request)
    assert [one.stays for one in other.night.players.values()] == [False, False, True, False, False]


@pytest.mark.parametrize(("odd", "rounds", "off"), [("one_more", 11, 10), ("one_fewer", 10, 8)])
def test_a_field_that_does_not_come_out_even_is_drawn_as_the_rules_have_it(odd, rounds, off):
    """docs/tournament/movement.md: nine players with nine games each."""
    night = a_night(9, games=9, odd=odd)
    counts = [sum(player in game.players for game in night.night.schedule.values()) for player in night.night.players]
    assert sorted(counts) == sorted([9] * 8 + [off])
    assert max(game.round for game in night.night.schedule.values()) == rounds
