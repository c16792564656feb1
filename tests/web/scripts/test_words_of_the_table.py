"""What the scripts of the pages say of a table, worked out without a page: reasons, questions, turns, the end."""

import pytest

from pegboard.core.decisions import check_amount
from pegboard.core.moves import FAULTS, Reason
from pegboard.core.rules import MOST_AT_ONCE, Rules
from pegboard.core.view_as_json import snapshot
from pegboard.errors import RuleError
from tests.support.views import dealt

ANN, BOB = 0, 1

OFFERED = """async ([most, rules]) => {
    const { canBe, reasonsFor } = await import('/static/words/state.js');
    const amounts = Array.from({ length: most + 1 }, (_, points) => points);
    const reasons = amounts.map((points) => reasonsFor(rules, { do: 'score', why: null, points }));
    const possible = (why) => amounts.filter((points) => canBe(rules, { do: 'score', why }, points));
    return { reasons, allowed: ['go', ...reasons[2], null].map((why) => [why, possible(why)]) };
}"""


@pytest.mark.parametrize("variant", ["standard", "five-card"])
def test_the_reasons_that_are_offered_for_an_amount_are_those_that_the_rules_allow(scripts, variant):
    rules = Rules.named(variant)

    def allowed(points, why):
        try:
            check_amount(rules, points, why)
        except RuleError:
            return False
        return why not in FAULTS

    offered = scripts.evaluate(OFFERED, [MOST_AT_ONCE, {"pegging_only": rules.pegging_only}])
    amounts = range(MOST_AT_ONCE + 1)
    assert offered["reasons"] == [[why for why in Reason if allowed(points, why)] for points in amounts]
    for why, points in offered["allowed"]:
        assert points == [one for one in amounts if allowed(one, why)], why


def test_a_ruled_line_says_its_truth_though_the_ruling_is_out_of_view(scripts):
    fate = "async (entry) => (await import('/static/words/state.js')).fateText(entry)"
    line = {"stands": True, "counts": True, "ruled_by": "40"}
    assert scripts.evaluate(fate, line | {"truth": 0}) == "actually 0"
    assert scripts.evaluate(fate, line | {"retracted": True, "counts": False}) == "rolled back"
    assert scripts.evaluate(fate, {"stands": True, "counts": True}) == ""


MOVED = """async ([state, item]) => {
    const { ask, yes } = (await import('/static/live/command_queue.js')).movedQuestion(state, item, [], () => '');
    return [ask, yes];
}"""


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        ({"do": "deal"}, ("Bob deals: is that still right?", ["Yes, Bob deals", "the next deal begins"])),
        ({"do": "deal", "dealer": 0}, ("Ann deals: is that still right?", ["Yes, Ann deals", "the next deal begins"])),
        ({"do": "start", "dealer": 1}, ("Start the next game anyway?", ["Yes, next game", "Bob deals first"])),
        (
            {"do": "muggins", "seat": 0, "claimed": 5, "missed": 4},
            ("Call muggins anyway?", ["Yes, Ann +4", "10 → 14"]),
        ),
        (
            {"do": "muggins", "seat": 0, "claimed": 5, "missed": 0},
            ("Enter the wrong call anyway?", ["Yes, Bob +5", "12 → 17"]),
        ),
    ],
)
def test_a_question_about_the_board_says_what_yes_would_do(scripts, body, asked):
    state = snapshot(dealt((1, 12, "hand"), (0, 10, "hand")))
    assert scripts.evaluate(MOVED, [state, {"lane": "board", "body": body}]) == list(asked)


@pytest.mark.parametrize(
    ("count", "said"),
    [(2, "Both pegged out; Ann was first."), (3, "Ann, Bob and Cy pegged out; Ann was first.")],
)
def test_all_who_are_home_are_listed(scripts, count, said):
    state = snapshot(dealt(variant="three-handed" if count == 3 else "standard"))
    ending = """async (state) => {
        const over = {...state.game, winner: 0, over: true};
        const lanes = state.lanes.map(lane => ({...lane, front: 121}));
        return (await import('/static/words/state.js')).endingTexts({...state, game: over, lanes}).rest;
    }"""
    assert scripts.evaluate(ending, state) == said


SAYING = "async (ways) => (await import('/static/pad/status_more_dialog_and_game_over.js')).dealCommands(...ways)"


def test_what_a_tap_says_tells_one_way_from_the_other(scripts):
    def saying(now, one, other):
        ways = [dict(zip(("dealer", "phase"), way, strict=True)) for way in (now, one, other)]
        return [tuple(each.values()) for each in scripts.evaluate(SAYING, ways)]

    hand, play, next_play, other = (ANN, "hand"), (ANN, "play"), (BOB, "play"), (BOB, "hand")
    assert saying(hand, hand, play) == [("stage", "show")]
    assert saying(hand, play, hand) == [("stage", "play")]
    assert saying((ANN, "crib"), next_play, (ANN, "crib")) == [("deal", True, BOB)]
    assert saying((ANN, "crib"), (ANN, "crib"), next_play) == [("deal", False, ANN), ("stage", "show")]
    assert saying(play, next_play, play) == [("deal", False, BOB)]
    assert saying(hand, other, hand) == [("deal", False, BOB)]


HAND = {"phase": "hand", "to_count": 1, "sure": 0.95, "otherwise": None, "scored": True}
PLAY, CRIB = HAND | {"phase": "play", "to_count": None}, HAND | {"phase": "crib", "to_count": None}
ANNS = HAND | {"to_count": 0}
LIKELY = HAND | {"sure": 0.7}
UNSURE = HAND | {"sure": 0.5, "otherwise": {"dealer": 0, "phase": "play", "to_count": None, "sure": 0.4}}
NEXT = PLAY | {"deal": 2}

ANNOUNCED = """async ([state, games, putRight, page]) => {
    const { turnAnnouncement: turn } = await import(`/static/live/table_stream.js?${encodeURI(page)}`);
    let before = state;
    return games.map((game, line) => {
        const entries = line === putRight ? before.entries : [{ id: `${line + 1}` }, ...before.entries];
        const after = { ...before, revision: before.revision + 1, entries, game: { ...before.game, ...game } };
        const said = turn(before, after);
        before = after;
        return said;
    });
}"""


TURNS = {
    "in turn": ([PLAY, HAND, HAND, CRIB], None, ["", "Bob counts the hand", "", "Ann counts the crib"]),
    "surer": ([PLAY, LIKELY, HAND], None, ["", "Most likely: Bob counts the hand", ""]),
    "both ways": ([PLAY, UNSURE, HAND, CRIB], None, ["", "", "Bob counts the hand", "Ann counts the crib"]),
    "and back": ([HAND, UNSURE, HAND], None, ["Bob counts the hand", "", ""]),
    "too early": ([ANNS, HAND, ANNS], None, ["Ann counts the hand", "Bob counts the hand", "Ann counts the hand"]),
    "a guess undone": ([HAND, PLAY, HAND, CRIB], None, ["Bob counts the hand", "", "", "Ann counts the crib"]),
    "put right": ([HAND, CRIB, HAND], 2, ["Bob counts the hand", "Ann counts the crib", "Bob counts the hand"]),
    "the next deal": ([HAND, NEXT, HAND | {"deal": 2}], None, ["Bob counts the hand", "", "Bob counts the hand"]),
}


@pytest.mark.parametrize("turns", TURNS)
def test_each_turn_is_announced_once_when_it_comes(scripts, turns):
    """And none while two ways are as likely; what is put right is news again."""
    games, put_right, said = TURNS[turns]
    assert scripts.evaluate(ANNOUNCED, [snapshot(dealt()), games, put_right, turns]) == said


RULE = """async (asked) => {
    const { ruleFor } = await import('/static/count/shared_by_count_and_play.js');
    return asked.map((one) => ruleFor(...one));
}"""


def test_a_refusal_and_a_part_of_a_count_lead_to_their_line_of_the_rules(scripts):
    links = {
        ("pair royal",): "/rules#pair-royal",
        ("last card",): "/rules#last-card",
        ("crib",): "/rules#the-crib",
        ("flush_in_the_crib",): "/rules#flush-in-the-crib",
        ("luck",): None,
    }
    assert scripts.evaluate(RULE, list(links)) == list(links.values())
    others = [[{"rule": "/rules#impossible"}], [{"detail": "x"}], ["pair royal", {"play": True}]]
    assert scripts.evaluate(RULE, others) == ["/rules#impossible", None, "/rules#play-pair-royal"]


IN_DANGER = """async ([{ lanes: [first, ...others], ...table }, fronts]) => {
    const { skunkDanger } = await import("/static/words/state.js");
    return fronts.map((front) => skunkDanger({ ...table, lanes: [{ ...first, front }, ...others] }, 1) !== null);
}"""


def test_a_skunk_is_a_danger_from_thirty_holes_before_the_leaders_game_hole(scripts):
    assert scripts.evaluate(IN_DANGER, [snapshot(dealt()), [90, 91]]) == [False, True]


def test_the_title_of_a_preset_keeps_rules_apart_that_have_commas_in_them(scripts):
    title = "async (preset) => (await import('/static/words/rules.js')).presetTitle(preset)"
    preset = {"name": "1922 laws", "chosen": ["worth=games 1-2-4", "three for last=on"], "changed": ["misdeal=0"]}
    named = "1922 laws with a skunk counts as 2 games, a double skunk as 4; three for last"
    assert scripts.evaluate(title, preset) == f"{named}, changed: a misdeal costs 0"
