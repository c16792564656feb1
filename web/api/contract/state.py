"""Schemas of the state of the table, of a score sheet, and of the receipt for a command."""

from marshmallow import fields, validate

from pegboard.core.position import Phase
from pegboard.core.rules import FirstDeal, HeelsLimit, OverpegAward
from web.api.contract.entries import EntrySchema
from web.api.contract.schema_fields import (
    ResponseSchema,
    boolean,
    decimal,
    integer,
    integers,
    list_of,
    string,
    strings,
)


class UsualPenaltySchema(ResponseSchema):
    """What the opponent is usually awarded for a fault."""

    fault = string("the fault's name")
    points = integer("the usual award; 0 if there is only a redeal")


class RulesSchema(ResponseSchema):
    """The rules of the game, as far as they change what one can do."""

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
    """Where a deal can stand."""

    dealer = integer("the seat that deals; null until the cards are cut for the first deal", allow_none=True)
    phase = fields.String(required=True, validate=validate.OneOf((Phase.PLAY, Phase.HAND, Phase.CRIB)))
    to_count = integer("in the phase hand: the seat that counts next", allow_none=True)
    sure = decimal("how likely this is, 0 to 1")


class GameSchema(ResponseSchema):
    """The running game.

    Dealer, phase and whose hand is next follow from the whole sheet, as the likeliest course of the game; what nobody
    has said can be put right by what comes later.
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
    """What is mostly pegged next."""

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
    """A sentence by its key."""

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
    """What every window shows until a person dismisses it."""

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
    """What became of a command."""

    replayed = boolean("whether the command had been accepted before")
    entry = string("the line added or changed", allow_none=True)
    note = string("what was not done in full, if anything", required=False)
    state = fields.Nested(StateSchema, required=True)
