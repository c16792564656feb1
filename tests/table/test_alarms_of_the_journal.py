"""What the journal finds amiss is an alarm on every display; what lasts goes by itself."""

from unittest.mock import patch

import pytest

from pegboard import Score
from pegboard.errors import Moved
from pegboard.messages import Message
from tests.support import scoreboard_on_a_folder
from tests.support.scoreboard_on_a_folder import Table, refused
from tests.support.troubled_journal import FULL, TroubledJournal

LOST = Message("journal_lost_tail", count=3)


@pytest.fixture
def table(tmp_path):
    with patch.object(scoreboard_on_a_folder, "Journal", TroubledJournal):
        table = Table(tmp_path)
        yield table
        table.journal.close()


def said(table):
    return [str(alarm.message) for alarm in table.view.alarms]


def test_finding_is_an_alarm_that_the_next_score_leaves_and_a_restart_too(table):
    table.journal.news.append(LOST)
    table.board.look_after()
    assert said(table) == [LOST]
    table.score(0, 5)
    assert said(table) == [LOST]
    table.reopen()
    assert said(table) == [LOST]
    (alarm,) = table.view.alarms
    assert not table.board.dismiss_alarm("another")
    assert table.board.dismiss_alarm(alarm.id)
    assert said(table) == []


def test_what_was_found_at_the_start_is_an_alarm_from_the_first_view_on(tmp_path):
    class Found(TroubledJournal):
        def __init__(self, *args):
            super().__init__(*args)
            self.findings = [LOST]

    with patch.object(scoreboard_on_a_folder, "Journal", Found):
        table = Table(tmp_path)
    assert said(table) == [LOST]
    table.journal.close()


def test_nothing_is_published_while_nothing_is_found(table):
    views = []
    table.feed.follow(views.append)
    table.board.look_after()
    assert views == []


def test_fault_stands_until_scores_are_in_memory_and_that_until_they_are_written(table):
    table.journal.trouble = FULL
    table.board.look_after()
    assert said(table) == ["scores not saved; the disk is full"]
    assert all(alarm.lasts for alarm in table.view.alarms)
    assert not table.board.dismiss_alarm(table.view.alarms[0].id)
    assert table.board.play_in_memory()
    assert said(table) == ["scores are in memory only; if the power fails before the disk works again, they are lost"]
    table.score(0, 5)
    assert table.fronts() == [5, 0]
    table.journal.trouble, table.journal.is_in_memory = None, False
    table.journal.news.append(LOST)
    table.board.look_after()
    assert said(table) == [LOST]


def test_what_lasts_comes_before_what_has_happened_and_is_not_said_twice(table):
    table.journal.news += [LOST]
    table.journal.trouble = FULL
    table.board.look_after()
    table.board.play_in_memory()
    assert [alarm.lasts for alarm in table.view.alarms] == [True, False]


def test_nobody_plays_in_memory_while_scores_can_be_stored(table):
    assert not table.board.play_in_memory()
    assert said(table) == []


def test_command_for_another_journal_is_refused_though_its_base_is_right(table):
    table.score(0, 5)
    base = table.view.game.revisions[0]
    why = refused(table, Moved, lambda: table.score(0, 7, base=base, epoch="feedfacefeedface"))
    assert why == "scores were lost after this was sent; check the score and try again"
    table.score(0, 7, base=base, epoch=table.view.epoch)
    assert table.fronts() == [12, 0]


def test_tap_that_was_stored_in_another_journal_is_answered_and_not_done_again(table):
    given = {"id": "tap-of-another-journal", "base": 0, "epoch": table.view.epoch}
    first = table.ask(Score(5, 0), **given)
    again = table.ask(Score(5, 0), **given | {"epoch": "feedfacefeedface"})
    assert (first.replayed, again.replayed) == (False, True)
    assert table.fronts() == [5, 0]
