"""Results that the hub derives from score sheets: worked out by hand here, and refused where no table played so."""

import json
import re
from dataclasses import replace

import pytest

from pegboard import Rules
from pegboard.core.match import Setup
from pegboard.core.moves import Abandon, Amend, Confirm, PegBack, Rename, Start, Substitute, TakeBack
from pegboard.hub.ledger.hub_errors import LedgerNotStored
from pegboard.hub.ledger.ledger_rows import Refused, TableEvent
from pegboard.hub.table_results import LiveResults, results_of
from pegboard.storage.reader import read_snapshot
from tests.support.player_names import SIX
from tests.support.scoreboard_on_a_folder import Table
from tests.support.table_messages import message_of_rows

EVENT = "club-night"


@pytest.fixture
def table(tmp_path):
    """A table at which Ann and Bob play."""
    one = Table(tmp_path / "state", Setup(Rules(), ("Ann", "Bob")))
    yield one
    one.journal.close()


def rows_of(table, name="t1", received=7):
    """The journal as the hub stores it."""
    with read_snapshot(table.folder) as journal:
        return [
            TableEvent(EVENT, name, row.epoch, row.id, row.game, row.seq, row.at, received, *rest(row))
            for row in journal.rows_after(0, journal.newest_event())
        ]


def rest(row):
    return row.kind, row.body, row.source, row.version, ""


def play(table, *scores):
    for seat, points in scores:
        table.score(seat, points)


@pytest.mark.parametrize("variant", ["cut-throat-four", "six-partners"])
def test_a_game_of_more_than_two_sides_has_no_margin_and_is_none_of_an_event(tmp_path, variant):
    """Events are played by two at a table; what else is played there in a break decides nothing."""
    rules = Rules.named(variant)
    table = Table(tmp_path / "state", Setup(rules, SIX[: rules.seats]))
    table.win(seat=rules.seats - 1)
    (result,) = results_of(rows_of(table))
    table.journal.close()
    assert (result.players, result.winner, result.over) == (SIX[: rules.seats], rules.lanes - 1, True)
    assert (result.pairing, result.margin, result.is_won, result.impossible) == ("", None, False, None)


WON_BY_36 = [*[(0, 20), (1, 14)] * 6, (0, 1), (1, 1)]
"""Ann has 121 holes after six times 20 and 1, Bob 84 by then: 6 x 14; his last hole comes after the end."""


def test_the_margin_follows_from_the_holes_and_31_is_a_skunk(table):
    """121 - 84 = 37, and the loser on 90 or less is skunked (ACC 2.1)."""
    play(table, *WON_BY_36[:-1])
    (result,) = results_of(rows_of(table))
    assert (result.players, result.holes) == (("Ann", "Bob"), (121, 84))
    assert (result.over, result.winner, result.margin, result.skunks) == (True, 0, 37, 1)
    assert (result.first, result.last, result.received_at, result.impossible) == (1, 14, 7, None)


@pytest.mark.parametrize(("holes", "margin", "skunks"), [(91, 30, 0), (90, 31, 1), (61, 60, 1), (60, 61, 2)])
def test_the_lines_of_skunks(table, holes, margin, skunks):
    play(table, *[(1, 29)] * (holes // 29), (1, holes % 29), *[(0, 29)] * 4, (0, 5))
    (result,) = results_of(rows_of(table))
    assert (result.winner, result.holes, result.margin, result.skunks) == (0, (121, holes), margin, skunks)


def test_a_game_that_goes_on_has_no_margin(table):
    play(table, (0, 12))
    (result,) = results_of(rows_of(table))
    assert (result.over, result.winner, result.margin, result.holes) == (False, None, None, (12, 0))


def test_a_correction_after_the_end_counts_and_is_counted(table):
    """Bob's last 14 were 16: the margin is 35 then."""
    play(table, *WON_BY_36[:-1])
    table.rule(Amend(12, 16, 14, None))
    (result,) = results_of(rows_of(table))
    assert (result.margin, result.corrections) == (35, 1)
    table.rule(TakeBack(13))
    (result,) = results_of(rows_of(table))
    assert (result.over, result.corrections) == (False, 2)


def test_a_sheet_tells_at_which_event_somebody_had_won_last(table):
    play(table, *WON_BY_36[:-1])
    rows = rows_of(table)
    table.rule(TakeBack(13))
    table.score(1, 1)
    assert [result.over_at for result in results_of(rows)] == [(rows[-1].epoch, rows[-1].seq)]
    (goes_on,) = results_of(rows_of(table))
    assert (goes_on.over, goes_on.is_won, goes_on.over_at) == (False, False, (rows[-1].epoch, rows[-1].seq))
    renewed = [replace(row, epoch=f"{row.epoch}--5d1f") for row in rows_of(table)[len(rows) :]]
    (goes_on,) = results_of([*rows, *renewed])
    assert (goes_on.epoch, goes_on.over_at) == (f"{rows[0].epoch}--5d1f", (rows[-1].epoch, rows[-1].seq))
    table.rule(Abandon())
    given_up, _ = results_of(rows_of(table))
    assert (given_up.is_won, given_up.over_at) == (False, (rows[-1].epoch, rows[-1].seq))


def test_a_penalty_of_a_judge_is_a_correction(table):
    play(table, *WON_BY_36[:-1])
    table.rule(PegBack(1, 4))
    (result,) = results_of(rows_of(table))
    assert (result.holes, result.margin, result.corrections) == ((121, 80), 41, 1)


def test_the_game_counts_for_whom_the_hub_has_paired_though_somebody_else_played_on(table):
    play(table, *WON_BY_36[:6])
    table.rule(Substitute(0, "Ann", "Cy"))
    play(table, *WON_BY_36[6:-1])
    (result,) = results_of(rows_of(table))
    assert (result.players, result.winner, result.margin) == (("Ann", "Bob"), 0, 37)
    assert (result.impossible, result.corrections) == (None, 0)


def test_a_game_is_agreed_when_both_have_confirmed_it(tmp_path):
    table = Table(tmp_path / "confirming", Setup(Rules.named("acc"), ("Ann", "Bob")))
    play(table, *[(0, 29)] * 5)
    assert not results_of(rows_of(table))[0].is_agreed
    for seat in (0, 1):
        table.ask(Confirm(seat, 0, (121, 0)))
    (result,) = results_of(rows_of(table))
    assert (result.is_agreed, result.confirmed) == (True, (0, 1))
    table.journal.close()


def test_a_game_that_was_given_up_is_told(table):
    play(table, (0, 12))
    table.rule(Abandon())
    results = results_of(rows_of(table))
    assert results[0].abandoned or results[-1].players == ("Ann", "Bob")


def test_each_game_has_a_result_of_its_own(table):
    play(table, *[(0, 29)] * 5)
    table.ask(Start(Rules(), ("Ann", "Bob")), game=None)
    play(table, *[(1, 29)] * 5)
    first, second = results_of(rows_of(table))
    assert (first.winner, first.margin, second.winner, second.margin) == (0, 121, 1, 121)
    assert first.game != second.game


def test_a_name_that_was_corrected_in_the_next_game_holds_for_both(table):
    play(table, *[(0, 29)] * 5)
    table.ask(Start(Rules(), ("Ann", "Bob")), game=None)
    table.ask(Rename(1, "Bob", "Rob"))
    assert [each.players for each in results_of(rows_of(table))] == [("Ann", "Rob")] * 2


def test_what_a_table_has_lost_does_not_count(table):
    """It had sent three lines more than it has now, and goes on under another epoch."""
    play(table, (0, 10), (1, 4), (0, 29), (0, 29), (0, 29))
    lost = rows_of(table)
    kept = lost[:3]
    renewed = [replace(row, epoch=f"{row.epoch}--0001", body=row.body.replace("29", "2")) for row in lost[3:4]]
    (result,) = results_of([*lost, *renewed])
    assert result.holes == (12, 4)
    assert (result.epoch, len(kept)) == (renewed[0].epoch, 3)


def test_two_tables_are_two_games_even_of_one_card(table):
    play(table, (0, 12))
    results = results_of([*rows_of(table, "t1"), *rows_of(table, "t2")])
    assert [each.table for each in results] == ["t1", "t2"]


def changed(rows, number, **body):
    rows[number] = replace(rows[number], body=json.dumps(json.loads(rows[number].body) | body))
    return rows


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda rows: changed(rows, 1, points=40), "40 points"),
        (lambda rows: changed(rows, 1, points="12"), "values that no table would write|is impossible"),
        (lambda rows: changed(rows, 1, lane=7), "is impossible|no table would write"),
        (lambda rows: changed(rows, 0, players=["Ann"]), "is impossible"),
        (lambda rows: rows[1:], "journal entry 1 is missing"),
        (lambda rows: [*rows[:2], *rows[3:]], "journal entry 3 is missing"),
        (lambda rows: [replace(rows[1], place=1), *rows[1:]], "a game must have exactly one start, at the beginning"),
        (
            lambda rows: [*rows, replace(rows[0], place=len(rows) + 1, seq=99)],
            "a game must have exactly one start, at the beginning",
        ),
        (lambda rows: [replace(row, kind="counted_by_camera") for row in rows], "is impossible"),
        (lambda rows: [*rows, replace(rows[-1], place=len(rows) + 1, kind="confirmed", body='{"seat": 0}')], "values"),
    ],
)
def test_a_sheet_that_no_table_can_have_played_has_no_result(table, wrong, sentence):
    play(table, (0, 12), (1, 6), (0, 3))
    (result,) = results_of(wrong(rows_of(table)))
    assert result.impossible is not None
    assert re.search(sentence, result.impossible)
    assert (result.over, result.winner, result.margin) == (False, None, None)


# --- while they come in ---


def sent(ledger, rows, name="t1"):
    """Have the ledger store these rows, in messages of some events each; what was stored, as it reports it."""
    stored = []
    for first in range(0, len(rows), 5):
        after = rows[first - 1].seq if first else 0
        report = ledger.events_of_tables.store([message_of_rows(rows[first : first + 5], after, name, EVENT)])
        stored += report.rows.get((EVENT, name), ())
    return stored


def test_results_come_in_as_the_events_do(ledger, table):
    live = LiveResults(ledger, EVENT)
    play(table, *WON_BY_36[:-1])
    rows = rows_of(table)
    first = sent(ledger, rows[:10])
    (now,) = live.note_stored("t1", first)
    assert (now.over, now.last) == (False, 10)
    (now,) = live.note_stored("t1", sent(ledger, rows))
    assert (now.over, now.margin) == (True, 37)
    (again,) = live.note_stored("t1", first)
    assert again == now, "what is known already changes nothing"
    assert LiveResults(ledger, EVENT).read_all() == [now] == results_of(ledger.rows_of(EVENT))


def test_of_a_game_that_is_agreed_only_the_result_stays_in_memory_until_a_judge_takes_its_end_back(ledger, table):
    live = LiveResults(ledger, EVENT)
    play(table, *WON_BY_36[:-1])
    (over,) = live.note_stored("t1", sent(ledger, rows_of(table)))
    assert (over.is_agreed, live._sheets) == (True, {("t1", over.game): over})
    table.rule(TakeBack(13))
    (now,) = live.note_stored("t1", sent(ledger, rows_of(table)))
    assert (now.over, now.corrections, now.holes) == (False, 1, (120, 84))
    table.score(0, 1)
    (again,) = live.note_stored("t1", sent(ledger, rows_of(table)))
    assert [again] == live.read_all() == results_of(ledger.rows_of(EVENT))
    assert (again.over, again.margin) == (True, 37)


def test_an_impossible_sheet_is_put_aside_once_and_a_director_is_told(ledger, table):
    play(table, (0, 12), (1, 6), (0, 3))
    rows = changed(rows_of(table), 2, points=77)
    stored = sent(ledger, rows)
    live = LiveResults(ledger, EVENT)
    for _ in range(2):
        live.note_stored("t1", stored)
        live.read_all()
    assert [(each.kind, each.table) for each in ledger.alarms(EVENT)] == [(Refused.IMPOSSIBLE_SHEET, "t1")]
    assert "77 points" in ledger.alarms(EVENT)[0].message


def test_an_impossible_sheet_is_put_aside_even_where_the_disk_was_full_at_first(ledger, table, monkeypatch):
    play(table, (0, 12), (1, 6), (0, 3))
    stored = sent(ledger, changed(rows_of(table), 2, points=77))
    live = LiveResults(ledger, EVENT)
    with monkeypatch.context() as full:
        full.setattr(ledger, "quarantine", raise_full)
        with pytest.raises(LedgerNotStored):
            live.note_stored("t1", stored)
    live.note_stored("t1", stored)
    assert [each.kind for each in ledger.alarms(EVENT)] == [Refused.IMPOSSIBLE_SHEET]


def raise_full(_):
    raise LedgerNotStored("hub_disk_full", database="hub.db")
