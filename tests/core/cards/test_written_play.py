"""A play written in one line is followed step by step: who plays, says go and scores, and what cannot be."""

import pytest

from pegboard.core.cards.pack import read_laid
from pegboard.core.cards.written_play import cards_left, follow_play, read_play
from pegboard.errors import RuleError


def told(play):
    """Each step as player, card or go, count and points; a go that is scored has an empty act."""
    acts = [str(step.card) if step.card else "" if step.parts else "go" for step in play.steps]
    return [(step.player, act, step.count, step.points) for step, act in zip(play.steps, acts, strict=True)]


A_GO_EACH = [
    ("pone", "9", 9, 0),
    ("dealer", "K", 19, 0),
    ("pone", "J", 29, 0),
    ("dealer", "go", 29, 0),
    ("pone", "", 29, 1),
    ("dealer", "K", 10, 0),
    ("pone", "5", 15, 2),
    ("dealer", "K", 25, 0),
    ("pone", "go", 25, 0),
    ("dealer", "4", 29, 0),
    ("dealer", "", 29, 1),
    ("pone", "10", 10, 1),
]
HANDS = ("5 9 10 J", "4 K K K")


@pytest.mark.parametrize(
    "line",
    [
        "9 K J go K 5 K go 4 10",
        "9 K J go go K 5 K go 4 go 10",  # who takes the go may say it, too
        "9kj GO k5k go4 t",
        "9-K-J-go; K,5,K-go-4; 10",
        "9 K J go / K 5 K go 4 / 10",
        "9 K J / K 5 K go 4 / 10",  # where a count ends, everybody has said go
        "9H KS JD go KC 5H KD go 4S 10C",
    ],
)
@pytest.mark.parametrize("hands", [(), HANDS, (None, HANDS[1]), (HANDS[0], None)])
def test_a_play_is_followed_however_it_is_written(line, hands):
    play = follow_play(line, hands)
    assert [(player, act[:-1] if act[-1:] in "CDHS" else act, *rest) for player, act, *rest in told(play)] == [
        (player, act, count, points) for player, act, count, points in A_GO_EACH
    ]
    assert (play.state.points, play.state.over) == ((4, 1), True)


def test_known_hands_say_who_says_go_even_if_it_is_not_written():
    assert told(follow_play("9 K J K 5 K 4 10", HANDS)) == A_GO_EACH


def test_of_unknown_hands_nothing_is_said_about_a_go_that_may_still_be_followed_by_a_card():
    assert told(follow_play("9 K J go"))[-1] == ("dealer", "go", 29, 0)
    assert told(follow_play("9 K J go", (HANDS[0], None)))[-1] == ("pone", "", 29, 1)
    assert told(follow_play("9 K J go 2"))[-1] == ("pone", "2", 31, 2)


def test_the_last_of_eight_cards_scores_one_and_of_seven_none():
    assert told(follow_play("4 2 3 5 Q A 3 A"))[-1] == ("dealer", "A", 29, 1)
    seven = follow_play("4 2 3 5 Q A 3")
    assert (told(seven)[-1], seven.state.turn) == (("pone", "3", 28, 0), 1)


def test_three_and_four_players_go_on_until_nobody_can_play():
    play = follow_play("9 9 10 go go go K", players=3)
    assert told(play)[3:] == [
        ("pone", "go", 28, 0),
        ("player 2", "go", 28, 0),
        ("dealer", "", 28, 1),
        ("pone", "K", 10, 0),
    ]
    assert play.state.points == (0, 2, 1)
    assert follow_play("A A A A", players=4).players == ("pone", "player 2", "player 3", "dealer")


def test_hands_of_five_card_have_three_cards():
    play = follow_play("K Q J go 5 5 5", held=3)
    assert (play.state.over, play.state.points) == (True, (3 + 1 + 2, 2 + 6 + 1))


def test_parts_have_the_cards_as_they_are_written():
    parts = [part for step in follow_play("4C 5H 3S 3").steps for part in step.parts]
    assert [" ".join(map(str, part.cards)) for part in parts] == ["3S 4C 5H", "4C 5H 3S 3", "3S 3"]


def test_a_card_without_a_suit_can_be_any_of_its_rank():
    hand = read_laid("5H 5C 6 J")
    assert cards_left(hand, read_laid("5 5H")) == read_laid("6 J")
    assert cards_left(hand, read_laid("6S")) == read_laid("5H 5C J")
    assert cards_left(hand, read_laid("5S")) is None
    assert told(follow_play("5 9 5H 9", ("5H 5C 6 J", None)))[2] == ("pone", "5H", 19, 0)


@pytest.mark.parametrize("typed", ["go", "GO", " Go ", ",go,"])
def test_a_go_is_read_in_either_case(typed):
    assert read_play(typed) == (None,)


@pytest.mark.parametrize(
    ("line", "hands", "sentence"),
    [
        ("", (), "0 cards cannot have been played; 1 to 8 are possible"),
        (" / ", (), "0 cards cannot have been played; 1 to 8 are possible"),
        (
            "K K K K",
            (),
            "K cannot be played: the count would be 40, and the limit is 31; if dealer cannot play, write go before it",
        ),
        ("go", (), "pone cannot say go: any card can be played on a count of 0"),
        ("9 8 go", (), "pone cannot say go: any card can be played on a count of 17"),
        ("9 8 / 7", (), "pone cannot say go: any card can be played on a count of 17"),
        ("9 K 4 go", (None, HANDS[1]), "dealer cannot say go: 4 can be played on a count of 23"),
        (
            "K K 5 go 4 4",
            (),
            "dealer played 4 after saying go on a count of 25, where 4 can be played; play it instead of go",
        ),
        (
            "K K 5 go 6 / 6",
            (),
            "dealer played 6 after saying go on a count of 25, where 6 can be played; play it instead of go",
        ),
        ("9 Q", HANDS, "dealer does not hold Q; choose from 4, K, K, K"),
        ("9 KH 5 KH", (None, "KH KC KD 4H"), "dealer does not hold KH; choose from KC, KD, 4H"),
        ("9 KH KH", (None, "KH KC KD 4H"), "KH appears 2 times; a deck has each card once"),
        ("9H 9C 9H", (), "9H appears 2 times; a deck has each card once"),
        ("A A A A A", (), "A appears 5 times; a deck has four cards of each rank"),
        ("9 K J go go go", (), "dealer cannot say go: any card can be played on a count of 0"),
        (
            "4 2 3 5 Q A 3 A 7",
            (),
            "7 comes after the last card: 2 players have played all 8; leave it out, or give the right number",
        ),
        (
            "4 2 3 5 Q A 3 A go",
            (),
            "go comes after the last card: 2 players have played all 8; leave it out, or give the right number",
        ),
        ("4 2 X", (), "'X' is not a card"),
        ("4 2 goose", (), "'OSE' is not a card"),
        ("4", ("4 5 6", None), "hands of 3, 4 cards cannot be played; each player must have four"),
        ("4", ("4 5 6 7",), "the number of hands must be 2, one for each player, not 1"),
        ("4", ("4H 5 6 7", "4H 8 9 10"), "4H appears 2 times; a deck has each card once"),
    ],
)
def test_a_play_that_cannot_be_is_refused_in_one_sentence(line, hands, sentence):
    with pytest.raises(RuleError) as refused:
        follow_play(line, hands)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize("players", [1, 7])
def test_two_to_six_play(players):
    with pytest.raises(RuleError, match=f"^the play is for 2 to 6 players, not {players}$"):
        follow_play("4", players=players)
