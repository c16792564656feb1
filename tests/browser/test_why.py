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


# --- behind taps that wait ---

TAPS = """async ([state, taps, seat, points]) =>
    (await import('/static/why.js')).whyBehind(state, taps.map(body => ({body})), seat, points)"""


@pytest.fixture(scope="module")
def behind(program, browser):
    """What a tap means behind others that wait, each `(seat, points, why)` or a command, in the show of Ann's deal."""
    page = browser.new_page()
    page.goto(f"{program.url}/board")

    def behind(taps, seat, points, phase="play", to_count=None):
        card = {"do": "score", "stands": True, "counts": True, "why": "play"}
        seats = [{"lane": 0}, {"lane": 1}]
        state = {"game": {"phase": phase, "to_count": to_count}, "dealer": ANN, "seats": seats, "entries": [card]}
        bodies = [
            tap if isinstance(tap, dict) else dict(zip(("do", "seat", "why"), ("score", *tap), strict=True))
            for tap in taps
        ]
        return page.evaluate(TAPS, [state, bodies, seat, points])

    yield behind
    page.close()


def test_a_whole_show_is_told_from_taps_that_wait(behind):
    assert behind([], BOB, 8) == "hand"
    assert behind([(BOB, "hand")], ANN, 6) == "hand"
    assert behind([(BOB, "hand"), (ANN, "hand")], ANN, 4) == "crib"
    assert behind([(BOB, "hand"), (ANN, "hand"), (ANN, "crib")], ANN, 4) == "play"
    assert behind([(ANN, "hand")], BOB, 4, "hand", ANN) == "hand"
    assert behind([(ANN, "hand")], ANN, 4, "hand", ANN) == "crib"


def test_a_card_after_an_empty_crib_begins_a_deal(behind):
    assert behind([(ANN, "play")], BOB, 5, "crib") == "play"
    assert behind([{"do": "deal"}], ANN, 6) == "play"
    assert behind([(BOB, "hand"), (ANN, "hand"), {"do": "deal"}, (ANN, "play")], ANN, 6) == "hand"


def test_behind_what_cannot_be_foreseen_nothing_is_guessed(behind):
    assert behind([{"do": "undo", "entry": "3"}], ANN, 6) is None
    assert behind([(ANN, None)], ANN, 6) is None
    assert behind([{"do": "start"}, (ANN, "play")], ANN, 2) is None


def test_a_crib_of_a_deal_to_come_is_not_claimed(behind):
    show = [(ANN, "crib"), (BOB, "play"), (ANN, "hand"), (BOB, "hand")]
    assert behind(show, BOB, 4, "crib") is None
    assert behind(show, ANN, 12, "crib") == "hand"
