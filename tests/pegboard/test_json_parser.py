"""The one strict parser of JSON that others have written."""

import json

import pytest

from pegboard.json_parser import DuplicateKey, parse_json


@pytest.mark.parametrize("text", ['{"a": 1, "b": 2, "a": 3}', '{"b": {"a": 1, "a": 1}}', '[{"a": 1, "\\u0061": 1}]'])
def test_a_field_that_is_named_twice_is_refused_by_its_name(text):
    with pytest.raises(DuplicateKey) as refusal:
        parse_json(text)
    assert refusal.value.name == "a"


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_what_is_no_number_is_refused(word):
    with pytest.raises(ValueError, match=f"^{word} is not a number$"):
        parse_json(word)


def test_of_a_hundred_thousand_fields_the_last_is_named_twice():
    """To compare each with all others would take minutes, in which a hub does nothing else."""
    fields = ", ".join(f'"{number}": 0' for number in range(100_000))
    with pytest.raises(DuplicateKey) as refusal:
        parse_json(f'{{{fields}, "99999": 1}}')
    assert refusal.value.name == "99999"


def test_values_are_those_of_json():
    values = {"a": [1, 2.5, None, True], "b": {"c": "\u00e9"}}
    assert parse_json(json.dumps(values)) == values
    assert parse_json(json.dumps(values).encode()) == values
