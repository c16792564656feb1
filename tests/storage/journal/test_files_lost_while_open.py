"""The journal's files are removed, replaced or cut off while the table runs: no score goes into a file that is gone."""

import os
import shutil

import pytest

from pegboard import Rules
from pegboard.core.moves import Start
from pegboard.errors import NotStored
from pegboard.storage.games import History
from pegboard.storage.journal import journal_mark
from pegboard.storage.journal.disk_faults import FilesInPlace
from pegboard.storage.reader import check
from pegboard.storage.rescue.backups import back_up
from pegboard.storage.schema import FILE
from tests.support.damage import change_row, damage_index, damage_trigger
from tests.support.scoreboard_on_a_folder import Table

WAL = f"{FILE}-wal"


@pytest.fixture
def table(tmp_path):
    """A game of another match that is over, then one at 10 to 10."""
    table = Table(tmp_path / "table")
    table.win()
    table.ask(Start(Rules(), ("Cy", "Dee")))
    for score in range(4):
        table.score(score % 2, 5)
    return table


def remove_folder(folder):
    shutil.rmtree(folder)


def rename_folder(folder):
    folder.rename(folder.with_name("elsewhere"))


def replace_folder(folder):
    folder.rename(folder.with_name("elsewhere"))
    other = Table(folder)
    other.score(0, 1)
    other.journal.close()


def replace_by_copy(folder):
    shutil.copy(folder / FILE, folder / "copy")
    (folder / "copy").rename(folder / FILE)


def replace_by_garbage(folder):
    (folder / "other").write_bytes(b"garbage" * 5000)
    (folder / "other").rename(folder / FILE)


LOSSES = {
    "journal removed": lambda folder: (folder / FILE).unlink(),
    "log removed": lambda folder: (folder / WAL).unlink(),
    "both removed": lambda folder: [(folder / name).unlink() for name in (FILE, WAL)],
    "all removed": lambda folder: [path.unlink() for path in folder.iterdir()],
    "folder removed": remove_folder,
    "folder renamed": rename_folder,
    "folder replaced": replace_folder,
    "journal replaced by a copy": replace_by_copy,
    "journal replaced by garbage": replace_by_garbage,
    "journal cut off": lambda folder: os.truncate(folder / FILE, 0),
    "journal cut in half": lambda folder: os.truncate(folder / FILE, (folder / FILE).stat().st_size // 2),
    "log cut off": lambda folder: os.truncate(folder / WAL, 0),
    "log cut in half": lambda folder: os.truncate(folder / WAL, (folder / WAL).stat().st_size // 2),
}


@pytest.mark.sampled(least=6)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("checkpoint", [True, False], ids=["in the database", "in the log"])
def test_table_goes_on_with_the_running_game(table, loss, checkpoint):
    if checkpoint:
        table.journal.checkpoint()
    epoch, before = table.view.epoch, table.view
    LOSSES[loss](table.folder)
    table.board.look_after()
    said = [message.key for message in table.alarms]
    assert said[0].startswith("journal_file_")
    written = [message.values["count"] for message in table.alarms if message.key == "journal_written_anew"]
    assert 0 not in written
    assert len(written) + said.count("journal_goes_on") == 1
    assert table.view.epoch != epoch
    assert table.view.game.lanes == before.game.lanes
    assert (table.view.id, table.view.match) == (before.id, before.match)
    table.score(0, 2)
    again = table.reopen()
    assert (again.fronts(), again.view.id, again.alarms) == ([12, 10], before.id, [])
    table.journal.close()
    check(table.folder)


@pytest.mark.sampled(least=3)
@pytest.mark.parametrize("loss", LOSSES)
def test_no_score_is_acknowledged_into_a_file_that_is_gone(table, loss):
    LOSSES[loss](table.folder)
    with pytest.raises(NotStored, match="NOT SAVED"):
        table.score(0, 7)
    assert table.fronts() == [10, 10]
    table.board.look_after()
    assert (table.fronts(), table.journal.fault) == ([10, 10], None)
    table.score(0, 7)
    assert table.reopen().fronts() == [17, 10]


@pytest.mark.sampled(least=3)
@pytest.mark.parametrize("loss", LOSSES)
def test_commands_are_known_in_the_journal_that_is_written_anew(table, loss):
    base = table.view.game.revisions[0]
    more = {"id": "tap-sent-twice-000001", "base": base}
    assert not table.score(0, 3, **more).replayed
    LOSSES[loss](table.folder)
    table.board.look_after()
    assert table.score(0, 3, **more).replayed
    assert table.fronts() == [13, 10]


@pytest.mark.parametrize("loss", ["journal removed", "log removed", "folder removed", "journal replaced by garbage"])
def test_of_a_journal_that_is_open_still_every_game_is_saved(table, loss):
    LOSSES[loss](table.folder)
    table.board.look_after()
    assert len(History(table.folder).games(9)["games"]) == 2


def test_lost_mark_is_made_again_without_a_word(table):
    (table.folder / journal_mark.FILE).unlink()
    table.board.look_after()
    assert (table.folder / journal_mark.FILE).exists()
    assert table.alarms == []


def test_nothing_is_said_of_files_that_are_in_place(table):
    for _ in range(3):
        table.score(0, 1)
        table.board.look_after()
    assert table.alarms == []


def wait_for_check(table):
    if table.journal._check is not None:  # else it was done before the first look was over
        table.journal._check.wait()


def test_broken_row_of_an_older_game_is_said_while_the_table_runs(table):
    table.journal.close()
    change_row(table.folder, "UPDATE event SET at = at + 1 WHERE id = 2")
    table.open()
    assert table.alarms == []
    table.board.look_after()
    wait_for_check(table)
    table.board.look_after()
    (alarm,) = table.alarms
    assert (alarm.key, alarm.values["event"]) == ("journal_row_broken_in", 2)


def test_damaged_index_is_made_anew_while_the_table_runs(table):
    """It would hide scores of older games, and taps that are sent again."""
    table.journal.close()
    first = table.view.id
    damage_index(table.folder, "sqlite_autoindex_event_1", b"tap-")
    table.open()
    assert (table.view.id, table.alarms) == (first, [])
    table.board.look_after()
    wait_for_check(table)
    table.board.look_after()
    assert [alarm.key for alarm in table.alarms] == ["journal_index_rebuilt"]
    again = table.reopen()
    again.board.look_after()
    wait_for_check(again)
    again.board.look_after()
    assert again.alarms == []


@pytest.mark.parametrize(
    "statement",
    [
        'UPDATE game SET card = \'{"variant":"standard","players":["Cy","Dee"]}\' WHERE card IS NOT NULL',
        "UPDATE side SET front = 7",
        "DELETE FROM game WHERE over",
        "INSERT INTO summary_checksum VALUES (1)",
    ],
)
def test_what_another_program_writes_into_the_journal_is_said_and_not_shown(table, statement):
    before, games = table.fronts(), History(table.folder).games(limit=9)
    change_row(table.folder, statement)
    table.board.look_after()
    assert {"journal_changed_by_others", "journal_summary_rebuilt"} <= {alarm.key for alarm in table.alarms}
    assert (table.fronts(), History(table.folder).games(limit=9)) == (before, games)
    table.score(0, 1)
    assert table.reopen().fronts() == [before[0] + 1, before[1]]


def test_reading_backing_up_and_copying_the_log_is_no_change_by_another_program(table):
    check(table.folder)
    back_up(table.folder, 1_795_000_000)
    for _ in range(3):
        table.score(0, 1)
        table.board.look_after()
    assert table.alarms == []


def test_damage_that_a_commit_meets_is_said_and_the_journal_rescued(table):
    before = table.fronts()
    damage_trigger(table.folder, "game_update_summed", "NEW.card", "NEW.casd")
    with pytest.raises(NotStored):
        table.win()
    table.board.look_after()
    assert "journal_found_damaged" in [alarm.key for alarm in table.alarms]
    assert table.fronts()[1] == before[1]
    table.win()
    again = table.reopen()
    assert again.view.game.outcome is not None
    check(table.folder)


def test_row_of_the_running_game_that_breaks_later_is_quarantined_and_made_up_for(table, monkeypatch):
    monkeypatch.setattr(FilesInPlace, "foreign_write_fault", lambda _: None)  # the disk breaks it, and no program
    table.journal.close()
    table.open()
    change_row(table.folder, "UPDATE event SET at = at + 1 WHERE id = (SELECT max(id) - 1 FROM event)")
    table.board.look_after()
    wait_for_check(table)
    table.board.look_after()
    said = [message.key for message in table.alarms]
    assert said[0] == "journal_row_broken_in"
    assert list((table.folder / "quarantine").iterdir())
    assert table.fronts() == [10, 10]
    table.score(0, 2)
    again = table.reopen()
    assert (again.fronts(), again.alarms) == ([12, 10], [])
