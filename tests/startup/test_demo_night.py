"""A demo night at full speed: a director by HTTP, tables that play what he starts, and results added up once more.

What is added up anew here takes the scores as the ledger has them, and no line of the program that counted them first.
"""

import json
import math
import random
from collections import defaultdict

import pytest

from pegboard.startup.hub_demo import GONE, LATE, NAMES, TABLES, RunningDemo
from tests.support.scripted_director import ScriptedDirector
from tests.support.waiting import soon

GAMES = 3


@pytest.fixture(scope="module")
def night(tmp_path_factory):
    """The night once it is over: the director's last view, and the rows of the ledger."""
    demo = RunningDemo(tmp_path_factory.mktemp("demo"), 0, speed=math.inf, games=GAMES, dice=random.Random(19))
    with demo:
        director = ScriptedDirector(demo)
        assert [one["name"] for one in director.view()["players"]] == list(NAMES)
        director.check_in_all()
        director.do("draw")
        director.play_round(1)
        soon(lambda: director.state_of(LATE) == "here")
        director.do("draw")
        director.play_round(2)
        soon(lambda: director.state_of(GONE) == "left")
        director.do("draw")
        for one in director.view()["rounds"]:
            if one["state"] == "drawn":
                director.play_round(one["round"])
        director.settle_ties()
        director.do("close_cut")
        director.do("draw_bracket", bracket="main")
        director.play_matches()
        director.do("end_night")
        return director.view(), demo.hub.nights.ledger.rows_of(director.night), director.night


def games_of(rows):
    """The events of each game, in order."""
    games = defaultdict(list)
    for row in rows:
        games[row.table, row.game].append(row)
    return [sorted(found, key=lambda row: row.place) for found in games.values()]


def result_of(sheet):
    """The pairing, the winner's and the loser's name, and the margin: the points as they were pegged, up to 121."""
    start, *others = [(row.kind, json.loads(row.body)) for row in sheet]
    holes = [0, 0]
    for kind, body in others:
        if kind == "scored":
            assert max(holes) < 121, "nobody pegs after the end"
            holes[body["lane"]] = min(121, holes[body["lane"]] + body["points"])
    won = holes.index(121)
    names = start[1]["players"]
    return start[1]["pairing"], names[won], names[1 - won], 121 - holes[1 - won]


def test_all_games_are_of_tables_and_confirmed_by_both(night):
    view, rows, own = night
    games = [game for one in view["rounds"] for game in one["games"] if game["state"] != "void"]
    assert {game["source"] for game in games} == {"sheet"} or {game["state"] for game in games} == {"agreed"}
    assert all(game["confirmed"] == [True, True] for game in games)
    sheets = games_of(rows)
    assert sorted(result_of(sheet)[0] for sheet in sheets) == sorted(f"{own}/{game['game']}" for game in games)
    assert all([row.kind for row in sheet][-2:] == ["confirmed", "confirmed"] for sheet in sheets)


def test_the_standings_are_those_that_the_score_sheets_add_up_to(night):
    """ACC: a game won is 2 points, a skunk 3; the net spread is what was won by less what was lost by."""
    view, rows, _ = night
    points, net, won = defaultdict(int), defaultdict(int), defaultdict(int)
    for sheet in games_of(rows):
        _, winner, loser, margin = result_of(sheet)
        points[winner] += 3 if margin >= 31 else 2
        won[winner] += 1
        net[winner] += margin
        net[loser] -= margin
    shown = {view["names"][one["player"]]: (one["points"], one["won"], one["net"]) for one in view["standings"]}
    assert shown == {name: (points[name], won[name], net[name]) for name in shown}
    assert set(points) <= set(shown)
    ranks = [(one["points"], one["won"], one["net"]) for one in view["standings"]]
    assert ranks == sorted(ranks, reverse=True)


def test_the_latecomer_has_played_and_who_left_has_no_game_after(night):
    view, _, _ = night
    late = next(one["player"] for one in view["players"] if one["name"] == LATE)
    gone = next(one["player"] for one in view["players"] if one["name"] == GONE)
    games = [game for one in view["rounds"] for game in one["games"] if game["state"] != "void"]
    assert any(late in game["players"] for game in games)
    assert not any(gone in game["players"] for game in games if game["round"] > 2)


def test_the_night_has_ended_with_a_winner(night):
    view, _, _ = night
    assert view["night"]["phase"] == "ended"
    assert view["brackets"][0]["winner"] in view["cut"]["qualifiers"]
    assert [one for one in view["totals"]["checks"] if one["state"] == "broken"] == []


def test_a_game_begins_at_the_table_where_it_is_drawn_and_at_no_other(tmp_path):
    """Orders from before a redraw may name another table."""
    with RunningDemo(tmp_path, 0, speed=1, games=GAMES, dice=random.Random(19)) as demo:
        director = ScriptedDirector(demo)
        director.check_in_all()
        director.do("draw")
        director.do("start_round", round=1)
        drawn = {game["game"]: game["table"] for game in director.round(1)["games"]}
        begins = {(table, game) for table in TABLES for game in drawn if demo.night.may_begin(table, game)}
        assert begins == {(table, game) for game, table in drawn.items()}
