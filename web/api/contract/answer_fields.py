"""Fields of what is answered, each with a sentence that says what it tells."""

from typing import Any

from marshmallow import EXCLUDE, Schema, fields


class Answered(Schema):
    """A reader leaves out fields that it does not know: later ones may come."""

    class Meta:
        """So does the document."""

        unknown = EXCLUDE


def number(sentence: str, **options: Any) -> fields.Integer:
    """A whole number."""
    return fields.Integer(metadata={"description": sentence}, **({"required": True} | options))


def decimal(sentence: str, **options: Any) -> fields.Float:
    """A number that need not be whole."""
    return fields.Float(metadata={"description": sentence}, **({"required": True} | options))


def text(sentence: str, **options: Any) -> fields.String:
    """Words."""
    return fields.String(metadata={"description": sentence}, **({"required": True} | options))


def whether(sentence: str) -> fields.Boolean:
    """True or false."""
    return fields.Boolean(required=True, metadata={"description": sentence})


def numbers(sentence: str) -> fields.Field[Any]:
    """A list of whole numbers."""
    return fields.List(fields.Integer(), required=True, metadata={"description": sentence})


def texts(sentence: str) -> fields.Field[Any]:
    """A list of words."""
    return fields.List(fields.String(), required=True, metadata={"description": sentence})


def each(schema: type[Schema], sentence: str) -> fields.Field[Any]:
    """A list of objects."""
    return fields.List(fields.Nested(schema), required=True, metadata={"description": sentence})
