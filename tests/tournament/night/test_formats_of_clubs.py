"""The rows of tournament_cases.json about teams and pairs, as a director has them drawn: each by rules of a night."""

import json
from collections import Counter
from pathlib import Path

import pytest

from pegboard.tournament.night.facts import MATCH, PAIRS, RING, SIDES
from tests.support.night_at_work import NightAtWork

ROWS = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))["team_formats"]
RED_CARPET, LEDBURY, SHIELD, SHGDDCL, BALLANTRAE = (
    next(row for row in ROWS if row["name"].startswith(name))
    for name in ("Red Carpet", "Ledbury UK", "Ledbury Shield", "shgddcl", "Ballantrae")
)
TEAMS = ("Riverside", "Hilltop")


def a_night(entries, *, partners, **rules):
    """So many players or pairs, in turns of the one team and of the other."""
    night = NightAtWork()
    night.do(
        "open_night", name="Club night", date="2026-11-26", rules={**rules, **({"format": PAIRS} if partners else {})}
    )
    for number in range(entries):
        partner = {"partner": f"Partner {number + 1}"} if partners else {}
        night.do("enter", name=f"Player {number + 1}", team=TEAMS[number % 2], walk_up=True, **partner)
    night.do("draw")
    return night


def games_by_table(night):
    """How many games are played at each table."""
    counts = Counter(game.table for game in night.night.schedule.values())
    return [counts[table] for table in sorted(counts)]


def play(night):
    """Home wins each game by 12; what each win was worth."""
    worth = []
    for key in list(night.open_games()):
        winner, _ = night.night.schedule[key].players
        night.play(key, winner, 12)
        game = next(one for each in night.view()["rounds"] for one in each["games"] if one["game"] == key)
        worth.append(game["values"][0]["points"])
    return worth


def test_a_league_match_has_the_games_of_its_row():
    night = a_night(6, partners=LEDBURY["type"] == "pairs", movement=MATCH, games=LEDBURY["legs_each"])
    assert games_by_table(night) == [LEDBURY["legs_each"]] * LEDBURY["tables"]
    assert len(night.night.schedule) == LEDBURY["total_legs"]
    assert set(play(night)) == {LEDBURY["win_points"]}


def test_a_shield_match_is_a_night_of_pairs_and_one_of_players():
    assert SHIELD["from"] == "3 pairs tables x5 + 5 singles tables x3"
    pairs = a_night(6, partners=True, movement=MATCH, games=5)
    players = a_night(10, partners=False, movement=MATCH, games=3)
    assert (games_by_table(pairs), games_by_table(players)) == ([5] * 3, [3] * 5)
    assert len(pairs.night.schedule) + len(players.night.schedule) == SHIELD["legs"]


def test_a_match_has_more_games_at_one_table_than_at_the_others():
    assert SHGDDCL["games"] == "two of 2 legs, one of 3 legs"
    night = a_night(SHGDDCL["team"], partners=True, movement=MATCH, table_games=[2, 2, 3], points="flat")
    assert games_by_table(night) == [2, 2, 3]
    assert [len(each["games"]) for each in night.view()["rounds"]] == [3, 3, 1]
    assert play(night) == [SHGDDCL["points_per_leg"]] * 7
    assert night.view()["night"]["phase"] == "played"
    assert [row["games"] for row in night.view()["standings"]] == [3, 2, 2, 2, 2, 3]
    assert all(check["holds"] for check in night.view()["totals"]["checks"])


def test_first_deals_go_on_over_tables_of_fewer_games():
    night = a_night(6, partners=False, movement=MATCH, table_games=[2, 2, 3])
    games = sorted(night.night.schedule.values(), key=lambda game: (game.table, game.round))
    dealing = [night.night.players[game.deals_first].team for game in games]
    assert dealing == [*TEAMS, *TEAMS, *TEAMS, TEAMS[0]]


def test_first_deals_stay_as_they_were_where_a_table_is_left():
    night = a_night(6, partners=False, movement=MATCH, games=5)
    night.do("start_round", round=1)
    for key in [key for key in night.open_games() if key.startswith("r1:")]:
        night.play(key, night.night.schedule[key].players[0], 12)
    before = {key: game.deals_first for key, game in night.night.schedule.items() if game.table != "t1"}
    night.do("leave", player="p1")
    night.do("draw")
    assert {key: night.night.schedule[key].deals_first for key in before} == before


def test_tables_that_the_list_does_not_name_have_the_games_of_the_night():
    assert games_by_table(a_night(8, partners=False, movement=MATCH, games=4, table_games=[2, 3])) == [2, 3, 4, 4]


def test_the_list_is_for_matches_alone():
    assert len(a_night(4, partners=False, movement=RING, games=3, table_games=[1]).night.schedule) == 6


@pytest.mark.parametrize("wrong", [[0], [2, None], ["2"], [101], "2, 2, 3"])
def test_games_at_each_table_are_numbers(wrong):
    refusal = NightAtWork().open(("Ann", "Bob")).refusal("set_rules", rules={"table_games": wrong})
    assert "games" in str(refusal)


def test_a_night_in_a_bar_has_the_rounds_and_points_of_its_row():
    rounds = RED_CARPET["rounds"]
    night = a_night(12, partners=True, movement=SIDES, games=rounds, points="rounds-6-to-10")
    assert {game.round for game in night.night.schedule.values()} == set(range(1, rounds + 1))
    worth = {}
    for key in list(night.open_games()):
        game = night.night.schedule[key]
        night.play(key, game.players[0], 12)
        shown = next(one for each in night.view()["rounds"] for one in each["games"] if one["game"] == key)
        worth[game.round] = shown["values"][0]["points"]
    assert [worth[number] for number in sorted(worth)] == RED_CARPET["points_for_round"]
    assert sum(worth.values()) == RED_CARPET["perfect"]


def test_moving_pairs_and_pairs_that_stay_meet_once_each():
    assert BALLANTRAE["moving_and_stationary_pairs"]
    assert BALLANTRAE["skunk_value"] == 0
    night = a_night(16, partners=True, movement=SIDES, games=BALLANTRAE["games"], points="flat")
    met = Counter(frozenset(game.players) for game in night.night.schedule.values())
    assert set(met.values()) == {1}
    assert len(met) == 8 * BALLANTRAE["games"]
    key = night.open_games()[0]
    night.play(key, night.night.schedule[key].players[0], 40)
    assert night.view()["rounds"][0]["games"][0]["values"][0]["points"] == 1
