"""Schemas of the health report: displays and inputs, the running program, and the translations of its pages."""

from marshmallow import fields

from web.api.contract.answer_fields import Answered, number, text, whether
from web.api.contract.state import MessageSchema


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
