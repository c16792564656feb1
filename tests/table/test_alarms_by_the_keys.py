"""An alarm is dismissed by the keys alone: UNDO held, DEAL pressed, twice; the panel says how. From edges to pixels."""

import pytest

from hardware.oled.drawing import banner
from hardware.oled.drawing.draw import LAYOUTS, SIZES, Style, draw
from pegboard.core.view import Invitation
from pegboard.devices.alarms import HARMLESS
from pegboard.messages import MESSAGES, Message
from tests.support.keys_at_a_table import Input

LOST, OTHER = Message("journal_lost_tail", count=3), Message("journal_emptied", count=9)


@pytest.fixture
def table(table):
    table.score(0, 3)
    return table


def alarm(table, message=LOST):
    with table.board._table.lock:
        table.board._table.raise_alarm(message)
        table.board._table.publish()


def said(table):
    return [str(one.message) for one in table.view.alarms]


def test_the_chord_asks_and_again_dismisses_and_the_score_is_as_it_was(table, keys):
    alarm(table)
    keys.chord(0)
    assert table.view.notice == f"Seen? UNDO+DEAL again dismisses this alarm: {LOST}"
    assert said(table) == [LOST]
    keys.chord(5000)
    assert said(table) == []
    assert table.view.notice is None
    assert table.view.game.lanes[0].front == 3
    table.reopen()
    assert said(table) == []


def test_after_the_last_alarm_the_chord_shows_the_code_again(table, keys):
    alarm(table)
    for ms in (0, 2000, 4000):
        keys.chord(ms)
    assert table.view.notice == "Phones cannot join: no web page"


def test_the_newest_goes_first_and_each_is_asked_about(table, keys):
    alarm(table, OTHER)
    alarm(table)
    keys.chord(0)
    keys.chord(2000)
    assert said(table) == [OTHER]
    keys.chord(4000)
    assert said(table) == [OTHER]
    keys.chord(6000)
    assert said(table) == []


def test_an_alarm_that_comes_after_the_question_is_asked_about_itself(table, keys):
    alarm(table, OTHER)
    keys.chord(0)
    alarm(table)
    keys.chord(2000)
    assert said(table) == [LOST, OTHER]


def test_undo_says_no_and_takes_nothing_back(table, keys):
    alarm(table)
    keys.chord(0)
    keys.press(2000, keys.undo)
    keys.wait(3000)
    assert table.view.notice is None
    assert (said(table), table.view.game.lanes[0].front) == ([LOST], 3)
    keys.chord(4000)
    assert said(table) == [LOST], "it is asked anew"


def test_a_score_by_the_keys_says_no(table, keys):
    alarm(table)
    keys.chord(0)
    table.score(1, 2)
    keys.chord(6000)
    assert said(table) == [LOST]


def test_keys_held_to_switch_off_dismiss_nothing(table, keys):
    alarm(table)
    keys.hold_both(0)
    keys.hold_both(5000)
    assert said(table) == [LOST]


@pytest.fixture
def strict(seated):
    """A strict game at a table whose pages phones reach."""
    table = seated("standard", "strict=on")
    table.score(0, 3)
    table.board.set_join_address(Invitation("http://pegboard.local"))
    return table


def test_in_a_strict_game_a_director_dismisses_what_may_have_cost_scores(strict):
    alarm(strict)
    keys = Input(strict, "several")
    keys.chord(0)
    keys.chord(2000)
    assert strict.view.notice == "in a strict game, only a director can dismiss alarms"
    assert said(strict) == [LOST]


@pytest.mark.parametrize("key", sorted(HARMLESS))
def test_in_a_strict_game_the_keys_dismiss_what_cost_no_score_and_nothing_else(strict, key):
    mended = Message(key, **{name: 1 for name in ("count", "path", "fault") if f"{{{name}}}" in MESSAGES[key][0]})
    alarm(strict, mended)
    alarm(strict)
    keys = Input(strict, "several")
    keys.chord(0)
    assert strict.view.notice == f"Seen? UNDO+DEAL again dismisses this alarm: {mended}"
    keys.chord(2000)
    assert said(strict) == [LOST]
    keys.chord(4000)
    assert strict.view.notice == "in a strict game, only a director can dismiss alarms"


@pytest.mark.parametrize("reach", ["offline", "machine"])
def test_in_a_strict_game_whose_pages_nobody_reaches_the_keys_dismiss_every_alarm(seated, reach):
    table = seated("standard", "strict=on")
    table.board.set_join_address(Invitation("http://127.0.0.1", reach, is_reachable=False))
    alarm(table)
    assert table.view.alarms[0].director, "over the API it is a director's all the same"
    keys = Input(table, "several")
    keys.chord(0)
    keys.chord(2000)
    assert said(table) == []


@pytest.mark.parametrize("invitation", [None, *(Invitation("http://127.0.0.1", on) for on in ("offline", "machine"))])
def test_in_a_strict_game_the_keys_dismiss_nothing_while_somebody_may_reach_the_pages(seated, invitation):
    """Through a proxy, as a device that is paired, or while that is not known yet."""
    table = seated("standard", "strict=on")
    table.board.set_join_address(invitation)
    alarm(table)
    keys = Input(table, "several")
    keys.chord(0)
    keys.chord(2000)
    assert said(table) == [LOST]


def is_how_drawn(table, style, monkeypatch):
    shown = draw(table.view, style).tobytes()
    with monkeypatch.context() as without:
        without.setattr(banner, "HOW", "")
        banner.render_alarms.cache_clear()
        differs = shown != draw(table.view, style).tobytes()
    banner.render_alarms.cache_clear()
    return differs


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_panel_says_how_while_an_alarm_stands(table, size, layout, monkeypatch):
    alarm(table)
    assert is_how_drawn(table, Style(size, layout), monkeypatch)


def test_the_panel_says_how_in_a_strict_game_only_where_the_keys_may(strict, monkeypatch):
    style = Style(next(iter(SIZES.values())), next(iter(LAYOUTS)))
    alarm(strict)
    assert not is_how_drawn(strict, style, monkeypatch)
    alarm(strict, Message("journal_index_rebuilt"))
    assert is_how_drawn(strict, style, monkeypatch)
