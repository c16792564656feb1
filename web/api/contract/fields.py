"""Fields of the API whose words serve twice: for the document, and for the refusal of anything else."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from marshmallow import Schema, ValidationError, fields, validate

from web.http.problems import Problem

ID = r"[A-Za-z0-9_-]{16,64}"
"""The id of a tap: 128 random bits fit."""

LINE = r"[0-9]{1,9}"
"""The id of a line of the sheet."""

LONGEST_SHOWN = 40
"""Letters of a refused value that are said back."""


def taken(description: str, **more: Any) -> dict[str, Any]:
    """What a field takes, in words, as its metadata."""
    return {"description": description} | more


def whole(least: int, most: int, description: str, **options: Any) -> fields.Integer:
    """A whole number from `least` to `most`; neither 6.0 nor "6" is one."""
    span = validate.Range(least, most)
    return fields.Integer(strict=True, validate=span, metadata=taken(description), **options)


def words(pattern: str, description: str, **options: Any) -> fields.String:
    """A text that the pattern covers whole."""

    def covers(value: str) -> None:
        if not re.fullmatch(pattern, value):
            raise ValidationError(description)

    return fields.String(validate=covers, metadata=taken(description, pattern=f"^{pattern}$"), **options)


def just(word: str) -> fields.String:
    """One word and no other."""
    return fields.String(required=True, validate=validate.Equal(word), metadata=taken(f'"{word}"'))


class TrueOrFalse(fields.Boolean):
    """A boolean; nothing else means one."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:  # noqa: ARG002
        if not isinstance(value, bool):
            raise ValidationError("true or false")
        return value


def read(schema: Schema, values: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The values, when they have the shape.

    Raises:
        Problem: 422; its sentence names the first field that is wrong, its value, and what it takes.
    """
    try:
        loaded: dict[str, Any] = schema.load(values)
    except ValidationError as error:
        names = list(error.messages_dict)
        raise _first_wrong(schema, values, names, what) from None
    return loaded


def _first_wrong(schema: Schema, values: Mapping[str, Any], names: list[str], what: str) -> Problem:
    unknown = [name for name in names if name not in schema.fields]
    if unknown:
        return unknown_field(unknown[0], schema.fields, what)
    return wrong_field(names[0], schema.fields[names[0]].metadata["description"], values)


def unknown_field(name: str, known: Iterable[str], what: str) -> Problem:
    """The refusal of a field that nothing asks for."""
    return Problem(422, "shape", "field_unknown", what=what, field=said(name), fields=", ".join(known))


def wrong_field(name: str, takes: str, values: Mapping[str, Any]) -> Problem:
    """The refusal of a field that is missing, or has a value that is not taken."""
    if name not in values:
        return Problem(422, "shape", "field_missing", field=name, takes=takes)
    return Problem(422, "shape", "field_value", field=name, takes=takes, value=said(values[name]))


def said(value: Any) -> str:
    """A refused value as it is said back."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."
