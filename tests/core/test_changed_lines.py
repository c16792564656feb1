"""What an event has changed on a sheet, and what it left as it was."""

import pytest

from pegboard import Restore, Rules, Score, TakeBack, new_game
from pegboard.core.entry import Origin
from pegboard.core.house_rules import with_house_rules
from pegboard.core.moves import Amend, CallMuggins, ClaimFalsely, Confirm, Deal, OverPeg, SetPegs
from pegboard.core.referee import apply, decide
from pegboard.core.view_as_json import line_made, lines_since, remainder_note, with_entries
from pegboard.errors import Moved

RULES = with_house_rules(Rules(), ["muggins=on", "over-peg=excess"])


def game_after(*commands, rules=RULES):
    game = new_game(rules, ("Ann", "Bob"))
    for number, command in enumerate(commands, 1):
        game = apply(game, decide(game, command), Origin(number, "phone", number))
    return game


@pytest.mark.parametrize(
    ("command", "line"),
    [(Score(2, 0), "3"), (Deal(), "3"), (TakeBack(1), "1"), (Amend(2, 4, 6), "2"), (OverPeg(1, 8, 10), "3")],
)
def test_a_command_makes_a_line_or_changes_one(command, line):
    game = game_after(Score(10, 0), Score(6, 1))
    assert line_made(decide(game, command), game) == line


def test_a_confirmation_makes_no_line():
    game = game_after(SetPegs(0, 120, 110, "laid out"), Score(2, 0))
    event = decide(game, Confirm(0, 0, (121, 0)))
    assert (line_made(event, game), remainder_note(event, game)) == (None, None)


def test_pegs_that_a_judge_has_set_later_stay():
    """ACC rulings: where pegs were set, an earlier line that is put right moves them no more."""
    game = game_after(Score(10, 0), Score(6, 1), SetPegs(0, 30, 20, "pegs fell"))
    assert remainder_note(decide(game, TakeBack(1)), game) == "Ann's pegs stay where line 3 set them"
    assert remainder_note(decide(game, TakeBack(2)), game) is None
    assert remainder_note(decide(game, OverPeg(1, 8, 10)), game) == "Ann's pegs stay where line 3 set them"
    assert remainder_note(decide(game, Score(2, 0)), game) is None


def test_both_lanes_of_a_ruling_can_stay():
    game = game_after(Score(10, 0), SetPegs(0, 30, 20, "pegs fell"), SetPegs(1, 30, 20, "pegs fell"))
    stay = "Ann's pegs stay where line 2 set them; Bob's pegs stay where line 3 set them"
    assert remainder_note(decide(game, OverPeg(1, 8, 10)), game) == stay


def test_undo_of_a_ruling_names_the_line_that_was_ruled_on():
    game = game_after(Score(10, 0), OverPeg(1, 8, 10), SetPegs(0, 30, 20, "pegs fell"))
    assert remainder_note(decide(game, TakeBack(2)), game) == "Ann's pegs stay where line 3 set them"


def test_muggins_is_cut_where_its_owner_could_have_pegged_no_more():
    near = game_after(SetPegs(1, 119, 110, "laid out"))
    cut = decide(near, CallMuggins(0, 6, 4))
    assert (
        remainder_note(cut, near)
        == "the award is only 2, because the player who missed the points could not have pegged more"
    )
    far = game_after(Score(10, 0))
    assert [remainder_note(decide(far, CallMuggins(0, 6, missed)), far) for missed in (4, 6, 0)] == [None] * 3


def test_lines_since_a_revision_are_those_made_or_changed():
    game = game_after(Score(10, 0), Score(6, 1), Score(2, 0), TakeBack(1), Restore(1))
    assert lines_since(game, 0, 1) == (3, 1)
    assert lines_since(game, 1, 0) == (2,)
    assert lines_since(game, None, 3) == (1,)  # the board's: events 4 and 5 have changed line 1
    assert lines_since(game, None, 0) == (3, 2, 1)


def test_at_most_ten_lines_are_told():
    game = game_after(*[Score(1, turn % 2) for turn in range(14)])
    assert lines_since(game, None, 0) == tuple(range(14, 4, -1))


def test_a_refusal_has_its_lines_as_a_snapshot_has_them():
    game = game_after(Score(10, 0), Score(6, 1))
    moved = with_entries(Moved("moved_board", (2, 1)), game)
    assert [(entry["id"], entry["do"], entry["points"]) for entry in moved.entries] == [
        ("2", "score", 6),
        ("1", "score", 10),
    ]


def test_a_false_claim_leaves_an_opponents_set_pegs():
    game = game_after(SetPegs(0, 111, 100, "laid out"), Score(12, 0), SetPegs(1, 50, 40, "pegs fell"))
    event = decide(game, ClaimFalsely(2, 4, 12))
    assert remainder_note(event, game) == "Bob's pegs stay where line 3 set them"
