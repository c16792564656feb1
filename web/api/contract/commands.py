"""What is asked: the shape of each command, and of each key and plug of the bench."""

from collections.abc import Mapping
from typing import Any, ClassVar

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from pegboard.core.house_rules import HOUSE_RULES
from pegboard.core.match import FIRST_TO, FORMATS
from pegboard.core.moves import STAGES, WHYS
from pegboard.core.referee.decisions import LONGEST_NAME, LONGEST_NOTE, is_legible, named
from pegboard.core.rules import GAME_HOLES, MOST_AT_ONCE, VARIANTS
from pegboard.errors import RuleError
from pegboard.storage.import_parser import GAME_ID
from web.api.contract.fields import ID, LINE, TrueOrFalse, just, read, taken, whole, words, wrong_field

LAST_HOLE = GAME_HOLES[-1]
"""The hole of the longest board."""

LONGEST_HOUSE_RULE = 40
"""Letters of a house rule with its value."""

MOST_REVISIONS = 2**53
"""Up to here every program tells whole numbers apart."""


def _name_of_a_player(value: str) -> None:
    """The core's own sentence names the guilty name; a line break within one is refused, not passed over."""
    named(value)
    if not is_legible(value):
        raise RuleError("name_unseen", name=repr(value))


def _note(value: str) -> None:
    if len(value) > LONGEST_NOTE or not is_legible(" ".join(value.split())):
        raise ValidationError("a note")


def _reason(value: str) -> None:
    if not value.strip():
        raise ValidationError("a reason")
    _note(value)


def _seat_or_null(description: str, null: str) -> fields.Integer:
    return whole(0, 3, f"{description}, a whole number from 0 to 3, or null {null}", allow_none=True)


def _seat(description: str) -> fields.Integer:
    return whole(0, 3, f"{description}, a whole number from 0 to 3", required=True)


def _opponent() -> fields.Integer:
    return _seat_or_null("the seat of the opponent who is awarded", null="where there is only one opponent")


def _base(whose: str) -> fields.Integer:
    description = f"the revision that was seen, a whole number: {whose}"
    return whole(0, MOST_REVISIONS, description, allow_none=True)


def _base_of_its_lane() -> fields.Integer:
    return _base("the lane's, as the state tells it")


def _base_of_the_board() -> fields.Integer:
    return _base("the board's `revision`, as the state tells it")


def _no_base() -> fields.Integer:
    return _base("this command names what it is about, so it needs none")


def _entry() -> fields.String:
    return words(LINE, "the id of an entry, as the state tells it", required=True)


def _points(least: int, most: int, what: str = "") -> fields.Integer:
    return whole(least, most, f"{what}a whole number from {least} to {most}", required=True)


def _was() -> fields.Integer:
    return _points(0, LAST_HOLE, "the points that the entry was seen to have, ")


def _reason_of_a_score(null: str = "") -> fields.String:
    told = f"one of {', '.join(WHYS)}, or null{null}"
    return fields.String(allow_none=True, validate=validate.OneOf(WHYS), metadata=taken(told))


def _why_it_was_done(*, required: bool = False) -> fields.String:
    least = {"minLength": 1} if required else {}
    return fields.String(
        required=required,
        validate=_reason if required else _note,
        metadata=taken(f"the reason in words, up to {LONGEST_NOTE} letters", maxLength=LONGEST_NOTE, **least),
    )


# --- commands ---


class CommandSchema(Schema):
    """What every command has; which fields come with it depends on `do`."""

    class Meta:
        """A field nobody knows is refused, never dropped."""

        unknown = RAISE

    id = words(ID, "16 to 64 of A-Z a-z 0-9 - _ that name this tap; a repeat carries the same", required=True)
    game = words(GAME_ID, "the id of the running game, as the state tells it", required=True)
    base = _base_of_the_board()


class CorrectionSchema(CommandSchema):
    """What every command has that can put a finished game right."""

    game = words(GAME_ID, "the id of the running game, or of an earlier one of its match", required=True)


class StartSchema(CommandSchema):
    """Begin a game."""

    do = just("start")
    game = words(GAME_ID, "the id of the running game, or null", allow_none=True)
    variant = fields.String(
        required=True,
        validate=validate.OneOf(list(VARIANTS)),
        metadata=taken(f"the name of a variant: {', '.join(VARIANTS)}"),
    )
    players = fields.List(
        fields.String(
            validate=_name_of_a_player, metadata={"minLength": 1, "maxLength": LONGEST_NAME, "description": "a name"}
        ),
        required=True,
        validate=validate.Length(1, 4),
        metadata=taken(f"a list of 1 to 4 names, in seat order, each of 1 to {LONGEST_NAME} letters"),
    )
    house = fields.List(
        fields.String(validate=validate.Length(1, LONGEST_HOUSE_RULE), metadata={"description": "such as muggins=on"}),
        allow_none=True,
        validate=validate.Length(0, len(HOUSE_RULES)),
        metadata=taken(
            "the house rules that change the variant, as `GET /api/v1/settings` lists them, chosen by the director;"
            " none for the variant as it is, null for the rules played now, or of another variant the table's own"
        ),
    )
    dealer = _seat_or_null("the seat that deals first", null="for the table's custom")
    replaces = words(GAME_ID, "the id of the unfinished game that is given up for this one, or null", allow_none=True)


class StartMatchSchema(StartSchema):
    """Begin a match, with its first game."""

    do = just("start_match")
    format = words(
        f"({'|'.join(FORMATS)}|{FIRST_TO}[1-9][0-9]?)",
        f"the match's format: {', '.join(FORMATS)}, or {FIRST_TO}N with N from 1 to 99",
        required=True,
    )


class ScoreSchema(CommandSchema):
    """Peg points for a seat, or for a lane."""

    do = just("score")
    base = _base_of_its_lane()
    points = _points(0, MOST_AT_ONCE)
    seat = _seat_or_null("a seat of this table", null="when `lane` is told")
    lane = whole(0, 2, "a lane of this board, a whole number from 0 to 2, or null when `seat` is told", allow_none=True)
    why = _reason_of_a_score()


class DealSchema(CommandSchema):
    """Pass the deal, or put the dealer of this deal right."""

    do = just("deal")
    dealer = _seat_or_null("the seat that deals now", null="for the next in turn")
    new = TrueOrFalse(
        allow_none=True,
        metadata=taken(
            "true where a new deal begins, false where `dealer` deals the one in hand, or null for a new one if"
            " anything has been scored since the last began"
        ),
    )


class StageSchema(CommandSchema):
    """Say where the deal stands; no peg moves."""

    do = just("stage")
    stage = fields.String(required=True, validate=validate.OneOf(STAGES), metadata=taken(f"one of {', '.join(STAGES)}"))


class UndoSchema(CorrectionSchema):
    """Take an entry back."""

    do = just("undo")
    base = _base("the board's, where no entry is named")
    entry = words(
        LINE, "the id of an entry, as the state tells it, or null for the newest that stands", allow_none=True
    )


class RedoSchema(CorrectionSchema):
    """Put an entry back."""

    do = just("redo")
    base = _base("the board's, where no entry is named")
    entry = words(LINE, "the id of an entry, as the state tells it, or null for the newest taken back", allow_none=True)


class AmendSchema(CorrectionSchema):
    """Let a score or penalty say other points or another reason, or move it to another player."""

    do = just("amend")
    base = _no_base()
    entry = _entry()
    points = whole(0, LAST_HOLE, f"a whole number from 0 to {LAST_HOLE}")
    why = _reason_of_a_score(" to forget it")
    seat = whole(0, 3, "the seat of the player whose points they are, a whole number from 0 to 3")
    was = _was()


class PenaltySchema(CommandSchema):
    """Award points for an opponent's fault."""

    do = just("penalty")
    base = _base_of_its_lane()
    seat = _seat("the seat that is awarded")
    points = _points(1, LAST_HOLE)
    note = _why_it_was_done()


class MugginsSchema(CommandSchema):
    """Claim points that another has missed; a wrong call awards the opponent."""

    do = just("muggins")
    seat = _seat("the seat that calls")
    claimed = _points(1, MOST_AT_ONCE, "the points that are claimed, ")
    missed = _points(0, MOST_AT_ONCE, "the points that truly were missed, 0 for a wrong call, ")
    opponent = _opponent()


class OverPegSchema(CorrectionSchema):
    """Rule that a score was pegged too far."""

    do = just("over_peg")
    base = _no_base()
    entry = _entry()
    points = _points(0, LAST_HOLE, "the true points, ")
    was = _was()
    opponent = _opponent()


class PegBackSchema(CorrectionSchema):
    """Move a front peg back."""

    do = just("peg_back")
    base = _base_of_its_lane()
    seat = _seat("the seat whose peg goes back")
    holes = _points(1, LAST_HOLE)
    note = _why_it_was_done()


class SetPegsSchema(CorrectionSchema):
    """Put pegs where a judge finds that they belong."""

    do = just("set_pegs")
    base = _base_of_its_lane()
    seat = _seat("the seat whose pegs they are")
    front = _points(0, LAST_HOLE, "the hole of the front peg, ")
    rear = _points(0, LAST_HOLE, "the hole of the rear peg, ")
    note = _why_it_was_done(required=True)


class FalseClaimSchema(CorrectionSchema):
    """Rule that the entry that ended the game claimed too much."""

    do = just("false_claim")
    base = _no_base()
    entry = _entry()
    points = _points(0, LAST_HOLE, "the true points, ")
    was = _was()
    opponent = _opponent()


class RetractSchema(CorrectionSchema):
    """Go on from an earlier line, as after a renege."""

    do = just("retract")
    to = words(LINE, 'the id of the entry to go on from, or "0" for the empty sheet', required=True)
    note = _why_it_was_done()


class AbandonSchema(CommandSchema):
    """Give the running game up."""

    do = just("abandon")
    note = _why_it_was_done()


class ConfirmSchema(CorrectionSchema):
    """Confirm the result that is on the board."""

    do = just("confirm")
    base = _no_base()
    seat = _seat("the seat that confirms")
    winner = whole(
        0,
        2,
        "the lane that has won, a whole number from 0 to 2, or null where nobody has",
        required=True,
        allow_none=True,
    )
    fronts = fields.List(
        whole(0, LAST_HOLE, f"a hole, 0 to {LAST_HOLE}"),
        required=True,
        validate=validate.Length(1, 3),
        metadata=taken(f"a list of the holes of 1 to 3 front pegs, lane by lane, each from 0 to {LAST_HOLE}"),
    )


class RenameSchema(CommandSchema):
    """Correct a player's name in every game of the match; no line of the sheet."""

    class Meta:
        """`from` is a word of Python."""

        unknown = RAISE
        include: ClassVar[dict[str, fields.String]] = {
            "from": fields.String(
                required=True,
                validate=validate.Length(1),
                metadata=taken("the name that was seen, as the state tells it", minLength=1),
            )
        }

    do = just("rename")
    base = _no_base()
    seat = _seat("the seat of the player")
    to = fields.String(
        required=True,
        validate=_name_of_a_player,
        metadata=taken(f"the right name, of 1 to {LONGEST_NAME} letters", minLength=1, maxLength=LONGEST_NAME),
    )


COMMANDS: dict[str, type[CommandSchema]] = {
    "start": StartSchema,
    "score": ScoreSchema,
    "deal": DealSchema,
    "stage": StageSchema,
    "undo": UndoSchema,
    "redo": RedoSchema,
    "amend": AmendSchema,
    "penalty": PenaltySchema,
    "muggins": MugginsSchema,
    "over_peg": OverPegSchema,
    "peg_back": PegBackSchema,
    "set_pegs": SetPegsSchema,
    "false_claim": FalseClaimSchema,
    "retract": RetractSchema,
    "abandon": AbandonSchema,
    "confirm": ConfirmSchema,
    "rename": RenameSchema,
    "start_match": StartMatchSchema,
}
"""Every command by the word for it, in the order of the score sheet's own list."""


# --- the bench ---


class PressSchema(Schema):
    """A key of the bench goes down or up."""

    key = fields.String(
        required=True, validate=validate.Length(1, 32), metadata=taken("the name of a key, such as a1, undo or deal")
    )
    level = fields.String(required=True, validate=validate.OneOf(["down", "up"]), metadata=taken('"down" or "up"'))


class PlugSchema(Schema):
    """A device of the bench is plugged in or pulled out."""

    device = fields.String(
        required=True, validate=validate.Length(1, 32), metadata=taken("the name of a device of the bench")
    )
    plugged = TrueOrFalse(required=True, metadata=taken("true or false"))


class FaultSchema(Schema):
    """A device of the bench begins to fail, or works again."""

    device = fields.String(
        required=True, validate=validate.Length(1, 32), metadata=taken("the name of a device of the bench")
    )
    fault = fields.String(
        required=True, validate=validate.Length(1, 32), metadata=taken("the name of one of the device's faults")
    )
    on = TrueOrFalse(required=True, metadata=taken("true or false"))


def read_command(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a command, when they have the shape that its `do` asks for.

    Raises:
        Problem: 422.
    """
    do = values.get("do")
    if not isinstance(do, str) or do not in COMMANDS:
        raise wrong_field("do", f"one of {', '.join(COMMANDS)}", values)
    return read(COMMANDS[do](), values, do)
