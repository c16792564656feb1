"""Events applied together make the same sheet as one after another, and a sheet has room for so many lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pegboard
from pegboard.core import referee, view_as_json
from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.moves import Abandon, Amend, Confirm, Restore, SetPegs, Start, Started, TakeBack
from pegboard.core.referee import apply, apply_all, decide
from pegboard.core.view import View
from pegboard.errors import RuleError

COMMANDS = st.one_of(
    st.builds(
        pegboard.Score, st.integers(0, 29), st.integers(0, 1), why=st.sampled_from([None, "hand", "crib", "play"])
    ),
    st.builds(pegboard.Score, st.just(0), st.integers(0, 1)),
    st.builds(TakeBack),
    st.builds(Restore),
    st.builds(Amend, st.integers(1, 12), st.integers(0, 29), st.none(), st.none(), st.none()),
    st.builds(Confirm, st.integers(0, 1), st.none(), st.just(())),
)


def played(commands) -> list[tuple[object, Origin]]:
    """The events of those commands that the rules take."""
    game, events = Game(), []
    for number, command in enumerate([None, *commands], 1):
        try:
            event = (
                Started(pegboard.Rules(), ("Ann", "Bob"), 0)
                if command is None
                else decide(game, resolved(game, command))
            )
        except (RuleError, IndexError):
            continue
        events.append((event, Origin(number, "phone", number)))
        game = apply(game, *events[-1])
    return events


def resolved(game: Game, command):
    match command:
        case TakeBack(None):
            return TakeBack(game.newest_standing())
        case Restore(None):
            return Restore(game.undone[-1])
        case Confirm(seat):
            return confirmation(game, seat)
    return command


def confirmation(game: Game, seat: int) -> Confirm:
    """By that seat, of the result as it is."""
    return Confirm(seat, game.outcome and game.outcome.winner, tuple(lane.front for lane in game.lanes))


def shown(game: Game) -> list[object]:
    """All that anybody sees of a game."""
    return [view_as_json.entries_since(game, 0), view_as_json.snapshot(View(game)), game.revisions, game.undone]


@given(st.lists(COMMANDS, max_size=40), st.integers(0, 40))
def test_events_applied_together_make_the_same_sheet(commands, parted_at):
    events = played(commands)
    one_by_one = Game()
    for event, origin in events:
        one_by_one = apply(one_by_one, event, origin)
    together = apply_all(apply_all(Game(), events[:parted_at]), events[parted_at:])
    assert together == one_by_one
    assert shown(together) == shown(one_by_one)


@pytest.mark.parametrize("changes_result", [False, True])
def test_a_confirmation_outlasts_a_run_of_lines_that_leaves_the_result(changes_result: bool):
    over = empty()
    while over.outcome is None:
        over = pegboard.play(over, pegboard.Score(29, 0))
    confirmed = pegboard.play(over, confirmation(over, 0))
    lines = [decide(empty(), pegboard.Score(0, 1))] * 5
    if changes_result:
        lines[2] = decide(over, SetPegs(1, 30, 20))
    events = [(line, Origin(number, "phone", number)) for number, line in enumerate(lines)]
    together, one_by_one = apply_all(confirmed, events), confirmed
    for event, origin in events:
        one_by_one = apply(one_by_one, event, origin)
    assert together == one_by_one
    assert together.confirmed == (() if changes_result else (0,))


def empty() -> Game:
    return pegboard.new_game(pegboard.Rules(), ("Ann", "Bob"))


def test_a_sheet_has_room_for_two_thousand_lines_and_says_so(monkeypatch: pytest.MonkeyPatch):
    assert referee.MOST_LINES == 2_000
    monkeypatch.setattr(referee, "MOST_LINES", 5)
    game = empty()
    for _ in range(5):
        game = pegboard.play(game, pegboard.Score(1, 0))
    for refused in (pegboard.Score(0, 1), pegboard.Score(4, 0, why="hand")):
        with pytest.raises(RuleError, match="the score sheet has 5 lines, which is the limit; start the next game"):
            decide(game, refused)
    assert decide(game, TakeBack(5)), "what is wrong can still be put right"
    assert decide(game, Start(pegboard.Rules(), ("Ann", "Bob")))
    assert decide(game, Abandon())


def test_lines_are_changed_two_thousand_times_at_most(monkeypatch: pytest.MonkeyPatch):
    assert referee.MOST_CHANGES == 2_000
    monkeypatch.setattr(referee, "MOST_CHANGES", 4)
    game = pegboard.play(empty(), pegboard.Score(1, 0))
    for _ in range(2):
        game = pegboard.play(pegboard.play(game, TakeBack(1)), Restore(1))
    with pytest.raises(RuleError, match="have been changed 4 times, which is the limit"):
        decide(game, TakeBack(1))
    assert decide(game, pegboard.Score(1, 0)), "and it is still played"
