"""What the players mean by their presses: dialling, typing, pegging, UNDO, DEAL, a new game, a stuck key, bounces."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.key_roles_and_actions import (
    AddKey,
    AskNewGame,
    AskPowerOff,
    CancelNewGame,
    CancelPowerOff,
    Choose,
    DealKey,
    Dial,
    DigitKey,
    Drop,
    Enter,
    EnterKey,
    ForgetTyped,
    Invite,
    NewGame,
    PassDeal,
    Peg,
    PowerOff,
    RefuseDigit,
    ReportStuck,
    ShortLongKey,
    ShowChoice,
    ShowTyped,
    Undo,
    UndoKey,
)
from hardware.keys.debounce import Timing
from hardware.keys.machine import KeyMachine
from pegboard.config import KeySettings
from pegboard.errors import DeviceError
from tests.support.contact_bounce import MS, presses
from tests.support.long_runs import some_of

S = 1000 * MS
SHARED = {"undo": UndoKey(), "deal": DealKey()}
SEVERAL = {
    f"{letter}{points}": AddKey(lane, points) for lane, letter in enumerate("ab") for points in (1, 2, 5)
} | SHARED
SINGLE = {letter: ShortLongKey(lane, 1, 5) for lane, letter in enumerate("abc")} | SHARED
KEYPAD = {str(digit): DigitKey(digit) for digit in range(10)} | {"ea": EnterKey(0), "eb": EnterKey(1)} | SHARED
SCHEMES = {"several": SEVERAL, "single": SINGLE, "keypad": KEYPAD}


class Hand:
    """Presses keys at given times in ms and keeps what the machine says, with its time."""

    def __init__(self, keys):
        self.machine = KeyMachine(keys, Timing())
        self.said = []

    def _until(self, t_ns):
        while (at := self.machine.deadline()) is not None and at <= t_ns:
            self.said += [(at // MS, action) for action in self.machine.tick(at)]

    def edge(self, ms, key, down):
        self._until(ms * MS)
        self.said += [(ms, action) for action in self.machine.edge(ms * MS, key, down)]

    def press(self, ms, key, for_ms=100):
        self.edge(ms, key, True)
        self.edge(ms + for_ms, key, False)

    def wait(self, ms):
        self._until(ms * MS)
        return self.said


@pytest.fixture
def hand():
    return Hand(SEVERAL)


@pytest.fixture
def single():
    return Hand(SINGLE)


@pytest.fixture
def keypad():
    return Hand(KEYPAD)


@pytest.fixture(params=SCHEMES)
def any_hand(request):
    return Hand(SCHEMES[request.param])


# --- several keys a player ---


def test_press_counts_at_its_leading_edge(hand):
    hand.edge(10, "a5", True)
    assert hand.said == [(10, Dial(0, 5))]


PRESSES = some_of(20_000)


@pytest.mark.parametrize(
    ("keys", "key", "meant", "at_release"),
    [(SEVERAL, "a1", Dial(0, 1), False), (SINGLE, "b", Dial(1, 1), True), (KEYPAD, "ea", Enter(0, None), False)],
    ids=["several", "single", "keypad"],
)
def test_bouncing_presses_are_all_counted_without_delay(keys, key, meant, at_release):
    made, machine = presses(random.Random(121), PRESSES, 26 * MS), KeyMachine(keys, Timing())
    late = [
        at - (press.until if at_release else press.at)
        for press in made
        for at, down in press.edges
        for action in machine.edge(at, key, down)
        if action == meant
    ]
    assert (len(late), set(late)) == (PRESSES, {0})


def test_taps_shorter_than_the_lockout_count_at_once_too():
    made, machine = presses(random.Random(29), PRESSES, 2 * MS), KeyMachine(SEVERAL, Timing())
    late = [
        at - press.at
        for press in made
        for at, down in press.edges
        for action in machine.edge(at, "a1", down)
        if action == Dial(0, 1)
    ]
    assert (len(late), set(late)) == (PRESSES, {0})


@pytest.mark.parametrize(("shortest", "longest"), [(2 * MS, 24 * MS), (26 * MS, 300 * MS)], ids=["taps", "presses"])
def test_presses_are_all_counted_however_often_their_line_is_looked_at(shortest, longest):
    """A look reads the line as it is; edges that are not told yet are told after it with their own, earlier, time."""
    dice, machine = random.Random(11), KeyMachine(SEVERAL, Timing())
    made, counted, level, looked_at = presses(dice, 5_000, shortest, longest, 90 * MS), 0, False, 0
    for at, down in (edge for press in made for edge in press.edges):
        while looked_at < at:
            counted += machine.poll_level(looked_at, "a1", level).count(Dial(0, 1))
            looked_at += dice.randrange(5 * MS, 40 * MS)
        if dice.random() < 0.1:
            counted += machine.poll_level(at + MS // 10, "a1", down).count(Dial(0, 1))
        counted += machine.edge(at, "a1", down).count(Dial(0, 1))
        level = down
    assert counted == 5_000


def test_look_between_two_short_taps_takes_neither_from_the_other(hand):
    hand.press(0, "a5", for_ms=1)
    hand.machine.poll_level(58 * MS, "a5", False)
    hand.press(62, "a5", for_ms=1)
    assert hand.said == [(0, Dial(0, 5)), (62, Dial(0, 5))]


def test_press_that_is_seen_before_it_is_told_is_deaf_from_its_own_time(hand):
    hand.said += [(40, action) for action in hand.machine.poll_level(40 * MS, "a5", True)]
    hand.machine.edge(2 * MS, "a5", True)
    hand.machine.edge(30 * MS, "a5", False)
    hand.press(62, "a5", for_ms=1)
    assert hand.said == [(40, Dial(0, 5)), (62, Dial(0, 5))]


def test_tap_shorter_than_the_lockout_is_let_go_when_no_edge_of_that_time_can_come_any_more(hand):
    hand.press(0, "undo", for_ms=10)
    assert hand.wait(1000) == [(85, Undo())]


@pytest.mark.parametrize("level", [True, False], ids=["press", "release"])
def test_bounces_that_are_told_after_the_lockout_are_bounces(hand, level):
    if not level:
        hand.press(0, "a5", for_ms=300)
    at = 0 if level else 300
    if level:
        hand.edge(at, "a5", True)
    hand.edge(at + 1, "a5", not level)
    hand.wait(at + 50)
    hand.said += [(at + 50, action) for action in hand.machine.edge((at + 2) * MS, "a5", level)]
    hand.edge(500, "a5", False)
    assert hand.wait(9000) == [(0, Dial(0, 5)), (1500 if not level else 1700, Peg(0))]


def test_other_keys_do_not_make_a_late_bounce_a_press(hand):
    hand.edge(0, "a5", True)
    hand.edge(40, "b1", True)
    for ms, down in ((1, False), (2, True)):
        assert hand.machine.edge(ms * MS, "a5", down) == []
    hand.edge(200, "a5", False)
    assert [action for _, action in hand.wait(500)] == [Dial(0, 5), Dial(1, 1)]


def test_hold_goes_on_through_bounces_that_are_told_late(hand):
    hand.edge(0, "undo", True)
    hand.edge(1, "undo", False)
    hand.wait(60)
    assert hand.machine.edge(2 * MS, "undo", True) == []
    assert hand.wait(5000) == [(3000, AskNewGame())]


def test_edge_later_than_any_may_be_is_no_press_and_the_key_works_on(hand):
    hand.edge(0, "a5", True)
    hand.edge(1, "a5", False)
    hand.wait(200)
    assert hand.machine.edge(2 * MS, "a5", True) == []
    hand.edge(300, "a5", False)
    hand.press(400, "a5")
    assert hand.wait(600) == [(0, Dial(0, 5)), (400, Dial(0, 5))]


def test_only_key_that_a_look_took_for_let_go_does_nothing_when_it_is(single):
    single.edge(0, "a", True)
    single.edge(1, "a", False)
    assert single.wait(200) == [(85, Dial(0, 1))]
    assert single.machine.edge(2 * MS, "a", True) == []
    single.edge(900, "a", False)
    single.press(1000, "a")
    assert single.wait(1200) == [(85, Dial(0, 1)), (1100, Dial(0, 1))]


def test_key_that_stays_down_after_a_look_took_it_for_let_go_is_stuck_at_last(hand):
    hand.edge(0, "b1", True)
    hand.edge(1, "b1", False)
    hand.wait(200)
    hand.machine.edge(2 * MS, "b1", True)
    assert hand.machine.poll_level(300 * MS, "b1", True) == [], "it is known to be down"
    assert hand.wait(60_000)[-1] == (30_085, ReportStuck("b1"))


def test_line_that_is_seen_to_have_changed_has_lost_an_edge(hand):
    hand.said += [(100, action) for action in hand.machine.poll_level(100 * MS, "a5", True)]
    hand.machine.poll_level(200 * MS, "a5", True)
    hand.edge(300, "a5", False)
    hand.machine.poll_level(400 * MS, "a5", False)
    hand.press(500, "a5")
    assert hand.wait(600) == [(100, Dial(0, 5)), (500, Dial(0, 5))]


def test_line_that_is_seen_as_it_was_settles_a_bounce(hand):
    """The bounce back has not been told yet."""
    hand.edge(0, "undo", True)
    hand.edge(1, "undo", False)
    assert hand.machine.poll_level(50 * MS, "undo", True) == []
    assert hand.wait(2000) == []


def test_dialled_amount_pegs_after_silence(hand):
    hand.press(0, "a5")
    hand.press(300, "a1")
    hand.press(600, "a1")
    assert hand.wait(5000) == [(0, Dial(0, 5)), (300, Dial(0, 1)), (600, Dial(0, 1)), (1900, Peg(0))]


def test_key_held_pegs_at_once_and_its_release_does_nothing(hand):
    hand.press(0, "a2")
    hand.press(400, "a5", for_ms=2000)
    assert hand.wait(9000) == [(0, Dial(0, 2)), (400, Dial(0, 5)), (1200, Peg(0))]


def test_other_lanes_key_leaves_only_its_own_amount_to_be_pegged(hand):
    hand.press(0, "a5")
    hand.press(500, "b2")
    assert hand.wait(9000) == [(0, Dial(0, 5)), (500, Dial(1, 2)), (1800, Peg(1))]


def test_undo_acts_when_it_is_let_go(hand):
    hand.press(0, "undo", for_ms=2900)
    assert hand.wait(9000) == [(2900, Undo())]


def test_undo_ends_the_silence_of_what_it_dropped(hand):
    hand.press(0, "a5")
    hand.press(300, "undo")
    assert hand.wait(9000) == [(0, Dial(0, 5)), (400, Undo())]


def test_deal_acts_when_it_is_pressed(hand):
    hand.press(7, "deal")
    assert hand.wait(9000) == [(7, PassDeal())]


def test_undo_held_asks_and_held_again_starts_a_new_game(hand):
    hand.press(0, "undo", for_ms=3500)
    hand.press(5000, "undo", for_ms=3500)
    assert hand.wait(60_000) == [(3000, AskNewGame()), (8000, NewGame())]


def test_second_hold_may_end_after_the_question_when_it_began_before(hand):
    hand.press(0, "undo", for_ms=3100)
    hand.press(12_900, "undo", for_ms=3100)
    assert hand.wait(60_000) == [(3000, AskNewGame()), (15_900, NewGame())]


def test_no_answer_for_ten_seconds_cancels_and_a_later_hold_asks_anew(hand):
    hand.press(0, "undo", for_ms=3100)
    hand.press(13_100, "undo", for_ms=3100)
    assert hand.wait(20_000) == [(3000, AskNewGame()), (13_000, CancelNewGame()), (16_100, AskNewGame())]


def test_one_hold_without_end_never_answers_its_own_question(hand):
    hand.edge(0, "undo", True)
    assert hand.wait(60_000) == [(3000, AskNewGame()), (13_000, CancelNewGame()), (30_000, ReportStuck("undo"))]


@pytest.mark.parametrize("key", ["a5", "b1", "deal"])
def test_any_other_key_only_cancels_the_question(hand, key):
    hand.press(0, "undo", for_ms=3100)
    hand.press(5000, key, for_ms=2000)
    assert hand.wait(60_000) == [(3000, AskNewGame()), (5000, CancelNewGame())]


def test_undo_takes_back_nothing_that_is_pressed_after_it(hand):
    hand.edge(0, "a2", True)
    hand.press(100, "undo", for_ms=10)  # let go within its lock-out, which is seen later
    hand.edge(140, "a5", True)
    assert hand.wait(500) == [(0, Dial(0, 2)), (140, Undo()), (140, Dial(0, 5))]


@pytest.mark.parametrize("after", [5, 60, 2900])
def test_undo_that_is_still_down_acts_before_the_next_key(hand, after):
    hand.edge(0, "undo", True)
    hand.edge(after, "a5", True)
    hand.edge(3100, "undo", False)
    assert hand.wait(5000)[:2] == [(after, Undo()), (after, Dial(0, 5))]
    assert [said for _, said in hand.said].count(Undo()) == 1


def test_what_is_typed_after_undo_stays(keypad):
    keypad.press(0, "7")
    keypad.edge(500, "undo", True)
    keypad.press(600, "1")
    keypad.press(800, "2")
    keypad.edge(1000, "undo", False)
    keypad.press(1100, "ea")
    assert [said for _, said in keypad.said][1:] == [ShowTyped(None), ShowTyped(1), ShowTyped(12), Enter(0, 12)]


def test_short_tap_of_the_only_key_counts_before_an_undo_pressed_after_it(single):
    single.press(0, "a", for_ms=10)
    single.press(40, "undo", for_ms=30)
    assert single.wait(1000) == [(40, Dial(0, 1)), (70, Undo())]


def test_second_press_within_the_lockout_counts_before_the_next_players(hand):
    hand.press(0, "a5", for_ms=100)
    hand.edge(110, "a5", True)
    hand.edge(130, "b1", True)
    assert hand.wait(150) == [(0, Dial(0, 5)), (130, Dial(0, 5)), (130, Dial(1, 1))]


def test_short_undo_only_cancels_the_question(hand):
    hand.press(0, "undo", for_ms=3100)
    hand.press(5000, "undo")
    assert hand.wait(60_000) == [(3000, AskNewGame()), (5100, CancelNewGame())]


def test_other_key_during_the_second_hold_cancels_and_the_hold_is_spent(hand):
    hand.press(0, "undo", for_ms=3100)
    hand.edge(5000, "undo", True)
    hand.press(6000, "a1")
    hand.edge(9500, "undo", False)
    assert hand.wait(60_000) == [(3000, AskNewGame()), (6000, CancelNewGame())]


def test_key_down_for_thirty_seconds_is_stuck_and_ignored_until_let_go(hand):
    hand.edge(0, "a1", True)
    hand.edge(40_000, "a1", False)
    hand.press(50_000, "a1")
    assert hand.wait(52_000) == [
        (0, Dial(0, 1)), (800, Peg(0)), (30_000, ReportStuck("a1")), (50_000, Dial(0, 1)), (51_300, Peg(0)),
    ]  # fmt: skip


def test_key_found_down_at_the_start_is_stuck_and_scores_nothing(hand):
    assert hand.machine.down_at_start("a1") == [ReportStuck("a1")]
    hand.edge(1000, "a1", False)
    hand.press(2000, "a1")
    assert hand.wait(2000) == [(2000, Dial(0, 1))]


def test_idle_machine_wants_no_wakeup(hand):
    assert hand.machine.deadline() is None
    hand.press(0, "b2")
    hand.wait(5000)
    assert hand.machine.deadline() is None


# --- one key a player ---


def test_short_press_of_a_players_only_key_counts_when_it_ends(single):
    single.press(100, "a", for_ms=300)
    assert single.wait(9000) == [(400, Dial(0, 1)), (1600, Peg(0))]


def test_long_press_adds_each_half_second_and_no_short_press_when_it_ends(single):
    single.press(0, "b", for_ms=1700)
    assert single.wait(9000) == [(500, Dial(1, 5)), (1000, Dial(1, 5)), (1500, Dial(1, 5)), (2900, Peg(1))]


def test_long_and_short_presses_make_one_amount(single):
    single.press(0, "a", for_ms=600)
    single.press(900, "a", for_ms=100)
    single.press(1300, "a", for_ms=100)
    assert single.wait(9000) == [(500, Dial(0, 5)), (1000, Dial(0, 1)), (1400, Dial(0, 1)), (2600, Peg(0))]


def test_a_players_only_key_is_not_silent_while_it_is_down():
    hand = Hand(SINGLE)
    hand.machine = KeyMachine(SINGLE, Timing(long=3 * S))
    hand.press(0, "a", for_ms=100)
    hand.press(1000, "a", for_ms=3500)
    assert hand.wait(9000) == [(100, Dial(0, 1)), (4000, Dial(0, 5)), (5700, Peg(0))]


def test_the_other_players_press_pegs_first_with_single_keys_too(single):
    single.press(0, "a", for_ms=100)
    single.press(500, "b", for_ms=100)
    assert single.wait(9000) == [(100, Dial(0, 1)), (500, Peg(0)), (600, Dial(1, 1)), (1800, Peg(1))]


def test_both_players_short_presses_at_once_both_count(single):
    single.edge(0, "a", True)
    single.edge(0, "b", True)
    single.edge(100, "b", False)
    single.edge(200, "a", False)
    assert single.wait(9000) == [(100, Dial(1, 1)), (200, Dial(0, 1)), (1400, Peg(0))]


def test_both_players_long_presses_at_once_both_count(single):
    single.edge(0, "a", True)
    single.edge(100, "b", True)
    single.edge(1050, "a", False)
    single.edge(1150, "b", False)
    said = single.wait(9000)
    assert [at for at, action in said if action == Dial(0, 5)] == [500, 1000]
    assert [at for at, action in said if action == Dial(1, 5)] == [600, 1100]


def test_press_adds_no_more_than_can_be_scored_at_once(single):
    single.press(0, "a", for_ms=9000)
    assert [action for _, action in single.wait(20_000)] == [*[Dial(0, 5)] * 5, Peg(0)]


def test_what_a_stuck_only_key_has_added_is_dropped(single):
    single.edge(0, "a", True)
    assert [at for at, _ in single.wait(29_999)] == [500, 1000, 1500, 2000, 2500]
    assert single.wait(60_000)[5:] == [(30_000, ReportStuck("a")), (30_000, Drop(0))]
    single.edge(61_000, "a", False)
    single.press(62_000, "a")
    assert single.wait(62_100)[7:] == [(62_100, Dial(0, 1))]


def test_press_that_cancels_a_question_adds_nothing_however_long(single):
    single.press(0, "undo", for_ms=3100)
    single.press(5000, "a", for_ms=2000)
    assert single.wait(60_000) == [(3000, AskNewGame()), (5000, CancelNewGame())]


# --- the keypad ---


def test_digits_build_an_amount_that_enter_pegs_at_once(keypad):
    keypad.press(0, "1")
    keypad.press(300, "2")
    keypad.press(600, "ea")
    assert keypad.wait(60_000) == [(0, ShowTyped(1)), (300, ShowTyped(12)), (600, Enter(0, 12))]


def test_enter_without_digits_says_so(keypad):
    keypad.press(0, "eb")
    assert keypad.wait(60_000) == [(0, Enter(1, None))]


def test_an_amount_is_entered_once(keypad):
    for ms, key in enumerate(["7", "ea", "eb"]):
        keypad.press(ms * 200, key)
    assert keypad.wait(60_000) == [(0, ShowTyped(7)), (200, Enter(0, 7)), (400, Enter(1, None))]


@pytest.mark.parametrize(
    ("typed", "refused", "still"), [("3", "30", 3), ("29", "290", 29), ("00", "007", 0), ("12", "123", 12)]
)
def test_more_than_29_or_a_third_digit_is_refused_and_what_was_typed_stays(keypad, typed, refused, still):
    for ms, digit in enumerate(typed + refused[-1]):
        keypad.press(ms * 200, digit)
    assert keypad.said[-1][1] == RefuseDigit(refused, still)
    keypad.press(1000, "ea")
    assert keypad.said[-1] == (1000, Enter(0, still))


def test_29_can_be_typed(keypad):
    keypad.press(0, "2")
    keypad.press(200, "9")
    assert keypad.said[-1] == (200, ShowTyped(29))


def test_undo_clears_what_is_typed_and_nothing_else(keypad):
    keypad.press(0, "1")
    keypad.press(500, "undo")
    keypad.press(1000, "undo")
    assert keypad.wait(60_000) == [(0, ShowTyped(1)), (600, ShowTyped(None)), (1100, Undo())]


def test_typed_amount_is_forgotten_after_ten_seconds_without_a_digit(keypad):
    keypad.press(0, "1")
    keypad.press(9000, "2")
    keypad.press(20_000, "ea")
    assert keypad.wait(60_000) == [
        (0, ShowTyped(1)),
        (9000, ShowTyped(12)),
        (19_000, ForgetTyped(12)),
        (20_000, Enter(0, None)),
    ]


def test_new_game_takes_what_was_typed_away(keypad):
    keypad.press(0, "1")
    keypad.press(500, "undo", for_ms=3100)
    keypad.press(4000, "undo", for_ms=3100)
    keypad.press(8000, "ea")
    assert keypad.wait(60_000) == [
        (0, ShowTyped(1)), (3500, AskNewGame()), (7000, ShowTyped(None)), (7000, NewGame()), (8000, Enter(0, None)),
    ]  # fmt: skip


def test_no_key_of_an_unplugged_keypad_stays_down(keypad):
    keypad.edge(0, "ea", True)
    keypad.edge(0, "undo", True)
    keypad.said += [(1000, action) for action in keypad.machine.release_all(1000 * MS)]
    assert keypad.wait(60_000) == [(0, Enter(0, None))], "UNDO is neither held nor let go"
    keypad.press(61_000, "ea")
    keypad.press(62_000, "undo")
    assert keypad.wait(70_000)[1:] == [(61_000, Enter(0, None)), (62_100, Undo())]


def test_what_was_dialled_when_the_keys_were_gone_pegs_a_whole_silence_later(hand):
    hand.press(0, "a5")
    hand.said += [(1000, action) for action in hand.machine.release_all(1000 * MS)]
    assert hand.wait(9000) == [(0, Dial(0, 5)), (2200, Peg(0))]


def test_amount_typed_before_the_keypad_was_unplugged_can_be_entered_after(keypad):
    keypad.press(0, "7")
    keypad.machine.release_all(1000 * MS)
    keypad.press(2000, "ea")
    assert keypad.said[-1] == (2000, Enter(0, 7))


# --- every scheme ---


def test_deal_pressed_while_undo_is_down_invites_and_neither_acts_otherwise(any_hand):
    any_hand.edge(0, "undo", True)
    any_hand.press(1000, "deal")
    any_hand.edge(5000, "undo", False)
    assert any_hand.wait(60_000) == [(1000, Invite())]


def test_deal_pressed_again_while_undo_is_still_down_chooses_and_undo_let_go_decides(any_hand):
    any_hand.edge(0, "undo", True)
    for ms in (500, 1500, 2000):
        any_hand.press(ms, "deal")
    any_hand.edge(2500, "undo", False)
    any_hand.press(3000, "deal")
    said = [(500, Invite()), (1500, ShowChoice(2)), (2000, ShowChoice(3)), (2500, Choose(3)), (3000, PassDeal())]
    assert any_hand.wait(60_000) == said


def test_deal_is_no_chord_with_an_undo_key_that_is_stuck(any_hand):
    any_hand.machine.down_at_start("undo")
    any_hand.press(1000, "deal")
    assert any_hand.wait(60_000) == [(1000, PassDeal())]


def test_deal_before_undo_is_no_chord(any_hand):
    any_hand.edge(0, "deal", True)
    any_hand.press(100, "undo")
    any_hand.edge(300, "deal", False)
    assert any_hand.wait(60_000) == [(0, PassDeal()), (200, Undo())]


def test_deal_answers_a_question_with_no_even_while_undo_is_down(any_hand):
    any_hand.press(0, "undo", for_ms=3100)
    any_hand.edge(5000, "undo", True)
    any_hand.press(5500, "deal")
    any_hand.edge(9000, "undo", False)
    assert any_hand.wait(60_000) == [(3000, AskNewGame()), (5500, CancelNewGame())]


def test_undo_held_twice_is_a_new_game_in_every_scheme(any_hand):
    any_hand.press(0, "undo", for_ms=3500)
    any_hand.press(5000, "undo", for_ms=3500)
    assert any_hand.wait(60_000) == [(3000, AskNewGame()), (8000, NewGame())]


def test_key_found_down_does_nothing_until_it_has_been_let_go(any_hand):
    for name in any_hand.machine._keys:
        assert any_hand.machine.down_at_start(name) == [ReportStuck(name)]
    assert set(any_hand.machine.stuck_keys) == set(any_hand.machine._keys)
    for name in any_hand.machine._keys:
        any_hand.edge(40_000, name, False)
    assert any_hand.wait(60_000) == []
    assert any_hand.machine.stuck_keys == ()


scripts = st.sampled_from(sorted(SCHEMES)).flatmap(
    lambda scheme: st.tuples(
        st.just(SCHEMES[scheme]),
        st.lists(
            st.tuples(st.integers(0, 4 * S), st.sampled_from(sorted(SCHEMES[scheme])), st.booleans()), max_size=30
        ),
    )
)


@given(scripts, st.lists(st.integers(0, 2 * S), max_size=20))
def test_answer_does_not_depend_on_how_often_the_time_is_told(script, ticks):
    keys, edges = script
    seldom, often, t = KeyMachine(keys, Timing()), KeyMachine(keys, Timing()), 0
    said_seldom, said_often = [], []
    for wait, key, down in edges:
        for tick in sorted(tick for tick in ticks if tick < wait):
            said_often += often.tick(t + tick)
        t += wait
        said_seldom += seldom.edge(t, key, down)
        said_often += often.edge(t, key, down)
    assert said_often == said_seldom


@given(scripts)
def test_whatever_is_pressed_the_machine_comes_to_rest(script):
    keys, edges = script
    machine, t = KeyMachine(keys, Timing()), 0
    for wait, key, down in edges:
        t += wait
        machine.edge(t, key, down)
    for key in keys:
        machine.edge(t, key, False)
    machine.tick(t + 60 * S)
    assert (machine.deadline(), machine.stuck_keys) == (None, ())


@given(scripts)
def test_new_game_always_follows_its_question(script):
    keys, edges = script
    machine, t, asked = KeyMachine(keys, Timing()), 0, False
    for wait, key, down in edges:
        t += wait
        for action in machine.edge(t, key, down):
            if isinstance(action, NewGame):
                assert asked
            if isinstance(action, AskNewGame | NewGame | CancelNewGame):
                asked = isinstance(action, AskNewGame)


# --- switching off ---


def hold_both(hand, ms, *, undo_for=4000, deal_for=3500):
    hand.edge(ms, "undo", True)
    hand.edge(ms + 200, "deal", True)
    ends = sorted([(ms + undo_for, "undo"), (ms + 200 + deal_for, "deal")])
    for at, key in ends:
        hand.edge(at, key, False)


def test_undo_and_deal_held_twice_together_switch_off_in_every_scheme(any_hand):
    hold_both(any_hand, 0)
    hold_both(any_hand, 6000)
    assert any_hand.wait(60_000) == [(200, Invite()), (3200, AskPowerOff()), (9200, PowerOff())]


def test_chord_that_is_not_held_shows_how_to_join_and_asks_nothing(any_hand):
    hold_both(any_hand, 0, deal_for=2900)
    hold_both(any_hand, 10_000, undo_for=3000)
    assert any_hand.wait(60_000) == [(200, Invite()), (10_200, Invite())]


@pytest.mark.parametrize("times", [{"deal_for": 2900}, {"undo_for": 3000}], ids=["deal", "undo"])
def test_second_hold_that_ends_too_early_leaves_the_machine_on(any_hand, times):
    hold_both(any_hand, 0)
    hold_both(any_hand, 6000, **times)
    said = any_hand.wait(60_000)
    assert said[:2] == [(200, Invite()), (3200, AskPowerOff())]
    assert [action for _, action in said[2:]] == [CancelPowerOff()]


def test_question_to_switch_off_goes_away_after_ten_seconds(any_hand):
    hold_both(any_hand, 0)
    assert any_hand.wait(60_000)[2:] == [(13_200, CancelPowerOff())]


def test_second_hold_that_began_in_time_counts(any_hand):
    hold_both(any_hand, 0)
    hold_both(any_hand, 12_900)
    assert any_hand.wait(60_000)[2:] == [(16_100, PowerOff())]


def test_undo_or_any_other_key_keeps_the_machine_on_and_does_nothing_else(any_hand):
    other = next(iter(any_hand.machine._keys))
    for ms, key in ((0, "undo"), (20_000, "deal"), (40_000, other)):
        hold_both(any_hand, ms)
        any_hand.press(ms + 6000, key)
        said = any_hand.wait(ms + 19_000)[-3:]
        assert [action for _, action in said] == [Invite(), AskPowerOff(), CancelPowerOff()]


def test_undo_held_alone_asks_for_a_new_game_and_does_not_switch_off(any_hand):
    hold_both(any_hand, 0)
    any_hand.press(6000, "undo", for_ms=3100)
    hold_both(any_hand, 10_000)
    said = [action for _, action in any_hand.wait(60_000)]
    assert said == [Invite(), AskPowerOff(), AskNewGame(), CancelNewGame()]


@given(scripts)
def test_switching_off_always_follows_its_question(script):
    keys, edges = script
    machine, t, asked = KeyMachine(keys, Timing()), 0, False
    for wait, key, down in edges:
        t += wait
        for action in machine.edge(t, key, down):
            if isinstance(action, PowerOff):
                assert asked
            if isinstance(action, AskPowerOff | PowerOff | CancelPowerOff | AskNewGame):
                asked = isinstance(action, AskPowerOff)


# --- no press lost, none counted twice ---


@st.composite
def hands(draw, keys):
    """Presses of all keys at once, each key's own never closer than a hand and its bounces can be: (key, at, until)."""
    made = []
    for key in sorted(keys):
        t = 0
        for wait, held in draw(st.lists(st.tuples(st.integers(60, 3000), st.integers(60, 2900)), max_size=6)):
            made.append((key, (t + wait) * MS, (t + wait + held) * MS))
            t += wait + held
    return made


@st.composite
def edge_streams(draw, keys):
    """Presses and their edges in order: each change of a contact bounces up to five times within 20 ms."""
    made = draw(hands(keys))
    edges = []
    for key, at, until in made:
        for t, level in ((at, True), (until, False)):
            bounces = sorted(draw(st.lists(st.integers(1, 20 * MS), max_size=5, unique=True)))
            levels = [level if n % 2 else not level for n in range(2 * len(bounces))]
            edges.append((t, key, level))
            edges += [(t + bounce + n % 2, key, levels[n]) for n, bounce in enumerate(sorted(bounces * 2))]
    return made, sorted(edges, key=lambda edge: edge[0])


def said_of(keys, edges):
    """All that the machine says, with the time, when all is over."""
    hand, said = KeyMachine(keys, Timing()), []
    for t, key, level in edges:
        said += hand.edge(t, key, level)
    return said + hand.tick(10**12)


LATE = 60 * MS
"""The thread that tells of edges may be held up for so long."""


@st.composite
def told(draw, keys):
    """Presses and their edges as (when it is told, when it was, key, level): a key's edges stay in order."""
    made, edges = draw(edge_streams(keys))
    delays = draw(st.lists(st.integers(0, LATE - 1), min_size=len(edges), max_size=len(edges)))
    news, newest = [], 0
    for (t, key, level), delay in zip(edges, delays, strict=True):
        newest = max(newest, t + delay)
        news.append((newest, t, key, level))
    return made, news


def said_when_told(keys, news):
    """All that the machine says, which is told the time at every deadline."""
    hand, said = KeyMachine(keys, Timing()), []
    for told_at, t, key, level in news:
        while (at := hand.deadline()) is not None and at < told_at:
            said += hand.tick(told_at)
        said += hand.edge(t, key, level)
    return said + hand.tick(10**12)


@given(told({name: means for name, means in SEVERAL.items() if name in {"a5", "b1"}}))
def test_edges_told_late_neither_lose_nor_double_a_press(stream):
    made, news = stream
    said = said_when_told(SEVERAL, news)
    for name, meant in (("a5", Dial(0, 5)), ("b1", Dial(1, 1))):
        assert said.count(meant) == sum(key == name for key, _, _ in made)


@given(told({"deal": DealKey()}))
def test_deals_told_late_neither_lose_nor_double_a_press(stream):
    made, news = stream
    assert said_when_told(SHARED, news) == [PassDeal()] * len(made)


def players(keys):
    return {name: means for name, means in keys.items() if name not in SHARED}


@given(edge_streams(players(SEVERAL)))
def test_several_keys_dial_each_press_once(stream):
    made, edges = stream
    said = said_of(SEVERAL, edges)
    for name, means in players(SEVERAL).items():
        assert said.count(Dial(means.lane, means.points)) == sum(key == name for key, _, _ in made)
    assert not [action for action in said if not isinstance(action, Dial | Peg)]


@given(edge_streams(players(SINGLE)))
def test_single_keys_add_each_press_once_short_or_as_often_as_it_was_long(stream):
    made, edges = stream
    said = said_of(SINGLE, edges)
    for name, means in players(SINGLE).items():
        held = [until - at for key, at, until in made if key == name]
        assert said.count(Dial(means.lane, 1)) == sum(time < 500 * MS for time in held)
        assert said.count(Dial(means.lane, 5)) == sum(min(time // (500 * MS), 5) for time in held)


@given(edge_streams({name: means for name, means in KEYPAD.items() if name in {"1", "4", "ea", "eb"}}))
def test_each_digit_and_each_enter_counts_once(stream):
    made, edges = stream
    said = said_of(KEYPAD, edges)
    digits = [action for action in said if isinstance(action, ShowTyped | RefuseDigit)]
    enters = [action for action in said if isinstance(action, Enter)]
    assert len(digits) == sum(key in "14" for key, _, _ in made)
    assert len(enters) == sum(key not in "14" for key, _, _ in made)


@given(edge_streams(players(SEVERAL)))
def test_every_dialled_amount_is_pegged_at_last(stream):
    _, edges = stream
    open_lane = None
    for action in said_of(SEVERAL, edges):
        open_lane = action.lane if isinstance(action, Dial) else None if action.lane == open_lane else open_lane
    assert open_lane is None


def test_key_is_not_stuck_before_it_is_held():
    with pytest.raises(DeviceError, match=r"keys.stuck_s is 5; it must be longer than the longest hold, 60 s"):
        Timing.from_settings(KeySettings(undo_hold_s=60.0, stuck_s=5.0))
