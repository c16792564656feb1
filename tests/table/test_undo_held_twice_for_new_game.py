"""UNDO held twice, from two inputs' own machines to the journal: what happens between is never lost, nor any press."""

import pytest

from pegboard.core.moves import Dealt
from pegboard.errors import NotStored
from pegboard.messages import Message
from tests.support.keys_at_a_table import Input


@pytest.fixture
def table(table):
    table.score(0, 3)
    return table


@pytest.fixture
def keys(table):
    return Input(table, "several")


@pytest.fixture
def keypad(table):
    return Input(table, "keypad")


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
    keys.press(8000, "undo", for_ms=3100)
    assert (table.view.id != game, table.fronts()) == (True, [0, 0]), "and it is answered by the next hold"


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


# --- presses after the question ---


@pytest.mark.parametrize("key", ["a5", "undo", "deal"])
def test_key_pressed_while_the_question_stands_only_takes_it_away(table, keys, key):
    before = table.view.game
    keys.press(0, "undo", for_ms=3100)
    keys.press(5000, key)
    keys.wait(20_000)
    assert (table.view.game, table.view.dialled, table.view.notice) == (before, (0, 0), None)


def test_key_pressed_after_a_phone_has_closed_the_question_is_dialled_and_pegged(table, keys):
    keys.press(0, "undo", for_ms=3100)
    table.score(1, 2)
    assert table.view.notice is None
    keys.press(5000, "a5")
    assert table.view.dialled == (5, 0)
    keys.wait(20_000)
    assert table.fronts() == [8, 2]


def test_deal_pressed_after_a_phone_has_closed_the_question_passes_the_deal(table, keys):
    keys.press(0, "undo", for_ms=3100)
    table.score(1, 2)
    keys.press(5000, "deal")
    assert table.view.game.entries[-1].event == Dealt()


def test_short_undo_after_a_phone_has_closed_the_question_takes_back(table, keys):
    keys.press(0, "undo", for_ms=3100)
    table.score(1, 2)
    keys.press(5000, "undo")
    assert table.fronts() == [3, 0]


def test_digit_typed_after_a_phone_has_closed_the_question_is_shown_and_entered(table, keypad):
    keypad.press(0, "KEY_KPDOT", for_ms=3100)
    table.score(1, 2)
    keypad.press(5000, "KEY_KP7")
    assert "7: press a player's ENTER" in table.view.notice
    keypad.press(6000, "KEY_KPENTER")
    assert table.fronts() == [10, 2]


def test_digit_typed_while_the_question_stands_is_not_entered_later(table, keypad):
    keypad.press(0, "KEY_KPDOT", for_ms=3100)
    keypad.press(5000, "KEY_KP7")
    keypad.press(6000, "KEY_KPENTER")
    assert (table.fronts(), table.view.notice) == ([3, 0], None)


def test_question_of_one_input_that_a_phone_has_closed_does_not_swallow_anothers_presses(table, keys, keypad):
    keypad.press(0, "KEY_KPDOT", for_ms=3100)
    table.score(1, 2)
    keys.press(5000, "a5")
    keypad.press(5500, "KEY_KP7")
    keypad.press(6000, "KEY_KPENTER")
    keys.wait(20_000)
    assert table.fronts() == [15, 2]


# --- no answer ---


def test_question_without_an_answer_goes_away_and_no_other_notice_does(table, keys):
    keys.press(0, "undo", for_ms=3100)
    table.board.keys.show_notice(Message("key_stuck_until", key="b1"))
    keys.wait(20_000)
    assert table.view.notice == "Key b1 is stuck and ignored until released"


def test_sentence_of_what_was_not_saved_outlives_the_question(table, keys, monkeypatch):
    def full(*_args, **_more):
        raise NotStored("NOT SAVED, so not scored: database or disk is full")

    keys.press(0, "undo", for_ms=3100)
    monkeypatch.setattr(table.journal, "append", full)
    with pytest.raises(NotStored):
        table.score(1, 2)
    keys.wait(20_000)
    assert "NOT SAVED" in table.view.notice
