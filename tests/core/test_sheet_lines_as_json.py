"""A line of the sheet in the snapshot's form: what is likely, what has changed it, and how sure something is."""

import pytest

from pegboard import Rules, Score, TakeBack, new_game, play
from pegboard.core.entry import Origin
from pegboard.core.moves import Amend, Deal, Rename, Restore, Scored
from pegboard.core.referee import apply, decide
from pegboard.core.view_as_json import entries_since, entry_state, renamings, round_probability
from pegboard.core.wire import event_values, read_event, version


@pytest.mark.parametrize(
    ("odds", "told"),
    [(0.0, 0.0), (0.004, 0.0), (0.554, 0.55), (0.986, 0.99), (0.998, 0.99), (0.999, 1.0), (1.0, 1.0)],
)
def test_what_is_not_certain_is_told_as_less_than_one(odds, told):
    assert round_probability(odds) == told


def after(*commands):
    game = new_game(Rules(), ("Ann", "Bob"))
    for number, command in enumerate(commands, 1):
        game = apply(game, decide(game, command), Origin(number, "phone", number * 10**9))
    return game


def test_what_an_amendment_changed_is_told_with_what_was():
    game = after(Score(8, 0, why="hand"), Amend(1, 6, 8), Amend(1, was=6, why=None), Amend(1, was=6, seat=1))
    changes = entry_state(game, 1)["history"]
    assert [(change["did"], change["source"], change["at"]) for change in changes] == [
        ("amend", "phone", 2.0),
        ("amend", "phone", 3.0),
        ("amend", "phone", 4.0),
    ]
    assert (changes[0]["was"], changes[1]["was_why"]) == (8, "hand")
    assert (changes[2]["was_seat"], changes[2]["was_lane"]) == (0, 0)
    assert not {"was_why", "was_seat", "was_lane"} & changes[0].keys()


def test_undo_and_redo_are_told():
    game = after(Score(8, 0), TakeBack(1), Restore(1))
    assert [change["did"] for change in entry_state(game, 1)["history"]] == ["undo", "redo"]


def test_the_newest_lines_come_first_and_no_others():
    game = after(Score(1, 0), Score(2, 1), Score(3, 0))
    assert [entry["id"] for entry in entries_since(game, 1)] == ["3", "2"]
    assert [entry["id"] for entry in entries_since(game, 0)] == ["3", "2", "1"]


def test_a_reason_that_nobody_has_said_is_told_as_likely():
    game = after(Score(2, 1), Score(1, 0), Score(12, 1, why="hand"))
    first, said = entries_since(game, 0)[-1], entries_since(game, 0)[0]
    assert first["why"] is None
    assert first["likely"]["why"] == "play"
    assert 0.5 < first["likely"]["sure"] <= 1.0
    assert "likely" not in said


def test_a_deal_is_told_with_its_dealer_and_no_other_value_of_its_own():
    game = after(Score(2, 1), Deal(1))
    entry = entry_state(game, 2)
    assert entry["dealer"] == 1
    assert not {"new", "midway"} & entry.keys()


def test_a_corrected_name_comes_after_the_lines_that_were_there():
    game = after(Score(2, 1), Rename(1, "Bob", "Rob"), Score(3, 0))
    assert renamings(game) == [{"seat": 1, "from": "Bob", "to": "Rob", "source": "phone", "at": 2.0, "after": "1"}]


def test_lines_of_an_older_version_are_known_by_what_they_lack():
    """Until version 2 pages guessed most reasons, and a deal could pass twice."""
    guessed = read_event("scored", {"lane": 0, "points": 2, "why": "play"}, 2)
    assert (guessed.guessed, version(guessed), version(Scored(0, 2))) == (True, 2, 3)
    assert not read_event("scored", {"lane": 0, "points": 1, "why": "go"}, 2).guessed
    twice = [read_event("dealt", body, 2).twice for body in ({}, {"new": True}, {"new": False})]
    assert twice == [True, True, False]
    assert not read_event("dealt", {}, 3).twice


def test_reasons_are_read_as_words_and_others_stay():
    assert event_values(read_event("scored", {"lane": 0, "points": 2, "why": "hand"}))[1]["why"] == "hand"
    assert read_event("scored", {"lane": 0, "points": 2, "why": "luck"}).why == "luck"
    assert read_event("scored", {"lane": 0, "points": 2, "why": ["hand"]}).why == ["hand"]
    assert play(new_game(Rules(), ("Ann", "Bob")), Score(2, 0, why="hand")).entries[0].event.why == "hand"
