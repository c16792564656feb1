"""The one format: what goes out comes back the same."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import Deal, Restore, RuleError, Rules, Score, Start, TakeBack, new_game, play
from pegboard.core import shown, wire
from pegboard.core.moves import Abandoned, Dealt, Restored, Scored, Started, TakenBack
from pegboard.core.rules import VARIANTS
from pegboard.core.view import View

seats, lines = st.none() | st.integers(0, 3), st.integers(1, 200)
whys = st.none() | st.sampled_from(["play", "hand", "crib"])
names = st.tuples(st.text(max_size=8), st.text(max_size=8))
rules = st.sampled_from(list(VARIANTS.values()))
commands = (
    st.builds(Start, rules, names, seats)
    | st.builds(Score, st.integers(0, 29), seats, seats, whys)
    | st.builds(Deal, seats)
    | st.builds(TakeBack, st.none() | lines)
    | st.builds(Restore, st.none() | lines)
)
events = (
    st.builds(Started, rules, names, st.integers(0, 3), st.text(max_size=6), st.text(max_size=6))
    | st.builds(Scored, st.integers(0, 2), st.integers(0, 29), seats, whys)
    | st.builds(Dealt, seats, st.booleans())
    | st.builds(TakenBack, lines)
    | st.builds(Restored, lines)
    | st.just(Abandoned())
)


def through_json(values):
    return json.loads(json.dumps(values))


@given(commands)
def test_every_command_comes_back(command):
    assert wire.command(through_json(wire.command_values(command))) == command


@given(events)
def test_every_event_comes_back(event):
    kind, body = wire.event_values(event)
    assert wire.read_event(kind, through_json(body)) == event


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 29), whys), max_size=20), st.integers(0, 3))
def test_every_game_comes_back_with_its_positions(scores, back):
    game = new_game(Rules(), ("Ann", "Bob"))
    for seat, points, why in scores:
        try:
            game = play(game, Score(points, seat, why=why))
        except RuleError:
            continue
    for _ in range(min(back, len(game.entries))):
        game = play(game, TakeBack())
    read = wire.read_game(through_json(wire.game_values(game)))
    assert read == game
    assert read.positions == game.positions


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"do": "win"}, "these are: start, score"),
        ({}, "these are: start, score"),
        ({"do": ["score"]}, "these are: start, score"),
        ({"do": "score", "seat": 0}, "does not take just the fields seat"),
        ({"do": "score", "seat": 0, "points": 1, "colour": "blue"}, "does not take just the fields"),
        ({"do": "undo", "entry": "first"}, "no line of the sheet"),
        ({"do": "undo", "entry": 1}, "no line of the sheet"),
        ({"do": "undo", "entry": "²"}, "no line of the sheet"),
        ({"do": "start", "variant": "whist", "players": []}, "no variant"),
        ({"do": "start", "variant": 1, "players": []}, "a variant is a name"),
        ({"do": "start", "variant": "short", "players": "Ann"}, "list of names"),
    ],
)
def test_what_is_no_command_is_refused_in_a_sentence(values, sentence):
    with pytest.raises(RuleError, match=sentence):
        wire.command(values)


def test_an_event_of_the_future_is_refused():
    with pytest.raises(RuleError, match="newer pegboard"):
        wire.read_event("teleported", {})


def test_the_largest_snapshot_is_under_4_kilobytes():
    game = new_game(Rules.named("partners"), ("🂡" * 64,) * 4)
    for n in range(40):
        game = play(game, Score(29 if n == 0 else 1, n % 4, why="penalty"))
    view = View(
        game,
        notice="🂡" * 64 + " and " + "🂡" * 64 + " have won: DEAL starts the next game, UNDO takes back",
        id="0123456789ab",
        epoch="0123456789abcdef",
        revision=10**9,
    )
    assert len(json.dumps(shown.snapshot(view), separators=(",", ":"), ensure_ascii=False).encode()) < 4096


def test_a_snapshot_tells_whose_hand_is_next_what_redo_means_and_which_lines_count():
    game = play(new_game(Rules(), ("Ann", "Bob")), Score(8, 1, why="hand"))
    state = shown.snapshot(View(game))
    assert (state["game"]["phase"], state["game"]["to_count"], state["redo"]) == ("hand", 0, None)
    state = shown.snapshot(View(play(game, TakeBack())))
    assert (state["redo"], state["entries"][0]["stands"], state["entries"][0]["counts"]) == ("1", False, False)


def test_a_snapshot_after_the_end_tells_the_skunks_and_the_lines_that_came_too_late():
    game = play(new_game(Rules(), ("Ann", "Bob")), Score(9, 0))
    game = play(game, TakeBack())
    for _ in range(4):
        game = play(game, Score(28, 0))
    game = play(play(game, Score(2, 1)), Restore(1))
    state = shown.snapshot(View(game))
    assert (state["game"]["over"], state["game"]["winner"]) == (True, 0)
    assert [lane["skunks"] for lane in state["lanes"]] == [0, 2]
    assert [(entry["stands"], entry["counts"]) for entry in state["entries"][:2]] == [(True, False), (True, True)]


def test_a_snapshot_shows_the_newest_ten_lines_first_and_what_each_moved():
    game = new_game(Rules(), ("Ann", "Bob"))
    for points in range(1, 12):
        game = play(game, Score(points % 3 + 1, seat=0))
    game = play(play(game, Deal()), TakeBack(1))
    lines = shown.snapshot(View(game))["entries"]
    assert [entry["id"] for entry in lines] == [str(n) for n in range(12, 2, -1)]
    assert lines[0]["do"] == "deal"
    assert (lines[1]["from"], lines[1]["to"]) == (game.lanes[0].rear, game.lanes[0].front)
