"""Fields of responses, each with a sentence for the OpenAPI document that says what it means."""

from typing import Any

from marshmallow import EXCLUDE, Schema, fields


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
