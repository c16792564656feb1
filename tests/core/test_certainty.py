"""How likely each way is: sums along all ways through a short sheet, walked one by one, with plain probabilities."""

import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import Deal, Rules, Score, new_game, play
from pegboard.core import course_of_sheet
from pegboard.core.best_path import ways, why_of
from pegboard.core.course_costs import UNIT
from pegboard.core.course_model import model_of
from pegboard.core.course_of_sheet import STRAINED, UNLIKELY, Where, certainties, other_than, standings, weigh
from pegboard.core.moves import Penalize, Retract, Stage
from pegboard.core.position import Phase
from pegboard.core.rules import VARIANTS

ANN, BOB, CY = 0, 1, 2
FOUR = ("Ann", "Bob", "Cy", "Dee")
PART = {"heels": "play", "play": "play", "go": "play", "hand": "hand", "crib": "crib", None: None}

SHEETS = {
    "numbers alone": ("standard", [(BOB, 2), (ANN, 1), (BOB, 1), (BOB, 8)]),
    "a deal of numbers": ("standard", [(BOB, 2), (ANN, 2), (BOB, 1), (BOB, 4), (ANN, 6), (ANN, 4)]),
    "two on a jack or not": ("standard", [(ANN, 2), (BOB, 2)]),
    "said in part": ("standard", [(BOB, 2, "play"), (ANN, 6), (BOB, 10, "hand"), (ANN, 2)]),
    "the show is said": ("standard", [(BOB, 3), Stage("show"), (BOB, 8), (ANN, 2)]),
    "the play is said": ("standard", [(BOB, 8), Stage("play"), (ANN, 2)]),
    "a new deal": ("standard", [(BOB, 8), (ANN, 6), Deal(), (ANN, 2)]),
    "a dealer is named": ("standard", [(BOB, 2), Deal(BOB, new=False), (ANN, 8), (BOB, 4)]),
    "gone back": ("standard", [(BOB, 2), (ANN, 8), Retract(1), (BOB, 1)]),
    "cut for the deal": ("acc", [(BOB, 1), (ANN, 12)]),
    "three": ("three-handed", [(BOB, 2), (CY, 1), (BOB, 6)]),
    "partners": ("partners", [(BOB, 2), (CY, 6), (BOB, 8)]),
}


def game_of(variant, commands):
    rules = Rules.named(variant)
    game = new_game(rules, FOUR[: rules.seats], ANN)
    for one in commands:
        game = play(game, one if not isinstance(one, tuple) else Score(one[1], one[0], why=(*one, None)[2]))
    return game


def all_ways(rules, course):
    """Each way through the sheet: the state it ends in, its probability, and what each entry was and of whose deal."""
    return list(ways_to(model_of(rules), course, len(course.lines)))


def ways_to(model, course, number):
    """The ways through so many lines, one by one."""
    step = course.steps[number]
    if number == 0:
        yield from ((state, math.exp(-cost / UNIT), {}) for state, cost in step.costs.items())
        return
    for state, odd, entries in ways_to(model, course, step.before):
        if step.back is None:
            yield state, odd, entries
        for target, cost, what in ways_on(model, course, number, state):
            entry = {} if what is None else {number: (what, target // model.places)}
            if target in step.costs:
                yield target, odd * math.exp(-cost / UNIT), entries | entry


def ways_on(model, course, number, state):
    """The ways from a state by one line that tells something: where to, the cost, and what it was if an entry."""
    step = course.steps[number]
    if step.links is not None:
        return (*step.links[state], *step.links.lost)
    return ((*way, None) for way in ways(model, course.lines[number - 1], state)) if step.back is not None else ()


def stands(model, state):
    """Dealer, phase and who counts, from the number of a state (`course_model.State`)."""
    dealer, place = divmod(state, model.places)
    order = ["play"] * model.show + ["hand"] * model.seats + ["crib", "next", "due"]
    phase = order[place]
    if phase == "due":  # the dealer's hand, after the crib
        return dealer, Phase.HAND, dealer
    if phase == "next":
        return (dealer + 1) % model.seats, Phase.PLAY, None
    to_count = (dealer + 1 + place - model.show) % model.seats if phase == "hand" else None
    return dealer, Phase(phase), to_count


@pytest.mark.parametrize("name", SHEETS)
def test_the_odds_of_where_the_deal_stands_are_those_of_all_ways_together(name):
    game = game_of(*SHEETS[name])
    course, model = game.followed.weighted_course, model_of(game.rules)
    sums = Counter()
    for state, odd, _ in all_ways(game.rules, course):
        sums[stands(model, state)] += odd
    strain, whole = course.steps[-1].strain, sum(sums.values())
    fits = min(1, (STRAINED / strain) ** 2) if strain else 1
    told = standings(game.rules, course)
    assert {each[:3] for each in told} == set(sums)
    for each in told:
        assert each.sure == pytest.approx(fits * sums[each[:3]] / whole, rel=0.02, abs=1e-6)
    assert told[0][:3] == stands(model, course.steps[-1].best)
    assert [each.sure for each in told[1:]] == sorted((each.sure for each in told[1:]), reverse=True)


@pytest.mark.parametrize("name", SHEETS)
def test_how_sure_each_line_is_is_the_share_of_the_ways_on_which_it_was_that(name):
    game = game_of(*SHEETS[name])
    course, told = game.followed.weighted_course, game.followed.readings
    found = certainties(game.rules, course, told, len(course.lines))
    walked = all_ways(game.rules, course)
    whole = sum(odd for _, odd, _ in walked)
    on_the_path = {number for _, _, entries in walked for number in entries}
    assert set(found) == on_the_path
    for number, (why, part) in found.items():
        reading, points = told[number - 1], course.lines[number - 1].points
        same_why = same_part = 0.0
        for _, odd, entries in walked:
            what, dealer = entries[number]
            reason = why_of(what, points)
            same_why += odd * (reason == reading.why)
            same_part += odd * (dealer == reading.dealer and PART.get(reason) == PART.get(reading.why))
        assert why == pytest.approx(same_why / whole, rel=0.02, abs=1e-5)
        assert part == pytest.approx(same_part / whole, rel=0.02, abs=1e-5)


@pytest.mark.parametrize("newest", [0, 1, 2, 3, 9])
def test_only_the_newest_lines_are_told_and_they_are_told_as_among_all(newest):
    game = game_of(*SHEETS["a deal of numbers"])
    course, told = game.followed.weighted_course, game.followed.readings
    every = certainties(game.rules, course, told, 6)
    assert certainties(game.rules, course, told, newest) == {
        number: every[number] for number in every if number > 6 - newest
    }


def test_a_penalty_tells_nothing_of_the_deal_and_changes_no_weight():
    game = game_of("standard", [(BOB, 2), (ANN, 1)])
    fined = play(game, Penalize(2, BOB)).followed.weighted_course.weights
    assert fined == (*game.followed.weighted_course.weights, fined[-2])


@given(st.lists(st.tuples(st.sampled_from([ANN, BOB]), st.integers(1, 12)), min_size=1, max_size=12), st.data())
def test_weights_took_over_are_those_weighed_anew(scores, data):
    """Of a sheet put right, only what the correction has changed is weighed again; it comes out as weighed anew."""
    game = game_of("standard", scores)
    old = game.followed.weighted_course
    line = data.draw(st.integers(1, len(scores)))
    other = scores[line - 1][0], data.draw(st.integers(1, 12))
    again = game_of("standard", [*scores[: line - 1], other, *scores[line:]])
    course = again.followed.course
    assert weigh(again.rules, course, old).weights == weigh(again.rules, course).weights


def test_each_step_of_the_weights_sums_to_the_whole():
    course = game_of(*SHEETS["a deal of numbers"]).followed.weighted_course
    for after in course.weights:
        assert sum(after.values()) == pytest.approx(course_of_sheet.WHOLE, rel=1e-4)
        assert min(after.values()) >= 1, "what can be is never as good as what cannot"


# --- what is offered beside the likeliest ---

RULES = Rules()
PLAYING = Where(ANN, Phase.PLAY, None, 0.5)


@pytest.mark.parametrize(
    ("others", "expected"),
    [
        ([Where(ANN, Phase.HAND, BOB, 0.3)], Where(ANN, Phase.HAND, BOB, 0.3)),
        ([Where(BOB, Phase.PLAY, None, 0.3)], Where(BOB, Phase.PLAY, None, 0.3)),
        ([Where(ANN, Phase.HAND, BOB, UNLIKELY)], Where(ANN, Phase.HAND, BOB, UNLIKELY)),
        ([Where(ANN, Phase.CRIB, None, UNLIKELY - 0.01)], Where(ANN, Phase.HAND, BOB, 0.0)),
        ([], Where(ANN, Phase.HAND, BOB, 0.0)),
    ],
)
def test_beside_the_play_the_likeliest_other_dealer_or_stage_is_offered_else_the_show(others, expected):
    assert other_than(RULES, PLAYING, others) == expected


def test_beside_the_show_another_hand_is_no_other_way():
    counting = Where(ANN, Phase.HAND, BOB, 0.5)
    another = [Where(ANN, Phase.HAND, ANN, 0.3), Where(ANN, Phase.CRIB, None, 0.1)]
    assert other_than(RULES, counting, another) == Where(BOB, Phase.PLAY, None, 0.0)
    assert other_than(RULES, counting, [*another, Where(BOB, Phase.HAND, ANN, 0.06)])[:3] == (BOB, Phase.HAND, ANN)
    assert other_than(VARIANTS["three-handed"], counting._replace(dealer=CY), []) == Where(ANN, Phase.PLAY, None, 0.0)


def test_of_entries_that_fit_no_deal_nothing_is_sure():
    thirty = game_of("standard", [(ANN, 20), (BOB, 24)] * 2 + [(ANN, 24), (ANN, 20)])
    course = thirty.followed.weighted_course
    strain = course.steps[-1].strain
    assert strain > STRAINED
    assert sum(each.sure for each in standings(thirty.rules, course)) == pytest.approx((STRAINED / strain) ** 2)


def test_a_sheet_of_lines_that_are_said_is_sure_of_itself():
    game = game_of("standard", [(BOB, 2, "play"), (BOB, 8, "hand"), (ANN, 4, "hand"), (ANN, 6, "crib")])
    assert standings(game.rules, game.followed.weighted_course)[0].sure > 0.99
