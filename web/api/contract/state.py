"""What is answered: the shapes of the table's state, its sheet, a receipt and a refusal."""

from marshmallow import fields, validate

from pegboard.core.moves import COMMANDS, DealStage, Reason
from pegboard.core.position import Phase
from pegboard.core.rules import FirstDeal, HeelsLimit, OverpegAward
from web.api.contract.answer_fields import Answered, decimal, number, numbers, text, whether
from web.api.contract.examples import CODES


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


class ChangeSchema(Answered):
    """What has changed a line in its place."""

    did = text("what was done", validate=validate.OneOf(["undo", "redo", "amend"]))
    source = text("the door it came through")
    at = fields.Float(required=True, metadata={"description": "seconds since 1970"})
    was = number("of an amend: the points until then, or null where they stayed", allow_none=True)
    was_why = text(
        "of an amended reason: the one until then",
        required=False,
        allow_none=True,
        validate=validate.OneOf(list(Reason)),
    )
    was_seat = number(
        "of an entry that was moved to another player: the seat until then", required=False, allow_none=True
    )
    was_lane = number("of an entry that was moved to another player: the lane until then", required=False)


class LikelySchema(Answered):
    """What points were most likely for."""

    why = text(
        "the reason, or null for an award that was pegged as a score",
        allow_none=True,
        validate=validate.OneOf(list(Reason)),
    )
    sure = decimal("how likely that is, 0 to 1")


class EntrySchema(Answered):
    """A line of the score sheet; which of the further fields it has depends on `do`."""

    id = fields.String(required=True)
    do = fields.String(required=True, validate=validate.OneOf(sorted(row.do for row in COMMANDS if row.makes_line)))
    seat = number("a seat, where the line is one player's", allow_none=True)
    lane = number("a lane, where the line is about one", allow_none=True)
    points = number("points as they were claimed; of a ruling, the true ones", allow_none=True)
    why = text(
        "what the points are for, or null where nobody has said it",
        allow_none=True,
        validate=validate.OneOf(list(Reason)),
    )
    guessed = fields.Boolean(metadata={"description": "true where a page of an older version guessed `why`"})
    likely = fields.Nested(
        LikelySchema,
        metadata={"description": "what the points were most likely for, where nobody has said it and the line counts"},
    )
    source = text("the door it came through")
    at = fields.Float(required=True, metadata={"description": "seconds since 1970"})
    stands = whether("false once it is taken back")
    counts = whether("whether it stands, came before the end, and has not been retracted")
    dealer = number("of a deal: the seat that deals", required=False)
    stage = text("of a stage: where the deal stands", required=False, validate=validate.OneOf(list(DealStage)))
    front_before = number(
        "where there is a lane: its front peg's hole before the line", data_key="from", required=False
    )
    front_after = number("where there is a lane: its front peg's hole after the line", data_key="to", required=False)
    note = text("the reason in words, where one was given", required=False)
    entry = text('of a ruling: the line it names; of retract the one gone back to, "0" the start', required=False)
    awarded = number("of over_peg and false_claim: the lane that is awarded, or null", required=False, allow_none=True)
    was = number("of over_peg and false_claim: the points that the ruled line says", required=False)
    award = number("of over_peg and false_claim: the points awarded", required=False)
    holes = number("of peg_back and false_claim: how far a peg goes back", required=False)
    front = number("of set_pegs: the hole of the front peg", required=False)
    rear = number("of set_pegs: the hole of the rear peg", required=False)
    caller = number("of muggins: the seat that called", required=False)
    claimed = number("of muggins: the points claimed", required=False)
    missed = number("of muggins: the points truly missed, 0 for a wrong call", required=False)
    ruled_by = text("the standing ruling on this line", required=False)
    truth = number("under a standing over_peg or false_claim: the points that the line truly counts", required=False)
    retracted = fields.Boolean(metadata={"description": "true where a standing retract has gone back over the line"})
    history = fields.List(
        fields.Nested(ChangeSchema), metadata={"description": "what has changed it in its place, oldest first"}
    )


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


class HealthOfDeviceSchema(Answered):
    """How a display or an input is."""

    name = fields.String(required=True)
    about = text("where it hangs")
    ok = whether("whether it works")
    failing_since = fields.Float(
        required=True, allow_none=True, metadata={"description": "of the first error in a row: seconds since 1970"}
    )
    trouble = text("the last error in words, and what to do where that is known", allow_none=True)
    about_message = fields.Nested(
        MessageSchema, required=True, allow_none=True, metadata={"description": "`about` by its key, where it has one"}
    )
    trouble_message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "`trouble` by its key, if it has one"},
    )
    retries = number("tries since the first error in a row")
    frames = number("views shown in all")
    errors = number("errors in all")


class JournalSchema(Answered):
    """What the journal holds."""

    epoch = fields.String(required=True)
    revision = number("its newest event")


class ServiceSchema(Answered):
    """The program that keeps the score."""

    version = fields.String(required=True)
    uptime_s = fields.Float(required=True, metadata={"description": "seconds since it began to serve"})
    viewers = number("live event streams that are open")
    stand_ins = whether("whether nothing is wired: displays and inputs are stand-ins")
    journal = fields.Nested(JournalSchema, required=True)


class CatalogFaultSchema(Answered):
    """One thing that is wrong with a translation of the pages."""

    line = number("the line of the file; null where it is the file as a whole", allow_none=True)
    reason = text("what is wrong, and what would be taken")
    key = text("which sentence that is, for catalogs of other languages")
    values = fields.Dict(
        required=True,
        metadata={"description": "what stands in it: words, numbers, and sentences as `key`, `values` and `text`"},
    )


class CatalogSchema(Answered):
    """A file with the pages' texts in a language."""

    file = text("such as de.json")
    language = text("the name that the language gives itself; null where the file is left out", allow_none=True)
    missing = number("texts that it lacks or that are wrong: they are said in English")
    faults = number("how many there are")
    first_faults = fields.List(
        fields.Nested(CatalogFaultSchema), required=True, metadata={"description": "at most five of them, by line"}
    )


class HealthSchema(Answered):
    """How everything is."""

    devices = fields.List(
        fields.Nested(HealthOfDeviceSchema), required=True, metadata={"description": "every display and input"}
    )
    service = fields.Nested(ServiceSchema, required=True)
    languages = fields.List(
        fields.Nested(CatalogSchema), required=True, metadata={"description": "every translation of the pages"}
    )


class ReceiptSchema(Answered):
    """What became of a command."""

    replayed = whether("whether it had been accepted before")
    entry = text("the line it made or changed", allow_none=True)
    note = text("what was not done in full, in words, where there is something", required=False)
    state = fields.Nested(StateSchema, required=True)


class OfferSchema(Answered):
    """The fields of a `deal` that can be said first."""

    new = whether("whether a new deal has begun; false where the one in hand is dealt by `dealer`")
    dealer = number("the seat that deals", required=False)


class ProblemSchema(Answered):
    """Problem details (RFC 9457)."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = text("one sentence for people, in English")
    key = text("which sentence that is, for catalogs of other languages")
    values = fields.Dict(
        required=True,
        metadata={"description": "what stands in it: words, numbers, and sentences as `key`, `values` and `text`"},
    )
    code = text("a stable word for programs", validate=validate.OneOf(CODES))
    rule = text(
        "where the rules page explains it, such as /rules#skunk; with most refusals by the rules", required=False
    )
    offer = fields.Nested(
        OfferSchema,
        metadata={
            "description": "where heels or a crib contradict what was said: the fields of a `deal` after which they are"
            " taken"
        },
    )
    state = fields.Nested(StateSchema, metadata={"description": "with 409: the state now"})
    entries = fields.List(
        fields.Nested(EntrySchema), metadata={"description": "with moved: the lines made or changed since"}
    )
