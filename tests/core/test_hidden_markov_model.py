"""The model's moves, entry by entry: whose eyes see it, what is left out, and where a lost deal can stand."""

import math

import pytest

from pegboard.core.course_costs import (
    FORGOTTEN,
    GO_FORGOTTEN,
    HEELS_TURNED,
    LOST,
    RARE,
    UNIT,
    ZERO_LEFT_OUT,
    cost_of,
    play_entries,
    show_costs,
)
from pegboard.core.course_model import BEGUN, CRIB, ENDED, HAND, HEELS, PLAY, SAID, Seen, model_of
from pegboard.core.learned_tables import TABLES
from pegboard.core.rules import VARIANTS
from tests.support.long_runs import some_in

TWO, THREE, FOUR, LONE_FOUR, SIX = (
    model_of(VARIANTS[name]) for name in ("standard", "three-handed", "partners", "cut-throat-four", "six-partners")
)
MODELS = pytest.mark.parametrize(
    "model", [TWO, THREE, FOUR, LONE_FOUR, SIX], ids=["two", "three", "partners", "four", "six"]
)


def places(moves):
    return {(move.place, move.deals, move.what): move.cost for move in moves}


@MODELS
@pytest.mark.parametrize("points", some_in([0, 1, 2, 5, 12, 29], 2))
@pytest.mark.parametrize("why", some_in([None, "play", "hand", "crib", "heels"], 2))
def test_an_entry_of_the_next_seat_under_the_next_dealer_is_the_same_entry(model, points, why):
    """The table is round: who sits where changes nothing but the names."""
    for seat in range(model.seats):
        here = model.links(seat % model.lanes, seat, points, why, False)
        after = (seat + 1) % model.seats
        there = model.links(after % model.lanes, after, points, why, False)
        for dealer in range(model.seats):
            for place in range(model.places):
                turned = {
                    (model.state(link.state // model.places + 1, link.state % model.places), link.cost, link.what)
                    for link in here[model.state(dealer, place)]
                }
                assert turned == set(there[model.state(dealer + 1, place)])


def test_where_lanes_are_seats_it_is_the_same_with_the_seat_and_without():
    assert TWO.links(1, 1, 8, None, False)[3] == TWO.links(1, None, 8, None, False)[3]
    show = FOUR.state(0, FOUR.show)
    assert FOUR.links(1, 1, 8, "hand", False)[show] != FOUR.links(1, 3, 8, "hand", False)[show]


@MODELS
def test_after_the_crib_an_entry_is_seen_from_the_next_dealer(model):
    """No card is passed over where the crib has been counted: the deal begins, with what was left out of it."""
    for points in (1, 2, 6):
        for seat in range(model.seats):
            seen = Seen(seat % model.lanes, seat if model.seats != model.lanes else None, points)
            now = (seat - 1) % model.seats
            from_next = Seen(now % model.lanes, now if model.seats != model.lanes else None, points)
            after_crib = {key: cost for key, cost in places(model.moves(model.crib, seen)).items() if key[1] == 1}
            first = places(model.moves(0, from_next))
            begun = {(place, 1, what): cost for (place, deals, what), cost in first.items() if not deals}
            assert {key: after_crib.get(key) for key in begun} == begun


@MODELS
def test_a_lost_deal_can_stand_after_heels_in_the_play_or_at_any_count(model):
    dealer = Seen(0, 0 if model is FOUR else None, 2)
    found = places(model.lost_moves(dealer))
    assert found[1, 0, HEELS] == HEELS_TURNED + LOST
    assert (model.middle(0), 0, PLAY) in found
    assert (model.middle(0), 0, ENDED) in found
    five = places(model.lost_moves(dealer._replace(points=5, why="heels")))
    assert five == {(1, 0, HEELS): RARE + LOST}
    one = places(model.lost_moves(dealer._replace(points=1)))
    assert {key[2] for key in one} <= {HEELS, ENDED, HAND, CRIB}, "one is a go or the last card, no points of a card"
    pone = Seen(1, 1 if model is FOUR else None, 8)
    counted = {place for place, _, what in places(model.lost_moves(pone)) if what == HAND}
    assert counted == {model.show + n for n in range(1, model.seats + 1) if n % model.lanes == 1}
    assert all(deals == 0 for _, deals, _ in places(model.lost_moves(pone)))


def rows_of(name):
    """The lines of the table: the play by entries, counts and lane, and the hands in the order of counting."""
    lines = [line.split(" ") for line in TABLES[name].splitlines()]
    play = {tuple(map(int, head)): list(play_entries(body)) for head, body in lines if head != "show"}
    return play, [show_costs(body) for head, body in lines if head == "show"]


def test_a_hand_or_crib_left_out_was_zero_or_is_forgotten():
    _, shows = rows_of("two")
    for number, costs in enumerate(shows):
        zero = math.exp(-costs[0] / UNIT)
        steps = [way for way in TWO.ahead(TWO.show + number) if way[:2] == (TWO.show + number + 1, 0)]
        assert steps == [(TWO.show + number + 1, 0, cost_of(zero * ZERO_LEFT_OUT + FORGOTTEN))]


def test_an_entry_of_the_play_left_out_is_forgotten_as_often_as_it_comes():
    play, _ = rows_of("two")
    by_place = {}
    for (lane, points, flags), cost in play[BEGUN]:
        ends = flags & 1
        reached = "show" if flags & 2 else (ends, lane, 1 - ends, min(points, 3))
        odds = GO_FORGOTTEN if points == 1 else FORGOTTEN
        by_place[reached] = by_place.get(reached, 0) + odds * math.exp(-cost / UNIT)
    names = [key for key in play if key != BEGUN]
    ahead = {place: cost for place, deals, cost in TWO.ahead(0) if not deals}
    for reached, odds in by_place.items():
        if reached in names:
            assert ahead[2 + names.index(reached)] <= cost_of(odds), "or less by a way round"
    at_once = [reached for reached in by_place if reached in names and reached[0] == 0]
    assert {ahead[2 + names.index(reached)] for reached in at_once} == {cost_of(by_place[each]) for each in at_once}
    assert ahead[0] == 0


def test_what_is_said_binds_but_a_guess_only_weighs():
    said = Seen(1, None, 8, "hand")
    assert {move.what for move in TWO.moves(TWO.show, said)} <= SAID["hand"]
    assert list(TWO.moves(TWO.show, Seen(1, None, 8, "unheard-of"))) == []
    guessed = {move.what for move in TWO.moves(TWO.show, said._replace(why="play", guessed=True))}
    assert HAND in guessed
