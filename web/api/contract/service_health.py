"""Schemas of the health report: displays and inputs, the running program, and the translations of its pages."""

from marshmallow import fields

from web.api.contract.schema_fields import ResponseSchema, boolean, integer, list_of, string
from web.api.contract.state import AlarmSchema, MessageSchema


class HealthOfDeviceSchema(ResponseSchema):
    """How a display or an input is."""

    name = fields.String(required=True)
    about = string("where it hangs")
    ok = boolean("whether it works")
    failing_since = fields.Float(
        required=True, allow_none=True, metadata={"description": "of the first error in a row: seconds since 1970"}
    )
    trouble = string("the last error in words, and what to do where that is known", allow_none=True)
    about_message = fields.Nested(
        MessageSchema, required=True, allow_none=True, metadata={"description": "`about` by its key, where it has one"}
    )
    trouble_message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "`trouble` by its key, if it has one"},
    )
    retries = integer("tries since the first error in a row")
    frames = integer("views shown in all")
    errors = integer("errors in all")
    acknowledges = boolean(
        "whether the device acknowledges what it is sent; nothing on SPI does, and `ok` then says only that it was sent"
    )


class JournalSchema(ResponseSchema):
    """What the journal holds."""

    epoch = fields.String(required=True)
    revision = integer("its newest event")


class StallSchema(ResponseSchema):
    """A part of the program that does not go on."""

    part = string("scoring, committing, answering, scores, pages, keys, display or main_loop")
    name = string("which one, where there are several; else empty")
    seconds = fields.Float(required=True, metadata={"description": "for how long"})
    restarts = boolean("whether the service is started again for it, unless it goes on")
    trouble = string("what does not go on, in words")
    trouble_message = fields.Nested(MessageSchema, required=True, metadata={"description": "`trouble` by its key"})


class ServiceSchema(ResponseSchema):
    """The program that keeps the score."""

    version = fields.String(required=True)
    uptime_s = fields.Float(required=True, metadata={"description": "seconds since it began to serve"})
    viewers = integer("live event streams that are open")
    stand_ins = boolean("whether nothing is wired: displays and inputs are stand-ins")
    stalls = fields.List(
        fields.Nested(StallSchema),
        required=True,
        metadata={"description": "every part that does not go on"},
    )
    open_to = string(
        "the address by which the internet reaches a table that is open to everybody, or of a client that has come from"
        " there; null where neither is known",
        allow_none=True,
    )
    journal = fields.Nested(JournalSchema, required=True)


class CatalogFaultSchema(MessageSchema):
    """One thing that is wrong with a translation of the pages."""

    line = integer("the line of the file; null where it is the file as a whole", allow_none=True)
    reason = string("what is wrong, and what would be taken")


class CatalogSchema(ResponseSchema):
    """A file with the pages' texts in a language."""

    file = string("such as de.json")
    language = string("the name that the language gives itself; null where the file is left out", allow_none=True)
    missing = integer("texts that it lacks or that are wrong: they are said in English")
    faults = integer("how many there are")
    first_faults = fields.List(
        fields.Nested(CatalogFaultSchema), required=True, metadata={"description": "at most five of them, by line"}
    )


class HealthSchema(ResponseSchema):
    """How everything is."""

    devices = fields.List(
        fields.Nested(HealthOfDeviceSchema), required=True, metadata={"description": "every display and input"}
    )
    alarms = list_of(AlarmSchema, "all that nobody has dismissed: first what lasts, then the newest")
    service = fields.Nested(ServiceSchema, required=True)
    languages = fields.List(
        fields.Nested(CatalogSchema), required=True, metadata={"description": "every translation of the pages"}
    )
