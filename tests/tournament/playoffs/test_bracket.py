"""A bracket: results go on, what hangs on an undone game goes with it, who is gone blocks nothing."""

from dataclasses import replace

import pytest

from pegboard import RuleError
from pegboard.errors import Already
from pegboard.tournament.playoffs.bracket import Bracket, BracketGame, Ending, MatchState, draw
from pegboard.tournament.playoffs.seeding import Placement
from tests.support.bracket_changes import (
    matches_ready,
    with_departure,
    with_game_corrected,
    without_departure,
    without_game,
)

NAMES = {"p1": "Ann", "p2": "Bob", "p3": "Cy", "p4": "Dee"}
FOUR = ("p1", "p2", "p3", "p4")


def played(bracket, *wins):
    for key, winner in wins:
        bracket = bracket.with_game(key, winner)
    return bracket


def meeting(bracket):
    return {match.key: match.players for match in matches_ready(bracket)}


def in_one_game(*players):
    return draw("main", players, best_of=(1,))


# --- results ---


def test_seeds_meet_as_the_bracket_says():
    assert meeting(in_one_game(*FOUR)) == {"main:1:1": ("p1", "p4"), "main:1:2": ("p3", "p2")}


def test_a_winner_goes_on():
    bracket = played(in_one_game(*FOUR), ("main:1:1", "p4"), ("main:1:2", "p2"))
    assert meeting(bracket) == {"main:2:1": ("p4", "p2")}
    bracket = played(bracket, ("main:2:1", "p2"))
    assert (bracket.winner, matches_ready(bracket)) == ("p2", ())


def test_who_has_a_bye_waits_in_the_second_round():
    bracket = in_one_game("p1", "p2", "p3")
    assert meeting(bracket) == {"main:1:2": ("p3", "p2")}
    states = [match.state for match in bracket.matches]
    assert states == [MatchState.BYE, MatchState.READY, MatchState.WAITING]
    assert meeting(played(bracket, ("main:1:2", "p3"))) == {"main:2:1": ("p1", "p3")}


def test_one_qualifier_has_won():
    bracket = draw("main", ["p1"])
    assert (bracket.winner, bracket.matches) == ("p1", ())


def test_each_round_has_a_length_of_its_own_and_the_last_one_holds_on():
    bracket = draw("main", [f"p{n}" for n in range(1, 17)], best_of=(1, 3, 5))
    assert [match.best_of for match in bracket.matches] == [1] * 8 + [3] * 4 + [5] * 3


def test_a_match_goes_on_until_one_has_won_enough_games():
    bracket = played(draw("main", ["p1", "p2"]), ("main:1:1", "p1"), ("main:1:1", "p2"))
    assert (bracket.winner, bracket.find_match("main:1:1").won) == (None, (1, 1))
    assert played(bracket, ("main:1:1", "p2")).winner == "p2"


def test_several_games_are_lost_at_once_by_not_coming():
    bracket = draw("main", ["p1", "p2"], best_of=(5,)).with_game("main:1:1", "p1", Ending.NO_SHOW, games=2)
    assert bracket.find_match("main:1:1").won == (2, 0)
    assert bracket.with_game("main:1:1", "p1", Ending.PLAYED, margin=31).winner == "p1"


@pytest.mark.parametrize(
    ("first", "refused", "sentence"),
    [
        ((), {"key": "main:9:1", "winner": "p1"}, "this bracket has no match 'main:9:1'"),
        (
            (),
            {"key": "main:2:1", "winner": "p1"},
            "match 1 of round 2 does not have both players yet; finish the matches before it",
        ),
        (
            (),
            {"key": "main:1:1", "winner": "p2"},
            "the winner of match 1 of round 1 must be one of its two players",
        ),
        (
            (("main:1:1", "p1"), ("main:1:1", "p1")),
            {"key": "main:1:1", "winner": "p4"},
            "match 1 of round 1 is decided; to change it, undo its last game",
        ),
        (
            (),
            {"key": "main:1:1", "winner": "p1", "games": 2},
            "enter 1 to 1 games of this match at once, not 2",
        ),
        (
            (("main:1:1", "p1"),),
            {"key": "main:1:1", "winner": "p1", "how": Ending.NO_SHOW, "games": 2},
            "enter 1 to 1 games of this match at once, not 2",
        ),
        (
            (),
            {"key": "main:1:1", "winner": "p1", "how": Ending.NO_SHOW, "games": 0},
            "enter 1 to 2 games of this match at once, not 0",
        ),
        (
            (),
            {"key": "main:1:1", "winner": "p1", "margin": 122},
            "a played game has a margin of 1 to 121, not 122",
        ),
        (
            (),
            {"key": "main:1:1", "winner": "p1", "margin": 0},
            "a played game has a margin of 1 to 121, not 0",
        ),
        (
            (),
            {"key": "main:1:1", "winner": "p1", "how": Ending.NO_SHOW, "margin": 10},
            "a played game has a margin of 1 to 121, not 10",
        ),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence_and_changes_nothing(first, refused, sentence):
    bracket = played(draw("main", FOUR), *first)
    before = replace(bracket)
    with pytest.raises(RuleError) as refusal:
        bracket.with_game(**refused)
    assert str(refusal.value) == sentence
    assert bracket == before


# --- undo ---


def won_by_the_better():
    return played(
        draw("main", FOUR),
        *(("main:1:1", "p1"), ("main:1:1", "p1"), ("main:1:2", "p2"), ("main:1:2", "p3"), ("main:1:2", "p2")),
        *(("main:2:1", "p1"), ("main:2:1", "p1")),
    )


def test_undo_of_a_result_drops_what_hangs_on_it():
    change = without_game(won_by_the_better(), "main:1:1")
    assert [game.match for game in change.dropped] == ["main:2:1", "main:2:1"]
    assert change.bracket.winner is None
    assert meeting(change.bracket) == {"main:1:1": ("p1", "p4")}
    assert change.bracket.idle == ()


def test_what_was_dropped_does_not_come_back_with_the_same_players():
    bracket = without_game(won_by_the_better(), "main:1:1").bracket.with_game("main:1:1", "p1")
    assert meeting(bracket) == {"main:2:1": ("p1", "p2")}
    assert bracket.find_match("main:2:1").won == (0, 0)


def test_undo_of_the_last_game_drops_nothing():
    change = without_game(won_by_the_better(), "main:2:1")
    assert change.dropped == ()
    assert change.bracket.find_match("main:2:1").won == (1, 0)


def test_any_game_of_a_match_can_be_undone():
    change = without_game(won_by_the_better(), "main:1:2", 2)
    match = change.bracket.find_match("main:1:2")
    assert [game.winner for game in match.games] == ["p2", "p2"]
    assert (match.winner, change.dropped) == ("p2", ())


def test_games_that_are_alike_are_undone_one_at_a_time():
    bracket = played(draw("main", ["p1", "p2"]), ("main:1:1", "p1"), ("main:1:1", "p1"))
    assert without_game(bracket, "main:1:1", 1).bracket.find_match("main:1:1").won == (1, 0)


def test_a_corrected_result_sends_the_other_one_on():
    change = with_game_corrected(won_by_the_better(), "main:1:2", 3, "p3", margin=4)
    assert [game.match for game in change.dropped] == ["main:2:1", "main:2:1"]
    assert meeting(change.bracket) == {"main:2:1": ("p1", "p3")}
    assert change.bracket.find_match("main:1:2").games[-1].margin == 4


def test_a_corrected_margin_drops_nothing():
    change = with_game_corrected(won_by_the_better(), "main:1:2", 1, "p2", margin=31)
    assert (change.dropped, change.bracket.winner) == ((), "p1")


# --- who is gone ---


def test_who_is_gone_loses_each_open_match_and_blocks_nothing():
    bracket = with_departure(draw("main", FOUR), "p1", "p2")
    match = bracket.find_match("main:1:1")
    assert (match.winner, match.by_departure, match.loser) == ("p4", True, "p1")
    assert meeting(bracket) == {"main:2:1": ("p4", "p3")}


@pytest.mark.parametrize(("first", "second"), [("p4", "p1"), ("p1", "p4")])
def test_of_two_who_are_gone_who_left_first_has_lost_first(first, second):
    bracket = with_departure(draw("main", FOUR), first, second)
    assert bracket.find_match("main:1:1").winner == second
    assert played(bracket, ("main:1:2", "p3"), ("main:1:2", "p3")).winner == "p3"


def test_who_went_on_because_another_had_left_still_did_so_after_leaving_too():
    bracket = played(with_departure(draw("main", FOUR, best_of=(1, 3)), "p1"), ("main:1:2", "p2"), ("main:2:1", "p4"))
    bracket = with_departure(bracket, "p4")
    assert (bracket.idle, bracket.winner) == ((), "p2")
    assert bracket.find_match("main:2:1").won == (1, 0)


def test_a_bracket_ends_with_one_winner_though_everybody_is_gone():
    bracket = draw("main", FOUR)
    for player in ("p2", "p1", "p4", "p3"):
        bracket = with_departure(bracket, player)
    assert (bracket.winner, matches_ready(bracket)) == ("p3", ())


def test_games_that_were_won_before_leaving_stand():
    bracket = with_departure(played(draw("main", FOUR), ("main:1:1", "p1"), ("main:1:1", "p1")), "p1")
    assert bracket.find_match("main:1:1").winner == "p1"
    assert played(bracket, ("main:1:2", "p2"), ("main:1:2", "p2")).winner == "p2"


def test_a_match_that_somebody_has_left_says_so():
    bracket = with_departure(draw("main", FOUR), "p4")
    with pytest.raises(Already, match=r"^a player in match 1 of round 1 has left; if that player is playing after all"):
        bracket.with_game("main:1:1", "p4")


def test_who_comes_back_plays_on_and_what_was_won_instead_is_dropped():
    bracket = played(with_departure(draw("main", FOUR), "p4"), ("main:1:2", "p2"), ("main:1:2", "p2"))
    bracket = played(bracket, ("main:2:1", "p1"))
    change = without_departure(bracket, "p4")
    assert [game.match for game in change.dropped] == ["main:2:1"]
    assert meeting(change.bracket) == {"main:1:1": ("p1", "p4")}


# --- placements ---


def test_a_substitute_has_the_place_of_who_does_not_play():
    changed = draw("main", FOUR).with_player_at(2, "p5")
    assert meeting(changed)["main:1:1"] == ("p1", "p5")
    assert changed.players == ("p1", "p2", "p3", "p5")


def test_two_change_places_and_what_they_played_is_dropped():
    changed = won_by_the_better().with_player_at(1, "p2")
    assert meeting(changed) == {"main:1:1": ("p2", "p4"), "main:1:2": ("p3", "p1")}
    assert changed.games == ()


def test_a_place_is_one_of_the_bracket_and_changes():
    bracket = draw("main", ["p1", "p2", "p3"])
    for place in (0, 2, 5):  # the second one is a bye
        with pytest.raises(RuleError, match=rf"^this bracket has no player in place {place}$"):
            bracket.with_player_at(place, "p9")
    with pytest.raises(Already, match=r"^this player is already in that place$"):
        bracket.with_player_at(1, "p1")


# --- places ---


def test_who_lose_in_one_round_share_their_places():
    bracket = in_one_game(*(f"p{n}" for n in range(1, 7)))
    assert [(place.first, place.last) for place in bracket.places] == [(1, 1), (2, 2), (3, 4), (5, 6)]
    bracket = played(bracket, *(("main:1:2", "p5"), ("main:1:3", "p6")))
    bracket = played(bracket, *(("main:2:1", "p1"), ("main:2:2", "p2"), ("main:3:1", "p2")))
    assert [place.players for place in bracket.places] == [("p2",), ("p1",), ("p5", "p6"), ("p4", "p3")]


# --- rows of other versions ---


@pytest.mark.parametrize(
    "game",
    [
        BracketGame("main:7:1", ("p1", "p4"), "p1"),
        BracketGame("main:1:1", ("p1", "p3"), "p1"),
        BracketGame("main:1:1", ("p1", "p4"), "p9"),
        BracketGame("main:2:1", ("p1", "p2"), "p1"),
    ],
)
def test_a_row_that_fits_no_match_is_idle(game):
    bracket = replace(draw("main", FOUR), games=(game,))
    assert bracket.idle == (game,)
    assert len(matches_ready(bracket)) == 2


def test_rows_of_no_full_bracket_are_read_as_far_as_they_go():
    rows = tuple(Placement(place, place, f"p{place}") for place in (1, 2, 3))
    assert meeting(Bracket("main", rows)) == {"main:1:1": ("p1", "p2")}
    assert Bracket("main", ()).winner is None
    both_empty = (Placement(1, 1, None), Placement(2, 2, None), Placement(3, 3, "p1"), Placement(4, 4, None))
    assert Bracket("main", both_empty).winner == "p1"
    assert [place.players for place in Bracket("main", both_empty).places] == [("p1",)]
