"""Two who decide the same at once, each on what was seen before: one counts, and the other looks again."""

import pytest

from pegboard.errors import Moved
from tests.support.night_at_work import NightAtWork, lower_number_wins, player_of


@pytest.fixture
def night():
    """Four of whom all go on, in a bracket of best of three."""
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), games=1, cut="all", fee=1000)
    night.do("draw")
    return night


def twice(night, word, one, other):
    """The first counts; the second, which was decided on the same state, does not."""
    seen = night.night.revision
    night.do(word, base=seen, **one)
    refusal = night.refusal(word, base=seen, **other)
    assert isinstance(refusal, Moved)
    assert "check the log and try again" in str(refusal)


def test_a_result_is_entered_once(night):
    key, other = night.open_games()
    one, two = night.night.schedule[key].players
    twice(night, "paper_result", {"game": key, "winner": one, "margin": 12}, {"game": key, "winner": two, "margin": 31})
    night.do("paper_result", game=other, winner=night.night.schedule[other].players[0], margin=5, base=1)


def test_a_card_that_came_meanwhile_is_looked_at(night):
    key = night.open_games()[0]
    one, two = night.night.schedule[key].players
    seen = night.night.revision
    night.do("claim", player_of(one), game=key, player=one, won=True, margin=5)
    assert isinstance(night.refusal("paper_result", game=key, winner=two, margin=15, base=seen), Moved)


def test_a_game_of_a_match_is_entered_once(night):
    night.play_all(lower_number_wins)
    night.break_seed_ties()
    night.do("close_cut")
    night.do("draw_bracket", bracket="main")
    winner = night.view()["brackets"][0]["matches"][0]["players"][0]
    twice(night, "bracket_game", {"match": "main:1:1", "winner": winner}, {"match": "main:1:1", "winner": winner})
    assert night.view()["brackets"][0]["matches"][0]["won"] == [1, 0]


def test_a_fee_is_booked_once_and_what_was_paid_too_much_is_shown(night):
    twice(night, "fee_paid", {"player": "p1", "cents": 1000}, {"player": "p1", "cents": 1000})
    night.do("fee_paid", player="p2", cents=1000, base=1)
    assert night.view()["money"]["credit"] == []
    night.do("fee_paid", player="p1", cents=500)
    assert night.view()["money"]["credit"] == [{"player": "p1", "cents": 500}]


def test_a_hand_of_a_pot_is_noted_once_and_one_of_another_player_beside_it(night):
    night.do("open_pot", kind="hand_24", fee=100)
    for player in ("p1", "p2"):
        night.do("enter_pot", pot="hand_24", player=player)
    seen = night.night.revision
    twice(night, "pot_hit", {"pot": "hand_24", "player": "p1"}, {"pot": "hand_24", "player": "p1"})
    night.do("pot_hit", pot="hand_24", player="p2", base=seen)
    assert [hit.player for hit in night.night.pots["hand_24"].hits] == ["p1", "p2"]


@pytest.mark.parametrize(
    ("word", "fields"),
    [
        ("enter", {"name": "Player 5", "walk_up": True}),
        ("leave", {"player": "p4"}),
        ("check_in", {"player": "p5"}),
        ("come_back", {"player": "p4"}),
    ],
)
def test_the_cut_is_not_closed_over_who_came_or_left_meanwhile(night, word, fields):
    """A share of the field is of another field then."""
    if word == "come_back":
        night.do("leave", player="p4")
    if word == "check_in":
        night.do("enter", name="Player 5")
    night.play_all(lower_number_wins)
    night.break_seed_ties()
    seen = night.night.revision
    night.do(word, **fields)
    assert isinstance(night.refusal("close_cut", base=seen), Moved)


# --- a phone and the rounds ---


def test_nobody_says_how_a_game_ended_whose_players_still_play_another():
    night = NightAtWork().open(("Ann", "Bob", "Cy", "Dee"), games=3)
    night.do("draw")
    night.do("start_round", round=1)
    first = [key for key in night.open_games() if key.startswith("r1:")]
    one, two = night.night.schedule[first[0]].players
    night.play(first[0], one, 12)
    key = next(key for key in night.open_games() if one in night.night.schedule[key].players)
    said = night.refusal("claim", player_of(one), game=key, player=one, won=True, margin=9)
    assert "is still playing round 1; finish that before entering a later game" in str(said)
    night.play(first[1], night.night.schedule[first[1]].players[0], 12)
    night.do("claim", player_of(one), game=key, player=one, won=True, margin=9)
    rounds = night.view()["rounds"]
    assert [each["state"] for each in rounds] == ["done", "drawn", "drawn"], "one card starts no round"
    night.do("start_round", round=2)
    assert night.view()["rounds"][1]["state"] == "running"
    assert two in night.night.players


def test_an_apostrophe_of_a_phone_makes_no_other_name():
    night = NightAtWork().open(("Bob O'Neil",))
    assert "is already on the roster" in str(night.refusal("enter", name="BOB O\N{RIGHT SINGLE QUOTATION MARK}NEIL"))


def test_nobody_waits_for_a_game_of_a_round_that_has_not_begun():
    night = NightAtWork().open(tuple(f"Player {number}" for number in range(1, 8)), games=4)
    night.do("draw")
    assert not [one for one in night.view()["waiting"] if one["why"]["key"] == "night_waits_busy"]
