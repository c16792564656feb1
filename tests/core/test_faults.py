"""Faults of the deal, in the order of the laws of 1922: what each costs, until when, and what the pone can choose."""

import pytest

from pegboard import Amend, Deal, Restore, RuleError, Rules, Score, TakeBack, new_game, play
from pegboard.core import wire
from pegboard.core.faults import FAULT_RULES, FaultName, Until
from pegboard.core.house_rules import with_house_rules
from pegboard.core.moves import OverPeg, Penalize, Reason, Scored, Stage
from pegboard.core.referee import decide, redecide
from pegboard.core.rules import VARIANTS
from pegboard.core.view_as_json import entry_state
from pegboard.storage.transfer.exporting import sheet_text

ANN, BOB = 0, 1
NAMES = ("Ann", "Bob", "Cy", "Dee", "Player 5", "Player 6")
LAWS = with_house_rules(Rules(), ["misdeal=2", "pone chooses=on"])
MISDEALS = [fault for fault, rule in FAULT_RULES.items() if rule.is_misdeal]
OF_THE_DECK = [FaultName.FACED_IN_PACK, FaultName.WRONG_PACK]
OTHERS = [variant for variant, rules in VARIANTS.items() if rules.lanes > 1]


def table(*commands, rules=LAWS, dealer=ANN):
    """A game in which Ann deals, so that Bob is the pone."""
    game = new_game(rules, NAMES[: rules.seats], dealer)
    for command in commands:
        game = play(game, command)
    return game


def fronts(game):
    return [lane.front for lane in game.lanes]


def redeal(fault, points=0, by=ANN, seat=BOB):
    return Penalize(points, seat, fault=fault, redeal=by)


def accept(fault, points=0, seat=BOB):
    return Penalize(points, seat, fault=fault, accepted=True)


def refusal(game, command):
    before = game
    with pytest.raises(RuleError) as refused:
        play(game, command)
    assert game == before
    return str(refused.value)


# --- what each costs ---


def test_the_misdeals_of_the_laws_cost_what_the_table_says():
    assert MISDEALS == ["not-cut", "wrong-card", "faced-card", "dealer-number", "pone-number"]
    usual = {one["fault"]: one["points"] for one in LAWS.penalties}
    assert [usual[fault] for fault in MISDEALS] == [2] * 5
    assert (usual["out-of-turn"], usual["cut-pack"], usual["renege"]) == (2, 2, 2)


@pytest.mark.parametrize("misdeal", [0, 1, 2, 29])
@pytest.mark.parametrize("fault", OF_THE_DECK)
def test_a_faulty_deck_never_costs_points_and_earlier_scores_stand(fault, misdeal):
    rules = with_house_rules(Rules(), [f"misdeal={misdeal}", "pone chooses=on"])
    assert fault not in {one["fault"] for one in rules.penalties}
    game = table(Score(2, ANN, why="heels"), Score(3, BOB, why="play"), rules=rules)
    for asked in (redeal(fault, 2), Penalize(2, BOB, fault=fault), accept(fault)):
        assert "the same dealer redeals and nobody gets points" in refusal(game, asked)
    after = play(game, redeal(fault))
    assert fronts(after) == [2, 3]
    assert (after.standing.dealer, after.standing.phase, after.standing.begun) == (ANN, "play", False)


@pytest.mark.parametrize("variant", OTHERS)
@pytest.mark.parametrize("points", [0, 2])
def test_points_for_a_misdeal_never_go_to_the_dealers_side(variant, points):
    rules = with_house_rules(Rules.named(variant), ["misdeal=2"])
    for dealer in range(rules.seats):
        game = table(rules=rules, dealer=dealer)
        for seat in range(rules.seats):
            asked = redeal(FaultName.NOT_CUT, points, by=dealer, seat=seat)
            if rules.lane_of(seat) == rules.lane_of(dealer):
                assert "go to the dealer's opponents" in refusal(game, asked)
            else:
                gained = [now - was for now, was in zip(fronts(play(game, asked)), fronts(game), strict=True)]
                assert gained == [points * (lane == rules.lane_of(seat)) for lane in range(rules.lanes)]


def test_a_solo_player_has_nobody_to_award_points_to():
    game = table(rules=Rules.named("solitaire"))
    assert "no opponent at this table" in refusal(game, redeal(FaultName.NOT_CUT, seat=ANN))


# --- who may choose, and until when ---


@pytest.mark.parametrize("fault", MISDEALS)
@pytest.mark.parametrize("points", [0, 2])
def test_the_pone_has_the_deal_again_or_lets_it_stand(fault, points):
    again, stands = play(table(), redeal(fault, points)), play(table(), accept(fault, points))
    assert fronts(again) == fronts(stands) == [0, points]
    line = {"do": "penalty", "seat": BOB, "lane": BOB, "points": points, "why": "penalty", "fault": fault}
    assert (line | {"redeal": ANN}).items() <= entry_state(again, 1).items()
    assert "accepted" not in entry_state(again, 1)
    assert (line | {"accepted": True}).items() <= entry_state(stands, 1).items()
    assert "redeal" not in entry_state(stands, 1)
    assert fronts(play(again, TakeBack(1))) == [0, 0]


@pytest.mark.parametrize("fault", MISDEALS)
def test_where_the_pone_has_no_choice_no_misdeal_stands(fault):
    game = table(rules=with_house_rules(Rules(), ["misdeal=2"]))
    assert "misdeals are always redealt" in refusal(game, accept(fault, 2))
    assert fronts(play(game, redeal(fault, 2))) == [0, 2]


PLAYED = [Score(2, ANN, why="heels"), Score(2, BOB, why="play"), Score(1, ANN, why="go")]
SHOWN = [Score(8, BOB, why="hand"), Stage("show")]
TOO_LATE = {
    Until.LOOKED: [*PLAYED, *SHOWN],
    Until.TAKEN_UP: [*PLAYED, *SHOWN],
    Until.SHOWN: SHOWN,
    Until.ALWAYS: [],
    None: [],
}


@pytest.mark.parametrize("said", [*PLAYED, *SHOWN], ids=repr)
@pytest.mark.parametrize("fault", FaultName)
def test_a_fault_at_the_wrong_time_is_refused_in_a_sentence(fault, said):
    rule = FAULT_RULES[fault]
    is_out_of_turn = fault == FaultName.OUT_OF_TURN  # then Bob has dealt, and Ann gets the points
    asked = redeal(fault, 0 if rule.points == 0 else 2, seat=ANN if is_out_of_turn else BOB)
    if rule.until is None:
        asked = Penalize(2, BOB, fault=fault)
    game = table(said)
    if said not in TOO_LATE[rule.until]:
        play(game, asked)
        return
    begun = "show has begun" if said in SHOWN else "play has begun"
    sentence = refusal(game, asked)
    assert sentence.startswith(f"the {begun}, so ")
    assert sentence.endswith("the deal stands without a penalty; if a new deal has started, mark it first")
    play(play(game, Deal(BOB, new=True)), redeal(fault, asked.points, by=BOB, seat=BOB if is_out_of_turn else ANN))


@pytest.mark.parametrize("house", [[], ["misdeal=2"], ["pone chooses=on"]])
def test_by_the_acc_a_wrong_number_of_cards_is_redealt_until_the_starter_is_turned_up(house):
    rules = with_house_rules(Rules.named("acc"), house)
    told = {fault: rules.deadline(fault) for fault in MISDEALS}
    if house:
        assert told == {fault: LAWS.deadline(fault) for fault in MISDEALS}
    else:
        assert told == dict.fromkeys(MISDEALS, Until.UNSTATED) | {"dealer-number": "turned", "pone-number": "turned"}
    for fault in {*FaultName} - {*MISDEALS}:
        assert rules.deadline(fault) == LAWS.deadline(fault)


@pytest.mark.parametrize("fault", MISDEALS)
def test_by_the_acc_a_judge_can_have_the_cards_redealt_until_the_show(fault):
    rules = Rules.named("acc")
    assert fronts(play(table(Score(2, BOB, why="play"), rules=rules), redeal(fault))) == [0, 2]
    late = refusal(table(Score(8, BOB, why="hand"), rules=rules), redeal(fault))
    assert late.startswith("the show has begun; by the ACC's rules, a judge decides; if a new deal has started")


@pytest.mark.parametrize("said", [Score(8, BOB), Score(4, ANN, why="crib"), Stage("play")], ids=repr)
def test_what_nobody_said_of_the_deal_makes_no_fault_too_late(said):
    assert fronts(play(table(said), redeal(FaultName.NOT_CUT, 2)))[BOB] >= 2


def test_after_the_end_no_fault_is_taken():
    won = table(Penalize(121, BOB))
    assert "Bob has won" in refusal(won, redeal(FaultName.WRONG_PACK))


# --- a deal out of turn ---


def test_a_deal_out_of_turn_costs_two_and_the_right_dealer_deals():
    game = play(table(), Penalize(2, ANN, fault=FaultName.OUT_OF_TURN, redeal=ANN))  # Bob dealt, but it is Ann's deal
    assert (fronts(game), game.dealer) == ([2, 0], ANN)


@pytest.mark.parametrize("said", [None, *PLAYED, *SHOWN], ids=repr)
@pytest.mark.parametrize("house", [[], ["pone chooses=on"]])
def test_once_the_cards_are_taken_up_a_deal_out_of_turn_stands_without_a_penalty(said, house):
    game = table(*[said] if said else [], rules=with_house_rules(Rules(), house))
    assert "stands without a penalty" in refusal(game, accept(FaultName.OUT_OF_TURN, 2))
    after = play(game, accept(FaultName.OUT_OF_TURN))
    assert fronts(after) == fronts(game)


# --- what cannot be meant ---


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (Penalize(0, BOB), "a penalty cannot be 0 points; use a whole number from 1 to 121"),
        (Penalize(0, BOB, fault=FaultName.RENEGE), "a penalty cannot be 0 points"),
        (redeal(FaultName.RENEGE, 2), "only a `fault` of the deal can lead to a redeal"),
        (accept(FaultName.CUT_PACK, 2), "only a `fault` of the deal can lead to a redeal"),
        (Penalize(0, BOB, redeal=ANN), "only a `fault` of the deal can lead to a redeal"),
        (Penalize(0, BOB, fault=FaultName.NOT_CUT, redeal=ANN, accepted=True), "send `redeal` or `accepted`, not both"),
        (redeal(FaultName.NOT_CUT, by=2), "there is no seat 2 at this table"),
        (redeal(FaultName.NOT_CUT, seat=2), "there is no seat 2 at this table"),
        (redeal(FaultName.NOT_CUT, -1), "a penalty cannot be -1 points; use a whole number from 0 to 121"),
        (redeal(FaultName.NOT_CUT, 122), "a penalty cannot be 122 points; use a whole number from 0 to 121"),
        (Penalize(2, BOB, fault="marked-card"), "'marked-card' is not a fault; use not-cut, wrong-card"),
    ],
)
def test_what_is_no_choice_after_a_fault_is_refused(asked, said):
    assert said in refusal(table(), asked)


# --- the line afterwards ---


def test_after_a_redeal_another_starter_is_turned_in_the_same_deal():
    game = table(Score(2, ANN, why="heels"), Score(2, BOB, why="play"), redeal(FaultName.WRONG_PACK))
    assert "only one starter" in refusal(table(Score(2, ANN, why="heels")), Score(2, ANN, why="heels"))
    again = play(game, Score(2, ANN, why="heels"))
    assert "the dealer is Ann" in refusal(game, Score(2, BOB, why="heels"))
    assert (again.position.deal, again.standing.deal) == (1, 1)
    assert (again.standing.dealer, again.standing.phase) == (ANN, "play")


def test_a_misdeal_of_the_next_deal_belongs_to_that_deal():
    """The crib scored nothing and was not entered."""
    game = table(Score(2, BOB, why="play"), Score(8, BOB, why="hand"), Score(6, ANN, why="hand"), Deal())
    after = play(game, redeal(FaultName.FACED_CARD, 2, by=BOB, seat=ANN))
    assert (after.standing.deal, after.standing.dealer, after.standing.begun) == (2, BOB, False)


def test_the_points_of_a_choice_can_be_corrected_and_taken_away():
    game = play(table(), accept(FaultName.FACED_CARD, 2))
    assert fronts(play(game, Amend(1, 0, 2))) == [0, 0]
    assert fronts(play(game, OverPeg(1, 0, 2))) == [0, 0]
    assert "a penalty cannot be 0 points" in refusal(table(Penalize(2, BOB)), Amend(1, 0, 2))


@pytest.mark.parametrize(
    "asked",
    [redeal(FaultName.FACED_CARD, 2), accept(FaultName.PONE_NUMBER), Penalize(2, ANN, "twice", FaultName.RENEGE)],
    ids=repr,
)
def test_a_choice_is_stored_and_judged_once_more_as_it_was(asked):
    game = table()
    event = decide(game, asked)
    kind, body = wire.event_values(event)
    assert (kind, wire.version(event)) == ("scored", 3)
    assert wire.read_event(kind, body) == event == redecide(game, event)
    assert type(wire.read_event(kind, body).fault) is FaultName
    plain = {"lane": event.lane, "points": event.points, "seat": event.seat, "why": "penalty"}
    told = {name: body[name] for name in ("lane", "points", "seat", "why")}
    assert wire.read_event(kind, told) == Scored(event.lane, event.points, event.seat, Reason.PENALTY), "up to 0.2.0"
    assert told == plain


def test_a_plain_score_is_stored_as_before():
    assert wire.event_values(Scored(0, 2, 0, Reason.PENALTY)) == (
        "scored",
        {"lane": 0, "points": 2, "seat": 0, "why": "penalty"},
    )


def test_the_csv_of_a_sheet_tells_what_was_chosen():
    game = table(
        redeal(FaultName.FACED_CARD, 2), accept(FaultName.NOT_CUT), Penalize(2, ANN, "two cards", FaultName.RENEGE)
    )
    notes = [row.rsplit(",", 1)[1] for row in sheet_text(game).splitlines()[1:]]
    assert notes == ["redeal: faced-card", "deal stands: not-cut", "two cards"]


# --- who deals, and what a correction can award ---


@pytest.mark.parametrize("fault", [*MISDEALS, *OF_THE_DECK])
def test_only_the_stated_dealer_redeals(fault):
    game = table(dealer=BOB)
    assert "the dealer is Bob, and the dealer redeals" in refusal(game, redeal(fault, by=ANN, seat=BOB))
    assert play(game, redeal(fault, by=BOB, seat=ANN)).dealer == BOB


def test_after_a_deal_out_of_turn_another_player_than_the_stated_dealer_can_deal():
    assert play(table(dealer=BOB), redeal(FaultName.OUT_OF_TURN, 2, by=ANN, seat=ANN)).dealer == ANN


def test_where_nobody_said_who_deals_anybody_can_redeal():
    assert play(new_game(LAWS, NAMES[:2]), redeal(FaultName.NOT_CUT, by=BOB, seat=ANN)).dealer == BOB


def test_no_partner_of_the_dealer_lets_the_deal_stand():
    rules = with_house_rules(Rules.named("six-partners"), ["misdeal=2", "pone chooses=on"])
    game = table(rules=rules, dealer=0)
    for partner in (0, 3):
        assert "go to the dealer's opponents" in refusal(game, accept(FaultName.NOT_CUT, seat=partner))
    assert fronts(play(game, accept(FaultName.NOT_CUT, 2, seat=1))) == [0, 2, 0]


@pytest.mark.parametrize(
    ("settled", "why"),
    [
        (redeal(FaultName.FACED_IN_PACK), "nobody gets points"),
        (redeal(FaultName.WRONG_PACK), "nobody gets points"),
        (accept(FaultName.OUT_OF_TURN), "stands without a penalty"),
    ],
    ids=repr,
)
def test_no_correction_awards_points_that_the_fault_never_costs(settled, why):
    assert why in refusal(table(settled), Amend(1, 5, 0))


def test_a_correction_can_award_the_points_of_a_misdeal_and_no_others():
    game = table(redeal(FaultName.NOT_CUT))
    assert fronts(play(game, Amend(1, 2, 0))) == [0, 2]
    assert "that fault costs 2 here" in refusal(game, Amend(1, 5, 0))


@pytest.mark.parametrize("variant", ["standard", "three-handed", "six-partners"])
def test_no_correction_moves_the_points_of_a_misdeal_to_the_dealers_side(variant):
    game = table(redeal(FaultName.WRONG_CARD), rules=Rules.named(variant))
    assert "go to the dealer's opponents" in refusal(game, Amend(1, None, 0, seat=ANN))
    own = table(Penalize(2, BOB, fault=FaultName.OUT_OF_TURN), rules=Rules.named(variant))
    assert fronts(play(own, Amend(1, None, 2, seat=ANN)))[ANN] == 2, "somebody else dealt in Ann's place"


def test_no_correction_lets_another_player_than_the_pone_keep_the_deal():
    three = with_house_rules(Rules.named("three-handed"), ["misdeal=2", "pone chooses=on"])
    game = table(accept(FaultName.NOT_CUT, 2), Score(4, BOB), rules=three)
    assert "go to the dealer's opponents" in refusal(game, Amend(1, None, 2, seat=ANN))
    assert "only the pone, Bob, can let that deal stand" in refusal(game, Amend(1, None, 2, seat=2))
    other = table(accept(FaultName.NOT_CUT, 2), Deal(2, new=False), Score(4, BOB), rules=three)
    assert fronts(play(other, Amend(1, None, 2, seat=ANN))) == [2, 4, 0], "the dealer was corrected"
    unsaid = play(new_game(three, NAMES[:3]), accept(FaultName.NOT_CUT, 2))
    assert fronts(play(unsaid, Amend(1, None, 2, seat=2))) == [0, 0, 2]


@pytest.mark.parametrize("fault", MISDEALS)
def test_points_for_a_misdeal_without_a_choice_do_not_go_to_a_stated_dealer_either(fault):
    three = with_house_rules(Rules.named("three-handed"), ["misdeal=2"])
    game = table(redeal(fault, 2), rules=three)
    assert "go to the dealer's opponents" in refusal(game, Penalize(2, ANN, fault=fault))
    game = play(game, Penalize(2, 2, fault=fault))
    assert "go to the dealer's opponents" in refusal(game, Amend(2, None, 2, seat=ANN))


def test_no_correction_gives_one_side_the_points_of_a_fault_twice():
    three = with_house_rules(Rules.named("three-handed"), ["misdeal=2"])
    also = Penalize(2, 2, fault=FaultName.NOT_CUT)
    game = table(redeal(FaultName.NOT_CUT, 2), also, rules=three)
    assert refusal(game, Amend(2, None, 2, seat=BOB)) == awarded(1)
    game = table(redeal(FaultName.NOT_CUT, 0, seat=2), also, rules=three)
    assert refusal(game, Amend(1, 2, 0)) == awarded(2, "Cy")
    assert fronts(play(game, Amend(1, 2, 0, seat=BOB))) == [0, 2, 2]


# --- how many points ---


@pytest.mark.parametrize("settle", [redeal, accept])
@pytest.mark.parametrize("fault", MISDEALS)
@pytest.mark.parametrize(
    ("misdeal", "points", "said"),
    [
        (0, 2, "misdeals cost no points here; for points, choose another penalty"),
        (2, 5, "that fault costs 2 here, or 0 if the opponents waive it; for other points, choose another penalty"),
        (29, 2, "that fault costs 29 here"),
    ],
)
def test_a_misdeal_costs_what_the_house_says_or_nothing(settle, fault, misdeal, points, said):
    """Players may waive the points, but a fault that the rules name costs no others."""
    game = table(rules=with_house_rules(Rules(), [f"misdeal={misdeal}", "pone chooses=on"]))
    assert said in refusal(game, settle(fault, points))
    for right in (0, misdeal):
        assert fronts(play(game, settle(fault, right))) == [0, right]
    assert fronts(play(game, Penalize(points, BOB, "as we play it"))) == [0, points]


def test_the_points_for_another_side_and_for_a_deal_out_of_turn_are_those_of_the_rules_too():
    three = with_house_rules(Rules.named("three-handed"), ["misdeal=2"])
    game = table(redeal(FaultName.NOT_CUT, 2), rules=three)
    assert "that fault costs 2 here" in refusal(game, Penalize(3, 2, fault=FaultName.NOT_CUT))
    assert fronts(play(game, Penalize(2, 2, fault=FaultName.NOT_CUT))) == [0, 2, 2]
    assert "that fault costs 2 here" in refusal(table(), redeal(FaultName.OUT_OF_TURN, 4, seat=ANN))
    assert fronts(play(table(), Penalize(6, BOB, "three cards", FaultName.RENEGE))) == [0, 6]


# --- one choice for one fault ---

SETTLED = "line 1 already says what follows that fault; if that is wrong, undo line 1 first"


def awarded(line, name="Bob"):
    return f"line {line} already gives {name} the points for that fault; if that is wrong, undo line {line} first"


@pytest.mark.parametrize("points", [0, 2])
@pytest.mark.parametrize("fault", MISDEALS)
@pytest.mark.parametrize("choices", [(redeal, accept), (accept, redeal), (accept, accept)])
def test_a_second_choice_for_the_same_fault_is_refused(choices, fault, points):
    first, second = (choice(fault, points) for choice in choices)
    game = table(first)
    assert refusal(game, second) == SETTLED
    assert play(play(game, TakeBack(1)), second).counts(2), "the first is undone"
    assert play(play(game, Deal(BOB, new=True)), Penalize(points, ANN, fault=fault, redeal=BOB)).counts(3)
    assert play(game, redeal(FaultName.WRONG_PACK)).counts(2), "another fault"


@pytest.mark.parametrize("first", [redeal, accept])
def test_no_choice_is_redone_beside_another_one(first):
    other = accept if first is redeal else redeal
    game = table(first(FaultName.NOT_CUT, 2), TakeBack(1), other(FaultName.NOT_CUT, 2))
    assert refusal(game, Restore(1)) == SETTLED.replace("1", "2")
    assert fronts(play(play(game, TakeBack(2)), Restore(1))) == [0, 2]


def test_a_deal_out_of_turn_is_settled_once_too():
    taken_up, again = accept(FaultName.OUT_OF_TURN), Penalize(2, BOB, fault=FaultName.OUT_OF_TURN, redeal=BOB)
    assert refusal(table(taken_up), again) == SETTLED
    assert refusal(table(again), taken_up) == SETTLED


@pytest.mark.parametrize("choice", [redeal, accept])
def test_one_side_gets_the_points_of_a_fault_once(choice):
    three = with_house_rules(Rules.named("three-handed"), ["misdeal=2", "pone chooses=on"])
    also = [Penalize(2, seat, fault=FaultName.NOT_CUT) for seat in (1, 2)]
    game = table(choice(FaultName.NOT_CUT, 2), rules=three)
    assert refusal(game, also[0]) == awarded(1)
    game = play(game, also[1])
    assert fronts(game) == [0, 2, 2]
    assert refusal(game, also[0]) == awarded(1)
    assert refusal(game, also[1]) == awarded(2, "Cy")
    waived = table(choice(FaultName.NOT_CUT, 0), rules=three)
    assert fronts(play(waived, also[0])) == [0, 2, 0], "claimed after all"


def test_the_same_fault_after_a_redeal_is_another_one():
    game = table(redeal(FaultName.FACED_CARD, 2), redeal(FaultName.FACED_CARD, 2))
    assert fronts(game) == [0, 4]
    game = table(redeal(FaultName.FACED_CARD, 2), redeal(FaultName.WRONG_PACK), accept(FaultName.FACED_CARD, 2))
    assert fronts(game) == [0, 4]


@pytest.mark.parametrize(
    "between", [Score(6, ANN), Score(2, ANN, why="heels"), Deal(new=True), Stage("play")], ids=repr
)
def test_after_a_line_about_the_cards_it_may_be_another_deal(between):
    rules = with_house_rules(Rules(), ["pone chooses=on"])
    game = play(new_game(rules, NAMES[:2]), accept(FaultName.DEALER_NUMBER))
    if not isinstance(between, Score):
        game = play(game, Score(1, BOB))
    assert play(play(game, between), accept(FaultName.DEALER_NUMBER)).newest_standing() > 2


def test_where_nobody_said_who_deals_choices_of_two_dealers_are_of_two_deals():
    three = with_house_rules(Rules.named("three-handed"), ["pone chooses=on"])
    game = play(new_game(three, NAMES[:3]), accept(FaultName.NOT_CUT, seat=1))  # so seat 0 dealt
    assert play(game, accept(FaultName.NOT_CUT, seat=2)).counts(2)
    assert refusal(game, redeal(FaultName.NOT_CUT, by=0, seat=2)) == SETTLED
    assert play(game, redeal(FaultName.NOT_CUT, by=1, seat=2)).counts(2)


@pytest.mark.parametrize("variant", ["three-handed", "partners", "six-partners", "cut-throat-four"])
@pytest.mark.parametrize("fault", MISDEALS)
def test_only_the_pone_lets_the_deal_stand(variant, fault):
    """For a wrong number of cards, every player but the dealer counts as pone."""
    rules = with_house_rules(Rules.named(variant), ["pone chooses=on"])
    game, unsaid = table(rules=rules, dealer=ANN), new_game(rules, NAMES[: rules.seats])
    opponents = [seat for seat in range(rules.seats) if rules.lane_of(seat) != ANN]
    for seat in opponents:
        assert play(unsaid, accept(fault, seat=seat)).counts(1), "nobody said who deals"
        if seat == BOB or fault.endswith("number"):
            assert play(game, accept(fault, seat=seat)).counts(1)
        else:
            assert refusal(game, accept(fault, seat=seat)) == (
                "only the pone, Bob, can let that deal stand; if that is wrong, correct the dealer first"
            )


# --- which line is named ---


def test_the_line_with_the_choice_is_named_not_one_that_only_gives_points():
    four = with_house_rules(Rules.named("cut-throat-four"), ["misdeal=2", "pone chooses=on"])
    fault = FaultName.DEALER_NUMBER
    game = table(redeal(fault, 2), *(Penalize(2, seat, fault=fault) for seat in (2, 3)), rules=four)
    for seat in (1, 2, 3):
        assert refusal(game, accept(fault, 2, seat)) == SETTLED


def test_a_line_that_only_gives_points_is_not_said_to_settle_the_fault():
    game = table(Penalize(2, BOB, fault=FaultName.WRONG_CARD))
    assert refusal(game, accept(FaultName.WRONG_CARD, 2)) == awarded(1)
    assert fronts(play(game, accept(FaultName.WRONG_CARD))) == [0, 2]


@pytest.mark.parametrize("fault", [*MISDEALS, *OF_THE_DECK, FaultName.OUT_OF_TURN])
def test_without_points_a_fault_of_the_deal_needs_a_choice(fault):
    assert refusal(table(), Penalize(0, BOB, fault=fault)) == (
        "with 0 points, a fault of the deal needs `redeal`, or `accepted` if the deal stands"
    )


# --- until when a stated dealer deals ---

BEGUN = [
    Score(2, BOB, why="heels"),
    Score(2, ANN, why="play"),
    Score(1, BOB, why="go"),
    Score(2, ANN, why="thirty-one"),
]


@pytest.mark.parametrize("lines", range(1, len(BEGUN) + 1))
def test_scores_before_the_show_leave_the_stated_dealer(lines):
    game = table(Score(4, ANN, why="crib"), Deal(BOB), *BEGUN[:lines])
    for asked in (accept(FaultName.DEALER_NUMBER, 2), Penalize(2, BOB, fault=FaultName.DEALER_NUMBER)):
        assert "go to the dealer's opponents" in refusal(game, asked)
    assert "the dealer is Bob" in refusal(game, redeal(FaultName.DEALER_NUMBER, 2, by=ANN))
    assert fronts(play(game, accept(FaultName.DEALER_NUMBER, 2, seat=ANN)))[ANN] == fronts(game)[ANN] + 2


def test_a_counted_hand_leaves_the_stated_dealer():
    game = table(Score(2, BOB, why="play"), Score(8, BOB, why="hand"))
    assert "the dealer is Ann" in refusal(game, redeal(FaultName.WRONG_PACK, by=BOB, seat=ANN))


@pytest.mark.parametrize(
    "lines",
    [
        [Score(6, BOB)],
        [Score(6, ANN, why="crib")],
        [Score(2, ANN, why="play"), Score(2, BOB, why="play"), Deal(BOB)],
        [Score(8, BOB, why="hand"), Score(2, BOB, why="play")],
        [Score(8, BOB, why="hand"), Score(8, BOB, why="hand")],
        [Score(2, ANN, why="heels"), Deal(new=True)],
    ],
    ids=repr,
)
def test_a_line_that_may_begin_another_deal_ends_what_was_said_of_the_dealer(lines):
    assert play(table(*lines), redeal(FaultName.WRONG_PACK, by=BOB, seat=ANN)).dealer == BOB


# --- who dealt out of turn ---

OUT = FaultName.OUT_OF_TURN
NOBODY = "nobody is left who can have dealt out of turn; the right dealer has not, and no side that gets the points"


def test_the_right_dealer_has_not_dealt_out_of_turn():
    assert refusal(table(), redeal(OUT, 2)) == NOBODY
    assert refusal(table(), redeal(OUT, 0)) == NOBODY
    assert fronts(play(table(rules=Rules.named("partners")), redeal(OUT, 2))) == [0, 2], "Ann's partner has"


def test_not_every_side_gets_the_points_of_a_deal_out_of_turn():
    game = table(redeal(OUT, 2, seat=ANN))
    assert refusal(game, Penalize(2, BOB, fault=OUT)) == NOBODY
    assert refusal(game, redeal(OUT, 2, by=BOB)) == SETTLED
    assert refusal(game, Amend(1, None, 2, seat=BOB)) == NOBODY
    undone = table(redeal(OUT, 2, seat=ANN), TakeBack(1), Penalize(2, BOB, fault=OUT))
    assert refusal(undone, Restore(1)) == NOBODY
    four = Rules.named("cut-throat-four")
    game = table(redeal(OUT, 2, seat=0), *(Penalize(2, seat, fault=OUT) for seat in (1, 2)), rules=four)
    assert refusal(game, Penalize(2, 3, fault=OUT)) == NOBODY
    assert refusal(table(redeal(OUT, 2, seat=0), rules=four), redeal(OUT, 2, seat=1)) == SETTLED
    left_out = table(redeal(OUT, 2, seat=1), Penalize(2, 2, fault=OUT), rules=four)
    assert refusal(left_out, Penalize(2, 3, fault=OUT)) == NOBODY, "Ann is the right dealer"


def test_a_deal_out_of_turn_that_stands_costs_nothing_afterwards_or_before():
    assert refusal(table(accept(OUT, seat=ANN)), Penalize(2, ANN, fault=OUT)) == SETTLED
    assert refusal(table(Penalize(2, ANN, fault=OUT)), accept(OUT, seat=ANN)) == awarded(1, "Ann")
    three = Rules.named("three-handed")
    assert refusal(table(accept(OUT, seat=BOB), rules=three), Penalize(2, ANN, fault=OUT)) == SETTLED
