"""A game with rows of two epochs: at home and where it is imported it is one game of one match."""

import pytest

from pegboard import Rules
from pegboard.core.match import Setup
from pegboard.core.moves import Rename
from pegboard.core.names import original_journal
from pegboard.storage.event_row import another_epoch
from pegboard.storage.games import History
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import read_events
from pegboard.storage.schema import FILE
from pegboard.storage.statistics import StatisticsQuery
from pegboard.storage.transfer.import_check import check_import
from pegboard.storage.transfer.import_parser import game_and_match, last_lines
from tests.support.damage import copy_as_if_killed, flip_bit, lose_rest_of_log
from tests.support.scoreboard_on_a_folder import Table

SHORT = Setup(Rules.named("short"), ("Ann", "Bbo"))


@pytest.fixture
def table(tmp_path):
    """Two games of a match and a third; in the second the log lost a line, and later a name is corrected."""
    table = Table(tmp_path / "before", SHORT)
    table.win()
    table.board.keys.deal()
    for points in (5, 6, 7, 8):
        table.score(0, points)
    folder = copy_as_if_killed(table.folder, tmp_path / "after")
    table.journal.close()
    flip_bit(folder / f"{FILE}-wal", (folder / f"{FILE}-wal").stat().st_size - 3000)
    lose_rest_of_log(folder)
    after = Table(folder, SHORT)
    after.taps = (f"later-tap-{n:016}" for n in range(100))
    assert [message.key for message in after.alarms] == ["journal_rows_missing", "journal_salvaged_in_part"]
    after.win()
    after.board.keys.deal()
    after.ask(Rename(1, "Bbo", "Bob"))
    after.score(0, 3)
    return after


def export(folder):
    with read_events(folder) as rows:
        return [row.export_line.encode() + b"\n" for row in rows]


def test_renewed_epoch_is_of_the_same_journal(table):
    epochs = {row.epoch for row in table.journal.rows()}
    assert len(epochs) == 2
    assert len({original_journal(epoch) for epoch in epochs}) == 1
    assert not any(row.is_imported for row in table.journal.rows())
    again = another_epoch(another_epoch("9f2c61d0a47be835"))
    assert (len(again), original_journal(again)) == (26, "9f2c61d0a47be835")


def test_import_has_the_match_as_at_home(table, tmp_path):
    lines = export(table.folder)
    assert len({match for _, match in (game_and_match(1, line) for line in lines) if match}) == 1
    with Journal(tmp_path / "there") as there:
        assert there.import_games(check_import(lines, last_lines(lines), there.rows)).games == 3
        ours, theirs = History(table.folder), History(tmp_path / "there")
        query = StatisticsQuery()
        assert theirs.statistics(query)["players"] == ours.statistics(query)["players"]
        names = {card["id"]: card["players"] for card in ours.games(9)["games"]}
        assert set(map(tuple, names.values())) == {("Ann", "Bob")}
        assert {card["id"]: card["players"] for card in theirs.games(9)["games"]} == names
        assert export(tmp_path / "there") == lines
