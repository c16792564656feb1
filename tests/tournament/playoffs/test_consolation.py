"""The consolation and the plate: who may play, who chooses to, and their own bracket."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import RuleError
from pegboard.tournament.playoffs.bracket import draw
from pegboard.tournament.playoffs.consolation import (
    CONSOLATIONS,
    ConsolationField,
    count_open_matches,
    draw_consolation,
    eligible,
    find_ineligible,
)
from pegboard.tournament.playoffs.qualifying import cut
from tests.support.bracket_changes import matches_ready, with_game_corrected

TWELVE = tuple((f"p{n}",) for n in range(1, 13))
"""Standings: the first three qualify."""


def main_bracket(*wins, qualifiers=("p1", "p2", "p3")):
    bracket = draw("main", qualifiers, best_of=(1,))
    for key, winner in wins:
        bracket = bracket.with_game(key, winner)
    return bracket


def players(ranking):
    return [player for group in ranking for player in group]


def test_who_did_not_qualify_may_play_the_consolation():
    may = eligible(TWELVE, main_bracket(), ConsolationField.NON_QUALIFIERS)
    assert players(may) == [f"p{n}" for n in range(4, 13)]


def test_who_lost_in_the_first_round_may_play_the_plate():
    assert players(eligible(TWELVE, main_bracket(), ConsolationField.FIRST_ROUND_LOSERS)) == []
    may = eligible(TWELVE, main_bracket(("main:1:2", "p3")), ConsolationField.FIRST_ROUND_LOSERS)
    assert players(may) == ["p2"]


def test_who_had_a_bye_and_lost_the_first_match_may_play_the_open_plate():
    main = main_bracket(("main:1:2", "p3"), ("main:2:1", "p3"))
    assert players(eligible(TWELVE, main, ConsolationField.FIRST_ROUND_LOSERS)) == ["p2"]
    assert players(eligible(TWELVE, main, ConsolationField.FIRST_MATCH_LOSERS)) == ["p1", "p2"]


def test_who_won_a_match_before_losing_may_not_play_the_open_plate():
    main = main_bracket(("main:1:2", "p3"), ("main:2:1", "p1"))
    assert players(eligible(TWELVE, main, ConsolationField.FIRST_MATCH_LOSERS)) == ["p2"]


def test_both_may_play_the_second_chance_by_their_place_in_the_standings():
    may = eligible(TWELVE, main_bracket(("main:1:2", "p3")), ConsolationField.BOTH)
    assert players(may) == ["p2", *(f"p{n}" for n in range(4, 13))]


def test_a_substitute_has_qualified_and_who_gave_up_the_place_has_not():
    main = main_bracket().with_player_at(3, "p4")
    assert main.players == ("p1", "p2", "p4")
    may = eligible(TWELVE, main, ConsolationField.NON_QUALIFIERS)
    assert players(may) == ["p3", *(f"p{n}" for n in range(5, 13))]


def test_it_is_known_how_many_matches_the_field_waits_for():
    waits = {field: count_open_matches(main_bracket(), field) for field in ConsolationField}
    assert waits == {"non_qualifiers": 0, "first_round_losers": 1, "first_match_losers": 2, "both": 1}
    ended = main_bracket(("main:1:2", "p3"), ("main:2:1", "p3"))
    assert {count_open_matches(ended, field) for field in ConsolationField} == {0}
    assert count_open_matches(main_bracket(qualifiers=("p1",)), ConsolationField.FIRST_MATCH_LOSERS) == 0


def test_the_field_is_who_chooses_it_seeded_by_the_standings():
    may = eligible(TWELVE, main_bracket(), CONSOLATIONS["consolation"])
    bracket = draw_consolation("consolation", may, {"p12", "p4", "p7"}, best_of=(1,))
    assert bracket.players == ("p4", "p7", "p12")
    assert [match.key for match in matches_ready(bracket)] == ["consolation:1:2"]


def test_who_may_not_play_in_it_is_refused():
    may = eligible(TWELVE, main_bracket(), ConsolationField.NON_QUALIFIERS)
    with pytest.raises(RuleError, match=r"^players chosen who cannot enter the consolation: 2$"):
        draw_consolation("consolation", may, {"p1", "p2", "p5"})
    with pytest.raises(RuleError, match=r"^a bracket needs at least one player$"):
        draw_consolation("consolation", may, ())


def test_a_tie_is_decided_before_the_draw_unless_only_one_of_it_plays():
    may = (("p4",), ("p5", "p6"))
    with pytest.raises(RuleError, match=r"^places 2 to 3 are tied"):
        draw_consolation("consolation", may, {"p4", "p5", "p6"})
    assert draw_consolation("consolation", may, {"p4", "p6"}).players == ("p4", "p6")


def test_after_a_correction_it_is_known_who_should_not_be_in_it():
    first = main_bracket(("main:1:2", "p3"))
    plate = draw_consolation("plate", eligible(TWELVE, first, ConsolationField.BOTH), {"p2", "p9"})
    corrected = with_game_corrected(first, "main:1:2", 1, "p2").bracket
    assert find_ineligible(plate, eligible(TWELVE, corrected, ConsolationField.BOTH)) == ("p2",)


@given(st.integers(1, 40), st.sampled_from(sorted(ConsolationField)), st.integers(0, 2**32))
def test_nobody_may_play_who_can_still_win_the_main_bracket(entrants, field, seed):
    ranking = tuple((f"p{n}",) for n in range(1, entrants + 1))
    main = draw("main", cut(ranking).order_seeds(), best_of=(1,))
    chance = random.Random(seed)
    for _ in range(chance.randint(0, 12)):
        if matches_ready(main):
            match = chance.choice(matches_ready(main))
            main = main.with_game(match.key, chance.choice(match.players))
    out = {match.loser for match in main.matches} - {None}
    in_it = set(main.players) - out
    may = players(eligible(ranking, main, field))
    assert not in_it.intersection(may)
    assert len(may) == len(set(may))
