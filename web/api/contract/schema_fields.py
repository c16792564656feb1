"""Fields of requests and responses: one sentence describes each, in the OpenAPI document and in a refusal."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, validate

from web.http.problems import Problem

LONGEST_QUOTE = 40
"""Letters of a wrong value that its refusal repeats."""


# --- of requests ---


def describe(description: str, **more: Any) -> dict[str, Any]:
    """The metadata of a field: a description of its values, and JSON schema keywords."""
    return {"description": description} | more


def integer_between(least: int, most: int, description: str, **options: Any) -> fields.Integer:
    """A whole number from `least` to `most`; neither 6.0 nor "6" is one."""
    span = validate.Range(least, most)
    return fields.Integer(strict=True, validate=span, metadata=describe(description), **options)


def matching(pattern: str, description: str, **options: Any) -> fields.String:
    """A text that the whole pattern matches."""

    def check(value: str) -> None:
        if not re.fullmatch(pattern, value):
            raise ValidationError(description)

    return fields.String(validate=check, metadata=describe(description, pattern=f"^{pattern}$"), **options)


def constant(word: str) -> fields.String:
    """This word and no other."""
    return fields.String(required=True, validate=validate.Equal(word), metadata=describe(f'"{word}"'))


class RequestSchema(Schema):
    """A request in which unknown fields are refused."""

    class Meta:
        """The document says so."""

        unknown = RAISE


class StrictBoolean(fields.Boolean):
    """A boolean of JSON; no text or number stands for one."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:  # noqa: ARG002
        if not isinstance(value, bool):
            raise ValidationError("true or false")
        return value


def load(schema: Schema, values: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The values, checked by the schema; `what` they are is for the refusal.

    Raises:
        Problem: 422, naming the first wrong field with its value and with what it takes.
    """
    try:
        loaded: dict[str, Any] = schema.load(values)
    except ValidationError as error:
        raise _first_wrong(schema, values, list(error.messages_dict), what) from None
    return loaded


def _first_wrong(schema: Schema, values: Mapping[str, Any], names: list[str], what: str) -> Problem:
    unknown = [name for name in names if name not in schema.fields]
    if unknown:
        return unknown_field(unknown[0], schema.fields, what)
    return wrong_field(names[0], schema.fields[names[0]].metadata["description"], values)


def unknown_field(name: str, known: Iterable[str], what: str) -> Problem:
    """The refusal of an unknown field."""
    return Problem(422, "shape", "field_unknown", what=what, field=quote(name), fields=", ".join(known))


def wrong_field(name: str, takes: str, values: Mapping[str, Any]) -> Problem:
    """The refusal of a field that is missing, or has a wrong value."""
    if name not in values:
        return Problem(422, "shape", "field_missing", field=name, takes=takes)
    return Problem(422, "shape", "field_value", field=name, takes=takes, value=quote(values[name]))


def quote(value: Any) -> str:
    """A wrong value as its refusal repeats it."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 3] + "..."


# --- of responses ---


class ResponseSchema(Schema):
    """A response in which later versions may add fields: readers leave out those that they do not know."""

    class Meta:
        """The document says so."""

        unknown = EXCLUDE


def integer(sentence: str, **options: Any) -> fields.Integer:
    """A whole number."""
    return fields.Integer(metadata={"description": sentence}, **({"required": True} | options))


def decimal(sentence: str, **options: Any) -> fields.Float:
    """A number with decimals."""
    return fields.Float(metadata={"description": sentence}, **({"required": True} | options))


def string(sentence: str, **options: Any) -> fields.String:
    """A text."""
    return fields.String(metadata={"description": sentence}, **({"required": True} | options))


def boolean(sentence: str) -> fields.Boolean:
    """True or false."""
    return fields.Boolean(required=True, metadata={"description": sentence})


def integers(sentence: str) -> fields.Field[Any]:
    """A list of whole numbers."""
    return fields.List(fields.Integer(), required=True, metadata={"description": sentence})


def strings(sentence: str) -> fields.Field[Any]:
    """A list of texts."""
    return fields.List(fields.String(), required=True, metadata={"description": sentence})


def list_of(schema: type[Schema], sentence: str) -> fields.Field[Any]:
    """A list of objects."""
    return fields.List(fields.Nested(schema), required=True, metadata={"description": sentence})
