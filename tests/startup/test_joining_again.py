"""A table that leaves its event and joins it again by the command: what it has not sent yet is sent then."""

import pytest

from pegboard.cli import join_command
from pegboard.mqtt.joined_event import read_joined, write_joined
from pegboard.mqtt.outbox import Outbox
from pegboard.startup.hub_connection import joined_event_of
from pegboard.storage.reader import read_snapshot
from pegboard.table import event_table
from pegboard.table.joining import JoinAnswer
from tests.support.scoreboard_on_a_folder import Table

PLACE = JoinAnswer("http://127.0.0.1:8090", "club-night", "Club", "t1", "1", "mqtt://127.0.0.1:1883", "p")


@pytest.fixture
def folder(tmp_path):
    """A table that has joined before its first game, which nobody has received."""
    write_joined(tmp_path, joined_event_of(PLACE, 0))
    table = Table(tmp_path)
    table.win(0)
    table.journal.close()
    return tmp_path


def count_waiting(folder):
    since = read_joined(folder).since
    with read_snapshot(folder) as journal:
        return Outbox(journal, since, journal.epochs_of_games(since)).count_waiting({})


def test_a_game_that_waits_goes_out_after_the_same_event_was_joined_again(folder, monkeypatch):
    monkeypatch.setattr(event_table, "hand_in", lambda *_: PLACE)
    before = count_waiting(folder)
    join_command._leave(folder)
    join_command._join(folder, f"{PLACE.hub}/t/482913")
    assert count_waiting(folder) == before > 0
