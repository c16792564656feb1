"""The board as text: pegs read back from the characters by the geometry of a real board."""

import io

import pytest
from rich.console import Console

from pegboard import Rules, Score, new_game, play
from pegboard.core.course_of_sheet import Where
from pegboard.core.match import Match
from pegboard.core.view import Alarm, View
from pegboard.messages import Message
from pegboard.startup.terminal_board import draw
from tests.support.player_names import SIX


def text_of(view):
    console = Console(width=100, file=io.StringIO())
    console.print(draw(view))
    return console.file.getvalue().splitlines()


def table(*scores, variant="standard"):
    rules = Rules.named(variant)
    game = new_game(rules, SIX[: rules.seats])
    for seat, points in scores:
        game = play(game, Score(points, seat))
    return game


def holes(lines, lanes):
    """For each lane its 120 holes in order; every second street runs to the left, its lanes the other way about."""
    rows = [line[2:].replace(" ", "") for line in lines[lanes + 1 :]]
    streets = [rows[n : n + lanes] for n in range(0, len(rows), lanes)]
    ordered = [street if n % 2 == 0 else [row[::-1] for row in reversed(street)] for n, street in enumerate(streets)]
    return ["".join(street[lane][:30] for street in ordered) for lane in range(lanes)]


@pytest.mark.parametrize(("first", "then"), [(6, 12), (29, 2), (29, 29), (1, 1)])
def test_pegs_stand_in_their_holes(first, then):
    lanes = holes(text_of(View(table((0, first), (0, then), (1, 3)))), 2)
    assert (lanes[0].index("○") + 1, lanes[0].index("●") + 1) == (first, first + then)
    assert lanes[1].index("■") + 1 == 3
    assert [len(lane) for lane in lanes] == [120, 120]


def test_every_score_dialled_amount_dealer_and_notice_is_said():
    lines = text_of(View(table((0, 6)), Match(games_won=(2, 0), points=(2, 0)), (0, 7), "29 is the maximum"))
    assert "Ann  6  D  115 to go  won 2" in lines[0]
    assert "Bob  0  +7 ...  121 to go" in lines[1]
    assert lines[-1].strip() == "29 is the maximum"


def test_a_refusal_that_stands_alone_begins_with_a_capital():
    lines = text_of(View(table((0, 6)), notice="the game is over: only corrections are taken"))
    assert lines[-1].strip() == "The game is over: only corrections are taken"


def test_alarms_stand_above_the_notice():
    lost = Alarm("a1", Message("journal_lost_tail", count=3))
    lines = text_of(View(table((0, 6)), notice="29 is the maximum", alarms=(lost,)))
    assert lines[-2].strip() == "Scores lost: 3; check the pegs and restore what is missing"
    assert lines[-1].strip() == "29 is the maximum"


def test_a_win_and_a_skunk_are_said():
    lines = text_of(View(table(*[(0, 29)] * 5)))
    assert "wins" in lines[0]
    assert "double skunked" in lines[1]
    assert lines[-2][0] == "·" or "●" in "".join(line[0] for line in lines)


def test_four_lanes_have_four_marks():
    game = table((0, 1), (1, 2), (2, 3), (3, 4), variant="cut-throat-four")
    lanes = holes(text_of(View(game, Match.empty(4), (0, 0, 0, 0))), 4)
    assert [lane.index(mark) for lane, mark in zip(lanes, "●■▲◆", strict=True)] == [0, 1, 2, 3]


def test_three_lanes_have_three_marks():
    game = table((0, 1), (1, 2), (2, 3), variant="three-handed")
    lanes = holes(text_of(View(game, Match.empty(3), (0, 0, 0))), 3)
    assert [lanes[0].index("●"), lanes[1].index("■"), lanes[2].index("▲")] == [0, 1, 2]


SHOW = ((1, 2), (0, 1), (1, 5), (0, 1), (1, 8))
"""A play and pone's hand, entered by numbers alone: Ann deals, and her hand is next."""


def test_who_counts_next_is_said():
    lines = text_of(View(table(*SHOW)))
    assert "Ann  2  D  counts the hand  119 to go" in lines[0]
    assert "counts" not in lines[1]
    assert "Ann  12  D  counts the crib  109 to go" in text_of(View(table(*SHOW, (0, 10))))[0]


def test_of_partners_the_one_who_counts_is_named():
    game = table((1, 2), (0, 1), (3, 5), (0, 1), (1, 8), (2, 4), (3, 6), variant="partners")
    assert game.standing.to_count == 0
    assert "Ann and Cy  6  D  Ann counts the hand" in text_of(View(game))[0]


def test_what_is_not_sure_is_not_said():
    game = table(*SHOW)
    game.followed.__dict__["standing"] = game.standing._replace(
        sure=0.5, dealer_sure=0.5, other=Where(1, "play", None, 0.5)
    )
    lines = text_of(View(game))
    assert ("D" in lines[0], "counts" in lines[0]) == (False, False)
