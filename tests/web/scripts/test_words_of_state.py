"""What the scripts of the pages say of a state: the end, what comes now, what a ruling did, whose hand is due."""

import pytest

from pegboard import Deal, new_game, play
from pegboard.core.house_rules import with_house_rules
from pegboard.core.moves import (
    Amend,
    CallMuggins,
    OverPeg,
    PegBack,
    Penalize,
    Reason,
    Retract,
    Score,
    SetPegs,
    Substitute,
    TakeBack,
)
from pegboard.core.rules import Rules
from pegboard.core.view import View
from pegboard.core.view_as_json import snapshot
from tests.support.views import dealt, table

SKUNK, DOUBLE_SKUNK = "holes short of the skunk line at 91.", "holes short of the double skunk line at 61."


@pytest.fixture
def say(scripts):
    """What a function of a module makes of a view: `say(view, "hintText", 1)`."""
    called = "async ([module, name, ...values]) => (await import(`/static/${module}.js`))[name](...values)"
    return lambda view, name, *more, of="words/state": scripts.evaluate(called, [of, name, snapshot(view), *more])


@pytest.mark.parametrize(
    ("variant", "front", "skunks", "said"),
    [
        ("standard", 91, 0, ["", "By 30 holes."]),
        (*("standard", 90, 1), ["A skunk.", f"Bob was 1 {SKUNK.replace('holes', 'hole')} It counts as two games."]),
        (*("standard", 58, 2), ["A double skunk.", f"Bob was 3 {DOUBLE_SKUNK} It counts as three games."]),
        (*("acc", 87, 1), ["A skunk.", f"Bob was 4 {SKUNK} It is worth 3 game points."]),
        (*("partners", 87, 1), ["A skunk.", f"Bob & Dee were 4 {SKUNK} It counts as two games."]),
    ],
)
def test_the_end_says_by_how_much_and_what_it_counts(say, variant, front, skunks, said):
    over = table((121, 112), (front, 60), variant=variant, winner=0, skunks=(0, skunks))
    assert say(over, "endingTexts") == dict(zip(("bold", "rest"), said, strict=True))
    assert say(over, "frontsText") == f"121 to {front}"
    wins = {"name": "Ann & Cy", "says": "win"} if variant == "partners" else {"name": "Ann", "says": "wins"}
    assert say(over, "headlineTexts") == wins
    assert say(over, "unconfirmedText") == ("Still to confirm: Ann, Bob" if variant == "acc" else "")


@pytest.mark.parametrize(
    ("front", "skunks", "said"),
    [(91, 0, "30 short"), (90, 1, "Skunked: 1 short of 91"), (58, 2, "Double skunk: 3 short of 61")],
)
def test_a_loser_reads_how_many_holes_were_missing(say, front, skunks, said):
    over = table((121, 112), (front, 60), winner=0, skunks=(0, skunks))
    assert say(over, "loserText", 1) == said


@pytest.mark.parametrize(
    ("scores", "phase", "hints"),
    [
        ((), "Ann deals first", ("You deal first", "Ann deals first")),
        (((1, 2),), "Play", ("Play", "Play")),
        (
            ((1, 1), (0, 2, Reason.THIRTY_ONE)),
            "Bob counts the hand, or still in the play",
            ("Bob counts the hand, or still in the play",) * 2,
        ),
        (((1, 8, Reason.HAND),), "Ann counts the hand", ("Show: count your hand", "Show: Ann counts the hand")),
        (
            ((1, 8, Reason.HAND), (0, 4, Reason.HAND)),
            "Ann counts the crib",
            ("Show: count your crib", "Show: Ann counts the crib"),
        ),
        (((1, 8, Reason.HAND), (0, 4, Reason.HAND), (0, 4, Reason.CRIB)), "Bob deals", ("Bob deals", "You deal")),
    ],
    ids=["cut", "play", "either", "hand", "crib", "next deal"],
)
def test_every_page_says_what_comes_now_and_each_phone_whose_it_is(say, scores, phase, hints):
    view = dealt(*scores)
    assert say(view, "phaseText") == phase
    assert tuple(say(view, "hintText", seat) for seat in (0, 1)) == hints


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ([Penalize(2, 1, "misdeal")], "Bob +2, penalty: misdeal, now 14"),
        ([Penalize(0, 1, "wrong deck", "wrong-pack", redeal=0)], "Ann redeals: wrong deck"),
        ([Penalize(0, 1, fault="out-of-turn", accepted=True)], "Bob lets the deal stand: out of turn"),
        (
            [Deal(1, new=True), Penalize(2, 0, "dealt out of turn", "out-of-turn", redeal=0)],
            "Ann redeals: dealt out of turn, Ann +2, now 12",
        ),
        ([OverPeg(2, 8, 10)], "Line 2 changed: 8, not 10, now 8"),
        ([Amend(2, 8, 10)], "Line 2 changed: 8, not 10, now 8"),
        ([PegBack(0, 4)], "Ann back 4, now 6"),
        ([PegBack(0, 4), TakeBack(3)], "Undone: Ann back 4, now 10"),
        ([SetPegs(0, 105, 97, "pegs fell")], "Judge: Ann to 105, pegs fell, now 105"),
        ([Retract(1)], "Back to line 1. Board. Ann at 0, rear peg at 0. Bob at 12, rear peg at 0."),
    ],
    ids=lambda one: one[-1].__class__.__name__ + str(len(one)) if isinstance(one, list) else "",
)
def test_a_screen_reader_is_told_what_each_ruling_did(scripts, moves, said):
    views = [dealt((1, 12, Reason.HAND), (0, 10, Reason.HAND))]
    for move in moves:
        game = play(views[-1].game, move)
        views.append(View(game, views[0].match, views[0].dialled, None))
    told = "async (states) => (await import('/static/words/state.js')).changeAnnouncement(...states)"
    assert scripts.evaluate(told, [snapshot(view) for view in views[-2:]]) == said


@pytest.mark.parametrize(
    ("scores", "due", "pegged"),
    [
        (((1, 2),), {"seat": 1, "crib": False}, [False, False]),
        (((1, 8, Reason.HAND),), {"seat": 0, "crib": False}, [False, True]),
        (((1, 8, Reason.HAND), (0, 4, Reason.HAND)), {"seat": 0, "crib": True}, [True, True]),
    ],
    ids=["play", "pone has counted", "both have counted"],
)
def test_the_counter_knows_whose_hand_is_due_and_which_are_pegged(say, scores, due, pegged):
    view, counting = dealt(*scores), "count/hand_and_its_parts"
    assert say(view, "dueHand", of=counting) == due
    hands = [{"seat": seat, "crib": False} for seat in (0, 1)]
    assert [say(view, "isPegged", hand, of=counting) for hand in hands] == pegged


def test_the_counter_says_where_a_hand_leads_and_asks_about_one_that_is_on_the_sheet(scripts):
    said = (
        "async ([name, ...values]) => (await import('/static/count/hand_and_its_parts.js')).countTexts[name](...values)"
    )
    moves, stays = {"from": 2, "to": 14}, {"from": 7, "to": 7}
    assert scripts.evaluate(said, ["pegs", "Bob", False, moves]) == "Bob, hand: 2\u00a0→\u00a014"
    assert scripts.evaluate(said, ["pegs", "Ann-of-the-longest", True, stays]) == "Ann-of-the-…, crib: stays at 7"
    flush = "A flush in the crib needs all five cards. Six is a different suit."
    assert scripts.evaluate(said, ["cribFlush", "six"]) == flush
    asked = scripts.evaluate(
        said, ["again", snapshot(dealt((1, 12, Reason.HAND))), {"seat": 1, "crib": False, "to": 24}]
    )
    assert asked["title"] == "Bob\u2019s hand is already scored for this deal"
    assert (asked["no"], asked["yes"]) == (["Do not peg", "pegs stay"], ["Peg them too", "12 → 24"])


HOUSE = with_house_rules(Rules(), ["misdeal=2", "pone chooses=on", "muggins=on"])

TEXT_OF_LINE = """async ([line, state]) =>
  (await import('/static/words/state.js')).entryText(state, state.entries.find(({ id }) => id === `${line}`))"""


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (Penalize(2, 1, fault="not-cut", accepted=True), "Bob lets the deal stand: not cut, Bob +2"),
        (Penalize(2, 1, fault="not-cut", redeal=0), "Ann redeals: not cut, Bob +2"),
        (CallMuggins(1, 4, 0), "Wrong muggins call by Bob: Ann +4"),
        (OverPeg(1, 3, 6, opponent=1), "Line 1 changed: 3, not 6"),
        (PegBack(1, 2), "Bob back 2"),
    ],
    ids=lambda one: type(one).__name__,
)
def test_a_line_names_those_who_played_when_it_was_made(scripts, command, said):
    game = new_game(HOUSE, ("Ann", "Bob"), 0)
    later = [Substitute(1, "Bob", "Zed"), Substitute(0, "Ann", "Cy"), Substitute(1, "Zed", "Dee"), TakeBack(5)]
    for one in (Score(6, 0), command, *later):
        game = play(game, one)
    nothing = table((0, 0), (0, 0))
    state = snapshot(View(game, nothing.match, (0, 0)))
    assert scripts.evaluate(TEXT_OF_LINE, ["2", state]) == said


@pytest.mark.parametrize("points", [0, 2])
def test_a_head_start_is_offered_until_something_is_pegged(say, points):
    game = play(new_game(HOUSE, ("Ann", "Bob"), 0), Penalize(points, 1, fault="not-cut", redeal=0))
    assert say(View(game, table((0, 0), (0, 0)).match, (0, 0)), "hasPegged") is (points > 0)


@pytest.mark.parametrize(
    ("fault", "possible"),
    [
        ({"fault": "not-cut", "redeal": 0}, [0, 3]),
        ({"fault": "not-cut", "accepted": True}, [0, 3]),
        ({"fault": "out-of-turn", "redeal": 0}, [0, 2]),
        ({"fault": "out-of-turn", "accepted": True}, [0]),
        ({"fault": "wrong-pack", "redeal": 0}, [0]),
        ({"fault": "not-cut"}, [3]),
        ({"fault": "renege"}, list(range(1, 30))),
        ({}, list(range(1, 30))),
    ],
    ids=repr,
)
def test_a_pad_offers_for_a_fault_only_what_it_can_cost(scripts, fault, possible):
    """As the table decides: `test_a_misdeal_costs_what_the_house_says_or_nothing`."""
    rules = {"penalties": with_house_rules(HOUSE, ["misdeal=3"]).penalties}
    offered = """async ([rules, entry]) => {
      const { canBe } = await import('/static/words/state.js');
      return Array.from({ length: 30 }, (_, points) => points).filter((points) => canBe(rules, entry, points));
    }"""
    entry = {"do": "penalty", "why": "penalty", "points": 2} | fault
    assert scripts.evaluate(offered, [rules, entry]) == possible


def test_only_a_penalty_that_settles_a_fault_can_be_corrected_to_nothing(scripts):
    least = "async (entry) => (await import('/static/words/state.js')).canBe({}, entry, 0)"
    penalty = {"do": "penalty", "why": "penalty", "points": 2}
    assert scripts.evaluate(least, penalty) is False
    for settled in ({"redeal": 0}, {"accepted": True}):
        assert scripts.evaluate(least, penalty | settled) is True
