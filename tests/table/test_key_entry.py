"""What keypads, the chord and the program itself do: typed amounts, ENTER, invitation, devices."""

from dataclasses import replace

import pytest

from pegboard import Rules, Start
from pegboard.core.match import Setup
from pegboard.core.moves import SetPegs
from pegboard.core.view import Device, Invitation
from pegboard.errors import Moved, NotStored
from tests.support.player_names import SIX
from tests.support.scoreboard_on_a_folder import Table

PAGES = Invitation("http://192.168.1.20:8080/")
BY_HAND = replace(Rules(), peg_out=True)


@pytest.fixture
def table(tmp_path):
    table = Table(tmp_path)
    yield table
    table.journal.close()


def points(table):
    return [line.event.points for line in table.view.game.entries]


# --- more lanes than keys ---


def test_at_the_start_of_a_game_with_four_lanes_the_keys_say_where_the_fourth_is_scored(tmp_path):
    table = Table(tmp_path, Setup(Rules.named("cut-throat-four"), SIX[:4]))
    keys, sentence = table.board.keys, "No key pegs for Dee; use a phone or tablet"
    keys.enter(2, 6)
    assert (table.fronts(), table.view.notice) == ([0, 0, 6, 0], sentence)
    table.score(3, 8)
    assert (table.fronts(), table.view.notice) == ([0, 0, 6, 8], None)
    keys.enter(1, 12)
    assert table.view.notice is None, "once is enough"
    table.win(seat=3)
    keys.deal()
    assert (table.fronts(), table.view.notice) == ([0, 0, 0, 0], sentence)
    table.journal.close()


def test_where_every_lane_has_keys_nothing_is_said(tmp_path):
    table = Table(tmp_path, Setup(Rules.named("six-partners"), SIX))
    table.board.keys.enter(2, 6)
    assert (table.fronts(), table.view.notice) == ([0, 0, 6], None)
    table.journal.close()


# --- typed amounts and ENTER ---


def test_typed_amount_is_on_every_display_and_on_no_lane(table):
    table.board.keys.show_typed(12)
    assert table.view.notice == "12: press a player's ENTER, UNDO cancels"
    assert (table.view.dialled, table.fronts()) == ((0, 0), [0, 0])
    table.board.keys.show_typed(None)
    assert table.view.notice is None


def test_typed_amount_survives_a_phones_score(table):
    table.board.keys.show_typed(12)
    table.score(1, 5)
    assert table.view.notice == "12: press a player's ENTER, UNDO cancels"
    table.board.keys.enter(0, 12)
    assert (table.fronts(), table.view.notice) == ([12, 5], None)


def test_enter_pegs_what_was_typed_at_once(table):
    table.board.keys.show_typed(8)
    table.board.keys.enter(1, 8)
    assert (table.fronts(), table.view.dialled, table.view.notice) == ([0, 8], (0, 0), None)


def test_zero_may_be_entered(table):
    table.board.keys.enter(0, 0)
    assert points(table) == [0]


def test_enter_pegs_typed_points_with_what_the_lane_has_dialled_as_one_score(table):
    table.board.keys.dial(0, 5)
    table.board.keys.enter(0, 3)
    assert points(table) == [8]


def test_enter_pegs_the_other_lanes_earlier_presses_first(table):
    table.board.keys.dial(1, 5)
    table.board.keys.enter(0, 3)
    assert points(table) == [5, 3]


def test_enter_alone_pegs_what_is_dialled_or_does_nothing(table):
    table.board.keys.enter(0, None)
    assert (table.fronts(), table.view.notice) == ([0, 0], None)
    table.board.keys.dial(0, 5)
    table.board.keys.enter(0, None)
    assert table.fronts() == [5, 0]


def test_enter_alone_for_another_lane_pegs_the_earlier_presses(table):
    table.board.keys.dial(0, 5)
    table.board.keys.enter(1, None)
    assert (table.fronts(), table.view.dialled) == ([5, 0], (0, 0))


def test_enter_asks_before_it_adds_to_a_lane_that_a_phone_has_moved(table):
    table.board.keys.dial(0, 5)
    table.score(0, 7)
    table.board.keys.enter(0, None)
    assert (table.fronts(), table.view.dialled) == ([7, 0], (5, 0))
    assert "Ann is at 7 now: press for 5 more" in table.view.notice
    table.board.keys.enter(0, None)
    assert (table.fronts(), table.view.dialled) == ([12, 0], (0, 0))


def test_typed_points_are_not_lost_when_enter_answers_what_the_keys_ask(table):
    table.board.keys.dial(0, 5)
    table.score(0, 7)
    table.board.keys.peg(0)
    table.board.keys.enter(0, 3)
    assert (table.fronts(), points(table)) == ([15, 0], [7, 5, 3])


@pytest.mark.parametrize("asked", [False, True], ids=["typed", "asked"])
def test_enter_is_the_press_of_a_winner_who_must_peg_out(tmp_path, asked):
    table = Table(tmp_path, Setup(BY_HAND, ("Ann", "Bob")))
    for _ in range(4):
        table.score(0, 29)
    if asked:
        table.board.keys.dial(0, 5)
        table.board.keys.peg(0)
        assert table.view.notice == "Ann, press to peg out with 5; UNDO cancels"
    table.board.keys.enter(0, None if asked else 5)
    assert table.view.game.outcome.winner == 0
    table.journal.close()


def test_enter_alone_confirms_the_result(tmp_path):
    table = Table(tmp_path, Setup(Rules.named("acc"), ("Ann", "Bob")))
    table.rule(SetPegs(0, 119, 110))
    table.board.keys.dial(0, 2)
    table.board.keys.enter(1, None)
    assert (table.fronts(), table.view.game.lanes_to_confirm()) == ([121, 0], (0, 1)), (
        "it only pegged what Ann had dialled"
    )
    table.board.keys.enter(1, None)
    assert table.view.game.lanes_to_confirm() == (0,)
    table.journal.close()


def test_enter_of_a_lane_that_is_not_there_is_refused(table):
    table.board.keys.enter(2, 5)
    assert "no lane 2" in table.view.notice


def test_enter_after_the_end_says_what_to_press_and_scores_nothing(table):
    table.win()
    before = points(table)
    table.board.keys.enter(1, 5)
    assert "DEAL starts the next game" in table.view.notice
    assert points(table) == before


def test_what_enter_could_not_store_stays_dialled(table, monkeypatch):
    def full(*_args, **_more):
        raise NotStored("NOT SAVED, so not scored: database or disk is full")

    with monkeypatch.context() as disk:
        disk.setattr(table.journal, "append", full)
        table.board.keys.enter(0, 5)
    assert (table.view.dialled, table.fronts()) == ((5, 0), [0, 0])
    assert "NOT SAVED" in table.view.notice
    table.board.keys.enter(0, None)
    assert table.fronts() == [5, 0]


def test_drop_takes_one_lanes_dialled_points_away(table):
    table.board.keys.dial(0, 5)
    table.board.keys.drop(1)
    assert table.view.dialled == (5, 0)
    table.board.keys.drop(0)
    assert (table.view.dialled, table.fronts()) == ((0, 0), [0, 0])


# --- a new game ---

OTHERS = {
    "a phone's score": lambda table: table.score(1, 5),
    "a keypad's 7 ENTER": lambda table: (table.board.keys.show_typed(7), table.board.keys.enter(0, 7)),
    "a digit": lambda table: table.board.keys.show_typed(7),
    "ENTER alone": lambda table: table.board.keys.enter(0, None),
    "a player's key": lambda table: table.board.keys.dial(0, 5),
    "silence": lambda table: table.board.keys.peg(0),
    "UNDO": lambda table: table.board.keys.undo(),
    "DEAL": lambda table: table.board.keys.deal(),
    "UNDO and DEAL": lambda table: table.board.keys.invite(),
    "a stuck key": lambda table: table.board.keys.show_notice("The key a1 is stuck"),
    "no answer": lambda table: table.board.keys.cancel_new_game(),
}


@pytest.mark.parametrize("other", OTHERS)
def test_undo_held_again_only_asks_when_something_has_happened_since_it_was_asked(table, other):
    table.score(0, 3)
    table.board.keys.dial(0, 2)
    table.board.keys.ask_new_game()
    assert "New game?" in table.view.notice
    OTHERS[other](table)
    assert "New game?" not in (table.view.notice or "")
    game, lines = table.view.id, table.view.game.entries
    table.board.keys.new_game()
    assert (table.view.id, table.view.game.entries) == (game, lines), "nothing is lost"
    assert "New game? Hold UNDO again" in table.view.notice
    table.board.keys.new_game()
    assert (table.view.id != game, table.view.game.entries) == (True, ())


def test_new_game_that_drops_what_was_typed_is_still_the_answer(table):
    table.score(0, 3)
    table.board.keys.show_typed(7)
    table.board.keys.ask_new_game()
    table.board.keys.show_typed(None)
    assert "New game?" in table.view.notice
    table.board.keys.new_game()
    assert (points(table), table.view.notice) == ([], None)


def test_what_is_refused_leaves_the_question(table):
    table.board.keys.ask_new_game()
    with pytest.raises(Moved):
        table.score(0, 5, base=9)
    assert "New game?" in table.view.notice


def test_question_is_asked_however_often_undo_is_held_elsewhere(table):
    table.board.keys.ask_new_game()
    table.board.keys.ask_new_game()
    assert "New game?" in table.view.notice


def test_notice_in_the_words_of_a_question_asks_nothing(table):
    table.score(0, 3)
    game = table.view.id
    table.board.keys.show_notice("New game? Hold UNDO again; any other key cancels")
    table.board.keys.new_game()
    assert (table.view.id, table.fronts()) == (game, [3, 0])


def test_notice_in_the_words_of_a_question_does_not_ask_for_a_win(table):
    table.win()
    table.board.keys.show_notice("Ann has won. UNDO again undoes the win; any other key keeps it")
    table.board.keys.undo()
    assert table.view.game.outcome is not None


@pytest.mark.parametrize("other", ["a notice", "no answer"])
def test_only_the_question_itself_is_taken_away(table, other):
    sentence = "The key a1 is stuck"
    table.board.keys.show_notice(sentence)
    if other == "a notice":
        table.board.keys.ask_new_game()
        table.board.keys.show_notice(sentence)
    table.board.keys.cancel_new_game()
    assert table.view.notice == sentence


# --- the invitation ---

KEYS = {
    "dial": lambda board: board.keys.dial(0, 5),
    "typed": lambda board: board.keys.show_typed(1),
    "enter": lambda board: board.keys.enter(0, 5),
    "undo": lambda board: board.keys.undo(),
    "deal": lambda board: board.keys.deal(),
    "ask": lambda board: board.keys.ask_new_game(),
    "new game": lambda board: board.keys.new_game(),
}


def test_invitation_is_shown_from_the_start_while_nothing_is_on_the_sheet(table):
    assert table.view.invitation is None
    table.board.set_join_address(PAGES)
    assert table.view.invitation == PAGES
    table.board.set_join_address(None)
    assert table.view.invitation is None


def test_if_no_phone_reaches_the_table_the_board_comes_first_and_how_to_join_on_request(table):
    here = Invitation("http://127.0.0.1:8080/", "machine", "pegboard run --host 0.0.0.0", is_reachable=False)
    table.board.set_join_address(here)
    assert table.view.invitation is None
    table.board.keys.invite()
    assert table.view.invitation == here


def test_invitation_is_shown_once_a_network_has_come(table):
    table.board.set_join_address(Invitation("http://127.0.0.1:8080/", "offline"))
    assert table.view.invitation is None
    table.board.set_join_address(PAGES)
    assert table.view.invitation == PAGES


def test_invitation_is_not_shown_over_a_game_that_goes_on(table):
    table.score(0, 5)
    table.board.set_join_address(PAGES)
    assert table.view.invitation is None


@pytest.mark.parametrize("key", KEYS)
def test_any_key_takes_the_invitation_away(table, key):
    table.board.set_join_address(PAGES)
    KEYS[key](table.board)
    assert table.view.invitation is None


def test_a_command_takes_the_invitation_away(table):
    table.board.set_join_address(PAGES)
    table.score(0, 5)
    assert table.view.invitation is None


def test_a_start_takes_the_invitation_away(table):
    table.board.set_join_address(PAGES)
    table.ask(Start(Rules(), ("Cy", "Dee")), replaces=table.view.id)
    assert table.view.invitation is None


def test_the_chord_shows_and_hides_the_invitation_in_any_game(table):
    table.score(0, 5)
    table.board.set_join_address(PAGES)
    table.board.keys.invite()
    assert table.view.invitation == PAGES
    table.board.keys.invite()
    assert table.view.invitation is None


def test_the_chord_without_pages_says_so(table):
    table.board.keys.invite()
    assert (table.view.invitation, table.view.notice) == (None, "Phones cannot join: no web page")


def test_a_stuck_key_does_not_take_the_invitation_away(table):
    table.board.set_join_address(PAGES)
    table.board.keys.show_notice("Key a1 is stuck and ignored until released")
    assert table.view.invitation == PAGES


# --- devices ---


def test_devices_are_on_every_display_and_nothing_else_changes(table):
    table.board.keys.dial(0, 5)
    before = table.view
    oled = Device("OLED", "no answer")
    table.board.set_devices((oled, Device("keys")))
    assert table.view.devices == (oled, Device("keys"))
    assert (table.view.dialled, table.view.notice, table.view.revision) == (before.dialled, None, before.revision)


def test_what_changes_nothing_wakes_nobody(table):
    table.board.keys.show_typed(5)
    table.board.set_join_address(PAGES)
    table.board.set_devices((Device("keys"),))
    seen = []
    table.feed.follow(seen.append)
    table.board.set_join_address(PAGES)
    table.board.set_devices((Device("keys"),))
    assert not seen
