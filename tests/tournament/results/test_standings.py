"""Standings: the order of published nights, tie-breaks one after the other and in words, and places that are shared."""

import json
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.errors import RuleError
from pegboard.tournament.pairings import Pairing
from pegboard.tournament.results.claims import Claim, GameRecord, settle
from pegboard.tournament.results.rulings import award
from pegboard.tournament.results.score_cards import ScoreCard, ScoreCardTotals, score_cards
from pegboard.tournament.results.scoring import ACC
from pegboard.tournament.results.standings import (
    TIE_BREAK_ORDERS,
    Criterion,
    LastResort,
    TieBreakOrder,
    groups_of,
    rank,
    say_ordinal,
    tie_break_order,
)
from pegboard.values import STORED, read, write
from tests.support.tournament_field import NAMES, chance_records, ids

CASES = json.loads((Path(__file__).parents[2] / "data" / "tournament_cases.json").read_text("utf-8"))


def card(player, points=0, won=0, net=0, plus=None, *, skunks=0):
    """A card of nine games of which the totals alone matter."""
    plus = max(net, 0) if plus is None else plus
    return ScoreCard(player, (), ScoreCardTotals(9, points, won, skunks, plus, plus - net))


def cards_of(*cards):
    return {one.player: one for one in cards}


def said(placings):
    return [str(placing.said) for placing in placings]


def places(placings):
    return {placing.player: placing.place for placing in placings}


def game(number, players, margin=5):
    """A game that the first of two players has won by so many holes."""
    return settle(Pairing(number, players), (Claim(True, margin), Claim(False, margin)), ACC)


def level(*games):
    """The cards of these games, all with the same totals, so that only their own games can part them."""
    rows = score_cards(games, ACC)
    return {player: ScoreCard(player, one.rows, ScoreCardTotals(9, 10, 5, 0, 60, 40)) for player, one in rows.items()}


# --- published nights ---

NIGHTS = CASES["standings"]


def published_cards(night):
    """A card for each published row, entered in a shuffled order; what is not published is 0 and not looked at."""
    rows = list(enumerate(night["rows"], 1))
    random.Random(night["id"]).shuffle(rows)
    nets = [(number, row, row.get("net", 0)) for number, row in rows]
    nets = [(number, row, 28 if net == "<29" else net) for number, row, net in nets]
    return cards_of(*(card(f"p{number}", row["game_points"], row["won"], net) for number, row, net in nets))


@pytest.mark.parametrize("night", NIGHTS, ids=lambda night: night["id"])
def test_published_nights_come_out_in_their_published_order(night):
    expected = {f"p{number}": row.get("rank", row.get("place")) for number, row in enumerate(night["rows"], 1)}
    found = places(rank(published_cards(night)))
    assert found == {player: int(str(place).partition("-")[0]) for player, place in expected.items()}


@pytest.mark.parametrize("night", NIGHTS, ids=lambda night: night["id"])
def test_the_prize_places_of_published_nights_hang_on_net_spread_or_on_game_points(night):
    """Each place is decided by net spread just where its neighbour has the same points and wins."""
    numbers = [(row["game_points"], row["won"]) for row in night["rows"]]
    for placing in rank(published_cards(night)):
        at = placing.place - 1
        alike = numbers[max(at - 1, 0) : at + 2].count(numbers[at])
        expected = Criterion.NET_SPREAD if alike > 1 else Criterion.GAME_POINTS
        assert placing.decided_by == expected, placing


def test_the_rehearsed_night_says_its_tie_at_12_points_three_ways():
    night = next(row for row in NIGHTS if row["id"] == "acc-desk-walkthrough-8")
    assert night["expect"]["tie_broken_by"] == "net spread at 12/6 three ways"
    assert said(rank(published_cards(night))) == [
        "1st by net spread, +80 over +56",
        "2nd by net spread, +56 over +51",
        "3rd by net spread, +51 behind +56",
        "4th by game points, 10",
        "5th by game points, 8",
        "6th by net spread, -31 over -74",
        "7th by net spread, -74 over -77",
        "8th by net spread, -77 behind -74",
    ]


@pytest.mark.parametrize("row", CASES["qualification"], ids=lambda row: str(row["entrants"]))
def test_a_tie_on_every_number_is_a_shared_place(row):
    fields = row["rows_gp_won_net_plus"]
    cards = cards_of(*(card(f"p{n}", points, won, net, plus) for n, (points, won, net, plus) in enumerate(fields, 1)))
    found = [placing.place for placing in rank(cards)]
    assert found == ([1, 1, 3, 4] if "undecided" in str(row["qualifiers"]) else list(range(1, 9)))


# --- the tie-breaks, one after the other ---


def test_the_orders_are_the_published_ones():
    words = {
        "head_to_head_if_any": "head_to_head",
        "one_game_playoff": "play_off",
        "lowest_total_losing_points": "losing_points",
    }
    for row in CASES["tie_break_orders"]:
        order = tie_break_order(row["name"].lower())
        ours = [str(criterion) for criterion in order.criteria]
        published = [words.get(word, word) for word in row["order"]]
        assert published in (ours, [*ours, str(order.last_resort)])
    assert CASES["tie_break_orders"][0]["never"] == "minus points"


def test_minus_points_are_looked_at_only_by_the_house_that_knows_no_spread():
    using = [name for name, order in TIE_BREAK_ORDERS.items() if Criterion.LOSING_POINTS in order.criteria]
    assert using == ["pairs-wins-only"]
    assert Criterion.NET_SPREAD not in TIE_BREAK_ORDERS["pairs-wins-only"].criteria


@pytest.mark.parametrize(
    ("above", "below", "decided_by", "sentence"),
    [
        (card("p2", 13, 5), card("p1", 12, 6, 90), Criterion.GAME_POINTS, "1st by game points, 13"),
        (card("p2", 12, 6), card("p1", 12, 5, 90), Criterion.GAMES_WON, "1st by games won, 6 over 5"),
        (card("p2", 12, 6, 74), card("p1", 12, 6, 71), Criterion.NET_SPREAD, "1st by net spread, +74 over +71"),
        (card("p2", 12, 6, 0), card("p1", 12, 6, -3), Criterion.NET_SPREAD, "1st by net spread, +0 over -3"),
        (card("p2", 12, 6, 9, 80), card("p1", 12, 6, 9, 70), Criterion.PLUS_POINTS, "1st by plus points, 80 over 70"),
    ],
)
def test_the_congress_breaks_ties_by_points_wins_net_and_plus(above, below, decided_by, sentence):
    first, second = rank(cards_of(below, above))
    assert (first.player, first.decided_by, first.said) == ("p2", decided_by, sentence)
    assert (second.place, second.decided_by, first.shared) == (2, decided_by, False)


def test_a_place_in_the_midst_of_a_tie_says_what_it_is_above():
    cards = cards_of(
        card("p1", 15, 7), card("p2", 14, 6), card("p3", 12, 6, 71), card("p4", 12, 6, 74), card("p5", 12, 6, 60)
    )
    assert said(rank(cards))[2:4] == ["3rd by net spread, +74 over +71", "4th by net spread, +71 over +60"]


def test_head_to_head_parts_two_who_met():
    placings = rank(level(game(1, ("p2", "p1"))), names=NAMES)
    assert [(placing.player, placing.place) for placing in placings] == [("p2", 1), ("p1", 2)]
    assert said(placings) == ["1st by head-to-head, over Ann", "2nd by head-to-head, behind Bob"]


def test_two_who_never_met_share_the_place_until_a_play_off():
    cards = level(game(1, ("p1", "p3")), game(1, ("p2", "p4")))
    both = {player: cards[player] for player in ("p1", "p2")}
    placings = rank(both)
    assert [(placing.place, placing.shared, placing.decided_by) for placing in placings] == [(1, True, None)] * 2
    assert set(said(placings)) == {"tied for 1st (2 players); a playoff decides"}


def test_two_who_won_one_each_of_two_games_share_the_place():
    assert set(places(rank(level(game(1, ("p1", "p2")), game(5, ("p2", "p1"))))).values()) == {1}
    three = level(game(1, ("p1", "p2")), game(5, ("p2", "p1")), game(7, ("p2", "p1")))
    assert places(rank(three)) == {"p2": 1, "p1": 2}


def test_three_who_beat_each_other_in_a_ring_share_the_place():
    cards = level(game(1, ("p1", "p2")), game(2, ("p2", "p3")), game(3, ("p3", "p1")))
    assert places(rank(cards)) == {"p1": 1, "p2": 1, "p3": 1}
    assert set(said(rank(cards))) == {"tied for 1st (3 players); a playoff decides"}


def test_three_of_whom_two_never_met_are_not_parted_by_head_to_head():
    assert places(rank(level(game(1, ("p1", "p2")), game(2, ("p1", "p3"))))) == {"p1": 1, "p2": 1, "p3": 1}


def test_head_to_head_goes_on_among_those_it_left_level():
    """Dee has beaten three who beat each other in a ring; then two pairs, in each of which one has beaten the other."""
    ring = (game(1, ("p1", "p2")), game(2, ("p2", "p3")), game(3, ("p3", "p1")))
    cards = level(*ring, *(game(4 + n, ("p4", f"p{n}")) for n in (1, 2, 3)))
    assert places(rank(cards)) == {"p4": 1, "p1": 2, "p2": 2, "p3": 2}
    two_wins = (game(1, ("p1", "p2")), game(2, ("p1", "p3")), game(3, ("p3", "p4")), game(4, ("p3", "p2")))
    cards = level(*two_wins, game(5, ("p4", "p1")), game(6, ("p2", "p4")))
    assert places(rank(cards)) == {"p1": 1, "p3": 2, "p2": 3, "p4": 4}


def test_a_game_that_was_awarded_without_play_is_no_meeting():
    awarded = award(GameRecord(Pairing(1, ("p1", "p2"))), "late", "p1", ACC)
    assert places(rank(level(awarded))) == {"p1": 1, "p2": 1}


# --- play-offs ---


def test_a_play_off_parts_those_who_shared_the_place_and_says_so():
    cards = cards_of(*(card(f"p{n}", 12, 6, 9) for n in (1, 2, 3)))
    placings = rank(cards, play_offs=[[["p3"], ["p1", "p2"]]], names=NAMES)
    assert places(placings) == {"p3": 1, "p1": 2, "p2": 2}
    assert said(placings)[0] == "1st by a playoff, over Ann, Bob"
    assert groups_of(placings) == (("p3",), ("p1", "p2"))


def test_a_play_off_of_a_tie_that_is_no_longer_there_decides_nothing():
    cards = cards_of(card("p1", 12, 6, 10), card("p2", 12, 6, 9), card("p3", 12, 6, 9))
    assert places(rank(cards, play_offs=[[["p2"], ["p1"]]])) == {"p1": 1, "p2": 2, "p3": 2}
    assert places(rank(cards, play_offs=[[["p2"], ["p1"]], [["p3"], ["p2"]]])) == {"p1": 1, "p3": 2, "p2": 3}


# --- orders of other houses ---


def test_a_house_can_look_at_skunks_before_the_net_spread():
    cards = cards_of(card("p1", 12, 5, 90, skunks=2), card("p2", 12, 5, 10, skunks=3))
    placings = rank(cards, tie_break_order("brewery-2017"))
    assert places(placings) == {"p2": 1, "p1": 2}
    assert said(placings)[0] == "1st by skunks, 3 over 2"


def test_a_house_of_wins_alone_shares_the_medal_at_last():
    order = tie_break_order("pairs-wins-only")
    cards = cards_of(card("p1", won=5, plus=90, net=70), card("p2", won=5, plus=40, net=30), card("p3", won=4))
    placings = rank(cards, order)
    assert places(placings) == {"p2": 1, "p1": 2, "p3": 3}
    assert said(placings)[0] == "1st by fewest minus points, 10 over 20"
    assert said(placings)[2] == "3rd by games won, 4"
    level_on_all = cards_of(card("p1", won=5), card("p2", won=5))
    placings = rank(level_on_all, order, play_offs=[[["p1"], ["p2"]]])
    assert said(placings) == ["tied for 1st (2 players)"] * 2


def test_an_order_that_is_not_there_is_refused_with_those_that_are():
    with pytest.raises(RuleError, match="unknown tie-break order 'ACC'; use acc, brewery-2017"):
        tie_break_order("ACC")


@pytest.mark.parametrize("order", TIE_BREAK_ORDERS.values(), ids=TIE_BREAK_ORDERS)
def test_an_order_reads_back_as_it_was_stored(order):
    assert read(TieBreakOrder, json.loads(json.dumps(write(order))), STORED) == order


# --- for every night ---


@given(st.integers(0, 10**6), st.integers(2, 7), st.sampled_from(list(TIE_BREAK_ORDERS.values())))
def test_no_place_hangs_on_the_order_of_entry(seed, pairs, order):
    """Players who entered in another order, and so have other ids, come out at the same places."""
    dice = random.Random(seed)
    records = list(chance_records(2 * pairs, 3, dice.randrange(1000)))
    ours = ids(2 * pairs)
    others = dict(zip(ours, dice.sample(ours, len(ours)), strict=True))
    renamed = [
        GameRecord(
            Pairing(one.pairing.round, tuple(others[player] for player in one.pairing.players)),
            one.claims,
            one.values,
            one.decided_by,
        )
        for one in dice.sample(records, len(records))
    ]
    before = places(rank(score_cards(records, ACC, ours), order))
    after = places(rank(score_cards(renamed, ACC, dice.sample(ours, len(ours))), order))
    assert after == {others[player]: place for player, place in before.items()}


NUMBERS = st.integers(0, 2)


@given(st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS, NUMBERS), max_size=12))
def test_places_are_counted_as_in_a_race_and_follow_the_numbers(rows):
    cards = cards_of(*(card(f"p{n}", *row[:2], row[2] - 1, row[3] + 1) for n, row in enumerate(rows, 1)))
    placings = rank(cards)
    totals = {player: one.totals for player, one in cards.items()}
    key = {player: (one.points, one.won, one.net, one.plus) for player, one in totals.items()}
    for placing in placings:
        better = sum(key[other] > key[placing.player] for other in cards)
        assert placing.place == better + 1
        assert placing.shared == (sum(key[other] == key[placing.player] for other in cards) > 1)
    assert [player for group in groups_of(placings) for player in group] == [placing.player for placing in placings]


def test_an_empty_field_has_no_places():
    assert rank({}) == ()


def test_a_player_alone_is_first():
    assert said(rank(cards_of(card("p1", 4, 2)))) == ["1st by game points, 4"]


def test_a_house_may_have_an_order_of_its_own_and_no_play_off():
    order = TieBreakOrder("by wins", (Criterion.GAMES_WON,), LastResort.SHARED)
    assert places(rank(cards_of(card("p1", won=3), card("p2", won=4), card("p3", won=3)), order)) == {
        "p2": 1,
        "p1": 2,
        "p3": 2,
    }


@pytest.mark.parametrize(
    ("place", "words"),
    [
        *((1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (10, "10th"), (11, "11th"), (12, "12th"), (13, "13th")),
        *((21, "21st"), (22, "22nd"), (23, "23rd"), (24, "24th"), (100, "100th"), (101, "101st"), (111, "111th")),
    ],
)
def test_a_place_is_said_as_an_ordinal(place, words):
    assert say_ordinal(place) == words
