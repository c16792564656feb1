"""Games of a match, one after the other: begun, decided, given up, put right later, and by whose house rules."""

import json
import sqlite3

import pytest

from pegboard import Restore, RuleError, Rules, Start, TakeBack
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Setup
from pegboard.core.moves import (
    Abandon,
    Abandoned,
    Amend,
    ClaimFalsely,
    OverPeg,
    PegBack,
    Penalize,
    Retract,
    SetPegs,
)
from pegboard.errors import Already, Moved, NotAllowed, OtherGame
from pegboard.storage.event_row import replay_rows
from pegboard.storage.schema import FILE
from tests.support.scoreboard_on_a_folder import PLAYERS, finish, refused, survives


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
    assert "would reopen game" in refused(table, OtherGame, lambda: table.rule(TakeBack(3), game=won))
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


def test_in_strict_mode_a_finished_game_is_not_wiped_or_put_back_by_a_player(seated):
    table = seated("acc")
    finish(table)
    assert "only the director can abandon" in refused(table, NotAllowed, lambda: table.ask(Abandon()))
    table.board.keys.dial(0, 1)
    table.board.keys.dial(1, 1)
    table.board.keys.deal()
    running = table.view.id
    table.board.keys.undo()
    assert (table.view.id, table.view.notice) == (
        running,
        "only the director can reopen the finished game",
    )
    table.rule(TakeBack())
    assert table.view.id != running


def test_if_players_confirm_results_no_player_abandons_a_finished_game(seated):
    table = seated("standard", "confirm=on")
    finish(table)
    assert "only the director can abandon" in refused(table, NotAllowed, lambda: table.ask(Abandon()))


def test_in_strict_mode_no_player_puts_a_finished_game_back_by_giving_up_the_next(seated):
    table = seated("standard", "strict=on")
    finish(table)
    won = table.view.id
    table.board.keys.deal()
    for points in (0, 4):
        table.score(0, points)
        why = refused(table, NotAllowed, lambda: table.ask(Abandon("the train leaves")))
        assert why == "only the director can change lines at this table"
    table.rule(Abandon("the train leaves"))
    assert table.view.id == won


def test_in_strict_mode_players_leave_a_game_for_another_and_the_finished_one_stays(seated):
    """Nothing is undone by it: the game that is left is listed as given up, and no other one is in progress."""
    table = seated("standard", "strict=on")
    finish(table)
    table.board.keys.deal()
    table.score(0, 4)
    left = table.view.id
    before = table.view.match.games_won
    table.ask(Start(Rules(), ("Ann", "Bob")), replaces=left)
    assert (table.fronts(), table.view.match.games_won) == ([0, 0], before)


def test_the_summary_follows_every_correction(table):
    finish(table, loser=90)
    with sqlite3.connect(table.folder / FILE) as db:
        kept = [json.loads(result) for (result,) in db.execute("SELECT result FROM game")]
        assert [(one["winner"], one["points"], one["spread"]) for one in kept] == [(0, 2, [31, -31])]
        table.rule(PegBack(0, 1))
        assert db.execute("SELECT result FROM game").fetchall() == [(None,)]
    db.close()


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


def test_a_match_is_started_by_the_director(table):
    start = Start(Rules(), PLAYERS, format="best of 3")
    assert (
        refused(table, NotAllowed, lambda: table.ask(start, replaces=table.view.id))
        == "only the director can start a match"
    )
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


def test_who_plays_next_still_does_when_the_first_game_is_given_up(table):
    table.score(0, 5)
    assert not table.board.seat_players(Setup(Rules.named("short"), ("Cy", "Dee")))
    table.ask(Abandon())
    assert table.view.game.players == PLAYERS
    table.win()
    table.board.keys.deal()
    assert table.view.game.players == ("Cy", "Dee")


def test_who_waits_still_does_when_the_game_before_is_on_the_table_again(table):
    table.win()
    table.ask(Start(Rules(), ("Cy", "Dee")))
    table.score(0, 5)
    assert not table.board.seat_players(Setup(Rules.named("short"), ("Cy", "Dee"), "best of 3"))
    table.ask(Abandon())
    assert table.view.game.players == PLAYERS
    table.board.keys.deal()
    now = table.view
    assert (now.game.players, now.game.rules.variant, now.match.format) == (("Cy", "Dee"), "short", "best of 3")


def test_other_players_wait_for_the_result_to_be_confirmed(seated):
    table = seated("acc")
    finish(table)
    assert not table.board.seat_players(Setup(Rules.named("acc"), ("Cy", "Dee")))
    table.board.keys.dial(0, 1)
    table.board.keys.dial(1, 1)
    table.board.keys.deal()
    assert table.view.game.players == ("Cy", "Dee")


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
    assert "the winning hole 91 is beyond" in refused(
        table, RuleError, lambda: table.ask(start, replaces=table.view.id)
    )


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
