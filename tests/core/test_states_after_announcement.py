"""What is said in the course: each place of a deal with each announcement, and where the deal can stand after it."""

import pytest

from pegboard.core.best_path import ways
from pegboard.core.course_costs import DEAL_LATE, LOST, SAID_LATE
from pegboard.core.course_model import model_of
from pegboard.core.moves import Dealt, Staged
from pegboard.core.rules import VARIANTS, Rules

ANN, BOB, CY = 0, 1, 2
TWO = model_of(Rules())
THREE = model_of(VARIANTS["three-handed"])
MODELS = pytest.mark.parametrize("model", [TWO, THREE], ids=["two", "three"])


def reached(model, line, dealer, place):
    """The ways on: dealer, place and cost of each."""
    return [(*divmod(state, model.places), cost) for state, cost in ways(model, line, model.state(dealer, place))]


@MODELS
def test_who_deals_is_said_of_the_deal_in_hand(model):
    for place in range(model.crib):
        for dealer in range(model.seats):
            for said in range(model.seats):
                expected = (said, place, 0 if said == dealer else LOST)
                assert reached(model, Dealt(said, new=False), dealer, place) == [expected]


@MODELS
def test_after_the_crib_it_is_said_of_the_next_deal(model):
    for dealer in range(model.seats):
        after = (dealer + 1) % model.seats
        for said in range(model.seats):
            expected = (dealer, model.crib, 0) if said == after else (said, 0, LOST)
            assert reached(model, Dealt(said, new=False), dealer, model.crib) == [expected]


def test_no_name_is_that_of_the_first_seat():
    """A body of an older table: no dealer and no new deal."""
    assert reached(TWO, Dealt(None, new=False), BOB, 3) == [(ANN, 3, LOST)]


@MODELS
def test_a_new_deal_comes_from_anywhere_and_passes_to_the_next_seat(model):
    for place in range(model.places):
        for dealer in range(model.seats):
            [(now, at, cost)] = reached(model, Dealt(None), dealer, place)
            assert (now, at) == ((dealer + 1) % model.seats, 0)
            skipped = [way for way in model.ahead(place) if way[:2] == (0, 1)]
            assert cost == (skipped[0][2] if skipped else LOST)


@MODELS
def test_a_new_deal_of_another_than_the_next_seat_is_as_unlikely_as_what_is_lost(model):
    free = model.crib
    assert reached(model, Dealt(BOB), ANN, free) == [(BOB, 0, 0)]
    assert reached(model, Dealt(ANN), ANN, free) == [(ANN, 0, LOST)]


def test_an_announced_deal_can_be_the_one_in_hand_if_it_has_begun():
    late = Dealt(None, midway=True)
    for place in range(TWO.places):
        found = [way for way in reached(TWO, late, ANN, place) if way[:2] == (ANN, place)]
        assert found == ([(ANN, place, DEAL_LATE)] if 0 < place < TWO.show else []), place


def test_an_announced_deal_that_names_its_dealer_can_be_the_one_in_hand_until_the_crib():
    for place in range(TWO.places):
        found = reached(TWO, Dealt(ANN, midway=True), ANN, place)
        assert ((ANN, place, DEAL_LATE) in found) == (place not in {0, TWO.crib}), place
        assert (ANN, place, DEAL_LATE) not in reached(TWO, Dealt(BOB, midway=True), ANN, place)
        assert (ANN, place, DEAL_LATE) not in reached(TWO, Dealt(ANN), ANN, place)


@MODELS
@pytest.mark.parametrize("stage", ["play", "show"])
def test_a_stage_is_reached_by_leaving_out_entries_of_no_more_than_that(model, stage):
    """Zeros and forgotten entries only; a show that was said when a hand has been counted is said late."""
    wanted = model.in_play if stage == "play" else model.in_show
    for place in range(model.places):
        for dealer in range(model.seats):
            expected = [
                (
                    (dealer + deals) % model.seats,
                    at,
                    cost + (SAID_LATE if stage == "show" and at > model.show else 0),
                )
                for at, deals, cost in model.ahead(place)
                if wanted(at)
            ]
            found = reached(model, Staged(stage), dealer, place)
            middle = model.middle(0) if stage == "play" else model.show
            assert found == (expected or [(dealer, middle, LOST)])


def test_from_each_stage_the_other_is_reached():
    """Staying where the deal is costs nothing; back from the show to the play of this deal there is no way but LOST."""
    assert (ANN, 3, 0) in reached(TWO, Staged("play"), ANN, 3)
    assert (ANN, TWO.show, 0) in reached(TWO, Staged("show"), ANN, TWO.show)
    assert (ANN, TWO.show + 1, SAID_LATE) in reached(TWO, Staged("show"), ANN, TWO.show + 1)
    assert any(now == ANN and at == TWO.show for now, at, _ in reached(TWO, Staged("show"), ANN, 3))
    assert (BOB, 0, 0) in reached(TWO, Staged("play"), ANN, TWO.crib)
