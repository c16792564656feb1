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

    fault = string("its name")
    points = integer("0 where the cards are only dealt again")


class RulesSchema(ResponseSchema):
    """The rules of the game, as far as they change what one can do."""

    worth = integers("match points for a win, a skunk, a double skunk; the last counts for anything beyond")
    first_deal = string("who deals first in the next game", validate=validate.OneOf(list(FirstDeal)))
    heels_limit = string("how near the game hole heels score nothing", validate=validate.OneOf(list(HeelsLimit)))
    muggins = boolean("whether missed points go to the caller")
    misdeal = integer("points that are usually awarded for a misdeal, 0 where there are none")
    overpeg_award = string("what the opponent of an over-pegger scores", validate=validate.OneOf(list(OverpegAward)))
    strict = boolean("whether only a director corrects")
    peg_out = boolean("whether the winner must place the last peg")
    pegging_only = boolean("whether hands have three cards, as in the old game of five")
    lurch = boolean("whether the one skunk line stands at the half, and a skunk is called a lurch")
    penalties = fields.List(
        fields.Nested(UsualPenaltySchema),
        required=True,
        metadata={"description": "the faults, each with what the opponent is usually awarded"},
    )
    crib_flush = integer("cards of one suit that are a flush in the crib: 5, or 4 where the house plays so")
    enough = integer("the hole that still wins when the last deal ends the game, as alone; 0 for none")


class WhereSchema(ResponseSchema):
    """Where a deal can stand."""

    dealer = integer("the seat that deals; null until the cards are cut for the first deal", allow_none=True)
    phase = fields.String(required=True, validate=validate.OneOf((Phase.PLAY, Phase.HAND, Phase.CRIB)))
    to_count = integer("in the phase hand: the seat whose hand is next", allow_none=True)
    sure = decimal("how likely that is, 0 to 1")


class GameSchema(ResponseSchema):
    """The running game.

    Dealer, phase and whose hand is next follow from the whole sheet, as the likeliest course of the game; what nobody
    has said can be put right by what comes later.
    """

    id = fields.String(required=True)
    pairing = string(
        "what the event calls it, after the event's id and a slash, where it is a game of one", required=False
    )
    variant = fields.String(required=True)
    game_hole = fields.Integer(required=True)
    skunk_lines = integers("the last holes of a skunked loser, highest first")
    rules = fields.Nested(RulesSchema, required=True)
    deal = integer("the number of the deal, from 1")
    phase = fields.String(required=True, validate=validate.OneOf(list(Phase)))
    to_count = integer("in the phase hand: the seat whose hand is next", allow_none=True)
    scored = boolean("whether anything of this deal has scored")
    sure = decimal("how likely dealer, phase and whose hand is next are these, 0 to 1")
    dealer_sure = decimal("how likely this dealer deals, 0 to 1")
    otherwise = fields.Nested(
        WhereSchema,
        required=True,
        allow_none=True,
        metadata={"description": "where `sure` is below 0.6: where the deal stands otherwise; else null"},
    )
    ask_deal = boolean("whether a new deal must be said to have begun, because its dealer starts ahead")
    says = string("where the game stands, as said at the table")
    over = fields.Boolean(required=True)
    winner = integer("a lane", allow_none=True)
    unconfirmed = integers("once it is over: the lanes whose players have yet to confirm, where the rules ask for it")
    dealer_next = integer("the seat that deals first in the next game, once this one is over", allow_none=True)


class MatchSchema(ResponseSchema):
    """The match that the running game belongs to."""

    id = string("that of its first game")
    format = string("open, single, best of 3 ... first to 9")
    to_win = integer("the games that win it, or null where it has no end", allow_none=True)
    counted = integers("for each lane, games won as they count towards the end: a skunk can count as two")
    winner = integer("the lane that has won it, or null", allow_none=True)


class SeatSchema(ResponseSchema):
    """A player's place at the table."""

    name = fields.String(required=True)
    lane = fields.Integer(required=True)
    confirmed = boolean("whether the player has confirmed the result")


class LikelyNextSchema(ResponseSchema):
    """What is mostly pegged next."""

    why = string("for what", validate=validate.OneOf(("play", "hand", "crib")))
    points = integers("so much at one time")


class LaneSchema(ResponseSchema):
    """A row of holes and its two pegs."""

    front = integer("the hole of the front peg: the score")
    rear = integer("the hole of the rear peg: the score before")
    revision = integer("the `base` of the next score")
    dialled = integer("points shown by the keys, not yet pegged")
    skunks = integer("once the game is over: the skunk lines missed")
    games_won = fields.Integer(required=True)
    match_points = fields.Integer(required=True)
    spread = integer("in the match, holes won less holes lost")
    awarded = integer("points that an opponent's fault has given in this game")
    corrections = integer("how often something of the lane has been put right in this game")
    pinned_by = string("the entry by which a judge has set the pegs, or null", allow_none=True)
    likely = fields.Nested(
        LikelyNextSchema,
        required=True,
        allow_none=True,
        metadata={"description": "what it most likely pegs next; null where it is not its turn"},
    )


class NeedsSchema(ResponseSchema):
    """What a lane still needs."""

    out = integer("holes to the game hole")
    save = integer("holes to be safe from the next skunk line, or null where it is safe from all", allow_none=True)
    skunks = integer("the skunk that this would save: 1 a skunk, 2 a double skunk; or null", allow_none=True)


class MessageSchema(ResponseSchema):
    """A sentence by its key."""

    key = string("which sentence that is, for catalogs of other languages")
    values = fields.Dict(
        required=True,
        metadata={"description": "what stands in it: words, numbers, and sentences as `key`, `values` and `text`"},
    )


class DeviceSchema(ResponseSchema):
    """A display or an input."""

    name = fields.String(required=True)
    trouble = string("what is wrong with it, which may be cut short here; null while it works", allow_none=True)
    trouble_message = fields.Nested(
        MessageSchema, required=False, metadata={"description": "the same by its key, where that is not too long"}
    )


class AlarmSchema(ResponseSchema):
    """What every window shows until a person dismisses it."""

    id = string("names it where it is dismissed")
    text = string("what has happened")
    message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "the same by its key, to be translated; null where it is too long"},
    )
    lasts = boolean("whether it is so still: it goes by itself once it is over, and cannot be dismissed before")
    director = boolean("whether only a director may dismiss it: in a strict game, where it may have cost scores")


class NextSeatSchema(ResponseSchema):
    """Where the player of a seat goes for the next game."""

    table = string("what the table is called; null where no next game is known", allow_none=True)
    against = string("the name of who plays there, too")
    deals = fields.Boolean(
        required=True,
        allow_none=True,
        metadata={"description": "whether the player deals first; null where the cards are cut"},
    )
    stays = boolean("whether it is this table")


class CallSchema(ResponseSchema):
    """A call of this table."""

    kind = fields.String(
        data_key="for", required=True, validate=validate.OneOf(("judge", "director")), metadata={"description": "who"}
    )
    needed = integer("how many are to come")
    accepted = strings("the names of those who come")


class EventSchema(ResponseSchema):
    """The event that the table plays in."""

    name = string("what it is called")
    table = string("what this table is called there")
    round = integer("the round of the game on the table; null where that is no game of the event", allow_none=True)
    rounds = integer("how many rounds there are; null where that is not known", allow_none=True)
    settled = string(
        "how the finished game came to count at the hub, where not all players confirmed it here; else null",
        allow_none=True,
    )
    settled_message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "the same with its key, if short enough"},
    )
    next = list_of(NextSeatSchema, "for each seat, once the game is over and confirmed, or settled; else empty")
    here = strings("the names of those who play at this table next, where they wait")
    calls = list_of(CallSchema, "who is called to this table")
    linked = boolean("whether the hub is reached")
    unsent = boolean("whether the finished game has not reached the hub for a while: its code can be carried there")
    announcement = string("what the director says to all, or empty; it may be cut short here")


class StateSchema(ResponseSchema):
    """The whole state of the table."""

    epoch = fields.String(required=True)
    revision = integer("the newest event of the journal")
    game = fields.Nested(GameSchema, required=True)
    match = fields.Nested(MatchSchema, required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    dealer = integer("a seat; null until it is known who deals first", allow_none=True)
    lanes = fields.List(fields.Nested(LaneSchema), required=True)
    needs = fields.List(fields.Nested(NeedsSchema), required=True, metadata={"description": "for each lane"})
    entries = fields.List(
        fields.Nested(EntrySchema),
        required=True,
        metadata={"description": "the newest ten, newest first; fewer where they would not fit 4 kB"},
    )
    undo = string(
        "the newest entry that stands, which an undo would take back; it may be older than `entries` reach",
        allow_none=True,
    )
    redo = string("the entry that a redo would put back", allow_none=True)
    notice = string("the last refusal of a key, or its question", allow_none=True)
    notice_message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "the same by its key, to be translated; null where it is too long"},
    )
    devices = fields.List(
        fields.Nested(DeviceSchema),
        required=True,
        metadata={"description": "every display and input, those in trouble first, as far as they fit"},
    )
    alarms = list_of(AlarmSchema, "what nobody may overlook: first what lasts, then the newest, as far as they fit")
    event = fields.Nested(
        EventSchema, required=False, metadata={"description": "the event that the table plays in, if any"}
    )


class SheetSchema(ResponseSchema):
    """The whole score sheet of a game."""

    epoch = fields.String(required=True)
    revision = integer("the newest event of the journal")
    game = string("the id of the game")
    revisions = fields.List(
        fields.Integer(), required=True, metadata={"description": "of each lane: the base of what is for a lane"}
    )
    entries = fields.List(
        fields.Nested(EntrySchema), required=True, metadata={"description": "every line, newest first"}
    )


class ReceiptSchema(ResponseSchema):
    """What became of a command."""

    replayed = boolean("whether it had been accepted before")
    entry = string("the line it made or changed", allow_none=True)
    note = string("what was not done in full, in words, where there is something", required=False)
    state = fields.Nested(StateSchema, required=True)
