"""The schema of a refusal: problem details (RFC 9457) with the members of this API."""

from marshmallow import fields, validate

from web.api.contract.entries import EntrySchema
from web.api.contract.examples import CODES
from web.api.contract.schema_fields import ResponseSchema, boolean, integer, string
from web.api.contract.state import MessageSchema, StateSchema


class OfferSchema(ResponseSchema):
    """The fields of a `deal` that can be said first."""

    new = boolean("whether a new deal has begun; false where the one in hand is dealt by `dealer`")
    dealer = integer("the seat that deals", required=False)


class ProblemSchema(MessageSchema):
    """Problem details (RFC 9457)."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = string("one sentence for people, in English")
    code = string("a stable word for programs", validate=validate.OneOf(CODES))
    rule = string(
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
