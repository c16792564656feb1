"""An alarm is dismissed by the keys alone: UNDO held, DEAL pressed, twice; the panel says how. From edges to pixels."""

import pytest

from hardware.oled.drawing import banner
from hardware.oled.drawing.draw import LAYOUTS, SIZES, Style, draw
from pegboard import Rules
from pegboard.core.match import Setup
from pegboard.messages import Message
from tests.pegboard.test_power_off import NAMES, Input
from tests.support.scoreboard_on_a_folder import PLAYERS, Table

LOST, OTHER = Message("journal_lost_tail", count=3), Message("journal_emptied", count=9)


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path / "state")
    table.score(0, 3)
    yield table
    table.journal.close()


@pytest.fixture(params=NAMES)
def keys(request, table):
    return Input(table, request.param)


def alarm(table, message=LOST):
    with table.board._table.lock:
        table.board._table.raise_alarm(message)
        table.board._table.publish()


def chord(keys, ms):
    keys.edge(ms, keys.undo, True)
    keys.edge(ms + 200, keys.deal, True)
    keys.edge(ms + 400, keys.deal, False)
    keys.edge(ms + 600, keys.undo, False)


def said(table):
    return [str(one.message) for one in table.view.alarms]


def test_the_chord_asks_and_again_dismisses_and_the_score_is_as_it_was(table, keys):
    alarm(table)
    chord(keys, 0)
    assert table.view.notice == f"Seen? UNDO with DEAL again takes this away: {LOST}"
    assert said(table) == [LOST]
    chord(keys, 5000)
    assert said(table) == []
    assert table.view.notice is None
    assert table.view.game.lanes[0].front == 3
    table.reopen()
    assert said(table) == []


def test_after_the_last_alarm_the_chord_shows_the_code_again(table, keys):
    alarm(table)
    for ms in (0, 2000, 4000):
        chord(keys, ms)
    assert table.view.notice == "There are no pages to join"


def test_the_newest_goes_first_and_each_is_asked_about(table, keys):
    alarm(table, OTHER)
    alarm(table)
    chord(keys, 0)
    chord(keys, 2000)
    assert said(table) == [OTHER]
    chord(keys, 4000)
    assert said(table) == [OTHER]
    chord(keys, 6000)
    assert said(table) == []


def test_an_alarm_that_comes_after_the_question_is_asked_about_itself(table, keys):
    alarm(table, OTHER)
    chord(keys, 0)
    alarm(table)
    chord(keys, 2000)
    assert said(table) == [LOST, OTHER]


def test_undo_says_no_and_takes_nothing_back(table, keys):
    alarm(table)
    chord(keys, 0)
    keys.press(2000, keys.undo)
    keys.wait(3000)
    assert table.view.notice is None
    assert (said(table), table.view.game.lanes[0].front) == ([LOST], 3)
    chord(keys, 4000)
    assert said(table) == [LOST], "it is asked anew"


def test_a_score_by_the_keys_says_no(table, keys):
    alarm(table)
    chord(keys, 0)
    table.score(1, 2)
    chord(keys, 6000)
    assert said(table) == [LOST]


def test_keys_held_to_switch_off_dismiss_nothing(table, keys):
    alarm(table)
    keys.hold_both(0)
    keys.hold_both(5000)
    assert said(table) == [LOST]


def test_in_a_strict_game_a_director_dismisses(tmp_path):
    table = Table(tmp_path / "strict", Setup(Rules(strict=True), PLAYERS))
    alarm(table)
    keys = Input(table, "several")
    chord(keys, 0)
    chord(keys, 2000)
    assert table.view.notice == "in a strict game a director dismisses alarms"
    assert said(table) == [LOST]
    table.journal.close()


@pytest.mark.parametrize("size", SIZES.values(), ids=SIZES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_panel_says_how_while_an_alarm_stands(table, size, layout, monkeypatch):
    style = Style(size, layout)
    alarm(table)
    shown = draw(table.view, style)
    monkeypatch.setattr(banner, "HOW", "")
    banner.render_alarms.cache_clear()
    without = draw(table.view, style)
    banner.render_alarms.cache_clear()
    assert shown.tobytes() != without.tobytes()
