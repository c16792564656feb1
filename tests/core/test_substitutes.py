"""Somebody else plays on: the line, who plays from it on, its undo and redo, corrected names, and what is refused."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import Restore, RuleError, Rules, Score, TakeBack, new_game, play
from pegboard.core.entry import UNKNOWN_ORIGIN, Origin
from pegboard.core.moves import Amend, Event, Rename, Retract, SetPegs, Substitute, Substituted, TakenBack
from pegboard.core.referee import apply, apply_all, decide, director_only
from pegboard.core.rules import VARIANTS
from pegboard.core.view_as_json import entry_state
from pegboard.errors import Already, GameOver, Moved, PegboardError

CY_FOR_ANN = Substitute(0, "Ann", "Cy")


def table(*commands, rules=None, players=("Ann", "Bob")):
    game = new_game(rules or Rules(), players)
    for command in commands:
        game = play(game, command)
    return game


def ann_to_61():
    """Ann stands at 61, Bob at 12."""
    return table(Score(29, 0), Score(12, 1), Score(29, 0), Score(3, 0))


def test_cy_plays_on_from_where_ann_leaves():
    before = ann_to_61()
    game = play(before, CY_FOR_ANN)
    assert (game.players, game.first_players) == (("Cy", "Bob"), ("Ann", "Bob"))
    assert game.lanes == before.lanes
    assert [lane.front for lane in game.lanes] == [61, 12]
    assert game.position._replace(seated_by=()) == before.position
    assert game.standing == before.standing
    assert game.revisions == before.revisions, "a score on its way to the table still fits"
    assert [game.players_after(line)[0] for line in range(len(game.entries) + 1)] == ["Ann"] * 5 + ["Cy"]


def test_cy_wins_for_the_seat():
    game = table(*[Score(29, 0)] * 3, CY_FOR_ANN, Score(29, 0), Score(5, 0))
    assert game.outcome is not None
    assert (game.outcome.winner, game.lane_name(0), game.first_players[0]) == (0, "Cy", "Ann")


def test_undone_ann_plays_again_and_redone_cy():
    game = play(play(ann_to_61(), CY_FOR_ANN), Score(2, 1))
    undone = play(game, TakeBack(5))
    assert (undone.players, undone.lanes) == (("Ann", "Bob"), game.lanes)
    assert play(undone, Restore(5)).players == ("Cy", "Bob")


def test_one_after_another_takes_over_and_ann_comes_back():
    game = play(ann_to_61(), CY_FOR_ANN)
    for leaving, coming in (("Cy", "Dee"), ("Dee", "Ann")):
        game = play(game, Substitute(0, leaving, coming))
        assert game.players[0] == coming
    assert game.names_at(0) == ("Ann", "Cy", "Dee", "Ann")
    assert play(game, TakeBack(6)).players[0] == "Ann", "Dee never came, but Ann did come back"
    assert play(game, TakeBack(7)).players[0] == "Dee"


CY_LEAVES, CY_AGAIN = Substitute(0, "Cy", "Ann"), Substitute(0, "Ann", "Cy")
FOR_ONESELF = [  # what was said, the undo or redo after which somebody would play for themselves, and in which line
    ([CY_FOR_ANN, CY_LEAVES], TakeBack(1), "Ann", 2),
    ([CY_FOR_ANN, TakeBack(1), CY_AGAIN], Restore(1), "Cy", 2),
    ([CY_FOR_ANN, Retract(0), CY_AGAIN], TakeBack(2), "Cy", 3),
    ([CY_FOR_ANN, Score(2, 0), Substitute(0, "Cy", "ANN")], TakeBack(1), "ANN", 3),
]


@pytest.mark.parametrize(("said", "turned", "name", "line"), FOR_ONESELF)
def test_nobody_plays_for_themselves_because_another_line_is_undone_or_redone(said, turned, name, line):
    """A line that makes sense only beside another one is undone before it."""
    game = table(*said)
    with pytest.raises(Already) as refused:
        play(game, turned)
    assert str(refused.value) == f"in line {line}, {name} would then take over from themselves; undo line {line} first"
    assert play(play(game, TakeBack(line)), turned)


def test_a_line_that_would_seat_the_player_who_is_there_is_not_redone():
    game = table(CY_FOR_ANN, CY_LEAVES, TakeBack(2), TakeBack(1))
    with pytest.raises(Already, match="Ann already plays there"):
        play(game, Restore(2))
    assert play(play(game, Restore(1)), Restore(2)).players == ("Ann", "Bob")


def test_lines_that_do_not_count_or_do_not_depend_on_it_refuse_no_undo():
    game = table(CY_FOR_ANN, Substitute(1, "Bob", "Dee"), Substitute(0, "Cy", "Eve"), TakeBack(1))
    assert game.players == ("Eve", "Dee")
    assert play(table(CY_FOR_ANN, CY_LEAVES, Retract(1)), TakeBack(1)).players == ("Ann", "Bob")
    over = table(*[Score(29, 0)] * 4, CY_FOR_ANN, CY_LEAVES, Amend(4, 5, 29), SetPegs(0, 121, 92))
    assert play(over, TakeBack(1)).players == ("Ann", "Bob")


def test_an_older_game_in_which_somebody_plays_for_themselves_can_be_corrected():
    """Such an undo was taken before it was refused."""
    game = apply(table(CY_FOR_ANN, CY_LEAVES, Substitute(0, "Ann", "Dee")), TakenBack(1))
    assert (game.players, play(game, TakeBack(3)).players) == (("Dee", "Bob"), ("Ann", "Bob"))


def journaled(*commands):
    """A game whose events have numbers, as in a journal."""
    game = table()
    for number, command in enumerate(commands, 1):
        game = apply(game, decide(game, command), Origin(number))
    return game


@pytest.mark.parametrize(
    ("said", "formers"),
    [
        ([CY_FOR_ANN, CY_LEAVES, TakeBack(2), TakeBack(1)], {1: "Ann", 2: "Cy"}),
        ([CY_FOR_ANN, CY_LEAVES, TakeBack(2), TakeBack(1), Rename(0, "Cy", "Cyril")], {1: "Ann", 2: "Cyril"}),
        ([CY_FOR_ANN, TakeBack(1), Substitute(0, "Ann", "Dee"), TakeBack(2)], {1: "Ann", 2: "Ann"}),
        ([CY_FOR_ANN, Retract(0), Substitute(0, "Ann", "Dee"), TakeBack(3)], {1: "Ann", 3: "Ann"}),
        ([CY_FOR_ANN, Substitute(0, "Cy", "Dee"), TakeBack(1)], {1: "Ann", 2: "Ann"}),
        ([CY_FOR_ANN, Substitute(0, "Cy", "Dee"), TakeBack(1), TakeBack(2), Restore(1)], {1: "Ann", 2: "Cy"}),
    ],
)
def test_an_undone_line_names_the_player_who_left_when_it_was_made(said, formers):
    game = journaled(*said)
    assert {line: entry_state(game, line)["former"] for line in formers} == formers


def test_a_rollback_past_the_line_rolls_it_back_too():
    game = play(play(ann_to_61(), CY_FOR_ANN), Score(2, 0))
    back = play(game, Retract(3, "renege"))
    assert back.players == ("Ann", "Bob")
    assert play(back, TakeBack()).players == ("Cy", "Bob")
    assert play(game, Retract(5, "renege")).players == ("Cy", "Bob")


def test_if_the_game_turns_out_to_have_ended_earlier_nobody_took_over():
    game = table(*[Score(28, 0)] * 2, Score(4, 0), CY_FOR_ANN, rules=Rules.named("short"))
    over = play(game, Amend(3, 5, 4))
    assert over.outcome is not None
    assert (over.players, over.counts(4)) == (("Ann", "Bob"), False)
    assert play(over, Amend(3, 4, 5)).players == ("Cy", "Bob")


@pytest.mark.parametrize(
    ("command", "error", "sentence"),
    [
        (Substitute(0, "Ann", "Bob"), RuleError, "two players are called Bob; give each a different name"),
        (Substitute(0, "Ann", " bob"), RuleError, "two players are called bob; give each a different name"),
        (Substitute(0, "Ann", "Ann"), Already, "Ann already plays there; enter who plays on instead"),
        (Substitute(0, "Ann", "ANN"), Already, "Ann already plays there; enter who plays on instead"),
        (Substitute(0, "Cy", "Dee"), Moved, "that player is now called Ann, not 'Cy'; check the names"),
        (Substitute(2, "Ann", "Cy"), RuleError, "2"),
        (Substitute(0, "Ann", " "), RuleError, "1 to 64 characters"),
        (Substitute(0, "Ann", "x" * 65), RuleError, "1 to 64 characters"),
        (Substitute(0, "Ann", "C\x00y"), RuleError, "character"),
    ],
)
def test_a_name_that_cannot_be_is_refused_and_nothing_changes(command, error, sentence):
    game = ann_to_61()
    with pytest.raises(error) as refusal:
        play(game, command)
    assert sentence in str(refusal.value)
    assert game == ann_to_61()


def test_a_name_of_another_seat_is_refused_even_after_that_player_has_left():
    game = play(ann_to_61(), Substitute(1, "Bob", "Dee"))
    with pytest.raises(RuleError, match="two players are called Dee"):
        play(game, Substitute(0, "Ann", "Dee"))
    with pytest.raises(RuleError, match=r"^bob has already played at another seat in this game$"):
        play(game, Substitute(0, "Ann", "bob"))


def test_an_undone_line_seats_nobody_until_it_is_redone():
    game = table(Substitute(1, "Bob", "Zed"), TakeBack(1), Substitute(0, "Ann", "Zed"))
    assert game.players == ("Zed", "Bob")
    with pytest.raises(RuleError, match="two players are called Zed"):
        play(game, Restore(1))
    assert play(play(game, TakeBack(2)), Restore(1)).players == ("Ann", "Zed")


def test_who_has_left_cannot_come_back_to_another_seat():
    game = table(Substitute(1, "Bob", "Zed"), Substitute(1, "Zed", "Bob"))
    for command in (Substitute(0, "Ann", "Zed"), Rename(0, "Ann", "Zed")):
        with pytest.raises(RuleError, match=r"^Zed has already played at another seat in this game$"):
            play(game, command)


def test_nobody_takes_over_once_the_game_is_over():
    game = table(*[Score(29, 0)] * 5)
    with pytest.raises(GameOver, match="the game is over: Ann has won"):
        play(game, CY_FOR_ANN)


def test_in_a_strict_game_only_a_director_lets_somebody_take_over():
    for variant, reserved in (("standard", False), ("acc", True)):
        game = table(rules=Rules.named(variant))
        assert (director_only(game, decide(game, CY_FOR_ANN)) is not None) is reserved


def test_names_are_corrected_of_those_who_play_and_of_those_who_left():
    game = play(ann_to_61(), CY_FOR_ANN)
    cyril = play(game, Rename(0, "Cy", "Cyril"))
    assert (cyril.players, cyril.first_players) == (("Cyril", "Bob"), ("Ann", "Bob"))
    assert play(cyril, TakeBack(5)).players == ("Ann", "Bob")
    anna = play(cyril, Rename(0, "Ann", "Anna"))
    assert (anna.players, anna.first_players) == (("Cyril", "Bob"), ("Anna", "Bob"))
    assert anna.entries[4].event == Substituted(0, "Cyril")
    with pytest.raises(RuleError, match="two players are called Anna"):
        play(anna, Rename(0, "Cyril", "Anna"))
    with pytest.raises(Moved, match="now called Cyril"):
        play(anna, Rename(0, "Cy", "Sy"))
    back = play(play(game, Substitute(0, "Cy", "Ann")), Rename(0, "Ann", "Anna"))
    assert (back.players[0], back.first_players[0]) == ("Anna", "Anna"), "Ann came back: it is one person"


def test_partners_share_pegs_and_one_of_them_can_be_replaced():
    game = table(Score(20, 0), rules=Rules.named("partners"), players=("Ann", "Bob", "Cy", "Dee"))
    game = play(game, Substitute(2, "Cy", "Player 5"))
    assert (game.lane_name(0), game.lane_name(0, 1)) == ("Ann and Player 5", "Ann and Cy")


STEPS = st.lists(
    st.one_of(
        st.builds(Score, st.integers(0, 29), st.integers(0, 1)),
        st.builds(Substitute, st.integers(0, 1), st.sampled_from(["Ann", "Bob", "Cy"]), st.sampled_from(["Ann", "Cy"])),
        st.builds(
            Substitute, st.integers(0, 1), st.sampled_from(["Ann", "Bob", "Cy"]), st.sampled_from(["Dee", "Bob"])
        ),
        st.builds(TakeBack, st.none() | st.integers(1, 12)),
        st.builds(Restore, st.none() | st.integers(1, 12)),
        st.builds(Retract, st.integers(0, 12)),
        st.builds(Rename, st.integers(0, 1), st.sampled_from(["Ann", "Bob", "Cy"]), st.sampled_from(["Cy", "Dee"])),
    ),
    max_size=25,
)


@given(STEPS, st.sampled_from([VARIANTS["standard"], VARIANTS["box-sheet"], VARIANTS["short"]]))
def test_who_plays_moves_no_peg_and_follows_from_the_events(steps, rules):
    game = new_game(rules, ("Ann", "Bob"))
    empty, events = game, list[Event]()
    for command in steps:
        with contextlib.suppress(PegboardError):
            events.append(decide(game, command))
            game = apply(game, events[-1])
    again = apply_all(empty, [(event, UNKNOWN_ORIGIN) for event in events])
    assert (again.players, again.first_players, again.positions) == (game.players, game.first_players, game.positions)
    assert game.players == game.players_after(len(game.entries))
    for seat in range(2):
        assert game.players[seat] in game.names_at(seat)
    assert len(set(game.players)) == 2, "no two players share a name"
    for line, entry in enumerate(game.entries, 1):
        if isinstance(entry.event, Substituted) and game.counts(line):
            assert game.players_after(line - 1)[entry.event.seat] != entry.event.name, "nobody plays for themselves"
