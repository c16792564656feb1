"""Old nights are read as they were: their rows are in tests/data, and a second reader adds them up from raw JSON.

A file here was written by the version of its number and is never written again.
"""

import json
from pathlib import Path

import pytest

from pegboard.tournament.night.decide import fold
from pegboard.tournament.night.deciding import RESULTS, kind_of
from pegboard.tournament.night.decisions import BY_WORD, DECISIONS, from_row, topics_of
from pegboard.tournament.night.facts import UnknownDecision
from pegboard.tournament.night.views.night_views import director_view, player_view, screen_view

DATA = Path(__file__).parents[2] / "data"
NIGHTS = sorted(DATA.glob("night_v*.json"))


@pytest.fixture(params=NIGHTS, ids=lambda path: path.stem)
def rows(request):
    return json.loads(request.param.read_text("utf-8"))


def those_that_stand(rows):
    """The rows that count, by a reader of its own."""
    dead = set()
    for row in reversed(rows):
        if row["do"] == "undo" and row["number"] not in dead:
            dead.update([row["body"]["number"], *row["body"]["also"]])
    return [row for row in rows if row["number"] not in dead]


def values_of(rows):
    """For each game its two values by player: the last verdict, else what both cards or the table say."""
    pairs, claims, values = {}, {}, {}
    for row in rows:
        body, do = row["body"], row["do"]
        if do == "draw":
            pairs |= {key_of(game): game["players"] for game in body["games"]}
        if do == "paper_result":
            values[body["game"]] = won_by(pairs[body["game"]], body["winner"], body["margin"])
        elif do in ("rule", "award", "forfeit"):
            worth = [(value["points"], value["net"]) for value in body["values"]]
            values[body["game"]] = dict(zip(pairs[body["game"]], worth, strict=True))
        elif do == "table_result":
            values.setdefault(body["game"], won_by(pairs[body["game"]], body["winner"], body["margin"]))
        elif do == "table_withdrawal":
            values.pop(body["game"], None)
            claims.pop(body["game"], None)
        elif do in ("claim", "confirm"):
            claims.setdefault(body["game"], {})[body["player"]] = body["claim"]
    for key, both in claims.items():
        if key not in values and len(both) == 2:
            worth = {player: (3 if claim["margin"] > 30 else 2) * claim["won"] for player, claim in both.items()}
            nets = {player: claim["margin"] * (1 if claim["won"] else -1) for player, claim in both.items()}
            values[key] = {player: (worth[player], nets[player]) for player in both}
    return values


def key_of(game):
    low, high = sorted(game["players"], key=lambda player: int(player[1:]))
    return f"r{game['round']}:{low}-{high}"


def won_by(players, winner, margin):
    return {one: ((3 if margin > 30 else 2), margin) if one == winner else (0, -margin) for one in players}


def test_every_decision_of_an_old_night_is_read(rows):
    night = fold(map(from_row, rows))
    assert not any(isinstance(row.decision, UnknownDecision) for row in night.rows)
    assert night.departures == ()


def test_standings_of_an_old_night_are_those_that_a_second_reader_adds_up(rows):
    sums = {}
    for values in values_of(those_that_stand(rows)).values():
        for player, (points, net) in values.items():
            before = sums.get(player, (0, 0))
            sums[player] = (before[0] + points, before[1] + net)
    view = director_view(fold(map(from_row, rows)))
    assert {row["player"]: (row["points"], row["net"]) for row in view["standings"] if row["games"]} == sums


def test_what_was_chosen_on_an_old_night_is_what_its_rows_say(rows):
    standing = {row["do"]: row["body"] for row in those_that_stand(rows)}
    view = director_view(fold(map(from_row, rows)))
    assert view["cut"]["qualifiers"] == standing["close_cut"]["qualifiers"]
    drawn = {(game["round"], *sorted(game["players"])) for game in standing["draw"]["games"]}
    assert {(game["round"], *sorted(game["players"])) for each in view["rounds"] for game in each["games"]} == drawn
    paid = {share["player"]: share["cents"] for share in standing["pay_pot"]["shares"]}
    pot = next(pot for pot in view["pots"] if pot["pot"] == standing["pay_pot"]["pot"])
    assert {share["player"]: share["cents"] for share in pot["shares"]} == paid
    final = [row["player"] for row in standing["end_night"]["standings"]]
    assert [row["player"] for row in view["standings"]] == final


def test_every_view_of_an_old_night_is_shown(rows):
    night = fold(map(from_row, rows))
    assert screen_view(night)["standings"]
    assert all(player_view(night, player)["card"] is not None for player in night.players)


def test_what_changes_results_cannot_be_undone_while_qualifying_is_closed(rows):
    for row in rows:
        decision = from_row(row).decision
        if RESULTS in topics_of(decision):
            assert kind_of(type(decision)).before_cut, row["do"]


def test_every_decision_is_in_an_old_night():
    """So that none becomes unreadable unseen; a new one comes with a night of its own."""
    seen = {BY_WORD[row["do"]].fact for path in NIGHTS for row in json.loads(path.read_text("utf-8"))}
    assert {row.fact for row in DECISIONS} == seen
