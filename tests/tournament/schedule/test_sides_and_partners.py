"""One side stays and the other moves; teams of players who meet singly."""

import itertools
from collections import Counter

import pytest

from pegboard.errors import RuleError
from pegboard.tournament.schedule.schedule import draw, one_side_stays


def ids(number, letter="p"):
    return [f"{letter}{player}" for player in range(1, number + 1)]


def meetings(schedule):
    return Counter(frozenset(one.players) for one in schedule.pairings)


@pytest.mark.parametrize(("staying", "moving"), [(1, 1), (4, 4), (7, 7), (5, 4), (4, 5), (12, 11)])
def test_everybody_meets_the_whole_other_side_and_never_his_own(staying, moving):
    tables = max(staying, moving)
    schedule = one_side_stays(ids(staying, "s"), ids(moving, "m"), tables)
    assert meetings(schedule) == {frozenset((one, other)): 1 for one in ids(staying, "s") for other in ids(moving, "m")}


def test_who_stays_has_the_same_table_and_who_moves_goes_on_by_one():
    schedule = one_side_stays(ids(4, "s"), ids(4, "m"), 4)
    tables = [
        {player: game.table for game in drawn.games for player in game.pairing.players} for drawn in schedule.rounds
    ]
    for now, then in itertools.pairwise(tables):
        assert all(now[player] == then[player] for player in ids(4, "s"))
        assert all(then[player] == now[player] % 4 + 1 for player in ids(4, "m"))


@pytest.mark.parametrize(("staying", "moving"), [(5, 4), (4, 5)])
def test_of_the_larger_side_one_after_the_other_sits_out(staying, moving):
    schedule = one_side_stays(ids(staying, "s"), ids(moving, "m"), 5)
    assert [len(drawn.sitting) for drawn in schedule.rounds] == [1] * 5
    assert schedule.sit_outs == dict.fromkeys(ids(5, "s" if staying > moving else "m"), 1)
    assert [remark.key for remark in schedule.remarks] == ["movement_sit_outs"]


def test_more_rounds_than_tables_bring_rematches_and_it_is_said():
    """Of 14 players seven can be met, which is fewer than nine games take."""
    schedule = one_side_stays(ids(7, "s"), ids(7, "m"), 9)
    (remark,) = schedule.remarks
    assert str(remark.say()) == (
        "with more rounds than tables, there must be rematches: 14; no pair meets more than 2 times"
    )
    assert sum(meetings(schedule).values()) - len(meetings(schedule)) == 14


@pytest.mark.parametrize(("staying", "moving"), [(3, 5), (0, 1), (6, 4)])
def test_sides_that_differ_by_more_than_one_are_refused(staying, moving):
    with pytest.raises(RuleError) as refusal:
        one_side_stays(ids(staying, "s"), ids(moving, "m"), 3)
    assert refusal.value.message.key == "movement_sides"


# --- teams whose players meet singly ---


def team_of(player, size):
    return f"team {(int(player[1:]) - 1) // size}"


@pytest.mark.parametrize(
    ("field", "size", "games"), [(12, 6, 6), (12, 3, 9), (16, 4, 9), (20, 5, 9), (24, 4, 9), (15, 3, 8)]
)
def test_nobody_meets_his_own_team_while_there_are_others(field, size, games):
    players = ids(field)
    schedule = draw(players, games, teams={player: team_of(player, size) for player in players})
    assert all(team_of(one.players[0], size) != team_of(one.players[1], size) for one in schedule.pairings)
    assert max(meetings(schedule).values()) == 1


def test_teams_of_half_the_field_meet_again_rather_than_each_other():
    players = ids(12)
    schedule = draw(players, 9, teams={player: team_of(player, 6) for player in players})
    assert all(team_of(one.players[0], 6) != team_of(one.players[1], 6) for one in schedule.pairings)
    assert [remark.key for remark in schedule.remarks] == ["movement_rematches"]
    assert sum(meetings(schedule).values()) - len(meetings(schedule)) == 12 * 9 // 2 - 6 * 6


def test_a_team_larger_than_all_others_meets_itself_as_rarely_as_can_be_and_says_so():
    """Five of eight are one team: three have opponents, so each round has one game within the team."""
    players = ids(8)
    schedule = draw(players, 3, teams=dict.fromkeys(players[:5], "Reds"))
    within = [one for one in schedule.pairings if all(player in players[:5] for player in one.players)]
    assert [one.round for one in within] == [1, 2, 3]
    said = [remark for remark in schedule.remarks if remark.key == "movement_team_mates"]
    assert [set(remark.players) for remark in said] == [set(one.players) for one in within]
