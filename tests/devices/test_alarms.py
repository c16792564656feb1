"""Alarms stand until a person dismisses them, through restarts, and never keep a table from starting."""

import json
import logging
import stat

import pytest

from pegboard.devices.alarms import FILE, MOST, MOST_DISMISSED, Alarms
from pegboard.messages import Message

LOST, OTHER = Message("journal_lost_tail", count=3), Message("journal_emptied", count=9)


def broken(event):
    """Each start finds it again."""
    return Message("journal_row_broken_in", event=event, game="game-1")


def said(alarms):
    return [alarm.message for alarm in alarms.standing]


def test_alarm_stands_through_restarts_until_it_is_dismissed(tmp_path):
    alarms = Alarms(tmp_path)
    assert alarms.standing == ()
    alarms.raise_alarm(LOST)
    (again,) = Alarms(tmp_path).standing
    assert (again.message, again.message.key, again.message.values) == (LOST, "journal_lost_tail", {"count": 3})
    later = Alarms(tmp_path)
    assert later.dismiss(again.id)
    assert not later.dismiss(again.id)
    assert Alarms(tmp_path).standing == ()


def test_newest_comes_first_and_the_same_stands_once(tmp_path):
    alarms = Alarms(tmp_path)
    other = Message("journal_lost_tail", count=1)
    for message in (LOST, other, LOST):
        alarms.raise_alarm(message)
    assert said(alarms) == [other, LOST]
    assert len({alarm.id for alarm in alarms.standing}) == 2


def test_what_stands_already_is_neither_written_nor_logged_again(tmp_path, caplog):
    alarms = Alarms(tmp_path)
    alarms.raise_alarm(LOST)
    (tmp_path / FILE).unlink()
    caplog.clear()
    alarms.raise_alarm(Message("journal_lost_tail", count=3))
    assert not (tmp_path / FILE).exists()
    assert caplog.text == ""


def test_there_are_never_more_than_a_page_can_show(tmp_path):
    alarms = Alarms(tmp_path)
    for count in range(MOST + 3):
        alarms.raise_alarm(Message("journal_lost_tail", count=count))
    assert said(alarms) == [Message("journal_lost_tail", count=count) for count in range(MOST + 2, 2, -1)]
    assert said(Alarms(tmp_path)) == said(alarms)


def test_what_has_cost_no_score_or_is_found_again_makes_room_first_and_the_oldest_of_it(tmp_path):
    alarms = Alarms(tmp_path)
    mended = Message("journal_index_rebuilt")
    for message in (LOST, broken(1), mended, *map(broken, range(2, MOST - 1))):
        alarms.raise_alarm(message)
    assert len(said(alarms)) == MOST
    alarms.raise_alarm(broken(8))
    assert LOST in said(alarms)
    assert broken(1) not in said(alarms)
    alarms.raise_alarm(OTHER)
    assert said(alarms) == [OTHER, broken(8), *map(broken, range(MOST - 2, 1, -1)), LOST]
    assert said(Alarms(tmp_path)) == said(alarms)


def test_lost_scores_are_pushed_out_by_lost_scores_alone(tmp_path):
    lost = [Message("journal_lost_tail", count=count) for count in range(1, MOST + 2)]
    alarms = Alarms(tmp_path)
    for message in lost[:MOST]:
        alarms.raise_alarm(message)
    for event in range(20):
        alarms.raise_alarm(broken(event))
    alarms.raise_alarm(Message("journal_index_rebuilt"))
    assert said(alarms) == lost[:MOST][::-1]
    alarms.raise_alarm(lost[MOST])
    assert said(alarms) == lost[1:][::-1]


def test_message_within_a_message_is_kept_and_its_file_is_its_owners(tmp_path):
    fault = Message("scores_not_stored", fault=Message("journal_lost_tail", count=2))
    Alarms(tmp_path).raise_alarm(fault)
    (alarm,) = Alarms(tmp_path).standing
    assert alarm.message.as_json() == fault.as_json()
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "nothing", "3", "[3]", "[null]", '["a"]', "[{}]", '{"id": 1}', "[" * 9_000, "\x00", '[{"id": "a"}]'),
        '[{"id": "a", "key": "journal_lost_tail", "values": {}, "text": "t"}]',
        '[{"id": "a", "key": "journal_lost_tail", "values": [], "text": "t"}]',
        '[{"id": "a", "key": ["x"], "values": {}, "text": "t"}]',
    ],
)
def test_of_a_file_that_cannot_be_read_it_is_said_that_alarms_are_lost(tmp_path, caplog, content):
    (tmp_path / FILE).write_text(content, "utf-8")
    with caplog.at_level(logging.WARNING):
        alarms = Alarms(tmp_path)
    (lost,) = alarms.standing
    assert lost.message.key == "alarm_others_lost"
    assert "cannot be read" in caplog.text
    alarms.raise_alarm(LOST)
    assert said(Alarms(tmp_path)) == [LOST, lost.message]


def test_alarm_of_another_version_is_said_in_its_own_words(tmp_path):
    kept = [{"id": "a", "key": "of_tomorrow", "values": {"n": 3}, "text": "three things went wrong"}]
    (tmp_path / FILE).write_text(json.dumps(kept), "utf-8")
    assert said(Alarms(tmp_path)) == ["three things went wrong"]


def test_where_the_disk_fails_it_is_kept_in_memory_and_logged(tmp_path, caplog):
    alarms = Alarms(tmp_path / "gone")
    with caplog.at_level(logging.WARNING):
        alarms.raise_alarm(LOST)
    assert said(alarms) == [LOST]
    assert "alarm: scores lost: 3" in caplog.text
    assert "kept only in memory" in caplog.text
    assert alarms.dismiss(alarms.standing[0].id)
    assert said(alarms) == []


def test_what_each_start_finds_again_is_not_raised_again_once_dismissed(tmp_path, caplog):
    alarms = Alarms(tmp_path)
    for message in (broken(2), LOST):
        alarms.raise_alarm(message)
    for alarm in alarms.standing:
        assert alarms.dismiss(alarm.id)
    later = Alarms(tmp_path)
    with caplog.at_level(logging.WARNING):
        for message in (broken(2), broken(3), LOST):
            later.raise_alarm(message)
    assert said(later) == [LOST, broken(3)]
    assert "journal entry 2" in caplog.text
    assert said(Alarms(tmp_path)) == [LOST, broken(3)]


def test_what_was_dismissed_takes_no_more_than_a_little_of_the_file(tmp_path):
    alarms = Alarms(tmp_path)
    for event in range(MOST_DISMISSED + 5):
        alarms.raise_alarm(broken(event))
        alarms.dismiss(alarms.standing[0].id)
    assert len(json.loads((tmp_path / FILE).read_text("utf-8"))) == MOST_DISMISSED
    again = Alarms(tmp_path)
    for event in (4, 5, MOST_DISMISSED + 4):
        again.raise_alarm(broken(event))
    assert said(again) == [broken(4)]
