"""From what has happened back to what was asked: judged once more it is the same, and what cannot have been is told."""

import contextlib
from dataclasses import fields, replace
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard import Deal, Rules, Score, Start, new_game
from pegboard.core.board import Game
from pegboard.core.house_rules import with_house_rules
from pegboard.core.moves import (
    Abandon,
    Amend,
    Amended,
    CallMuggins,
    ClaimFalsely,
    Dealt,
    Event,
    GiveHeadStart,
    MugginsCalled,
    OverPeg,
    OverPegged,
    PegBack,
    PeggedBack,
    PegsSet,
    Renamed,
    Scored,
    SetPegs,
    Stage,
    Started,
    Substitute,
    TakenBack,
)
from pegboard.core.referee import apply, command_behind, decide, redecide
from pegboard.core.rules import VARIANTS
from pegboard.errors import PegboardError
from tests.core.test_wire import COMMANDS, EVENING, EVENTS
from tests.support.player_names import SIX

GRAND = with_house_rules(Rules.named("short"), ["muggins=on", "over-peg=excess"])

STARTED = Started(Rules.named("acc"), ("Ann", "Bob"), 1, format="best of 3")

OTHERS = (GiveHeadStart(1, 20), Deal(), Stage("show"), Substitute(0, "Ann", "Cy"), Abandon("it rains"))

GAMES = (EVENING, OTHERS)
"""A command of every kind but the first."""


def evening():
    """Each game of an evening, and what happened next."""
    for commands in GAMES:
        game = new_game(GRAND, ("Ann", "Bob"))
        for command in commands:
            happened = decide(game, command)
            yield game, happened
            game = apply(game, happened)


def test_all_that_can_happen_happens_here():
    assert {type(happened) for _, happened in evening()} | {Started} == set(get_args(Event))


@pytest.mark.parametrize("game", range(len(GAMES)))
def test_the_command_behind_what_happened_is_the_one_that_was_asked(game):
    """But where several commands lead to one event, of which it is the plainest."""
    now = new_game(GRAND, ("Ann", "Bob"))
    for command in GAMES[game]:
        happened = decide(now, command)
        behind = command_behind(now, happened)
        assert type(behind) is type(command)
        for field in fields(command):
            asked, found = getattr(command, field.name), getattr(behind, field.name)
            assert found == asked or asked is None, (command, behind)
        now = apply(now, happened)


def test_an_evening_is_judged_once_more_as_it_was():
    assert redecide(Game(), STARTED) == STARTED
    for game, happened in evening():
        assert redecide(game, happened) == happened


@pytest.mark.parametrize(
    ("variant", "commands"),
    [
        ("three-handed", [CallMuggins(0, 5, 0, 2)]),  # a wrong call: whose hand it was
        ("three-handed", [OverPeg(1, 12, 20, 2)]),
        ("three-handed", [OverPeg(1, 12, 20, 1)]),
        ("three-handed", [SetPegs(1, 100, 90, "as all remember"), Score(21, 1), ClaimFalsely(4, 4, 21, 2)]),
        ("partners", [SetPegs(2, 60, 51, "as all remember")]),
        ("partners", [PegBack(3, 3, "pegged out of turn")]),
        ("partners", [Amend(1, 16, 20)]),
    ],
)
def test_whose_it_was_among_more_than_two_comes_back(variant, commands):
    rules = with_house_rules(Rules.named(variant), ["muggins=on", "over-peg=excess"])
    game = new_game(rules, SIX[: rules.seats])
    for command in (Score(20, 0, why="hand"), Score(20, 1), *commands):
        happened = decide(game, command)
        assert redecide(game, happened) == happened
        game = apply(game, happened)


def test_of_a_start_only_what_the_judge_knows_is_told():
    told = replace(STARTED, match="a", replaces="b", note="rain")
    assert redecide(Game(), told) == STARTED


@given(st.lists(st.one_of(*COMMANDS.values()), max_size=30), st.sampled_from(list(VARIANTS.values())))
def test_any_game_is_judged_once_more_as_it_was(asked, rules):
    game = new_game(rules, SIX[: rules.seats])
    for command in asked:
        with contextlib.suppress(PegboardError):
            if not isinstance(command, Start):
                happened = decide(game, command)
                assert redecide(game, happened) == happened
                game = apply(game, happened)


@given(st.lists(st.one_of(*EVENTS.values()), max_size=20), st.sampled_from([*VARIANTS.values(), GRAND]))
def test_what_is_made_up_is_refused_or_told_as_it_would_have_been(made_up, rules):
    game = new_game(rules, SIX[: rules.seats])
    for event in made_up:
        with contextlib.suppress(PegboardError):
            if not isinstance(event, Started):
                judged = redecide(game, event)
                assert type(judged) is type(event)
                game = apply(game, judged)


def test_an_award_of_muggins_stays_as_it_was_judged_at_its_table():
    game = apply(new_game(GRAND, ("Ann", "Bob")), PegsSet(1, 59, 50))
    older = MugginsCalled(0, 8, 0, 0, 12, 8)
    assert redecide(game, older) == older, "before the game hole cut an award short"
    assert redecide(game, replace(older, points=2)) == replace(older, points=2)
    assert redecide(game, replace(older, points=9)) == replace(older, points=2), "more than was missed is none"


def test_what_came_otherwise_is_told_as_it_would_have_been():
    game = apply(new_game(GRAND, ("Ann", "Bob")), Scored(0, 20, 0, "hand"))
    assert redecide(game, PeggedBack(1, 3, 0, "out of turn")) == PeggedBack(0, 3, 0, "out of turn")
    made_up = OverPegged(0, 1, 12, 20, to=1, award=3)
    assert redecide(game, made_up) == replace(made_up, award=8), "eight too many are pegged by Bob"


def test_a_ruling_that_names_nobody_is_for_one_who_pegs_there():
    game = apply(new_game(Rules(), ("Ann", "Bob")), decide(new_game(Rules(), ("Ann", "Bob")), Score(20, 1)))
    assert redecide(game, PeggedBack(1, 3, None, "out of turn")) == PeggedBack(1, 3, 1, "out of turn")
    told = redecide(game, PegsSet(1, 60, 51, None, "as both remember"))
    assert (told.lane, told.seat, told.front) == (1, 1, 60)


@pytest.mark.parametrize(
    "event",
    [
        Scored(1, 8, 1, "hand", guessed=True),
        Scored(1, 8, None, "hand"),
        Dealt(1, twice=True),
        Dealt(0),
        Dealt(1, new=False, midway=True),
        Dealt(None),
        Amended(1, 16, "hand", 1),
        Amended(1, 16),
        PeggedBack(1, 3, 1, "out of turn"),
        PegsSet(1, 60, 51, 1, "as both remember"),
    ],
)
def test_one_event_alone_comes_back_whole(event):
    game = apply(new_game(Rules(), ("Ann", "Bob")), Scored(0, 20, 0, "hand"))
    game = apply(game, Scored(1, 6, 1))
    judged = redecide(game, event)
    told = {field.name: getattr(event, field.name) for field in fields(event)}
    assert {name: getattr(judged, name) for name, value in told.items() if value is not None} == {
        name: value for name, value in told.items() if value is not None
    }


def test_a_score_of_a_lane_is_its_and_no_seats():
    game = new_game(Rules.named("partners"), ("Ann", "Bob", "Cy", "Dee"))
    assert redecide(game, Scored(1, 8, None, "hand")) == Scored(1, 8, None, "hand")


def test_an_amendment_of_the_newest_and_of_the_first_line_sees_what_they_say():
    game = apply(apply(new_game(Rules(), ("Ann", "Bob")), Scored(0, 20, 0, "hand")), Scored(1, 6, 1))
    assert command_behind(game, Amended(1, 16)).was == 20
    assert command_behind(game, Amended(2, 16)).was == 6
    assert command_behind(game, Amended(3, 16)).was == 0
    assert command_behind(game, Amended(0, 16)).was == 0


def test_an_award_of_nothing_is_judged_anew():
    game = apply(new_game(GRAND, ("Ann", "Bob")), PegsSet(1, 59, 50))
    assert redecide(game, MugginsCalled(0, 0, 0, 0, 12, 8)).points == 2


def test_what_cannot_have_happened_is_refused():
    game = new_game(Rules(), ("Ann", "Bob"))
    for made_up in (Scored(0, 30, 0), Scored(0, 5, 2), Scored(1, 5, 0), TakenBack(1)):
        with pytest.raises(PegboardError):
            redecide(game, made_up)


def test_names_of_older_tables_stay_as_they_were_stored():
    """They were stored as typed: with accents apart from their letters, say."""
    started = replace(STARTED, players=("Jose\u0301", "Bob"))
    game = apply(Game(), started)
    assert redecide(Game(), started) == started
    renamed = Renamed(1, "Bob", "Rene\u0301")
    assert redecide(game, renamed) == renamed


@pytest.mark.parametrize("name", ["Jos\u00e9 ", "Jose\u0301  Maria"])
def test_a_name_that_no_version_stored_so_is_judged_otherwise(name):
    started = replace(STARTED, players=(name, "Bob"))
    assert redecide(Game(), started) != started
