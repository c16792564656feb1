"""The end of a game: the last peg that the winner places, and the result that both confirm."""

import pytest

from pegboard import Rules, Start
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Setup
from pegboard.core.moves import (
    Confirm,
    PegBack,
    SetPegs,
)
from pegboard.errors import Moved, NotAllowed
from pegboard.storage.event_row import replay_rows
from tests.support.scoreboard_on_a_folder import PLAYERS, Table, finish, refused, survives


def test_where_the_rules_ask_for_it_the_deal_key_waits_for_both_to_confirm(seated):
    table = seated("acc")
    finish(table)
    table.board.keys.deal()
    assert "the result is waiting for Ann and Bob to confirm it" in table.view.notice
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
    assert table.view.notice == "Ann has won; Bob, press any key to confirm"
    table.board.keys.dial(1, 1)
    table.board.keys.dial(0, 1)
    assert "DEAL starts the next game" in table.view.notice


def test_a_phone_does_not_go_on_without_the_confirmation_but_a_director_does(seated):
    table = seated("acc")
    finish(table)
    start = Start(Rules.named("acc"), PLAYERS)
    assert "is waiting for Ann and Bob" in refused(table, NotAllowed, lambda: table.ask(start))
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
    assert "check the pegs" in refused(table, Moved, lambda: table.ask(Confirm(0, 1, (121, 95)), base=None))


def test_three_who_have_yet_to_confirm_are_listed(tmp_path):
    table = Table(tmp_path, Setup(with_house_rules(Rules.named("three-handed"), ["confirm=on"]), ("Ann", "Bob", "Cy")))
    table.win()
    table.board.keys.deal()
    assert "is waiting for Ann, Bob and Cy to confirm" in table.view.notice
    table.journal.close()


def test_partners_are_told_of_in_the_plural(tmp_path):
    table = Table(tmp_path, Setup(Rules.named("partners"), ("Ann", "Bob", "Cy", "Dee")))
    table.score(0, 6)
    with pytest.raises(Moved, match="Ann and Cy are already at 6"):
        table.score(0, 2, base=0)
    table.journal.close()


def test_where_the_winner_must_peg_out_silence_does_not_place_the_last_peg(seated):
    table = seated("standard", "peg out=on")
    table.rule(SetPegs(0, 118, 110))
    table.board.keys.dial(0, 2)
    table.board.keys.peg(0)
    assert table.fronts() == [120, 0], "short of the game hole silence pegs as ever"
    table.board.keys.dial(0, 1)
    table.board.keys.peg(0)
    assert (table.fronts(), table.view.notice) == ([120, 0], "Ann, press to peg out with 1; UNDO cancels")
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
