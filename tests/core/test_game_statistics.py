"""What a deal gave to whom, averages, the way of the pegs and the best hands: by hand, and against pencil and paper."""

import contextlib
import json
import random
from dataclasses import asdict

import pytest
from hypothesis import Phase, settings
from hypothesis.stateful import initialize

from pegboard import Abandon, Amend, Deal, OverPeg, PegBack, Penalize, Retract, Rules, Score, TakeBack, new_game, play
from pegboard.core.game_statistics import Average, LeftOut, PegStep, ShownHand, Tally, figures, pars
from pegboard.core.moves import CallMuggins, ClaimFalsely, Scored, SetPegs, Stage
from pegboard.core.referee import apply, decide
from pegboard.core.wire import event_values
from pegboard.errors import PegboardError
from tests.oracles.figures_on_paper import Paper
from tests.oracles.score_keeper import Sheet
from tests.support import dealing
from tests.support.long_runs import some_of
from tests.support.player_names import SIX
from tests.support.sheet_strategies import Asking, house_words, never_come_about, picks, rules_as_played, variants

ANN, BOB = 0, 1

FIRST_DEAL = [
    Score(2, BOB, why="play"),
    Score(3, ANN, why="play"),
    Score(1, BOB, why="go"),
    Score(8, BOB, why="hand"),
    Score(12, ANN, why="hand"),
    Score(4, ANN, why="crib"),
]
"""Ann deals: Bob pegs 3 and 8, Ann 3, 12 and 4."""

SECOND_DEAL = [
    Score(2, BOB, why="heels"),
    Score(6, ANN, why="hand"),
    Score(24, BOB, why="hand"),
    Score(2, BOB, why="crib"),
]
"""Bob deals: Ann pegs 6, Bob 2, 24 and 2."""


def game_of(*commands, variant="standard", players=("Ann", "Bob")):
    game = new_game(Rules.named(variant), players)
    for command in commands:
        game = play(game, command)
    return game


@pytest.fixture
def two_deals():
    return figures(game_of(*FIRST_DEAL, *SECOND_DEAL))


def test_each_deal_tells_what_each_lane_pegged_in_it(two_deals):
    first, second, third = two_deals.deals
    assert first.lanes == (Tally(play=3, hand=12, crib=4), Tally(play=3, hand=8))
    assert second.lanes == (Tally(hand=6), Tally(play=2, hand=24, crib=2))
    assert [deal.dealer for deal in two_deals.deals] == [ANN, BOB, ANN]
    assert [deal.fronts for deal in two_deals.deals] == [(19, 11), (25, 39), (25, 39)]
    assert [deal.tells for deal in two_deals.deals] == [True, True, False]
    assert third.lanes == (Tally(), Tally())


def test_averages_are_by_deal_for_the_dealer_and_pone(two_deals):
    ann, bob = two_deals.lanes
    assert (ann.dealer, ann.pone) == (Average(1, 19), Average(1, 6))
    assert (bob.dealer, bob.pone) == (Average(1, 28), Average(1, 11))
    assert (bob.play, bob.hand, bob.crib) == (Average(2, 5), Average(2, 32), Average(1, 2))
    assert bob.hand.average == 16
    assert figures(new_game(Rules(), ("Ann", "Bob"))).lanes[0].dealer.average is None


def test_the_deal_that_the_end_cut_short_is_left_out_of_averages():
    """Bob needs 10 of his 29: 19 holes of them are beyond the end, and nobody counts the crib any more."""
    twice = [*FIRST_DEAL, *SECOND_DEAL]
    climb = [Score(29, BOB, why="hand"), Score(0, ANN, why="hand"), Score(0, ANN, why="crib")]
    fourth = [Score(29, ANN, why="hand"), Score(29, BOB, why="hand"), Score(14, BOB, why="crib")]
    game = game_of(*twice, *climb, *fourth, Score(1, BOB, why="go"))
    assert game.lanes[BOB].front == 112
    told = figures(play(game, Score(29, BOB, why="hand")))
    assert told.deals[-1].lanes[BOB] == Tally(play=1, hand=9)
    assert (told.deals[-1].whole, told.left_out) == (False, LeftOut(1, 0, 0))
    assert told.lanes[BOB].dealer == Average(2, 28 + 29 + 14)
    assert told.hands[0] == ShownHand(29, "hand", 3, BOB, BOB, 11)  # a hand is worth what its cards say


def test_points_without_a_reason_are_what_they_most_likely_were():
    told = figures(game_of(*FIRST_DEAL, Score(1, ANN), Score(8, ANN), Score(12, BOB), Score(6, BOB), Deal()))
    assert told.deals[1].lanes == (Tally(play=1, hand=8), Tally(hand=12, crib=6))
    assert [hand.why for hand in told.hands if hand.points == 6] == ["crib"]


def test_a_deal_that_is_not_sure_is_left_out():
    told = figures(game_of(*FIRST_DEAL, Score(7, ANN), Score(2, BOB, why="hand"), Deal()))
    assert told.deals[1].sure < 0.98
    assert [deal.known for deal in told.deals] == [True, False, True]
    assert told.left_out == LeftOut(unfinished=1, unknown=1, points=9)
    assert told.lanes[BOB].dealer == Average()


def test_a_deal_passed_on_before_a_hand_was_counted_is_not_whole():
    told = figures(game_of(Score(1, BOB, why="go"), Deal()))
    assert [deal.whole for deal in told.deals] == [False, False]


def test_penalties_awards_and_rulings_are_no_points_of_the_cards():
    told = figures(game_of(*FIRST_DEAL[:3], Penalize(2, BOB, "misdeal"), PegBack(ANN, 1)))
    assert told.deals[0].lanes == (Tally(play=3, other=-1), Tally(play=3, other=2))


def test_a_correction_tells_the_figures_anew():
    amended = game_of(*FIRST_DEAL, Amend(4, 10, 8))
    assert figures(amended).deals[0].lanes[BOB] == Tally(play=3, hand=10)
    assert figures(play(amended, TakeBack(1))).deals[0].lanes[BOB] == Tally(play=1, hand=10)
    over = figures(play(amended, OverPeg(5, 10, 12)))
    assert over.deals[0].lanes[ANN] == Tally(play=3, hand=10, crib=4)
    assert over.hands[0].points == 10
    again = figures(play(play(amended, Retract(3)), Score(8, BOB, why="hand")))
    assert [(hand.points, hand.line) for hand in again.hands] == [(8, 8)]
    assert again.deals[0].lanes == (Tally(play=3), Tally(play=3, hand=8))
    assert len(again.deals) == 1


def test_head_starts_are_other_points_of_the_deal_they_belong_to():
    shows = Score(4, BOB, why="hand"), Score(0, ANN, why="hand"), Score(5, ANN, why="crib")
    told = figures(game_of(*shows, variant="box-sheet"))
    assert told.deals[0].lanes == (Tally(crib=5, other=3), Tally(hand=4))
    assert (told.deals[0].fronts, told.deals[1].fronts) == ((8, 4), (8, 7))
    assert told.deals[1].lanes == (Tally(), Tally(other=3))
    assert told.deals[1].dealer == BOB


def test_an_empty_crib_that_nobody_entered_ends_its_deal_all_the_same():
    told = figures(game_of(*FIRST_DEAL[:5], Score(2, ANN, why="play"), variant="box-sheet"))
    assert [deal.whole for deal in told.deals] == [True, False]
    assert told.deals[1].lanes == (Tally(play=2), Tally(other=3))


def test_the_crib_of_a_deal_whose_dealer_nobody_named_tells_its_dealer():
    told = figures(game_of(Score(1, ANN), Score(8, ANN), Score(6, BOB), Score(4, BOB, why="crib")))
    assert (told.deals[0].dealer, told.first_dealer, told.deals[1].dealer) == (BOB, BOB, ANN)


def test_the_way_of_the_pegs_has_a_step_for_each_line_that_counts(two_deals):
    assert two_deals.steps[:3] == (PegStep(0, 1, (0, 0)), PegStep(1, 1, (0, 2)), PegStep(2, 1, (3, 2)))
    assert [step.line for step in two_deals.steps] == list(range(11))
    assert [step.line for step in figures(game_of(FIRST_DEAL[3], Deal())).steps] == [0, 1]
    with_start = figures(game_of(FIRST_DEAL[3], Deal(), variant="box-sheet"))
    assert with_start.steps == (PegStep(0, 1, (3, 0)), PegStep(1, 1, (3, 8)), PegStep(2, 2, (3, 11)))


def test_the_lead_changes_when_another_leads_alone(two_deals):
    """0:2 Bob, 3:2 Ann, 3:3, 3:11 Bob, 15:11 Ann ... 19:13, 25:13, 25:37 Bob."""
    assert two_deals.lead_changes == 4
    assert two_deals.greatest_lead == (12, 14)


def test_who_was_never_ahead_has_led_by_nothing():
    told = figures(game_of(Score(2, BOB, why="play"), Score(2, ANN, why="play"), Score(8, BOB, why="hand")))
    assert told.greatest_lead == (0, 8)


def test_one_alone_leads_nobody():
    told = figures(game_of(Score(8, 0, why="hand"), variant="solitaire", players=("Ann",)))
    assert (told.lead_changes, told.greatest_lead) == (0, (0,))


def test_the_best_hands_come_first_and_cribs_are_among_them(two_deals):
    assert [(hand.points, hand.why, hand.deal, hand.seat) for hand in two_deals.hands[:4]] == [
        (24, "hand", 2, BOB),
        (12, "hand", 1, ANN),
        (8, "hand", 1, BOB),
        (6, "hand", 2, ANN),
    ]
    assert [hand.points for hand in two_deals.hands if hand.why == "crib"] == [4, 2]


def test_partners_share_the_figures_of_their_lane():
    game = game_of(*(Score(6, seat, why="hand") for seat in (1, 2, 3, 0)), Deal(), variant="partners", players=FOUR)
    first, _ = figures(game).deals
    assert first.lanes == (Tally(hand=12), Tally(hand=12))
    assert figures(game).lanes[0].dealer == Average(1, 12)


FOUR = ("Ann", "Bob", "Cy", "Dee")


def test_the_pars_are_for_two_with_six_cards():
    assert pars(Rules.named("standard")) == pars(Rules.named("acc")) == (16.2, 10.2)
    assert all(pars(Rules.named(other)) == (None, None) for other in ("three-handed", "partners", "five-card"))


def test_a_game_given_up_keeps_its_figures():
    game = game_of(*FIRST_DEAL)
    assert figures(play(game, Abandon())) == figures(game)


# --- any sheet, against pencil and paper ---


def as_on_paper(game, sheet):
    """The figures are those on paper; which kinds of deals there were."""
    told, paper, seen = figures(game), Paper(sheet, game.followed), set()
    assert [deal.deal for deal in told.deals] == sorted(paper.deals)
    for deal in told.deals:
        plain = paper.deals[deal.deal]
        passed = deal.deal < paper.last
        assert [lane._asdict() for lane in deal.lanes] == plain["lanes"]
        assert (deal.dealer, list(deal.fronts), deal.known) == (plain["dealer"], plain["fronts"], plain["known"])
        assert deal.whole == (passed and plain["counted"])
        seen |= {f"whole {deal.whole}", f"known {deal.known}"}
    assert [(step.line, step.deal, list(step.fronts)) for step in told.steps] == paper.way
    assert [tuple(hand)[:6] for hand in told.hands] == sorted(paper.hands, key=lambda hand: (-hand[0], hand[5]))
    for lane, pegs in enumerate(game.lanes):
        assert sum(sum(deal.lanes[lane]) for deal in told.deals) == pegs.front
    return seen


class FiguresMachine(Asking):
    """A game and a plain sheet that are asked for anything; at the end both are added up."""

    @initialize(variant=variants, words=house_words, dealer=picks)
    def start(self, variant, words, dealer):
        rules = rules_as_played(variant, words)
        self.seen = set()
        self.game = new_game(rules, SIX[: rules.seats], dealer % rules.seats)
        self.sheet = Sheet(json.loads(json.dumps(asdict(rules))), dealer % rules.seats, SIX[: rules.seats])

    def ask(self, command):
        try:
            happened = decide(self.game, command)
        except PegboardError:
            return False
        self.game = apply(self.game, happened)
        self.sheet.add(*event_values(happened))
        return True

    def teardown(self):
        if self.sheet is not None:
            self.seen |= as_on_paper(self.game, self.sheet)
        super().teardown()


TestFigures = FiguresMachine.TestCase
TestFigures.settings = settings(stateful_step_count=50, phases=set(settings().phases) - {Phase.explain})


def after_both(game, sheet, command):
    """The game after a command, which the sheet takes too; both stay as they are where it is refused."""
    with contextlib.suppress(PegboardError):
        happened = decide(game, command)
        game = apply(game, happened)
        sheet.add(*event_values(happened))
    return game


def rulings(dice, game):
    """Something else than points that can happen in the middle of a deal."""
    lane = dice.randrange(game.rules.lanes)
    scored = [line for line, entry in enumerate(game.entries, 1) if isinstance(entry.event, Scored)] or [1]
    return dice.choice(
        [
            Penalize(dice.randint(1, 4), lane),
            CallMuggins(lane, dice.randint(2, 8), dice.randint(1, 8), 1 - lane),
            OverPeg(dice.choice(scored), dice.randint(0, 4), 8),
            ClaimFalsely(dice.choice(scored), dice.randint(0, 4), 8),
            SetPegs(lane, dice.randint(20, 100), 10, "as both remember"),
            PegBack(lane, dice.randint(1, 5), "out of turn"),
            TakeBack(dice.choice(scored)),
            Amend(dice.choice(scored), dice.randint(1, 12), 4),
            Retract(dice.choice(scored)),
            Stage(dice.choice(["play", "show"])),
            Deal(),
            Score(dice.randint(1, 12), lane),
            Score(2, lane, why="heels"),
            Deal(lane, new=False),
        ]
    )


DEALT = [
    (variant, words, seed)
    for variant, words in [
        ("standard", ["muggins=on", "over-peg=excess"]),
        ("standard", ["dealer start=on"]),
        ("short", ["three for last=on", "muggins=on"]),
        ("five-card", []),
    ]
    for seed in range(some_of(6, 3))
]


@pytest.mark.parametrize(("variant", "words", "seed"), DEALT)
def test_dealt_games_with_rulings_are_told_as_on_paper(variant, words, seed):
    """Half of the reasons are said; something else happens at every ninth entry, now and then after the end, too."""
    rules, dice = rules_as_played(variant, words), random.Random(seed)
    game = new_game(rules, FOUR[:2], 0)
    sheet = Sheet(json.loads(json.dumps(asdict(rules))), 0, FOUR[:2])
    entries = dealing.game(dice, dealing.table_of(rules), 0, [dealing.CAREFUL] * 2)
    for truth in entries:
        commands = [Score(truth.points, truth.seat, why=truth.why if dice.random() < 0.5 else None)]
        if dice.random() < 1 / 9 or truth is entries[-1]:
            commands.append(rulings(dice, game))
        for command in commands:
            game = after_both(game, sheet, command)
        if dice.random() < 1 / 4:
            as_on_paper(game, sheet)
    as_on_paper(game, sheet)


@pytest.mark.parametrize("seed", range(some_of(8, 2)))
def test_games_of_one_alone_are_told_as_on_paper(seed):
    """Nothing is guessed there: points without a reason are of a kind that nobody knows."""
    rules, dice = rules_as_played("solitaire", []), random.Random(seed)
    game, sheet = new_game(rules, FOUR[:1], 0), Sheet(json.loads(json.dumps(asdict(rules))), 0, FOUR[:1])
    for _ in range(40):
        why = dice.choice([None, None, "play", "go", "heels", "hand", "hand", "crib", "crib"])
        command = Score(dice.randint(0, 12), 0, why=why) if dice.random() < 0.8 else rulings(dice, game)
        game = after_both(game, sheet, command)
        if dice.random() < 1 / 8:
            as_on_paper(game, sheet)
    as_on_paper(game, sheet)


@pytest.mark.skipif(settings.get_current_profile_name() == "mutation", reason="it is about the tests, not the program")
def test_whole_and_unknown_deals_both_come_about():
    wanted = {"whole True", "whole False", "known True", "known False"}
    assert not never_come_about(FiguresMachine, wanted, runs=10, steps=30)
