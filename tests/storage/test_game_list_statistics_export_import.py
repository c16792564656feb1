"""List of games and statistics against a plain sum over the raw rows; export and import there and back."""

import contextlib
import csv
import io
import itertools
import json
import random
import re
import shutil
import tempfile
import unicodedata
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pegboard import Abandon, Amend, Restore, Rules, Score, Start, TakeBack
from pegboard.cli.main import main
from pegboard.core.board import Game
from pegboard.core.match import Setup
from pegboard.core.moves import OverPeg, PegBack, SetPegs, Stage
from pegboard.core.referee import apply
from pegboard.core.wire import read_event
from pegboard.errors import BadImport, PegboardError, RuleError
from pegboard.json_parser import canonical_json
from pegboard.storage.event_row import replay_on, replay_rows
from pegboard.storage.games import History
from pegboard.storage.journal.journal import Journal
from pegboard.storage.reader import JournalReader, check, read_events, read_snapshot
from pegboard.storage.statistics import StatisticsQuery, spellings_of
from pegboard.storage.transfer.exporting import event_lines, event_parts, game_parts, sheet_text
from pegboard.storage.transfer.import_check import check_import
from pegboard.storage.transfer.import_parser import last_lines
from tests.core.course_accuracy import WAYS, entered
from tests.oracles import score_keeper
from tests.oracles.figures_on_paper import Paper
from tests.support import dealing
from tests.support.dealing import MIX
from tests.support.long_runs import some_of
from tests.support.scoreboard_on_a_folder import Table

NAMES = ("Ann", "Bob")


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path / "here")


def history(table):
    return table.board.history


def statistics(table, **query):
    return history(table).statistics(StatisticsQuery(**query))


def win(table, seat=0, hands=(29, 24, 12)):
    """Deal after deal: `seat` counts these hands in turn, the other pegs 1 for the go."""
    points = itertools.cycle(hands)
    table.now += 60_000_000_000
    while table.view.game.outcome is None:
        game = table.view.game
        pone = 1 - game.dealer
        table.score(1 - seat, 1, "go")
        for each in (pone, game.dealer):
            if table.view.game.outcome is None:
                table.score(each, next(points) if each == seat else 2, "hand")
        if table.view.game.outcome is None:
            table.score(game.dealer, 0, "crib")


def next_game(table, rules=None, players=NAMES, **more):
    now = table.view
    unfinished = None if now.game.outcome else now.id
    table.ask(Start(rules or now.game.rules, players, **more), director=True, replaces=unfinished)


# --- the list ---


def test_games_are_listed_newest_first_in_pages(table):
    ids = [table.view.id]
    for n in range(4):
        win(table, seat=n % 2)
        next_game(table)
        ids.insert(0, table.view.id)
    first = history(table).games(2)
    assert [card["id"] for card in first["games"]] == ids[:2]
    second = history(table).games(2, first["before"])
    third = history(table).games(2, second["before"])
    assert [card["id"] for page in (second, third) for card in page["games"]] == ids[2:]
    assert third["before"] is None
    assert history(table).games(2, "no-such-game") is None


def test_the_game_on_the_table_is_in_the_list(table):
    table.score(0, 8, "hand")
    (card,) = history(table).games(9)["games"]
    assert (card["running"], card["over"], card["fronts"], card["ended"]) == (True, False, [8, 0], None)
    assert card["started"] == 1_795_000_000.0


def test_a_game_during_which_the_clock_was_set_back_tells_no_end(table):
    table.now -= 10**18
    win(table)
    (card,) = history(table).games(9)["games"]
    assert (card["started"], card["ended"], card["over"]) == (1_795_000_000.0, None, True)


def test_an_item_of_the_list_says_how_a_game_ended(table):
    win(table, seat=1)
    (card,) = history(table).games(9)["games"]
    assert (card["winner"], card["fronts"][1], card["skunks"], card["points"]) == (1, 121, [2, 0], 3)
    assert (card["corrected"], card["ended"], card["over"]) == (False, 1_795_000_060.0, True)


def test_a_correction_after_the_end_is_shown_and_counts(table):
    win(table, seat=0)
    game = table.view.id
    base = table.view.game.revisions[1]
    table.rule(SetPegs(1, 100, 90), base=base)
    card = history(table).games(9)["games"][0]
    assert (card["corrected"], card["skunks"], card["points"], card["fronts"]) == (True, [0, 0], 1, [121, 100])
    (bob,) = [row for row in statistics(table)["players"] if row["names"] == ["Bob"]]
    assert bob["skunks"]["taken"] == [0, 0, 0]
    assert history(table).game(game)[0]["correctable"]


def test_a_game_that_is_opened_again_leaves_the_statistics(table):
    win(table)
    assert statistics(table)["games"] == 1
    newest = table.view.game.newest_standing()
    table.rule(Amend(newest, 1, table.view.game.entries[newest - 1].event.points))
    assert table.view.game.outcome is None
    assert statistics(table)["games"] == 0
    assert not history(table).games(9)["games"][0]["over"]


def test_a_game_given_up_is_listed_when_something_was_played(table):
    table.score(0, 5)
    given_up = table.view.id
    table.ask(Start(Rules(), NAMES), replaces=given_up)
    table.ask(Abandon())
    cards = history(table).games(9)["games"]
    assert [(card["id"], card["abandoned"]) for card in cards if card["id"] == given_up] == [(given_up, True)]
    assert [card["running"] for card in cards] == [True, False]
    told = statistics(table)
    assert (told["games"], told["left_out"]) == (0, {"games_given_up": 1, "games_unfinished": 0})


def test_a_clock_that_is_set_back_leaves_the_order_of_the_games(table):
    ids = []
    for _ in range(3):
        win(table)
        ids.insert(0, table.view.id)
        table.now -= 10**18
        next_game(table)
    assert [card["id"] for card in history(table).games(9)["games"]][1:] == ids


# --- statistics ---


def test_streaks_go_over_all_games_of_a_player(table):
    for seat in (0, 0, 0, 1, 0, 1, 1):
        win(table, seat)
        next_game(table)
    ann, bob = sorted(statistics(table)["players"], key=lambda row: row["names"])
    assert (ann["won"], ann["lost"], ann["streak"], ann["longest"]) == (4, 3, -2, 3)
    assert (bob["won"], bob["lost"], bob["streak"], bob["longest"]) == (3, 4, 2, 2)


def test_the_pairs_tell_who_beat_whom(table):
    win(table, 0)
    next_game(table, players=("Bob", "Cy"))
    win(table, 0)
    next_game(table, players=("Bob", "Ann"))
    win(table, 0)
    told = statistics(table)["head_to_head"]
    assert [(pair["names"], pair["games"], pair["won"]) for pair in told] == [
        ([["Ann"], ["Bob"]], 2, [1, 1]),
        ([["Bob"], ["Cy"]], 1, [1, 0]),
    ]
    only = statistics(table, player="Cy")
    assert [row["names"] for row in only["players"]] == [["Cy"]]
    assert (only["games"], [pair["names"] for pair in only["head_to_head"]]) == (1, [[["Bob"], ["Cy"]]])


def test_matches_count_when_they_are_decided(table):
    next_game(table, format="best of 3")
    for seat in (0, 1):  # each wins by a double skunk, which counts as three games
        win(table, seat)
        next_game(table)
    rows = {row["names"][0]: row["matches"] for row in statistics(table)["players"]}
    assert rows == {"Ann": {"played": 2, "won": 1}, "Bob": {"played": 2, "won": 1}}


def test_partners_are_one_pair_whoever_sits_first(table):
    four = ("Dee", "Bob", "Ann", "Cy")
    next_game(table, Rules.named("partners"), four)
    table.win(seat=0)
    next_game(table, Rules.named("partners"), ("Ann", "Bob", "Dee", "Cy"))
    table.win(seat=0)
    rows = statistics(table)["players"]
    assert [(row["names"], row["won"]) for row in rows] == [(["Ann", "Dee"], 2), (["Bob", "Cy"], 0)]
    assert [row["names"] for row in statistics(table, player="Dee")["players"]] == [["Ann", "Dee"]]


def test_names_that_look_alike_are_one_player_as_typed_last(table):
    """In another case, in full-width letters, or with its accents as letters of their own."""
    composed, parts = unicodedata.normalize("NFC", "Jos\u00e9"), unicodedata.normalize("NFD", "Jos\u00e9")
    for players in ((composed, "BOB"), (parts, "bob"), ("Jos\u00c9", "Cy"), ("Jos\u00e9".upper(), "Bob")):
        next_game(table, players=players)
        win(table, 0)
    found = statistics(table)
    assert [(row["names"], row["games"], row["won"], row["streak"]) for row in found["players"]] == [
        *[(["JOS\u00c9"], 4, 4, 4), (["Bob"], 3, 0, -3), (["Cy"], 1, 0, -1)]
    ]
    assert [(pair["names"], pair["games"]) for pair in found["head_to_head"]] == [
        *[([["Bob"], ["JOS\u00c9"]], 3), ([["Cy"], ["JOS\u00c9"]], 1)]
    ]
    only = statistics(table, player="bOB")
    assert (only["games"], [row["names"] for row in only["players"]]) == (3, [["Bob"]])
    assert len(history(table).games(9, player="boB")["games"]) == 3


def test_the_names_that_look_as_the_player_are_looked_up_once(table, monkeypatch):
    """Not anew for each of a hundred players."""
    for players in (("Ann", "Bob"), ("ann", "Cy"), ("Ann", "Dee")):
        next_game(table, players=players)
        win(table, 0)
    looked = []

    def look_up(journal, player):
        looked.append(player)
        return spellings_of(journal, player)

    monkeypatch.setattr("pegboard.storage.statistics.spellings_of", look_up)
    assert [row["names"] for row in statistics(table, player="ann")["players"]] == [["Ann"]]
    assert looked == ["ann"]


def test_partners_that_look_alike_are_one_pair_in_any_order(table):
    for players in (("Ann", "Bob", "dee", "Cy"), ("DEE", "Bob", "ann", "cy")):
        next_game(table, Rules.named("partners"), players)
        table.win(seat=0)
    rows = statistics(table)["players"]
    assert [(row["names"], row["games"]) for row in rows] == [(["Bob", "cy"], 2), (["DEE", "ann"], 2)]


def test_solitaire_has_statistics_of_its_own(table):
    next_game(table, Rules.named("solitaire"), ("Ann",))
    table.win(seat=0)
    (ann,) = statistics(table)["players"]
    assert (ann["games"], ann["solitaire"]) == (
        0,
        {"games": 1, "won": 1, "greater": 1, "best": 121, "average": 121.0},
    )
    assert statistics(table)["head_to_head"] == []


def test_each_of_three_is_skunked_alone(table):
    next_game(table, Rules.named("three-handed"), ("Ann", "Bob", "Cy"))
    for _ in range(4):
        table.score(1, 29)
    table.win(seat=0)
    rows = {row["names"][0]: row for row in statistics(table)["players"]}
    assert rows["Ann"]["skunks"] == {"given": [0, 1, 0], "taken": [0, 0, 0]}
    assert (rows["Bob"]["skunks"]["taken"], rows["Cy"]["skunks"]["taken"]) == ([0, 0, 0], [0, 1, 0])
    assert (rows["Cy"]["lost"], rows["Cy"]["dealer"]["par"]) == (1, None)


def test_filters_leave_other_games_out(table):
    win(table)
    table.now = 1_800_000_000_000_000_000
    next_game(table, Rules.named("short"))
    win(table)
    told = history(table)
    assert told.statistics(StatisticsQuery(variant="short"))["games"] == 1
    assert told.statistics(StatisticsQuery(since=1_799_000_000_000_000_000))["games"] == 1
    assert told.statistics(StatisticsQuery())["games"] == 2


def evening(table, dice, games=14):
    """Games as they come: keys without reasons, deals passed by DEAL, corrections, several players and variants."""
    for _ in range(games):
        rules = Rules.named(dice.choice(["standard", "standard", "short", "box-sheet"]))
        players = tuple(dice.sample(["Ann", "Bob", "Cy", "Dee"], 2))
        next_game(table, rules, players)
        while table.view.game.outcome is None:
            one_line(table, dice)
        if dice.random() < 0.3:
            table.rule(SetPegs(0, 60, 50))
        table.now += 10**12


def one_line(table, dice):
    game = table.view.game
    why = dice.choice([None, *["go"] * 5, *["hand"] * 20, *["crib"] * 8])
    seat = game.dealer if why == "crib" else dice.randrange(2)
    points = 1 if why == "go" else dice.choice([0, 2, 6, 8, 12, 24, 28, 29])
    table.score(seat, points, why)
    if dice.random() < 0.05:
        newest = table.view.game.newest_standing()
        table.rule(Amend(newest, 4 if points != 4 and why != "go" else 1, points)) if why != "go" else None


def on_paper(rows):
    """What a plain sum over the events says of each player; of the program only the course is asked."""
    paper, names, order, games = score_keeper.Evening(), {}, [], {}
    for game, kind, body in rows:
        paper.read(game, kind, body)
        games[game] = apply(games.get(game, Game()), read_event(kind, body, body["v"]))
        if kind == "started":
            names[game] = body["players"]
            order.append(game)
    rows = {}
    for game in order:
        sheet = paper.sheets[game]
        if game in paper.given_up or not sheet.now.over:
            continue
        figures = Paper(sheet, games[game].followed)
        for lane, name in enumerate(names[game]):
            add(rows.setdefault(name, Counter(best=Counter())), sheet, figures, lane)
    return rows


def add(row, sheet, figures, lane):
    row["games"] += 1
    row["won"] += sheet.now.winner == lane
    fronts, winner = [front for front, _ in sheet.now.pegs], sheet.now.winner
    row["spread"] += sum(fronts[lane] - front for front in fronts) if winner == lane else fronts[lane] - fronts[winner]
    missed = sheet.now.skunks()
    row[f"taken {missed[lane]}"] += 1
    for other, lines in enumerate(missed):
        row[f"given {lines}"] += winner == lane != other
    last = figures.last
    for number, deal in figures.deals.items():
        whole = number < last and deal["counted"]
        row["unfinished"] += not whole
        row["unknown"] += whole and not deal["known"]
        if whole and not deal["known"]:
            row["unknown points"] += sum(deal["lanes"][lane][part] for part in ("play", "hand", "crib", "unknown"))
        if whole and deal["known"]:
            role = "dealer" if deal["dealer"] == lane else "pone"
            row[role] += 1
            row[f"{role} points"] += sum(deal["lanes"][lane][part] for part in ("play", "hand", "crib"))
    row["best"].update(points for points, _, _, of, _, _ in figures.hands if of == lane)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_statistics_are_a_plain_sum_over_the_raw_rows(table, seed):
    evening(table, random.Random(seed))
    rows = (tuple(row) for _, *row in score_keeper.rows(table.folder / "journal.db"))
    are_the_same(table, on_paper(rows))


def are_the_same(table, paper):
    """The statistics of each player and what was added up on paper."""
    told = {row["names"][0]: row for row in statistics(table)["players"]}
    assert told.keys() == paper.keys()
    for name, plain in paper.items():
        row = told[name]
        assert (row["games"], row["won"], row["spread"]) == (plain["games"], plain["won"], plain["spread"])
        assert row["skunks"]["taken"] == [plain[f"taken {n}"] for n in (1, 2, 3)]
        assert row["skunks"]["given"] == [plain[f"given {n}"] for n in (1, 2, 3)]
        for role in ("dealer", "pone"):
            assert row[role]["deals"] == plain[role]
            average = plain[f"{role} points"] / plain[role] if plain[role] else None
            assert row[role]["average"] == (None if average is None else round(average, 2))
        assert row["wall"] == {str(points): plain["best"][points] for points in (24, 28, 29)}
        assert row["left_out"]["unfinished"] == plain["unfinished"]
        assert (row["left_out"]["unknown"], row["left_out"]["points"]) == (plain["unknown"], plain["unknown points"])
        best = sorted(plain["best"].elements(), reverse=True)[:5]
        assert [hand["points"] for hand in row["best_hands"]] == [points for points in best if points]


@pytest.mark.parametrize("seed", range(some_of(10, share=10)))
def test_the_statistics_of_dealt_games_are_a_plain_sum_over_the_exported_lines(table, seed):
    """Dealt cards of up to thirty games, by numbers, buttons and keys, put right at every place, after the end too."""
    dice = random.Random(seed)
    for _ in range(some_of(30)):
        dealt_game(table, dice)
    lines = map(json.loads, "".join(event_parts(table.folder)).splitlines())
    are_the_same(table, on_paper((line["game"], line["kind"], line["body"] | {"v": line["v"]}) for line in lines))


def dealt_game(table, dice):
    """One game to its end; about one entry in ten is put right at once, and three are later."""
    rules = Rules.named(dice.choice(["standard", "short", "cut-throat-four"]))
    next_game(table, rules, tuple(dice.sample(["Ann", "Bob", "Cy", "Dee"], rules.seats)))
    first, said = table.view.game.first_dealer, WAYS[dice.choice(sorted(WAYS))]
    kinds = [dice.choice(MIX) for _ in range(rules.seats)]
    while table.view.game.outcome is None:
        for truth, points, why in entered(dice, dealing.game(dice, dealing.table_of(rules), first, kinds), said):
            if table.view.game.outcome is not None:
                break
            table.score(truth.seat, points, why)
            if dice.random() < 0.1:
                put_right(table, dice, len(table.view.game.entries))
    for _ in range(3):
        put_right(table, dice, dice.randint(1, len(table.view.game.entries)))
    while table.view.game.outcome is None:
        table.score(dice.randrange(2), dice.choice((2, 6, 12)))
    table.now += 10**12


def put_right(table, dice, line):
    """Some correction of a line, where it can be made."""
    event = table.view.game.entries[line - 1].event
    points, why = getattr(event, "points", 0), dice.choice(["hand", "crib", None])
    commands = [
        Amend(line, dice.choice([0, 2, 4, 6, 8, 12, 24]), points),
        Amend(line, None, points, why=why),
        Amend(line, None, points, seat=dice.randrange(2)),
        TakeBack(line),
        Restore(line),
        OverPeg(line, max(0, points - 1), points),
        Stage(dice.choice(["play", "show"])),
    ]
    with contextlib.suppress(PegboardError):
        table.rule(dice.choice(commands))


def test_a_summary_updated_event_by_event_equals_a_rebuilt_one(table):
    evening(table, random.Random(3), games=6)
    then = summary_rows(table.folder)
    table.journal._db.execute("PRAGMA user_version = 2")
    table.reopen()
    assert summary_rows(table.folder) == then


AMOUNTS = (0, 1, 2, 4, 8, 12, 24, 28, 29)

corrections = st.lists(
    st.tuples(
        st.sampled_from(["amend", "amend", "undo", "redo", "set", "back"]), st.integers(0, 99), st.sampled_from(AMOUNTS)
    ),
    max_size=6,
)


@settings(max_examples=some_of(60), suppress_health_check=[HealthCheck.too_slow])
@given(dice=st.randoms(use_true_random=False), after_the_end=corrections)
def test_after_random_corrections_the_summary_equals_a_rebuilt_one(dice, after_the_end):
    with tempfile.TemporaryDirectory() as folder:
        table = Table(Path(folder), Setup(Rules.named("short"), NAMES))
        while table.view.game.outcome is None:
            one_line(table, dice)
        for did, pick, points in after_the_end:
            correct(table, did, pick, points)
        then, told = summary_rows(table.folder), statistics(table)
        table.journal._db.execute("PRAGMA user_version = 2")
        table.reopen()
        assert summary_rows(table.folder) == then
        assert statistics(table) == told
        table.journal.close()


def correct(table, did, pick, points):
    """A judge's correction of some line, where it can be made."""
    line = 1 + pick % len(table.view.game.entries)
    was = getattr(table.view.game.entries[line - 1].event, "points", 0)
    commands = {
        "amend": Amend(line, points, was),
        "undo": TakeBack(line),
        "redo": Restore(line),
        "set": SetPegs(pick % 2, 30 + points, 20),
        "back": PegBack(pick % 2, 1 + points),
    }
    with contextlib.suppress(RuleError):
        table.rule(commands[did])


def test_a_hand_put_right_before_pegs_were_set_reaches_the_wall(table):
    table.score(1, 24, "hand")
    table.rule(SetPegs(1, 40, 30))
    win(table, seat=0)
    before = history(table).games(9)["games"][0]
    assert on_the_wall(table, "Bob") == 1
    table.rule(Amend(1, 10, 24))
    after = history(table).games(9)["games"][0]
    assert (after["fronts"], after["winner"]) == (before["fronts"], before["winner"])
    assert on_the_wall(table, "Bob") == 0


def on_the_wall(table, name):
    """How often a player has counted 24."""
    (row,) = [row for row in statistics(table)["players"] if row["names"] == [name]]
    return row["wall"]["24"]


def summary_rows(folder):
    kept = "id, match, format, started, abandoned, result, imported, place, variant, over"
    with read_snapshot(folder) as journal:
        games = journal.select(f"SELECT {kept}, CASE WHEN over THEN card END FROM game ORDER BY id")
        return games, journal.select("SELECT * FROM seat"), journal.select("SELECT * FROM side ORDER BY game, lane")


# --- there and back ---


def export_lines(folder, named="game"):
    """The lines of an export; a test's games are called alike at each table, unless they are `named` otherwise."""
    with read_events(folder) as rows:
        return [line.replace('"game-', f'"{named}-') for line in event_lines(rows)]


def import_lines(journal, lines):
    lines = [line.encode() if isinstance(line, str) else line for line in lines]
    return journal.import_games(check_import(lines, last_lines(lines), journal.rows))


def test_a_game_by_a_preset_goes_there_and_back_with_its_name_and_what_was_changed(table, tmp_path):
    table.rule(Start(Rules(), NAMES, preset="1922 laws", house=("confirm=on",)), replaces=table.view.id)
    table.win()
    lines = list(event_lines(table.journal.rows()))
    with contextlib.closing(Journal(tmp_path / "there")) as there:
        assert import_lines(there, lines).games == 2
        (game,) = [one for one in History(there.folder).games(9)["games"] if one["over"]]
        again = list(event_lines(there.rows()))
    assert game["preset"] == {"name": "1922 laws", "chosen": [], "changed": ["confirm=on"]}
    assert [json.loads(line)["body"] for line in again] == [json.loads(line)["body"] for line in lines]


def test_a_game_by_a_preset_that_nobody_knows_is_refused_and_nothing_is_imported(table, tmp_path):
    table.rule(Start(Rules(), NAMES, preset="1922 laws"), replaces=table.view.id)
    lines = [line.replace("1922 laws", "1925 laws") for line in event_lines(table.journal.rows())]
    with contextlib.closing(Journal(tmp_path / "there")) as there:
        with pytest.raises(BadImport, match='there is no preset "1925 laws"'):
            import_lines(there, lines)
        assert list(there.rows()) == []


def everything(folder):
    told = History(folder).statistics(StatisticsQuery())
    return {name: value for name, value in told.items() if name != "left_out"}


def test_an_export_gives_the_same_lists_and_statistics_at_another_table(table, tmp_path):
    evening(table, random.Random(4), games=8)
    lines = export_lines(table.folder)
    with Journal(tmp_path / "there") as there:
        report = import_lines(there, lines)
        assert report.events == len(lines) == there.last_id
        assert import_lines(there, lines) == type(report)(0, 0, report.games)
        assert there.running_game() is None
        again = export_lines(tmp_path / "there")
    assert [json.loads(line) | {"id": 0} for line in again] == [json.loads(line) | {"id": 0} for line in lines]
    assert everything(tmp_path / "there") == everything(table.folder)
    assert check(tmp_path / "there") == len(lines)


def test_a_table_that_plays_on_keeps_its_game_and_its_match(table, tmp_path):
    other = Table(tmp_path / "there")
    win(other, 1)
    next_game(other)
    other.score(0, 4)
    win(table, 0)
    next_game(table)
    table.score(0, 7)
    before = table.view
    lines = [line.encode() for line in export_lines(other.folder, "away")]
    report = table.board.import_games(list(check_import(lines, last_lines(lines), history(table).rows)))
    assert (report.games, table.view.id, table.view.game) == (2, before.id, before.game)
    assert table.view.match == before.match
    assert table.view.revision == before.revision + len(lines)
    table.score(1, 5)
    table.reopen()
    assert (table.fronts(), table.view.match) == ([7, 5], before.match)
    cards = history(table).games(9)["games"]
    assert Counter((card["imported"], card["over"], card["running"]) for card in cards) == {
        (False, True, False): 1,
        (False, False, True): 1,
        (True, True, False): 1,
        (True, False, False): 1,
    }
    assert statistics(table)["left_out"]["games_unfinished"] == 1
    check(table.folder)


def test_a_rebuilt_summary_leaves_imported_games_imported(table, tmp_path):
    evening(table, random.Random(5), games=3)
    with Journal(tmp_path / "there") as there:
        import_lines(there, export_lines(table.folder))
        then = summary_rows(tmp_path / "there")
        there._db.execute("PRAGMA user_version = 2")
    with Journal(tmp_path / "there") as there:
        assert there.running_game() is None
        assert summary_rows(tmp_path / "there") == then


def test_an_import_abandons_no_game_of_this_table(table, tmp_path):
    """A game from away that replaced one whose id is ours."""
    other = Table(tmp_path / "there")
    lines = [json.loads(line) for line in export_lines(other.folder, "away")]
    lines[0]["body"]["replaces"] = table.view.id
    lines[0]["game"] = lines[0]["body"]["match"] = "from-away"
    import_lines(table.journal, [json.dumps(line) for line in lines])
    assert table.journal.running_game() == table.view.id


AWAY = "away-0-1"


def unfinished_then_finished(tmp_path):
    """An export while a game goes on, and the one after its end."""
    other = Table(tmp_path / "away")
    other.score(0, 2, "play")
    before = export_lines(other.folder, "away")
    win(other)
    return before, export_lines(other.folder, "away")


def test_a_game_that_was_imported_unfinished_goes_on(table, tmp_path):
    before, after = unfinished_then_finished(tmp_path)
    past = History(table.folder)
    then = past.statistics_revision(), statistics(table)["left_out"]["games_unfinished"]
    assert import_lines(table.journal, before).games == 1
    assert past.statistics_revision() > then[0]
    assert statistics(table)["left_out"]["games_unfinished"] == then[1] + 1
    told = import_lines(table.journal, after)
    assert (told.games, told.events, told.skipped, told.continued) == (0, len(after) - len(before), 0, 1)
    assert (statistics(table)["games"], statistics(table)["left_out"]["games_unfinished"]) == (1, 0)
    assert import_lines(table.journal, before).skipped == import_lines(table.journal, after).skipped == 1
    assert check(table.folder) == table.journal.last_id
    then = summary_rows(table.folder)
    table.journal._db.execute("PRAGMA user_version = 2")
    table.reopen()
    assert summary_rows(table.folder) == then


def test_a_game_with_other_events_than_here_is_skipped_and_reported(table, tmp_path):
    before, after = unfinished_then_finished(tmp_path)
    import_lines(table.journal, before)
    other = [json.loads(line) for line in after]
    other[1]["body"]["points"] = 6
    told = import_lines(table.journal, [json.dumps(line) for line in other])
    assert (told.games, told.events, told.skipped, told.continued, told.differing) == (0, 0, 1, 0, 1)
    assert len(table.journal.rows(AWAY)) == len(before)


def test_a_game_that_another_import_has_continued_meanwhile_is_skipped(table, tmp_path):
    before, after = unfinished_then_finished(tmp_path)
    import_lines(table.journal, before)
    lines = [line.encode() for line in after]
    read = list(check_import(lines, last_lines(lines), table.journal.rows))
    assert table.journal.import_games(read).continued == 1
    again = table.journal.import_games(read)
    assert (again.events, again.skipped, again.continued) == (0, 1, 0)


def test_an_import_abandons_only_unfinished_games_of_the_same_table(table, tmp_path):
    before, after = unfinished_then_finished(tmp_path)
    start = json.loads(before[0])

    def replacing(named, **other):
        body = start["body"] | {"replaces": AWAY, "match": named}
        return json.dumps(start | {"game": named, "body": body} | other)

    import_lines(table.journal, before)
    import_lines(table.journal, [replacing("stranger", epoch="another-table")])
    assert not list_item_of(table, AWAY)["abandoned"]
    import_lines(table.journal, after)
    import_lines(table.journal, [replacing("later")])
    assert (list_item_of(table, AWAY)["over"], list_item_of(table, AWAY)["abandoned"]) == (True, False)
    assert statistics(table)["games"] == 1
    with Journal(tmp_path / "third") as third:
        import_lines(third, [*before, replacing("later")])
        assert import_lines(third, after).differing == 1, "what was given up does not go on"
        cards = {card["id"]: card["abandoned"] for card in History(tmp_path / "third").games(9)["games"]}
        assert cards == {AWAY: True, "later": False}
        then = summary_rows(tmp_path / "third")
        third._db.execute("PRAGMA user_version = 2")
    with Journal(tmp_path / "third"):
        assert summary_rows(tmp_path / "third") == then


def order_of_play(folder):
    return [card["id"] for card in History(folder).games(9)["games"]][::-1]


def test_games_are_imported_in_the_order_of_play_though_their_clock_went_back(table, tmp_path):
    """Also game by game, and in a journal in which an earlier version has sorted them by time."""
    for _ in range(3):
        win(table)
        table.now -= 10**17
        next_game(table)
    played, lines, there = order_of_play(table.folder), export_lines(table.folder), tmp_path / "there"
    second = next(n for n, line in enumerate(lines) if json.loads(line)["game"] == played[1])
    with Journal(there) as away:
        import_lines(away, lines[:second])
        import_lines(away, lines)
        assert order_of_play(there) == played
        then = summary_rows(there)
        with away._db:
            away._db.execute("UPDATE game SET place = (SELECT at FROM event WHERE event.id = game.started)")
        away._db.execute("PRAGMA user_version = 6")
    assert order_of_play(there) == played[::-1]
    with Journal(there):
        assert (order_of_play(there), summary_rows(there)) == (played, then)


def test_games_of_two_tables_are_imported_by_their_time(table, tmp_path):
    other = Table(tmp_path / "other")
    other.now += 30_000_000_000
    for one in (table, other):
        win(one)
        next_game(one)
    with Journal(tmp_path / "there") as there:
        import_lines(there, export_lines(table.folder, "here"))
        import_lines(there, export_lines(other.folder, "other"))
    began = [card["started"] for card in History(tmp_path / "there").games(9)["games"]]
    assert (len(began), began) == (4, sorted(began, reverse=True))


def list_item_of(table, game):
    return next(card for card in history(table).games(9)["games"] if card["id"] == game)


def test_an_imported_game_is_summarized_before_the_transaction_and_listed_without_replay(table, tmp_path, monkeypatch):
    """A list of imported unfinished games replays none of them, and the transaction does not wait for their figures."""
    before, after = unfinished_then_finished(tmp_path)
    computed = []
    lines = [line.encode() for line in after]
    read = list(check_import(lines, last_lines(lines), table.journal.rows))
    monkeypatch.setattr("pegboard.storage.summary.figures", computed.append)
    monkeypatch.setattr("pegboard.storage.summary.list_item", computed.append)
    table.journal.import_games(read)
    unfinished = [json.loads(line) for line in before]
    monkeypatch.undo()
    import_lines(table.journal, [json.dumps(line | {"game": "unfinished"}) for line in unfinished])
    replayed = []
    monkeypatch.setattr(
        "pegboard.storage.games.replay_on", lambda game, rows: replayed.append(rows) or replay_on(game, rows)
    )
    assert len(history(table).games(9)["games"]) == 3
    assert (computed, len(replayed)) == ([], 1), "only the game in progress is replayed"


def test_an_imported_match_is_settled_once_however_many_games_it_has(table, tmp_path, monkeypatch):
    _, after = unfinished_then_finished(tmp_path)
    asked = []
    lines = []
    for n in range(20):
        for line in map(json.loads, after):
            line["game"] = f"of-{n}"
            line["body"] |= {"match": "of-0", "format": "best of 3"} if line["seq"] == 1 else {}
            lines.append(json.dumps(line).encode())
    read = list(check_import(lines, last_lines(lines), table.journal.rows))
    table.journal._db.set_trace_callback(asked.append)
    table.journal.import_games(read)
    settled = [
        statement for statement, _ in itertools.groupby(each for each in asked if "SET matched" in each)
    ]  # with triggers
    assert len(settled) == 20
    ann = next(player for player in statistics(table)["players"] if player["names"] == ["Ann"])
    assert ann["matches"] == {"played": 1, "won": 1}


def test_a_game_of_more_events_than_a_game_has_is_not_imported(table, tmp_path, monkeypatch):
    monkeypatch.setattr("pegboard.storage.transfer.import_check.MOST_EVENTS", 1000)
    before, _ = unfinished_then_finished(tmp_path)
    lines = [json.loads(line) for line in before]
    lines += [
        lines[-1] | {"seq": seq, "body": lines[-1]["body"] | {"points": 0}} for seq in range(len(lines) + 1, 1002)
    ]
    with pytest.raises(BadImport, match=f"line 1001: game {AWAY} has more than 1000 lines"):
        import_lines(table.journal, [json.dumps(line) for line in lines])


def test_a_sheet_that_is_full_is_imported_and_a_longer_one_is_not(table, tmp_path, monkeypatch):
    monkeypatch.setattr("pegboard.core.referee.MOST_LINES", 30)
    before, _ = unfinished_then_finished(tmp_path)
    lines = [json.loads(line) for line in before]
    for seq in range(len(lines) + 1, 32):
        lines.append(lines[-1] | {"seq": seq, "body": lines[-1]["body"] | {"points": 0}})
    too_many = [*lines, lines[-1] | {"seq": 32}]
    with pytest.raises(BadImport, match=r"line 32: .*the score sheet has 30 lines, which is the limit"):
        import_lines(table.journal, [json.dumps(line) for line in too_many])
    assert import_lines(table.journal, [json.dumps(line) for line in lines]).games == 1


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        *[("match", value, "`match` must be a game ID") for value in ("", "a b", 5, "x" * 65)],
        *[("replaces", value, "`replaces` must be a game ID or empty") for value in ("a/b", 5)],
        *[("note", value, "`note` must be text") for value in ("x" * 500, 5, ["a"])],
        *[("dealer_said", value, "`dealer_said` must be true or false") for value in (1, "yes", None)],
    ],
)
def test_a_start_with_a_field_of_another_kind_is_not_imported(table, tmp_path, field, value, words):
    before, _ = unfinished_then_finished(tmp_path)
    lines = [json.loads(line) for line in before]
    lines[0]["body"][field] = value
    with pytest.raises(BadImport, match=f"line 1: .*{words}"):
        import_lines(table.journal, [json.dumps(line) for line in lines])


def test_statistics_are_those_of_one_snapshot(table, monkeypatch):
    """A game is opened again between two of the questions that they are made of."""
    win(table)
    asked = JournalReader.select

    def meanwhile(self, query, *values):
        found = asked(self, query, *values)
        if "GROUP BY names ORDER BY" in query:
            monkeypatch.setattr(JournalReader, "select", asked)
            table.ask(TakeBack(len(table.view.game.entries)))
        return found

    monkeypatch.setattr(JournalReader, "select", meanwhile)
    assert statistics(table)["games"] == 1
    assert table.view.game.outcome is None
    assert statistics(table)["games"] == 0


SPOILT = {
    "not json": "line 3: not JSON",
    "[1]": "line 3: not a JSON object",
    "{}": "line 3: `game` is missing",
    "seq": "line 3: `seq` must be 3 in game",
    "kind": "line 3: `kind` must be one of",
    "lane": "line 3: a table would refuse this: “seat 1 pegs in lane 1, not in lane 7",
    "points": "line 3: a table would refuse this: “-4 points cannot be scored at once",
    "why": "is not a reason for a score; use play",
    "thirty": "line 3: a table would refuse this: “30 points cannot be scored at once",
    "nineteen": "line 3: a table would refuse this: “no hand scores 19",
    "seat": "line 3: a table would refuse this: “seat 0 pegs in lane 0, not in lane 1",
    "body": "line 3: the body does not match the kind scored",
    "note": 'line 3: `note` would be "" at this table, not "well done"',
    "no note": 'line 3: `note` would be "" at this table, not null',
    "at": "line 3: `at` must be whole nanoseconds",
    "twice": "line 3: a game must begin with a `started` line and cannot have a second one",
    "two lanes": 'line 3: "lane" appears twice; remove the wrong one',
    "two games": 'line 3: "game" appears twice; remove the wrong one',
    "dealt with points": 'line 3: lines of this kind have no "points"; remove it, or import the table',
    "score with a card": 'line 3: lines of this kind have no "cards"',
    "unknown in the line": 'line 3: lines of this kind have no "lane"',
    "unknown rule": 'line 3: lines of this kind have no "wild"',
}


@pytest.mark.parametrize("how", SPOILT)
def test_a_bad_line_is_named_and_nothing_is_imported(table, tmp_path, how):
    other = Table(tmp_path / "there")
    other.score(0, 4, "hand")
    other.score(1, 6, "hand")
    lines = export_lines(other.folder, "away")
    lines[2] = spoil(how, json.loads(lines[2]), lines)
    before = table.journal.last_id, export_lines(table.folder)
    with pytest.raises(BadImport, match=re.escape(SPOILT[how])) as refusal:
        import_lines(table.journal, lines)
    assert str(refusal.value).endswith("nothing was imported")
    assert (table.journal.last_id, export_lines(table.folder)) == before
    table.score(0, 1)
    check(table.folder)


LINES = {
    "seq": {"seq": 9},
    "kind": {"kind": "sung"},
    "at": {"at": "yesterday"},
    "body": {"body": {"lane": 0}},
    "unknown in the line": {"lane": 1},
}

BODIES = {
    "lane": {"lane": 7},
    "points": {"points": -4},
    "why": {"why": ["hand"]},
    "thirty": {"points": 30, "why": None},
    "nineteen": {"points": 19},
    "seat": {"seat": 0},
    "note": {"note": "well done"},
    "no note": {"note": None},
}


def spoil(how, line, lines):
    if how == "twice":
        line = json.loads(lines[0]) | {"seq": 3}
    elif how == "two lanes":
        return json.dumps(line).replace('"lane":', '"lane": 1, "lane":')
    elif how == "two games":
        return json.dumps(line).replace('"game":', '"game": "other", "game":')
    elif how == "dealt with points":
        line |= {"kind": "dealt", "body": {"new": True, "why": None, "points": 4}}
    elif how == "score with a card":  # as a table writes a score, in which all is looked at but the names
        return json.dumps(line).replace(json.dumps(line["body"]), canonical_json(line["body"] | {"cards": "5H"}))
    elif how == "unknown rule":
        line = json.loads(lines[0]) | {"seq": 3}
        line["body"]["rules"]["wild"] = True
    elif how in LINES:
        line |= LINES[how]
    elif how in BODIES:
        line["body"] |= BODIES[how]
    else:
        return how
    return json.dumps(line)


@pytest.mark.parametrize(
    ("kind", "body", "fault"),
    [
        ("over_pegged", {"points": 30, "award": 0}, "30 points cannot be scored at once"),
        ("over_pegged", {"points": 4, "award": 100}, "`to` would be null at this table, not 1"),
        ("over_pegged", {"points": 4, "was": 20}, "line 1 now says 12, not 20"),
        (
            "muggins_called",
            {"points": 20, "claimed": 5, "missed": 3},
            "muggins is not played at this table",
        ),
        ("pegs_set", {"front": 3, "rear": 9}, "the pegs cannot be at 3 and 9"),
    ],
)
def test_an_imported_ruling_is_one_that_a_referee_could_make(table, tmp_path, kind, body, fault):
    other = Table(tmp_path / "there")
    other.score(0, 12, "hand")
    other.score(1, 6, "hand")
    lines = export_lines(other.folder, "away")
    whole = {
        "over_pegged": {"lane": 0, "line": 1, "points": 4, "was": 12, "to": 1, "award": 0},
        "muggins_called": {"lane": 1, "seat": 1, "caller": 1},
        "pegs_set": {"lane": 0, "seat": 0},
    }
    lines[2] = json.dumps(json.loads(lines[2]) | {"kind": kind, "body": whole[kind] | body})
    with pytest.raises(BadImport, match=f"line 3: (a table would refuse this: “)?{fault}"):
        import_lines(table.journal, lines)


@pytest.mark.parametrize(
    "body",
    [
        {"players": ["Ann"]},
        {"players": "Ann"},
        {"dealer": 5},
        {"dealer": None},
        {"match": "../x"},
        {"format": "best of 4"},
        {"rules": {"game_hole": 7}},
        {"rules": {"worth": [1, "2"]}},
        {"rules": {"worth": [10**30]}},
        {"rules": {"misdeal": 10**30}},
        {"rules": {"last_deal": -1}},
        {"rules": {"enough": -1}},
        {"rules": {"variant": "whist"}},
        {"rules": {"lanes": "2"}},
    ],
)
def test_a_game_that_no_table_could_play_is_not_imported(table, tmp_path, body):
    other = Table(tmp_path / "there")
    line = json.loads(export_lines(other.folder, "away")[0])
    line["body"] |= body
    with pytest.raises(BadImport, match="line 1: "):
        import_lines(table.journal, [json.dumps(line)])


def test_an_export_of_an_old_journal_is_imported_too(tmp_path):
    for version in (1, 2):
        old = tmp_path / f"old{version}"
        old.mkdir()
        shutil.copy(Path(__file__).parent.parent / "data" / f"journal_v{version}.db", old / "journal.db")
        lines = export_lines(old)
        with Journal(tmp_path / f"new{version}") as new:
            assert import_lines(new, lines).events == len(lines)


def test_the_command_line_imports_what_it_exports(table, tmp_path):
    win(table)
    table.journal.close()
    lines = run("export", "--state", table.folder).output
    (tmp_path / "games.jsonl").write_text(lines, "utf-8")
    for said in ("Imported: 1 game with ", "Imported: 0 games with 0 events; already here: 1 game."):
        told = run("import", tmp_path / "games.jsonl", "--state", tmp_path / "there")
        assert (told.exit_code, told.output.startswith(said)) == (0, True)
    (tmp_path / "games.jsonl").write_text(f"{lines}and so on\n", "utf-8")
    told = run("import", tmp_path / "games.jsonl", "--state", tmp_path / "elsewhere")
    assert (told.exit_code, "not JSON" in told.output, "nothing was imported" in told.output) == (2, True, True)


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


# --- for a spreadsheet ---

NASTY = ("=1+2", '"Ann", the <b>')


def read_csv(text):
    assert text.startswith("\ufeff")
    assert text.count("\n") == text.count("\r\n")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"), newline="")))


def test_the_games_are_exported_as_csv_that_a_spreadsheet_reads(tmp_path):
    table = Table(tmp_path, Setup(Rules(), NASTY))
    win(table, 0)
    (row,) = read_csv("".join(game_parts(tmp_path)))
    assert (row["winner"], row["player 1"], row["player 2"]) == ("'=1+2", "'=1+2", NASTY[1])
    assert (row["score 1"], row["skunks 2"], row["points"], row["over"]) == ("121", "2", "3", "yes")
    assert row["started"] == datetime.fromtimestamp(1_795_000_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    assert (row["player 3"], row["score 4"]) == ("", "")


def test_the_lines_of_a_game_are_exported_oldest_first(table):
    table.score(0, 5, "hand")
    table.rule(SetPegs(1, 10, 4, "=HYPERLINK(1)"))
    table.ask(Amend(1, 6, 5))
    table.ask(Stage("show"))
    first, second, third = read_csv(sheet_text(table.view.game))
    assert (first["line"], first["player"], first["points"], first["why"]) == ("1", "Ann", "6", "hand")
    assert (first["from"], first["to"], first["deal"], first["counts"], first["source"]) == (
        *("0", "6", "1", "yes", "phone"),
    )
    assert (second["do"], second["note"], second["points"]) == ("set_pegs", "'=HYPERLINK(1)", "")
    assert (third["do"], third["note"], third["player"]) == ("stage", "show", "")


def test_an_export_is_read_in_parts_and_ends_where_it_began(table, monkeypatch):
    for name, number in (("BATCH", 3), ("GAMES", 3), ("ROWS", 2)):
        monkeypatch.setattr(f"pegboard.storage.transfer.exporting.{name}", number)
    for _ in range(7):
        table.score(0, 1)
    parts = event_parts(table.folder)
    read = [next(parts)]
    table.score(0, 1)
    read += parts
    assert "".join(read).count("\n") == 8
    assert [part.count("\n") for part in read] == [3, 3, 2]
    win(table)
    for _ in range(4):
        next_game(table)
        win(table)
    read = list(game_parts(table.folder))
    assert len(read_csv("".join(read))) == 5
    assert [part.count("\r\n") for part in read] == [1 + 2, 1, 2], "each has few rows, the first one the header too"


def test_a_score_costs_one_insert_and_one_update(table):
    """A game is summarized when it ends; a score before that is one insert, and one update that finds nothing."""
    asked = []
    table.journal._db.set_trace_callback(asked.append)
    table.ask(Score(2, 0, why="play"))
    writes = [statement for statement in asked if statement.strip().upper().startswith(("INSERT", "UPDATE", "DELETE"))]
    assert len(writes) == 2
    assert replay_rows(table.journal.rows(table.view.id)).lanes == table.view.game.lanes


def test_neither_readers_nor_scores_wait_for_each_other(table):
    """Both locks are held as long as a score could hold them: the scoreboard's, and the journal's for writing."""
    win(table)
    game, writing = table.view.id, table.journal._db
    with table.board._table.lock:
        writing.execute("BEGIN IMMEDIATE")
        assert statistics(table)["games"] == 1
        assert history(table).games(5)["games"][0]["id"] == history(table).game(game)[0]["id"] == game
        assert "".join(game_parts(table.folder)).count("\r\n") == 2
        writing.execute("ROLLBACK")
    parts = event_parts(table.folder)
    next(parts)
    next_game(table)
    table.score(0, 5)
    assert table.fronts() == [5, 0]
