"""Schemas of an entry: a line of the score sheet with everything that has changed it."""

from marshmallow import fields, validate

from pegboard.core.moves import COMMANDS, DealStage, Reason
from web.api.contract.schema_fields import ResponseSchema, boolean, decimal, integer, string


class ChangeSchema(ResponseSchema):
    """What has changed a line in its place."""

    did = string("what was done", validate=validate.OneOf(["undo", "redo", "amend"]))
    source = string("what it was entered with")
    at = fields.Float(required=True, metadata={"description": "seconds since 1970"})
    was = integer("of an amend: the points until then, or null where they stayed", allow_none=True)
    was_why = string(
        "of an amended reason: the one until then",
        required=False,
        allow_none=True,
        validate=validate.OneOf(list(Reason)),
    )
    was_seat = integer(
        "of an entry that was moved to another player: the seat until then", required=False, allow_none=True
    )
    was_lane = integer("of an entry that was moved to another player: the lane until then", required=False)


class LikelySchema(ResponseSchema):
    """What points were most likely for."""

    why = string(
        "the reason, or null for an award that was pegged as a score",
        allow_none=True,
        validate=validate.OneOf(list(Reason)),
    )
    sure = decimal("how likely that is, 0 to 1")


class EntrySchema(ResponseSchema):
    """A line of the score sheet; which of the further fields it has depends on `do`."""

    id = fields.String(required=True)
    do = fields.String(required=True, validate=validate.OneOf(sorted(row.do for row in COMMANDS if row.makes_line)))
    seat = integer("a seat, where the line is one player's", allow_none=True)
    lane = integer("a lane, where the line is about one", allow_none=True)
    points = integer("points as they were claimed; of a ruling, the true ones", allow_none=True)
    why = string(
        "what the points are for, or null where nobody has said it",
        allow_none=True,
        validate=validate.OneOf(list(Reason)),
    )
    guessed = fields.Boolean(metadata={"description": "true where a page of an older version guessed `why`"})
    likely = fields.Nested(
        LikelySchema,
        metadata={"description": "what the points were most likely for, where nobody has said it and the line counts"},
    )
    source = string("what it was entered with")
    at = fields.Float(required=True, metadata={"description": "seconds since 1970"})
    stands = boolean("false once it is taken back")
    counts = boolean("whether it stands, came before the end, and has not been retracted")
    dealer = integer("of a deal: the seat that deals", required=False)
    stage = string("of a stage: where the deal stands", required=False, validate=validate.OneOf(list(DealStage)))
    front_before = integer(
        "where there is a lane: its front peg's hole before the line", data_key="from", required=False
    )
    front_after = integer("where there is a lane: its front peg's hole after the line", data_key="to", required=False)
    note = string("the reason in words, where one was given", required=False)
    entry = string('of a ruling: the line it names; of retract the one gone back to, "0" the start', required=False)
    awarded = integer("of over_peg and false_claim: the lane that is awarded, or null", required=False, allow_none=True)
    was = integer("of over_peg and false_claim: the points that the ruled line says", required=False)
    award = integer("of over_peg and false_claim: the points awarded", required=False)
    holes = integer("of peg_back and false_claim: how far a peg goes back", required=False)
    front = integer("of set_pegs: the hole of the front peg", required=False)
    rear = integer("of set_pegs: the hole of the rear peg", required=False)
    caller = integer("of muggins: the seat that called", required=False)
    claimed = integer("of muggins: the points claimed", required=False)
    missed = integer("of muggins: the points truly missed, 0 for a wrong call", required=False)
    ruled_by = string("the standing ruling on this line", required=False)
    truth = integer("under a standing over_peg or false_claim: the points that the line truly counts", required=False)
    retracted = fields.Boolean(metadata={"description": "true where a standing retract has gone back over the line"})
    history = fields.List(
        fields.Nested(ChangeSchema), metadata={"description": "what has changed it in its place, oldest first"}
    )
