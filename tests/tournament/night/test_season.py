"""The season over many nights: sums by hand, a night that comes twice counts once, unknown ratings are refused."""

import json
from pathlib import Path

import pytest

from pegboard.tournament.night.facts import FinalRow
from pegboard.tournament.night.season import SeasonEntry, SeasonNight, season_night, season_table
from tests.support.night_at_work import NightAtWork, lower_number_wins

CASES = Path(__file__).parents[2] / "data" / "tournament_cases.json"


def night(digest, date, *rows, games=12):
    entries = tuple(
        SeasonEntry(name, number, FinalRow(f"p{n}", place, points, won, games - won, 0, plus, minus))
        for n, (name, number, place, points, won, plus, minus) in enumerate(rows, 1)
    )
    return SeasonNight(digest, "Club night", date, games, entries)


FIRST = night("a", "2026-11-19", ("Ann", "MI101", 1, 16, 8, 120, 40), ("Bob", "MI102", 2, 13, 6, 80, 90))
SECOND = night("b", "2026-11-26", ("Bob", "MI102", 1, 17, 8, 100, 30), ("Anne", "MI101", 2, 10, 5, 60, 80))


def test_a_season_is_the_sum_of_its_nights_by_number():
    season = season_table([SECOND, FIRST])
    assert [(row.place, row.name, row.points, row.won, row.net, row.nights, row.best) for row in season.rows] == [
        (1, "Bob", 30, 14, 60, 2, 1),
        (2, "Anne", 26, 13, 60, 2, 1),  # one number is one player, by the name that was written last
    ]


def test_a_night_that_comes_twice_counts_once():
    season = season_table([FIRST, FIRST])
    assert [row.nights for row in season.rows] == [1, 1]
    assert [said.key for said in season.sentences] == ["night_season_twice"]


def test_who_is_level_on_everything_shares_the_place():
    season = season_table([night("a", "2026-11-19", ("Bob", "2", 1, 4, 2, 9, 3), ("Ann", "1", 1, 4, 2, 9, 3))])
    assert [row.place for row in season.rows] == [1, 1]


def test_nobody_is_guessed_to_be_another_player():
    other = night("c", "2026-12-03", ("Ann", "", 1, 5, 2, 9, 0))
    season = season_table([FIRST, other])
    assert sorted((row.name, row.number) for row in season.rows) == [("Ann", ""), ("Ann", "MI101"), ("Bob", "MI102")]
    assert [said.key for said in season.sentences] == ["night_season_twin"]


@pytest.mark.parametrize("row", json.loads(CASES.read_text())["mrp"], ids=lambda row: f"{row['event']}-{row['games']}")
def test_a_card_counts_in_the_ratings_from_the_published_points_on(row):
    games, least = row["games"], row["min_game_points"]
    rows = (("Ann", "1", 1, least, 5, 9, 0), ("Bob", "2", 2, least - 1, 5, 9, 0), ("Cy", "", 1, least, 5, 9, 0))
    one = night("a", "2026-11-19", *rows, games=games)
    season = season_table([SeasonNight(one.id, one.name, one.date, games, one.entries, row["event"])])
    assert {found.name: found.rated for found in season.rows} == {"Ann": 1, "Bob": 0, "Cy": 0}


def test_a_night_that_the_rating_sheets_do_not_know_is_refused_there_and_counts_in_the_season():
    rows = ("Ann", "1", 1, 40, 9, 9, 0)
    nights = [
        night(f"n{games}{day}", f"2026-11-{day}", rows, games=games) for games, day in ((13, 18), (13, 19), (9, 20))
    ]
    season = season_table(nights)
    assert [(said.key, said.values["count"]) for said in season.sentences] == [
        ("night_not_rated", 2),
        ("night_not_rated", 1),
    ]
    assert season.sentences[0].values["why"].key == "playoffs_rating_unknown"
    assert (season.rows[0].points, season.rows[0].rated) == (120, 0)


def test_a_finished_night_comes_into_the_season_as_it_ended():
    work = NightAtWork().open(("Ann", "Bob"))
    work.do("draw")
    work.play_all(lower_number_wins)
    work.do("end_night")
    entered = season_night(work.night, "a")
    assert [(entry.name, entry.row.points, entry.row.won) for entry in entered.entries] == [
        ("Ann", work.standing("p1")["points"], 3),
        ("Bob", 0, 0),
    ]
