"""The thread that makes backups: when one is due, what becomes of a failure, and that it holds up nobody."""

from dataclasses import replace

import pytest

from pegboard import Start, TakeBack
from pegboard.devices.health import Devices
from pegboard.feed import Feed
from pegboard.startup.backup_thread import QUIET_S, RETRY_S, BackupSchedule, BackupThread
from pegboard.storage.rescue.backups import list_backups
from pegboard.storage.schema import BACKUPS
from tests.support.program import Service
from tests.support.scoreboard_on_a_folder import Table, finish
from tests.support.waiting import soon


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path)


def next_game(table):
    table.ask(Start(table.view.game.rules, table.view.game.players))


# --- when ---


def test_a_finished_game_is_due_at_once(table):
    schedule = BackupSchedule(table.view, 0)
    for now_s in range(1, 5):
        table.score(0, 29)
        schedule.note(table.view, now_s)
        assert schedule.due_s == now_s + QUIET_S
    table.score(0, 29)
    schedule.note(table.view, 9)
    assert schedule.due_s == 9


def test_a_correction_of_it_is_due_after_a_quiet_minute(table):
    table.win()
    schedule = BackupSchedule(table.view, 0)
    schedule.due_s = float("inf")
    schedule.note(table.view, 3)
    assert schedule.due_s == float("inf"), "nothing has happened"
    table.rule(TakeBack())
    schedule.note(table.view, 5)
    assert schedule.due_s == 5 + QUIET_S
    schedule.note(replace(table.view, dialled=(3, 0)), 6)
    assert schedule.due_s == 5 + QUIET_S, "a dialled amount is no event"
    table.score(0, 29)
    schedule.note(table.view, 7)
    assert schedule.due_s == 7, "it is over again"


def test_the_next_game_does_not_put_off_what_is_due(table):
    schedule = BackupSchedule(table.view, 0)
    table.win()
    schedule.note(table.view, 1)
    next_game(table)
    schedule.note(table.view, 2)
    assert schedule.due_s == 1


# --- what becomes of it ---


def thread_of(table):
    return BackupThread(
        table.folder, table.view, Devices(lambda _: None), clock=lambda: 1000.0, wall=lambda: 1_796_000_000.0
    )


def test_one_that_is_not_due_is_not_made(table):
    thread = thread_of(table)
    table.score(0, 3)
    thread.back_up_if_due()
    assert not (table.folder / BACKUPS).exists()
    table.win()
    thread.back_up_if_due()
    thread.back_up_if_due()
    assert len(list_backups(table.folder)) == 1
    assert (thread.health().ok, str(thread.health().about)) == (True, "backups of the scores: 1")


def test_a_failure_is_told_and_tried_again(table):
    thread = thread_of(table)
    table.win()
    (table.folder / BACKUPS).write_text("a file")
    thread.back_up_if_due()
    assert (thread.health().ok, thread.health().errors) == (False, 1)
    assert thread.health().trouble == "the scores are not backed up"
    assert thread.health().about.key == "backup_failed"
    assert thread._schedule.due_s == 1000.0 + RETRY_S
    table.score(1, 0) if table.view.game.outcome is None else next_game(table)
    (table.folder / BACKUPS).unlink()
    thread.back_up_if_due()
    assert thread.health().ok


def test_it_wakes_by_the_feed_alone(table):
    feed, thread = Feed(), thread_of(table)
    thread.start(feed)
    finish(table)
    feed.publish(table.view)
    soon(lambda: list_backups(table.folder))
    thread.stop()
    assert not thread._thread.is_alive()


def win(client):
    for _ in range(5):
        status, answer = client.score(0, 29)
        assert status == 201, answer


def test_a_real_table_backs_up_a_finished_game(tmp_path):
    with Service(tmp_path) as service:
        win(service.client())
        (backup,) = soon(lambda: list_backups(tmp_path))
        service.stop()
    assert backup.is_intact()


def test_a_real_table_plays_on_where_it_cannot_and_says_so(tmp_path):
    (tmp_path / BACKUPS).write_text("a file in the place of the folder")
    with Service(tmp_path) as service:
        client = service.client()
        win(client)
        (told,) = soon(
            lambda: [one for one in client.ask("GET", "/api/v1/health")[1]["devices"] if one["name"] == "backup"]
        )
        assert not told["ok"]
        assert told["trouble"] == "the scores are not backed up"
        assert told["about_message"]["key"] == "backup_failed"
        assert told["trouble_message"]["key"] == "trouble_backup"
        assert client.state()["lanes"][0]["front"] == 121
