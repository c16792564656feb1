"""The scoreboard: judged, then durable, then seen; keys and phones at once."""

import contextlib
import random
import sqlite3
import threading

import pytest

from pegboard import Abandon, Amend, Deal, Restore, RuleError, Rules, Start, TakeBack
from pegboard.core.match import Setup
from pegboard.core.moves import OverPeg
from pegboard.errors import (
    Already,
    BaseMissing,
    GameOver,
    IdReused,
    Moved,
    NotStored,
    OtherGame,
)
from pegboard.storage.event_row import replay_rows
from tests.support.scoreboard_on_a_folder import STANDARD, Table


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path)
    yield table
    table.journal.close()


def refused(table, error, ask):
    """The refusal's sentence; board and journal are as they were."""
    before = table.state()
    with pytest.raises(error) as refusal:
        ask()
    assert table.state() == before
    return str(refusal.value)


# --- commands ---


def test_an_accepted_score_is_shown_kept_and_answered_with_its_line(table):
    receipt = table.score(0, 12, "hand")
    assert (receipt.replayed, receipt.entry) == (False, "1")
    assert receipt.view is table.view
    assert table.reopen().fronts() == [12, 0]


def test_the_same_tap_twice_is_one_entry_even_after_the_end(table):
    first = table.score(0, 12, id="tap-of-ann-000000")
    table.win(1)
    again = table.score(0, 12, id="tap-of-ann-000000", base=0)
    assert (again.replayed, again.entry) == (True, first.entry)
    assert table.fronts() == [12, 121]


def test_an_id_with_other_content_is_refused(table):
    table.score(0, 12, id="tap-of-ann-000000")
    assert "already used for something else" in refused(
        table, IdReused, lambda: table.score(0, 2, id="tap-of-ann-000000")
    )


def test_a_repeat_may_carry_a_new_base(table):
    table.score(0, 12, id="tap-of-ann-000000", base=0)
    assert table.score(0, 12, id="tap-of-ann-000000", base=1).replayed


def test_another_game_is_refused_before_its_base_is_looked_at(table):
    assert "not the current one" in refused(table, OtherGame, lambda: table.score(0, 1, game="old", base=None))


def test_a_score_names_its_game(table):
    assert "must name its `game`" in refused(table, RuleError, lambda: table.score(0, 1, game=None))


def test_a_missing_base_is_refused_before_the_rules(table):
    table.win()
    assert "`base` is missing" in refused(table, BaseMissing, lambda: table.score(1, 1, base=None))
    assert "`base` is missing" in refused(table, BaseMissing, lambda: table.ask(TakeBack(), base=None))


def test_a_stale_base_tells_what_has_come_since(table):
    table.score(1, 7)
    table.score(0, 12)
    with pytest.raises(Moved, match="Ann is already at 12") as refusal:
        table.score(0, 12, base=0)
    assert [(entry["lane"], entry["points"]) for entry in refusal.value.entries] == [(0, 12)]


def test_the_other_players_score_does_not_make_a_base_stale(table):
    table.score(1, 7)
    assert table.score(0, 12, base=0).entry == "2"


def test_a_stale_board_tells_what_has_come_since(table):
    seen = table.view.revision
    table.score(1, 7)
    with pytest.raises(Moved) as refusal:
        table.ask(TakeBack(), base=seen)
    assert [entry["points"] for entry in refusal.value.entries] == [7]


def test_only_what_has_come_since_is_told_and_a_line_taken_back_has(table):
    table.score(0, 1)
    table.score(0, 2)
    seen, base = table.view.revision, table.view.game.revisions[0]
    table.ask(TakeBack(1), base=None)
    with pytest.raises(Moved) as refusal:
        table.score(0, 4, base=base)
    assert [(entry["id"], entry["stands"]) for entry in refusal.value.entries] == [("1", False)]
    with pytest.raises(Moved) as refusal:
        table.ask(Deal(), base=seen)
    assert [(entry["id"], entry["stands"]) for entry in refusal.value.entries] == [("1", False)]


def test_the_same_tap_twice_at_once_is_one_entry(table):
    together, count = threading.Barrier(2), 60

    def phone(answers):
        for n in range(count):
            together.wait()
            answers.append(table.score(0, 0, id=f"tap-{n:016}-same", base=n).replayed)

    answers = [[], []]
    threads = [threading.Thread(target=phone, args=(mine,)) for mine in answers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [sorted(pair) for pair in zip(*answers, strict=True)] == [[False, True]] * count


def test_undo_of_a_named_line_needs_no_base_and_undoes_once(table):
    table.score(0, 12)
    assert table.ask(TakeBack(1), base=None).entry == "1"
    assert "already" in refused(table, Already, lambda: table.ask(TakeBack(1), base=None))
    assert table.ask(Restore(), base=table.view.revision).entry == "1"


def test_redo_without_a_line_puts_back_what_was_taken_back_last(table):
    table.score(0, 12)
    table.score(0, 5)
    assert [table.ask(TakeBack()).entry for _ in range(2)] == ["2", "1"]
    assert [table.ask(Restore()).entry for _ in range(2)] == ["1", "2"]


def test_a_finished_game_takes_no_scores(table):
    table.win()
    refused(table, GameOver, lambda: table.score(1, 1))


def test_two_phones_with_the_same_twelve_from_the_same_base_score_once(table):
    for _ in range(4):
        base = table.view.game.revisions[0]
        results = []

        def phone(base=base, results=results):
            try:
                table.score(0, 2, base=base)
                results.append("stored")
            except Moved:
                results.append("moved")

        threads = [threading.Thread(target=phone) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(results) == ["moved", "stored"]


def test_eight_phones_sending_everything_three_times_score_once_each(table):
    taps = [(f"tap-{n:016}-x", n % 2, n % 3) for n in range(40)]
    stored = []

    def phone(seed):
        mine = [tap for tap in taps if int(tap[0][4:20]) % 8 == seed] * 3
        random.Random(seed).shuffle(mine)
        for name, seat, points in mine:
            while True:
                base = table.view.game.revisions[seat]
                try:
                    stored.append(table.score(seat, points, id=name, base=base).replayed)
                    break
                except Moved:
                    continue

    threads = [threading.Thread(target=phone, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (stored.count(False), stored.count(True)) == (40, 80)
    assert len(table.view.game.entries) == 40
    assert table.fronts() == [sum(p for _, s, p in taps if s == seat) for seat in (0, 1)]


# --- starting, and games of a match ---


def test_a_new_table_starts_a_game_for_the_players_named(table):
    assert table.view.game.players == ("Ann", "Bob")
    assert table.view.id


def test_an_unfinished_game_is_replaced_only_by_name(table):
    table.score(0, 5)
    start = Start(Rules(), ("Cy", "Dee"))
    old = table.view.id
    assert "name it in `replaces`" in refused(table, OtherGame, lambda: table.ask(start))
    refused(table, OtherGame, lambda: table.ask(start, replaces="other"))
    table.ask(start, replaces=old)
    assert (table.view.game.players, table.view.id != old) == (("Cy", "Dee"), True)
    assert table.reopen().view.game.players == ("Cy", "Dee")


def test_a_finished_game_counts_in_the_match_and_the_loser_deals_next(table):
    table.win(0)
    assert (table.view.match.games_won, table.view.match.points, table.view.dealer_next) == ((1, 0), (3, 0), 1)
    table.ask(Start(Rules(), ("Ann", "Bob")))
    assert (table.view.match.games_won, table.view.game.dealer) == ((1, 0), 1)
    assert table.reopen().view.match.points == (3, 0)


def test_other_players_begin_another_match(table):
    table.win(0)
    table.ask(Start(Rules(), ("Cy", "Dee")))
    assert table.view.match.games_won == (0, 0)


def test_a_reopened_win_does_not_count(table):
    table.win(0)
    table.ask(TakeBack(5), base=None)
    assert table.view.match.games_won == (0, 0)
    assert table.view.dealer_next is None


def test_undo_in_an_empty_game_puts_the_finished_one_back(table):
    table.win(0)
    won = table.view.id
    table.board.keys.deal()
    assert table.view.id != won
    table.board.keys.undo()
    assert (table.view.id, table.view.match.games_won) == (won, (1, 0))
    table.board.keys.undo()
    table.board.keys.undo()
    assert table.view.game.outcome is None


def test_undo_asks_before_it_takes_a_win_back(table):
    table.win(0)
    table.board.keys.undo()
    asked = "Ann has won. UNDO again undoes the win; any other key keeps it"
    assert (table.view.notice, table.view.game.outcome.winner) == (asked, 0)
    table.board.keys.dial(0, 1)
    assert (table.view.notice, table.view.game.outcome.winner) != (asked, None), "another key keeps it"
    table.board.keys.undo()
    assert table.view.notice == asked, "and it is asked anew"
    table.board.keys.undo()
    assert (table.view.notice, table.view.game.outcome) == (None, None)


def test_undo_asks_nothing_where_the_win_stays(table):
    table.score(1, 28, "hand")
    table.win(0)
    table.ask(OverPeg(1, 12, 28), base=None)
    assert table.fronts() == [121, 12]
    table.board.keys.undo()
    assert (table.view.notice, table.fronts()) == (None, [121, 28])


def test_a_preview_says_whose_win_a_correction_takes_away(table):
    table.score(1, 28, "hand")
    table.win(0)
    newest = len(table.view.game.entries)

    def lost(command):
        return table.board.preview(command, game=table.view.id, director=True).loses_win

    assert lost(TakeBack(newest)) == lost(Amend(newest, 1, 29)) == lost(OverPeg(newest, 1, 29)) == 0
    assert lost(TakeBack(1)) is None
    assert lost(Amend(newest, 28, 29)) is None
    table.ask(TakeBack(newest), base=None)
    assert lost(Restore(newest)) is None


def test_undo_in_the_very_first_game_has_nothing_to_take_back(table):
    refused(table, Already, lambda: table.ask(TakeBack()))


def test_players_named_while_a_game_goes_on_play_the_next_one(table):
    table.score(0, 5)
    assert not table.board.seat_players(Setup(Rules.named("short"), ("Cy", "Dee")))
    assert table.view.game.players == ("Ann", "Bob")
    table.win(0)
    table.board.keys.deal()
    assert (table.view.game.players, table.view.game.rules.variant) == (("Cy", "Dee"), "short")


def test_players_named_at_a_finished_or_empty_board_sit_down_at_once(table):
    assert table.board.seat_players(Setup(Rules(), ("Cy", "Dee")))
    assert table.view.game.players == ("Cy", "Dee")
    table.win()
    assert table.board.seat_players(Setup(Rules(), ("Ann", "Bob")))
    assert table.view.game.players == ("Ann", "Bob")


def test_a_game_started_otherwise_ends_the_waiting(table):
    table.score(0, 5)
    table.board.seat_players(Setup(Rules(), ("Cy", "Dee")))
    table.ask(Start(Rules(), ("Ann", "Dee")), replaces=table.view.id)
    table.win()
    table.board.keys.deal()
    assert table.view.game.players == ("Ann", "Dee")


def test_another_number_of_seats_begins_with_the_first_seat_dealing(table):
    table.win(0)
    table.ask(Start(Rules.named("three-handed"), ("Ann", "Bob", "Cy")))
    assert table.view.game.dealer == 0


def test_a_start_for_another_game_is_refused(table):
    table.win()
    refused(table, OtherGame, lambda: table.ask(Start(Rules(), ("Ann", "Bob")), game="other"))


def test_a_start_after_the_end_replaces_nothing(table):
    table.win()
    refused(table, OtherGame, lambda: table.ask(Start(Rules(), ("Ann", "Bob")), replaces=table.view.id))


def test_naming_the_players_who_sit_there_changes_nothing(table):
    before = table.state()
    assert table.board.seat_players(STANDARD)
    assert table.state() == before


def test_players_who_do_not_fit_are_refused_at_once(table):
    table.score(0, 5)
    refused(table, RuleError, lambda: table.board.seat_players(Setup(Rules(), ("Cy",))))


def test_the_next_game_is_for_the_same_players_over_a_restart(table):
    table.ask(Start(Rules(), ("Cy", "Dee")), replaces=table.view.id)
    table.win()
    table.reopen()
    table.board.keys.deal()
    assert table.view.game.players == ("Cy", "Dee")


def test_a_finished_game_stays_on_the_table_over_a_restart(table):
    table.win()
    game = table.view.id
    assert table.reopen().view.id == game


# --- keys ---


def test_presses_add_up_and_peg_as_one_score(table):
    for points in (5, 1, 1):
        table.board.keys.dial(0, points)
    assert table.view.dialled == (7, 0)
    assert table.fronts() == [0, 0]
    table.board.keys.peg(0)
    assert (table.view.dialled, table.fronts(), len(table.view.game.entries)) == ((0, 0), [7, 0], 1)
    assert table.view.game.entries[0].origin.source == "button"


def test_pegging_nothing_is_nothing(table):
    before = table.state()
    table.board.keys.peg(0)
    table.board.keys.peg(2)
    assert table.state() == before


def test_the_other_lanes_key_pegs_what_was_dialled(table):
    table.board.keys.dial(0, 5)
    table.board.keys.dial(1, 2)
    assert (table.fronts(), table.view.dialled) == ([5, 0], (0, 2))


def test_dialled_amounts_are_not_journalled_and_raise_no_revision(table):
    before = table.journal.last_id
    table.board.keys.dial(0, 5)
    assert (table.journal.last_id, table.view.revision) == (before, before)
    assert table.reopen().view.dialled == (0, 0)


def test_more_than_29_is_refused_and_shown(table):
    for _ in range(6):
        table.board.keys.dial(0, 5)
    assert table.view.dialled == (25, 0)
    assert "30 is over the maximum of 29" in table.view.notice
    table.board.keys.dial(0, 2)
    table.board.keys.peg(0)
    assert (table.fronts(), table.view.notice) == ([27, 0], None)


def test_a_phones_score_for_the_other_lane_pegs_the_dialled_amount_first(table):
    table.board.keys.dial(0, 5)
    table.score(1, 7)
    assert [entry.event.lane for entry in table.view.game.entries] == [0, 1]


def test_an_earlier_press_wins_before_a_phone(table):
    for seat in (0, 1):
        for points in (29, 29, 29, 29):
            table.score(seat, points)
    table.board.keys.dial(0, 5)
    with pytest.raises(GameOver):
        table.score(1, 7)
    assert table.view.game.outcome.winner == 0
    assert table.view.dialled == (0, 0)


def test_a_command_that_falls_on_its_base_pegs_nothing(table):
    table.board.keys.dial(0, 5)
    refused(table, Moved, lambda: table.score(1, 7, base=9))


def test_a_lane_moved_meanwhile_asks_and_a_press_answers(table):
    table.board.keys.dial(0, 5)
    table.score(0, 12)
    table.board.keys.peg(0)
    assert (table.fronts(), table.view.dialled) == ([12, 0], (5, 0))
    assert "Ann is at 12 now" in table.view.notice
    table.board.keys.peg(0)
    assert table.fronts() == [12, 0], "silence is no answer"
    table.board.keys.dial(0, 2)
    assert (table.fronts(), table.view.dialled, table.view.notice) == ([17, 0], (0, 0), None)


def test_a_lane_moved_meanwhile_asks_and_undo_drops(table):
    table.board.keys.dial(0, 5)
    table.score(0, 12)
    table.board.keys.peg(0)
    table.board.keys.undo()
    assert (table.fronts(), table.view.dialled, table.view.notice) == ([12, 0], (0, 0), None)


def test_the_question_stands_until_it_is_answered_and_tells_where_the_lane_is_now(table):
    table.board.keys.dial(0, 5)
    table.score(0, 12)
    table.board.keys.peg(0)
    table.score(1, 3)
    assert "Ann is at 12 now: press for 5 more" in table.view.notice
    assert table.view.dialled == (5, 0), "an asking lane does not peg by itself"
    table.score(0, 8)
    assert "Ann is at 20 now" in table.view.notice
    table.board.keys.cancel_new_game()
    assert "Ann is at 20 now" in table.view.notice


def test_presses_after_a_move_by_another_input_do_not_hide_it(table):
    table.board.keys.dial(0, 5)
    table.score(0, 12)
    table.board.keys.dial(0, 1)
    table.board.keys.peg(0)
    assert (table.fronts(), table.view.dialled) == ([12, 0], (6, 0))


def test_dialled_amounts_die_with_the_game(table):
    table.board.keys.dial(0, 5)
    table.score(0, 12)
    table.board.keys.peg(0)
    table.win(1)
    assert table.view.dialled == (0, 0)
    table.board.keys.undo()
    table.board.keys.undo()
    assert table.view.dialled == (0, 0)
    assert table.view.game.outcome is None


def test_a_start_drops_what_is_dialled_and_pegs_it_nowhere(table):
    table.board.keys.dial(0, 5)
    table.ask(Start(Rules(), ("Cy", "Dee")), replaces=table.view.id)
    assert table.view.dialled == (0, 0)
    assert [row.kind for row in table.journal.rows()] == ["started", "started"]


def test_undo_by_phone_with_nothing_to_take_back_leaves_the_dialled_amount(table):
    table.board.keys.dial(0, 5)
    refused(table, Already, lambda: table.ask(TakeBack()))
    assert table.view.dialled == (5, 0)


def test_undo_by_phone_in_an_empty_game_puts_the_finished_one_back_whatever_is_dialled(table):
    table.win()
    won = table.view.id
    table.board.keys.deal()
    table.board.keys.dial(0, 5)
    table.ask(TakeBack())
    assert table.view.id == won


def test_undo_drops_what_is_dialled_else_takes_back_the_newest_line(table):
    table.score(0, 6)
    table.board.keys.dial(0, 5)
    table.board.keys.undo()
    assert (table.view.dialled, table.fronts()) == ((0, 0), [6, 0])
    table.board.keys.undo()
    assert table.fronts() == [0, 0]


def test_undo_by_phone_means_the_line_before_the_dialled_amount(table):
    table.score(0, 6)
    table.board.keys.dial(1, 5)
    table.ask(TakeBack())
    assert table.fronts() == [0, 5]


def test_deal_pegs_what_is_dialled_and_passes_the_deal(table):
    table.board.keys.dial(0, 5)
    table.board.keys.deal()
    assert (table.fronts(), table.view.game.dealer, table.view.game.position.deal) == ([5, 0], 1, 2)


def test_a_deal_pressed_before_a_dialled_win_does_not_clear_the_board(table):
    for points in (29, 29, 29, 29):
        table.score(0, points)
    table.board.keys.dial(0, 5)
    game = table.view.id
    table.board.keys.deal()
    assert (table.view.id, table.view.game.outcome.winner) == (game, 0)
    assert "Ann has won" in table.view.notice
    table.board.keys.deal()
    assert table.view.id != game


def test_a_key_refused_is_a_notice_until_the_next_accepted_command(table):
    table.board.keys.deal()
    table.score(0, 5)
    table.board.keys.deal()
    table.board.keys.deal()
    assert "has the deal" in table.view.notice
    table.score(1, 2)
    assert table.view.notice is None


def test_keys_of_a_finished_game_say_what_to_press(table):
    table.win()
    table.board.keys.dial(1, 5)
    assert "DEAL starts the next game" in table.view.notice
    assert table.view.dialled == (0, 0)


def test_a_key_without_a_lane_is_refused(table):
    table.board.keys.dial(2, 5)
    assert "no lane 2" in table.view.notice


def test_new_game_by_key_gives_up_the_running_one(table):
    table.score(0, 5)
    old = table.view.id
    table.board.keys.ask_new_game()
    assert "Hold UNDO again" in table.view.notice
    table.board.keys.cancel_new_game()
    assert table.view.notice is None
    table.board.keys.ask_new_game()
    table.board.keys.new_game()
    assert (table.view.id != old, table.fronts(), table.view.game.players) == (True, [0, 0], ("Ann", "Bob"))
    table.board.keys.undo()
    assert "nothing to undo" in table.view.notice, "a game given up does not resume"


# --- not stored, not seen ---


class Full:
    """A journal whose disk is full."""

    def __init__(self, journal):
        self._journal = journal

    def __getattr__(self, name):
        return getattr(self._journal, name)

    def append(self, *_args, **_more):
        raise NotStored("NOT SAVED, so not scored: database or disk is full")


def test_what_could_not_be_stored_is_not_scored_and_every_display_says_so(table):
    table.score(0, 5)
    table.board._table.journal = Full(table.journal)
    with pytest.raises(NotStored):
        table.score(0, 7)
    assert table.fronts() == [5, 0]
    assert "NOT SAVED" in table.view.notice
    table.board._table.journal = table.journal
    table.score(0, 7)
    assert (table.fronts(), table.view.notice) == ([12, 0], None)


def test_a_dialled_amount_that_could_not_be_stored_stays_dialled(table):
    table.board._table.journal = Full(table.journal)
    table.board.keys.dial(0, 5)
    table.board.keys.peg(0)
    assert (table.view.dialled, table.fronts()) == ((5, 0), [0, 0])
    table.board.keys.dial(1, 2)
    assert table.view.dialled == (5, 2), "the other player's press is not lost with it"
    assert "NOT SAVED" in table.view.notice
    table.board._table.journal = table.journal
    table.board.keys.dial(1, 1)
    assert (table.fronts(), table.view.dialled) == ([5, 0], (0, 3))


def test_who_pressed_first_pegs_first_when_the_disk_has_room_again(table):
    for seat in (0, 1):
        for _ in range(4):
            table.score(seat, 29)
    table.board._table.journal = Full(table.journal)
    table.board.keys.dial(1, 5)
    table.board.keys.dial(0, 5)
    assert table.view.dialled == (5, 5)
    table.board._table.journal = table.journal
    table.board.keys.deal()
    assert table.view.game.outcome.winner == 1
    assert table.view.dialled == (0, 0)


class Dying:
    """A connection whose k-th statement fails, and every one after it."""

    def __init__(self, db, k):
        self.db, self.left = db, k

    def execute(self, *args):
        self.left -= 1
        if self.left <= 0:
            raise sqlite3.OperationalError("disk I/O error")
        return self.db.execute(*args)

    def executemany(self, statement, rows):
        for row in rows:
            self.execute(statement, row)

    def close(self):
        self.db.close()

    @property
    def in_transaction(self):
        return self.db.in_transaction


ACTS = {
    "score": lambda table: table.score(0, 7),
    "undo": lambda table: table.ask(TakeBack()),
    "start": lambda table: table.ask(Start(Rules(), ("Cy", "Dee")), replaces=table.view.id),
    "keys": lambda table: (table.board.keys.dial(1, 5), table.board.keys.dial(0, 2), table.board.keys.deal()),
    "new game": lambda table: (table.board.keys.ask_new_game(), table.board.keys.new_game()),
}


@pytest.mark.sampled(least=3)
@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("empty", [False, True], ids=["on the sheet", "after a win"])
def test_whichever_statement_fails_the_board_is_what_the_journal_says(tmp_path, act, empty):
    for k in range(1, 16):
        table = Table(tmp_path / str(k))
        if empty:
            table.win()
            table.board.keys.deal()
        else:
            table.score(0, 5)
        whole = table.journal._db
        table.journal._db = Dying(whole, k)
        with contextlib.suppress(NotStored):
            ACTS[act](table)
        if isinstance(table.journal._db, Dying):  # it only read, or got by without the k-th statement
            table.journal._db = whole
        shown = table.view
        assert table.journal.running_game() == shown.id
        assert replay_rows(table.journal.rows(shown.id)) == shown.game
        if shown.game.outcome is not None:
            table.ask(TakeBack())
        before = table.fronts()[0]
        table.score(0, 2)
        again = table.reopen().view
        assert (again.id, again.game.lanes[0].front >= before + 2) == (table.view.id, True)
        table.journal.close()


# --- followers ---


def test_a_follower_that_raises_disturbs_nobody(table, caplog):
    seen = []

    def broken(_view):
        raise ZeroDivisionError

    table.feed.follow(broken)
    leave = table.feed.follow(lambda view: seen.append(view.revision))
    table.score(0, 5)
    assert seen == [table.view.revision]
    leave()
    table.score(0, 5)
    assert len(seen) == 1


def test_who_follows_first_is_woken_first(table):
    order = []
    table.feed.follow(lambda _: order.append("web"))
    table.feed.follow(lambda _: order.append("panel"), first=True)
    table.score(0, 5)
    assert order == ["panel", "web"]


def test_a_refusal_wakes_nobody(table):
    table.win()
    seen = []
    table.feed.follow(seen.append)
    with pytest.raises(GameOver):
        table.score(1, 1)
    assert not seen


def test_entries_carry_source_and_time(table):
    table.score(0, 5)
    mark = table.view.game.entries[0].origin
    assert (mark.source, mark.at, mark.event) == ("phone", table.now, table.view.revision)


def test_an_unfit_deal_by_phone_is_refused(table):
    table.score(0, 5)
    table.ask(Deal())
    refused(table, Already, lambda: table.ask(Deal()))


# --- whether the dealer was said ---


@pytest.mark.parametrize("dealer", [0, 1])
def test_only_a_request_that_names_the_dealer_says_it(table, dealer):
    assert not table.view.game.dealer_said, "the table's own first game"
    table.ask(Start(Rules(), ("Ann", "Bob"), dealer), replaces=table.view.id)
    table.reopen()
    assert (table.view.game.dealer, table.view.game.dealer_said) == (dealer, True)
    table.ask(Start(Rules(), ("Ann", "Bob")), replaces=table.view.id)
    assert (table.view.game.dealer, table.view.game.dealer_said) == (dealer, False), "it deals as before, by custom"


def test_nobody_has_said_who_deals_the_next_game_of_a_key_or_of_one_given_up(table):
    table.ask(Deal(1))
    table.ask(Abandon())
    assert (table.view.game.dealer, table.view.game.dealer_said) == (1, False)
    table.win(0)
    table.board.keys.deal()
    assert not table.view.game.dealer_said
