"""UNDO and DEAL held twice together switch the machine off, from two inputs' own machines to the request."""

import pytest

from pegboard.devices.power_and_clock import REQUEST, PowerSwitch
from pegboard.errors import NotStored
from pegboard.install.host import INSTALLED
from tests.support.keys_at_a_table import Input
from tests.support.scoreboard_on_a_folder import Table


@pytest.fixture
def runtime(tmp_path):
    folder = tmp_path / "run"
    folder.mkdir()
    return folder


@pytest.fixture
def table(seated, runtime):
    table = seated(power=PowerSwitch(runtime))
    table.score(0, 3)
    return table


def test_keys_held_twice_write_the_request_and_every_display_says_when_the_plug_may_be_pulled(table, keys, runtime):
    keys.hold_both(0)
    assert table.view.notice == "Shut down? Hold UNDO and DEAL again; any other key cancels"
    assert not (runtime / REQUEST).exists()
    keys.hold_both(5000)
    assert table.view.notice == "Shutting down: unplug when the Pi's green light stays off"
    assert (runtime / REQUEST).exists()
    assert table.fronts() == [3, 0], "and nothing was scored, dealt or undone"


@pytest.mark.parametrize("answer", ["undo", "deal", "five", None])
def test_undo_another_key_or_no_answer_leaves_the_machine_on(table, keys, runtime, answer):
    keys.hold_both(0)
    if answer is not None:
        keys.press(5000, getattr(keys, answer))
    keys.wait(20_000)
    assert table.view.notice is None
    assert (table.fronts(), table.view.dialled) == ([3, 0], (0, 0)), "the key did nothing else"
    keys.hold_both(30_000)
    assert "Shut down?" in table.view.notice
    assert not (runtime / REQUEST).exists()


def test_phone_that_scores_meanwhile_is_not_lost_and_it_is_asked_again(table, keys, runtime):
    keys.hold_both(0)
    table.score(1, 12)
    keys.hold_both(5000)
    assert (table.fronts(), "Shut down?" in table.view.notice) == ([3, 12], True)
    assert not (runtime / REQUEST).exists()
    keys.hold_both(10_000)
    assert (runtime / REQUEST).exists()


def test_question_of_one_input_is_not_answered_by_another(table, runtime):
    one, other = Input(table, "several"), Input(table, "keypad")
    one.hold_both(0)
    other.hold_both(5000)
    assert "Shut down?" in table.view.notice
    assert not (runtime / REQUEST).exists()


def test_machine_that_pegboard_does_not_switch_off_says_so_however_often_it_is_asked(tmp_path):
    table = Table(tmp_path / "elsewhere")
    keys = Input(table, "several")
    for ms in (0, 5000):
        keys.hold_both(ms)
        assert table.view.notice == "pegboard does not shut down this machine; shut it down as usual"
    keys.wait(60_000)
    assert table.view.notice is not None, "a notice, not a question, so that it stays until the next command"
    table.journal.close()


def test_request_that_cannot_be_written_is_said(table, keys, runtime):
    runtime.rmdir()
    keys.hold_both(0)
    keys.hold_both(5000)
    assert table.view.notice == "The machine could not be shut down: No such file or directory"


def test_displays_say_it_before_it_is_asked_for(table, runtime):
    class Watching(PowerSwitch):
        def request(self):
            seen.append(table.view.notice.key)

    seen = []
    table.board.keys.power = Watching(runtime)
    table.board.keys.power_off_now()
    assert seen == ["power_switching"]


@pytest.mark.parametrize(
    ("environment", "installed", "is_there"),
    [
        ({"RUNTIME_DIRECTORY": "/run/pegboard"}, True, True),
        ({"RUNTIME_DIRECTORY": "/run/pegboard:/run/more"}, True, True),
        ({"RUNTIME_DIRECTORY": "/run/pegboard"}, False, False),
        ({"RUNTIME_DIRECTORY": ""}, True, False),
        ({}, True, False),
    ],
)
def test_only_the_installed_service_has_a_switch(environment, installed, is_there):
    switch = PowerSwitch.of_service(environment, installed=installed)
    assert switch.is_there == is_there
    if not is_there:
        with pytest.raises(NotStored, match="does not shut down this machine"):
            switch.request()


def test_request_lies_where_the_unit_of_root_looks_for_it(tmp_path):
    switch = PowerSwitch.of_service({"RUNTIME_DIRECTORY": f"{tmp_path}:/nowhere"}, installed=True)
    switch.request()
    switch.request()
    assert (tmp_path / "power-off").exists()
    assert str(INSTALLED.runtime / REQUEST) == "/run/pegboard/power-off"
