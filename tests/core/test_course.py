"""The course of a game: what was said holds, what was not is worked out, and corrections come out as if never made."""

import contextlib
import json
import math
import random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant

from pegboard import Deal, Rules, Score, TakeBack, new_game, play
from pegboard.core import best_path, course_model
from pegboard.core.course_model import SAID, Model, model_of
from pegboard.core.course_of_sheet import certainties, weigh
from pegboard.core.game_statistics import figures
from pegboard.core.house_rules import with_house_rules
from pegboard.core.learned_tables import TABLES
from pegboard.core.match import Match
from pegboard.core.moves import FAULTS, Amend, Dealt, OverPeg, Retract, Scored, Stage, Staged
from pegboard.core.referee import apply, decide, loses_win
from pegboard.core.sentences import is_dealer_known
from pegboard.core.view import View
from pegboard.core.view_as_json import snapshot
from pegboard.core.wire import event_values
from pegboard.errors import PegboardError
from tests.core.learn import LEARNED
from tests.oracles.score_keeper import Sheet
from tests.support import dealing
from tests.support.long_runs import some_of
from tests.support.player_names import SIX
from tests.support.sheet_strategies import Asking, house_words, picks, rules_as_played, variants

ANN, BOB, CY = 0, 1, 2
FOUR = ("Ann", "Bob", "Cy", "Dee")

STANDARD = Rules()
PLAY = {"play", "go", "thirty-one"}


GUESSED = (
    *(Scored(1, 2), Scored(0, 2), Scored(1, 6, why="hand", guessed=True)),
    *(Scored(0, 1), Scored(1, 1), Scored(1, 8)),
)
"""A pair royal of pone that a page of an older version took for the hand: a go follows it."""


def game_of(*scores, variant="standard", dealer=ANN):
    """A game with these scores: seat, points and, where it was said, the reason; or any other command."""
    rules = Rules.named(variant)
    game = new_game(rules, SIX[: rules.seats], dealer)
    for one in scores:
        game = play(game, one if not isinstance(one, tuple) else Score(one[1], one[0], why=(*one, None)[2]))
    return game


def whys(game):
    return [reading and reading.why for reading in game.followed.readings]


def where(game):
    at = game.standing
    return at.dealer, at.phase, at.to_count


# --- a deal as it is played (the play, then pone's hand, the dealer's, the crib) ---

DEAL = [(BOB, 2), (ANN, 1), (BOB, 1), (BOB, 8), (ANN, 12), (ANN, 4)]
"""Ann deals: a pair, a go, the last card; pone's hand, the dealer's, the crib. Numbers only."""


def test_numbers_alone_tell_a_deal():
    game = game_of(*DEAL)
    assert whys(game) == ["play", "go", "go", "hand", "hand", "crib"]
    assert [reading.deal for reading in game.followed.readings] == [1] * 6
    assert where(game) == (BOB, "play", None)
    assert (game.standing.deal, game.standing.begun) == (2, False)


def test_two_scores_of_a_player_may_be_entered_as_their_sum():
    """Ann's pair and the go after it as 3; Bob's last card with his hand as 9."""
    game = game_of((BOB, 2), (ANN, 3), (BOB, 9), (ANN, 12), (ANN, 4))
    assert whys(game)[:2] == ["play", "play"]
    assert (*whys(game)[3:], game.dealer) == ("hand", "crib", BOB)


# --- the crib before the hand ---

CRIB_FIRST = [(BOB, 2), (ANN, 2), (ANN, 1, "go"), (BOB, 1, "go"), (BOB, 8, "hand"), (ANN, 4, "crib")]


def test_after_a_crib_that_is_said_before_the_hand_the_hand_is_due():
    game = game_of(*CRIB_FIRST)
    assert where(game) == (ANN, "hand", ANN)
    game = play(game, Score(6, ANN))
    assert (*whys(game)[-2:], where(game)) == ("crib", "hand", (BOB, "play", None))


def test_a_player_who_has_counted_the_crib_first_is_taken_to_do_so_again():
    bobs = [(ANN, 2), (BOB, 1, "go"), (ANN, 1, "go"), (ANN, 8), (BOB, 6), (BOB, 4)]
    anns = [(BOB, 2), (ANN, 2), (BOB, 1, "go"), (ANN, 1, "go"), (BOB, 6), (ANN, 4), (ANN, 8)]
    game = game_of(*CRIB_FIRST, (ANN, 6), *bobs, *anns)
    assert whys(game)[7:13][-3:] == ["hand", "hand", "crib"], "Bob has not"
    assert whys(game)[13:][-3:] == ["hand", "crib", "hand"]


def test_a_crib_that_is_said_after_both_hands_ends_its_deal():
    said = [(BOB, 4, "hand"), (ANN, 6, "hand"), (ANN, 2, "crib"), (BOB, 2, "play"), (ANN, 1, "go"), (ANN, 2, "play")]
    said += [
        (BOB, 6, "play"),
        (BOB, 2, "thirty-one"),
        (ANN, 0, "hand"),
        (BOB, 8, "hand"),
        (BOB, 4, "crib"),
        (ANN, 2, "play"),
    ]
    game = game_of(*said)
    assert [reading.deal for reading in game.followed.readings] == [1] * 3 + [2] * 8 + [3]


# --- muggins pegged as a score ---

MISSED = [(BOB, 2), (ANN, 2), (ANN, 1), (BOB, 1), (BOB, 8), (ANN, 2), (ANN, 8)]
"""Ann deals, and pegs two that Bob has missed in his hand, then her hand."""


def test_points_that_an_opponent_has_missed_may_be_pegged_between_the_hands():
    rules = with_house_rules(Rules(), ["muggins=on"])
    game = new_game(rules, FOUR[:2], ANN)
    for seat, points in MISSED:
        game = play(game, Score(points, seat))
    assert game.standing.dealer_sure < 0.7
    game = play(game, Score(4, ANN))
    assert (whys(game)[-4:], where(game)) == (["hand", None, "hand", "crib"], (BOB, "play", None))


def test_without_muggins_points_between_the_hands_are_a_hand():
    assert whys(game_of(*MISSED))[-3:] == ["hand", "hand", "crib"]
    assert game_of(*MISSED).standing.dealer_sure > 0.9


# --- who counts next ---


def test_who_counts_next_is_known_from_numbers_alone():
    assert where(game_of(*DEAL[:3])) == (ANN, "hand", BOB)
    assert where(game_of(*DEAL[:4])) == (ANN, "hand", ANN)
    assert where(game_of(*DEAL[:5])) == (ANN, "crib", None)


def test_before_anything_is_pegged_the_cards_are_cut():
    assert where(game_of()) == (ANN, "cut", None)


def test_a_later_entry_heals_what_an_earlier_one_was_taken_for():
    """Bob's 6 is a pair royal when Ann pegs a go after it, and pone's hand when she counts hers."""
    before = [*DEAL, (BOB, 2), (ANN, 2)]
    in_play = game_of(*before, (ANN, 6), (BOB, 1, "go"), (ANN, 1, "go"), (ANN, 8))
    assert whys(in_play)[8] == "play"
    assert whys(in_play)[11] == "hand"


def test_an_empty_crib_that_nobody_entered_is_passed_over():
    game = game_of(*DEAL[:5], (BOB, 2), (ANN, 1), (BOB, 1), (ANN, 10), (BOB, 6))
    assert whys(game)[5:] == ["play", "go", "go", "hand", "hand"]
    assert where(game) == (BOB, "crib", None)


def test_a_hand_is_counted_in_parts():
    game = game_of(*DEAL[:3], (BOB, 2, "hand"), (BOB, 4), (ANN, 8), (ANN, 4))
    assert whys(game)[3:] == ["hand", "hand", "hand", "crib"]


def test_muggins_that_is_pegged_as_a_score_leaves_the_deal_where_it_is():
    game = game_of(*DEAL[:4], (ANN, 12, "hand"), (BOB, 7), (ANN, 4, "crib"))
    assert whys(game)[5] != "crib"
    assert where(game) == (BOB, "play", None)


def test_penalties_and_muggins_tell_nothing_of_the_deal():
    game = game_of(*DEAL[:3], Score(2, ANN, why="penalty"), (BOB, 8))
    assert whys(game) == ["play", "go", "go", None, "hand"]


def test_three_count_in_their_order():
    game = game_of((BOB, 2), (CY, 1), (ANN, 2), (ANN, 1), (BOB, 8, "hand"), variant="three-handed")
    assert where(game) == (ANN, "hand", CY)
    game = play(play(game, Score(6, CY)), Score(9, ANN))
    assert where(game) == (ANN, "crib", None)
    assert where(play(game, Score(4, ANN))) == (BOB, "play", None)


def test_of_partners_the_course_finds_the_seat():
    """Keys belong to lanes: pone is Bob, then Cy, Dee and Ann, who deals."""
    game = game_of(
        *(Score(points, lane=lane) for lane, points in [(1, 2), (0, 2), (1, 2), (0, 1), (1, 2), (0, 1)]),
        variant="partners",
    )
    game = play(game, Stage("show"))
    assert where(game) == (ANN, "hand", BOB)
    for lane, seat in [(1, CY), (0, 3), (1, ANN)]:
        game = play(game, Score(8, lane=lane))
        assert where(game) == (ANN, "hand", seat)
    assert where(play(game, Score(8, lane=0))) == (ANN, "crib", None)


def test_a_partner_may_enter_a_hand_for_the_other():
    game = game_of((ANN, 2, "heels"), Stage("show"), (3, 8, "hand"), variant="partners")
    assert where(game) == (ANN, "hand", CY)


def test_alone_nothing_is_guessed():
    game = game_of((ANN, 8, "hand"), (ANN, 4), variant="solitaire")
    assert whys(game) == ["hand", None]
    assert game.standing.sure == 1.0
    assert game.followed.certainties(2) == {}
    assert game.followed.course == best_path.Course((), ())


# --- what was said ---


def test_alone_each_line_reads_as_it_was_said_in_the_deal_of_its_cards():
    """A crib counts to the deal that it ends, everything else to the one that it begins or is in."""
    said = [(ANN, 2, "heels"), (ANN, 8, "hand"), (ANN, 4, "crib"), (ANN, 1, "go"), (ANN, 3), Deal()]
    game = play(game_of(*said, variant="solitaire"), TakeBack(4))
    expected = [("heels", 1), ("hand", 1), ("crib", 1), None, (None, 2), (None, 3)]
    assert [reading and (reading.why, reading.deal) for reading in game.followed.readings] == expected
    assert {reading.dealer for reading in game.followed.readings if reading} == {ANN}


def test_a_said_dealer_is_a_fact_and_the_policys_is_only_likely():
    named, chosen = new_game(Rules(), ("Ann", "Bob"), BOB), new_game(Rules(), ("Ann", "Bob"), None)
    assert (named.standing.dealer_sure, chosen.standing.dealer_sure) == (1.0, pytest.approx(0.9, abs=0.01))


def test_where_the_cards_are_cut_everybody_is_as_likely_to_deal():
    cut = new_game(rules_as_played("standard", ["first deal=cut"]), ("Ann", "Bob"), None)
    assert cut.standing.dealer_sure == pytest.approx(0.5, abs=0.01)
    assert cut.standing.other is not None
    assert cut.standing.other.dealer == 1 - cut.standing.dealer


def test_whoever_is_said_to_deal_does_so_in_mid_deal_too():
    game = play(game_of(*DEAL[:2]), Deal(BOB, new=False))
    assert (game.dealer, game.standing.dealer_sure) == (BOB, 1.0)
    assert play(game, Deal(ANN, new=False)).dealer == ANN, "the latest said dealer wins"


def test_after_the_crib_the_dealer_who_is_said_is_that_of_the_next_deal():
    game = play(game_of(*DEAL), Deal(BOB, new=False))
    assert (*where(game), game.standing.deal) == (BOB, "play", None, 2)
    assert play(game_of(*DEAL), Deal(ANN, new=False)).dealer == ANN


def test_a_new_deal_passes_to_the_next_or_to_whoever_is_named():
    game = play(game_of(*DEAL[:4]), Deal(new=True))
    assert (*where(game), game.standing.deal) == (BOB, "play", None, 2)
    assert where(play(game_of(*DEAL[:4]), Deal(ANN, new=True))) == (ANN, "play", None)


def test_a_deal_that_has_begun_already_is_not_passed_twice():
    game = play(game_of(*DEAL), Deal(new=True))
    assert (*where(game), game.standing.deal) == (BOB, "play", None, 2)


def test_play_and_show_are_said():
    in_play = game_of(*DEAL[:2])
    assert where(play(in_play, Stage("show"))) == (ANN, "hand", BOB)
    counted = game_of(*DEAL[:4])
    assert where(play(counted, Stage("play")))[1] == "play"
    assert where(play(game_of(*DEAL), Stage("show")))[1] in {"hand", "crib"}
    assert where(play(game_of(*DEAL), Stage("play"))) == (BOB, "play", None)


def test_a_reason_that_a_page_had_guessed_weighs_and_does_not_bind():
    """Bob's 6 was taken for a hand; the go after it says that it was a pair royal."""
    assert followed(GUESSED)[2].why == "play"
    assert followed([*GUESSED[:2], Scored(1, 6, why="hand"), *GUESSED[3:]])[2].why == "hand"


def followed(lines, rules=STANDARD, dealer=ANN):
    return best_path.readings(rules, best_path.follow(rules, best_path.begin(rules, dealer, said=True), lines))


def test_who_has_said_heels_before_is_not_taken_to_have_pegged_them_unsaid():
    """A first 2 of the dealer before pone's first points."""
    quiet = [Scored(0, 2), Scored(0, 2), Scored(1, 1), Scored(0, 1), Scored(1, 8), Scored(0, 8), Scored(0, 4)]
    odds = [odds_of_heels(quiet), odds_of_heels([Scored(0, 2, why="heels"), *quiet[1:], *moved(quiet)], line=8)]
    assert odds[1] < odds[0]


def moved(lines):
    """Two deals later; in between Bob deals."""
    between = [Scored(0, 2), Scored(1, 1), Scored(0, 1), Scored(0, 8), Scored(1, 8), Scored(1, 4)]
    return [*between, *lines]


def odds_of_heels(lines, line=1):
    rules = Rules()
    whole = best_path.follow(rules, best_path.begin(rules, ANN, said=True), lines)
    reading = best_path.readings(rules, whole)[line - 1]
    told = best_path.readings(rules, whole)
    sure = certainties(rules, weigh(rules, whole), told, len(lines))[line].why
    return sure if reading.why == "heels" else 1 - sure


# --- what fits nothing ---


def test_thirty_hands_in_a_row_are_scored_and_heal_at_what_is_said_next():
    """Beyond what hands in parts explain, nothing of it is sure."""
    rules = rules_as_played("standard", ["game hole=361"])
    game = new_game(rules, ("Ann", "Bob"), ANN)
    for _ in range(30):
        game = play(game, Score(8, ANN, why="hand"))
    assert game.lanes[ANN].front == 240
    assert game.standing.sure < 0.6
    assert game.standing.other is not None
    healed = play(game, Deal(BOB, new=True))
    assert (*where(healed), healed.standing.sure) == (BOB, "play", None, 1.0)
    assert play(healed, Score(2, ANN)).standing.sure > 0.9


@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 29)), min_size=1, max_size=40))
def test_no_entry_is_impossible(entries):
    lines = [Scored(lane, points) for lane, points in entries]
    assert all(reading is not None for reading in followed(lines))


@pytest.mark.parametrize("why", sorted(SAID))
@pytest.mark.parametrize("variant", LEARNED.values())
def test_whatever_is_said_can_be(variant, why):
    rules = Rules.named(variant)
    for dealer in range(rules.seats):
        for seat in range(rules.seats):
            told = followed([Scored(rules.lane_of(seat), 2, seat, why)] * 3, rules, dealer)
            assert {group(reading.why) for reading in told} == {group(why)}


def group(why):
    return "play" if why in PLAY else why


# --- corrections ---


def test_a_correction_in_the_middle_comes_out_as_if_it_had_always_been_so():
    swapped = [(1 - seat, points) for seat, points in DEAL]
    game = game_of(*DEAL, *swapped, *DEAL, *swapped)
    known = game.followed.course
    changed = play(game, Amend(2, 3, 1))
    assert known.steps[-1] is changed.followed.course.steps[-1], "joins the old course"
    assert bare(changed.followed.weighted_course) == anew(changed)


def test_a_true_amount_found_by_a_judge_is_what_the_course_sees():
    game = play(game_of(*DEAL[:3], (BOB, 24), (ANN, 8)), OverPeg(4, 2, 24))
    assert game.followed.course.lines[3] == Scored(1, 2, 1)
    assert bare(game.followed.weighted_course) == anew(game)


def test_the_course_goes_back_with_the_game():
    game = play(game_of(*DEAL), Retract(3))
    assert where(game) == (ANN, "hand", BOB)
    assert [reading is None for reading in game.followed.readings] == [False] * 3 + [True] * 3 + [False]


def test_the_course_is_followed_from_an_earlier_state_though_it_was_not_asked_for_then():
    game = game_of(*DEAL)
    known = game.followed.course
    later = play(play(game, TakeBack(2)), Score(2, BOB))
    assert later.former_course is known
    assert bare(later.followed.weighted_course) == anew(later)


def anew(game):
    """The course derived from the whole sheet at once."""
    first = best_path.begin(game.rules, game.first_dealer, said=game.dealer_said)
    return bare(weigh(game.rules, best_path.follow(game.rules, first, game.followed.course.lines)))


def bare(whole):
    """A course without the ways between its states, which are found when they are first gone."""
    return whole._replace(steps=tuple(step._replace(links=None) for step in whole.steps))


class CourseMachine(Asking):
    """Anything that can be asked of a game, and after each the course from before beside the one made anew."""

    @initialize(variant=variants, words=house_words, dealer=st.none() | picks)
    def start(self, variant, words, dealer):
        rules = rules_as_played(variant, words)
        first = None if dealer is None else dealer % rules.seats
        self.game = new_game(rules, SIX[: rules.seats], first)
        plain = json.loads(json.dumps({name: getattr(rules, name) for name in rules.__dataclass_fields__}))
        self.sheet = Sheet(plain, first or 0, SIX[: rules.seats], dealer_said=first is not None)
        self.asked = 0

    def ask(self, command):
        try:
            happened = decide(self.game, command)
        except PegboardError:
            return False
        self.game = apply(self.game, happened)
        self.sheet.add(*event_values(happened))
        self.asked += 1
        if self.asked % 3:
            self.see()
        return True

    def see(self):
        """Compare; not after every event, so that several corrections come together."""
        if self.game.rules.seats > 1:
            assert bare(self.game.followed.weighted_course) == anew(self.game)
            self.see_what_was_said()
        lanes = self.game.rules.lanes
        assert len(snapshot(View(self.game, Match.empty(lanes), (0,) * lanes))["entries"]) <= 10

    def see_what_was_said(self):
        for line, reading in zip(self.game.followed.course.lines, self.game.followed.readings, strict=True):
            if reading is not None and isinstance(line, Scored) and line.why not in (None, *FAULTS):
                assert group(reading.why) == group(line.why)
            if reading is not None and isinstance(line, Dealt) and line.dealer is not None and line.new:
                assert reading.dealer == line.dealer

    @invariant()
    def says_where_it_stands(self):
        if self.sheet is None or not self.game.entries or self.game.rules.seats == 1:
            return
        at, newest = self.game.standing, self.game.entries[-1]
        if at.phase == "over" or not newest.stands or self.asked % 3 == 0:
            return
        if isinstance(newest.event, Staged):
            assert (at.phase in {"play", "cut"}) == (newest.event.stage == "play")
        if isinstance(newest.event, Dealt) and newest.event.dealer is not None:
            assert at.dealer == newest.event.dealer


TestCourse = CourseMachine.TestCase
TestCourse.settings = settings(stateful_step_count=40, phases=set(settings().phases) - {Phase.explain})


# --- the table ---


@pytest.mark.parametrize("name", TABLES)
def test_rows_are_probabilities_that_sum_to_one(name):
    for line in TABLES[name].splitlines():
        head, body = line.split(" ")
        width = 2 if head == "show" else 5
        costs = [int(body[at + width - 2 : at + width], 36) for at in range(0, len(body), width)]
        assert sum(math.exp(-cost / 100) for cost in costs if cost < 999) == pytest.approx(1, abs=0.03)


def test_the_tables_are_small():
    assert sum(map(len, TABLES.values())) < 25_000


@pytest.mark.parametrize("variant", LEARNED.values())
def test_a_model_has_a_place_for_each_hand_and_the_crib(variant):
    model = model_of(Rules.named(variant))
    assert isinstance(model, Model)
    assert model.crib - model.show == Rules.named(variant).seats + 1


@pytest.mark.parametrize("name", list(TABLES))
def test_places_are_the_rows_of_the_table_and_after_them_the_show(name):
    """Dealt, heels, a place for each row with entries, the show, hands counted, the crib, a hand after it."""
    seats, lanes = {"three": (3, 3), "partners": (4, 2), "four": (4, 4), "six": (6, 3)}.get(name, (2, 2))
    made = Model(TABLES[name], seats, lanes)
    heads = [line.split(" ")[0] for line in TABLES[name].splitlines()]
    rows = [head for head in heads if head not in {"show", "0900"}]
    assert made.show == 2 + len(rows)
    assert (made.crib, made.due, made.places) == (made.show + seats + 1, made.show + seats + 2, made.show + seats + 3)
    assert [made.in_play(place) for place in (0, made.show - 1, made.show)] == [True, True, False]
    shows = (made.show - 1, made.show, made.crib - 1, made.crib, made.due)
    assert [made.in_show(place) for place in shows] == [False, True, True, False, True]
    assert made.ahead(made.crib)[:2] == ((made.crib, 0, 0), (0, 1, 0)), "after the crib comes the next deal"


def test_a_model_made_anew_follows_a_deal():
    """What it keeps is worked out on first use: places, links and ways ahead."""
    course_model._model.cache_clear()
    Model.middle.cache_clear()
    test_numbers_alone_tell_a_deal()
    test_who_counts_next_is_known_from_numbers_alone()
    test_an_empty_crib_that_nobody_entered_is_passed_over()
    test_three_count_in_their_order()


# --- what displays and statistics get ---


def test_a_display_gets_the_likely_reason_beside_the_said_one():
    game = new_game(STANDARD, ("Ann", "Bob"), ANN)
    for line in GUESSED:
        game = apply(game, line)
    told = snapshot(View(game))["entries"][::-1]
    assert (told[2]["why"], told[2]["guessed"], told[2]["likely"]["why"]) == ("hand", True, "play")
    assert "likely" not in snapshot(View(game_of((BOB, 1, "go"))))["entries"][0]


def test_a_dealer_is_marked_where_one_is_likelier_than_all_others():
    assert is_dealer_known(game_of(*DEAL))
    assert not is_dealer_known(new_game(rules_as_played("standard", ["first deal=cut"]), ("Ann", "Bob"), None))


def test_what_was_weighed_before_is_weighed_no_more():
    game = game_of(*DEAL)
    known = game.followed.weighted_course.weights
    later = play(game, Score(2, ANN)).followed.weighted_course.weights
    assert all(now is before for now, before in zip(later, known, strict=False))
    amended = play(game, Amend(1, 3, game.entries[0].event.points)).followed.weighted_course.weights
    assert amended[0] is known[0]


def test_the_trail_tells_what_an_entry_was_before():
    game = play(play(game_of(*DEAL), Amend(4, None, 8, why="hand")), Amend(4, None, 8, seat=ANN))
    history = snapshot(View(game))["entries"][2]["history"]
    assert (history[0]["was_why"], history[1]["was_seat"], history[1]["was_lane"]) == (None, BOB, 1)


def test_a_correction_that_takes_a_win_away_is_known():
    rules = rules_as_played("standard", ["game hole=31"])
    won = play(play(new_game(rules, ("Ann", "Bob"), ANN), Score(29, BOB)), Score(2, BOB))
    assert won.outcome is not None
    assert loses_win(won, play(won, Amend(2, 1, 2))) == BOB
    assert loses_win(won, play(won, Amend(2, 3, 2))) is None


def test_points_of_a_deal_that_is_not_sure_are_told_by_lane():
    said = [(*one, why) for one, why in zip(DEAL, ["play", "go", "go", "hand", "hand", "crib"], strict=True)]
    told = figures(game_of(*said, (ANN, 7), (BOB, 2, "hand"), Deal()))
    assert [part.left_out.points for part in told.parts] == [7, 2]


def test_a_stage_that_was_said_by_mistake_is_put_right_by_the_other():
    """With a penalty in between too; the deal does not pass."""
    game = play(game_of(*DEAL[:1]), Stage("show"))
    for between in ([], [Score(2, ANN, why="penalty")]):
        again = game
        for command in (*between, Stage("play"), Score(2, ANN), Score(1, BOB)):
            again = play(again, command)
        assert whys(again)[0] == "play"
        assert (again.standing.deal, again.dealer) == (1, ANN)
    nothing = play(play(game_of(), Stage("show")), Stage("play"))
    assert (*where(nothing), nothing.standing.deal, nothing.standing.begun) == (ANN, "cut", None, 1, False)


def test_where_nothing_is_sure_the_other_stage_is_offered():
    game = new_game(rules_as_played("standard", ["game hole=361"]), ("Ann", "Bob"), ANN)
    for _ in range(30):
        game = play(game, Score(8, ANN, why="hand"))
    assert game.standing.sure < 0.6
    assert game.standing.other is not None
    assert game.standing.other[:3] != where(game)


def test_said_reasons_alone_do_not_make_a_dealer_sure():
    """The cards are cut, nobody is named: a play, a go and DEAL tell no dealer."""
    game = new_game(rules_as_played("standard", ["first deal=cut"]), ("Ann", "Bob"), None)
    for seat, points, why in [(ANN, 2, "play"), (BOB, 1, "go"), (ANN, 8, "hand")]:
        game = play(game, Score(points, seat, why=why))
    told = figures(play(game, Deal()))
    assert not told.deals[0].known
    assert told.deals[0].whole


DEALT = st.tuples(
    st.sampled_from(sorted(LEARNED.values())),
    st.integers(0, 10_000),
)


@settings(max_examples=some_of(100))
@given(DEALT, st.lists(st.tuples(st.integers(0, 999), st.integers(0, 12), st.booleans()), max_size=6))
def test_dealt_games_that_are_put_right_come_out_as_if_made_anew(dealt, corrections):
    variant, seed = dealt
    dice, rules = random.Random(seed), Rules.named(variant)
    game = new_game(rules, SIX[: rules.seats], dice.randrange(rules.seats))
    truths = dealing.game(dice, dealing.table_of(rules), game.first_dealer, [dealing.CAREFUL] * rules.seats)
    for truth in truths[:40]:
        game = apply(game, Scored(rules.lane_of(truth.seat), truth.points, truth.seat))
    for pick, points, undo in corrections:
        line = 1 + pick % len(game.entries)
        assert bare(game.followed.weighted_course) == anew(game)
        with contextlib.suppress(PegboardError):
            game = play(game, TakeBack(line) if undo else Amend(line, points, game.entries[line - 1].event.points))
    made = anew(game)
    assert bare(game.followed.weighted_course) == made
    assert [list(step.costs) for step in game.followed.weighted_course.steps] == [
        list(step.costs) for step in made.steps
    ]
    assert list(game.followed.readings) == best_path.readings(rules, made)
