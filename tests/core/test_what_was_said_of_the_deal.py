"""What has been said of the deal is a fact: it is kept, it can be put right, and only a fact is ever contradicted."""

import pytest

from pegboard import Deal, Penalize, Rules, Score, SetPegs, Start, TakeBack, decide, new_game, play
from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.match import first_dealer
from pegboard.core.moves import COMMANDS, Amend, Amended, Dealt, PegBack, Retract, Scored, Stage, Staged, Started
from pegboard.core.referee import apply, director_only
from pegboard.errors import Already, GameOver, RuleError, SayFirst
from tests.support.sheet_strategies import laid_out_anew

ANN, BOB, CY, DEE = range(4)
NAMES = ("Ann", "Bob", "Cy", "Dee")


def table(variant="standard", dealer=None):
    rules = Rules.named(variant)
    return new_game(rules, NAMES[: rules.seats], dealer)


def done(game, *commands):
    for command in commands:
        game = play(game, command)
    assert game.positions == laid_out_anew(game)
    return game


def fronts(game):
    return [lane.front for lane in game.lanes]


# --- who is said to deal ---


@pytest.mark.parametrize(
    ("dealer", "before", "claimed"),
    [
        (ANN, (), Score(2, BOB, why="heels")),
        (ANN, (), Score(4, BOB, why="crib")),
        (None, (Deal(ANN),), Score(2, BOB, why="heels")),
        (None, (Score(5, ANN), Deal(BOB)), Score(2, ANN, why="heels")),
        (None, (Score(5, ANN), Deal(BOB, new=False)), Score(2, ANN, why="heels")),
        (ANN, (Penalize(2, BOB), Stage("play"), PegBack(BOB, 1)), Score(2, BOB, why="heels")),
        (ANN, (Score(5, ANN), TakeBack(1)), Score(2, BOB, why="heels")),
        (ANN, (Score(5, ANN), Retract(0)), Score(2, BOB, why="heels")),
    ],
)
def test_heels_and_crib_of_another_than_was_said_to_deal_are_offered_after_it_is_said(dealer, before, claimed):
    game = done(table(dealer=dealer), *before)
    with pytest.raises(
        SayFirst, match=f"the dealer is .*; if {game.players[claimed.seat]} is dealing, set the dealer first"
    ) as refusal:
        play(game, claimed)
    assert refusal.value.offer == {"dealer": claimed.seat, "new": False}
    after = done(game, Deal(**refusal.value.offer), claimed)
    assert after.lanes[claimed.seat].front == game.lanes[claimed.seat].front + claimed.points


@pytest.mark.parametrize(
    ("dealer", "before"),
    [
        (None, ()),  # the policy's dealer was never said
        (ANN, (Score(1, ANN),)),  # a deal may have passed between two scores
        (ANN, (Score(8, ANN, why="hand"),)),
        (ANN, (Score(2, ANN, why="heels"), Deal())),  # who deals the new one was not said
        (None, (Deal(ANN), Score(0, BOB, why="hand"))),
        (None, (Score(2, BOB, why="play"), Deal())),
        (ANN, (Score(6, ANN, why="play"),)),
    ],
)
def test_heels_are_never_refused_for_what_is_only_likely(dealer, before):
    game = done(table(dealer=dealer), *before)
    assert fronts(play(game, Score(2, BOB, why="heels")))[BOB] == fronts(game)[BOB] + 2


@pytest.mark.parametrize("variant", ["three-handed", "partners"])
def test_with_three_and_four_heels_are_taken_until_the_dealer_plays(variant):
    game = done(table(variant, dealer=ANN), Score(2, BOB, why="play"), Score(1, CY, why="go"))
    assert decide(game, Score(2, ANN, why="heels")) == Scored(0, 2, ANN, "heels")
    with pytest.raises(SayFirst, match="heels come before the play, and Ann has already scored in the play"):
        play(done(game, Score(2, ANN, why="thirty-one")), Score(2, ANN, why="heels"))


@pytest.mark.parametrize("why", ["play", "go", "thirty-one", "heels"])
def test_heels_once_more_are_offered_in_a_new_deal(why):
    points = 1 if why == "go" else 2
    game = done(table(), Score(points, BOB, why=why))
    with pytest.raises(SayFirst, match="if a new deal has started, mark it first") as refusal:
        play(game, Score(2, BOB, why="heels"))
    assert refusal.value.offer == {"dealer": BOB, "new": True}
    assert fronts(done(game, Deal(**refusal.value.offer), Score(2, BOB, why="heels"))) == [0, points + 2]


def test_partners_are_compared_by_seat_where_it_is_told_else_by_lane():
    game = table("partners", dealer=ANN)
    with pytest.raises(SayFirst):
        play(game, Score(2, CY, why="heels"))
    assert fronts(play(game, Score(2, lane=0, why="heels"))) == [2, 0]
    with pytest.raises(SayFirst) as refusal:
        play(game, Score(2, lane=1, why="heels"))
    assert refusal.value.offer is None, "it may be Bob or Dee"


@pytest.mark.parametrize("why", ["play", "hand", "crib"])
def test_a_guessed_reason_refuses_nothing(why):
    game = apply(table(), wire.read_event("scored", {"lane": 1, "points": 2, "seat": 1, "why": why}, 2))
    assert fronts(play(game, Score(2, BOB, why="heels")))[BOB] == 4


def test_muggins_and_penalties_lie_between_nothing():
    rules = Rules.named("standard")
    game = done(new_game(rules, NAMES[:2], ANN), Penalize(1, BOB))
    with pytest.raises(SayFirst):
        play(game, Score(2, BOB, why="heels"))


# --- DEAL ---


@pytest.mark.parametrize(
    ("before", "asked", "happened"),
    [
        ((), Deal(), Dealt(None, new=False)),
        ((), Deal(new=True), Dealt(None, new=False)),
        ((), Deal(ANN), Dealt(ANN, new=False)),  # it makes the policy's dealer a fact
        ((), Deal(BOB, new=True), Dealt(BOB, new=False)),
        ((Penalize(2, ANN),), Deal(), Dealt(None, new=False)),
        ((Score(5, ANN),), Deal(), Dealt(None, new=True)),
        ((Score(5, ANN),), Deal(BOB), Dealt(BOB, new=True)),
        ((Score(5, ANN),), Deal(BOB, new=False), Dealt(BOB, new=False, midway=True)),
        ((Score(5, ANN), Deal(BOB, new=False)), Deal(), Dealt(None, new=True)),
        ((Score(5, ANN), Deal()), Deal(ANN), Dealt(ANN, new=False)),
        ((Score(5, ANN), TakeBack(1)), Deal(), Dealt(None, new=False)),
        ((Score(4, ANN, why="crib"),), Deal(), Dealt(None, new=True)),
    ],
)
def test_what_a_deal_says_is_decided_from_the_lines_that_stand(before, asked, happened):
    assert decide(done(table(), *before), asked) == happened


@pytest.mark.parametrize(
    ("before", "asked"),
    [
        ((Score(5, ANN), Deal()), Deal()),
        ((Score(5, ANN), Deal()), Deal(new=True)),
        ((Score(5, ANN), Deal()), Deal(ANN, new=True)),
        ((Score(5, ANN), Deal(), Penalize(2, BOB)), Deal()),
        ((Deal(BOB),), Deal(BOB, new=False)),
        ((Score(4, ANN, why="crib"), Deal()), Deal()),
    ],
)
def test_no_deal_is_said_twice_with_no_score_between(before, asked):
    with pytest.raises(Already):
        play(done(table(), *before), asked)


@pytest.mark.parametrize(("dealer", "expected"), [(None, BOB), (ANN, ANN)])
def test_a_deal_after_a_crib_has_passed_it_passes_nothing_twice(dealer, expected):
    game = done(table(dealer=ANN), Score(4, ANN, why="crib"), Deal(dealer))
    assert (game.position.deal, game.dealer) == (2, expected)
    without = done(game, TakeBack(1))
    assert without.position.deal == 2, "without the crib the deal itself passes it"


def test_a_deal_after_a_crib_passed_twice_in_older_versions():
    game = done(table(dealer=ANN), Score(4, ANN, why="crib"))
    older = wire.read_event("dealt", {"dealer": None, "new": True}, 2)
    assert apply(game, older).position.deal == 3


def test_a_dealer_named_in_mid_deal_moves_no_head_start_and_is_not_the_first_one():
    game = done(table("box-sheet", dealer=ANN), Score(5, ANN), Deal(BOB, new=False))
    assert (fronts(game), game.dealer, first_dealer(game)) == ([8, 0], BOB, ANN)
    before = done(table("box-sheet", dealer=ANN), Deal(BOB, new=False))
    assert (fronts(before), before.dealer, first_dealer(before)) == ([0, 3], BOB, BOB)


@pytest.mark.parametrize("said", [None, ANN, BOB])
def test_a_start_keeps_whether_its_dealer_was_said(said):
    happened = decide(Game(), Start(Rules(), ("Ann", "Bob"), said))
    assert (happened.dealer, happened.dealer_said) == (said or 0, said is not None)
    assert apply(Game(), happened).dealer_said == (said is not None)


# --- play or show ---


def test_a_stage_is_a_line_that_moves_nothing_and_can_be_taken_back():
    game = done(table(), Score(5, ANN), Score(2, BOB))
    after = done(game, Stage("show"))
    assert after.entries[-1].event == Staged("show")
    assert (after.lanes, after.revisions, after.position) == (game.lanes, game.revisions, game.position)
    assert done(after, Stage("play"), Stage("show")).newest_standing() == 5
    assert done(after, TakeBack()).newest_standing() == 2


def test_after_the_end_nothing_is_said_of_the_deal():
    game = done(table(), SetPegs(ANN, 121, 100))
    for command in (Stage("show"), Deal(BOB, new=False), Deal(new=True)):
        with pytest.raises(GameOver):
            play(game, command)


def test_in_strict_mode_stage_and_deal_are_any_scorers_and_amendments_are_not():
    game = done(table("acc"), Score(5, ANN))
    assert game.rules.strict
    for command in (Stage("show"), Deal(), Deal(BOB, new=False)):
        assert director_only(game, decide(game, command)) is None
    for given in ({"points": 4}, {"why": "hand"}, {"seat": BOB}):
        assert "only the director can change lines" in director_only(game, decide(game, Amend(1, was=5, **given)))


# --- amendments ---


def test_a_reason_is_amended_and_forgotten():
    game = done(table(), Score(1, ANN), Amend(1, was=1, why="go"))
    assert game.entries[0].event.why == "go"
    assert game.entries[0].history[0].why is None
    assert done(game, Amend(1, was=1, why=None)).entries[0].event.why is None
    both = done(game, Amend(1, 8, 1, "hand"))
    assert (both.entries[0].event, fronts(both)) == (Scored(0, 8, 0, "hand"), [8, 0])


def test_an_amended_reason_is_said():
    game = apply(table(), wire.read_event("scored", {"lane": 1, "points": 2, "seat": 1, "why": "play"}, 2))
    assert game.entries[0].event.guessed
    for why in ("play", "hand", None):
        assert not play(game, Amend(1, was=2, why=why)).entries[0].event.guessed
    assert play(game, Amend(1, 3, 2)).entries[0].event.guessed


def test_right_number_wrong_player():
    game = done(table(), Score(5, ANN), Score(8, ANN, why="hand"), Score(2, BOB))
    after = done(game, Amend(2, was=8, seat=BOB))
    assert after.lanes == done(table(), Score(5, ANN), Score(8, BOB), Score(2, BOB)).lanes
    assert [now - was for was, now in zip(game.revisions, after.revisions, strict=True)] == [1, 1]
    (change,) = after.entries[1].history
    assert (change.did, change.was, change.lane, change.seat) == ("amend", None, 0, ANN)
    assert done(after, Amend(2, was=8, seat=ANN)).positions == game.positions


def test_a_zero_moves_to_another_player_and_both_lanes_are_touched():
    game = done(table(), Score(0, ANN, why="crib"), Amend(1, was=0, seat=BOB))
    assert game.revisions == (2, 1)


def test_a_penalty_moves_with_its_note():
    game = done(table(), Penalize(2, ANN, "misdeal"), Amend(1, was=2, seat=BOB))
    assert (fronts(game), game.entries[0].event.note) == ([0, 2], "misdeal")


def test_a_key_of_partners_knows_no_seat_until_it_is_moved():
    game = done(table("partners"), Score(6, lane=0), Amend(1, was=6, seat=DEE))
    assert (fronts(game), game.entries[0].event.seat, game.entries[0].history[0].seat) == ([0, 6], DEE, None)
    with pytest.raises(RuleError, match="Cy pegs in the same lane"):
        play(done(table("partners"), Score(6, lane=0)), Amend(1, was=6, seat=CY))


def test_pegs_that_were_set_before_do_not_matter_and_set_again_after_taking_back_do():
    game = done(table(), SetPegs(BOB, 30, 20), Score(5, ANN))
    assert fronts(done(game, Amend(2, was=5, seat=BOB))) == [0, 35]
    later = done(game, SetPegs(ANN, 50, 40))
    with pytest.raises(RuleError, match="line 3 set Ann's pegs"):
        play(later, Amend(2, was=5, seat=BOB))
    assert fronts(done(later, TakeBack(3), Amend(2, was=5, seat=BOB))) == [0, 35]


def test_a_move_can_end_the_game_for_the_other_player():
    game = done(table(), SetPegs(BOB, 115, 100), Score(8, ANN))
    after = done(game, Amend(2, was=8, seat=BOB))
    assert (after.outcome.winner, fronts(after)) == (BOB, [0, 121])


def test_only_what_was_amended_is_written():
    written = {
        Amended(3, 8): {"line": 3, "points": 8},
        Amended(3, why=None): {"line": 3, "why": None},
        Amended(3, why="go"): {"line": 3, "why": "go"},
        Amended(3, seat=0): {"line": 3, "seat": 0},
    }
    for event, body in written.items():
        assert wire.event_values(event) == ("amended", body)
        assert wire.read_event("amended", body) == event


# --- bodies of older versions ---


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize(
    ("why", "guessed"),
    [
        *(("play", True), ("hand", True), ("crib", True)),
        *((why, False) for why in ("go", "heels", "penalty", "muggins", None)),
    ],
)
def test_pages_of_older_versions_guessed_most_reasons(version, why, guessed):
    body = {"lane": 0, "points": 1, "seat": 0, "why": why}
    old, new = wire.read_event("scored", body, version), wire.read_event("scored", body)
    assert (old.guessed, new.guessed) == (guessed, False)
    assert wire.event_values(old) == wire.event_values(new) == ("scored", body)
    assert wire.version(new) == wire.USUAL == 3
    assert wire.version(old) == (2 if guessed else 3)


def test_no_command_guesses():
    assert [row.do for row in COMMANDS if "guessed" in row.fields] == []


def test_who_dealt_was_not_said_in_a_start_of_an_older_version():
    _, body = wire.event_values(Started(Rules(), ("Ann", "Bob"), 1, dealer_said=True))
    assert wire.read_event("started", body).dealer_said
    assert not wire.read_event("started", {key: body[key] for key in body if key != "dealer_said"}, 2).dealer_said


@pytest.mark.parametrize(
    ("command", "values"),
    [
        (Deal(1), {"do": "deal", "dealer": 1}),
        (Amend(3, 8, 9), {"do": "amend", "entry": "3", "points": 8, "was": 9}),
    ],
)
def test_what_older_pages_asked_is_written_as_it_was(command, values):
    """A repeat of an accepted tap is known by its content, after an update too."""
    assert wire.command_values(command) == values
