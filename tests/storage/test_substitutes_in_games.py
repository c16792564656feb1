"""Somebody who takes over: the next game, lists, statistics by person, spreadsheets, imports, older versions."""

import sqlite3
from contextlib import closing

import pytest

from pegboard import Abandon, Rename, Rules, Score, Start, TakeBack
from pegboard.core import wire
from pegboard.core.match import Setup
from pegboard.core.moves import GiveHeadStart, Substitute
from pegboard.errors import BadImport, JournalError, NotAllowed
from pegboard.storage import newer_journal
from pegboard.storage.games import History
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import check
from pegboard.storage.schema import FILE
from pegboard.storage.statistics import StatisticsQuery
from pegboard.storage.transfer.exporting import game_parts, sheet_text
from tests.oracles import score_keeper
from tests.storage.test_name_corrections import export_lines, import_lines, next_game, rebuild_summary, summary_rows
from tests.support.scoreboard_on_a_folder import Table, survives

CY_FOR_ANN = Substitute(0, "Ann", "Cy")


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path / "here")


def a_deal(table, hand, crib=None):
    """Bob deals: Ann's hand, his hand of 4 and his crib of 2; or Ann does, with her crib."""
    dealer, pone = (1, 0) if crib is None else (0, 1)
    table.score(pone, 2, "play")
    table.score(pone, hand if pone == 0 else 4, "hand")
    table.score(dealer, hand if dealer == 0 else 4, "hand")
    table.score(dealer, 2 if crib is None else crib, "crib")


def ann_leaves_at_61(table):
    """Ann pegs 12 and 2 as pone, 8 and 12 as dealer, 8 and 2 as pone, and 17 for Bob's miscount; Cy pegs the rest."""
    a_deal(table, 12)
    a_deal(table, 8, crib=12)
    a_deal(table, 8)
    table.score(0, 17, "penalty")
    table.ask(CY_FOR_ANN)


def cy_wins(table):
    a_deal(table, 16, crib=4)
    a_deal(table, 20)
    while table.view.game.outcome is None:
        table.score(0, 9, "penalty")


def player(stats, *names):
    return next(row for row in stats["players"] if row["names"] == list(names))


def statistics(table, **query):
    return History(table.folder).statistics(StatisticsQuery(**query))


# --- the table ---


def test_ann_leaves_at_61_and_cy_plays_on_and_wins(table):
    ann_leaves_at_61(table)
    assert (table.fronts()[0], table.view.game.players) == (61, ("Cy", "Bob"))
    survives(table)
    cy_wins(table)
    survives(table)
    assert table.view.game.lane_name(table.view.game.outcome.winner) == "Cy"
    assert score_keeper.added_up(table.folder / FILE)["games"][table.view.id]["players"] == ["Cy", "Bob"]


def test_the_next_game_seats_those_who_sit_there_now_in_the_same_match(table):
    ann_leaves_at_61(table)
    match = table.view.match_id
    cy_wins(table)
    table.board.keys.deal()
    assert (table.view.game.players, table.view.match_id) == (("Cy", "Bob"), match)
    assert table.view.match.games_won == (1, 0), "the games of a match stay with the seat"
    assert table.view.game.first_players == ("Cy", "Bob")


def test_players_who_wait_under_the_same_names_wait_with_who_took_over(table):
    table.score(0, 4)
    table.board.seat_players(Setup(Rules.named("short"), ("Ann", "Bob")))
    table.ask(CY_FOR_ANN)
    table.win()
    table.board.keys.deal()
    assert (table.view.game.players, table.view.game.rules.variant) == (("Cy", "Bob"), "short")


def test_who_was_named_at_the_start_sits_there_already_if_somebody_took_over(table):
    table.score(0, 4)
    table.ask(CY_FOR_ANN)
    table.reopen()
    assert table.board.with_corrected_names(table.setup).players == ("Cy", "Bob")


def test_a_scorer_may_unless_strict_rules_leave_that_to_the_director(tmp_path):
    table = Table(tmp_path, Setup(Rules(strict=True), ("Ann", "Bob")))
    for command in (CY_FOR_ANN, GiveHeadStart(1, 20)):
        with pytest.raises(NotAllowed, match="only the director can change lines at this table"):
            table.ask(command, director=False, base=0)
        table.ask(command, director=True, base=0)
    assert (table.view.game.players, table.fronts()) == (("Cy", "Bob"), [0, 20])


def test_a_handicap_is_for_one_game(table):
    table.ask(GiveHeadStart(1, 20), base=0)
    survives(table)
    table.win()
    table.board.keys.deal()
    assert table.fronts() == [0, 0]
    assert table.view.match.games_won == (1, 0)


# --- lists and statistics ---


def test_each_has_the_part_that_they_played_and_the_result_is_anns(table):
    ann_leaves_at_61(table)
    cy_wins(table)
    stats = statistics(table)
    ann, bob, cy = (player(stats, name) for name in ("Ann", "Bob", "Cy"))
    assert [(row["games"], row["won"], row["took_over"]) for row in (ann, bob, cy)] == [
        (1, 1, 0),
        (1, 0, 0),
        (0, 0, 1),
    ]
    assert (ann["pone"]["deals"], ann["pone"]["average"]) == (2, 12.0), "12 and 2, 8 and 2"
    assert (ann["dealer"]["deals"], ann["dealer"]["average"]) == (1, 20.0)
    assert (cy["dealer"]["deals"], cy["dealer"]["average"]) == (1, 20.0)
    assert (cy["pone"]["deals"], cy["pone"]["average"]) == (1, 22.0), "the last deal was not finished"
    assert (ann["best_hands"][0]["points"], cy["best_hands"][0]["points"]) == (12, 20)
    assert bob["dealer"]["deals"] + bob["pone"]["deals"] == 5, "Bob has played on through all of it"
    assert [pair["names"] for pair in stats["head_to_head"]] == [[["Ann"], ["Bob"]]]
    assert stats["games"] == 1
    assert (cy["streak"], cy["lost"], cy["points"]) == (0, 0, 0)


def test_a_deal_that_two_have_played_is_in_neithers_averages(table):
    a_deal(table, 12)
    table.score(1, 2, "play")
    table.ask(CY_FOR_ANN)
    table.score(1, 4, "hand")
    table.score(0, 8, "hand")
    table.score(0, 4, "crib")
    while table.view.game.outcome is None:
        table.score(0, 9, "penalty")
    ann, cy = (player(statistics(table), name) for name in ("Ann", "Cy"))
    assert [(row["dealer"]["deals"], row["pone"]["deals"]) for row in (ann, cy)] == [(0, 1), (0, 0)]
    assert [row["left_out"]["unfinished"] for row in (ann, cy)] == [1, 2], "for Cy the last deal, too"


def test_the_game_says_who_pegged_how_many_holes(table):
    ann_leaves_at_61(table)
    cy_wins(table)
    card, sheet = History(table.folder).game(table.view.id)
    told = [(part["names"], part["lane"], part["holes"], part["deals"]) for part in card["figures"]["parts"]]
    assert told[:2] == [(["Ann"], 0, 61, 3), (["Cy"], 0, 60, 3)]
    assert (told[2][0], told[2][3]) == (["Bob"], 6)
    assert (card["players"], card["substitutes"]) == (["Ann", "Bob"], [{"seat": 0, "name": "Cy"}])
    assert sheet.players == ("Cy", "Bob")


def test_the_list_is_found_by_who_took_over_and_statistics_have_no_other(table):
    ann_leaves_at_61(table)
    cy_wins(table)
    past = History(table.folder)
    for name in ("Ann", "Bob", "Cy"):
        assert len(past.games(9, player=name)["games"]) == 1
        assert [row["names"] for row in statistics(table, player=name)["players"]] == [[name]]
    assert past.games(9, player="Dee")["games"] == []


def test_who_took_over_finds_a_running_and_an_abandoned_game(table):
    ann_leaves_at_61(table)
    past = History(table.folder)
    assert [game["over"] for game in past.games(9, player="CY")["games"]] == [False]
    table.ask(Rename(0, "Cy", "Dee"))
    assert past.games(9, player="Cy")["games"] == []
    table.ask(Start(Rules(), ("Eve", "Flo")), replaces=table.view.id, director=True)
    assert [game["abandoned"] for game in past.games(9, player="Dee")["games"]] == [True]


def test_who_took_over_does_not_find_a_game_in_which_that_was_undone(table):
    table.ask(CY_FOR_ANN)
    table.ask(TakeBack(1))
    assert History(table.folder).games(9, player="Cy")["games"] == []


def test_undone_nothing_of_cy_is_left(table):
    ann_leaves_at_61(table)
    line = str(len(table.view.game.entries))
    cy_wins(table)
    table.ask(TakeBack(int(line)))
    assert [row["names"] for row in statistics(table)["players"]] == [["Ann"], ["Bob"]]
    assert "substitutes" not in History(table.folder).game(table.view.id)[0]
    assert summary_rows(table.folder) == rebuild_summary(table)


def test_names_are_corrected_in_summaries_of_who_took_over(table):
    ann_leaves_at_61(table)
    cy_wins(table)
    first = table.view.id
    next_game(table)
    table.score(0, 3)
    table.ask(Rename(0, "Cy", "Dee"))
    assert {tuple(row["names"]) for row in statistics(table)["players"]} == {("Ann",), ("Bob",), ("Dee",)}
    card, sheet = History(table.folder).game(first)
    assert (card["substitutes"], sheet.players) == ([{"seat": 0, "name": "Dee"}], ("Dee", "Bob"))
    assert len(History(table.folder).games(9, player="Dee")["games"]) == 2
    assert summary_rows(table.folder) == rebuild_summary(table)
    table.reopen()
    assert table.view.game.players == ("Dee", "Bob")


def test_summaries_are_the_same_after_each_event_and_after_a_rebuild(table):
    ann_leaves_at_61(table)
    table.ask(Substitute(0, "Cy", "Ann"))
    cy_wins(table)
    next_game(table)
    table.ask(Substitute(1, "Bob", "Dee"))
    table.score(0, 2)
    table.ask(Abandon("the train leaves"))
    assert summary_rows(table.folder) == rebuild_summary(table)


def test_partners_are_another_pair_from_then_on(tmp_path):
    table = Table(tmp_path, Setup(Rules.named("partners"), ("Ann", "Bob", "Cy", "Dee")))
    table.score(0, 20)
    table.ask(Substitute(2, "Cy", "Player 5"))
    table.win(0)
    rows = {tuple(row["names"]): (row["games"], row["took_over"]) for row in statistics(table)["players"]}
    assert rows == {("Ann", "Cy"): (1, 0), ("Bob", "Dee"): (1, 0), ("Ann", "Player 5"): (0, 1)}
    assert len(History(table.folder).games(9, player="Player 5")["games"]) == 1
    assert summary_rows(table.folder) == rebuild_summary(table)


# --- out of the house ---


def test_spreadsheets_name_who_played_when(table):
    ann_leaves_at_61(table)
    cy_wins(table)
    lines = [row.split(",") for row in sheet_text(table.view.game).splitlines()]
    owners = {row[3] for row in lines[1:14]}
    assert owners == {"Ann", "Bob"}
    sub = next(row for row in lines if row[2] == "substitute")
    assert (sub[3], sub[-1]) == ("Ann", "Cy")
    later = lines[lines.index(sub) + 1 :]
    assert {row[3] for row in later} == {"Cy", "Bob"}
    head, game = "".join(game_parts(table.folder)).splitlines()
    assert head.endswith(",substitutes")
    assert game.split(",")[9] == "Ann"
    assert game.endswith(",Cy for Ann")


def test_a_spreadsheet_names_who_left_by_an_undone_line_when_it_was_made(table):
    for command in (CY_FOR_ANN, Substitute(0, "Cy", "Ann"), TakeBack(2), TakeBack(1)):
        table.ask(command)
    rows = [row.split(",") for row in sheet_text(table.view.game).splitlines()[1:]]
    assert [(row[3], row[-1], row[9]) for row in rows] == [("Ann", "Cy", "no"), ("Cy", "Ann", "no")]


def test_another_table_imports_it_with_the_same_figures(table, tmp_path):
    table.ask(GiveHeadStart(1, 20), base=0)
    ann_leaves_at_61(table)
    cy_wins(table)
    next_game(table)
    table.ask(Rename(0, "Cy", "Dee"))
    with Journal(tmp_path / "there") as there:
        assert import_lines(there, export_lines(table.folder)).games == 2
    found = History(tmp_path / "there").statistics(StatisticsQuery())
    assert found["players"] == statistics(table)["players"]
    assert {name for row in found["players"] for name in row["names"]} == {"Ann", "Bob", "Dee"}


def test_an_import_of_a_line_that_no_table_could_make_is_refused(table, tmp_path):
    table.score(0, 4)
    table.ask(CY_FOR_ANN)
    there = Table(tmp_path / "there").journal
    for name, says in (
        ("Bob", "two players are called Bob"),
        ("", "1 to 64 characters"),
        (" Cy", "`name` would be"),
    ):
        lines = [line.replace('"name":"Cy"', f'"name":"{name}"') for line in export_lines(table.folder, "away")]
        with pytest.raises(BadImport, match=says):
            import_lines(there, lines)


def test_a_version_that_does_not_know_the_lines_says_so_and_leaves_the_journal_alone(table, monkeypatch):
    """Version 0.2.0 reads the journal but not these kinds; as it compares kinds, so does this one without them."""
    ann_leaves_at_61(table)
    table.journal.close()
    with closing(sqlite3.connect(table.folder / FILE)) as db:
        known = {kind: cls for kind, cls in wire.EVENTS.items() if kind not in {"substituted", "head_start_given"}}
        db.execute("PRAGMA user_version = 9")
        db.execute("UPDATE about SET min_reader = 5")
        db.commit()
    monkeypatch.setattr(newer_journal.wire, "EVENTS", known)
    before = (table.folder / FILE).read_bytes()
    with pytest.raises(JournalError, match=r"has 1 entries of kinds .*\(substituted\)"):
        Journal(table.folder)
    assert (table.folder / FILE).read_bytes() == before
    monkeypatch.undo()
    table.open()
    assert (table.view.game.players, check(table.folder)) == (("Cy", "Bob"), len(list(table.journal.rows())))


def test_a_game_without_them_goes_back_as_before(table, monkeypatch):
    table.score(0, 4)
    table.journal.close()
    known = {kind: cls for kind, cls in wire.EVENTS.items() if kind not in {"substituted", "head_start_given"}}
    with closing(sqlite3.connect(table.folder / FILE)) as db:
        db.execute("PRAGMA user_version = 9")
        db.commit()
    monkeypatch.setattr(newer_journal.wire, "EVENTS", known)
    table.open()
    assert table.fronts() == [4, 0]
    table.ask(Score(3, 1))
    table.ask(Start(Rules(), ("Ann", "Bob")), replaces=table.view.id, director=True)
