"""Schemas of the state of the table, of a score sheet, and of the receipt for a command."""

from marshmallow import fields, validate

from pegboard.core.position import Phase
from pegboard.core.rules import FirstDeal, HeelsLimit, OverpegAward
from web.api.contract.answer_fields import Answered, decimal, number, numbers, text, whether
from web.api.contract.entries import EntrySchema


class UsualPenaltySchema(Answered):
    """What the opponent is usually awarded for a fault."""

    fault = text("its name")
    points = number("0 where the cards are only dealt again")


class RulesSchema(Answered):
    """What the table's rules say that changes what one can do."""

    worth = numbers("match points for a win, a skunk, a double skunk; the last counts for anything beyond")
    first_deal = text("who deals first in the next game", validate=validate.OneOf(list(FirstDeal)))
    heels_limit = text("how near the game hole heels score nothing", validate=validate.OneOf(list(HeelsLimit)))
    muggins = whether("whether missed points go to the caller")
    misdeal = number("points that are usually awarded for a misdeal, 0 where there are none")
    overpeg_award = text("what the opponent of an over-pegger scores", validate=validate.OneOf(list(OverpegAward)))
    strict = whether("whether only a director corrects")
    peg_out = whether("whether the winner must place the last peg")
    pegging_only = whether("whether hands have three cards, as in the old game of five")
    lurch = whether("whether the one skunk line stands at the half, and a skunk is called a lurch")
    penalties = fields.List(
        fields.Nested(UsualPenaltySchema),
        required=True,
        metadata={"description": "the faults, each with what the opponent is usually awarded"},
    )
    crib_flush = number("cards of one suit that are a flush in the crib: 5, or 4 where the house plays so")
    enough = number("the hole that still wins when the last deal ends the game, as alone; 0 for none")


class WhereSchema(Answered):
    """Where a deal can stand."""

    dealer = number("the seat that deals")
    phase = fields.String(required=True, validate=validate.OneOf((Phase.PLAY, Phase.HAND, Phase.CRIB)))
    to_count = number("in the phase hand: the seat whose hand is next", allow_none=True)
    sure = decimal("how likely that is, 0 to 1")


class GameSchema(Answered):
    """The running game.

    Dealer, phase and whose hand is next follow from the whole sheet, as the likeliest course of the game; what nobody
    has said can be put right by what comes later.
    """

    id = fields.String(required=True)
    variant = fields.String(required=True)
    game_hole = fields.Integer(required=True)
    skunk_lines = numbers("the last holes of a skunked loser, highest first")
    rules = fields.Nested(RulesSchema, required=True)
    deal = number("the number of the deal, from 1")
    phase = fields.String(required=True, validate=validate.OneOf(list(Phase)))
    to_count = number("in the phase hand: the seat whose hand is next", allow_none=True)
    scored = whether("whether anything of this deal has scored")
    sure = decimal("how likely dealer, phase and whose hand is next are these, 0 to 1")
    dealer_sure = decimal("how likely this dealer deals, 0 to 1")
    otherwise = fields.Nested(
        WhereSchema,
        required=True,
        allow_none=True,
        metadata={"description": "where `sure` is below 0.6: where the deal stands otherwise; else null"},
    )
    ask_deal = whether("whether a new deal must be said to have begun, because its dealer starts ahead")
    says = text("where the game stands, as said at the table")
    over = fields.Boolean(required=True)
    winner = number("a lane", allow_none=True)
    unconfirmed = numbers("once it is over: the lanes whose players have yet to confirm, where the rules ask for it")
    dealer_next = number("the seat that deals first in the next game, once this one is over", allow_none=True)


class MatchSchema(Answered):
    """The match that the running game belongs to."""

    id = text("that of its first game")
    format = text("open, single, best of 3 ... first to 9")
    to_win = number("the games that win it, or null where it has no end", allow_none=True)
    counted = numbers("for each lane, games won as they count towards the end: a skunk can count as two")
    winner = number("the lane that has won it, or null", allow_none=True)


class SeatSchema(Answered):
    """A player's place at the table."""

    name = fields.String(required=True)
    lane = fields.Integer(required=True)
    confirmed = whether("whether the player has confirmed the result")


class LikelyNextSchema(Answered):
    """What is mostly pegged next."""

    why = text("for what", validate=validate.OneOf(("play", "hand", "crib")))
    points = numbers("so much at one time")


class LaneSchema(Answered):
    """A row of holes and its two pegs."""

    front = number("the hole of the front peg: the score")
    rear = number("the hole of the rear peg: the score before")
    revision = number("the `base` of the next score")
    dialled = number("points shown by the keys, not yet pegged")
    skunks = number("once the game is over: the skunk lines missed")
    games_won = fields.Integer(required=True)
    match_points = fields.Integer(required=True)
    spread = number("in the match, holes won less holes lost")
    awarded = number("points that an opponent's fault has given in this game")
    corrections = number("how often something of the lane has been put right in this game")
    pinned_by = text("the entry by which a judge has set the pegs, or null", allow_none=True)
    likely = fields.Nested(
        LikelyNextSchema,
        required=True,
        allow_none=True,
        metadata={"description": "what it most likely pegs next; null where it is not its turn"},
    )


class NeedsSchema(Answered):
    """What a lane still needs."""

    out = number("holes to the game hole")
    save = number("holes to be safe from the next skunk line, or null where it is safe from all", allow_none=True)
    skunks = number("the skunk that this would save: 1 a skunk, 2 a double skunk; or null", allow_none=True)


class MessageSchema(Answered):
    """A sentence by its key."""

    key = text("which sentence that is, for catalogs of other languages")
    values = fields.Dict(
        required=True,
        metadata={"description": "what stands in it: words, numbers, and sentences as `key`, `values` and `text`"},
    )


class DeviceSchema(Answered):
    """A display or an input."""

    name = fields.String(required=True)
    trouble = text("what is wrong with it, which may be cut short here; null while it works", allow_none=True)
    trouble_message = fields.Nested(
        MessageSchema, required=False, metadata={"description": "the same by its key, where that is not too long"}
    )


class StateSchema(Answered):
    """The whole state of the table."""

    epoch = fields.String(required=True)
    revision = number("the newest event of the journal")
    game = fields.Nested(GameSchema, required=True)
    match = fields.Nested(MatchSchema, required=True)
    seats = fields.List(fields.Nested(SeatSchema), required=True)
    dealer = number("a seat")
    lanes = fields.List(fields.Nested(LaneSchema), required=True)
    needs = fields.List(fields.Nested(NeedsSchema), required=True, metadata={"description": "for each lane"})
    entries = fields.List(
        fields.Nested(EntrySchema),
        required=True,
        metadata={"description": "the newest ten, newest first; fewer where they would not fit 4 kB"},
    )
    undo = text(
        "the newest entry that stands, which an undo would take back; it may be older than `entries` reach",
        allow_none=True,
    )
    redo = text("the entry that a redo would put back", allow_none=True)
    notice = text("the last refusal of a key, or its question", allow_none=True)
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


class SheetSchema(Answered):
    """The whole score sheet of a game."""

    epoch = fields.String(required=True)
    revision = number("the newest event of the journal")
    game = text("the id of the game")
    revisions = fields.List(
        fields.Integer(), required=True, metadata={"description": "of each lane: the base of what is for a lane"}
    )
    entries = fields.List(
        fields.Nested(EntrySchema), required=True, metadata={"description": "every line, newest first"}
    )


class ReceiptSchema(Answered):
    """What became of a command."""

    replayed = whether("whether it had been accepted before")
    entry = text("the line it made or changed", allow_none=True)
    note = text("what was not done in full, in words, where there is something", required=False)
    state = fields.Nested(StateSchema, required=True)
