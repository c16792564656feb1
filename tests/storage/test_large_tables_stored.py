"""Games of six, and of four each alone: stored, listed, exported, imported, and refused by name by older programs."""

import csv
import io
import json
import random

import pytest

from pegboard import Rules, Start
from pegboard.core import wire
from pegboard.core.board import Game
from pegboard.core.match import Setup
from pegboard.core.referee import decide
from pegboard.errors import BadImport, JournalError
from pegboard.storage import newer_journal, schema
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check, read_events
from pegboard.storage.rescue.backups import back_up
from pegboard.storage.statistics import StatisticsQuery
from pegboard.storage.transfer.exporting import event_lines, game_parts
from pegboard.storage.transfer.import_check import check_import
from pegboard.storage.transfer.import_parser import last_lines
from tests.support import dealing
from tests.support.player_names import SIX
from tests.support.scoreboard_on_a_folder import Table, survives

LARGE = ["cut-throat-four", "six-partners"]


def played(folder, variant):
    """A table with a whole dealt game of this variant."""
    rules = Rules.named(variant)
    table, dice = Table(folder, Setup(rules, SIX[: rules.seats])), random.Random(7)
    dealer = table.view.game.first_dealer
    for truth in dealing.game(dice, dealing.table_of(rules), dealer, [dealing.CAREFUL] * rules.seats):
        table.score(truth.seat, truth.points, truth.why)
    return table


@pytest.fixture(params=LARGE)
def table(request, tmp_path):
    table = played(tmp_path / "here", request.param)
    yield table
    table.journal.close()


def exported(folder):
    with read_events(folder) as rows:
        return [line.encode() for line in event_lines(rows)]


def imported(folder, lines):
    with Journal(folder) as journal:
        return journal.import_games(check_import(lines, last_lines(lines), journal.rows))


# --- stored, listed, exported and imported ---


def test_a_game_is_shown_again_after_a_restart(table):
    survives(table)
    assert check(table.folder) == len(table.view.game.entries) + 1


def test_a_game_is_imported_as_it_was_played(table, tmp_path):
    lines = exported(table.folder)
    assert imported(tmp_path / "there", lines).games == 1
    assert exported(tmp_path / "there") == lines
    rows = [json.loads(line) for line in lines]
    assert [row["v"] for row in rows] == [4] + [3] * (len(rows) - 1)


def test_an_import_for_more_seats_than_any_table_has_is_refused(table, tmp_path):
    lines = exported(table.folder)
    for seats, lanes in ((8, 4), (5, 5)):
        body = json.loads(lines[0])
        body["body"]["rules"] |= {"seats": seats, "lanes": lanes}
        body["body"]["players"] = [f"Player {seat}" for seat in range(1, seats + 1)]
        with pytest.raises(BadImport, match=f"{seats} seats do not fit {lanes} lanes"):
            imported(tmp_path / "there", [json.dumps(body).encode() + b"\n"])


def test_each_player_has_columns_in_the_table_of_games(table):
    game = table.view.game
    header, row = csv.reader(io.StringIO("".join(game_parts(table.folder)).lstrip("\ufeff")))
    cells = dict(zip(header, row, strict=True))
    for seat in range(6):
        lane = seat % game.rules.lanes
        there = seat < game.rules.seats
        expected = [SIX[seat], f"{game.lanes[lane].front}", f"{game.outcome.skunks[lane]}"] if there else [""] * 3
        assert [cells[f"{what} {seat + 1}"] for what in ("player", "score", "skunks")] == expected
    assert cells["winner"] == game.lane_name(game.outcome.winner)


def test_the_statistics_have_a_row_for_each_lane(table):
    game = table.view.game
    rows = table.board.history.statistics(StatisticsQuery())["players"]
    assert {tuple(row["names"]) for row in rows} == {
        tuple(sorted(game.lane_name(lane).split(" and "))) for lane in range(game.rules.lanes)
    }
    assert sum(row["won"] for row in rows) == 1
    assert sum(row["spread"] for row in rows) == 0


def test_the_next_game_of_the_match_is_dealt_by_the_last_of_the_losers(table):
    game = table.view.game
    last = min(lane.front for lane in game.lanes)
    table.board.keys.deal()
    assert game.lanes[game.rules.lane_of(table.view.game.dealer)].front == last
    assert sum(table.view.match.games_won) == 1
    survives(table)


def test_a_backup_is_a_whole_journal(table, tmp_path):
    back_up(table.folder, 1_795_000_000.0)
    path = next((table.folder / schema.BACKUPS).glob("*.db"))
    (tmp_path / "restored").mkdir()
    (tmp_path / "restored" / schema.FILE).write_bytes(path.read_bytes())
    assert exported(tmp_path / "restored") == exported(table.folder)


# --- programs up to 0.2.0, which have four seats and three lanes ---


@pytest.fixture
def older(monkeypatch):
    """The checks of such a program on opening a newer journal (`pegboard back`)."""
    monkeypatch.setattr(wire, "VERSION", 3)
    for module in (schema, newer_journal):
        monkeypatch.setattr(module, "SCHEMA_VERSION", 7)


def test_an_older_program_refuses_the_journal_by_name_and_leaves_it(table, older):
    table.journal.close()
    before = (table.folder / schema.FILE).read_bytes()
    with pytest.raises(JournalError, match=r"1 entries of kinds this version does not know \(started\)"):
        newer_journal.prepare_downgrade(table.folder, lambda: None)
    assert (table.folder / schema.FILE).read_bytes() == before


@pytest.mark.parametrize("variant", ["standard", "three-handed", "partners"])
def test_an_older_program_goes_on_with_all_other_games(tmp_path, variant, request):
    table = played(tmp_path, variant)
    table.journal.close()
    request.getfixturevalue("older")
    newer_journal.prepare_downgrade(tmp_path, lambda: None)


@pytest.mark.parametrize(
    ("variant", "version"), [("partners", 3), ("three-handed", 3), ("cut-throat-four", 4), ("six-partners", 4)]
)
def test_only_the_start_of_a_large_game_has_a_version_of_its_own(variant, version):
    rules = Rules.named(variant)
    started = decide(Game(), Start(rules, SIX[: rules.seats]))
    assert wire.version(started) == version
    assert wire.read_event(*wire.event_values(started), version) == started
