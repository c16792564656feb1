"""Fields of a command's request: what each helper's field takes, says in words, and makes of a JSON value."""

import pytest

from pegboard.core import command_fields as fields
from pegboard.core.command_fields import (
    Flag,
    LineId,
    MemberOf,
    Note,
    PlayerName,
    Several,
    Text,
    VariantName,
    WholeNumber,
)
from pegboard.core.moves import DealStage, Reason
from pegboard.core.rules import VARIANTS
from pegboard.core.wire import EVENTS, _defaults, _kind_of

from pegboard.core.moves import ROWS, CallMuggins, Dealt, MugginsCalled, PegsSet  # isort: skip

REASONS = "play, go, thirty-one, heels, hand, crib, muggins, penalty"

MADE = {
    "seat": (
        lambda: fields.seat("the seat that calls"),
        WholeNumber(takes="the seat that calls, a whole number from 0 to 3", least=0, most=3, required=True),
    ),
    "seat or null": (
        lambda: fields.seat_or_null("the seat that deals", "for the next"),
        WholeNumber(
            takes="the seat that deals, a whole number from 0 to 3, or null for the next",
            least=0,
            most=3,
            nullable=True,
        ),
    ),
    "opponent": (
        fields.opponent,
        WholeNumber(
            takes=(
                "the seat of the opponent who gets the award, a whole number from 0 to 3, or null if there is only one"
                " opponent"
            ),
            least=0,
            most=3,
            nullable=True,
        ),
    ),
    "points": (
        lambda: fields.points(1, 29),
        WholeNumber(takes="a whole number from 1 to 29", least=1, most=29, required=True),
    ),
    "true points": (
        lambda: fields.points(0, 361, "the actual points, "),
        WholeNumber(takes="the actual points, a whole number from 0 to 361", least=0, most=361, required=True),
    ),
    "points seen": (
        fields.points_seen,
        WholeNumber(
            takes="the points you saw on the line, a whole number from 0 to 361",
            least=0,
            most=361,
            required=True,
        ),
    ),
    "line": (
        fields.line,
        LineId(takes="the id of a line, from the state", required=True, attribute="line"),
    ),
    "line or the newest": (
        lambda: fields.line_or("that is not undone"),
        LineId(
            takes="the id of a line, from the state, or null for the newest line that is not undone",
            nullable=True,
            attribute="line",
        ),
    ),
    "member": (
        lambda: fields.member_of(DealStage),
        MemberOf(takes="one of play, show", enum=DealStage, required=True),
    ),
    "member or null": (
        lambda: fields.member_or_null(Reason),
        MemberOf(takes=f"one of {REASONS}, or null", enum=Reason, nullable=True),
    ),
    "member or null for": (
        lambda: fields.member_or_null(Reason, " to remove it"),
        MemberOf(takes=f"one of {REASONS}, or null to remove it", enum=Reason, nullable=True),
    ),
    "note": (fields.note, Note(takes="a note of up to 80 letters")),
    "note that must be": (
        lambda: fields.note(required=True),
        Note(takes="a note of up to 80 letters", required=True),
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_a_field_takes_what_the_api_tells(name):
    make, field = MADE[name]
    assert (type(make()), make()) == (type(field), field)


VALUES = [
    (LineId(takes=""), "12", 12),
    (LineId(takes=""), None, None),
    (MemberOf(takes="", enum=Reason), "hand", Reason.HAND),
    (MemberOf(takes="", enum=Reason), None, None),
    (Several(takes="", item=PlayerName(takes=""), least=1, most=4), ["Ann", "Bob"], ("Ann", "Bob")),
    (Several(takes="", item=PlayerName(takes=""), least=1, most=4), None, None),
    (VariantName(takes="", words=("short",)), "short", VARIANTS["short"]),
    (Text(takes=""), "text", "text"),
    (Flag(takes=""), False, False),
]


@pytest.mark.parametrize(("field", "json_value", "value"), VALUES)
def test_a_value_is_read_and_written_back(field, json_value, value):
    assert (field.read(json_value), type(field.read(json_value))) == (value, type(value))
    assert repr(field.write(value)) == repr(json_value)


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
