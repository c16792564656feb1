"""What a command has to have seen of the board, who may send it, and what it tells that came since."""

import pytest

from pegboard import Deal, Restore, Rules, Start, TakeBack
from pegboard.core.moves import (
    Abandon,
    Amend,
    CallMuggins,
    ClaimFalsely,
    OverPeg,
    PegBack,
    Penalize,
    Retract,
    SetPegs,
)
from pegboard.errors import BaseMissing, GameOver, Moved, NotAllowed
from tests.support.scoreboard_on_a_folder import finish, refused, survives


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
    assert "the score has changed since" in refused(table, Moved, lambda: table.rule(command, base=1))
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
    with pytest.raises(GameOver, match="only its lines can be changed"):
        table.ask(Penalize(2, 1))
    assert (table.fronts(), table.view.game.outcome.winner) == ([121, 0], 0)


def test_a_change_before_set_pegs_says_what_it_leaves(table):
    table.score(0, 6)
    table.rule(SetPegs(0, 30, 20))
    assert table.ask(Amend(1, 8, 6)).note == "Ann's pegs stay where line 2 set them"
    assert table.ask(TakeBack(1)).note == "Ann's pegs stay where line 2 set them"
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
    note = "Ann's pegs stay where line 2 set them; Bob's pegs stay where line 4 set them"
    assert table.rule(TakeBack(3)).note == note
    assert table.rule(Restore(3)).note == note


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
    assert "only the director can change lines at this table" in table.view.notice
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
    assert "put later scores after the end of the game" in refused(table, NotAllowed, lambda: table.ask(Restore(2)))
    table.rule(Restore(2))
    assert table.view.game.outcome.winner == 0


@pytest.mark.parametrize("variant", ["short", "five-card"])
def test_a_scorer_sheds_no_strict_rules_by_another_variant(seated, variant):
    table = seated("standard", "strict=on")
    table.board._table.add_house_rules = lambda rules: rules
    for name in (variant, "standard"):
        table.ask(Start(Rules.named(name), ("Ann", "Bob")), replaces=table.view.id)
        assert (table.view.game.rules.variant, table.view.game.rules.strict) == (name, True)
    table.score(0, 6)
    assert "director" in refused(table, NotAllowed, lambda: table.ask(TakeBack(1)))


def test_a_director_ends_strict_rules(seated):
    table = seated("standard", "strict=on")
    table.ask(Start(Rules(), ("Ann", "Bob"), house=()), replaces=table.view.id, director=True)
    assert not table.view.game.rules.strict
