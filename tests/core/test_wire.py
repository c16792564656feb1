"""The one format: what goes out comes back the same."""

import contextlib
import json
from dataclasses import replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import Deal, Restore, RuleError, Rules, Score, Start, TakeBack, new_game, play
from pegboard.core import view_as_json, wire
from pegboard.core.board import Game
from pegboard.core.entry import Origin
from pegboard.core.house_rules import with_house_rules
from pegboard.core.match import Match, Result
from pegboard.core.moves import (
    COMMANDS as TABLE,
)
from pegboard.core.moves import (
    ROWS,
    UNCHANGED,
    Abandon,
    Abandoned,
    Amend,
    Amended,
    CallMuggins,
    ClaimFalsely,
    Command,
    Confirm,
    Confirmed,
    DealStage,
    Dealt,
    Event,
    FalselyClaimed,
    GiveHeadStart,
    HeadStartGiven,
    MugginsCalled,
    OverPeg,
    OverPegged,
    PegBack,
    PeggedBack,
    PegsSet,
    Penalize,
    Reason,
    Rename,
    Renamed,
    Restored,
    Retract,
    Retracted,
    Scored,
    SetPegs,
    Stage,
    Staged,
    Started,
    Substitute,
    Substituted,
    TakenBack,
)
from pegboard.core.presets import PRESETS, preset_rules
from pegboard.core.referee import apply, decide, director_only
from pegboard.core.rules import VARIANTS, FirstDeal
from pegboard.core.view import Alarm, Device, EventNews, View
from pegboard.errors import PegboardError
from pegboard.messages import Message
from tests.support.commands import command_of
from tests.support.player_names import SIX
from tests.support.sheet_strategies import laid_out_anew

seats, lines = st.integers(0, 3), st.integers(1, 200)
lanes, holes, points = st.integers(0, 2), st.integers(0, 361), st.integers(0, 29)
whys = st.none() | st.sampled_from(Reason)
stages = st.sampled_from(DealStage)
names = st.tuples(st.text(max_size=8), st.text(max_size=8))
one_name = st.sampled_from(["Ann", "Bob", "Bbo", "Cy"]) | st.text(max_size=8)
notes = st.text(max_size=12)
formats = st.sampled_from(["open", "single", "best of 3", "first to 9"])
fronts = st.tuples(holes, holes, holes)
variants = st.sampled_from(list(VARIANTS.values()))
presets = st.sampled_from([preset_rules(name) for name in PRESETS])
house_words = st.lists(
    st.sampled_from(["muggins=on", "over-peg=excess", "skunks=triple", "skunks=off", "game hole=92", "worth=flat"]),
    unique_by=lambda word: word.partition("=")[0],
    max_size=4,
)
house = house_words.map(lambda words: with_house_rules(Rules(), words))
maybe = st.none() | seats

COMMANDS = {
    Start: st.builds(
        Start,
        *(variants, names, maybe, st.none() | formats, st.none() | house_words.map(tuple)),
        preset=st.none() | st.sampled_from(list(PRESETS)),
    ),
    Score: st.builds(Score, points, maybe, st.none() | lanes, whys),
    Penalize: st.builds(Penalize, holes, seats, notes),
    CallMuggins: st.builds(CallMuggins, seats, points, points, maybe),
    Deal: st.builds(Deal, maybe, st.none() | st.booleans()),
    Stage: st.builds(Stage, stages),
    TakeBack: st.builds(TakeBack, st.none() | lines),
    Restore: st.builds(Restore, st.none() | lines),
    Amend: st.builds(Amend, lines, st.none() | points, points, whys | st.just(UNCHANGED), maybe),
    OverPeg: st.builds(OverPeg, lines, points, points, maybe),
    ClaimFalsely: st.builds(ClaimFalsely, lines, points, points, maybe),
    PegBack: st.builds(PegBack, seats, holes, notes),
    SetPegs: st.builds(SetPegs, seats, holes, holes, notes),
    Retract: st.builds(Retract, st.integers(0, 200), notes),
    Confirm: st.builds(Confirm, seats, st.none() | lanes, fronts),
    Abandon: st.builds(Abandon, notes),
    Rename: st.builds(Rename, seats, one_name, one_name),
    Substitute: st.builds(Substitute, seats, one_name, one_name),
    GiveHeadStart: st.builds(GiveHeadStart, seats, holes),
}
EVENTS = {
    Started: st.builds(Started, variants | house | presets, names, seats, notes, notes, formats, notes, st.booleans()),
    Scored: st.builds(Scored, lanes, points, maybe, whys, notes),
    MugginsCalled: st.builds(MugginsCalled, lanes, points, maybe, seats, points, points),
    Dealt: st.builds(Dealt, maybe, st.booleans(), st.booleans()),
    Staged: st.builds(Staged, stages),
    TakenBack: st.builds(TakenBack, lines),
    Restored: st.builds(Restored, lines),
    Amended: st.builds(Amended, lines, st.none() | points, whys | st.just(UNCHANGED), maybe),
    OverPegged: st.builds(OverPegged, lanes, lines, points, st.none() | lanes, holes),
    FalselyClaimed: st.builds(FalselyClaimed, lanes, lines, points, st.none() | lanes, holes),
    PeggedBack: st.builds(PeggedBack, lanes, holes, maybe, notes),
    PegsSet: st.builds(PegsSet, lanes, holes, holes, maybe, notes),
    Retracted: st.builds(Retracted, st.integers(0, 200), notes),
    Confirmed: st.builds(Confirmed, seats, st.none() | lanes, fronts),
    Abandoned: st.builds(Abandoned, notes),
    Renamed: st.builds(Renamed, seats, one_name, one_name),
    Substituted: st.builds(Substituted, seats, one_name),
    HeadStartGiven: st.builds(HeadStartGiven, lanes, holes, seats),
}
MARKS = st.builds(Origin, st.integers(1, 10**6), st.sampled_from(["phone", "button"]), st.integers(0, 2**62))


def through_json(values):
    return json.loads(json.dumps(values))


def read_back(event):
    """The event as it is read from what was written of it."""
    kind, body = wire.event_values(event)
    return wire.read_event(kind, through_json(body))


def test_there_is_no_command_or_event_that_is_not_tried_here():
    assert set(COMMANDS) == set(get_args(Command)) == {row.command for row in TABLE}
    assert set(EVENTS) == set(get_args(Event)) == set(wire.EVENTS.values())


@given(st.one_of(*COMMANDS.values()))
def test_every_command_comes_back(command):
    assert command_of(through_json(wire.command_values(command))) == command


@given(st.one_of(*COMMANDS.values()))
def test_a_command_is_told_by_its_word_and_its_lines_by_text(command):
    values = wire.command_values(command)
    assert ROWS[values["do"]].command is type(command)
    assert all(values.get(key) is None or isinstance(values[key], str) for key in ("entry", "to", "variant", "note"))


@given(st.one_of(*EVENTS.values()))
def test_every_event_comes_back(event):
    assert read_back(event) == event
    assert wire.kind(event) == wire.event_values(event)[0]
    assert wire.event_values(event)[1].get("note", "words")


@given(st.builds(Result, lanes, points, points, st.tuples(holes, holes), st.booleans()))
def test_every_result_comes_back(result):
    assert wire.read_result(through_json(wire.result_values(result))) == result


EVENING = (
    Score(20, 0, why="hand"),  # line 1
    Score(29, 1),
    Penalize(9, 0, "a card exposed"),
    OverPeg(1, 12, 20),  # Ann at 21, and 8 for Bob: 37
    CallMuggins(1, 4, 6),  # line 5
    PegBack(0, 3, "pegged out of turn"),
    Score(29, 1),  # out, as he says
    ClaimFalsely(7, 2, 29),  # 43 was true: 18 for Ann, and Bob 15 back
    SetPegs(0, 60, 51, "as both remember"),
    Amend(3, 8, 9),
    TakeBack(5),
    Retract(8, "a renege"),  # line 10
    TakeBack(10),
    Restore(10),
    Score(29, 0),  # Ann 12 + 8 - 3 + 18 = 35, and home; Bob 29 + 8 + 2 - 15 = 24
    Confirm(0, 0, (61, 24)),
    Rename(1, "Bob", "Bobby"),
    Rename(1, "Bobby", "Bob"),
)
"""Of a short game, with a line of every kind but DEAL, and a change of every kind."""


def test_a_game_with_rulings_and_histories_comes_back_with_its_positions():
    game = new_game(with_house_rules(Rules.named("short"), ["muggins=on", "over-peg=excess"]), ("Ann", "Bob"))
    read = game
    for n, command in enumerate(EVENING, 1):
        origin = Origin(n, "phone", 10**18 + n)
        happened = decide(game, command)
        game, read = apply(game, happened, origin), apply(read, read_back(happened), origin)
        assert read == game
        assert read.positions == game.positions == laid_out_anew(game)
    assert [lane.front for lane in read.lanes] == [61, 24]
    assert [(change.did, change.origin.event, change.was) for change in read.entries[2].history] == [("amend", 10, 9)]
    assert [(change.did, change.origin.event) for change in read.entries[9].history] == [("undo", 13), ("redo", 14)]
    assert (read.entries[4].stands, read.confirmed) == (False, (0,))
    assert (read.players, [each.origin.event for each in read.renamings]) == (("Ann", "Bob"), [17, 18])


@given(st.lists(st.tuples(st.one_of(*COMMANDS.values()), MARKS), max_size=30), variants)
def test_any_game_comes_back_with_its_marks_and_positions(asked, rules):
    read = game = new_game(rules, SIX[: rules.seats])
    for command, origin in asked:
        with contextlib.suppress(PegboardError):
            if not isinstance(command, Start):
                happened = decide(game, command)
                game, read = apply(game, happened, origin), apply(read, read_back(happened), origin)
    assert read == game
    assert read.positions == game.positions == laid_out_anew(game)


def test_house_rules_of_null_are_left_to_the_table():
    values = {"do": "start", "variant": "short", "players": ["Ann", "Bob"], "house": None}
    assert command_of(values) == Start(VARIANTS["short"], ("Ann", "Bob"), house=None)


def test_an_event_of_the_future_is_refused():
    with pytest.raises(RuleError, match="newer pegboard"):
        wire.read_event("teleported", {})


def test_a_policy_is_written_as_its_word_and_read_back_as_what_it_is():
    started = decide(Game(), Start(replace(Rules(), first_deal=FirstDeal.WINNER), ("Ann", "Bob")))
    kind, body = wire.event_values(started)
    assert {name: body["rules"][name] for name in ("first_deal", "heels_limit", "overpeg_award")} == {
        "first_deal": "winner",
        "heels_limit": "no limit",
        "overpeg_award": "none",
    }
    assert str(body) == str(through_json(body))
    assert wire.read_event(kind, body).rules.first_deal is FirstDeal.WINNER


def test_a_policy_of_the_future_stays_as_it_was_written():
    _, body = wire.event_values(decide(Game(), Start(Rules(), ("Ann", "Bob"))))
    body["rules"]["first_deal"] = "youngest"
    assert wire.read_event("started", body).rules == replace(Rules(), first_deal="youngest")


AT_FAULT = Message("device_no_answer", error="🂡" * 200)


@pytest.mark.parametrize("variant", ["partners", "cut-throat-four", "six-partners"])
@pytest.mark.parametrize(
    "beside",
    [
        {},
        {
            "devices": tuple(Device("OLED", AT_FAULT) for _ in range(30)),
            "alarms": tuple(Alarm(f"{number}", AT_FAULT) for number in range(9)),
            "event": EventNews(
                "🂡" * 60, "🂡" * 60, 3, 9, here=("🂡" * 40, "🂢" * 40), announcement="🂡" * 200, result_url="x"
            ),
        },
    ],
    ids=["alone", "beside trouble and an event"],
)
def test_the_largest_snapshot_is_under_4_kilobytes(variant, beside):
    rules = with_house_rules(Rules.named(variant), ["confirm=on"])
    game = new_game(rules, tuple("🂡" * 39 + suit for suit in "🂢🂣🂤🂥🂦🂧"[: rules.seats]))
    for n in range(40):
        game = play(game, Penalize(29 if n == 0 else 2, n % rules.seats, "🂡" * 80))
    view = View(
        play(game, SetPegs(1, 121, 120, "🂡" * 80)),
        Match.empty(rules.lanes),
        (0,) * rules.lanes,
        notice=director_only(game, Started(rules, game.players)),
        id="0123456789ab",
        epoch="0123456789abcdef",
        revision=10**9,
        **beside,
    )
    snapshot = view_as_json.snapshot(view)
    size = len(json.dumps(snapshot, separators=(",", ":"), ensure_ascii=False).encode())
    assert 3000 < size <= 4096
    assert len(snapshot["alarms"]) == min(1, len(view.alarms))


def test_a_snapshot_tells_whose_hand_is_next_what_redo_means_and_which_lines_count():
    game = play(new_game(Rules(), ("Ann", "Bob")), Score(8, 1, why="hand"))
    state = view_as_json.snapshot(View(game))
    assert (state["game"]["phase"], state["game"]["to_count"], state["redo"]) == ("hand", 0, None)
    state = view_as_json.snapshot(View(play(game, TakeBack())))
    assert (state["redo"], state["entries"][0]["stands"], state["entries"][0]["counts"]) == ("1", False, False)


def test_a_snapshot_after_the_end_tells_the_skunks_and_the_lines_that_came_too_late():
    game = play(new_game(Rules(), ("Ann", "Bob")), Score(9, 0))
    game = play(game, TakeBack())
    for _ in range(4):
        game = play(game, Score(28, 0))
    game = play(play(game, Score(2, 1)), Restore(1))
    state = view_as_json.snapshot(View(game))
    assert (state["game"]["over"], state["game"]["winner"]) == (True, 0)
    assert [lane["skunks"] for lane in state["lanes"]] == [0, 2]
    assert [(entry["stands"], entry["counts"]) for entry in state["entries"][:2]] == [(True, False), (True, True)]


def test_a_snapshot_shows_the_newest_ten_lines_first_and_what_each_moved():
    game = new_game(Rules(), ("Ann", "Bob"))
    for points in range(1, 12):
        game = play(game, Score(points % 3 + 1, seat=0))
    game = play(play(game, Deal()), TakeBack(1))
    lines = view_as_json.snapshot(View(game))["entries"]
    assert [entry["id"] for entry in lines] == [str(n) for n in range(12, 2, -1)]
    assert lines[0]["do"] == "deal"
    assert (lines[1]["from"], lines[1]["to"]) == (game.lanes[0].rear, game.lanes[0].front)


def test_words_that_are_stored_are_read_as_what_they_stand_for():
    assert wire.read_event("scored", {"lane": 0, "points": 2, "seat": 0, "why": "play"}, 2).why is Reason.PLAY
    assert wire.read_event("staged", {"stage": "show"}, 2).stage is DealStage.SHOW
    rules = wire.read_event("started", wire.event_values(Started(Rules(), ("Ann", "Bob"), 0))[1], 2).rules
    assert isinstance(rules.first_deal, FirstDeal)


def test_an_event_of_an_unknown_kind_is_named():
    with pytest.raises(RuleError) as refusal:
        wire.read_event("pegged_twice", {}, 2)
    assert "'pegged_twice'" in str(refusal.value)


def test_a_field_that_no_event_of_its_kind_has_is_named():
    kind, body = wire.event_values(Started(Rules(), ("Ann", "Bob"), 0))
    assert wire.unknown_field(kind, body) is None
    assert wire.unknown_field(kind, {**body, "weather": "rain"}) == "weather"
    assert wire.unknown_field(kind, {**body, "rules": {**body["rules"], "jokers": 2}}) == "jokers"
    assert wire.unknown_field("scored", {"lane": 0, "rules": {"jokers": 2}}) == "rules"
    assert wire.unknown_field("scored", {"lane": 0, "points": 2}) is None
