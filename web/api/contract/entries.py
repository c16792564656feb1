"""Schemas of an entry: a line of the score sheet with everything that has changed it."""

from marshmallow import fields, validate

from pegboard.core.moves import COMMANDS, DealStage, Reason
from web.api.contract.schema_fields import ResponseSchema, boolean, decimal, integer, string


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
    """What points were most likely for."""

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
