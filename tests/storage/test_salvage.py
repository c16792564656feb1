"""Salvage: of a damaged journal every game is as it was at some moment, or named as incomplete; nothing is made up."""

import contextlib
import itertools
import json
import random
import shutil
import sqlite3
from collections import Counter

import pytest

from pegboard import Rules, Start, TakeBack
from pegboard.core.moves import Amend, Rename, Scored, Started
from pegboard.storage.event_row import TABLE_COLUMNS, chain_hash
from pegboard.storage.games import History
from pegboard.storage.journal.disk_faults import FilesInPlace
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check
from pegboard.storage.rescue import page_scan
from pegboard.storage.rescue import salvage as salvaging
from pegboard.storage.rescue.backups import back_up, digest_of, list_backups
from pegboard.storage.rescue.quarantine import OUTCOME, find_unsalvaged, quarantine
from pegboard.storage.rescue.salvage import INCOMPLETE, salvage
from pegboard.storage.schema import FILE, rebuild_summary, transaction
from tests.support.long_runs import some_of
from tests.support.power_cut import cut_after
from tests.support.scoreboard_on_a_folder import Table

FILES = (FILE, f"{FILE}-wal")

PAGE = 4096

SUMMARY = {
    "game": "id, match, format, place, variant, abandoned, result, imported, over, card",
    "seat": "*",
    "side": "*",
}
"""What lists and statistics read; the other columns tell when a row was last brought up to date."""


def rows_of(path):
    """By game and number within it, what was written: everything but its number in the journal and its link."""
    with contextlib.closing(sqlite3.connect(path)) as db:
        found = db.execute(f"SELECT {TABLE_COLUMNS} FROM event ORDER BY id").fetchall()
    return {(row[2], row[3]): (row[1], *row[4:11]) for row in found}


def summary_of(db):
    return {table: sorted(db.execute(f"SELECT {columns} FROM {table}"), key=str) for table, columns in SUMMARY.items()}


def incomplete_in(path):
    with contextlib.closing(sqlite3.connect(path)) as db:
        return dict(db.execute(f"SELECT * FROM {INCOMPLETE}"))


@pytest.fixture(scope="module")
def evening(tmp_path_factory):
    """A table that has played some games and lies as a kill leaves it: the newest events in the log alone.

    Its folder `whole` has a backup of the middle of the evening, `bare` none; `truth` is every row.
    """
    folder = tmp_path_factory.mktemp("evening")
    (folder / "table").mkdir()
    table = Table(folder / "table")
    dice = random.Random(7)
    for game in range(14):
        if game:
            running = table.view.game.outcome is None
            table.ask(Start(table.view.game.rules, ("Ann", "Bob")), replaces=table.view.id if running else None)
        while table.view.game.outcome is None and not (game % 5 == 4 and dice.random() < 0.1):
            table.now += 20_000_000_000
            points = dice.randrange(1, 13)
            table.score(dice.randrange(2), points)
            if dice.random() < 0.1 and table.view.game.outcome is None:
                table.rule(Amend(len(table.view.game.entries), was=points, points=points + 1))
            if dice.random() < 0.1:
                table.ask(TakeBack())
        if game % 6 == 2:
            table.ask(Rename(0, table.view.game.players[0], f"Cy {game}"))
        if game == 8:
            back_up(table.folder, 1_795_000_000)
            table.journal._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            table.journal._files = FilesInPlace(table.folder / FILE, table.journal._db)  # that was no cut
    for name in ("whole", "bare"):
        shutil.copytree(table.folder, folder / name)
    shutil.rmtree(folder / "bare" / "backups")
    truth = rows_of(table.folder / FILE)
    table.journal.close()
    assert (folder / "whole" / FILES[1]).stat().st_size > 20 * PAGE
    return folder, truth


def flip_bits(dice, data):
    for _ in range(dice.choice((1, 1, 3, 30))):
        data[dice.randrange(len(data))] ^= 1 << dice.randrange(8)


def zero_pages(dice, data):
    for _ in range(dice.choice((1, 2, 8))):
        start = dice.randrange(0, len(data), PAGE)
        data[start : start + PAGE] = bytes(len(data[start : start + PAGE]))


def overwrite_pages(dice, data):
    for _ in range(dice.choice((1, 3))):
        start = dice.randrange(0, len(data), PAGE)
        data[start : start + PAGE] = dice.randbytes(len(data[start : start + PAGE]))


def swap_pages(dice, data):
    one, other = (dice.randrange(0, len(data) - PAGE, PAGE) for _ in range(2))
    data[one : one + PAGE], data[other : other + PAGE] = data[other : other + PAGE], data[one : one + PAGE]


def cut_off(dice, data):
    del data[dice.randrange(len(data)) :]


def empty(_dice, data):
    data.clear()


DAMAGES = (flip_bits, flip_bits, zero_pages, overwrite_pages, swap_pages, cut_off, empty)


def damage(dice, folder):
    """Damage one file or both, or remove the log; what was done."""
    if dice.random() < 0.1:
        (folder / FILES[1]).unlink()
        return "log removed"
    done = []
    for name in dice.choice(([FILES[0]], [FILES[0]], [FILES[1]], FILES)):
        act, data = dice.choice(DAMAGES), bytearray((folder / name).read_bytes())
        act(dice, data)
        (folder / name).write_bytes(data)
        done.append(f"{act.__name__} {name}")
    return ", ".join(done)


def salvage_in(folder):
    return salvage(folder, quarantine(folder), lambda: None)


def assert_true(folder, truth, found):
    """Every game is a beginning of what was played, and one that is no whole is named, as far as the files can tell."""
    kept, incomplete = rows_of(folder / FILE), incomplete_in(folder / FILE)
    assert kept.items() <= truth.items()
    counts, played = Counter(game for game, _ in kept), Counter(game for game, _ in truth)
    assert all((game, seq) in kept for game, count in counts.items() for seq in range(1, count + 1))
    assert len(kept) == found.events == check(folder)
    assert all(counts[game] == number for game, number in incomplete.items())
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        before = summary_of(db)
        with transaction(db):
            rebuild_summary(db, lambda: None)
        assert summary_of(db) == before
    return {game for game, count in counts.items() if count < played[game]} - incomplete.keys()


@pytest.mark.sampled
@pytest.mark.parametrize("start", ["whole", "bare"])
@pytest.mark.parametrize("part", range(5))
def test_nothing_is_made_up_whatever_is_damaged(evening, tmp_path, start, part):
    """Three hundred random damages in `make test-long`, against every row that was written."""
    source, truth = evening
    newest = list(truth)[-1][0]
    for n in range(some_of(30)):
        dice, folder = random.Random(f"{part} {n}"), tmp_path / str(n)
        shutil.copytree(source / start, folder)
        what = damage(dice, folder)
        found = salvage_in(folder)
        unsaid = assert_true(folder, truth, found)
        if found.lost is not None and "log" not in what and FILES[1] not in what:
            assert len(truth) - found.events == found.lost, what
            assert not unsaid - {newest}, what
        assert found.lost is None or "log removed" not in what
        assert found.lost is None or f"empty {FILES[1]}" not in what
        with Journal(folder) as journal:
            assert journal.last_id == found.events
        assert (start == "whole") or found.backup is None


def test_an_undamaged_journal_comes_back_whole_under_a_new_epoch(evening, tmp_path):
    source, truth = evening
    shutil.copytree(source / "whole", tmp_path / "table")
    with contextlib.closing(sqlite3.connect(tmp_path / "table" / FILE)) as db:
        chains, epoch = db.execute("SELECT id, chain FROM event").fetchall(), db.execute("SELECT epoch FROM about")
        epoch = epoch.fetchone()[0]
    found = salvage_in(tmp_path / "table")
    assert (found.events, found.lost, found.backup) == (len(truth), 0, None)
    assert rows_of(tmp_path / "table" / FILE) == truth
    with contextlib.closing(sqlite3.connect(tmp_path / "table" / FILE)) as db:
        assert db.execute("SELECT id, chain FROM event").fetchall() == chains
    with Journal(tmp_path / "table") as journal:
        assert journal.epoch != epoch
        assert {row.epoch for row in journal.rows()} == {epoch}


def test_a_flipped_bit_in_the_log_costs_no_score(evening, tmp_path):
    """SQLite drops silently every commit from there on; all but the flipped row are still readable and proven."""
    source, truth = evening
    shutil.copytree(source / "bare", tmp_path / "table")
    log = tmp_path / "table" / FILES[1]
    data = bytearray(log.read_bytes())
    data[32 + 16] ^= 1  # the checksum of its first frame
    log.write_bytes(data)
    with contextlib.closing(sqlite3.connect(f"file:{tmp_path}/table/{FILE}?mode=ro", uri=True)) as db:
        assert db.execute("SELECT count(*) FROM event").fetchone()[0] < len(truth), "SQLite shows an older board"
    assert salvage_in(tmp_path / "table").events == len(truth)


def tamper(folder, statement):
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        for trigger in ("event_stays", "event_is_kept"):
            db.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        db.execute(statement)


def test_a_changed_score_is_cut_off_with_what_stands_on_it(evening, tmp_path):
    source, truth = evening
    folder = shutil.copytree(source / "bare", tmp_path / "table")
    game = list(dict.fromkeys(game for game, _ in truth))[3]
    tamper(folder, f"UPDATE event SET body = replace(body, 'points', 'point') WHERE game = '{game}' AND seq = 5")
    found = salvage_in(folder)
    played = sum(1 for name, _ in truth if name == game)
    assert incomplete_in(folder / FILE) == {game: 4}
    assert [card["id"] for card in History(folder).games(100)["games"] if card["incomplete"]] == [game]
    assert (found.lost, found.events) == (played - 4, len(truth) - played + 4)
    assert json.loads((find_room(folder) / OUTCOME).read_text())["incomplete"] == {game: 4}


def test_a_damaged_link_alone_costs_nothing(evening, tmp_path):
    source, truth = evening
    folder = shutil.copytree(source / "bare", tmp_path / "table")
    tamper(folder, "UPDATE event SET chain = 'f' || substr(chain, 2) WHERE id = 9 AND chain NOT LIKE 'f%'")
    assert salvage_in(folder).events == len(truth)
    assert rows_of(folder / FILE) == truth


def test_rows_that_are_gone_come_from_the_backup(evening, tmp_path):
    source, truth = evening
    folder = shutil.copytree(source / "whole", tmp_path / "table")
    backup = list_backups(folder)[0].path
    tamper(folder, "DELETE FROM event WHERE id BETWEEN 3 AND 40")
    found = salvage_in(folder)
    assert (found.lost, found.backup) == (0, backup)
    assert rows_of(folder / FILE) == truth


def test_a_journal_that_is_gone_is_the_newest_good_backup(evening, tmp_path):
    source, _ = evening
    folder = shutil.copytree(source / "whole", tmp_path / "table")
    good = list_backups(folder)[0].path
    bad = shutil.copy(good, good.with_name(good.name.replace("000001", "000002")))
    bad.write_bytes(good.read_bytes()[:-1] + b"x")
    for name in FILES:
        (folder / name).write_bytes(b"")
    found = salvage_in(folder)
    assert (found.backup, found.lost) == (good, None)
    assert rows_of(folder / FILE) == rows_of(good)


@pytest.mark.parametrize(
    "statement",
    [
        "PRAGMA user_version = 0",
        "CREATE TRIGGER no_more BEFORE INSERT ON event BEGIN SELECT RAISE(ABORT, 'no more'); END",
    ],
)
def test_a_backup_of_no_use_hides_no_row_of_the_journal(evening, tmp_path, statement):
    source, truth = evening
    folder = shutil.copytree(source / "whole", tmp_path / "table")
    backup = list_backups(folder)[0]
    for other in list_backups(folder)[1:]:
        other.path.unlink()
    with contextlib.closing(sqlite3.connect(backup.path, isolation_level=None)) as db:
        db.execute(statement)
    backup.path.rename(backup.path.with_name(backup.path.name.replace(backup.digest, digest_of(backup.path))))
    assert list_backups(folder)[0].is_intact()
    found = salvage_in(folder)
    assert (found.backup, found.events, found.lost) == (None, len(truth), 0)
    assert rows_of(folder / FILE) == truth


def test_the_backup_of_another_journal_is_not_mixed_in(evening, tmp_path):
    source, truth = evening
    folder = shutil.copytree(source / "bare", tmp_path / "table")
    (tmp_path / "other").mkdir()
    other = Table(tmp_path / "other")
    other.win()
    other.journal.close()
    back_up(tmp_path / "other", 1_795_000_000)
    shutil.copytree(tmp_path / "other" / "backups", folder / "backups")
    tamper(folder, "DELETE FROM event WHERE id BETWEEN 1 AND 40")
    found = salvage_in(folder)
    assert found.backup is None
    assert rows_of(folder / FILE).items() <= truth.items()


def test_a_restored_past_is_not_mixed_with_what_was_played_before(evening, tmp_path):
    """Rows that were played on after an older copy was put back have the numbers of others, and another epoch."""
    source, _ = evening
    folder = shutil.copytree(source / "whole", tmp_path / "table")
    for name in FILES:
        (folder / name).unlink()
    shutil.copy(list_backups(folder)[0].path, folder / FILE)
    tamper(folder, "UPDATE about SET epoch = 'anew'")
    table = Table(folder)
    table.taps = (f"later-{n:016}" for n in itertools.count(1))
    table.ask(Start(table.view.game.rules, ("Ann", "Bob")), replaces=None)
    table.win()
    table.journal.close()
    truth = rows_of(folder / FILE)
    later = shutil.copy(source / "bare" / FILE, tmp_path / "later.db")
    shutil.copy(source / "bare" / FILES[1], tmp_path / "later.db-wal")
    (tmp_path / "before").mkdir()
    shutil.copy(later, tmp_path / "before" / FILE)
    shutil.copy(tmp_path / "later.db-wal", tmp_path / "before" / FILES[1])
    back_up(tmp_path / "before", 1_795_000_000)
    newest = list_backups(tmp_path / "before")[0].path
    shutil.copy(newest, folder / "backups" / newest.name.replace("000001", "000009"))
    tamper(folder, "DELETE FROM event WHERE id BETWEEN 30 AND 50")
    assert salvage_in(folder).backup.name.startswith("000001")
    assert rows_of(folder / FILE) == truth


def test_ids_of_commands_are_known_again(evening, tmp_path):
    source, truth = evening
    folder = shutil.copytree(source / "bare", tmp_path / "table")
    salvage_in(folder)
    with Journal(folder) as journal:
        assert all(journal.find(row[5]) for row in truth.values() if row[5])


def test_an_event_that_this_version_does_not_know_ends_its_game(tmp_path):
    table = Table(tmp_path)
    table.score(0, 3)
    table.score(1, 4)
    table.journal.close()
    tamper(tmp_path, "UPDATE event SET kind = 'tournament_joined' WHERE id = 3")
    forge_links(tmp_path)
    found = salvage_in(tmp_path)
    assert (found.events, found.lost, list(incomplete_in(tmp_path / FILE).values())) == (2, 1, [2])


def test_an_event_that_cannot_be_replayed_ends_its_game(tmp_path):
    table = Table(tmp_path)
    table.score(0, 3)
    table.score(1, 4)
    table.journal.close()
    tamper(tmp_path, "UPDATE event SET body = '{\"seat\": 7}' WHERE id = 3")
    forge_links(tmp_path)
    found = salvage_in(tmp_path)
    assert (found.events, list(incomplete_in(tmp_path / FILE).values())) == (2, [2])


def forge_links(folder):
    """Give every row the link that fits it."""
    with contextlib.closing(sqlite3.connect(folder / FILE, isolation_level=None)) as db:
        chain = ""
        for row in db.execute(f"SELECT {TABLE_COLUMNS} FROM event ORDER BY id").fetchall():
            chain = chain_hash(chain, row[:11])
            db.execute("UPDATE event SET chain = ? WHERE id = ?", (chain, row[0]))


def test_a_command_of_many_pages_is_read_from_them_too(tmp_path):
    """Its row goes on on overflow pages; the schema is gone, so that SQLite reads nothing."""
    with Journal(tmp_path) as journal:
        journal.append(Started(Rules(), ("Ann", "Bob"), match="g"), game="g", at=1, source="table", result=None)
        for n in range(9):
            request = json.dumps({"do": "score", "said": "x" * n * 3000})
            given = {"command_id": f"{n:024}", "request": request}
            journal.append(Scored(0, 1, 0), game="g", at=2, source="phone", result=None, **given)
        truth = rows_of(tmp_path / FILE)
    data = bytearray((tmp_path / FILE).read_bytes())
    data[:PAGE] = bytes(PAGE)
    (tmp_path / FILE).write_bytes(data)
    assert (salvage_in(tmp_path).events, rows_of(tmp_path / FILE)) == (10, truth)


def test_rows_that_sqlite_reads_are_not_decoded_again(evening, tmp_path, monkeypatch):
    """There may be a quarter of a million of them, and a few pages that are damaged."""
    source, truth = evening
    decoded, decode = [], page_scan._decode
    monkeypatch.setattr(page_scan, "_decode", lambda number, record: decoded.append(number) or decode(number, record))
    folder = shutil.copytree(source / "bare", tmp_path / "table")
    tamper(folder, "DELETE FROM event WHERE id BETWEEN 1 AND 40")
    assert salvage_in(folder).events < len(truth)
    assert set(decoded) <= set(range(1, 42)), "and the row behind the gap, which nothing proves"


# --- quarantine ---


def find_room(folder):
    return next((folder / "quarantine").iterdir())


def test_the_files_lie_together_in_quarantine_as_they_were(evening, tmp_path):
    source, _ = evening
    folder = shutil.copytree(source / "bare", tmp_path / "table")
    before = {name: (folder / name).read_bytes() for name in FILES}
    room = quarantine(folder)
    assert {name: (room / name).read_bytes() for name in FILES} == before
    assert not [path for path in folder.iterdir() if path.name.startswith(FILE)]
    assert room.parent.stat().st_mode & 0o777 == room.stat().st_mode & 0o777 == 0o700
    salvage(folder, room, lambda: None)
    assert {name: (room / name).read_bytes() for name in FILES} == before


def test_two_in_one_second_lie_apart(tmp_path):
    rooms = []
    for _ in range(3):
        (tmp_path / FILE).write_bytes(b"x")
        rooms.append(quarantine(tmp_path))
    assert len(set(rooms)) == 3
    assert all((room / FILE).exists() for room in rooms)


def test_a_power_cut_in_quarantine_or_salvage_leaves_every_score_in_reach(evening, tmp_path, monkeypatch):
    source, truth = evening
    done, count = False, 0
    while not done:
        folder = shutil.copytree(source / "whole", tmp_path / str(count))
        with cut_after(count, monkeypatch) as cut:
            salvage(folder, quarantine(folder), lambda: None)
        done = not cut.happened
        room = find_unsalvaged(folder)
        if room is not None:
            salvage(folder, room, lambda: None)
        assert rows_of(folder / FILE) == truth, count
        assert not list(folder.glob("*.part*"))
        assert find_unsalvaged(folder) is None
        shutil.rmtree(folder)
        count += 1
    assert count > 20


# --- what the tests lean on ---


def test_the_check_notices_a_made_up_row(evening, tmp_path):
    """The control: a salvage that believes every row is found out."""
    source, truth = evening
    folder = shutil.copytree(source / "bare", tmp_path / "table")
    tamper(folder, "UPDATE event SET at = at + 1 WHERE id = 30")
    forge_links(folder)
    found = salvage_in(folder)
    with pytest.raises(AssertionError):
        assert_true(folder, truth, found)


def test_without_the_chain_damage_would_be_believed(evening, tmp_path, monkeypatch):
    """The control: a salvage that takes the first reading of every row is found out, wherever the row lies."""
    source, truth = evening

    def believe(rows, _busy, _base=None):
        return (next(readings) for _, readings in itertools.groupby(rows, key=lambda row: row[0]))

    monkeypatch.setattr(salvaging, "prove", believe)
    for number in (2, 30, len(truth)):
        folder = shutil.copytree(source / "bare", tmp_path / str(number))
        tamper(folder, f"UPDATE event SET at = at + 1 WHERE id = {number}")
        found = salvage_in(folder)
        with pytest.raises(AssertionError):
            assert_true(folder, truth, found)


def test_a_journal_in_the_place_is_never_removed(evening, tmp_path):
    """Where the outcome could not be noted, and was played on since."""
    source, truth = evening
    folder = shutil.copytree(source / "bare", tmp_path / "table")
    room = quarantine(folder)
    assert find_unsalvaged(folder) == room
    with Journal(folder):
        assert find_unsalvaged(folder) is None
        epoch = epoch_in(folder)
    salvage(folder, room, lambda: None)
    assert rows_of(folder / FILE) == truth
    (other,) = [each for each in (folder / "quarantine").iterdir() if each != room]
    assert epoch_in(other) == epoch


def epoch_in(folder):
    with contextlib.closing(sqlite3.connect(folder / FILE)) as db:
        return db.execute("SELECT epoch FROM about").fetchone()[0]
