"""Rulings, finished games, matches and confirmations through the one door, and after a pulled plug."""

import json
import sqlite3

import pytest

from pegboard import Deal, Restore, RuleError, Rules, Start, TakeBack
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Setup
from pegboard.core.moves import (
    Abandon,
    Abandoned,
    Amend,
    CallMuggins,
    ClaimFalsely,
    Confirm,
    OverPeg,
    PegBack,
    Penalize,
    Retract,
    SetPegs,
)
from pegboard.errors import Already, BaseMissing, GameOver, Moved, NotAllowed, OtherGame
from pegboard.storage.event_row import replay_rows
from pegboard.storage.schema import FILE
from tests.support.scoreboard_on_a_folder import Table

PLAYERS = ("Ann", "Bob")


@pytest.fixture
def seated(tmp_path):
    """Tables by variant and house rules, closed at the end."""
    tables = []

    def sit(variant="standard", *house, match="open"):
        rules = with_house_rules(Rules.named(variant), house)
        folder = tmp_path / str(len(tables))
        tables.append(Table(folder, Setup(rules, PLAYERS, match), house=lambda named: with_house_rules(named, house)))
        return tables[-1]

    yield sit
    for table in tables:
        table.journal.close()


@pytest.fixture
def table(seated):
    return seated()


def refused(table, error, act):
    """The sentence of a refusal; the board and the record are as they were."""
    before = table.state()
    with pytest.raises(error) as refusal:
        act()
    assert table.state() == before
    return str(refusal.value)


def survives(table):
    """What is shown is shown again after a restart, and folds from the rows."""
    before = table.view
    assert replay_rows(table.journal.rows(before.id)) == before.game
    after = table.reopen().view
    assert (after.game, after.game.positions, after.match, after.match_id, after.id) == (
        before.game,
        before.game.positions,
        before.match,
        before.match_id,
        before.id,
    )


def finish(table, winner=0, loser=95):
    """The running game ends: the loser at `loser`, the winner out."""
    table.rule(SetPegs(1 - winner, loser, loser - 1))
    table.rule(SetPegs(winner, 110, 100))
    table.score(winner, 11)


# --- what each command asks for ---


@pytest.mark.parametrize("command", [Penalize(2, 1, "misdeal"), PegBack(1, 3), SetPegs(1, 9, 4)])
def test_what_is_for_a_lane_needs_that_lanes_revision(table, command):
    table.score(1, 6)
    table.score(0, 6)
    assert "of lane 1" in refused(table, BaseMissing, lambda: table.rule(command, base=None))
    assert "Bob is already at 6" in refused(table, Moved, lambda: table.rule(command, base=0))
    assert table.rule(command, base=1).entry == "3"
    survives(table)


@pytest.mark.parametrize("command", [CallMuggins(0, 4, 2), Retract(0), Abandon(), Deal()])
def test_what_is_for_the_board_needs_its_revision(seated, command):
    table = seated("standard", "muggins=on")
    table.score(1, 6)
    assert "of the board" in refused(table, BaseMissing, lambda: table.rule(command, base=None))
    assert "board has moved" in refused(table, Moved, lambda: table.rule(command, base=1))
    table.rule(command)
    survives(table)


@pytest.mark.parametrize("command", [Amend(1, 5, 6), OverPeg(1, 4, 6), TakeBack(1)])
def test_what_names_a_line_needs_none(table, command):
    table.score(0, 6)
    table.score(1, 6)
    table.rule(command, base=None)
    survives(table)


def test_a_wrong_was_tells_the_line_as_it_is_now(table):
    table.score(0, 6)
    with pytest.raises(Moved) as refusal:
        table.ask(Amend(1, 5, 7))
    assert [(entry["id"], entry["points"]) for entry in refusal.value.entries] == [("1", 6)]


def test_a_repeat_of_any_accepted_command_is_answered_even_after_the_end(table):
    table.score(0, 6)
    table.rule(Penalize(2, 1), id="penalty-000000000000", base=0)
    table.rule(Amend(1, 5, 6), id="amend-00000000000000")
    table.rule(PegBack(0, 1), id="back-000000000000000", base=2)
    finish(table)
    before = table.state()
    for command, tap, entry, base in (
        (Penalize(2, 1), "penalty-000000000000", "2", 0),
        (Amend(1, 5, 6), "amend-00000000000000", "1", None),
        (PegBack(0, 1), "back-000000000000000", "3", 2),
    ):
        receipt = table.rule(command, id=tap, base=base)
        assert (receipt.replayed, receipt.entry) == (True, entry)
    assert table.state() == before


def test_the_entry_of_a_ruling_is_its_own_line_not_the_one_it_rules_on(table):
    table.score(0, 10)
    assert table.rule(OverPeg(1, 8, 10), id="over-peg-00000000000").entry == "2"
    assert table.rule(OverPeg(1, 8, 10), id="over-peg-00000000000").entry == "2"


def test_a_phones_penalty_waits_for_the_points_another_has_dialled(table):
    table.rule(SetPegs(0, 119, 110))
    table.board.keys.dial(0, 2)
    with pytest.raises(GameOver, match="only corrections"):
        table.ask(Penalize(2, 1))
    assert (table.fronts(), table.view.game.outcome.winner) == ([121, 0], 0)


def test_a_change_before_set_pegs_says_what_it_leaves(table):
    table.score(0, 6)
    table.rule(SetPegs(0, 30, 20))
    assert table.ask(Amend(1, 8, 6)).note == "Ann's pegs stay as line 2 has set them"
    assert table.ask(TakeBack(1)).note == "Ann's pegs stay as line 2 has set them"
    table.score(1, 3)
    assert table.ask(Amend(3, 4, 3)).note is None
    assert table.rule(PegBack(0, 2)).note is None


def test_lines_since_tell_of_a_ruling_that_moved_the_lane(table):
    table.score(0, 4)
    finish(table, winner=1)
    table.rule(ClaimFalsely(4, 8, 11), base=None)
    with pytest.raises(Moved) as moved:
        table.score(0, 2, base=2)
    assert [entry["do"] for entry in moved.value.entries] == ["false_claim"]


# --- whose it is ---


@pytest.mark.parametrize("command", [PegBack(0, 2), SetPegs(0, 9, 4), Retract(0), TakeBack(2)])
def test_what_is_the_directors_is_refused_to_a_scorer(table, command):
    table.score(0, 6)
    table.rule(PegBack(1, 1))
    assert "director" in refused(table, NotAllowed, lambda: table.ask(command))
    table.rule(command)
    survives(table)


def test_the_undo_key_leaves_a_directors_ruling(table):
    table.score(0, 6)
    table.rule(PegBack(0, 1))
    table.board.keys.undo()
    assert "line 2 is a director's ruling" in table.view.notice
    assert table.fronts() == [5, 0]


def test_in_strict_mode_the_undo_key_only_drops_what_is_dialled(seated):
    table = seated("acc")
    table.score(0, 6)
    table.board.keys.dial(0, 2)
    table.board.keys.undo()
    assert (table.view.dialled, table.fronts()) == ((0, 0), [6, 0])
    table.board.keys.undo()
    assert "corrections at this table are the director's" in table.view.notice
    assert table.fronts() == [6, 0]
    for command in (TakeBack(1), Amend(1, 4, 6), OverPeg(1, 4, 6)):
        refused(table, NotAllowed, lambda command=command: table.ask(command))
    table.rule(TakeBack(1))
    refused(table, NotAllowed, lambda: table.ask(Restore(1)))


def test_a_put_back_that_ends_the_game_before_later_scores_is_the_directors(table):
    table.rule(SetPegs(0, 110, 100))
    table.score(0, 9)
    table.ask(TakeBack(2))
    table.score(0, 5)
    table.score(1, 3)
    table.score(0, 4)
    assert "before scores that were made later" in refused(table, NotAllowed, lambda: table.ask(Restore(2)))
    table.rule(Restore(2))
    assert table.view.game.outcome.winner == 0


# --- giving up a game ---


def test_an_abandoned_game_puts_the_one_before_back(table):
    finish(table)
    won = table.view.id
    table.board.keys.deal()
    table.score(1, 6)
    table.ask(Abandon("the lights went out"))
    assert (table.view.id, table.view.match.games_won) == (won, (1, 0))
    survives(table)
    assert table.journal.rows()[-1].event == Abandoned("the lights went out")


def test_the_first_game_given_up_makes_room_for_another_in_one_event(table):
    table.score(0, 6)
    rows = len(table.journal.rows())
    old = table.view.id
    receipt = table.ask(Abandon("wrong players"))
    assert (receipt.entry, table.fronts(), table.view.game.players) == (None, [0, 0], PLAYERS)
    (row,) = table.journal.rows()[rows:]
    assert (row.kind, row.event.replaces, row.event.note) == ("started", old, "wrong players")
    survives(table)
    refused(table, Already, lambda: table.ask(TakeBack()))


def test_a_finished_first_game_given_up_counts_for_nothing(table):
    finish(table)
    assert table.view.match.games_won == (1, 0)
    table.ask(Abandon())
    assert (table.view.match.games_won, table.view.game.outcome) == ((0, 0), None)
    survives(table)
    assert table.view.match.games_won == (0, 0)


# --- finished games of the match ---


def test_a_finished_game_is_put_right_by_a_director_and_the_match_stands_anew(table):
    finish(table, winner=0, loser=90)
    won = table.view.id
    table.board.keys.deal()
    table.score(0, 4)
    running = table.view
    assert (running.match.points, running.match.spread) == ((2, 0), (31, -31))
    assert "director" in refused(table, NotAllowed, lambda: table.ask(SetPegs(1, 91, 89), game=won, base=1))
    receipt = table.rule(SetPegs(1, 91, 89), game=won, base=1)
    assert receipt.entry == "4"
    assert (table.view.match.points, table.view.match.spread) == ((1, 0), (30, -30))
    assert (table.view.id, table.view.game) == (running.id, running.game)
    survives(table)
    assert table.view.match.points == (1, 0)


def test_the_base_of_a_finished_games_lane_is_that_games(table):
    finish(table)
    won = table.view.id
    table.board.keys.deal()
    assert "Bob is already at 95" in refused(table, Moved, lambda: table.rule(PegBack(1, 1), game=won, base=0))


def test_a_finished_game_is_not_opened_while_a_later_one_is_on_the_table(table):
    finish(table)
    won = table.view.id
    table.board.keys.deal()
    assert "would open game" in refused(table, OtherGame, lambda: table.rule(TakeBack(3), game=won))
    table.ask(Abandon())
    table.rule(TakeBack(3))
    assert table.view.game.outcome is None


def test_scores_name_the_running_game_and_corrections_a_game_of_the_match(table):
    finish(table)
    won = table.view.id
    table.board.keys.deal()
    refused(table, OtherGame, lambda: table.score(0, 2, game=won))
    refused(table, OtherGame, lambda: table.rule(Penalize(2, 0), game=won))
    refused(table, OtherGame, lambda: table.rule(PegBack(0, 2), game="unheard-of"))
    table.ask(Start(Rules(), ("Cy", "Dee")), replaces=table.view.id)
    refused(table, OtherGame, lambda: table.rule(PegBack(0, 2), game=won, base=2))


def test_an_abandoned_game_is_no_longer_put_right(table):
    finish(table)
    table.board.keys.deal()
    given_up = table.view.id
    table.score(0, 2)
    table.ask(Abandon())
    refused(table, OtherGame, lambda: table.rule(Amend(1, 3, 2), game=given_up))


# --- matches ---


def test_a_match_of_three_is_decided_and_the_next_game_begins_another(table):
    table.rule(Start(Rules(), PLAYERS, format="best of 3"), replaces=table.view.id)
    for _ in range(2):
        assert table.view.match.winner is None
        finish(table)
        table.board.keys.deal() if table.view.match.winner is None else None
    assert (table.view.match.format, table.view.match.winner, table.view.match.games_won) == ("best of 3", 0, (2, 0))
    survives(table)
    decided = table.view.match_id
    table.board.keys.deal()
    assert (table.view.match.format, table.view.match.games_won) == ("best of 3", (0, 0))
    assert table.view.match_id not in (decided, "")


def test_games_after_the_deciding_one_count_nothing_while_it_decides(seated):
    table = seated(match="best of 3")
    finish(table, winner=0)
    first = table.view.id
    table.board.keys.deal()
    finish(table, winner=1)
    table.board.keys.deal()
    third = table.view.id
    finish(table, winner=1, loser=95)
    assert (table.view.match.winner, table.view.match.games_won) == (1, (1, 2))
    table.rule(SetPegs(1, 60, 50), game=first, base=1)
    assert (table.view.match.winner, table.view.match.games_won, table.view.match.points) == (0, (1, 0), (3, 0))
    survives(table)
    table.rule(SetPegs(1, 95, 94), game=first, base=2)
    assert (table.view.match.winner, table.view.match.games_won, table.view.id) == (1, (1, 2), third)
    survives(table)


def test_other_players_begin_another_match_of_the_same_format(seated):
    table = seated(match="best of 5")
    finish(table)
    table.ask(Start(Rules(), ("Cy", "Dee")))
    assert (table.view.match.format, table.view.match.games_won) == ("best of 5", (0, 0))


def test_start_match_begins_a_match_even_for_the_same_players(table):
    finish(table)
    table.rule(Start(Rules(), PLAYERS, dealer=1, format="first to 9"))
    assert (table.view.match.format, table.view.match.games_won, table.view.game.dealer) == ("first to 9", (0, 0), 1)
    with pytest.raises(RuleError, match="no match format"):
        table.rule(Start(Rules(), PLAYERS, format="until dawn"), replaces=table.view.id)


def test_a_later_change_of_the_winner_leaves_the_next_games_dealer(table):
    finish(table, winner=0)
    won = table.view.id
    table.board.keys.deal()
    assert table.view.game.dealer == 1, "the loser deals"
    table.rule(SetPegs(1, 121, 94), game=won, base=1)
    table.rule(PegBack(0, 1), game=won, base=2)
    assert (table.view.match.games_won, table.view.game.dealer) == ((0, 1), 1)


# --- house rules ---


def test_a_game_started_from_a_phone_is_played_by_the_rules_of_the_house(seated):
    table = seated("standard", "muggins=on", "worth=flat")
    table.ask(Start(Rules.named("short"), PLAYERS), replaces=table.view.id)
    assert (table.view.game.rules.muggins, table.view.game.rules.worth, table.view.game.rules.game_hole) == (
        True,
        (1, 1, 1),
        61,
    )


def test_a_variant_that_does_not_go_with_the_house_is_refused(seated):
    table = seated("standard", "game hole=61")
    start = Start(Rules.named("solitaire"), ("Ann",))
    assert "enough, 91, lies beyond" in refused(table, RuleError, lambda: table.ask(start, replaces=table.view.id))


# --- confirming, and pegging out ---


def test_where_the_rules_ask_for_it_the_deal_key_waits_for_both_to_confirm(seated):
    table = seated("acc")
    finish(table)
    table.board.keys.deal()
    assert "the result waits for Ann and Bob to confirm it" in table.view.notice
    table.board.keys.dial(0, 1)
    assert table.view.game.lanes_to_confirm() == (1,)
    table.ask(Confirm(1, 0, (121, 95)), base=None)
    assert (table.view.game.lanes_to_confirm(), table.fronts()) == ((), [121, 95])
    survives(table)
    table.board.keys.deal()
    assert (table.view.game.outcome, table.view.match.points) == (None, (2, 0))


def test_the_press_that_pegs_anothers_winning_points_confirms_nothing(seated):
    table = seated("acc")
    table.rule(SetPegs(0, 119, 110))
    table.board.keys.dial(0, 2)
    table.board.keys.dial(1, 2)
    assert (table.fronts(), table.view.game.lanes_to_confirm()) == ([121, 0], (0, 1))


def test_a_key_after_both_have_confirmed_says_what_to_do(seated):
    table = seated("acc")
    finish(table)
    table.board.keys.dial(0, 1)
    table.board.keys.dial(0, 1)
    assert table.view.notice == "Ann has won; yet to confirm, with any key: Bob"
    table.board.keys.dial(1, 1)
    table.board.keys.dial(0, 1)
    assert "DEAL starts the next game" in table.view.notice


def test_a_phone_does_not_go_on_without_the_confirmation_but_a_director_does(seated):
    table = seated("acc")
    finish(table)
    start = Start(Rules.named("acc"), PLAYERS)
    assert "waits for Ann and Bob" in refused(table, NotAllowed, lambda: table.ask(start))
    table.rule(start)
    assert table.view.game.outcome is None


def test_a_correction_voids_the_confirmations(seated):
    table = seated("acc")
    finish(table)
    table.board.keys.dial(0, 1)
    table.board.keys.dial(1, 1)
    table.rule(PegBack(1, 5))
    assert table.view.game.lanes_to_confirm() == (0, 1)
    survives(table)


def test_a_result_of_a_finished_game_is_confirmed_later(seated):
    table = seated("acc")
    finish(table)
    won = table.view.id
    table.rule(Start(Rules.named("acc"), PLAYERS))
    table.ask(Confirm(0, 0, (121, 95)), game=won, base=None)
    assert replay_rows(table.journal.rows(won)).lanes_to_confirm() == (1,)


def test_another_result_than_the_boards_is_not_confirmed(seated):
    table = seated("acc")
    finish(table)
    assert "look again" in refused(table, Moved, lambda: table.ask(Confirm(0, 1, (121, 95)), base=None))


def test_where_the_winner_must_peg_out_silence_does_not_place_the_last_peg(seated):
    table = seated("standard", "peg out=on")
    table.rule(SetPegs(0, 118, 110))
    table.board.keys.dial(0, 2)
    table.board.keys.peg(0)
    assert table.fronts() == [120, 0], "short of the game hole silence pegs as ever"
    table.board.keys.dial(0, 1)
    table.board.keys.peg(0)
    assert (table.fronts(), table.view.notice) == ([120, 0], "Ann, press to peg out with 1, UNDO drops")
    table.board.keys.dial(1, 5)
    assert table.fronts() == [120, 0], "nor does another's key"
    table.board.keys.peg(1)
    table.board.keys.dial(0, 5)
    assert (table.fronts(), table.view.game.outcome.winner) == ([121, 5], 0)


def test_the_last_peg_that_is_not_placed_can_be_dropped(seated):
    table = seated("standard", "peg out=on")
    table.rule(SetPegs(0, 120, 110))
    table.board.keys.dial(0, 1)
    table.board.keys.peg(0)
    table.board.keys.undo()
    assert (table.view.dialled, table.view.notice, table.fronts()) == ((0, 0), None, [120, 0])


def test_silence_wins_where_nobody_asks_for_more(table):
    table.rule(SetPegs(0, 120, 110))
    table.board.keys.dial(0, 1)
    table.board.keys.peg(0)
    assert table.view.game.outcome.winner == 0


# --- what is on disk ---


def test_the_summary_follows_every_correction(table):
    finish(table, loser=90)
    with sqlite3.connect(table.folder / FILE) as db:
        kept = [json.loads(result) for (result,) in db.execute("SELECT result FROM game")]
        assert [(one["winner"], one["points"], one["spread"]) for one in kept] == [(0, 2, [31, -31])]
        table.rule(PegBack(0, 1))
        assert db.execute("SELECT result FROM game").fetchall() == [(None,)]
    db.close()


# --- an undo that names no line, for an earlier game ---


def test_undo_of_an_earlier_game_means_that_games_newest_line(table):
    finish(table)
    won = table.view.id
    table.board.keys.deal()
    before = table.view
    table.rule(PegBack(1, 2), game=won, base=1)
    table.rule(TakeBack(), game=won, base=table.view.revision)
    assert (table.view.id, table.view.match) == (before.id, before.match)
    assert [entry.stands for entry in replay_rows(table.journal.rows(won)).entries] == [True, True, True, False]
    table.rule(Restore(), game=won, base=table.view.revision)
    assert replay_rows(table.journal.rows(won)).lanes[1].front == 93
    table.score(0, 4)
    table.rule(TakeBack(), game=won, base=table.view.revision)
    assert table.fronts() == [4, 0], "the running game's line stays"


def test_every_ruling_is_made_on_an_earlier_game(table):
    finish(table, winner=0, loser=100)
    won = table.view.id
    table.board.keys.deal()
    table.rule(Penalize(1, 0), base=0)
    table.rule(SetPegs(1, 121, 100), game=won, base=1)
    table.rule(ClaimFalsely(3, 8, 11), game=won)
    assert (table.view.match.games_won, table.view.match.spread) == ((0, 1), (-18, 18))
    table.rule(TakeBack(5), game=won)
    table.rule(OverPeg(3, 9, 11), game=won)
    assert (table.view.match.games_won, table.view.match.spread) == ((0, 1), (-2, 2))
    survives(table)
    back = Retract(2)
    refused(table, OtherGame, lambda: table.rule(back, game=won, base=table.view.revision))


def test_who_plays_next_still_does_when_the_first_game_is_given_up(table):
    table.score(0, 5)
    assert not table.board.seat_players(Setup(Rules.named("short"), ("Cy", "Dee")))
    table.ask(Abandon())
    assert table.view.game.players == PLAYERS
    table.win()
    table.board.keys.deal()
    assert table.view.game.players == ("Cy", "Dee")


def test_other_players_wait_for_the_result_to_be_confirmed(seated):
    table = seated("acc")
    finish(table)
    assert not table.board.seat_players(Setup(Rules.named("acc"), ("Cy", "Dee")))
    table.board.keys.dial(0, 1)
    table.board.keys.dial(1, 1)
    table.board.keys.deal()
    assert table.view.game.players == ("Cy", "Dee")


def test_in_strict_mode_a_finished_game_is_not_wiped_or_put_back_by_a_player(seated):
    table = seated("acc")
    finish(table)
    assert "given up by the director" in refused(table, NotAllowed, lambda: table.ask(Abandon()))
    table.board.keys.dial(0, 1)
    table.board.keys.dial(1, 1)
    table.board.keys.deal()
    running = table.view.id
    table.board.keys.undo()
    assert (table.view.id, table.view.notice) == (running, "the finished game is put back on the table by the director")
    table.rule(TakeBack())
    assert table.view.id != running


# --- what came since ---


def test_a_deal_that_moved_a_lane_is_told_to_the_phone_that_missed_it(seated):
    table = seated("box-sheet")
    table.score(1, 5)
    table.ask(Deal())
    with pytest.raises(Moved) as moved:
        table.score(1, 2, base=1)
    assert [entry["do"] for entry in moved.value.entries] == ["deal"]


def test_an_amendment_that_moved_anothers_lane_is_told(table):
    table.rule(SetPegs(0, 100, 90))
    table.score(0, 20)
    table.score(1, 5)
    table.rule(Amend(2, 21, 20))
    with pytest.raises(Moved) as moved:
        table.score(1, 2, base=1)
    assert [(entry["id"], entry["points"]) for entry in moved.value.entries] == [("2", 21)]


def test_pins_before_a_ruling_and_of_the_lane_it_awards_are_told(seated):
    table = seated("standard", "over-peg=excess")
    table.score(0, 6)
    table.rule(SetPegs(0, 20, 10))
    table.rule(OverPeg(1, 4, 6))
    table.rule(SetPegs(1, 30, 20))
    note = "Ann's pegs stay as line 2 has set them; Bob's pegs stay as line 4 has set them"
    assert table.rule(TakeBack(3)).note == note
    assert table.rule(Restore(3)).note == note


def test_a_match_is_started_by_the_director(table):
    start = Start(Rules(), PLAYERS, format="best of 3")
    assert "by the director" in refused(table, NotAllowed, lambda: table.ask(start, replaces=table.view.id))
    table.rule(start, replaces=table.view.id)
    assert table.view.match.format == "best of 3"


def test_a_phones_next_game_is_for_those_who_wait(table):
    table.score(0, 5)
    table.board.seat_players(Setup(Rules.named("short"), ("Cy", "Dee"), "first to 9"))
    table.win()
    table.ask(Start(Rules(), PLAYERS))
    now = table.view
    assert (now.game.players, now.game.rules.variant, now.match.format) == (("Cy", "Dee"), "short", "first to 9")
    table.win()
    table.ask(Start(Rules.named("short"), ("Cy", "Dee")))
    assert table.view.match.games_won == (1, 0), "nobody waits any more, and the match goes on"


@pytest.mark.parametrize("asked", [Start(Rules(), PLAYERS, format="best of 3"), Start(Rules(), ("Cy", "Dee"))])
def test_house_rules_that_wait_hold_for_a_match_and_for_other_players_too(table, asked):
    table.score(0, 5)
    table.board.seat_players(Setup(with_house_rules(Rules(), ["muggins=on"]), PLAYERS))
    table.win()
    table.ask(asked, director=True)
    assert (table.view.game.players, table.view.game.rules.muggins) == (asked.players, True)


def test_house_rules_that_wait_for_another_variant_are_left_to_it(table):
    table.score(0, 5)
    table.board.seat_players(Setup(with_house_rules(Rules.named("short"), ["muggins=on"]), PLAYERS))
    table.win()
    table.ask(Start(Rules(), ("Cy", "Dee")))
    assert (table.view.game.rules.variant, table.view.game.rules.muggins) == ("standard", False)


def test_three_who_have_yet_to_confirm_are_listed(tmp_path):
    table = Table(tmp_path, Setup(with_house_rules(Rules.named("three-handed"), ["confirm=on"]), ("Ann", "Bob", "Cy")))
    table.win()
    table.board.keys.deal()
    assert "waits for Ann, Bob and Cy to confirm" in table.view.notice
    table.journal.close()


def test_partners_are_told_of_in_the_plural(tmp_path):
    table = Table(tmp_path, Setup(Rules.named("partners"), ("Ann", "Bob", "Cy", "Dee")))
    table.score(0, 6)
    with pytest.raises(Moved, match="Ann and Cy are already at 6"):
        table.score(0, 2, base=0)
    table.journal.close()
