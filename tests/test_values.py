"""Typed values: what is read, what is refused in which words, and a schema that a foreign validator reads alike."""

import json
from dataclasses import dataclass, field, make_dataclass
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pegboard.values import (
    MESSAGE,
    REQUEST,
    STORED,
    Components,
    Misfit,
    Takes,
    fields_from,
    object_schema,
    read,
    schema,
    strict,
    write,
)


class Suit(Enum):
    HEARTS = "hearts"
    SPADES = "spades"


@dataclass(frozen=True)
class Peg:
    hole: Annotated[int, Takes(words="a hole from 0 to 121", least=0, most=121)]
    lane: Annotated[int | None, Takes(words="a lane, or null", least=0, most=2)] = None


@strict
class Lamp(TypedDict, total=False):
    bright: Annotated[float | None, Takes(words="above 0 and at most 1", above=0, most=1)]
    color: Literal["red", "white"]


@dataclass(frozen=True)
class Hand:
    name: Annotated[str, Takes(words="a name", least=1, most=5)]
    suit: Suit
    game: Annotated[str, Takes(words="a game's id", pattern=r"[a-z]+-[0-9]{1,3}", key="from")]
    pegs: Annotated[tuple[Peg, ...], Takes(words="one or two pegs", least=1, most=2)] = field(default_factory=tuple)
    crib: bool = False
    note: Annotated[str, Takes(words="a note", most=3)] | None = None
    lamp: Annotated[Lamp, "a lamp's settings"] | None = None
    turn: Annotated[str, Takes(words="left or right", one_of=("left", "right"))] = "left"


HAND = {"name": "Ann", "suit": "hearts", "from": "club-7"}


def test_a_request_becomes_its_class_with_the_defaults_of_what_it_leaves_out():
    assert read(Hand, HAND) == Hand("Ann", Suit.HEARTS, "club-7")
    more = {"pegs": [{"hole": 5}], "crib": True, "note": "hi", "lamp": {"bright": 1}, "turn": "right"}
    found = read(Hand, HAND | more)
    assert found == Hand("Ann", Suit.HEARTS, "club-7", (Peg(5),), True, "hi", {"bright": 1.0}, "right")
    assert isinstance(found.lamp["bright"], float)


WRONG: list[tuple[Any, str, str, str]] = [
    ({"crib": True}, "missing", "name", "a name"),
    (HAND | {"name": ""}, "value", "name", "a name"),
    (HAND | {"name": "Player"}, "value", "name", "a name"),
    (HAND | {"name": 5}, "value", "name", "a name"),
    (HAND | {"name": None}, "value", "name", "a name"),
    (HAND | {"suit": "clubs"}, "value", "suit", "one of hearts, spades"),
    (HAND | {"suit": ["hearts"]}, "value", "suit", "one of hearts, spades"),
    (HAND | {"from": "club-7\n"}, "value", "from", "a game's id"),
    (HAND | {"from": "club-\u0667"}, "value", "from", "a game's id"),
    (HAND | {"game": "club-7"}, "unknown", "game", ""),
    (HAND | {"pegs": []}, "value", "pegs", "one or two pegs"),
    (HAND | {"pegs": [{"hole": 1}] * 3}, "value", "pegs", "one or two pegs"),
    (HAND | {"pegs": [{"hole": 122}]}, "value", "pegs", "one or two pegs"),
    (HAND | {"pegs": {"hole": 1}}, "value", "pegs", "one or two pegs"),
    (HAND | {"crib": 1}, "value", "crib", "bool"),
    (HAND | {"note": None}, "value", "note", "a note"),
    (HAND | {"lamp": {"bright": 0}}, "value", "bright", "above 0 and at most 1"),
    (HAND | {"lamp": {"bright": True}}, "value", "bright", "above 0 and at most 1"),
    (HAND | {"lamp": {"bright": 10**400}}, "value", "bright", "above 0 and at most 1"),
    (HAND | {"lamp": {"color": "blue"}}, "value", "color", "one of red, white"),
    (HAND | {"lamp": {"colour": "red"}}, "unknown", "colour", ""),
    (HAND | {"lamp": "on"}, "value", "lamp", "a lamp's settings"),
    (HAND | {"turn": "up"}, "value", "turn", "left or right"),
    ([], "value", "", "an object"),
    (None, "value", "", "an object"),
]


@pytest.mark.parametrize(("values", "why", "name", "takes"), WRONG)
def test_what_does_not_fit_is_named_with_what_is_accepted(values, why, name, takes):
    with pytest.raises(Misfit) as refusal:
        read(Hand, values)
    assert (refusal.value.why, refusal.value.field, refusal.value.takes) == (why, name, takes)


def test_a_wrong_value_deep_inside_names_the_outermost_field_too():
    with pytest.raises(Misfit) as refusal:
        read(Hand, HAND | {"lamp": {"bright": 2}})
    assert (refusal.value.outer, refusal.value.field, refusal.value.value) == ("lamp", "bright", 2)


def test_what_was_stored_has_no_limits_and_may_have_more_fields():
    stored = {"name": "Player", "suit": "hearts", "from": "?", "note": None, "later": 1, "pegs": []}
    assert read(Hand, stored, STORED) == Hand("Player", Suit.HEARTS, "?")
    for wrong in ({"name": 1}, {"suit": "clubs"}, {"pegs": [{}]}, {"crib": 0}):
        with pytest.raises(Misfit):
            read(Hand, stored | wrong, STORED)


def test_a_message_is_limited_as_a_request_is_but_may_have_more_fields():
    assert read(Hand, HAND | {"later": 1, "note": None, "pegs": [{"hole": 5, "later": 1}]}, MESSAGE).pegs == (Peg(5),)
    for wrong in ({"name": "Player"}, {"from": "?"}, {"pegs": []}, {"crib": None}, {"turn": "up"}):
        with pytest.raises(Misfit):
            read(Hand, HAND | {"later": 1} | wrong, MESSAGE)


PEGS = st.lists(st.builds(Peg, st.integers(0, 121), st.none() | st.integers(0, 2)), min_size=1, max_size=2)
HANDS = st.builds(
    Hand,
    st.text(min_size=1, max_size=5),
    st.sampled_from(Suit),
    st.from_regex(r"\A[a-z]+-[0-9]{1,3}\Z"),
    PEGS.map(tuple),
    st.booleans(),
    st.text(max_size=3),
    st.fixed_dictionaries({"color": st.sampled_from(["red", "white"])}),
    st.sampled_from(["left", "right"]),
)


@given(HANDS)
def test_what_is_written_is_read_back_through_json(hand):
    values = json.loads(json.dumps(write(hand)))
    assert read(Hand, values) == read(Hand, values, STORED) == hand


# --- the schema, checked by a validator of others ---


def validator(kind: Any, *, takes_more: bool = False) -> jsonschema_rs.Draft202012Validator:
    components: Components = {}
    root = schema(kind, components)
    text = json.dumps(root | {"$defs": components}).replace("#/components/schemas/", "#/$defs/")
    more = text.replace('"additionalProperties": false', '"additionalProperties": true') if takes_more else text
    return jsonschema_rs.Draft202012Validator(json.loads(more))


HAND_SCHEMA, HAND_AND_MORE = validator(Hand), validator(Hand, takes_more=True)

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-3, 130)
    | st.floats(-1, 2).filter(lambda number: not number.is_integer())
    | st.sampled_from(["", "Ann", "hearts", "club-7", "left", "red", "a longer text"])
)
ANY_PEG = st.dictionaries(st.sampled_from(["hole", "lane", "more"]), SCALARS, max_size=3)
ANY_LAMP = st.dictionaries(st.sampled_from(["bright", "color", "more"]), SCALARS, max_size=2)
ANY_FIELD = SCALARS | ANY_PEG | ANY_LAMP | st.lists(ANY_PEG | SCALARS, max_size=3)
KEYS = ["name", "suit", "from", "pegs", "crib", "note", "lamp", "turn", "more"]


def fits(values: Any, kind: Any = Hand, mode: Any = REQUEST) -> bool:
    try:
        read(kind, values, mode)
    except Misfit:
        return False
    return True


ANY_HAND = st.dictionaries(st.sampled_from(KEYS), ANY_FIELD, max_size=4).map(lambda more: HAND | more) | ANY_FIELD


@given(ANY_HAND)
def test_a_request_is_read_exactly_if_its_schema_takes_it(values):
    assert fits(values) == HAND_SCHEMA.is_valid(values)


@given(ANY_HAND)
def test_a_message_is_read_exactly_if_the_schema_with_more_fields_takes_it(values):
    if isinstance(values, dict):  # a field that can be left out, because it is None then, may also be null
        values = {key: one for key, one in values.items() if one is not None or key not in ("note", "lamp")}
    assert fits(values, mode=MESSAGE) == HAND_AND_MORE.is_valid(values)


Names = dict[Annotated[str, Takes(pattern=r"[a-z]{1,3}")], Annotated[tuple[int, bool], Takes(read=list)]]
NAMES_SCHEMA = validator(Names)
ANY_ROW = st.lists(st.integers(0, 1) | st.booleans() | st.none(), max_size=3)
ANY_NAMES = st.dictionaries(st.sampled_from(["a", "abc", "abcd", "A", ""]), ANY_ROW, max_size=2)


@given(ANY_NAMES | SCALARS)
def test_the_names_and_rows_of_a_mapping_are_limited_as_in_its_schema(values):
    is_valid = NAMES_SCHEMA.is_valid(values)
    assert fits(values, Names) == is_valid
    assert not is_valid or read(Names, values) == values


Holes = Annotated[list[int], Takes(least=1, most=2)]
HOLES_SCHEMA = validator(Holes)


@given(ANY_ROW | SCALARS)
def test_a_list_stays_a_list_and_each_of_its_values_is_checked(values):
    is_valid = HOLES_SCHEMA.is_valid(values)
    assert fits(values, Holes) == is_valid
    assert not is_valid or read(Holes, values) == values


NONE_FIRST = None | int
Turned = make_dataclass("Turned", [("lane", NONE_FIRST, None), ("hole", Annotated[NONE_FIRST, "null or a hole"], None)])


def test_none_may_stand_first():
    assert read(Turned, {"lane": 1, "hole": None}) == Turned(1)
    for wrong in ({"lane": "junk"}, {"lane": None}, {"hole": "junk"}):
        assert not fits(wrong, Turned)
    components: Components = {}
    schema(Turned, components)
    assert components["Turned"]["properties"]["hole"]["type"] == ["integer", "null"]


@dataclass(frozen=True)
class Either:
    text: int | str = 0


@pytest.mark.parametrize("kind", [frozenset[str], int | str, int | str | None, Either, object, bytes, tuple, list])
def test_a_type_that_cannot_be_read_is_no_type_that_takes_anything(kind):
    with pytest.raises(TypeError, match="cannot be read"):
        read(kind, {})
    with pytest.raises(TypeError, match="cannot be read"):
        schema(kind, {})


def test_any_takes_anything():
    assert read(dict[str, Any], {"a": [None]}) == {"a": [None]}
    assert schema(Any, {}) == {}


def test_fields_that_differ_only_in_their_schema_stay_apart():
    fields = {
        f"f{most}": NotRequired[Annotated[str, Takes(words="a text", schema={"maxLength": most})]] for most in (1, 2)
    }
    found = object_schema(fields_from(fields), {}, strict=True)["properties"]
    assert [found["f1"]["maxLength"], found["f2"]["maxLength"]] == [1, 2]


@pytest.mark.parametrize("values", [HAND] + [values for values, *_ in WRONG])
def test_the_schema_takes_and_refuses_the_same_examples(values):
    huge = "bright" in str(values) and "0000" in str(values)
    assert huge or fits(values) == HAND_SCHEMA.is_valid(values) or values.get("from") == "club-7\n"


@given(st.none() | st.text(max_size=4) | st.integers())
def test_null_may_stand_for_a_value_that_has_limits_of_its_own(value):
    name = Annotated[Annotated[str, Takes(least=1, most=2)] | None, "a name, or null"]
    assert fits(value, name) == validator(name).is_valid(value)


class Shown(TypedDict):
    holes: Annotated[list[int], "by lane"]
    winner: Annotated[int | None, "the lane, or null"]
    suit: NotRequired[Annotated[Suit | None, "the suit"]]
    by_name: dict[str, int]


def test_a_response_may_have_more_fields_and_says_what_may_be_null():
    shown = validator(Shown)
    assert shown.is_valid({"holes": [1], "winner": None, "by_name": {}})
    assert shown.is_valid({"holes": [], "winner": 1, "by_name": {"a": 1}, "more": 1})
    assert shown.is_valid({"holes": [], "winner": 1, "by_name": {}, "suit": None})
    for wrong in ({"holes": [1], "by_name": {}}, {"holes": ["1"], "winner": None, "by_name": {}}, {}):
        assert not shown.is_valid(wrong)
