"""Reading a journal whose rows make no sense: a sentence names the damage, and no damage is made up."""

import contextlib
import sqlite3

import pytest

from pegboard.errors import JournalError
from pegboard.storage.games import History
from pegboard.storage.reader import read_snapshot
from pegboard.storage.schema import FILE
from pegboard.storage.statistics import StatisticsQuery
from pegboard.storage.transfer.exporting import event_parts, game_parts, sheet_text
from tests.support.damage import change_row
from tests.support.scoreboard_on_a_folder import Table


@pytest.fixture
def folder(tmp_path):
    """The folder of a table at which a game was won."""
    table = Table(tmp_path / "table")
    table.win()
    table.journal.close()
    return table.folder


def of_newest_game(read):
    """Reads the newest game of a folder by `read`, which takes its history and its id."""

    def read_newest(folder):
        history = History(folder)
        return read(history, history.games(limit=1)["games"][0]["id"])

    return read_newest


READS = {
    "game": of_newest_game(lambda history, game: history.game(game)),
    "sheet": of_newest_game(lambda history, game: history.render_sheet(game, sheet_text)),
    "games": lambda folder: History(folder).games(limit=9),
    "statistics": lambda folder: History(folder).statistics(StatisticsQuery()),
    "events": lambda folder: list(event_parts(folder)),
    "game rows": lambda folder: list(game_parts(folder)),
}


TOO_MANY_POINTS = "UPDATE event SET body = replace(body, '\"points\":', '\"points\":9') WHERE id = 2"


@pytest.mark.parametrize(
    ("statement", "read"),
    [
        ("UPDATE game SET card = '{\"variant\":'", "games"),
        ("UPDATE game SET card = '7'", "games"),
        ("UPDATE game SET card = 'x'", "game rows"),
        ("INSERT INTO about SELECT * FROM about", "statistics"),
        ("UPDATE event SET epoch = x'00'", "events"),
        ("UPDATE event SET at = 'None'", "games"),
        ("DELETE FROM event", "game rows"),
        (TOO_MANY_POINTS, "game"),
        (TOO_MANY_POINTS, "sheet"),
    ],
)
def test_rows_that_make_no_sense_are_damage_in_words(folder, statement, read):
    assert READS[read](folder)
    change_row(folder, statement)
    with pytest.raises(JournalError, match=r"the journal in .* is damaged"):
        READS[read](folder)


@pytest.mark.parametrize("read", READS)
def test_damage_that_sqlite_names_by_letters_that_are_no_text_is_damage_in_words(folder, read):
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        db.execute("PRAGMA writable_schema = ON")
        db.execute("UPDATE sqlite_master SET name = CAST(x'67e7' AS TEXT), sql = 'CREATE' WHERE name = 'game'")
    with pytest.raises(JournalError, match=r"journal\.db cannot be read"):
        READS[read](folder)


def test_a_mistake_of_ours_is_not_called_damage(folder):
    with pytest.raises(ZeroDivisionError), read_snapshot(folder):
        raise ZeroDivisionError
    with pytest.raises(ValueError, match="ours"), read_snapshot(folder):
        raise ValueError("ours")
