"""Migration: journals of earlier versions read, play on, and survive a power cut while they are migrated."""

import itertools
import json
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from pegboard import Rules, Score, TakeBack
from pegboard.core import wire
from pegboard.core.match import Match, Setup, next_dealer
from pegboard.core.moves import ROWS, Amend, Scored
from pegboard.errors import BadImport, IdReused
from pegboard.feed import Feed
from pegboard.storage.event_row import replay_rows
from pegboard.storage.journal import opening
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check, read_events
from pegboard.storage.rescue.journal_findings import look_at_state
from pegboard.storage.schema import FILE, SCHEMA_VERSION
from pegboard.storage.transfer.import_check import check_import
from pegboard.storage.transfer.import_parser import last_lines
from pegboard.table.scoreboard import Scoreboard
from tests.oracles import score_keeper
from tests.support.commands import command_of
from tests.support.damage import chain_anew
from tests.support.long_runs import a_sample

DATA = Path(__file__).parent.parent / "data"

SINCE = {"substitute", "head_start"}
"""The commands that came after the newest kept journal."""

EVENTS = {1: 20, 2: 35, 3: 42}
"""By version, how many events its kept journal has."""


@pytest.fixture
def first(tmp_path):
    """Ann 2 1 6 6 and four times 29 (her 12 was undone), Bob 3 8; a game given up at 4; Bob 7."""
    return copy_journal(tmp_path, 1)


@pytest.fixture
def second(tmp_path):
    """An evening of four short games (see the test that adds them up), with an event of every kind of its time."""
    return copy_journal(tmp_path, 2)


def copy_journal(folder, version):
    shutil.copy(DATA / f"journal_v{version}.db", folder / FILE)
    return folder


def scoreboard(journal):
    return Scoreboard(journal, Feed(), Setup(Rules(), ("Cy", "Dee")), clock=lambda: 1_796_000_000_000_000_000)


def pegs(game):
    return [tuple(lane) for lane in game.lanes]


def test_the_first_version_reads_as_it_was_played(first):
    assert check(first) == EVENTS[1]
    with read_events(first) as rows:
        games = [list(rows) for _, rows in itertools.groupby(rows, key=lambda row: row.game)]
    won, given_up, running = (replay_rows(rows) for rows in games)
    assert pegs(won) == [(121, 15 + 3 * 29), (11, 3)]
    assert (won.outcome.winner, won.outcome.skunks) == (0, (0, 2))
    assert (pegs(given_up), given_up.outcome) == ([(0, 0), (4, 0)], None)
    assert (pegs(running), running.position.dealer, running.position.phase) == ([(0, 0), (7, 0)], 1, "crib")


def test_the_first_version_is_opened_for_writing_with_its_match(first):
    with Journal(first) as journal:
        view = scoreboard(journal).view
        assert (view.id, view.match_id, view.game.players) == ("game3", "game1", ("Ann", "Bob"))
        assert pegs(view.game) == [(0, 0), (7, 0)]
        # a double skunk is worth 3; Bob was 110 holes behind
        assert view.match == Match("open", (1, 0), (3, 0), (3, 0), (110, -110))
        assert (journal.previous_game("game3"), journal.match_of("game2")) == ("game1", None)
    assert user_version(first) == SCHEMA_VERSION


@pytest.mark.parametrize("version", [1, 2, 3, 4, 5])
def test_a_check_before_the_migration_finds_no_fault_in_an_earlier_version(tmp_path, version):
    """As after an update or the restore of an older backup, before the table has started."""
    folder = copy_journal(tmp_path, version)
    found = {one.name: one for one in look_at_state(folder, 1_796_000_000, lambda: None)}
    assert [found[name].ok for name in ("journal", "chain", "summary")] == [True, True, True]
    assert "when the table next starts" in found["summary"].sentence
    Journal(folder).close()
    found = {one.name: one for one in look_at_state(folder, 1_796_000_000, lambda: None)}
    assert found["summary"].sentence == "lists and statistics match the events"


@pytest.mark.parametrize("version", EVENTS)
def test_a_name_of_an_earlier_version_is_corrected_and_its_rows_stay(tmp_path, version):
    with Journal(copy_journal(tmp_path, version)) as journal:
        board, before = scoreboard(journal), [row.body for row in journal.rows()]
        view = board.view
        rename = command_of({"do": "rename", "seat": 1, "from": view.game.players[1], "to": "Robert"})
        board.handle(rename, id="tap-of-this-version-5", source="phone", game=view.id)
        assert [row.body for row in journal.rows()][:-1] == before
    with Journal(tmp_path) as journal:
        assert scoreboard(journal).view.game.players[:2] == ("Ann", "Robert")
        assert replay_rows(journal.rows(view.match_id)).players[:2] == ("Ann", "Robert")
    assert check(tmp_path) == EVENTS[version] + 1


def test_the_first_version_plays_on(first):
    with Journal(first) as journal:
        board = scoreboard(journal)
        tap = {"source": "phone", "game": "game3"}
        board.handle(Score(6, 1, why="crib"), id="tap-of-this-version-1", base=1, **tap)
        assert pegs(board.view.game) == [(0, 0), (13, 7)]
        assert board.view.game.dealer == 0
    with Journal(first) as journal:
        assert pegs(scoreboard(journal).view.game) == [(0, 0), (13, 7)]
    assert check(first) == EVENTS[1] + 1


def test_a_finished_game_of_the_first_version_is_put_right(first):
    """Bob's 8 was really 11 + 80: he stood on 94, and there is no skunk."""
    with Journal(first) as journal:
        board = scoreboard(journal)
        asked = {"source": "phone", "id": "tap-of-this-version-3", "game": "game1", "director": True}
        set_pegs = command_of({"do": "set_pegs", "seat": 1, "front": 94, "rear": 83})
        board.handle(set_pegs, base=replay_rows(journal.rows("game1")).revisions[1], **asked)
        assert board.view.match == Match("open", (1, 0), (1, 0), (1, 0), (27, -27))


def test_a_tap_of_the_first_version_that_is_sent_again_is_known(first):
    with Journal(first) as journal:
        board = scoreboard(journal)
        before = board.view
        tap = {"source": "phone", "id": "tap-of-the-first-version-2", "game": "game1", "base": 0}
        receipt = board.handle(Score(3, 1, why="play"), **tap)
        assert (receipt.replayed, receipt.entry, receipt.view) == (True, "2", before)
        tap["id"] = "tap-of-the-first-version-7"
        assert board.handle(TakeBack(2), **tap).entry == "2"


def taps(folder):
    """The id of each tap and what was asked by it, from the raw rows; in the version of today one of every command."""
    with sqlite3.connect(folder / FILE) as db:
        return {tap: json.loads(asked) for tap, asked in db.execute(TAPS)}


TAPS = "SELECT command_id, request FROM event WHERE request IS NOT NULL"


def repeat(board, tap, asked):
    """Send a tap again, as a page does that has it in its queue."""
    asked = dict(asked)
    named = {name: asked.pop(name, None) for name in ("game", "replaces")}
    return board.handle(command_of(asked), id=tap, source="phone", base=0, **named)


NOTHING = (None, "")
"""What the defaults of fields are."""


@pytest.mark.parametrize("version", [*EVENTS, 4, 5])
@pytest.mark.parametrize("stored", ["with defaults", "by a version that lacked them"])
@pytest.mark.parametrize("sent", ["with defaults", "without"])
def test_every_tap_that_is_sent_again_after_an_update_is_known(tmp_path, version, stored, sent):
    folder = copy_journal(tmp_path, version)
    with Journal(folder):
        pass  # bring it up to date
    asked = taps(folder)
    less = {tap: without_nothing(values) for tap, values in asked.items()}
    if stored != "with defaults":
        with sqlite3.connect(folder / FILE) as db:
            changed = [(json.dumps(values, sort_keys=True, separators=(",", ":")), tap) for tap, values in less.items()]
            db.execute("DROP TRIGGER event_stays")
            db.executemany("UPDATE event SET request = ? WHERE command_id = ?", changed)
            chain_anew(db)
    with Journal(folder) as journal:
        board = scoreboard(journal)
        before = board.view
        for tap, values in (asked if sent == "with defaults" else less).items():
            receipt = repeat(board, tap, values)
            assert (receipt.replayed, receipt.view) == (True, before)


def without_nothing(values):
    """A reason that an amendment forgets is something; so is a result that nobody has won."""
    says = {"amend": "why", "confirm": "winner"}.get(values["do"])
    return {key: value for key, value in values.items() if value not in NOTHING or key == says}


def test_the_version_of_today_has_a_tap_of_every_command(tmp_path):
    assert {asked["do"] for asked in taps(copy_journal(tmp_path, 4)).values()} == set(ROWS) - SINCE


def test_a_tap_sent_again_with_other_content_is_refused_whatever_was_stored(tmp_path):
    folder = copy_journal(tmp_path, 4)
    with Journal(folder) as journal:
        board = scoreboard(journal)
        for tap, values in taps(folder).items():
            for other in others(values):
                with pytest.raises(IdReused):
                    repeat(board, tap, other)


def others(values):
    """The same tap with one field otherwise: another number, or said where nothing was, or the other way round."""
    yield values | {"game": "yesterday"}
    for name, value in values.items():
        if isinstance(value, int):
            yield values | {name: not value if isinstance(value, bool) else value + 1}
    for name, said in {"why": "go", "note": "otherwise", "opponent": 1, "dealer": 2, "entry": "1"}.items():
        if values.get(name, said) in NOTHING:
            yield values | {name: said}
    if values["do"] == "amend":
        yield values | {"why": "play"}
        if "why" in values:
            yield {name: value for name, value in values.items() if name != "why"}


def test_what_is_stored_of_a_tap_leaves_defaults_out(first):
    with Journal(first) as journal:
        board = scoreboard(journal)
        tap = {"source": "phone", "game": "game3"}
        board.handle(Score(6, 1), id="tap-of-this-version-1", base=1, **tap)
        board.handle(Amend(1, was=7, why=None), id="tap-of-this-version-2", **tap)
    stored = taps(first)
    assert stored["tap-of-this-version-1"] == {"do": "score", "game": "game3", "points": 6, "seat": 1}
    assert stored["tap-of-this-version-2"] == {"do": "amend", "entry": "1", "game": "game3", "was": 7, "why": None}


def test_the_second_version_has_an_event_of_every_kind_of_its_time(second):
    assert {kind for _, _, kind, _ in score_keeper.rows(second / FILE)} == set(wire.EVENTS) - {
        "renamed",
        "staged",
        "substituted",
        "head_start_given",
    }


def test_the_second_version_reads_as_it_was_played(second):
    """Game 1, to 61, muggins on, the excess of an over-peg to the opponent:

    Ann 20, over-pegged by 8, so 12 and 8 for Bob; Bob 29; Ann's penalty of 9 was amended to 8; Bob's muggins of 4 was
    undone; Ann 3 back; Bob's 29 was a false claim of game: 29 + 8 + 4 + 2 is 43, so 18 for Ann and Bob 15 back;
    what followed was rolled back. Ann 12 + 8 - 3 + 18 = 35 and 29 more. Bob without the muggins 29 + 8 + 2 - 15 = 24,
    and at last set on 31. Game 2 was given up at 4. Game 3: Bob 2 29 29 3, Ann 29 11. Game 4: Bob 7.
    """
    assert check(second) == EVENTS[2]
    with Journal(second) as journal:
        games = {game: replay_rows(journal.rows(game)) for game in ("evening1", "evening2", "evening3", "evening4")}
    assert pegs(games["evening1"]) == [(61, 35), (31, 24)]
    assert pegs(games["evening2"]) == [(0, 0), (4, 0)]
    assert pegs(games["evening3"]) == [(40, 29), (61, 60)]
    assert pegs(games["evening4"]) == [(0, 0), (7, 0)]
    outcomes = [None if game.outcome is None else (game.outcome.winner, game.outcome.skunks) for game in games.values()]
    assert outcomes == [(0, (0, 0)), None, (1, (0, 0)), None]
    assert [game.confirmed for game in games.values()] == [(0,), (), (0, 1), ()]


def test_the_second_version_is_opened_with_its_match(second):
    """Each won a game worth 1; Ann by 30 holes, Bob by 21."""
    with Journal(second) as journal:
        view = scoreboard(journal).view
    assert (view.id, view.match_id) == ("evening4", "evening1")
    assert view.match == Match("best of 5", (1, 1), (1, 1), (1, 1), (9, -9))


THIRD = {  # game: pegs, dealer, deal, outcome, who deals next
    "third1": ([(18, 13), (121, 100)], 0, 3, (1, (2, 0)), 0),
    "third2": ([(121, 118), (42, 18)], 1, 2, (0, (0, 2)), 1),
    "third3": ([(96, 90)], 0, 7, (0, (0,)), 0),
    "third4": ([(2, 0), (10, 3), (10, 1)], 0, 1, None, 0),
}


@pytest.fixture
def third(tmp_path):
    return copy_journal(tmp_path, 3)


def test_the_third_version_reads_as_it_was_played(third):
    """Its pages guessed what most points were for; nothing that follows from those reasons moves a peg otherwise now.

    Game 1, standard: Ann 2 1 6 and 4 of her crib, Bob 2 8, so Ann has 13 and Bob 10. The crib has passed the deal;
    Ann's 2 of the next one was undone, and the DEAL after it passed it again: Ann deals the third. She pegs 5; Bob
    is set on 100 and pegs 29; Ann on 18 is skunked twice. Game 2, the dealer 3 ahead: Bob 3, Ann 8, Bob 6 and 4 of his
    crib; Ann deals and is 3 ahead, but it is Bob's deal, as is put right: Ann on 8, Bob 13 + 3 + 2 + 24 = 42; Ann is
    set on 118 and pegs 3. Game 3, alone: six deals of 15 and a last hand of 6. Game 4, for three: Bob 3 7, Cy 1 9,
    Ann 2.
    """
    assert check(third) == EVENTS[3]
    with Journal(third) as journal:
        games = {game: replay_rows(journal.rows(game)) for game in THIRD}
    for game, (lanes, dealer, deal, outcome, dealt_next) in THIRD.items():
        at, ended = games[game].position, games[game].outcome
        assert (pegs(games[game]), at.dealer, at.deal) == (lanes, dealer, deal)
        assert (ended and (ended.winner, ended.skunks)) == outcome
        assert next_dealer(games[game]) == dealt_next
        assert not games[game].dealer_said


def reasons(game):
    return [(entry.event.why, entry.event.guessed) for entry in game.entries if isinstance(entry.event, Scored)]


def test_what_pages_of_the_third_version_guessed_reads_as_guessed(third):
    with Journal(third) as journal:
        games = {game: replay_rows(journal.rows(game)) for game in THIRD}
    assert reasons(games["third1"]) == [
        *(("heels", False), ("play", True), ("go", False), ("hand", True), ("hand", True), ("crib", True)),
        *(("play", True), ("hand", True), ("hand", True)),
    ]
    assert reasons(games["third4"]) == [
        *(("play", True), ("go", False), ("penalty", False), ("hand", True), (None, False)),
    ]


def test_a_game_of_the_third_version_goes_on_with_what_is_said(third):
    with Journal(third) as journal:
        board = scoreboard(journal)
        for n, command in enumerate((Amend(4, was=7, why="play"), Score(6, 1, why="hand"), Score(2, 2, why="heels"))):
            game = board.view.game
            base = None if isinstance(command, Amend) else game.revisions[command.seat]
            board.handle(command, source="phone", id=f"new-tap-{n:016}", game="third4", base=base)
        told = [*reasons(board.view.game)]
    assert told[3:] == [("play", False), (None, False), ("hand", False), ("heels", False)]
    with Journal(third) as journal:
        assert reasons(replay_rows(journal.rows("third4"))) == told


def export_lines(folder, rows=slice(None)):
    with read_events(folder) as kept_rows:
        return [row.export_line.encode() for row in kept_rows][rows]


def bodies(folder):
    """What is kept of every event but starts, whose rules are told in full by each version."""
    with read_events(folder) as kept_rows:
        return [row.body for row in kept_rows if row.kind != "started"]


def import_lines(folder, lines):
    with Journal(folder) as journal:
        return journal.import_games(list(check_import(lines, last_lines(lines), lambda _: [])))


def test_old_events_are_exported_with_no_version_and_imported_as_old_ones(third, tmp_path):
    lines = export_lines(third)
    assert not any(b'"v": ' in line for line in lines)
    (tmp_path / "there").mkdir()
    assert import_lines(tmp_path / "there", lines).games == len(THIRD)
    with Journal(third) as here, Journal(tmp_path / "there") as there:
        for game in THIRD:
            mine, theirs = replay_rows(here.rows(game)), replay_rows(there.rows(game))
            assert reasons(mine) == reasons(theirs)
            assert mine.positions == theirs.positions
    assert bodies(tmp_path / "there") == bodies(third)
    (tmp_path / "further").mkdir()
    assert import_lines(tmp_path / "further", export_lines(tmp_path / "there")).games == len(THIRD)
    with Journal(tmp_path / "further") as further:
        assert reasons(replay_rows(further.rows("third1")))[1] == ("play", True)


def test_new_events_are_exported_with_their_version_and_imported_as_new_ones(third, tmp_path):
    with Journal(third) as journal:
        board = scoreboard(journal)
        board.handle(
            Score(6, 1, why="hand"),
            source="phone",
            id="new-tap-0000000000",
            game="third4",
            base=board.view.game.revisions[1],
        )
    (line,) = export_lines(third, slice(EVENTS[3], None))
    assert b'"kind": "scored", "v": 3, "body": ' in line
    (tmp_path / "there").mkdir()
    import_lines(tmp_path / "there", export_lines(third))
    with Journal(tmp_path / "there") as there:
        assert reasons(replay_rows(there.rows("third4")))[-2:] == [(None, False), ("hand", False)]


def test_heels_that_an_older_table_took_are_imported_and_a_newer_table_refuses_them(third, tmp_path):
    """Where the phase was unknown then, heels were believed of everyone; the go before them was said."""
    started, *_ = export_lines(third)
    line = started.replace(b'"seq": 1', b'"seq": %d').replace(b'"kind": "started"', b'"kind": "scored"')
    line = line[: line.index(b'"body"')] + b'"body": {"lane":0,"points":%d,"seat":0,"why":%s}}\n'
    told = [line % (seq, *what) for seq, what in enumerate([(1, b"null"), (1, b'"go"'), (2, b'"heels"')], 2)]
    (tmp_path / "there").mkdir()
    assert import_lines(tmp_path / "there", [started, *told]).events == 4
    newer = [one.replace(b', "body"', b', "v": 3, "body"') for one in told]
    with pytest.raises(BadImport, match="heels come before the play, and Ann has already scored in the play"):
        list(check_import([started, *newer], last_lines([started, *newer]), lambda _: []))


def test_a_body_of_a_newer_version_is_not_imported(third):
    newer = export_lines(third)[0].replace(b', "body"', b', "v": 5, "body"')
    with pytest.raises(BadImport, match="`v` must be the body's version, up to 4, not 5"):
        last_lines([newer])


@pytest.mark.parametrize("version", EVENTS)
def test_a_score_keeper_with_pencil_and_paper_finds_the_same_in_the_raw_rows(tmp_path, version):
    folder = copy_journal(tmp_path, version)
    paper = score_keeper.added_up(folder / FILE)
    with Journal(folder) as journal:
        view = scoreboard(journal).view
        assert (view.id, list(view.match.points)) == (paper["running"], paper["match"]["points"])
        for game, told in paper["games"].items():
            assert [list(lane) for lane in replay_rows(journal.rows(game)).lanes] == told["pegs"]


@pytest.mark.parametrize("version", EVENTS)
def test_a_copy_stays_beside_it_as_it_was(tmp_path, version):
    told = []
    with Journal(copy_journal(tmp_path, version), lambda: told.append(1)):
        pass
    assert len(told) > 3, "systemd is told to wait with each game"
    copy = tmp_path / f"journal-v{version}.db"
    with sqlite3.connect(copy) as db, sqlite3.connect(DATA / f"journal_v{version}.db") as was:
        assert db.execute("PRAGMA user_version").fetchone() == (version,)
        assert db.execute("SELECT * FROM event").fetchall() == was.execute("SELECT * FROM event").fetchall()
    before = copy.stat().st_mtime_ns, copy.stat().st_ino
    Journal(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute(f"PRAGMA user_version = {version}")
    Journal(tmp_path).close()
    assert (copy.stat().st_mtime_ns, copy.stat().st_ino) == before, "it is made once"
    assert sorted(path.name for path in tmp_path.glob("*.part")) == []


# --- a power cut while an old journal is brought up to date ---


def user_version(folder):
    with sqlite3.connect(folder / FILE) as db:
        return db.execute("PRAGMA user_version").fetchone()[0]


class Watched:
    """A connection that does `act` instead of its k-th statement."""

    def __init__(self, db, k, act):
        self.db, self.left, self.act = db, k, act

    def __getattr__(self, name):
        return getattr(self.db, name)

    def execute(self, *args):
        self.left -= 1
        if self.left == 0:
            self.act()
        return self.db.execute(*args)


def fail():
    error = sqlite3.OperationalError("disk I/O error")
    error.sqlite_errorcode = sqlite3.SQLITE_IOERR_WRITE
    raise error


def statements(folder, monkeypatch):
    """How many statements it takes to bring the journal up to date and open it."""
    counting = []
    with monkeypatch.context() as patched:
        watch(patched, 0, counting)
        Journal(folder).close()
    return -counting[0].left


def watch(patched, k, seen=None, act=fail):
    open_database = opening.open_database

    def watched(path):
        db = Watched(open_database(path), k, act)
        if seen is not None:
            seen.append(db)
        return db

    patched.setattr(opening, "open_database", watched)


RESULT_COLUMN = {1: "winner", 2: "result", 3: "card", 4: "card", 5: "card", 6: "card", 7: "card", 8: "card"}
"""By version, the column of the summary that tells how a game ended."""


def is_as_it_was(folder):
    """Whatever happened, the journal is wholly of one version, opens, and has the match that it had."""
    with sqlite3.connect(folder / FILE) as db:
        columns = {name for _, name, *_ in db.execute("PRAGMA table_info(game)")}
        assert RESULT_COLUMN[user_version(folder)] in columns
        assert db.execute("SELECT count(*) FROM game").fetchone() == (3,)
    db.close()
    assert check(folder) == EVENTS[1]
    with Journal(folder) as journal:
        assert scoreboard(journal).view.match.points == (3, 0)
    assert user_version(folder) == SCHEMA_VERSION


def test_whichever_statement_of_the_migration_fails_the_journal_opens_again(tmp_path, monkeypatch):
    (tmp_path / "whole").mkdir()
    steps = statements(copy_journal(tmp_path / "whole", 1), monkeypatch)
    assert steps > 20
    for k in a_sample(range(1, steps + 1), least=5):
        folder = tmp_path / f"failed-{k}"
        folder.mkdir()
        with monkeypatch.context() as patched:
            watch(patched, k)
            with Journal(copy_journal(folder, 1)) as journal:
                looks_for_others = k == steps  # the last one, which may fail
                assert journal.fault == (None if looks_for_others else "disk I/O error")
        is_as_it_was(folder)


KILLED = """
import os, signal, sys
from pathlib import Path
from pegboard.storage.journal import journal
from pegboard.storage.journal import opening
sys.path.insert(0, {root!r})
from tests.storage import test_old_journals as ours
from tests.support.commands import command_of
open_database = opening.open_database
die = lambda: os.kill(os.getpid(), signal.SIGKILL)
opening.open_database = lambda path: ours.Watched(open_database(path), {k}, die)
journal.Journal(Path({folder!r}))
"""


def test_wherever_a_process_dies_in_the_migration_the_journal_opens_again(tmp_path, monkeypatch):
    (tmp_path / "whole").mkdir()
    steps = statements(copy_journal(tmp_path / "whole", 1), monkeypatch)
    for k in a_sample([1, 2, 3, 4, 5, 8, steps // 2, *range(steps - 4, steps + 1)], least=3):
        folder = tmp_path / f"killed-{k}"
        folder.mkdir()
        root = str(DATA.parent.parent)
        program = KILLED.format(root=root, k=k, folder=str(copy_journal(folder, 1)))
        died = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, check=False)
        assert died.returncode == -9, died.stderr.decode()
        is_as_it_was(folder)
