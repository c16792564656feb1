"""All fields of 4 to 60 players with 1 to 22 games: as few rounds and rematches as can be, and sit-outs within one."""

import itertools
from collections import Counter

import pytest

from pegboard.tournament.schedule.ring import ONE_FEWER, ONE_MORE, measure_field, odd_rounds, ring_rounds
from pegboard.tournament.schedule.schedule import draw
from tests.oracles.schedules import fewest_rematches, fewest_rounds, most_meetings
from tests.support.long_runs import is_long

FIELDS, GAMES = range(4, 61), range(1, 23)


def rounds_of(field, games, odd=ONE_MORE):
    order = range(field)
    return list(odd_rounds(order, games, odd) if field % 2 else ring_rounds(order, games))


def games_of(rounds):
    return Counter(player for pairs in rounds for pair in pairs for player in pair)


def is_within_one(numbers):
    return max(numbers) - min(numbers) <= 1


@pytest.mark.parametrize("odd", [ONE_MORE, ONE_FEWER])
@pytest.mark.parametrize("field", FIELDS)
def test_each_has_all_games_in_the_fewest_rounds_but_one_player_of_odd_sums(field, odd):
    for games in GAMES:
        rounds = rounds_of(field, games, odd)
        assert len(rounds) == fewest_rounds(field, games, fewer=odd == ONE_FEWER)
        off = {player: number - games for player, number in games_of(rounds).items() if number != games}
        wanted = [] if field * games % 2 == 0 else [1 if odd == ONE_MORE else -1]
        assert [*off.values()] + ([-1] if len(games_of(rounds)) < field and games == 1 else []) == wanted


@pytest.mark.parametrize("field", FIELDS)
def test_nobody_is_at_two_tables_at_once(field):
    for games in GAMES:
        for pairs in rounds_of(field, games):
            playing = [player for pair in pairs for player in pair]
            assert len(playing) == len(set(playing))


@pytest.mark.sampled(least=20)
@pytest.mark.parametrize("odd", [ONE_MORE, ONE_FEWER])
@pytest.mark.parametrize("field", FIELDS)
def test_no_pair_meets_again_before_every_other_pair_has_met_as_often(field, odd):
    pairs = [frozenset(pair) for pair in itertools.combinations(range(field), 2)]
    for games in GAMES:
        met = Counter(dict.fromkeys(pairs, 0))
        for round_pairs in rounds_of(field, games, odd):
            met.update(frozenset(pair) for pair in round_pairs)
            assert is_within_one(met.values())
        assert max(met.values()) <= most_meetings(field, games + (odd == ONE_MORE and field * games % 2))


@pytest.mark.sampled(least=20)
@pytest.mark.parametrize("odd", [ONE_MORE, ONE_FEWER])
@pytest.mark.parametrize("field", FIELDS)
def test_nobody_sits_out_twice_before_everybody_has_once(field, odd):
    """Whether a player who has had all games counts as sitting out or not."""
    for games in GAMES:
        rounds = rounds_of(field, games, odd)
        idle, left = Counter(dict.fromkeys(range(field), 0)), games_of(rounds)
        sitting = idle.copy()
        for pairs in rounds:
            playing = {player for pair in pairs for player in pair}
            left.subtract(playing)
            idle.update(set(range(field)) - playing)
            sitting.update(player for player in range(field) if player not in playing and left[player])
            assert is_within_one(idle.values())
            assert is_within_one(sitting.values())


@pytest.mark.parametrize("field", FIELDS)
def test_what_is_measured_beforehand_is_what_is_drawn(field):
    for games in GAMES:
        measure = measure_field(field, games)
        assert measure.rounds == len(rounds_of(field, games))
        assert measure.rounds_one_fewer == len(rounds_of(field, games, ONE_FEWER))
        assert measure.needs_rematches == (fewest_rematches(field, games) > 0 or most_meetings(field, games) > 1)
        assert measure.possible == (set(games_of(rounds_of(field, games)).values()) == {games})


# --- through the door ---


def some_fields():
    """Every number of games beside odd and even fields; in long runs all."""
    return [(field, games) for field in FIELDS for games in GAMES if is_long() or (field + games) % 11 == 0]


@pytest.mark.parametrize(("field", "games"), some_fields())
def test_what_cannot_be_had_is_said(field, games):
    schedule = draw([f"p{number}" for number in range(1, field + 1)], games)
    keys = [remark.key for remark in schedule.remarks]
    is_odd = field * games % 2 == 1
    assert ("movement_one_more" in keys) == is_odd
    assert any(key.startswith("movement_sit_outs") for key in keys) == (field % 2 == 1)
    assert ("movement_rematches" in keys) == (games > field - 1)
    assert set(keys) <= {"movement_one_more", "movement_rematches", "movement_sit_outs", "movement_sit_outs_alike"}
    assert len(schedule.rounds) == fewest_rounds(field, games)


@pytest.mark.parametrize(("field", "games"), some_fields())
def test_each_deals_first_in_half_of_his_games(field, games):
    schedule = draw([f"p{number}" for number in range(1, field + 1)], games)
    surplus = Counter()
    for drawn in schedule.rounds:
        for game in drawn.games:
            surplus.update({player: 1 if player == game.dealer else -1 for player in game.pairing.players})
        assert set(surplus.values()) <= {-1, 0, 1}


@pytest.mark.parametrize(("field", "games"), some_fields())
def test_each_game_of_a_round_has_a_table_of_its_own(field, games):
    for drawn in draw([f"p{number}" for number in range(1, field + 1)], games).rounds:
        assert [game.table for game in drawn.games] == list(range(1, len(drawn.games) + 1))
        assert {game.pairing.round for game in drawn.games} == {drawn.number}
