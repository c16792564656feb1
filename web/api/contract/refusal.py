"""The schema of a refusal: problem details (RFC 9457) with the members of this API."""

from marshmallow import fields, validate

from web.api.contract.entries import EntrySchema
from web.api.contract.examples import CODES
from web.api.contract.schema_fields import ResponseSchema, boolean, integer, string
from web.api.contract.state import MessageSchema, StateSchema


class OfferSchema(ResponseSchema):
    """The fields of a `deal` that can be said first."""

    new = boolean("true for a new deal, false if `dealer` deals the current one")
    dealer = integer("the seat that deals", required=False)


class ProblemSchema(MessageSchema):
    """Problem details (RFC 9457)."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = string("a sentence for people, in English")
    code = string("a stable word for programs", validate=validate.OneOf(CODES))
    rule = string("the rule's place on the rules page, such as /rules#skunk, if there is one", required=False)
    offer = fields.Nested(
        OfferSchema,
        metadata={
            "description": "if heels or a crib do not fit the current deal: the fields of a `deal` that makes them fit"
        },
    )
    state = fields.Nested(StateSchema, metadata={"description": "with 409: the current state"})
    entries = fields.List(
        fields.Nested(EntrySchema), metadata={"description": "with moved: the lines added or changed since"}
    )
