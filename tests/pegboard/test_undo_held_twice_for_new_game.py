"""UNDO held twice, from two inputs' own machines to the journal: what happens between is never lost."""

import pytest

from hardware.key_roles_and_actions import AddKey, DealKey, UndoKey
from hardware.keys.keypad import keypad_roles
from hardware.keys.machine import KeyMachine
from hardware.keys.thread import dispatch
from hardware.keys.timing import Timing
from pegboard.config import KeypadSettings
from tests.support.scoreboard_on_a_folder import Table

MS = 1_000_000
"""Nanoseconds in a millisecond."""


class Input:
    """The keys of one input at the table; times are in ms."""

    def __init__(self, table, keys):
        self.board, self.machine = table.board, KeyMachine(keys, Timing())

    def press(self, ms, key, for_ms=100):
        self.wait(ms)
        self._do(self.machine.edge(ms * MS, key, True))
        self.wait(ms + for_ms)
        self._do(self.machine.edge((ms + for_ms) * MS, key, False))

    def wait(self, ms):
        while (at := self.machine.deadline()) is not None and at <= ms * MS:
            self._do(self.machine.tick(at))

    def _do(self, actions):
        for action in actions:
            dispatch(self.board.keys, action)


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path)
    table.score(0, 3)
    yield table
    table.journal.close()


@pytest.fixture
def keys(table):
    return Input(table, {"a5": AddKey(0, 5), "undo": UndoKey(), "deal": DealKey()})


@pytest.fixture
def keypad(table):
    return Input(table, keypad_roles(KeypadSettings()))


def test_undo_held_twice_starts_a_new_game(table, keys):
    game = table.view.id
    keys.press(0, "undo", for_ms=3100)
    assert "New game?" in table.view.notice
    keys.press(4000, "undo", for_ms=3100)
    assert (table.view.id != game, table.fronts()) == (True, [0, 0])


def test_phone_that_scores_meanwhile_is_not_lost_and_it_is_asked_again(table, keys):
    game = table.view.id
    keys.press(0, "undo", for_ms=3100)
    table.score(1, 12)
    keys.press(4000, "undo", for_ms=3100)
    assert (table.view.id, table.fronts()) == (game, [3, 12])
    assert "New game?" in table.view.notice


def test_amount_entered_on_a_keypad_meanwhile_is_not_lost_and_it_is_asked_again(table, keys, keypad):
    game = table.view.id
    keys.press(0, "undo", for_ms=3100)
    keypad.press(3200, "KEY_KP7")
    keypad.press(3400, "KEY_KPENTER")
    keys.press(4000, "undo", for_ms=3100)
    assert (table.view.id, table.fronts()) == (game, [10, 0])
    assert "New game?" in table.view.notice


def test_amount_that_is_typed_is_no_bar_to_a_new_game(table, keypad):
    game = table.view.id
    keypad.press(0, "KEY_KP7")
    keypad.press(500, "KEY_KPDOT", for_ms=3100)
    keypad.press(4000, "KEY_KPDOT", for_ms=3100)
    assert (table.view.id != game, table.view.notice) == (True, None)
