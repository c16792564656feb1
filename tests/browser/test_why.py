"""A number key means what it most likely is, and never what the rules refuse."""

import pytest

ANN, BOB = 0, 1  # Ann deals, so Bob counts first

WHY = "async ([state, seat, points]) => (await import('/static/why.js')).whyOf(state, seat, points)"


@pytest.fixture(scope="module")
def why(program, browser):
    page = browser.new_page()
    page.goto(f"{program.url}/board")

    def why(phase, seat, points, *, played=True, to_count=None, seats=2):
        line = {"do": "score", "stands": True, "counts": True, "why": "play"}
        state = {
            "game": {"phase": phase, "to_count": to_count},
            "dealer": ANN,
            "seats": [{"lane": i} for i in range(seats)],
            "entries": [line] if played else [{"do": "deal", "stands": True, "counts": True}, line],
        }
        return page.evaluate(WHY, [state, seat, points])

    yield why
    page.close()


@pytest.mark.parametrize("points", [1, 2, 3])
def test_small_points_of_the_play_are_play(why, points):
    assert why("play", BOB, points) == "play"
    assert why("play", ANN, points) == "play"


def test_pones_twelve_after_the_play_is_the_hand(why):
    assert why("play", BOB, 12) == "hand"


@pytest.mark.parametrize("points", [4, 5, 6, 7])
def test_pones_middling_points_after_the_play_are_the_hand_two_times_of_three(why, points):
    assert why("play", BOB, points) == "hand"


def test_before_any_card_has_been_pegged_nobody_can_be_counting(why):
    assert why("play", BOB, 6, played=False) == "play"


def test_the_dealer_does_not_count_before_pone_unless_it_is_hardly_the_play(why):
    assert why("play", ANN, 6) == "play"
    assert why("play", ANN, 8) == "hand"


@pytest.mark.parametrize("points", [10, 11, 15, 16, 20, 24, 29])
def test_what_one_card_cannot_peg_is_a_hand(why, points):
    assert why("play", ANN, points) == "hand"
    assert why("play", BOB, points, played=False) == "hand"


def test_whoever_is_to_count_counts_the_hand(why):
    assert why("hand", ANN, 2, to_count=ANN) == "hand"
    assert why("hand", ANN, 24, to_count=ANN) == "hand"


def test_one_for_the_last_card_is_play_even_when_counting_has_begun(why):
    assert why("hand", ANN, 1, to_count=ANN) == "play"


def test_the_dealers_points_after_the_hands_are_the_crib(why):
    assert why("crib", ANN, 4) == "crib"
    assert why("crib", ANN, 0) == "crib"


def test_pones_small_points_after_an_empty_crib_are_the_next_play(why):
    assert why("crib", BOB, 2) == "play"
    assert why("crib", BOB, 8) == "hand"


@pytest.mark.parametrize("points", range(30))
def test_where_the_phase_is_not_known_nothing_is_guessed(why, points):
    assert why("unknown", ANN, points) is None


def test_zero_is_a_hand_without_points(why):
    assert why("play", BOB, 0) == "hand"
    assert why("hand", ANN, 0, to_count=ANN) == "hand"


def test_alone_every_number_is_counted(why):
    assert why("hand", ANN, 1, to_count=ANN, seats=1) == "hand"
