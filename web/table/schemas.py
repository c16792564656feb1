"""Schemas of the state of the table, of a score sheet, and of the receipt for a command."""

from collections.abc import Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, validate

from pegboard.core.command_fields import Field, Flag, MemberOf, Note, OneOf, PlayerName, Several, Text, WholeNumber
from pegboard.core.moves import COMMANDS, ENVELOPE, CommandRow, DealStage, Reason
from pegboard.core.names import LONGEST_NAME, LONGEST_NOTE, clean_name, is_printable
from pegboard.core.position import Phase
from pegboard.core.rules import FirstDeal, HeelsLimit, OverpegAward
from pegboard.errors import RuleError
from web.kit.documented_endpoints import (
    ResponseSchema,
    StrictBoolean,
    boolean,
    constant,
    decimal,
    describe,
    integer,
    integer_between,
    integers,
    list_of,
    load,
    matching,
    string,
    strings,
    wrong_field,
)

# --- schemas of command requests, generated from the table of commands ---


def _name_of_a_player(value: str) -> None:
    """Validate a name with the core's own error, which quotes it; line breaks within one are refused, not removed."""
    clean_name(value)
    if not is_printable(value):
        raise RuleError("name_unseen", name=repr(value))


def _note(value: str) -> None:
    if len(value) > LONGEST_NOTE or not is_printable(" ".join(value.split())):
        raise ValidationError("a note")


def _reason(value: str) -> None:
    if not value.strip():
        raise ValidationError("a reason")
    _note(value)


def _schema_field(field: Field) -> fields.Field[Any]:
    """The schema field for a field of the table of commands."""
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
"""The schema of each command's request, by its word; unknown fields are refused, not dropped."""


def _most(field: Field) -> int | None:
    """The maximum of a field: of a number, or the characters of a text."""
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
"""What the pages' scripts need to know of each command, in the order of the table."""


def read_command(values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Validate a request, and split it into its envelope (`ENVELOPE`) and the command's values.

    Raises:
        Problem: 422.
    """
    do = values.get("do")
    if not isinstance(do, str) or do not in COMMAND_SCHEMAS:
        raise wrong_field("do", f"one of {', '.join(COMMAND_SCHEMAS)}", values)
    loaded = load(COMMAND_SCHEMAS[do](), values, do)
    return {name: loaded.pop(name, None) for name in ENVELOPE}, loaded


# --- schemas of a line of the score sheet with its changes ---


class ChangeSchema(ResponseSchema):
    """A change to a line."""

    did = string("the change", validate=validate.OneOf(["undo", "redo", "amend"]))
    source = string("how it was entered, such as phone or button")
    at = fields.Float(required=True, metadata={"description": "seconds since 1970"})
    was = integer("`amend`: the points before, or null if unchanged", allow_none=True)
    was_why = string(
        "`amend`: the reason before, if that changed",
        required=False,
        allow_none=True,
        validate=validate.OneOf(list(Reason)),
    )
    was_seat = integer("`amend`: the seat before, if that changed", required=False, allow_none=True)
    was_lane = integer("`amend`: the lane before, if the seat changed", required=False)


class LikelySchema(ResponseSchema):
    """The most likely reason for points."""

    why = string(
        "the reason, or null for an award pegged as a score",
        allow_none=True,
        validate=validate.OneOf(list(Reason)),
    )
    sure = decimal("how likely this reason is, 0 to 1")


class EntrySchema(ResponseSchema):
    """A line of the score sheet; which of the further fields it has depends on `do`."""

    id = fields.String(required=True)
    do = fields.String(required=True, validate=validate.OneOf(sorted(row.do for row in COMMANDS if row.makes_line)))
    seat = integer("the seat, if the line belongs to one player", allow_none=True)
    lane = integer("the lane, if the line is about one", allow_none=True)
    points = integer("points as claimed; for a ruling, the actual points", allow_none=True)
    why = string(
        "the reason for the points; null if nobody gave one",
        allow_none=True,
        validate=validate.OneOf(list(Reason)),
    )
    guessed = fields.Boolean(metadata={"description": "true if a page of an older version guessed `why`"})
    likely = fields.Nested(
        LikelySchema,
        metadata={"description": "the most likely reason, if nobody gave one and the line counts"},
    )
    source = string("how it was entered, such as phone or button")
    at = fields.Float(required=True, metadata={"description": "seconds since 1970"})
    stands = boolean("false if undone")
    counts = boolean("false if undone, rolled back, or after the end of the game")
    dealer = integer("deal: the seat that deals", required=False)
    stage = string("stage: the stage of the deal that starts", required=False, validate=validate.OneOf(list(DealStage)))
    front_before = integer("if there is a lane: its score before the line", data_key="from", required=False)
    front_after = integer("if there is a lane: its score after the line", data_key="to", required=False)
    note = string("the note, if there is one", required=False)
    entry = string('ruling: the line it is about; retract: the line to go back to, "0" for the start', required=False)
    awarded = integer("over_peg, false_claim: the lane that gets the award, or null", required=False, allow_none=True)
    was = integer("over_peg, false_claim: the points on the line ruled on", required=False)
    award = integer("over_peg, false_claim: the points awarded", required=False)
    holes = integer("peg_back, false_claim: how many holes a peg goes back", required=False)
    front = integer("set_pegs: the hole of the front peg", required=False)
    rear = integer("set_pegs: the hole of the rear peg", required=False)
    caller = integer("muggins: the seat that called", required=False)
    claimed = integer("muggins: the points claimed", required=False)
    missed = integer("muggins: the points actually missed, 0 for a wrong call", required=False)
    ruled_by = string("the ruling on this line, unless that ruling is undone", required=False)
    truth = integer("under an over_peg or false_claim: the points that count", required=False)
    retracted = fields.Boolean(metadata={"description": "true if a retract rolled the line back"})
    history = fields.List(fields.Nested(ChangeSchema), metadata={"description": "changes to the line, oldest first"})


class UsualPenaltySchema(ResponseSchema):
    """The usual award to the opponent for a fault."""

    fault = string("the fault's name")
    points = integer("the usual award; 0 if there is only a redeal")


class RulesSchema(ResponseSchema):
    """The rules of the game, as far as they affect what can be done."""

    worth = integers(
        "match points for a win, a skunk and a double skunk; a triple skunk is worth as much as a double one"
    )
    first_deal = string("who deals first in the next game", validate=validate.OneOf(list(FirstDeal)))
    heels_limit = string("where heels near the game hole score nothing", validate=validate.OneOf(list(HeelsLimit)))
    muggins = boolean("whether muggins is played")
    misdeal = integer("points usually awarded for a misdeal, 0 for none")
    overpeg_award = string("what the opponent scores for over-pegging", validate=validate.OneOf(list(OverpegAward)))
    strict = boolean("whether only a director can correct lines")
    peg_out = boolean("whether the winner must confirm the winning peg at the keys")
    pegging_only = boolean("whether hands have three cards, as in five-card cribbage")
    lurch = boolean("whether the only skunk line is the lurch line at halfway")
    penalties = fields.List(
        fields.Nested(UsualPenaltySchema),
        required=True,
        metadata={"description": "the faults, each with its usual award to the opponent"},
    )
    crib_flush = integer("cards of one suit needed for a flush in the crib: 5, or 4 as a house rule")
    enough = integer("the hole that is enough to win after the last deal, as in solitaire; 0 for none")


class WhereSchema(ResponseSchema):
    """A possible stage of a deal."""

    dealer = integer("the seat that deals; null until the cards are cut for the first deal", allow_none=True)
    phase = fields.String(required=True, validate=validate.OneOf((Phase.PLAY, Phase.HAND, Phase.CRIB)))
    to_count = integer("in the phase hand: the seat that counts next", allow_none=True)
    sure = decimal("how likely this is, 0 to 1")


class GameSchema(ResponseSchema):
    """The running game.

    Dealer, phase and whose hand is next are derived from the whole sheet, as the likeliest course of the game; later
    lines can correct what nobody has said.
    """

    id = fields.String(required=True)
    pairing = string("for a game of an event: the event's id, a slash and the pairing's id", required=False)
    variant = fields.String(required=True)
    game_hole = fields.Integer(required=True)
    skunk_lines = integers("the skunk lines, highest first; a loser at or below a line is skunked")
    rules = fields.Nested(RulesSchema, required=True)
    deal = integer("the number of the deal, from 1")
    phase = fields.String(required=True, validate=validate.OneOf(list(Phase)))
    to_count = integer("in the phase hand: the seat that counts next", allow_none=True)
    scored = boolean("whether anything has been scored in this deal")
    sure = decimal("how likely dealer, phase and to_count are, 0 to 1")
    dealer_sure = decimal("how likely the dealer is, 0 to 1")
    otherwise = fields.Nested(
        WhereSchema,
        required=True,
        allow_none=True,
        metadata={"description": "the next likely stage of the deal if `sure` is below 0.6; otherwise null"},
    )
    ask_deal = boolean("whether each new deal must be marked, because its dealer starts ahead")
    says = string("the stage of the game in words, as said at the table")
    over = fields.Boolean(required=True)
    winner = integer("a lane", allow_none=True)
    unconfirmed = integers("once the game is over: the lanes whose players must still confirm, if the rules require it")
    dealer_next = integer("the seat that deals first in the next game, once this one is over", allow_none=True)


class MatchSchema(ResponseSchema):
    """The match that the running game belongs to."""

    id = string("the id of its first game")
    format = string("open, single, best of 3 ... first to 9")
    to_win = integer("games needed to win, or null if the match has no end", allow_none=True)
    counted = integers("by lane: games won as they count toward the match; a skunk can count as two")
    winner = integer("the lane that won, or null", allow_none=True)


class SeatSchema(ResponseSchema):
    """A player's place at the table."""

    name = fields.String(required=True)
    lane = fields.Integer(required=True)
    confirmed = boolean("whether the player has confirmed the result")


class LikelyNextSchema(ResponseSchema):
    """What is usually pegged next."""

    why = string("the reason", validate=validate.OneOf(("play", "hand", "crib")))
    points = integers("the usual amounts")


class LaneSchema(ResponseSchema):
    """A row of holes and its two pegs."""

    front = integer("the front peg's hole: the score")
    rear = integer("the rear peg's hole: the previous score")
    revision = integer("the `base` of the next score")
    dialled = integer("points keyed in but not yet pegged")
    skunks = integer("once the game is over: how many skunk lines it did not pass")
    games_won = fields.Integer(required=True)
    match_points = fields.Integer(required=True)
    spread = integer("in the match: holes won minus holes lost")
    awarded = integer("points awarded in this game for opponents' faults")
    corrections = integer("number of corrections to the lane in this game")
    pinned_by = string("the line in which a judge set the pegs, or null", allow_none=True)
    likely = fields.Nested(
        LikelyNextSchema,
        required=True,
        allow_none=True,
        metadata={"description": "what the lane most likely pegs next; null if it is not its turn"},
    )


class NeedsSchema(ResponseSchema):
    """What a lane still needs."""

    out = integer("holes to the game hole")
    save = integer("holes needed to pass the next skunk line, or null if all are passed", allow_none=True)
    skunks = integer("the skunk this would avoid: 1 for a skunk, 2 for a double skunk, or null", allow_none=True)


class MessageSchema(ResponseSchema):
    """A message by its key."""

    key = string("the sentence's key, for translation")
    values = fields.Dict(
        required=True,
        metadata={"description": "its values: words, numbers, and sentences as `key`, `values` and `text`"},
    )


class DeviceSchema(ResponseSchema):
    """A display or an input."""

    name = fields.String(required=True)
    trouble = string("what is wrong, possibly shortened; null if the device works", allow_none=True)
    trouble_message = fields.Nested(
        MessageSchema, required=False, metadata={"description": "`trouble` as a message, unless that is too long"}
    )


class AlarmSchema(ResponseSchema):
    """An alarm, which every window shows until a person dismisses it."""

    id = string("the id for dismissing it")
    text = string("what happened")
    message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "`text` as a message, for translation; null if too long"},
    )
    lasts = boolean(
        "whether the cause lasts; if so, the alarm clears by itself once the cause is gone, and nobody can dismiss it"
    )
    director = boolean("whether only a director can dismiss it (in a strict game, if scores may be lost)")


class NextSeatSchema(ResponseSchema):
    """Where the player of a seat goes for the next game."""

    table = string("the table's name; null if no next game is known", allow_none=True)
    against = string("the opponent's name")
    deals = fields.Boolean(
        required=True,
        allow_none=True,
        metadata={"description": "whether the player deals first; null if the cards are cut"},
    )
    stays = boolean("whether the next game is at this table")


class CallSchema(ResponseSchema):
    """A call from this table."""

    kind = fields.String(
        data_key="for",
        required=True,
        validate=validate.OneOf(("judge", "director")),
        metadata={"description": "the helper called"},
    )
    needed = integer("how many helpers are needed")
    accepted = strings("names of the helpers who are coming")


class EventSchema(ResponseSchema):
    """The event that the table plays in."""

    name = string("the event's name")
    table = string("this table's name in the event")
    round = integer("the round of the current game; null if it is not a game of the event", allow_none=True)
    rounds = integer("number of rounds; null if unknown", allow_none=True)
    settled = string(
        "how the finished game came to count at the hub, if not all players confirmed it here; otherwise null",
        allow_none=True,
    )
    settled_message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "`settled` as a message, if short enough"},
    )
    next = list_of(NextSeatSchema, "by seat, once the game is over and confirmed or settled; otherwise empty")
    here = strings("names of the players waiting for their next game at this table")
    calls = list_of(CallSchema, "open calls from this table")
    linked = boolean("whether the hub is connected")
    unsent = boolean(
        "true if the finished game has been waiting for the hub for a while; a phone can take its result code there"
    )
    announcement = string("the director's message to all, possibly shortened; empty if none")


class StateSchema(ResponseSchema):
    """The whole state of the table."""

    epoch = fields.String(required=True)
    revision = integer("the number of the journal's newest event")
    game = fields.Nested(GameSchema, required=True)
    match = fields.Nested(MatchSchema, required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    dealer = integer("the dealer's seat; null until the first dealer is known", allow_none=True)
    lanes = fields.List(fields.Nested(LaneSchema), required=True)
    needs = fields.List(fields.Nested(NeedsSchema), required=True, metadata={"description": "by lane"})
    entries = fields.List(
        fields.Nested(EntrySchema),
        required=True,
        metadata={"description": "the newest ten lines, newest first; fewer if they do not fit in 4 kB"},
    )
    undo = string(
        "the line that an undo would undo; may be older than those in `entries`",
        allow_none=True,
    )
    redo = string("the line that a redo would redo", allow_none=True)
    notice = string("the latest refusal of a key press, or the question it raised", allow_none=True)
    notice_message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "`notice` as a message, for translation; null if too long"},
    )
    devices = fields.List(
        fields.Nested(DeviceSchema),
        required=True,
        metadata={"description": "as many displays and inputs as fit, those with problems first"},
    )
    alarms = list_of(AlarmSchema, "as many alarms as fit: lasting ones first, then newest first")
    event = fields.Nested(EventSchema, required=False, metadata={"description": "the event the table is in, if any"})


class SheetSchema(ResponseSchema):
    """The whole score sheet of a game."""

    epoch = fields.String(required=True)
    revision = integer("the number of the journal's newest event")
    game = string("the id of the game")
    revisions = fields.List(
        fields.Integer(), required=True, metadata={"description": "by lane: the `base` of commands for that lane"}
    )
    entries = fields.List(
        fields.Nested(EntrySchema), required=True, metadata={"description": "every line, newest first"}
    )


class ReceiptSchema(ResponseSchema):
    """The result of a command."""

    replayed = boolean("whether the command had been accepted before")
    entry = string("the line added or changed", allow_none=True)
    note = string("what was not done in full, if anything", required=False)
    state = fields.Nested(StateSchema, required=True)
