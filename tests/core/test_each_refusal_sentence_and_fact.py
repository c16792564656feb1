"""Facts of the sheet one by one: every sentence of a refusal whole, who deals and counts, what lines keep."""

from dataclasses import replace

import pytest

from pegboard import Deal, Restore, RuleError, Rules, Score, Start, TakeBack, new_game, play
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Match, Result, result
from pegboard.core.moves import (
    Abandon,
    Abandoned,
    Amend,
    CallMuggins,
    ClaimFalsely,
    Confirm,
    Confirmed,
    Dealt,
    MugginsCalled,
    OverPeg,
    OverPegged,
    PegBack,
    Penalize,
    Rename,
    Retract,
    SetPegs,
    Stage,
)
from pegboard.core.referee import apply, decide, director_only
from pegboard.core.wire import command_values, read_result, result_values
from pegboard.errors import Moved, PegboardError
from tests.support.commands import command_of

NAMES = ("Ann", "Bob", "Cy", "Dee")
STANDARD, SHORT, FIVE_CARD = Rules(), Rules.named("short"), Rules.named("five-card")
THREE, PARTNERS, ALONE = (Rules.named(name) for name in ("three-handed", "partners", "solitaire"))
MUGGINS, EXCESS = (with_house_rules(Rules(), [word]) for word in ("muggins=on", "over-peg=excess"))


def sheet(rules, *commands):
    game = new_game(rules, NAMES[: rules.seats])
    for asked in commands:
        game = play(game, asked)
    return game


def pegs(game):
    return [tuple(lane) for lane in game.lanes]


# --- refusals, whole ---

DEALS_OUT = (*(Score(4, 0, why="crib") for _ in range(6)), Score(8, 0, why="hand"))

REFUSED = [
    (STANDARD, (), TakeBack(), "there is nothing to undo"),
    (STANDARD, (), Restore(), "there is nothing to redo"),
    (STANDARD, (), Retract(0), "the score sheet is empty"),
    (STANDARD, (Score(1, 0),), Retract(1), "there is nothing after line 1"),
    (STANDARD, (), Confirm(0, 0, (0, 0)), "there is no result to confirm until the game is over"),
    (STANDARD, (), TakeBack(1), "there is no line 1 on this score sheet; it has 0 lines"),
    (STANDARD, (Score(1, 0),), TakeBack(2), "there is no line 2 on this score sheet; it has 1 line"),
    (ALONE, (), Penalize(2, 0), "there is no opponent at this table to award a penalty to"),
    (ALONE, (), CallMuggins(0, 1, 1), "there is no opponent at this table to call muggins on"),
    (ALONE, (), PegBack(1, 1), "there is no seat 1 at this table; the seats are only 0"),
    (STANDARD, (), PegBack(2, 1), "there is no seat 2 at this table; the seats are 0 to 1"),
    (
        STANDARD,
        (),
        CallMuggins(0, 1, 1),
        "muggins is not played at this table; the house rule muggins=on turns it on",
    ),
    (MUGGINS, (), CallMuggins(0, 0, 1), "0 points cannot be claimed; use a whole number from 1 to 29"),
    (MUGGINS, (), CallMuggins(0, 1, 30), "30 points cannot have been missed; use a whole number from 0 to 29"),
    (STANDARD, (), Penalize(122, 0), "a penalty cannot be 122 points; use a whole number from 1 to 121"),
    (
        with_house_rules(PARTNERS, ["muggins=on"]),
        (),
        CallMuggins(0, 1, 0, 2),
        "Cy is not an opponent of Ann and Cy; name one in `opponent`",
    ),
    (ALONE, DEALS_OUT, Score(1, 0), "the game is over: the goal was not reached; only its lines can be changed"),
    (
        STANDARD,
        (SetPegs(0, 121, 9),),
        Confirm(0, 0, ("121", 0)),
        "`winner` must be a lane or null, and `fronts` a list of holes, all as whole numbers",
    ),
    (
        STANDARD,
        (Score(9, 0),),
        Amend(1, 8, "9"),
        "`was` must be the points you saw on line 1, a whole number, not '9'",
    ),
    (STANDARD, (Score(9, 0),), Amend(1, 8, 7), "line 1 now says 9, not 7; check the score sheet"),
    (STANDARD, (), Score(30, 0), "30 points cannot be scored at once; use a whole number from 0 to 29"),
    (STANDARD, (), Score(19, 1, why="hand"), "no hand scores 19: 19, 25, 26 and 27 are impossible"),
    (FIVE_CARD, (), Score(16, 1, why="hand"), "no hand of three cards scores 16; 0 to 15 and 20 are possible"),
    (STANDARD, (), Score(16, 1, why="play"), "one card in the play cannot score 16; the maximum is 15"),
    (STANDARD, (), Score(1, 0, why="heels"), "heels are 2 points, not 1"),
    (STANDARD, (), Score(2, 1, why="go"), "a go is 1 point, not 2"),
    (
        STANDARD,
        (),
        Score(2, 1, why="luck"),
        "'luck' is not a reason for a score; use play, go, thirty-one, heels, hand, crib, muggins, penalty",
    ),
    (STANDARD, (), Score(2), "a score must name its seat or lane"),
    (STANDARD, (), Score(1, 1, why="thirty-one"), "thirty-one is at least 2 points, not 1"),
    (STANDARD, (), Score(16, 1, why="thirty-one"), "one card in the play cannot score 16; the maximum is 15"),
    (
        STANDARD,
        (Deal(0),),
        Score(2, 1, why="heels"),
        "heels are the dealer's, and the dealer is Ann; if Bob is dealing, set the dealer first",
    ),
    (
        STANDARD,
        (Deal(0),),
        Score(2, 1, why="crib"),
        "the crib is the dealer's, and the dealer is Ann; if Bob is dealing, set the dealer first",
    ),
    (
        PARTNERS,
        (Deal(0),),
        Score(2, lane=1, why="heels"),
        "heels are the dealer's, and the dealer is Ann; if that is wrong, set the dealer first",
    ),
    (
        STANDARD,
        (Score(2, 0, why="play"),),
        Score(2, 0, why="heels"),
        "heels come before the play, and Ann has already scored in the play; if a new deal has started, mark it first",
    ),
    (
        STANDARD,
        (Score(2, 0, why="heels"),),
        Score(2, 0, why="heels"),
        "heels were just pegged, and only one starter is turned per deal; if a new deal has started, mark it first",
    ),
    (
        STANDARD,
        (),
        Deal(new=False),
        "`dealer` is missing; name the seat that deals now, or set `new` to true for a new deal",
    ),
    (STANDARD, (), Deal(new=1), "`new` must be true for a new deal or false for the current one, not 1"),
    (STANDARD, (Deal(1),), Deal(1), "Bob is already set as dealer"),
    (
        STANDARD,
        (Score(2, 0), Deal()),
        Deal(0, new=True),
        "Bob already has the deal, and nothing has been scored in this deal yet",
    ),
    (STANDARD, (), Stage("crib"), "'crib' is not a stage of a deal; use play or show"),
    (STANDARD, (Stage("show"),), Stage("show"), "the deal is already in the show"),
    (ALONE, (), Stage("show"), "a solo player marks new deals, not stages of a deal"),
    (
        STANDARD,
        (Score(9, 0),),
        Amend(1, was=9),
        "a change needs at least one of `points`, `why` and `seat`",
    ),
    (STANDARD, (Score(9, 0, why="hand"),), Amend(1, 19, 9), "no hand scores 19: 19, 25, 26 and 27 are impossible"),
    (STANDARD, (Score(9, 0),), Amend(1, was=9, why="go"), "a go is 1 point, not 9"),
    (STANDARD, (Score(9, 0, why="hand"),), Amend(1, was=9, why="hand"), "line 1 already has the reason “hand”"),
    (STANDARD, (Score(9, 0),), Amend(1, was=9, why=None), "line 1 already has no reason"),
    (STANDARD, (Score(9, 0),), Amend(1, 9, 9), "line 1 already says 9"),
    (
        STANDARD,
        (Score(9, 0),),
        Amend(1, was=9, why="penalty"),
        "a score cannot become a penalty; undo line 1 and enter it again",
    ),
    (
        STANDARD,
        (Penalize(2, 0),),
        Amend(1, was=2, why=None),
        "the reason for a penalty cannot be changed; undo line 1 and enter it again",
    ),
    (STANDARD, (Score(9, 0),), Amend(1, was=9, seat=0), "line 1 is already Ann's"),
    (STANDARD, (Score(9, 0),), Amend(1, was=9, seat=2), "there is no seat 2 at this table; the seats are 0 to 1"),
    (
        PARTNERS,
        (Score(9, 0),),
        Amend(1, was=9, seat=2),
        "Cy pegs in the same lane, so moving line 1 would change nothing",
    ),
    (
        STANDARD,
        (Deal(),),
        Amend(1, was=0, seat=1),
        "line 1 is neither a score nor a penalty, so it has no points to change",
    ),
    (
        STANDARD,
        (Score(9, 0), SetPegs(1, 5, 2)),
        Amend(1, was=9, seat=1),
        "line 2 set Bob's pegs after line 1; undo line 2 first, or set the pegs again",
    ),
    (
        EXCESS,
        (Score(9, 0), OverPeg(1, 5, 9), TakeBack(2), Amend(1, was=9, seat=1)),
        Restore(2),
        "line 1 now belongs to another player, so line 2 no longer fits it",
    ),
    (
        with_house_rules(STANDARD, ["heels limit=last five"]),
        (SetPegs(0, 116, 9),),
        Score(2, 0, why="heels"),
        "at this table, heels score nothing from hole 116 on; Ann is at 116",
    ),
    (
        STANDARD,
        (),
        SetPegs(0, 3, 3),
        (
            "the pegs cannot be at 3 and 3: the front peg must be ahead of the rear peg and "
            "no farther than hole 121, or both pegs must be at the start"
        ),
    ),
    (
        SHORT,
        (Score(29, 0), Score(29, 0), Score(5, 0)),
        ClaimFalsely(3, 4, 5),
        "with 4 points, Ann is in the game hole, so the claim is not false",
    ),
    (
        STANDARD,
        (Score(9, 0), Score(1, 1), OverPeg(1, 8, 9)),
        Retract(2),
        "line 3 is a ruling on line 1, which would not be rolled back; go back to before line 1, or undo line 3 first",
    ),
    (
        STANDARD,
        (Score(9, 0), OverPeg(1, 8, 9)),
        Retract(1),
        "line 2 is a ruling on line 1, which would not be rolled back; go back to before line 1, or undo line 2 first",
    ),
    (
        STANDARD,
        (Score(1, 1), Score(9, 0), Retract(1), TakeBack(3), OverPeg(2, 8, 9)),
        Restore(3),
        "line 4 is a ruling on a line that would be rolled back; undo the ruling first",
    ),
]


@pytest.mark.parametrize(("rules", "made", "asked", "sentence"), REFUSED)
def test_a_refusal_is_this_sentence_and_leaves_the_sheet(rules, made, asked, sentence):
    game = sheet(rules, *made)
    positions = game.positions
    with pytest.raises(PegboardError) as refusal:
        play(game, asked)
    assert str(refusal.value) == sentence
    assert game.positions is positions


@pytest.mark.parametrize(
    ("letters", "taken"), [("ア" * 53, True), ("ア" * 54, False), ("🂡" * 40, True), ("🂡" * 41, False)]
)
def test_a_name_has_up_to_160_bytes(letters, taken):
    if taken:
        assert new_game(STANDARD, (letters, "Bob")).players[0] == letters
        return
    with pytest.raises(RuleError) as refusal:
        new_game(STANDARD, (letters, "Bob"))
    sentence = f"the name {letters!r} is too long to display; the limit is 53 Japanese characters or 40 emoji"
    assert str(refusal.value) == sentence


def test_a_note_has_up_to_80_letters():
    note = "n" * 80
    assert sheet(STANDARD, Penalize(1, 0, note)).entries[0].event.note == note
    with pytest.raises(RuleError) as refusal:
        sheet(STANDARD, Penalize(1, 0, note + "n"))
    assert str(refusal.value) == "a note can have at most 80 characters; this one has 81"


def test_a_line_that_says_something_else_is_told_with_the_refusal():
    with pytest.raises(Moved) as moved:
        sheet(STANDARD, Score(1, 1), Score(9, 0), Amend(2, 8, 7))
    assert moved.value.lines == (2,)


# --- what is the director's, and why ---


@pytest.mark.parametrize(
    ("rules", "made", "asked", "sentence"),
    [
        (STANDARD, (), PegBack(0, 1), "only the director can rule on the pegs"),
        (STANDARD, (), SetPegs(0, 2, 1), "only the director can rule on the pegs"),
        (STANDARD, (PegBack(0, 1),), TakeBack(1), "line 1 is a director's ruling; only a director can change it"),
        (Rules(strict=True), (Score(1, 0),), TakeBack(1), "only the director can change lines at this table"),
        (Rules(strict=True), (Score(9, 0),), OverPeg(1, 8, 9), "only the director can change lines at this table"),
        (
            Rules(confirm=True),
            (SetPegs(0, 121, 9),),
            Start(STANDARD, ("Ann", "Bob")),
            "the result is waiting for Ann and Bob to confirm it; only the director can skip that",
        ),
        (
            STANDARD,
            (Penalize(110, 0), Score(20, 0), TakeBack(2), Score(1, 1)),
            Restore(2),
            "this change would put later scores after the end of the game; only the director can make it",
        ),
        (
            Rules(strict=True),
            (SetPegs(0, 121, 9),),
            Abandon(),
            "only the director can abandon a finished game at this table",
        ),
        (Rules(strict=True), (), Abandon(), "only the director can change lines at this table"),
        (Rules(strict=True), (), Rename(0, "Ann", "Cy"), "only the director can change lines at this table"),
        (STANDARD, (), Rename(0, "Ann", "Cy"), None),
        (STANDARD, (SetPegs(0, 121, 9),), Abandon(), None),
        (STANDARD, (Score(20, 0), TakeBack(1), Score(1, 1)), Restore(1), None),
        (STANDARD, (Penalize(110, 0), Score(20, 0), TakeBack(2), Deal()), Restore(2), None),
        (STANDARD, (Penalize(110, 0), Score(20, 0), TakeBack(2)), Restore(2), None),
        (STANDARD, (Score(20, 0), Score(1, 1)), TakeBack(1), None),
    ],
)
def test_why_something_is_the_directors(rules, made, asked, sentence):
    game = sheet(rules, *made)
    assert director_only(game, decide(game, asked)) == sentence


def test_scores_that_were_retracted_are_no_reason_for_a_director():
    """Ann's 20 put back would end the game in what was rolled back, and in nothing that counts."""
    made = (Score(20, 0), Score(1, 1), TakeBack(1), Score(29, 0), Score(25, 0), Score(3, 1), Retract(2))
    game = sheet(SHORT, *made)
    assert director_only(game, decide(game, Restore(1))) is None
    assert pegs(play(game, Restore(1))) == [(20, 0), (1, 0)]


# --- what lines keep ---


def test_a_wrong_call_of_muggins_keeps_who_called_what():
    game = sheet(with_house_rules(THREE, ["muggins=on"]))
    assert decide(game, CallMuggins(0, 5, 0, 2)) == MugginsCalled(2, 5, 2, caller=0, claimed=5, missed=0)
    assert decide(game, CallMuggins(0, 5, 3, 2)) == MugginsCalled(0, 3, 0, caller=0, claimed=5, missed=3)


def test_an_over_peg_in_three_lanes_awards_the_named_opponent():
    game = sheet(with_house_rules(THREE, ["over-peg=excess"]), Score(9, 1))
    assert decide(game, OverPeg(1, 6, 9, opponent=2)) == OverPegged(1, 1, 6, 9, to=2, award=3)


def test_an_over_peg_alone_awards_nobody():
    game = sheet(with_house_rules(ALONE, ["over-peg=excess"]), Score(9, 0))
    assert decide(game, OverPeg(1, 6, 9)) == OverPegged(0, 1, 6, 9, to=None, award=0)


@pytest.mark.parametrize("note", ["", "the dinner is ready"])
def test_a_game_given_up_keeps_why_and_its_sheet(note):
    game = sheet(STANDARD, Score(2, 0))
    assert decide(game, Abandon(note)) == Abandoned(note)
    assert play(game, Abandon(note)) is game


def test_the_deal_that_moves_the_first_dealer_is_no_new_one():
    game = sheet(THREE)
    assert decide(game, Deal()) == Dealt(None, new=False)
    assert decide(game, Deal(2)) == Dealt(2, new=False)
    assert (play(game, Deal(2)).dealer, play(game, Deal(2)).position.deal) == (2, 1)


def test_a_deal_put_right_before_a_score_that_came_back_leaves_the_play():
    """A line that put the dealer right stands after a hand that was put back: the deal begins anew."""
    game = sheet(STANDARD, Score(8, 1, why="hand"), TakeBack(1), Deal(1), Restore(1))
    assert (game.position.dealer, game.position.phase, game.position.to_count) == (1, "play", None)


@pytest.mark.parametrize(("form", "begun"), [(None, "open"), ("best of 3", "best of 3")])
def test_a_start_without_a_format_begins_no_match_of_one(form, begun):
    assert decide(sheet(STANDARD), Start(SHORT, ("Ann", "Bob"), 1, form)).format == begun


def test_a_deal_that_is_passed_to_somebody_names_him():
    game = sheet(THREE, Score(5, 0))
    assert decide(game, Deal(0)) == Dealt(0)
    assert (play(game, Deal(0)).dealer, play(game, Deal(0)).position.deal) == (0, 2)


def test_after_a_confirmation_redo_means_nothing():
    game = sheet(STANDARD, Score(1, 1), SetPegs(0, 121, 9), TakeBack(1))
    assert game.undone == (1,)
    assert play(game, Confirm(0, 0, (121, 0))).undone == ()


def test_a_lane_keeps_which_lines_have_touched_it():
    game = sheet(EXCESS, Score(9, 0), Score(3, 1), OverPeg(1, 5, 9), TakeBack(2))
    assert (game.touches, game.revisions) == (((1, 3), (2, 3, 2)), (2, 3))


def test_in_a_game_that_was_opened_again_the_next_deal_is_a_new_one():
    game = sheet(STANDARD, SetPegs(0, 121, 9), PegBack(0, 1))
    assert (game.position.phase, game.position.deal) == ("unknown", 1)
    assert decide(game, Deal()) == Dealt(None, new=True)


# --- who deals and counts ---


@pytest.mark.parametrize("dealer", range(4))
def test_pone_counts_first_and_the_dealer_last(dealer):
    game = new_game(PARTNERS, NAMES, dealer)
    for turn in range(1, 5):
        seat = (dealer + turn) % 4
        game = play(game, Score(4, seat, why="hand"))
        assert game.position.to_count == (None if turn == 4 else (seat + 1) % 4)
        for earlier in range(1, turn + 1):
            again = play(game, Score(2, (dealer + earlier) % 4, why="hand"))
            assert (again.position.to_count, again.position.phase) == (game.position.to_count, game.position.phase)
    assert game.position.phase == "crib"


def test_heels_are_believed_of_the_seat_that_tells_them_while_the_phase_is_unknown():
    game = sheet(PARTNERS, Score(3, 0), Score(2, 2, why="heels"))
    assert (game.dealer, game.phase) == (2, "play")
    game = sheet(PARTNERS, Score(3, 0), Score(2, lane=1, why="heels"))
    assert (game.dealer, game.phase) == (1, "play")


def test_a_crib_in_unknown_passes_the_deal_from_its_own_seat():
    game = sheet(PARTNERS, Score(3, 0), Score(2, 2, why="crib"))
    assert (game.dealer, game.phase) == (3, "play")


def test_a_head_start_follows_the_dealer_there_and_back():
    game = sheet(Rules.named("box-sheet"))
    assert pegs(game) == [(3, 0), (0, 0)]
    game = play(game, Deal())
    assert (game.dealer, pegs(game)) == (1, [(0, 0), (3, 0)])
    game = play(game, Deal())
    assert (game.dealer, pegs(game)) == (0, [(3, 0), (0, 0)])


def test_three_for_last_goes_to_the_other_pone_when_the_dealer_is_put_right():
    game = sheet(Rules.named("five-card"), Penalize(2, 0))
    assert pegs(game) == [(2, 0), (3, 0)]
    assert pegs(play(game, Deal())) == [(5, 3), (0, 0)]
    assert pegs(play(play(game, Deal()), Deal())) == [(2, 0), (3, 0)]


# --- a solitaire that runs out ---


@pytest.mark.parametrize(("front", "winner"), [(91, 0), (90, None)])
def test_a_solitaire_is_won_from_91_on(front, winner):
    game = sheet(ALONE, *DEALS_OUT, SetPegs(0, front, 9))
    assert (game.outcome.winner, game.outcome.skunks) == (winner, (0,))
    assert (game.phase, game.dealer, game.position.deal, game.position.scored) == ("over", 0, 7, True)


def test_a_solitaire_with_skunks_that_is_won_has_none():
    rules = with_house_rules(ALONE, ["skunks=on"])
    assert sheet(rules, *DEALS_OUT, SetPegs(0, 91, 9)).outcome.skunks == (0,)


# --- rulings that name lines ---


def test_a_false_claim_of_a_lane_that_was_home_goes_back_where_it_truly_stood():
    game = sheet(SHORT, Score(29, 0), Score(29, 0), Score(20, 0), ClaimFalsely(3, 1, 20))
    assert pegs(game) == [(44, 43), (2, 0)]


def test_a_retraction_of_a_ruling_and_its_line_together_is_taken():
    game = sheet(STANDARD, Score(4, 1), Score(9, 0), OverPeg(2, 8, 9), Retract(1))
    assert pegs(game) == [(0, 0), (4, 0)]


def test_a_retraction_may_be_put_back_where_rulings_of_earlier_lines_follow():
    game = sheet(EXCESS, Score(9, 0), Score(5, 1), Retract(1), TakeBack(3), OverPeg(1, 8, 9))
    assert pegs(game) == [(8, 0), (6, 5)]
    assert pegs(play(game, Restore(3))) == [(8, 0), (1, 0)]


def test_a_retraction_may_be_put_back_to_a_line_that_is_ruled_on_later():
    game = sheet(STANDARD, Score(9, 0), Score(3, 0), Score(5, 1), Retract(2), TakeBack(4), OverPeg(2, 1, 3))
    assert pegs(play(game, Restore(4))) == [(10, 9), (0, 0)]


# --- matches and results ---


@pytest.mark.parametrize(("worth", "points"), [((1, 2, 3), 2), ((2, 3), 3), ((4,), 4)])
def test_a_solitaire_that_reaches_the_game_hole_is_the_greater_win(worth, points):
    assert result(sheet(replace(ALONE, worth=worth), SetPegs(0, 121, 9))).points == points
    assert result(sheet(replace(ALONE, worth=worth), *DEALS_OUT, SetPegs(0, 120, 9))).points == worth[0]


def test_a_confirmation_keeps_the_result_that_was_seen():
    game = sheet(STANDARD, SetPegs(1, 121, 9))
    assert decide(game, Confirm(0, 1, (0, 121))) == Confirmed(0, 1, (0, 121))
    alone = sheet(ALONE, *DEALS_OUT)
    assert decide(alone, Confirm(0, None, (32,))) == Confirmed(0, None, (32,))


def test_a_match_begins_with_nothing_in_every_lane():
    nothing = (0, 0, 0)
    assert Match.empty(3) == Match("open", nothing, nothing, nothing, nothing)


def test_a_result_comes_back_with_its_spread():
    won = Result(1, 2, 2, (-31, 31), whole_match=True)
    assert read_result({**result_values(won), "spread": [-31, 31]}) == won


# --- commands in words ---


@pytest.mark.parametrize(
    ("values", "asked"),
    [
        (
            {"do": "start_match", "format": "best of 3", "variant": "short", "players": ["Ann", "Bob"]},
            Start(SHORT, ("Ann", "Bob"), None, "best of 3"),
        ),
        ({"do": "start", "variant": "short", "players": ["Ann", "Bob"], "dealer": 1}, Start(SHORT, ("Ann", "Bob"), 1)),
        ({"do": "retract", "to": "3", "note": "a renege"}, Retract(3, "a renege")),
        ({"do": "amend", "entry": "3", "points": 4, "was": 5}, Amend(3, 4, 5)),
        ({"do": "undo", "entry": None}, TakeBack()),
        ({"do": "redo"}, Restore()),
        ({"do": "redo", "entry": "1" * 9}, Restore(111_111_111)),
        ({"do": "confirm", "seat": 0, "winner": 1, "fronts": [90, 121]}, Confirm(0, 1, (90, 121))),
    ],
)
def test_a_command_reads_as_the_sheet_writes_it(values, asked):
    assert command_of(values) == asked
    written = command_values(asked)
    assert {key: written.get(key) for key in values} == values
    assert ("format" in written) == (values["do"] == "start_match")


def test_a_new_game_has_no_lines_and_its_own_lanes():
    game = apply(sheet(STANDARD, Score(5, 0)), decide(sheet(STANDARD), Start(THREE, NAMES[:3], 2)))
    assert (game.entries, game.revisions, game.dealer, pegs(game)) == ((), (0, 0, 0), 2, [(0, 0)] * 3)
