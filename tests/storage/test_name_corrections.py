"""Corrections of names: in every game of a match, in lists, statistics and imports; in no other match."""

import json
import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest

from pegboard import Abandon, Deal, Rename, Rules, Score, Start, TakeBack
from pegboard.core import wire
from pegboard.core.match import Setup
from pegboard.core.moves import Confirm, Renamed
from pegboard.errors import Already, BadImport, IdReused, Moved, NotAllowed, NotStored, OtherGame, RuleError
from pegboard.storage.event_row import EVENTS_OF_GAME, replay_rows
from pegboard.storage.games import History
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check, read_events, read_snapshot
from pegboard.storage.schema import FILE
from pegboard.storage.statistics import StatisticsQuery
from pegboard.storage.transfer.exporting import event_lines, game_parts
from pegboard.storage.transfer.import_check import check_import
from pegboard.storage.transfer.import_parser import last_lines
from tests.oracles import score_keeper
from tests.support.scoreboard_on_a_folder import Table

MISSPELT = Setup(Rules(), ("Ann", "Bbo"))
BOB = Rename(1, "Bbo", "Bob")


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path / "here", MISSPELT)


def next_game(table, players=None, **more):
    now = table.view
    unfinished = None if now.game.outcome else now.id
    table.ask(Start(now.game.rules, players or now.game.players, **more), director=True, replaces=unfinished)


def a_game(table, winner=0):
    table.now += 60_000_000_000
    table.win(winner)
    won = table.view.id
    next_game(table)
    return won


def names_in(table):
    """Every name that the list, the statistics and the spreadsheet tell."""
    told = History(table.folder)
    stats = told.statistics(StatisticsQuery())
    cards = {name for card in told.games(99)["games"] for name in card["players"]}
    rows = {name for row in stats["players"] for name in row["names"]}
    pairs = {name for pair in stats["head_to_head"] for side in pair["names"] for name in side}
    csv = "".join(game_parts(table.folder))
    return cards, rows, pairs, {name for name in ("Ann", "Bbo", "Bob", "Cy") if name in csv}


def summary_rows(folder):
    kept = "id, match, format, started, abandoned, result, imported, place, variant, over"
    with read_snapshot(folder) as journal:
        games = journal.select(f"SELECT {kept}, CASE WHEN over OR abandoned THEN card END FROM game ORDER BY id")
        return games, journal.select("SELECT * FROM seat"), journal.select("SELECT * FROM side ORDER BY game, lane")


def rebuild_summary(table):
    table.journal._db.execute("PRAGMA user_version = 2")
    table.reopen()
    return summary_rows(table.folder)


# --- at the table ---


def test_a_name_is_corrected_while_the_game_goes_on(table):
    table.score(1, 7)
    before, seen = table.view, []
    table.feed.follow(lambda view: seen.append(view.game.players))
    receipt = table.ask(BOB, base=None)
    after = receipt.view
    assert (receipt.replayed, receipt.entry, receipt.note) == (False, None, None)
    assert (after.game.players, after.revision, after.id) == (("Ann", "Bob"), before.revision + 1, before.id)
    assert after.game.revisions == before.game.revisions, "a score that is on its way still fits its lane"
    assert seen == [("Ann", "Bob")]


def test_it_is_one_row_that_says_which_name_became_which(table):
    table.ask(BOB)
    row = table.journal.rows()[-1]
    assert (row.kind, json.loads(row.body)) == ("renamed", {"seat": 1, "from": "Bbo", "to": "Bob"})
    assert json.loads(table.journal.rows()[0].body)["players"] == ["Ann", "Bbo"], "an old body stays as it is"


def test_it_holds_after_the_plug_was_pulled(table):
    table.score(1, 7)
    table.ask(BOB)
    before = table.view
    table.reopen()
    assert (table.view.game, table.view.match) == (before.game, before.match)


def test_a_repeat_is_answered_and_not_done_again(table):
    tap = {"source": "phone", "id": "tap-that-is-sent-twice", "game": table.view.id}
    table.board.handle(BOB, **tap)
    table.score(0, 3)
    then = table.state()
    again = table.board.handle(BOB, **tap)
    assert (again.replayed, again.entry, table.state()) == (True, None, then)
    with pytest.raises(IdReused):
        table.board.handle(Rename(1, "Bbo", "Rob"), **tap)


@pytest.mark.parametrize(
    ("command", "more", "error"),
    [
        (Rename(1, "Bob", "Rob"), {}, Moved),
        (Rename(1, "Bbo", "Ann"), {}, RuleError),
        (Rename(1, "Bbo", " "), {}, RuleError),
        (Rename(2, "Bbo", "Bob"), {}, RuleError),
        (Rename(1, "Bbo", "Bbo"), {}, Already),
        (BOB, {"game": "yesterday"}, OtherGame),
        (BOB, {"game": None}, RuleError),
    ],
)
def test_what_is_refused_leaves_the_table_as_it_was(table, command, more, error):
    table.score(1, 7)
    before = table.state()
    with pytest.raises(error):
        table.ask(command, **more)
    assert table.state() == before


def test_a_name_that_cannot_be_stored_is_not_shown(table):
    table.journal._db.execute("PRAGMA query_only = 1")
    with pytest.raises(NotStored):
        table.ask(BOB)
    assert table.view.game.players == ("Ann", "Bbo")


def test_what_is_being_dialled_stays_dialled(table):
    """A name moves no peg, so nobody's half-dialled score is pegged for it."""
    table.board.keys.dial(0, 5)
    assert table.board.preview(BOB, game=table.view.id).view.dialled == (5, 0)
    table.ask(BOB)
    assert (table.view.dialled, table.fronts()) == ((5, 0), [0, 0])
    table.board.keys.dial(0, 1)
    table.board.keys.peg(0)
    assert table.fronts() == [6, 0]


def test_a_preview_of_it_changes_nothing(table):
    before = table.state()
    preview = table.board.preview(BOB, game=table.view.id)
    assert preview.view.game.players == preview.after.players == ("Ann", "Bob")
    assert (preview.before.players, table.state()) == (("Ann", "Bbo"), before)


def test_a_scorer_may_where_no_strict_rules_leave_corrections_to_the_director(tmp_path):
    table = Table(tmp_path, Setup(Rules(confirm=True), ("Ann", "Bbo")))
    table.ask(BOB, director=False)
    assert table.view.game.players == ("Ann", "Bob")


def test_in_a_strict_match_no_scorer_gives_a_player_the_others_win(tmp_path):
    table = Table(tmp_path, Setup(Rules(strict=True), ("Ann", "Bob")))

    def no_name_changes():
        for command in (Rename(0, "Ann", "Cy"), Rename(1, "Bob", "Dee")):
            with pytest.raises(NotAllowed, match="only the director can change lines at this table"):
                table.ask(command, director=False)
        assert names_in(table) == ({"Ann", "Bob"},) * 4

    table.win()
    no_name_changes()
    next_game(table)
    no_name_changes()
    table.score(0, 4)
    no_name_changes()
    for command in (Rename(0, "Ann", "Cy"), Rename(1, "Bob", "Ann"), Rename(0, "Cy", "Bob")):
        table.ask(command, director=True)
    assert table.view.game.players == ("Bob", "Ann"), "who had sat down under each other's names"


def test_after_the_end_it_is_corrected_and_the_confirmed_result_stays_so(tmp_path):
    table = Table(tmp_path, Setup(Rules(confirm=True), ("Ann", "Bbo")))
    table.win(1)
    table.ask(Confirm(1, 1, (0, 121)))
    table.ask(BOB)
    assert (table.view.game.players, table.view.game.confirmed) == (("Ann", "Bob"), (1,))
    table.reopen()
    assert (table.view.game.players, table.view.game.confirmed) == (("Ann", "Bob"), (1,))
    (card,) = History(table.folder).games(9)["games"]
    assert card["players"] == ["Ann", "Bob"]


# --- in the match ---


def test_every_game_of_the_match_has_the_corrected_name(table):
    first = a_game(table)
    a_game(table, winner=1)
    table.score(0, 4)
    table.ask(BOB)
    assert names_in(table) == ({"Ann", "Bob"},) * 4
    assert table.board.sheet(first).players == ("Ann", "Bob")
    card, sheet = History(table.folder).game(first)
    assert (card["players"], sheet.players) == (["Ann", "Bob"], ("Ann", "Bob"))
    assert History(table.folder).games(9, player="Bbo")["games"] == []
    assert len(History(table.folder).games(9, player="Bob")["games"]) == 3
    (pair,) = History(table.folder).statistics(StatisticsQuery())["head_to_head"]
    assert (pair["games"], pair["won"]) == (2, [1, 1])
    assert summary_rows(table.folder) == rebuild_summary(table)


def test_cached_statistics_are_computed_again_after_a_correction(table):
    a_game(table)
    past = History(table.folder)
    assert "Bbo" in json.dumps(past.statistics(StatisticsQuery()))
    changed = past.statistics_revision()
    table.ask(BOB)
    assert past.statistics_revision() > changed
    assert "Bbo" not in json.dumps(past.statistics(StatisticsQuery()))


def test_the_next_game_carries_on_with_the_corrected_name_and_the_match(table):
    a_game(table)
    table.ask(BOB)
    table.win(1)
    table.board.keys.deal()
    assert (table.view.game.players, table.view.match.games_won) == (("Ann", "Bob"), (1, 1))
    assert table.journal.rows(table.view.id)[0].event.players == ("Ann", "Bob")
    assert table.view.game.renamings == (), "it began with the right name"


def test_a_match_that_was_played_before_keeps_its_names(table):
    """Another Bbo, on another evening: who is meant there nobody knows."""
    a_game(table)
    next_game(table, format="best of 3")
    table.ask(BOB)
    cards = {card["id"]: card["players"] for card in History(table.folder).games(9)["games"]}
    assert sorted(cards.values()) == [["Ann", "Bbo"], ["Ann", "Bob"]]
    assert names_in(table)[1] == {"Ann", "Bbo"}
    assert summary_rows(table.folder) == rebuild_summary(table)


def test_a_name_can_be_corrected_again_and_back(table):
    first = a_game(table)
    table.ask(BOB)
    second = a_game(table)
    table.ask(Rename(1, "Bob", "Bbo"))
    third = a_game(table)
    table.ask(Rename(1, "Bbo", "Rob"))
    for game in (first, second, third):
        assert table.board.sheet(game).players == ("Ann", "Rob")
    assert names_in(table)[:3] == ({"Ann", "Rob"},) * 3
    assert summary_rows(table.folder) == rebuild_summary(table)


def test_two_names_that_were_swapped_are_put_right_by_way_of_a_third(tmp_path):
    table = Table(tmp_path, Setup(Rules(), ("Bob", "Ann")))
    first = a_game(table)
    for command in (Rename(0, "Bob", "Cy"), Rename(1, "Ann", "Bob"), Rename(0, "Cy", "Ann")):
        table.ask(command)
    assert table.board.sheet(first).players == ("Ann", "Bob")
    assert History(table.folder).games(9)["games"][-1]["players"] == ["Ann", "Bob"]
    (pair,) = History(table.folder).statistics(StatisticsQuery())["head_to_head"]
    assert pair["won"] == [1, 0], "who sat at seat 0 has won"
    assert summary_rows(table.folder) == rebuild_summary(table)


def test_partners_are_one_pair_under_the_corrected_name(tmp_path):
    table = Table(tmp_path, Setup(Rules.named("partners"), ("Ann", "Bbo", "Cy", "Dee")))
    a_game(table, winner=3)
    table.ask(BOB)
    rows = {tuple(row["names"]): row["won"] for row in History(table.folder).statistics(StatisticsQuery())["players"]}
    assert rows == {("Ann", "Cy"): 0, ("Bob", "Dee"): 1}
    assert len(History(table.folder).games(9, player="Dee")["games"]) == 2
    assert summary_rows(table.folder) == rebuild_summary(table)


def test_a_game_that_is_given_up_takes_no_name_with_it(table):
    """The name was corrected in a game that was put away; the one before is in progress again, with its match."""
    first = a_game(table)
    table.ask(BOB)
    table.ask(TakeBack())
    assert (table.view.id, table.view.game.players) == (first, ("Ann", "Bob"))
    table.ask(Rename(1, "Bob", "Rob"))
    table.reopen()
    assert table.view.game.players == ("Ann", "Rob")
    next_game(table)
    assert (table.view.game.players, table.view.match.games_won) == (("Ann", "Rob"), (1, 0))
    table.score(0, 2)
    table.ask(Abandon("rain"))
    cards = History(table.folder).games(9)["games"]
    assert [card["players"] for card in cards] == [["Ann", "Rob"]] * 2
    assert summary_rows(table.folder) == rebuild_summary(table)


def test_the_first_game_begins_anew_under_the_corrected_name(table):
    table.ask(BOB)
    table.ask(Abandon("rain"))
    assert table.view.game.players == ("Ann", "Bob")


def test_a_start_with_the_old_name_is_a_match_of_its_own(table):
    a_game(table)
    table.ask(BOB)
    next_game(table, players=("Ann", "Bbo"))
    assert (table.view.game.players, table.view.match.games_won) == (("Ann", "Bbo"), (0, 0))


# --- the names that the program was started with ---


def test_who_was_named_at_the_start_is_known_by_the_corrected_name(table):
    table.score(0, 3)
    table.ask(BOB)
    table.reopen()
    named = table.board.with_corrected_names(MISSPELT)
    assert named.players == ("Ann", "Bob")
    assert table.board.seat_players(named), "they play already"
    a_game(table)
    assert table.board.with_corrected_names(MISSPELT).players == ("Ann", "Bob"), "in a later game of the match too"
    others = Setup(Rules(), ("Cy", "Bbo"))
    assert table.board.with_corrected_names(others) == others


def test_who_waits_for_the_next_game_has_the_corrected_name_there(table):
    table.score(0, 3)
    assert not table.board.seat_players(Setup(Rules.named("short"), ("Ann", "Bbo")))
    table.ask(BOB)
    table.win()
    table.board.keys.deal()
    assert (table.view.game.rules.variant, table.view.game.players) == ("short", ("Ann", "Bob"))


def test_others_who_wait_keep_their_names(table):
    table.score(0, 3)
    assert not table.board.seat_players(Setup(Rules.named("short"), ("Cy", "Bbo")))
    table.ask(BOB)
    table.win()
    table.board.keys.deal()
    assert table.view.game.players == ("Cy", "Bbo")


# --- raw rows, other programs, other tables ---


def an_evening(table):
    """A correction in each place where one can be made."""
    a_game(table)
    table.ask(BOB)
    a_game(table, winner=1)
    table.score(0, 5)
    table.ask(Rename(0, "Ann", "Anna"))
    next_game(table)
    table.ask(Rename(1, "Bob", "Bobby"))
    table.ask(TakeBack())
    table.ask(Rename(1, "Bobby", "Bob"))
    next_game(table, players=("Cy", "Bbo"))
    table.score(1, 9)


def test_a_second_process_that_adds_up_the_raw_rows_finds_the_same_names(table):
    an_evening(table)
    program = [sys.executable, score_keeper.__file__, str(table.folder / FILE)]
    found = json.loads(subprocess.run(program, capture_output=True, text=True, check=True).stdout)
    told = {game: list(replay_rows(table.journal.rows(game)).players) for game in found["games"]}
    assert {game: sheet["players"] for game, sheet in found["games"].items()} == told
    assert sorted(map(tuple, told.values())) == [("Anna", "Bob")] * 4 + [("Cy", "Bbo")]


def test_a_summary_updated_event_by_event_equals_a_rebuilt_one(table):
    an_evening(table)
    assert summary_rows(table.folder) == rebuild_summary(table)


def export_lines(folder, named="game"):
    with read_events(folder) as rows:
        return [line.replace('"game-', f'"{named}-') for line in event_lines(rows)]


def import_lines(journal, lines):
    lines = [line.encode() for line in lines]
    return journal.import_games(check_import(lines, last_lines(lines), journal.rows))


def test_another_table_that_imports_it_has_the_corrected_names(table, tmp_path):
    an_evening(table)
    lines = export_lines(table.folder)
    with Journal(tmp_path / "there") as there:
        assert import_lines(there, lines).events == len(lines)
        past = History(tmp_path / "there")
        query = StatisticsQuery()
        assert past.statistics(query)["players"] == History(table.folder).statistics(query)["players"]
        players = {card["id"]: card["players"] for card in past.games(99)["games"]}
        assert players == {card["id"]: card["players"] for card in History(table.folder).games(99)["games"]}
        then = summary_rows(tmp_path / "there")
        there._db.execute("PRAGMA user_version = 2")
    with Journal(tmp_path / "there"):
        assert summary_rows(tmp_path / "there") == then
        assert check(tmp_path / "there") == len(lines)
        again = export_lines(tmp_path / "there")
    assert [json.loads(line) | {"id": 0} for line in again] == [json.loads(line) | {"id": 0} for line in lines]


@pytest.mark.parametrize("cut", range(2, 12))
def test_an_import_that_goes_on_later_has_the_corrected_names(tmp_path, cut):
    """Wherever the first import ended: before the correction, in the game after it, or in the one put back."""
    away = Table(tmp_path / "away", Setup(Rules.named("short"), ("Ann", "Bbo")))
    a_game(away)
    away.ask(BOB)
    away.ask(TakeBack())  # the next game is put away
    away.ask(Rename(1, "Bob", "Bobby"))  # in the first game again
    lines = export_lines(away.folder)
    with Journal(tmp_path / "there") as there:
        import_lines(there, lines[:cut])
        import_lines(there, lines)
        assert [card["players"] for card in History(tmp_path / "there").games(9)["games"]] == [["Ann", "Bobby"]]
        rows = History(tmp_path / "there").statistics(StatisticsQuery())["players"]
        assert sorted(row["names"][0] for row in rows) == ["Ann", "Bobby"]
        then = summary_rows(tmp_path / "there")
        there._db.execute("PRAGMA user_version = 2")
    with Journal(tmp_path / "there"):
        assert summary_rows(tmp_path / "there") == then


def test_an_import_corrects_no_name_of_this_table_nor_of_a_third(table, tmp_path):
    """A match that calls itself as one here does is still another one."""
    a_game(table)
    other = Table(tmp_path / "other", MISSPELT)
    a_game(other)
    import_lines(table.journal, export_lines(other.folder, "other"))
    stranger = Table(tmp_path / "stranger", MISSPELT)
    stranger.ask(BOB)
    for match in (table.view.match_id, other.view.match_id.replace("game-", "other-")):
        lines = [json.loads(line) for line in export_lines(stranger.folder)]
        for line in lines:
            line["game"] = f"strange-{match}"
        lines[0]["body"]["match"] = match
        import_lines(table.journal, [json.dumps(line) for line in lines])
    assert sorted(card["players"] for card in History(table.folder).games(9)["games"]) == [
        *[["Ann", "Bbo"]] * 4,
        *[["Ann", "Bob"]] * 2,
    ]
    assert table.journal.rows(table.view.id)[-1].kind == "started"
    assert summary_rows(table.folder) == rebuild_summary(table)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({"seat": 1, "from": "Bob", "to": "Rob"}, "that player is now called Bbo"),
        ({"seat": 1, "from": "Bbo", "to": "Ann"}, "two players are called Ann"),
        ({"seat": 1, "from": "Bbo", "to": " Bob "}, "`to` would be"),
        ({"seat": 1, "from": "Bbo", "to": 5}, "cannot follow the lines before it"),
        ({"seat": 5, "from": "Bbo", "to": "Bob"}, "there is no seat 5"),
        ({"seat": "1", "from": "Bbo", "to": "Bob"}, "there is no seat"),
        ({"seat": 1, "to": "Bob"}, "the body does not match the kind renamed"),
    ],
)
def test_a_correction_that_cannot_have_been_is_not_imported(table, tmp_path, body, words):
    lines = [json.loads(line) for line in export_lines(table.folder, "away")]
    lines.append(lines[0] | {"seq": 2, "kind": "renamed", "body": body})
    with Journal(tmp_path / "there") as there, pytest.raises(BadImport, match=words):
        import_lines(there, [json.dumps(line) for line in lines])


# --- older programs, older journals ---


def test_an_older_program_says_that_a_newer_one_has_written_it(monkeypatch, table):
    """As with every event that it does not know."""
    table.ask(BOB)
    monkeypatch.delitem(wire.EVENTS, "renamed")
    with pytest.raises(RuleError, match="unknown journal entry type 'renamed'; it may be from a newer pegboard"):
        table.reopen()


def test_a_journal_that_cannot_take_the_index_is_opened_and_read_without_it(table):
    first = a_game(table)
    table.ask(BOB)
    table.journal.close()
    with closing(sqlite3.connect(table.folder / FILE)) as db:
        db.execute("DROP INDEX event_renamed")
    assert History(table.folder).game(first)[0]["players"] == ["Ann", "Bob"]


def test_corrections_are_found_by_their_index_among_all_events(table):
    with read_snapshot(table.folder) as journal:
        plans = [row[3] for row in journal.select(f"EXPLAIN QUERY PLAN SELECT id FROM event {EVENTS_OF_GAME}", ["g"])]
    assert any("event_renamed" in plan for plan in plans), plans
    assert not any(plan.startswith("SCAN event") for plan in plans), plans


def test_the_event_is_read_back_as_it_was_stored(table):
    table.ask(BOB)
    assert table.journal.rows()[-1].event == Renamed(1, "Bbo", "Bob")


def test_keys_play_on_under_the_corrected_name(table):
    table.board.keys.dial(1, 3)
    table.board.keys.peg(1)
    table.ask(BOB)
    table.ask(Deal())
    table.ask(Score(2, 1))
    assert (table.fronts(), table.view.game.lane_name(1)) == ([0, 5], "Bob")
