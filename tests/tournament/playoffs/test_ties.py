"""Ties: who ties for what, in words."""

import pytest

from pegboard.tournament.pairings import join_names
from pegboard.tournament.playoffs.qualifying import Tie, TieKind, say_tie, spans

AS_THEY_DRAW = "one-game playoffs, paired by draw, each knock one player out"
NAMES = {"p1": "Ann", "p2": "Bob", "p3": "Cy", "p4": "Dee"}


def test_a_group_covers_as_many_places_as_it_has_players():
    assert list(spans((("a",), ("b", "c"), ("d",)))) == [(1, ("a",)), (2, ("b", "c")), (4, ("d",))]


@pytest.mark.parametrize(
    ("tie", "sentence"),
    [
        (
            Tie(TieKind.CUT, ("p2", "p3"), 2),
            "Bob and Cy tie at the cutoff: a one-game playoff decides, and the loser is out",
        ),
        (
            Tie(TieKind.CUT, ("p2", "p3", "p4"), 2, 1),
            "Bob, Cy and Dee tie at the cutoff (places left: 1): " + AS_THEY_DRAW,
        ),
        (
            Tie(TieKind.CUT, ("p2", "p3", "p4"), 2, 2),
            "Bob, Cy and Dee tie at the cutoff (places left: 2): " + AS_THEY_DRAW,
        ),
        (Tie(TieKind.SEED, ("p1", "p2"), 1), "Ann and Bob tie for seeds 1 and 2: a one-game playoff decides"),
        (Tie(TieKind.SEED, ("p1", "p2", "p9"), 3), "Ann, Bob and p9 tie for seeds 3 to 5: they cut cards"),
        (
            Tie(TieKind.HIGH_NON_QUALIFIER, ("p1", "p2"), 4),
            "Ann and Bob tie for high non-qualifier: they share it, or play a game",
        ),
    ],
)
def test_a_tie_is_said_with_who_ties_and_what_decides(tie, sentence):
    assert say_tie(tie, NAMES) == sentence


@pytest.mark.parametrize(("players", "row"), [((), ""), (("p1",), "Ann"), (("p1", "p9"), "Ann and p9")])
def test_names_in_a_row_have_an_and_before_the_last(players, row):
    assert join_names(players, NAMES) == row


def test_names_in_a_row_are_translated_with_their_sentence():
    said = say_tie(Tie(TieKind.SEED, ("p1", "p2"), 1), NAMES).as_json()
    assert said["values"]["names"]["key"] == "playoffs_names_in_a_row"
    assert said["values"]["names"]["values"] == {"others": "Ann", "last": "Bob"}
