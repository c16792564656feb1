"""What the players mean by their presses: debounce, dialling, pegging, UNDO, DEAL, a new game, a stuck key."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.keys import AskNewGame, Cancel, Deal, Dial, KeyMachine, NewGame, Peg, Stuck, Timing, Undo
from hardware.wiring import Key

MS = 1_000_000
S = 1000 * MS
KEYS = (
    Key("a1", 4, 0, 1), Key("a2", 5, 0, 2), Key("a5", 6, 0, 5),
    Key("b1", 12, 1, 1), Key("b2", 13, 1, 2), Key("b5", 22, 1, 5),
    Key("undo", 26), Key("deal", 27),
)  # fmt: skip


class Hand:
    """Presses keys at given times in ms and keeps what the machine says, with its time."""

    def __init__(self):
        self.machine = KeyMachine(KEYS, Timing())
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
    return Hand()


def test_press_counts_at_its_leading_edge(hand):
    hand.edge(10, "a5", True)
    assert hand.said == [(10, Dial(0, 5))]


def test_twenty_thousand_bouncing_presses_are_all_counted_without_delay():
    dice, machine, t, counted, late = random.Random(121), KeyMachine(KEYS, Timing()), 0, 0, 0
    for _ in range(20_000):
        t += dice.randrange(60 * MS, 400 * MS)
        pressed = t
        for down in (True, False):
            at = t
            for level in [down, *[not down, down] * dice.randrange(8)]:
                actions = machine.edge(at, "a1", level)
                dials = [action for action in actions if isinstance(action, Dial)]
                counted += len(dials)
                late = max(late, at - pressed if dials else 0)
                at += dice.randrange(1, 1_500_000)  # at most 21 ms of bouncing
            t += dice.randrange(30 * MS, 300 * MS)
    assert (counted, late) == (20_000, 0)


def test_tap_shorter_than_the_lockout_is_let_go_when_the_lockout_ends(hand):
    hand.press(0, "undo", for_ms=10)
    assert hand.wait(1000) == [(25, Undo())]


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
    assert hand.wait(9000) == [(7, Deal())]


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
    assert hand.wait(20_000) == [(3000, AskNewGame()), (13_000, Cancel()), (16_100, AskNewGame())]


def test_one_hold_without_end_never_answers_its_own_question(hand):
    hand.edge(0, "undo", True)
    assert hand.wait(60_000) == [(3000, AskNewGame()), (13_000, Cancel()), (30_000, Stuck("undo"))]


@pytest.mark.parametrize("key", ["a5", "b1", "deal"])
def test_any_other_key_only_cancels_the_question(hand, key):
    hand.press(0, "undo", for_ms=3100)
    hand.press(5000, key, for_ms=2000)
    assert hand.wait(60_000) == [(3000, AskNewGame()), (5000, Cancel())]


def test_short_undo_only_cancels_the_question(hand):
    hand.press(0, "undo", for_ms=3100)
    hand.press(5000, "undo")
    assert hand.wait(60_000) == [(3000, AskNewGame()), (5100, Cancel())]


def test_other_key_during_the_second_hold_cancels_and_the_hold_is_spent(hand):
    hand.press(0, "undo", for_ms=3100)
    hand.edge(5000, "undo", True)
    hand.press(6000, "a1")
    hand.edge(9500, "undo", False)
    assert hand.wait(60_000) == [(3000, AskNewGame()), (6000, Cancel())]


def test_key_down_for_thirty_seconds_is_stuck_and_ignored_until_let_go(hand):
    hand.edge(0, "a1", True)
    hand.edge(40_000, "a1", False)
    hand.press(50_000, "a1")
    assert hand.wait(52_000) == [
        (0, Dial(0, 1)), (800, Peg(0)), (30_000, Stuck("a1")), (50_000, Dial(0, 1)), (51_300, Peg(0)),
    ]  # fmt: skip


def test_key_found_down_at_the_start_is_stuck_and_scores_nothing(hand):
    assert hand.machine.found_down("a1") == [Stuck("a1")]
    hand.edge(1000, "a1", False)
    hand.press(2000, "a1")
    assert hand.wait(2000) == [(2000, Dial(0, 1))]


def test_idle_machine_wants_no_wakeup(hand):
    assert hand.machine.deadline() is None
    hand.press(0, "b2")
    hand.wait(5000)
    assert hand.machine.deadline() is None


edges = st.lists(
    st.tuples(st.integers(0, 4 * S), st.sampled_from([key.name for key in KEYS]), st.booleans()), max_size=30
)


@given(edges, st.lists(st.integers(0, 2 * S), max_size=20))
def test_answer_does_not_depend_on_how_often_the_time_is_told(script, ticks):
    seldom, often, t = KeyMachine(KEYS, Timing()), KeyMachine(KEYS, Timing()), 0
    said_seldom, said_often = [], []
    for wait, key, down in script:
        for tick in sorted(tick for tick in ticks if tick < wait):
            said_often += often.tick(t + tick)
        t += wait
        said_seldom += seldom.edge(t, key, down)
        said_often += often.edge(t, key, down)
    assert said_often == said_seldom


@given(edges)
def test_whatever_is_pressed_the_machine_comes_to_rest(script):
    machine, t = KeyMachine(KEYS, Timing()), 0
    for wait, key, down in script:
        t += wait
        machine.edge(t, key, down)
    for key in KEYS:
        machine.edge(t, key.name, False)
    machine.tick(t + 60 * S)
    assert machine.deadline() is None


@given(edges)
def test_new_game_always_follows_its_question(script):
    machine, t, asked = KeyMachine(KEYS, Timing()), 0, False
    for wait, key, down in script:
        t += wait
        for action in machine.edge(t, key, down):
            if isinstance(action, NewGame):
                assert asked
            if isinstance(action, AskNewGame | NewGame | Cancel):
                asked = isinstance(action, AskNewGame)
