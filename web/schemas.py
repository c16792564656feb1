"""The shapes of the API, of which its document is made: what a command looks like, and what the table answers."""

import json
import re
from collections.abc import Mapping
from typing import Any

from marshmallow import EXCLUDE, RAISE, Schema, ValidationError, fields, validate

from pegboard.core.judge import LONGEST_NAME, is_legible
from pegboard.core.moves import WHYS
from pegboard.core.rules import MOST_AT_ONCE, VARIANTS
from web.problems import Problem

ID = r"[A-Za-z0-9_-]{16,64}"
"""The id of a tap: 128 random bits fit."""

LONGEST_SHOWN = 40
"""Letters of a refused value that are said back."""


def _taken(description: str, **more: Any) -> dict[str, Any]:
    """What a field takes, in words: for the document, and for the refusal of anything else."""
    return {"description": description} | more


def _whole(least: int, most: int, description: str, **options: Any) -> fields.Integer:
    span = validate.Range(least, most)
    return fields.Integer(strict=True, validate=span, metadata=_taken(description), **options)


def _words(pattern: str, description: str, **options: Any) -> fields.String:
    def whole(value: str) -> None:
        if not re.fullmatch(pattern, value):
            raise ValidationError(description)

    return fields.String(validate=whole, metadata=_taken(description, pattern=f"^{pattern}$"), **options)


class _TrueOrFalse(fields.Boolean):
    """A boolean; nothing else means one."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> bool:  # noqa: ARG002
        if not isinstance(value, bool):
            raise ValidationError("true or false")
        return value


def _name_of_a_player(value: str) -> None:
    if not value.strip() or len(value) > LONGEST_NAME or not is_legible(value):
        raise ValidationError("a name")


# --- what is asked ---


class CommandSchema(Schema):
    """What every command has; which fields come with it depends on `do`."""

    class Meta:
        """A field nobody knows is refused, never dropped."""

        unknown = RAISE

    id = _words(ID, "16 to 64 of A-Z a-z 0-9 - _ that name this tap; a repeat carries the same", required=True)
    game = _words(r"[A-Za-z0-9_-]{1,64}", "the id of the running game, as the state tells it", required=True)
    base = _whole(
        0,
        2**53,
        "the revision that was seen, a whole number: the lane's for a score; the board's for start, deal, and an undo"
        " or redo without an entry",
        allow_none=True,
    )


_SEAT = "a seat of this table, a whole number from 0 to 3"
_ENTRY = r"[0-9]{1,9}"


class StartSchema(CommandSchema):
    """Begin a game."""

    do = fields.String(required=True, validate=validate.Equal("start"), metadata=_taken('"start"'))
    game = _words(r"[A-Za-z0-9_-]{1,64}", "the id of the running game, or null", allow_none=True)
    variant = fields.String(
        required=True,
        validate=validate.OneOf(list(VARIANTS)),
        metadata=_taken(f"the name of a variant: {', '.join(VARIANTS)}"),
    )
    players = fields.List(
        fields.String(
            validate=_name_of_a_player, metadata={"minLength": 1, "maxLength": LONGEST_NAME, "description": "a name"}
        ),
        required=True,
        validate=validate.Length(1, 4),
        metadata=_taken(f"a list of 1 to 4 names, in seat order, each of 1 to {LONGEST_NAME} letters"),
    )
    dealer = _whole(
        0, 3, "the seat that deals first, a whole number from 0 to 3, or null for the table's custom", allow_none=True
    )
    replaces = _words(
        r"[A-Za-z0-9_-]{1,64}", "the id of the unfinished game that is given up for this one, or null", allow_none=True
    )


class ScoreSchema(CommandSchema):
    """Peg points for a seat, or for a lane."""

    do = fields.String(required=True, validate=validate.Equal("score"), metadata=_taken('"score"'))
    points = _whole(0, MOST_AT_ONCE, f"a whole number from 0 to {MOST_AT_ONCE}", required=True)
    seat = _whole(0, 3, _SEAT + ", or null when `lane` is told", allow_none=True)
    lane = _whole(
        0, 2, "a lane of this board, a whole number from 0 to 2, or null when `seat` is told", allow_none=True
    )
    why = fields.String(
        allow_none=True, validate=validate.OneOf(WHYS), metadata=_taken(f"one of {', '.join(WHYS)}, or null")
    )


class DealSchema(CommandSchema):
    """Pass the deal."""

    do = fields.String(required=True, validate=validate.Equal("deal"), metadata=_taken('"deal"'))
    dealer = _whole(
        0, 3, "the seat that deals now, a whole number from 0 to 3, or null for the next in turn", allow_none=True
    )


class UndoSchema(CommandSchema):
    """Take an entry back."""

    do = fields.String(required=True, validate=validate.Equal("undo"), metadata=_taken('"undo"'))
    entry = _words(
        _ENTRY, "the id of an entry, as the state tells it, or null for the newest that stands", allow_none=True
    )


class RedoSchema(CommandSchema):
    """Put an entry back."""

    do = fields.String(required=True, validate=validate.Equal("redo"), metadata=_taken('"redo"'))
    entry = _words(
        _ENTRY, "the id of an entry, as the state tells it, or null for the newest taken back", allow_none=True
    )


COMMANDS: dict[str, type[CommandSchema]] = {
    "start": StartSchema,
    "score": ScoreSchema,
    "deal": DealSchema,
    "undo": UndoSchema,
    "redo": RedoSchema,
}


class PressSchema(Schema):
    """A key of the bench goes down or up."""

    key = fields.String(
        required=True, validate=validate.Length(1, 16), metadata=_taken("the name of a key, such as a1, undo or deal")
    )
    level = fields.String(required=True, validate=validate.OneOf(["down", "up"]), metadata=_taken('"down" or "up"'))


class PlugSchema(Schema):
    """A device of the bench is plugged in or pulled out."""

    device = fields.String(
        required=True, validate=validate.Length(1, 16), metadata=_taken("the name of a device, oled or strip")
    )
    plugged = _TrueOrFalse(required=True, metadata=_taken("true or false"))


def read(schema: Schema, values: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The values, when they have the shape.

    Raises:
        Problem: 422; its sentence names the first field that is wrong, its value, and what it takes.
    """
    try:
        loaded: dict[str, Any] = schema.load(values)
    except ValidationError as error:
        names = list(error.messages_dict)
        raise Problem(422, "shape", _first_wrong(schema, values, names, what)) from None
    return loaded


def read_command(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a command, when they have the shape that its `do` asks for.

    Raises:
        Problem: 422.
    """
    do = values.get("do")
    if not isinstance(do, str) or do not in COMMANDS:
        one = f"one of {', '.join(COMMANDS)}"
        sentence = f"`do` is {one}, not {_shown(do)}" if "do" in values else f"`do` is missing: {one}"
        raise Problem(422, "shape", sentence)
    return read(COMMANDS[do](), values, do)


def _first_wrong(schema: Schema, values: Mapping[str, Any], names: list[str], what: str) -> str:
    unknown = [name for name in names if name not in schema.fields]
    if unknown:
        return f"{what} has no field {_shown(unknown[0])}; it takes {', '.join(schema.fields)}"
    name = names[0]
    takes = schema.fields[name].metadata["description"]
    return f"`{name}` is {takes}, not {_shown(values[name])}" if name in values else f"`{name}` is missing: {takes}"


def _shown(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "..."


# --- what is answered ---


class _Answered(Schema):
    """A reader leaves out fields that it does not know: later ones may come."""

    class Meta:
        """So does the document."""

        unknown = EXCLUDE


class GameSchema(_Answered):
    """The running game."""

    id = fields.String(required=True)
    variant = fields.String(required=True)
    game_hole = fields.Integer(required=True)
    skunk_lines = fields.List(fields.Integer(), required=True)
    deal = fields.Integer(required=True, metadata={"description": "the number of the deal, from 1"})
    phase = fields.String(required=True, validate=validate.OneOf(["cut", "play", "hand", "crib", "over", "unknown"]))
    to_count = fields.Integer(
        required=True, allow_none=True, metadata={"description": "in the phase hand: the seat whose hand is next"}
    )
    over = fields.Boolean(required=True)
    winner = fields.Integer(required=True, allow_none=True, metadata={"description": "a lane"})
    dealer_next = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "the seat that deals first in the next game, once this one is over"},
    )


class SeatSchema(_Answered):
    """A player's place at the table."""

    name = fields.String(required=True)
    lane = fields.Integer(required=True)


class LaneSchema(_Answered):
    """A row of holes and its two pegs."""

    front = fields.Integer(required=True, metadata={"description": "the hole of the front peg: the score"})
    rear = fields.Integer(required=True, metadata={"description": "the hole of the rear peg: the score before"})
    revision = fields.Integer(required=True, metadata={"description": "the `base` of the next score"})
    dialled = fields.Integer(required=True, metadata={"description": "points shown by the keys, not yet pegged"})
    skunks = fields.Integer(required=True)
    games_won = fields.Integer(required=True)
    match_points = fields.Integer(required=True)


class EntrySchema(_Answered):
    """A line of the score sheet."""

    id = fields.String(required=True)
    do = fields.String(required=True, validate=validate.OneOf(["score", "deal"]))
    seat = fields.Integer(required=True, allow_none=True)
    lane = fields.Integer(required=True, allow_none=True)
    points = fields.Integer(required=True, allow_none=True)
    why = fields.String(required=True, allow_none=True, validate=validate.OneOf(WHYS))
    dealer = fields.Integer(metadata={"description": "of a deal: the seat that deals"})
    front_before = fields.Integer(
        data_key="from", metadata={"description": "of a score: the front peg's hole before it"}
    )
    front_after = fields.Integer(data_key="to", metadata={"description": "of a score: the front peg's hole after it"})
    source = fields.String(required=True, metadata={"description": "the door it came through"})
    at = fields.Float(required=True, metadata={"description": "seconds since 1970"})
    stands = fields.Boolean(required=True, metadata={"description": "false once it is taken back"})
    counts = fields.Boolean(required=True, metadata={"description": "whether it stands and came before the end"})


class StateSchema(_Answered):
    """The whole state of the table."""

    epoch = fields.String(required=True)
    revision = fields.Integer(required=True, metadata={"description": "the newest event of the journal"})
    game = fields.Nested(GameSchema, required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    dealer = fields.Integer(required=True, metadata={"description": "a seat"})
    lanes = fields.List(fields.Nested(LaneSchema), required=True)
    entries = fields.List(
        fields.Nested(EntrySchema), required=True, metadata={"description": "the newest ten, newest first"}
    )
    redo = fields.String(
        required=True, allow_none=True, metadata={"description": "the entry that a redo would put back"}
    )
    notice = fields.String(required=True, allow_none=True)


class ReceiptSchema(_Answered):
    """What became of a command."""

    replayed = fields.Boolean(required=True, metadata={"description": "whether it had been accepted before"})
    entry = fields.String(required=True, allow_none=True, metadata={"description": "the line it made or changed"})
    state = fields.Nested(StateSchema, required=True)


class ProblemSchema(_Answered):
    """Problem details (RFC 9457)."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True, metadata={"description": "one sentence for people"})
    code = fields.String(required=True, metadata={"description": "a stable word for programs"})
    state = fields.Nested(StateSchema, metadata={"description": "with 409: the state now"})
    entries = fields.List(
        fields.Nested(EntrySchema), metadata={"description": "with moved: the lines made or changed since"}
    )
