"""Teams and sides: nobody meets his own, a team's card is its players' added up, and one side stays at its tables."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.tournament.night.exchange.files_in import read_roster
from pegboard.tournament.night.exchange.files_out import roster_csv
from pegboard.tournament.night.facts import MATCH, SIDES
from pegboard.tournament.results.score_cards import ScoreCard, ScoreCardTotals
from pegboard.tournament.results.standings import rank_teams
from tests.support.night_at_work import NightAtWork, lower_number_wins

SHIPS = ("Riverside", "Hilltop", "Oldtown")


def a_night_of_teams(players=12, teams=3, **rules):
    night = NightAtWork()
    night.do("open_night", name="Club night", date="2026-11-26", rules={"games": 4, **rules})
    for number in range(players):
        night.do("enter", name=f"Player {number + 1}", team=SHIPS[number % teams], walk_up=True)
    return night


def team_of(night, player):
    return night.night.players[player].team


def test_nobody_meets_a_team_mate():
    night = a_night_of_teams()
    night.do("draw")
    for game in night.night.schedule.values():
        one, other = game.players
        assert team_of(night, one) != team_of(night, other)


def test_a_teams_standing_is_what_its_players_cards_add_up_to():
    night = a_night_of_teams()
    night.do("draw")
    night.play_all(lower_number_wins)
    sums, wins = Counter(), Counter()
    for row in night.view()["standings"]:
        sums[team_of(night, row["player"])] += row["points"]
        wins[team_of(night, row["player"])] += row["won"]
    teams = night.view()["teams"]
    assert {one["team"]: (one["points"], one["won"]) for one in teams} == {
        ship: (sums[ship], wins[ship]) for ship in SHIPS
    }
    assert [one["place"] for one in teams] == sorted(one["place"] for one in teams)
    assert sum(one["net"] for one in teams) == 0


def test_a_night_without_teams_has_no_standings_of_teams():
    assert NightAtWork().open(("Ann", "Bob")).view()["teams"] == []


def test_teams_that_nothing_parts_share_a_place():
    cards = {player: ScoreCard(player, (), ScoreCardTotals(1, 2, 1, 0, 5, 0)) for player in ("p1", "p2", "p3")}
    cards["p3"] = ScoreCard("p3", (), ScoreCardTotals(1, 0, 0, 0, 0, 5))
    placings = rank_teams({"p1": "A", "p2": "B", "p3": "C", "p4": "D"}, cards)
    assert [(one.place, one.team) for one in placings] == [(1, "A"), (1, "B"), (3, "D"), (4, "C")]


def test_a_team_is_written_as_it_was_first():
    night = a_night_of_teams(3)
    night.do("enter", name="Ann", team="  riverSIDE ")
    assert team_of(night, night.id_of("Ann")) == "Riverside"
    night.do("correct_entry", player=night.id_of("Ann"), team="")
    assert team_of(night, night.id_of("Ann")) == ""
    assert night.replayed().players == night.night.players


def test_teams_go_out_and_come_in_with_the_roster():
    night, again = a_night_of_teams(), NightAtWork()
    again.do("open_night", name="Club night", date="2026-11-26")
    for request in read_roster(roster_csv(night.night), again.night).requests:
        again.do(**request)
    assert [one.team for one in again.night.players.values()] == [one.team for one in night.night.players.values()]


# --- one side stays ---


def tables_of(night, player):
    return {game.table for game in night.night.schedule.values() if player in game.players}


@given(st.integers(2, 12))
def test_one_side_stays_at_its_tables_and_the_other_meets_all_of_it(pairs):
    night = a_night_of_teams(2 * pairs, 2, movement=SIDES, games=pairs)
    night.do("draw")
    staying = [player for player in night.night.present if len(tables_of(night, player)) == 1]
    assert len({team_of(night, player) for player in staying}) == (1 if pairs > 1 else 2)
    met = Counter(frozenset(game.players) for game in night.night.schedule.values())
    assert set(met.values()) == {1}
    assert len(met) == pairs**2, "everyone of the one side has met everyone of the other"


def test_without_two_teams_the_draw_parts_the_players():
    night = NightAtWork(lambda players: tuple(reversed(players)))
    night.open(("Ann", "Bob", "Cy", "Dee"), movement=SIDES, games=2)
    night.do("draw")
    sides = [{game.players[side] for game in night.night.schedule.values()} for side in (0, 1)]
    assert [len(side) for side in sides] == [2, 2]
    assert not sides[0] & sides[1]


def test_who_comes_late_joins_the_smaller_side():
    night = a_night_of_teams(5, 1, movement=SIDES, games=3)
    night.do("draw")
    night.do("start_round", round=1)
    sides = [{game.players[side] for game in night.night.schedule.values()} for side in (0, 1)]
    smaller = min(sides, key=len)
    night.do("enter", name="Dee", walk_up=True)
    night.do("draw")
    dee = night.id_of("Dee")
    against = {one for game in night.night.schedule.values() if dee in game.players for one in game.players} - {dee}
    assert against
    assert not against & smaller


@pytest.mark.parametrize("movement", ["circle", ""])
def test_another_movement_is_refused(movement):
    night = NightAtWork().open(("Ann", "Bob"))
    assert "one of ring, sides, match" in str(night.refusal("set_rules", rules={"movement": movement}))


# --- a match, table by table ---


def a_match(players=6, **rules):
    """Three of each team, as their captains have named them."""
    return a_night_of_teams(players, 2, **{"movement": MATCH, "games": 5, **rules})


def test_the_same_two_sit_together_in_every_game_of_a_match():
    """As the Ledbury league has it: three tables, five legs at each."""
    night = a_match()
    night.do("draw")
    met = {}
    for game in night.night.schedule.values():
        met.setdefault((game.table, frozenset(game.players)), []).append(game.round)
    assert met == {
        ("t1", frozenset({"p1", "p2"})): [1, 2, 3, 4, 5],
        ("t2", frozenset({"p3", "p4"})): [1, 2, 3, 4, 5],
        ("t3", frozenset({"p5", "p6"})): [1, 2, 3, 4, 5],
    }
    assert night.view()["remarks"] == []


def test_first_deals_of_a_match_go_to_and_fro_from_game_to_game_and_from_table_to_table():
    night = a_match()
    night.do("draw")
    games = sorted(night.night.schedule.values(), key=lambda game: (game.table, game.round))
    assert [team_of(night, game.deals_first) for game in games] == ["Riverside", "Hilltop"] * 7 + ["Riverside"]


def test_a_match_is_won_by_the_team_of_more():
    night = a_match(points="flat")
    night.do("draw")
    night.play_all(lambda one, other, number: (one if number % 5 < 3 else other, 10))
    sums = Counter()
    for each in night.view()["rounds"]:
        for game in each["games"]:
            for player, value in zip(game["players"], game["values"], strict=True):
                sums[team_of(night, player)] += value["points"]
    assert [(one["team"], one["points"]) for one in night.view()["teams"]] == sums.most_common()


@pytest.mark.parametrize(
    ("players", "teams", "said"), [(5, 2, "Riverside 3, Hilltop 2"), (6, 3, "Oldtown 2"), (4, 1, "Riverside 4")]
)
def test_a_match_takes_two_teams_of_one_size(players, teams, said):
    night = a_night_of_teams(players, teams, movement=MATCH)
    error = str(night.refusal("draw"))
    assert error.startswith("a match needs two teams of equal size")
    assert said in error


def test_who_comes_for_another_goes_on_at_the_same_table():
    night = a_match()
    night.do("draw")
    night.do("start_round", round=1)
    for key in [key for key in night.open_games() if key.startswith("r1:")]:
        night.play(key, night.night.schedule[key].players[0], 12)
    night.do("leave", player="p3")
    night.do("enter", name="Dee", team="Riverside", walk_up=True)
    dee = night.id_of("Dee")
    before = {key: game for key, game in night.night.schedule.items() if "p3" not in game.players}
    night.do("draw")
    assert {key: night.night.schedule[key] for key in before} == before
    assert [(game.round, game.table) for game in night.night.schedule.values() if dee in game.players] == [
        (round_number, "t2") for round_number in (2, 3, 4, 5)
    ]
    night.play_all(lower_number_wins)
    assert night.view()["night"]["phase"] == "played"
