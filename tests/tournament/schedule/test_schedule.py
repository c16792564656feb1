"""The door: order, seats, tables, first deals, refusals, JSON, and the same schedule wherever it is drawn."""

import itertools
import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import RuleError
from pegboard.messages import MESSAGES
from pegboard.tournament.pairings import Pairing, game_key
from pegboard.tournament.schedule.schedule import Remark, draw
from pegboard.tournament_messages import MOVEMENT_MESSAGES
from tests.support.replanning import replan, rounds_before


def ids(number):
    return [f"p{player}" for player in range(1, number + 1)]


def seats_in(drawn):
    """The seat of each player: table 1 has the seats 1 and 2, table 2 has 3 and 4."""
    return {
        player: 2 * game.table - 1 + side for game in drawn.games for side, player in enumerate(game.pairing.players)
    }


def test_the_key_of_a_game_has_the_lower_number_first():
    assert Pairing(3, ("p7", "p1")).key == game_key(3, "p1", "p7") == "r3:p1-p7"
    assert game_key(12, "p10", "p9") == "r12:p9-p10"


# --- seats and tables ---


def test_all_but_the_anchor_move_by_one_seat():
    """Round a row of five tables: up on the near side, across, and down on the far side."""
    rounds = [seats_in(drawn) for drawn in draw(ids(10), 9).rounds]
    ring = [2, 3, 5, 7, 9, 10, 8, 6, 4]
    for now, then in itertools.pairwise(rounds):
        assert now["p1"] == then["p1"] == 1
        assert all(then[player] == ring[ring.index(now[player]) - 1] for player in ids(10)[1:])


@pytest.mark.parametrize("field", [10, 11, 24])
def test_who_has_to_stay_at_a_table_is_at_it_in_every_round(field):
    schedule = draw(ids(field), 9, seats={"p4": 3})
    assert {game.table for drawn in schedule.rounds for game in drawn.games if "p4" in game.pairing.players} == {3}
    for drawn in schedule.rounds:
        assert len({game.table for game in drawn.games}) == len(drawn.games)


def test_two_who_stay_meet_only_where_they_must_and_it_is_said():
    apart = draw(ids(10), 8, seats={"p4": 3, "p5": 1})
    assert not any(set(one.players) == {"p4", "p5"} for one in apart.pairings)
    assert [remark.key for remark in apart.remarks] == []
    meeting = draw(ids(10), 9, seats={"p4": 3, "p5": 1})
    (remark,) = meeting.remarks
    number = next(one.round for one in meeting.pairings if set(one.players) == {"p4", "p5"})
    assert str(remark.say({"p5": "Bob"})) == (f"Bob should stay at table 1 but must go to table 3 in round {number}")


def test_a_running_game_keeps_its_table():
    first = draw(ids(8), 5)
    running = first.rounds[2].games[1]
    begun = {one.key for one in first.pairings if one.round < 3} | {running.pairing.key}
    again = replan(first.pairings, begun, ids(8), 5, tables={running.pairing.key: running.table})
    assert running.table not in {game.table for game in again.rounds[0].games}


def test_a_player_at_a_running_game_of_a_round_does_not_sit_out_in_it():
    again = draw(ids(5), 2, played=[Pairing(1, ("p1", "p2"))], first_round=1)
    first = again.rounds[0]
    assert {"p1", "p2"}.isdisjoint((*first.sitting, *first.finished))
    assert len(first.sitting) == 1


def test_in_rounds_that_are_searched_for_one_of_each_game_mostly_stays():
    first = draw(ids(20), 9)
    begun = {one.key for one in first.pairings if one.round <= 3}
    again = replan(first.pairings, begun, [*ids(19), "p21"], 9, missed=rounds_before({"p21": 4}))
    stays = games = 0
    for now, then in itertools.pairwise(again.rounds):
        before = {player: game.table for game in now.games for player in game.pairing.players}
        stays += sum(any(before.get(player) == game.table for player in game.pairing.players) for game in then.games)
        games += len(then.games)
    assert stays / games > 0.6


# --- first deals ---


@given(st.integers(4, 16), st.integers(1, 8), st.data())
def test_after_a_change_first_deals_are_as_even_as_can_be(field, games, data):
    first = draw(ids(field), games)
    over = data.draw(st.integers(0, len(first.rounds) - 1))
    begun = [game for drawn in first.rounds[:over] for game in drawn.games]
    dealers = {game.pairing.key: game.dealer for game in begun}
    newcomer, leaving = f"p{field + 1}", f"p{data.draw(st.integers(1, field))}"
    players = [player for player in ids(field) if player != leaving] + [newcomer]
    missed = rounds_before({newcomer: over + 1})
    again = replan(first.pairings, set(dealers), players, games, dealers=dealers, missed=missed)
    before = surplus_of((game.pairing.players, game.dealer) for game in begun)
    drawn = [(game.pairing.players, game.dealer) for number in again.rounds for game in number.games]
    surplus = surplus_of(drawn, before)
    assert max(abs(surplus[player]) for player in players) <= 2
    if len(drawn) <= 9:
        assert unevenness(surplus, players) == least_unevenness([pair for pair, _ in drawn], before, players)


def surplus_of(games, before=None):
    """How much oftener each deals first than not."""
    surplus = Counter(before)
    for pair, dealer in games:
        surplus.update({player: 1 if player == dealer else -1 for player in pair})
    return surplus


def unevenness(surplus, players):
    return sum(surplus[player] ** 2 for player in players)


def least_unevenness(pairs, before, players):
    """Of all ways to deal first in these games."""
    ways = itertools.product(*pairs)
    return min(unevenness(surplus_of(zip(pairs, way, strict=True), before), players) for way in ways)


# --- the order is the only chance ---


def test_another_order_is_another_schedule_of_the_same_form():
    one, other = draw(ids(10), 5), draw([*reversed(ids(10))], 5)
    assert set(one.pairings) != set(other.pairings)
    renamed = dict(zip(ids(10), reversed(ids(10)), strict=True))
    assert [tuple(renamed[player] for player in game.players) for game in one.pairings] == [
        game.players for game in other.pairings
    ]


AGAIN = """
from pegboard.tournament.schedule.schedule import draw
from tests.support.replanning import replan
players = [f"p{player}" for player in range(1, 15)]
first = draw(players, 9, teams={player: f"team {int(player[1:]) % 3}" for player in players})
begun = {one.key for one in first.pairings if one.round <= 3}
print(replan(first.pairings, begun, players[2:] + ["p15"], 9, seats={"p7": 2, "p9": 4}))
"""


def test_each_process_draws_the_same():
    drawn = {
        subprocess.run(
            [sys.executable, "-c", AGAIN],
            env={"PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[3],
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(drawn) == 1


def test_the_first_game_is_at_the_first_table_and_one_of_its_players_deals():
    first = draw(ids(7), 9).rounds[0].games[0]
    assert (first.pairing.key, first.pairing.players, first.table) == ("r1:p2-p7", ("p2", "p7"), 1)
    assert first.dealer in ("p2", "p7")


def test_remarks_are_json_and_back():
    remarks = draw(ids(7), 9).remarks
    assert remarks
    for remark in remarks:
        assert Remark.from_json(json.loads(json.dumps(remark.as_json()))) == remark


# --- what is said ---


def test_the_odd_game_and_the_sit_outs_are_said_in_words():
    schedule = draw(ids(11), 9)
    (extra,) = (player for player, games in games_of(schedule).items() if games == 10)
    assert [str(remark.say({extra: "Dee"})) for remark in schedule.remarks] == [
        "the games do not divide evenly: Dee plays one more game, 10 in total",
        "with 11 players, someone must sit out: 0 to 1 of 10 rounds each",
    ]


def test_one_fewer_is_said_where_that_is_chosen():
    schedule = draw(ids(9), 9, odd="one_fewer")
    (short,) = (player for player, games in games_of(schedule).items() if games == 8)
    assert len(schedule.rounds) == 10
    assert str(schedule.remarks[0].say({short: "Ann"})) == (
        "the games do not divide evenly: Ann plays one fewer game, 8 in total"
    )


def test_rematches_of_a_small_field_are_said():
    (remark,) = draw(ids(6), 9).remarks
    assert str(remark.say()) == "unavoidable rematches: 12; no pair meets more than 2 times"


def games_of(schedule):
    return Counter(player for one in schedule.pairings for player in one.players)


def test_games_of_one_player_can_be_fewer():
    schedule = draw(ids(8), {"p3": 3, "p4": 3, "p1": 5})
    assert games_of(schedule) == dict.fromkeys(ids(8), 5) | {"p3": 3, "p4": 3}


def test_every_message_is_said_with_its_values():
    """Each remark and refusal here is of a row of the table of messages; those that fit no row would raise."""
    assert set(MOVEMENT_MESSAGES) <= set(MESSAGES)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((ids(4), 0), "games per player must be 1 to 99, not 0"),
        ((ids(4), {"p1": 100}), "games per player must be 1 to 99, not 100"),
        ((["p1", "p2", "p1"], 3), "Ann appears twice in the draw"),
    ],
)
def test_a_draw_that_cannot_be_is_refused(arguments, sentence):
    with pytest.raises(RuleError) as refusal:
        draw(*arguments, names={"p1": "Ann"})
    assert str(refusal.value) == sentence


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        ({"p1": 2, "p2": 2}, "Ann and p2 cannot both stay at table 2; move one of them"),
        ({"p1": 0}, "table numbers start at 1; 0 is not valid"),
    ],
)
def test_a_seat_that_cannot_be_is_refused(seats, sentence):
    with pytest.raises(RuleError) as refusal:
        draw(ids(4), 3, seats=seats, names={"p1": "Ann"})
    assert str(refusal.value) == sentence


def test_a_field_of_one_has_nobody_to_play_and_is_told_so():
    schedule = draw(["p1"], 9)
    assert schedule.rounds == ()
    assert [remark.key for remark in schedule.remarks] == ["movement_nobody_left"]
