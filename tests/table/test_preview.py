"""A preview is what the command then does, or the refusal that it then meets; nothing is kept and nothing shown."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pegboard import Abandon, Amend, Deal, Restore, Rules, Score, Start, TakeBack
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Setup
from pegboard.core.moves import CallMuggins, ClaimFalsely, Confirm, OverPeg, PegBack, Penalize, Retract, SetPegs
from pegboard.core.view import View
from pegboard.core.view_as_json import snapshot
from pegboard.errors import NotAllowed, PegboardError, RuleError
from tests.support.long_runs import some_of
from tests.support.scoreboard_on_a_folder import STANDARD, Table

seats, lines = st.integers(0, 1), st.integers(1, 8)
points = st.sampled_from([0, 1, 2, 4, 8, 12, 24, 29, 29, 29])
whys = st.sampled_from([None, "play", "go", "heels", "hand", "crib"])
NAMES = ("Ann", "Bob")

asked = st.one_of(
    st.builds(lambda p, s, w: Score(p, s, why=w), points, seats, whys),
    st.builds(lambda p, s, w: Score(p, s, why=w), points, seats, whys),
    st.builds(Deal),
    st.builds(TakeBack, st.none() | lines),
    st.builds(Restore, st.none() | lines),
    st.builds(Amend, lines, points, points),
    st.builds(Penalize, st.integers(1, 9), seats),
    st.builds(CallMuggins, seats, st.integers(1, 12), points),
    st.builds(OverPeg, lines, points, points),
    st.builds(ClaimFalsely, lines, points, points),
    st.builds(PegBack, seats, st.integers(1, 40)),
    st.builds(SetPegs, seats, st.integers(60, 121), st.integers(0, 60)),
    st.builds(Retract, st.integers(0, 8)),
    st.builds(Confirm, seats, seats, st.tuples(st.just(121), points)),
    st.builds(Abandon),
    st.builds(lambda: Start(Rules(), NAMES)),
    st.builds(lambda: Start(Rules.named("short"), NAMES, 1, "best of 3")),
)

dialled = st.none() | st.tuples(seats, st.sampled_from([1, 5, 12]))
steps = st.lists(st.tuples(asked, dialled, st.booleans(), st.integers(0, 9)), min_size=1, max_size=25)
HOUSES = [(), ("muggins=on", "over-peg=excess"), ("peg out=on", "dealer start=on"), ("confirm=on", "strict=on")]


def told(view: View):
    """All that a display gets, but where its lines came from and what a new game is called."""
    values = snapshot(view)
    for entry in values["entries"]:
        entry["source"] = None
        for change in entry.get("history", ()):
            change["source"] = None
    if not view.game.entries:
        values["game"]["id"] = values["match"]["id"] = None
    return values, view.match, view.dealer_next, view.dialled


def tried(act):
    try:
        return act(), None
    except PegboardError as refusal:
        return None, (type(refusal), str(refusal))


@given(script=steps, house=st.sampled_from(HOUSES))
@settings(max_examples=some_of(40, 2))
def test_whatever_is_asked_the_preview_is_what_the_command_then_does(script, house):
    with tempfile.TemporaryDirectory() as folder:
        rules = with_house_rules(Rules(), [*house, "game hole=121"])
        table = Table(Path(folder), Setup(rules, NAMES), house=lambda rules: with_house_rules(rules, house))
        for command, keys, director, stale in script:
            if keys is not None:
                table.board.keys.dial(*keys)
            compare(table, command, director=director, stale=stale == 0)
        table.journal.close()


def compare(table, command, *, director, stale):
    view, game = table.view, table.view.game
    on_a_lane = isinstance(command, Score | Penalize | PegBack | SetPegs)
    base = game.revisions[game.rules.lane_of(command.seat)] if on_a_lane else view.revision
    more = {"game": view.id, "base": base + stale, "director": director}
    if isinstance(command, Start) and game.outcome is None:
        more["replaces"] = view.id
    before = table.state()
    would, refused = tried(lambda: table.board.preview(command, **more))
    assert table.state() == before
    receipt, refusal = tried(lambda: table.board.handle(command, source="phone", id=next(table.taps), **more))
    assert refused == refusal
    if would is not None:
        assert told(would.view) == told(receipt.view)
        assert (would.entry, would.note) == (receipt.entry, receipt.note)
        assert would.after.lanes == (receipt.view.game.lanes if would.game == receipt.view.id else would.after.lanes)


@pytest.fixture
def table(tmp_path):
    return Table(tmp_path, STANDARD)


def test_a_correction_is_seen_before_it_is_made(table):
    table.score(0, 12, "hand")
    would = table.board.preview(Amend(1, 10, 12), game=table.view.id)
    assert [lane.front for lane in would.before.lanes] == [12, 0]
    assert [lane.front for lane in would.after.lanes] == [10, 0]
    assert (would.entry, would.view.revision, table.view.revision) == ("1", 3, 2)
    assert table.fronts() == [12, 0]


def test_an_earlier_game_is_shown_as_it_would_be_put_right(table):
    table.win(seat=0)
    first = table.view.id
    table.ask(Start(Rules(), NAMES))
    with pytest.raises(NotAllowed):
        table.board.preview(SetPegs(1, 94, 83), game=first, base=0)
    would = table.board.preview(SetPegs(1, 94, 83), game=first, base=0, director=True)
    assert would.game == first
    assert [game.lanes[1].front for game in (would.before, would.after)] == [0, 94]
    assert (would.before.outcome.skunks, would.after.outcome.skunks) == ((0, 2), (0, 0))
    assert (table.view.match.points, would.view.match.points) == ((3, 0), (1, 0))
    assert would.view.id == table.view.id != first


def test_dialled_points_are_pegged_in_the_preview_and_stay_dialled(table):
    table.board.keys.dial(1, 5)
    would = table.board.preview(Score(2, 0), game=table.view.id, base=0)
    assert [lane.front for lane in would.view.game.lanes] == [2, 5]
    assert would.view.dialled == (0, 0)
    assert (table.fronts(), table.view.dialled) == ([0, 0], (0, 5))


def test_a_refusal_of_a_preview_leaves_the_notice_of_the_displays_alone(table):
    before = table.state()
    with pytest.raises(RuleError):
        table.board.preview(Score(19, 0, why="hand"), game=table.view.id, base=0)
    assert table.state() == before
