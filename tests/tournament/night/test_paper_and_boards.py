"""Paper beside boards: a result that is entered from two cards is held against the score sheet of the table."""

import pytest

from pegboard.tournament.night.night_report import players_by_names
from tests.support.night_at_work import NightAtWork, table_of


@pytest.fixture
def night():
    night = NightAtWork().open(("Ann", "Bob"), games=1)
    night.do("add_table", table="t1", label="1")
    night.do("draw")
    return night


def game_of(night):
    return night.view()["rounds"][0]["games"][0]


@pytest.mark.parametrize("first", ["paper", "board"])
def test_two_cards_that_agree_on_a_wrong_margin_are_named_whichever_comes_first(night, first):
    (key,) = night.open_games()
    ways = {
        "paper": lambda: night.do("paper_result", game=key, winner="p1", margin=12),
        "board": lambda: night.do("table_result", table_of("t1"), game=key, table="t1", winner="p1", margin=21),
    }
    for way in sorted(ways, key=lambda way: way != first):
        ways[way]()
    game = game_of(night)
    assert (game["state"], game["mismatch"]["key"]) == ("mismatch", "results_sheet_margin")
    assert game["values"] == [None, None]
    possible = {choice["letter"] for choice in game["rulings"] if choice["possible"]}
    assert possible == {"sheet", "stand"}


@pytest.mark.parametrize(("letter", "net"), [("sheet", 21), ("stand", 12)])
def test_the_director_rules_which_of_them_counts(night, letter, net):
    (key,) = night.open_games()
    night.do("table_result", table_of("t1"), game=key, table="t1", winner="p1", margin=21)
    night.do("paper_result", game=key, winner="p1", margin=12)
    night.do("rule", game=key, letter=letter)
    game = game_of(night)
    assert (game["state"], [value["net"] for value in game["values"]]) == ("ruled", [net, -net])


def test_a_paper_result_that_the_board_agrees_with_counts(night):
    (key,) = night.open_games()
    night.do("paper_result", game=key, winner="p1", margin=21)
    night.do("table_result", table_of("t1"), game=key, table="t1", winner="p1", margin=21)
    assert (game_of(night)["state"], game_of(night)["source"]) == ("agreed", "claims")


def test_a_board_has_names_with_composed_letters_or_as_they_were_typed():
    """Seats are known by names; a board of an older version stores them as they were typed."""
    night = NightAtWork().open(("Jose\u0301", "Bob"), games=1)
    night.do("add_table", table="t1", label="1")
    night.do("draw")
    (game,) = night.night.schedule.values()
    for name in ("Jose\u0301", "Jos\u00e9"):
        assert players_by_names(night.night, game, (name, "Bob")) == ("p1", "p2")
        assert players_by_names(night.night, game, ("Bob", name)) == ("p2", "p1")
