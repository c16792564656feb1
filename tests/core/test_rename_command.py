"""A misspelt name is corrected in place: it follows the rules of a start, moves no peg and is no line of the sheet."""

import pytest

from pegboard import Rename, RuleError, Rules, Score, Start, TakeBack, decide, new_game, play
from pegboard.core import view_as_json, wire
from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.moves import Confirm, Renamed, SetPegs
from pegboard.core.referee import apply, director_only
from pegboard.core.sentences import phase_sentence
from pegboard.core.view import View
from pegboard.errors import Already, Moved
from tests.support.commands import command_of

BOB = Rename(1, "Bbo", "Bob")


def table(variant="standard", players=("Ann", "Bbo"), **rules) -> Game:
    return new_game(Rules(**rules) if rules else Rules.named(variant), players)


def refused(game: Game, command: Rename, error: type[RuleError | Moved], words: str) -> None:
    """The sentence names what is wrong, and the board is as it was."""
    before = game.positions, game.players
    with pytest.raises(error, match=words):
        decide(game, command)
    assert (game.positions, game.players) == before


def test_the_name_is_another_and_nothing_else_is():
    game = play(play(table(), Score(8, 1, why="hand")), Score(5, 0))
    after = play(game, BOB)
    assert after.players == ("Ann", "Bob")
    assert (after.entries, after.positions, after.revisions) == (game.entries, game.positions, game.revisions)
    assert phase_sentence(play(after, Score(2, 1))) == phase_sentence(play(game, Score(2, 1)))
    assert [seat["name"] for seat in view_as_json.snapshot(View(after))["seats"]] == ["Ann", "Bob"]


def test_who_corrected_which_name_stays_with_the_game():
    game = apply(table(), decide(table(), BOB), Origin(7, "phone", 5))
    game = apply(game, decide(game, Rename(1, "Bob", "Bobby")), Origin(9, "phone", 6))
    assert [(each.origin.event, each.event.former, each.event.to) for each in game.renamings] == [
        (7, "Bbo", "Bob"),
        (9, "Bob", "Bobby"),
    ]
    assert play(game, Score(3, 0)).renamings == game.renamings, "a later line leaves it"


def test_the_audit_trail_places_a_correction_after_the_newest_line_by_then():
    game = table()
    for n, command in enumerate((BOB, Score(5, 0), Score(2, 1), Rename(0, "Ann", "Anna"), Score(3, 0)), 1):
        game = apply(game, decide(game, command), Origin(n, "phone", n * 10**9))
    assert view_as_json.renamings(game) == [
        {"seat": 1, "from": "Bbo", "to": "Bob", "source": "phone", "at": 1.0, "after": "0"},
        {"seat": 0, "from": "Ann", "to": "Anna", "source": "phone", "at": 4.0, "after": "2"},
    ]


def test_partners_share_a_lane_and_each_has_a_name_of_its_own():
    game = play(table("partners", ("Ann", "Bbo", "Cy", "Dee")), Rename(3, "Dee", "Di"))
    assert game.players == ("Ann", "Bbo", "Cy", "Di")
    assert game.lane_name(1) == "Bbo and Di"
    refused(game, Rename(1, "Bbo", "Cy"), RuleError, "two players are called Cy")


def test_one_who_plays_alone_is_called_otherwise():
    assert play(table("solitaire", ("An",)), Rename(0, "An", "Ann")).players == ("Ann",)


def test_blanks_around_a_name_are_dropped_as_at_the_start():
    assert play(table(), Rename(1, "Bbo", "  Bob   the second ")).players == ("Ann", "Bob the second")


@pytest.mark.parametrize(
    ("to", "words"),
    [
        ("", "1 to 64 characters"),
        ("   ", "1 to 64 characters"),
        ("x" * 65, "1 to 64 characters"),
        ("🂡" * 41, "too long to display"),
        ("Bob\x00", "must consist of visible characters only"),
        ("Bob\ud800", "must consist of visible characters only"),
        ("Ann", "two players are called Ann"),
        ("ANN", "two players are called ANN"),
        ("Ａｎｎ", "two players are called Ａｎｎ"),  # noqa: RUF001 - the wide letters look like it
    ],
)
def test_a_name_that_a_start_refuses_is_refused(to, words):
    game = table()
    with pytest.raises(RuleError):
        decide(game, Start(game.rules, ("Ann", to)))
    refused(game, Rename(1, "Bbo", to), RuleError, words)


def test_a_small_letter_can_become_a_capital_one():
    assert play(table(players=("Ann", "bob")), Rename(1, "bob", "Bob")).players == ("Ann", "Bob")


def test_two_others_who_look_alike_keep_nobody_from_a_correction():
    old = Game(Rules.named("three-handed"), ("Ann", "ANN", "Cyy"))
    assert play(old, Rename(2, "Cyy", "Cy")).players == ("Ann", "ANN", "Cy")


@pytest.mark.parametrize("seat", [2, -1, 7, True, None, "1", 1.0])
def test_there_is_no_such_seat(seat):
    refused(table(), Rename(seat, "Bbo", "Bob"), RuleError, "there is no seat")


@pytest.mark.parametrize("former", ["Bob", "bbo", "", "Bbo ", "x" * 500])
def test_a_name_that_is_not_shown_has_moved(former):
    refused(table(), Rename(1, former, "Robert"), Moved, "is now called Bbo")


def test_two_who_correct_it_correct_it_once():
    refused(play(table(), BOB), BOB, Moved, "is now called Bob, not 'Bbo'; check the names")


def test_the_name_it_has_is_corrected_already():
    refused(table(), Rename(1, "Bbo", " Bbo "), Already, "the name is already Bbo")


def test_after_the_end_it_is_corrected_and_what_was_confirmed_stays_so():
    game = play(table(confirm=True), SetPegs(1, 120, 119))
    game = play(play(game, Score(5, 1)), Confirm(0, 1, (0, 121)))
    after = play(game, BOB)
    assert (after.outcome, after.confirmed, after.players) == (game.outcome, (0,), ("Ann", "Bob"))


@pytest.mark.parametrize(("strict", "why"), [(False, None), (True, "only the director can change lines at this table")])
def test_whoever_may_correct_scores_may_correct_a_name(strict, why):
    begun = table(strict=strict, confirm=True)
    for game in (begun, play(begun, SetPegs(1, 121, 119))):
        assert director_only(game, decide(game, BOB)) == why


def test_a_redo_that_names_no_line_is_for_undo_alone_as_after_any_other_event():
    game = play(play(table(), Score(5, 0)), TakeBack())
    assert game.undone == (1,)
    assert play(game, BOB).undone == ()


def test_who_is_called_otherwise_in_another_game_stays_so():
    """A correction is read with every game of its match; it is for the name it names alone."""
    cy = table(players=("Ann", "Cy"))
    assert apply(cy, Renamed(1, "Bbo", "Bob")) == cy
    assert apply(cy, Renamed(3, "Cy", "Bob")) == cy


def test_it_is_asked_and_kept_as_the_sheet_says():
    asked = {"do": "rename", "seat": 1, "from": "Bbo", "to": "Bob"}
    assert command_of(asked) == BOB
    assert wire.command_values(BOB) == asked
    assert wire.event_values(Renamed(1, "Bbo", "Bob")) == ("renamed", {"seat": 1, "from": "Bbo", "to": "Bob"})
    assert wire.read_event("renamed", {"seat": 1, "from": "Bbo", "to": "Bob"}) == Renamed(1, "Bbo", "Bob")
