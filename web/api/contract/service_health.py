"""Schemas of the health report: displays and inputs, the running program, and the translations of its pages."""

from marshmallow import fields

from web.api.contract.schema_fields import ResponseSchema, boolean, integer, list_of, string
from web.api.contract.state import AlarmSchema, MessageSchema


class HealthOfDeviceSchema(ResponseSchema):
    """How a display or an input is."""

    name = fields.String(required=True)
    about = string("how it is connected")
    ok = boolean("whether it works")
    failing_since = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "time of the first error in a row, in seconds since 1970"},
    )
    trouble = string("the latest error, and what to do about it if known", allow_none=True)
    about_message = fields.Nested(
        MessageSchema, required=True, allow_none=True, metadata={"description": "`about` as a message, if it is one"}
    )
    trouble_message = fields.Nested(
        MessageSchema,
        required=True,
        allow_none=True,
        metadata={"description": "`trouble` as a message, if it is one"},
    )
    retries = integer("retries since the first error in a row")
    frames = integer("total pictures shown")
    errors = integer("total errors")
    acknowledges = boolean(
        "whether the device acknowledges data; SPI devices do not, so their `ok` only says that data was sent"
    )


class JournalSchema(ResponseSchema):
    """What the journal holds."""

    epoch = fields.String(required=True)
    revision = integer("the number of its newest event")


class StallSchema(ResponseSchema):
    """A part of the program that does not go on."""

    part = string("one of scoring, committing, answering, scores, pages, keys, display, main_loop")
    name = string("the name, if there are several; otherwise empty")
    seconds = fields.Float(required=True, metadata={"description": "how long it has been stuck"})
    restarts = boolean("whether the service restarts unless it recovers")
    trouble = string("what is stuck, in words")
    trouble_message = fields.Nested(MessageSchema, required=True, metadata={"description": "`trouble` as a message"})


class ServiceSchema(ResponseSchema):
    """The program that keeps the score."""

    version = fields.String(required=True)
    uptime_s = fields.Float(required=True, metadata={"description": "seconds since the start"})
    viewers = integer("number of open live event streams")
    stand_ins = boolean("whether displays and inputs are simulated")
    stalls = fields.List(
        fields.Nested(StallSchema),
        required=True,
        metadata={"description": "every part that is stuck"},
    )
    open_to = string(
        "for an open table: the address at which it can be reached from the internet, or that of a client from the"
        " internet; null if neither is known",
        allow_none=True,
    )
    journal = fields.Nested(JournalSchema, required=True)


class CatalogFaultSchema(MessageSchema):
    """One thing that is wrong with a translation of the pages."""

    line = integer("the line of the file; null for the whole file", allow_none=True)
    reason = string("the error, and what is expected")


class CatalogSchema(ResponseSchema):
    """A file with the pages' texts in a language."""

    file = string("the file name, such as de.json")
    language = string("the language's own name; null if the file is not used", allow_none=True)
    missing = integer("number of texts that are missing or wrong and shown in English")
    faults = integer("number of errors")
    first_faults = fields.List(
        fields.Nested(CatalogFaultSchema), required=True, metadata={"description": "the first five errors, by line"}
    )


class HealthSchema(ResponseSchema):
    """How everything is."""

    devices = fields.List(
        fields.Nested(HealthOfDeviceSchema), required=True, metadata={"description": "every display and input"}
    )
    alarms = list_of(AlarmSchema, "all alarms that are not dismissed: lasting ones first, then newest first")
    service = fields.Nested(ServiceSchema, required=True)
    languages = fields.List(
        fields.Nested(CatalogSchema), required=True, metadata={"description": "every translation of the pages"}
    )
