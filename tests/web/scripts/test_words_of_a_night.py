"""What the scripts of a hub's pages say of a night, worked out without a page."""

import pytest

from pegboard.tournament.results.scoring import POINT_TABLES
from pegboard.values import write

SKUNK = "async (asked) => (await import('/static/hub/night_words.js')).skunkText(...asked)"


@pytest.mark.parametrize(
    ("points", "words"),
    [
        (
            "acc",
            {30: "", 31: "A skunk", 60: "A skunk", 61: "A double skunk", 90: "A double skunk", 91: "A triple skunk"},
        ),
        ("lurch", {60: "", 61: "A lurch"}),
        ("flat", {91: ""}),
    ],
)
def test_a_win_has_the_name_that_it_has_by_the_rules(scripts, points, words):
    night = {"night": {"rules": {"points": write(POINT_TABLES[points])}}}
    assert {margin: scripts.evaluate(SKUNK, [night, margin]) for margin in words} == words


LIVE = "async (asked) => (await import('/static/hub/night_words.js')).liveScore(...asked)"


@pytest.mark.parametrize(
    ("at_the_board", "shown"),
    [
        (("Ann", "Bob"), [97, 104]),
        (("Bob", "Ann"), [104, 97]),
        (("Ann", "Cy"), ["", ""]),
        (("Visitor", "Guest"), [97, 104]),
        ((), ["", ""]),
    ],
    ids=["as drawn", "turned", "another still plays", "under other names", "nothing yet"],
)
def test_a_score_stands_beside_its_player_however_they_sit(scripts, at_the_board, shown):
    view = {"names": {"p1": "Ann", "p2": "Bob", "p3": "Cy"}}
    live = {"state": {"players": at_the_board, "scores": (97, 104)}} if at_the_board else None
    game = {"players": ["p1", "p2"]}
    assert [scripts.evaluate(LIVE, [view, game, seat, live]) for seat in (0, 1)] == shown
