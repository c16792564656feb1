"""Reading a journal whose rows make no sense: a sentence names the damage, and no damage is made up."""

import pytest

from pegboard.errors import JournalError
from pegboard.storage.exporting import event_parts, game_parts
from pegboard.storage.games import History
from pegboard.storage.reader import read_snapshot
from pegboard.storage.statistics import StatisticsQuery
from tests.support.damage import change_row
from tests.support.scoreboard_on_a_folder import Table


@pytest.fixture
def folder(tmp_path):
    """The folder of a table at which a game was won."""
    table = Table(tmp_path / "table")
    table.win()
    table.journal.close()
    return table.folder


READS = {
    "games": lambda folder: History(folder).games(limit=9),
    "statistics": lambda folder: History(folder).statistics(StatisticsQuery()),
    "events": lambda folder: list(event_parts(folder)),
    "game rows": lambda folder: list(game_parts(folder)),
}


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
    ],
)
def test_rows_that_make_no_sense_are_damage_in_words(folder, statement, read):
    assert READS[read](folder)
    change_row(folder, statement)
    with pytest.raises(JournalError, match=r"the journal in .* is damaged"):
        READS[read](folder)


def test_a_mistake_of_ours_is_not_called_damage(folder):
    with pytest.raises(ZeroDivisionError), read_snapshot(folder):
        raise ZeroDivisionError
    with pytest.raises(ValueError, match="ours"), read_snapshot(folder):
        raise ValueError("ours")
