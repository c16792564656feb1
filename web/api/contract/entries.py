"""Schemas of an entry: a line of the score sheet with everything that has changed it."""

from marshmallow import fields, validate

from pegboard.core.moves import COMMANDS, DealStage, Reason
from web.api.contract.answer_fields import Answered, decimal, number, text, whether


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
