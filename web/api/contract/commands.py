"""Schemas of the requests for commands, made from the table of commands."""

from collections.abc import Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from pegboard.core.command_fields import (
    Field,
    Flag,
    MemberOf,
    Note,
    OneOf,
    PlayerName,
    Several,
    Text,
    WholeNumber,
)
from pegboard.core.moves import COMMANDS, ENVELOPE, CommandRow
from pegboard.core.names import LONGEST_NAME, LONGEST_NOTE, clean_name, is_legible
from pegboard.errors import RuleError
from web.api.contract.schema_fields import (
    StrictBoolean,
    constant,
    describe,
    integer_between,
    load,
    matching,
    wrong_field,
)


def _name_of_a_player(value: str) -> None:
    """The core's own sentence names the guilty name; a line break within one is refused, not passed over."""
    clean_name(value)
    if not is_legible(value):
        raise RuleError("name_unseen", name=repr(value))


def _note(value: str) -> None:
    if len(value) > LONGEST_NOTE or not is_legible(" ".join(value.split())):
        raise ValidationError("a note")


def _reason(value: str) -> None:
    if not value.strip():
        raise ValidationError("a reason")
    _note(value)


def _schema_field(field: Field) -> fields.Field[Any]:
    """The field of a schema that takes what a field of the table does."""
    least = {"minLength": 1} if field.required else {}
    options: dict[str, Any] = {"required": field.required, "allow_none": field.nullable}
    described = options | {"metadata": describe(field.takes)}
    match field:
        case WholeNumber():
            made: fields.Field[Any] = integer_between(field.least, field.most, field.takes, **options)
        case Flag():
            made = StrictBoolean(**described)
        case MemberOf():
            made = fields.String(validate=validate.OneOf(list(field.enum)), **described)
        case OneOf():
            made = fields.String(validate=validate.OneOf(field.words), **described)
        case Text(pattern=str(pattern)):
            made = matching(pattern, field.takes, **options)
        case Text():
            made = fields.String(validate=validate.Length(field.least, field.most), **described)
        case PlayerName():
            letters = describe(field.takes, minLength=1, maxLength=LONGEST_NAME)
            made = fields.String(validate=_name_of_a_player, metadata=letters, **options)
        case Note():
            letters = describe(field.takes, maxLength=LONGEST_NOTE, **least)
            made = fields.String(validate=_reason if field.required else _note, metadata=letters, **options)
        case Several():
            length = validate.Length(field.least, field.most)
            made = fields.List(_schema_field(field.item), validate=length, **described)
        case _:
            raise AssertionError(field)
    return made


def _schema(row: CommandRow) -> type[Schema]:
    made = {name: constant(row.do) if name == "do" else _schema_field(field) for name, field in row.fields.items()}
    meta = type("Meta", (), {"unknown": RAISE, "include": made})
    name = "".join(word.capitalize() for word in row.do.split("_"))  # in the OpenAPI document: "OverPeg"
    return type(f"{name}Schema", (Schema,), {"Meta": meta})


COMMAND_SCHEMAS: dict[str, type[Schema]] = {row.do: _schema(row) for row in COMMANDS}
"""The shape of every request for a command, by the word for it; a field nobody knows is refused, never dropped."""


def _most(field: Field) -> int | None:
    """The most that a field takes: of a number, or letters of a text."""
    match field:
        case WholeNumber(most=most):
            return most
        case Note():
            return LONGEST_NOTE
        case PlayerName():
            return LONGEST_NAME
    return None


COMMANDS_ON_PAGES: list[dict[str, Any]] = [
    {
        "do": row.do,
        "base": row.base,
        "who": row.who,
        "names_line": row.names_line,
        "most": {name: most for name, field in row.own_fields.items() if (most := _most(field)) is not None},
    }
    for row in COMMANDS
]
"""What the scripts of the pages know of each command, in the order of the table."""


def read_command(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a request has round its command (`ENVELOPE`), and the command's values, when they have the right shape.

    Raises:
        Problem: 422.
    """
    do = values.get("do")
    if not isinstance(do, str) or do not in COMMAND_SCHEMAS:
        raise wrong_field("do", f"one of {', '.join(COMMAND_SCHEMAS)}", values)
    loaded = load(COMMAND_SCHEMAS[do](), values, do)
    return {name: loaded.pop(name, None) for name in ENVELOPE}, loaded
