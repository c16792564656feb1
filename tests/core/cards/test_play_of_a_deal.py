"""A whole play goes as the rule sheets tell it: go, thirty-one, last card, who leads, and what nobody may do."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegboard.core.cards.pack import SUITS, Card, read_laid
from pegboard.core.cards.play import begin_play
from pegboard.errors import RuleError
from tests.oracles.play_counters import Table
from tests.support.long_runs import some_of
from tests.support.player_names import SIX as NAMES

SHEET = json.loads((Path(__file__).parents[2] / "data" / "rule_sheet_examples.json").read_text())["examples"]
PLAYS = [row for row in SHEET if row["kind"] == "play"]


def dealt(*hands, dealer=-1):
    """Hands as text, or the number of unseen cards, by seat; the last seat deals, so that Ann leads."""
    shown = [hand if isinstance(hand, int) else read_laid(hand) for hand in hands]
    return begin_play(NAMES[: len(hands)], shown, dealer=dealer % len(hands))


def played(play, acts):
    """Each act is done by whoever's turn it is: a card, or go."""
    for act in acts.split():
        play = play.go(play.turn) if act == "go" else play.lay(play.turn, *read_laid(act))
    return play


def told(play):
    return [(part.kind, " ".join(map(str, part.cards)), part.points) for part in play.parts]


# The rule sheets.


@pytest.mark.parametrize("row", PLAYS, ids=lambda row: row["id"])
def test_whole_plays_of_the_rule_sheets(row):
    seats = {"pone": 0, "dealer": 1}
    play = dealt(*(" ".join(row["hands"][player]) for player in seats))
    steps = iter(row["computed"]["steps"])
    for player, act in row["sequence"]:
        assert play.turn == seats[player], (player, act)
        play = played(play, act)
        if act != "go":
            step = next(steps)
            assert (step["player"], step["card"]) == (player, act)
            assert sum(part.points for part in play.parts if part.kind != "go") == step["points"], step
        if "go" in [part.kind for part in play.parts]:
            step = next(steps)
            assert (step["card"], step["points"], seats[step["player"]]) == ("go point", 1, play.last), step
    assert list(steps) == []
    assert play.over
    assert play.points == (row["computed"]["totals"]["pone"], row["computed"]["totals"]["dealer"])


def test_the_worked_adjudication_card_by_card():
    play, points = dealt("4 3 3 6", "5 3 7 K"), []
    for act in ["4", "5", "3", "3", "3", "7", "6"]:
        play = played(play, act)
        points.append(sum(part.points for part in play.parts))
    assert points == [0, 0, 3, 4, 6, 0, 2]
    assert (play.points, play.turn, play.laid.count) == ((11, 4), 1, 0)


# Who leads, go, thirty-one, last card.


@pytest.mark.parametrize(
    ("players", "dealer", "leads"), [(2, 0, 1), (2, 1, 0), (3, 0, 1), (3, 2, 0), (4, 3, 0), (6, 2, 3)]
)
def test_the_player_next_to_the_dealer_leads(players, dealer, leads):
    play = dealt(*[4] * players, dealer=dealer)
    assert (play.turn, play.laid.count, play.last) == (leads, 0, None)
    assert (play.points, play.parts, play.turned, play.gone) == ((0,) * players, (), (), frozenset())


def test_cards_are_laid_in_turn_round_the_table():
    play, turns = dealt(4, 4, 4, 4), []
    for act in ["A", "2", "A", "2", "A"]:
        turns.append(play.turn)
        play = played(play, act)
    assert turns == [0, 1, 2, 3, 0]


def test_a_go_is_one_point_for_the_last_player_and_the_next_one_leads():
    play = played(dealt("K Q 2 3", "K J 8 9"), "K K Q")  # Bob's jack, 8 and 9 do not fit on 30, nor Ann's 2 and 3
    assert (play.turn, play.points, told(play)) == (1, (0, 2), [])
    play = played(play, "go")
    assert (play.turn, play.points, told(play)) == (1, (1, 2), [("go", "Q", 1)])
    assert (play.laid.count, play.laid.cards, play.last) == (0, (), 0)
    assert " ".join(map(str, play.turned)) == "K K Q"


def test_after_a_go_the_other_player_goes_on_while_a_card_fits():
    play = played(dealt("K 5 A 2", "K Q J 9"), "K K 5 go")
    assert (play.turn, play.points, play.laid.count) == (0, (0, 2), 25)
    play = played(play, "A")
    assert (play.turn, play.laid.count, play.points) == (0, 26, (0, 2))
    play = played(play, "2")  # her last card; Bob holds some still
    assert (play.points, told(play), play.turn) == ((1, 2), [("go", "2", 1)], 1)


def test_what_the_other_player_lays_after_a_go_scores_too():
    assert told(played(dealt("K 5 A A", "K Q J 9"), "K K 5 go A A")) == [("pair", "A A", 2), ("go", "A", 1)]


def test_thirty_one_is_two_and_no_go_besides():
    play = played(dealt("K A 2 3", "K Q 8 9"), "K K A Q")
    assert (told(play), play.points) == ([("thirty-one", "K K A Q", 2)], (0, 4))
    assert (play.turn, play.laid.count) == (0, 0)


def test_thirty_one_after_a_go_is_two_for_its_player_alone():
    play = played(dealt("K 5 6 2", "K Q J 9"), "K K 5 go 6")
    assert (told(play), play.points, play.turn) == ([("thirty-one", "K K 5 6", 2)], (2, 2), 1)


def test_the_last_card_of_all_is_one_point():
    play = played(dealt("K 2 9", "K 4 8"), "K K 2 4 go 9 8")
    assert (play.over, told(play)) == (True, [("last card", "8", 1)])
    assert play.points == (0, 2 + 1 + 1)


def test_the_last_card_is_not_counted_on_top_of_thirty_one():
    play = played(dealt("K 3 A", "K 4 3"), "K K 3 4 A 3")
    assert (play.over, told(play)) == (True, [("thirty-one", "K K 3 4 A 3", 2)])
    assert play.points == (0, 4)


def test_the_last_card_and_a_fifteen_are_both_counted():
    play = played(dealt("K J 5", "Q A J"), "K Q J A 5 J")
    assert (play.over, told(play)) == (True, [("fifteen", "5 J", 2), ("last card", "J", 1)])


def test_fifteen_is_the_most_for_one_card():
    play = played(dealt("K K 2 2", "K 7 2 2"), "K K K go 7 2 2 2 2")
    assert told(play) == [
        ("fifteen", "7 2 2 2 2", 2),
        ("double pair royal", "2 2 2 2", 12),
        ("last card", "2", 1),
    ]


def test_a_player_without_cards_is_passed_over():
    play = played(dealt("A 2 3", "K Q J", "K 4 9"), "A K K 2 go 4 3 go")
    assert ([hand.cards_left for hand in play.hands], play.turn) == ([0, 2, 1], 1)
    assert told(play) == [("go", "3", 1)]
    play = played(play, "Q 9")
    assert play.turn == 1
    assert told(played(play, "J")) == [("last card", "J", 1)]


def test_a_leader_without_cards_is_passed_over():
    play = played(dealt("A 2 3", "K Q J", "K 4 A"), "A K K 2 go 4 3 A")
    assert ([hand.cards_left for hand in play.hands], play.last, play.turn) == ([0, 2, 0], 2, 1)
    assert told(play) == [("thirty-one", "A K K 2 4 3 A", 2), ("run", "A 2 3 4", 4)]
    play = played(play, "Q")
    assert (play.over, play.turn, told(play)) == (False, 1, [])


def test_with_three_a_go_goes_round_until_nobody_can_lay():
    play = played(dealt("9 A A K", "9 J Q K", "10 2 3 5"), "9 9 10")
    assert (play.turn, play.laid.count) == (0, 28)
    play = played(play, "A")
    assert play.turn == 1
    play = played(play, "go")
    assert play.turn == 2
    play = played(play, "2")
    assert (play.points, play.turn) == ((0, 2, 2), 0)


def test_a_player_who_said_go_is_passed_over_until_the_count_begins_anew():
    play = played(dealt("9 A A K", "9 J Q K", "8 A 2 5"), "9 9 8 A go A")
    assert (play.turn, play.gone) == (0, {1})
    play = played(play, "A")
    assert (play.turn, play.gone, play.laid.count) == (2, {1}, 29)
    play = played(play, "2")
    assert (play.gone, play.turn, told(play)) == (frozenset(), 0, [("thirty-one", "9 9 8 A A A 2", 2)])


def test_a_hand_that_nobody_has_shown_says_go_for_itself():
    play = played(dealt(4, 4), "K K Q go")
    assert (play.turn, play.points) == (0, (0, 2))  # perhaps Ann has an ace
    play = played(play, "go")
    assert (play.turn, play.points, told(play)) == (1, (1, 2), [("go", "Q", 1)])


def test_an_unseen_hand_is_used_up_card_by_card():
    play = played(dealt(3, 3), "A A 2 2 3 3")
    assert play.over
    assert [hand.cards_left for hand in play.hands] == [0, 0]


def test_equal_cards_of_a_hand_are_laid_one_by_one():
    play = played(dealt("4 4 4 5", 4), "4 K 4")
    assert " ".join(map(str, play.hands[0].seen)) == "4 5"


# What is refused; the play stays as it was, because it is a value.


def refusal(play, act):
    before = repr(play)
    with pytest.raises(RuleError) as refused:
        act(play)
    assert repr(play) == before
    return str(refused.value)


def laying(seat, card):
    return lambda play: play.lay(seat, *read_laid(card))


def going(seat):
    return lambda play: play.go(seat)


@pytest.mark.parametrize(
    ("play", "act", "sentence"),
    [
        (dealt(4, 4), laying(1, "K"), "it is Ann's turn, not Bob's"),
        (dealt(4, 4), going(1), "it is Ann's turn, not Bob's"),
        (dealt(4, 4), laying(2, "K"), "there is no seat 2 at this table; the seats are 0 to 1"),
        (dealt(4, 4), going(-1), "there is no seat -1 at this table; the seats are 0 to 1"),
        (
            played(dealt(4, 4), "K K Q"),
            laying(1, "2"),
            "2 cannot be played: the count would be 32, and the limit is 31",
        ),
        (
            played(dealt(4, 4), "K K Q go"),
            laying(1, "A"),
            "Bob said go and waits for the next count",
        ),
        (played(dealt(4, 4), "K K Q go"), going(1), "Bob said go and waits for the next count"),
        (
            dealt("5H 6H 7H 8H", "5C 6C 7C 8C"),
            laying(0, "5D"),
            "Ann does not hold 5D; choose from 5H, 6H, 7H, 8H",
        ),
        (
            played(dealt("5H 6H 7H 8H", "5C 6C 7C 8C"), "5H 6C"),
            laying(0, "5H"),
            "5H has already been played; a deck has each card once",
        ),
        (
            played(dealt(4, 4), "KH QH JH go go"),
            laying(1, "KH"),
            "KH has already been played; a deck has each card once",
        ),
        (dealt(4, "5C 6C 7C 8C"), laying(0, "5C"), "5C appears 2 times; a deck has each card once"),
        (played(dealt(4, 4), "5 5 5 5"), laying(0, "5"), "5 appears 5 times; a deck has four cards of each rank"),
        (
            played(dealt("K Q 5 6", "K 7 8 A"), "K K 5"),
            going(1),
            "Bob cannot say go: A can be played on a count of 25",
        ),
        (
            played(dealt("K Q 5 6", "A 4 K 6"), "K K 5"),
            going(1),
            "Bob cannot say go: A, 4, 6 can be played on a count of 25",
        ),
        (dealt(4, 4), going(0), "Ann cannot say go: any card can be played on a count of 0"),
        (played(dealt(4, 4), "K K A"), going(1), "Bob cannot say go: any card can be played on a count of 21"),
        (played(dealt(3, 3), "A A 2 2 3 3"), laying(0, "K"), "the play is over: all cards have been played"),
        (played(dealt(3, 3), "A A 2 2 3 3"), going(0), "the play is over: all cards have been played"),
    ],
)
def test_what_nobody_may_do_is_refused_and_the_play_is_as_it_was(play, act, sentence):
    assert refusal(play, act) == sentence


def test_from_a_count_of_22_a_go_of_an_unseen_hand_is_believed():
    assert played(dealt(4, 4), "K K 2 go").gone == {1}


@pytest.mark.parametrize(
    ("players", "hands", "dealer", "sentence"),
    [
        (NAMES[:1], [4], 0, "the play is for 2 to 6 players, not 1"),
        ((*NAMES, "Ann"), [4] * 7, 0, "the play is for 2 to 6 players, not 7"),
        (NAMES[:2], [4], 0, "the number of hands must be 2, one for each player, not 1"),
        (NAMES[:2], [4, 4], 2, "there is no seat 2 at this table; the seats are 0 to 1"),
        (
            NAMES[:2],
            [4, 3],
            0,
            "hands of 4, 3 cards cannot be played; each player must have four, or three in five-card",
        ),
        (
            NAMES[:3],
            [2, 2, 2],
            0,
            "hands of 2, 2, 2 cards cannot be played; each player must have four, or three in five-card",
        ),
        (
            NAMES[:2],
            [read_laid("5H 6H 7H 8H"), read_laid("9H 8H KH QH")],
            0,
            "8H appears 2 times; a deck has each card once",
        ),
    ],
)
def test_a_deal_that_cannot_be_played_is_refused(players, hands, dealer, sentence):
    with pytest.raises(RuleError) as refused:
        begin_play(players, hands, dealer=dealer)
    assert str(refused.value) == sentence


# Any play at all, beside a plain table.

PACK = [(rank, suit) for rank in range(1, 14) for suit in SUITS]
LOW = [card for card in PACK if card[0] <= 6]  # long counts, many runs and pairs


@st.composite
def deals(draw):
    players, size = draw(st.integers(2, 6)), draw(st.sampled_from([3, 4]))
    cards = draw(st.permutations(draw(st.sampled_from([PACK, LOW]))))
    hands = [cards[size * seat : size * (seat + 1)] for seat in range(players)]
    return hands, draw(st.integers(0, players - 1)), draw(st.lists(st.booleans(), min_size=players, max_size=players))


def legal(table, seat, card):
    return seat == table.turn and card in table.fitting(seat)


def may_go(table, seat, *, shown):
    if seat != table.turn or table.count() <= 21:
        return False
    return not (shown and table.fitting(seat))


def takes(act, *what):
    try:
        act(*what)
    except RuleError:
        return False
    return True


def agree(play, table):
    """See that both stand alike, and that the play takes what the table says is legal and nothing else."""
    assert (play.turn, play.laid.count, list(play.points)) == (table.turn, table.count(), table.points)
    for seat, (hand, shown) in enumerate(zip(table.dealt, table.shown, strict=True)):
        for card in [card for cards in table.dealt for card in cards] if shown else hand:
            assert takes(play.lay, seat, Card(*card)) == legal(table, seat, card), (seat, card)
        assert takes(play.go, seat) == may_go(table, seat, shown=shown), seat


@settings(max_examples=some_of(300))
@given(deals(), st.data())
def test_any_play_goes_as_on_a_plain_table(deal, data):
    table = Table(*deal)
    play = begin_play(
        NAMES[: len(table.dealt)],
        [read_laid(hand) if isinstance(hand, str) else hand for hand in table.told()],
        dealer=deal[1],
    )
    while table.turn is not None:
        agree(play, table)
        seat, fitting = table.turn, table.fitting(table.turn)
        if fitting:
            card = data.draw(st.sampled_from(fitting))
            play = play.lay(seat, Card(*card))
            table.lay(card)
        else:
            play = play.go(seat)
            table.go()
    assert play.over
    assert list(play.points) == table.points
    assert {*play.turned, *play.laid.cards} == {Card(*card) for hand in table.dealt for card in hand}
