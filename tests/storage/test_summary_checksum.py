"""The checksum of the summary tables after every kind of change, and damage that it shows."""

import contextlib
import random
import shutil
import sqlite3

import pytest

from pegboard import Rename, Start
from pegboard.storage.schema import FILE
from pegboard.storage.summary_checksum import SUMMARY_NAMES, is_intact, row_hash
from tests.support.damage import change_row
from tests.support.scoreboard_on_a_folder import Table, finish


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A folder with two finished games, one of them with a corrected name, and a third that goes on."""
    folder = tmp_path_factory.mktemp("played")
    table = Table(folder / "table")
    for _ in range(2):
        finish(table)
        table.ask(Start(table.view.game.rules, table.view.game.players))
    table.ask(Rename(0, "Ann", "Cy"))
    table.score(0, 5)
    table.journal.close()
    return folder / "table"


@pytest.fixture
def folder(played, tmp_path):
    return shutil.copytree(played, tmp_path / "copy")


def is_whole(folder):
    with contextlib.closing(sqlite3.connect(folder / FILE)) as db:
        return is_intact(db)


def test_what_the_program_writes_is_intact(folder):
    assert is_whole(folder)


@pytest.mark.parametrize("table", SUMMARY_NAMES)
def test_every_value_of_every_row_counts(folder, table):
    with contextlib.closing(sqlite3.connect(folder / FILE)) as db:
        columns = [column[1] for column in db.execute(f"PRAGMA table_info({table})")]
        rows = db.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
    assert rows >= 3
    for column in columns:
        changed = f"UPDATE OR REPLACE {table} SET {column} = 77 WHERE {column} IS (SELECT max({column}) FROM {table})"
        other = shutil.copytree(folder, folder.parent / column)
        change_row(other, changed)
        assert not is_whole(other), column


@pytest.mark.parametrize("table", SUMMARY_NAMES)
@pytest.mark.parametrize("change", ["DELETE FROM {0} WHERE {1} = (SELECT max({1}) FROM {0})", "DELETE FROM {0}"])
def test_rows_that_are_gone_show(folder, table, change):
    change_row(folder, change.format(table, "started" if table == "game" else "game"))
    assert not is_whole(folder)


def test_an_index_that_lacks_a_row_shows(folder):
    """A list that is read by it would leave that game out."""
    path = folder / FILE
    with contextlib.closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'game_place'").fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    data = bytearray(path.read_bytes())
    start = (page - 1) * size
    data[start + 4] -= 1  # how many cells the page has, of less than 256
    path.write_bytes(data)
    assert not is_whole(folder)


def test_the_hash_is_of_63_bits_and_spread():
    dice = random.Random(7)
    hashes = [row_hash("side", dice.random(), "Ann", None, n) for n in range(2000)]
    assert all(0 <= each < 1 << 63 for each in hashes)
    ones = [sum(each >> bit & 1 for each in hashes) for bit in range(63)]
    assert 800 < min(ones) <= max(ones) < 1200
