"""Fields of a command's request: what each helper's field takes, says in words, and makes of a JSON value."""

from typing import Any, NotRequired

import pytest

from pegboard.core import command_fields as fields
from pegboard.core.moves import DealStage, Reason
from pegboard.core.rules import VARIANTS
from pegboard.core.wire import EVENTS, _defaults, _kind_of
from pegboard.errors import PegboardError
from pegboard.values import Field, Misfit, fields_from, reader, write_field

from pegboard.core.moves import ROWS, CallMuggins, Dealt, MugginsCalled, PegsSet  # isort: skip

REASONS = "play, go, thirty-one, heels, hand, crib, muggins, penalty"

NULL = None

MADE = {
    "seat": (fields.seat("the seat that calls"), "the seat that calls, a whole number from 0 to 5", [0, 5], [-1, 6]),
    "seat or null": (
        fields.seat_or_null("the seat that deals", "for the next"),
        "the seat that deals, a whole number from 0 to 5, or null for the next",
        [0, 5, NULL],
        [6, True, "1"],
    ),
    "opponent": (
        fields.opponent(),
        (
            "the seat of the opponent who gets the award, a whole number from 0 to 5, or null if there is only one"
            " opponent"
        ),
        [NULL, 5],
        [6],
    ),
    "points": (fields.points(1, 29), "a whole number from 1 to 29", [1, 29], [0, 30, 1.0, NULL]),
    "true points": (
        fields.points(0, 361, "the actual points, "),
        "the actual points, a whole number from 0 to 361",
        [0, 361],
        [362],
    ),
    "points seen": (
        fields.points_seen(),
        "the points you saw on the line, a whole number from 0 to 361",
        [0, 361],
        [-1, 362],
    ),
    "line": (fields.line(), "the id of a line, from the state", ["0", "123456789"], ["", "1234567890", "x", 7, NULL]),
    "line or the newest": (
        fields.line_or("that is not undone"),
        "the id of a line, from the state, or null for the newest line that is not undone",
        ["7", NULL],
        ["7 ", 7],
    ),
    "member": (fields.member_of(DealStage), "one of play, show", ["play", "show"], ["deal", NULL, 1, ["play"]]),
    "member or null": (fields.member_or_null(Reason), f"one of {REASONS}, or null", ["hand", NULL], ["his nobs"]),
    "member or null for": (
        fields.member_or_null(Reason, " to remove it"),
        f"one of {REASONS}, or null to remove it",
        [NULL],
        [""],
    ),
    "note": (fields.note(), "a note of up to 80 visible characters", ["", "x" * 80], ["x" * 81, "a\x00b", 1, NULL]),
    "note that must be": (
        fields.note(required=True),
        "a note of up to 80 visible characters",
        ["pegs fell"],
        ["", "  ", "x" * 81],
    ),
    "variant": (
        fields.variant_name(),
        f"the name of a variant: {', '.join(VARIANTS)}",
        ["short"],
        ["whist", NULL],
    ),
}


def field(hint: Any) -> Field:
    return fields_from({"field": hint})[0]


@pytest.mark.parametrize("name", MADE)
def test_a_field_takes_what_the_api_tells(name):
    hint, words, fitting, unfit = MADE[name]
    one = field(hint)
    assert one.takes.words == words
    for value in fitting:
        assert write_field(one, reader(one.kind)(value)) == value
    for value in unfit:
        with pytest.raises(Misfit) as refusal:
            reader(one.kind)(value)
        assert refusal.value.takes == words


VALUES = [
    (fields.line(), "12", 12),
    (fields.line_or(""), None, None),
    (fields.member_or_null(Reason), "hand", Reason.HAND),
    (fields.member_or_null(Reason), None, None),
    (fields.several("", fields.player_name("a name"), 1, 4), ["Ann", "Bob"], ("Ann", "Bob")),
    (fields.several_or_null("", fields.player_name("a name"), 0, 4), None, None),
    (fields.variant_name(), "short", VARIANTS["short"]),
    (fields.text(""), "text", "text"),
]


@pytest.mark.parametrize(("hint", "json_value", "value"), VALUES)
def test_a_value_is_read_and_written_back(hint, json_value, value):
    one = field(hint)
    found = reader(one.kind)(json_value)
    assert (found, type(found)) == (value, type(value))
    assert repr(write_field(one, value)) == repr(json_value)


@pytest.mark.parametrize("name", ["", "x" * 65, "Bo\u200eb", "Ann\nBob"])
def test_a_wrong_name_is_refused_by_the_names_own_sentence(name):
    with pytest.raises(PegboardError):
        reader(fields.player_name("a name"))(name)


def test_only_what_says_so_may_be_left_out():
    left_out = {name for name, (hint, *_) in MADE.items() if not field(hint).required}
    assert left_out == {name for name in MADE if "or null" in name or "or the" in name} | {"opponent", "note"}
    assert not field(NotRequired[fields.points(0, 2)]).required


@pytest.mark.parametrize(
    ("event", "word"), [(MugginsCalled, "muggins_called"), (PegsSet, "pegs_set"), (Dealt, "dealt")]
)
def test_an_event_has_the_words_of_its_class_as_the_journal_writes_them(event, word):
    assert _kind_of(event) == word
    assert EVENTS[word] is event


def test_a_commands_defaults_are_those_of_its_class_under_the_names_of_its_request():
    assert ROWS["muggins"].command is CallMuggins
    assert _defaults(ROWS["muggins"]) == {"game": None, "replaces": None, "opponent": None}
    assert _defaults(ROWS["undo"]) == {"game": None, "replaces": None, "entry": None}
    assert _defaults(ROWS["score"]) == {"game": None, "replaces": None, "seat": None, "lane": None, "why": None}
