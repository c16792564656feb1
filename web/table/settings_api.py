"""The settings API: house rules, variants and match formats, brightness of the displays, and shutdown."""

from collections.abc import Mapping
from typing import Any

from flask import Response, request
from marshmallow import ValidationError, fields, validate

from pegboard.core import view_as_json
from pegboard.core.house_rules import HOUSE_RULES, HouseRule, difference, house_words
from pegboard.core.rules import FORMATS, VARIANTS, Rules
from pegboard.errors import RuleError, SettingError
from web.access import sessions
from web.http.problems import Problem
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    BODY_REFUSALS,
    DocumentedBlueprint,
    RequestBody,
    RequestSchema,
    ResponseDoc,
    ResponseSchema,
    StrictBoolean,
    describe,
    integer_between,
    json_object,
    json_response,
    load,
    strings,
)
from web.table.program_parts import parts

# --- API to shut down the table's machine, if pegboard is its installed service ---


power = DocumentedBlueprint("power", tag="settings")


class PowerOffSchema(RequestSchema):
    """A request to shut down the machine."""

    off = StrictBoolean(required=True, validate=validate.Equal(True), metadata=describe("true", enum=[True]))


class SwitchingSchema(ResponseSchema):
    """The outcome of a shutdown request."""

    switching_off = fields.Boolean(required=True, metadata={"description": "true"})


POWER_EXAMPLE = {"switching_off": True}


@power.view(
    "POST",
    "/power",
    takes=RequestBody(PowerOffSchema, {"off": {"off": True}}),
    answers={200: ResponseDoc("The machine is shutting down; every display says so", SwitchingSchema, POWER_EXAMPLE)},
    refuses=(*BODY_REFUSALS, "role", "no_switch", "not_stored"),
)
def power_off() -> Response:
    """Shut down the table's machine, as a director, if `power_off` in the settings is true.

    Every score is already stored, and the game resumes at the next start.
    """
    sessions.require_director(sessions.role(request), "power_director")
    load(PowerOffSchema(), json_object(request), "a request")
    keys = parts().scoreboard.keys
    if not keys.power.is_there:
        raise Problem(404, "no_switch", "power_elsewhere")
    keys.power_off_now()
    return json_response(POWER_EXAMPLE)


settings = DocumentedBlueprint("settings", "The table's settings.")


class _Fraction(fields.Float):
    """A number above 0 and at most 1; texts are rejected."""

    def _deserialize(self, value: Any, attr: str | None, data: Mapping[str, Any] | None, **kwargs: Any) -> float:  # noqa: ARG002
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1:
            raise ValidationError("a number above 0 and at most 1")
        return float(value)


class BrightnessSchema(RequestSchema):
    """The brightness of the displays; omitted ones are unchanged."""

    oled = integer_between(
        0,
        255,
        "the panel's contrast, a whole number from 0 to 255, or null for the value in the settings file",
        allow_none=True,
    )
    strip = _Fraction(
        allow_none=True,
        metadata=describe(
            "the strip's brightness, above 0 and at most 1, or null for the value in the settings file",
            exclusiveMinimum=0,
            maximum=1,
        ),
    )


class ChosenSchema(RequestSchema):
    """A director's choice."""

    brightness = fields.Nested(
        BrightnessSchema,
        required=True,
        metadata=describe(
            "an object with `oled` (0 to 255), `strip` (above 0, at most 1) or both; null for the value in the settings"
            " file"
        ),
    )


class LightSchema(ResponseSchema):
    """The brightness of each display."""

    oled = fields.Integer(
        required=True,
        allow_none=True,
        metadata={"description": "the panel's contrast, 0 to 255; null if unknown"},
    )
    strip = fields.Float(
        required=True,
        allow_none=True,
        metadata={"description": "the strip's brightness, above 0 and at most 1; null if unknown"},
    )


class FittedSchema(ResponseSchema):
    """Which displays are fitted."""

    oled = fields.Boolean(required=True)
    strip = fields.Boolean(required=True)


class NightSchema(ResponseSchema):
    """The time of day when the strip is dimmed."""

    begins = fields.String(required=True, metadata={"description": "a time of day, such as 22:00"})
    ends = fields.String(required=True, metadata={"description": "a time of day, such as 07:00"})
    strip = fields.Float(required=True, metadata={"description": "the strip's maximum brightness during that time"})


class HouseVariantSchema(ResponseSchema):
    """A variant with the house rules."""

    name = fields.String(required=True)
    seats = fields.Integer(required=True)
    lanes = fields.Integer(required=True)
    game_hole = fields.Integer(required=True)
    house = strings("house rules that change the variant, such as muggins=on")
    usual = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "the variant's own value of each house rule, by name"},
    )
    refused = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "why the variant cannot be played with the house rules, or null"},
    )


class HouseRuleSchema(ResponseSchema):
    """A house rule: its value is one of `values`, or a number if those are null."""

    name = fields.String(required=True)
    values = fields.List(
        fields.String(),
        required=True,
        allow_none=True,
        metadata={"description": "its possible values, or null for a number"},
    )
    least = fields.Integer(required=True, allow_none=True, metadata={"description": "the smallest number, or null"})
    most = fields.Integer(required=True, allow_none=True, metadata={"description": "the largest number, or null"})


class RecordSchema(ResponseSchema):
    """The record of all games."""

    began = fields.Float(required=True, metadata={"description": "time of its first event, in seconds since 1970"})
    events = fields.Integer(required=True, metadata={"description": "the number of its newest event"})


class SettingsSchema(ResponseSchema):
    """The settings of the table."""

    version = fields.String(required=True, metadata={"description": "the program's version"})
    brightness = fields.Nested(LightSchema, required=True)
    usual = fields.Nested(LightSchema, required=True, metadata={"description": "the settings file's values"})
    fitted = fields.Nested(FittedSchema, required=True)
    night = fields.Nested(NightSchema, required=True, allow_none=True)
    house = strings("house rules of the current game that change its variant, such as muggins=on")
    variants = fields.List(fields.Nested(HouseVariantSchema), required=True)
    house_rules = fields.List(
        fields.Nested(HouseRuleSchema),
        required=True,
        metadata={"description": "the possible rules in `house` of a start"},
    )
    formats = fields.List(fields.String(), required=True, validate=validate.Length(1))
    power_off = fields.Boolean(
        required=True, metadata={"description": "whether `POST /api/v1/power` can shut down this machine"}
    )
    updates = fields.Boolean(
        required=True, metadata={"description": "whether `/api/v1/versions` can update this machine"}
    )
    journal = fields.Nested(RecordSchema, required=True)


EXAMPLE: dict[str, Any] = {
    "version": "0.1.0",
    "brightness": {"oled": 120, "strip": 0.5},
    "usual": {"oled": 207, "strip": 0.5},
    "fitted": {"oled": True, "strip": True},
    "night": {"begins": "22:00", "ends": "07:00", "strip": 0.1},
    "house": ["muggins=on"],
    "variants": [
        {"name": "standard", "seats": 2, "lanes": 2, "game_hole": 121, "house": ["muggins=on"]}
        | {"usual": {"game hole": "121", "muggins": "off"}, "refused": None}
    ],
    "house_rules": [
        {"name": "game hole", "values": None, "least": 31, "most": 361},
        {"name": "muggins", "values": ["off", "on"], "least": None, "most": None},
    ],
    "formats": ["open", "single", "best of 3"],
    "power_off": True,
    "updates": True,
    "journal": {"began": 1794990000.0, "events": 24},
}


@settings.view(
    "GET",
    "/settings",
    answers={200: ResponseDoc("The settings", SettingsSchema, EXAMPLE)},
    refuses=ANY_REFUSALS,
)
def show_settings() -> Response:
    """The table's settings: brightness, house rules, variants, match formats."""
    return _settings()


@settings.view(
    "POST",
    "/settings",
    takes=RequestBody(
        ChosenSchema,
        {"dimmer": {"brightness": {"oled": 40, "strip": 0.2}}, "as set": {"brightness": {"oled": None}}},
    ),
    answers={200: ResponseDoc("Saved and applied", SettingsSchema, EXAMPLE)},
    refuses=(*BODY_REFUSALS, "role", "not_stored"),
)
def choose_brightness() -> Response:
    """Set the brightness of the displays, as a director.

    It is saved next to the journal and survives a restart.
    """
    sessions.require_director(sessions.role(request), "brightness_director")
    chosen = load(ChosenSchema(), json_object(request), "a request")["brightness"]
    try:
        parts().service.brightness.choose(chosen)
    except SettingError as error:
        raise Problem(422, "shape", error.message) from error
    return _settings()


def _settings() -> Response:
    scoreboard, service, set_to = parts().scoreboard, parts().service, parts().settings
    brightness, own = service.brightness, set_to.strip
    night = {"begins": own.night_from, "ends": own.night_until, "strip": own.night_brightness}
    values = {
        "version": service.version,
        "brightness": brightness.now._asdict(),
        "usual": brightness.usual._asdict(),
        "fitted": {"oled": set_to.oled.enabled, "strip": own.enabled},
        "night": night if own.night_from else None,
        "house": list(difference(scoreboard.view.game.rules)),
        "variants": [_variant(name) for name in VARIANTS],
        "house_rules": [_house_rule(name, rule) for name, rule in HOUSE_RULES.items()],
        "formats": list(FORMATS),
        "power_off": scoreboard.keys.power.is_there,
        "updates": service.updates is not None and service.updates.is_there,
        "journal": {"began": scoreboard.began / view_as_json.NANOSECONDS, "events": scoreboard.view.revision},
    }
    return json_response(values)


def _variant(name: str) -> dict[str, Any]:
    """A variant with the house rules, or why it cannot be played with them."""
    rules, refused = Rules.named(name), None
    usual = house_words(rules)
    try:
        rules = parts().scoreboard.add_house_rules(rules)
    except RuleError as error:
        refused = str(error)
    return {
        "name": name,
        "seats": rules.seats,
        "lanes": rules.lanes,
        "game_hole": rules.game_hole,
        "house": list(difference(rules)),
        "usual": usual,
        "refused": refused,
    }


def _house_rule(name: str, rule: HouseRule) -> dict[str, Any]:
    if rule.values is not None:
        return {"name": name, "values": list(rule.values), "least": None, "most": None}
    return {"name": name, "values": None, "least": rule.span[0], "most": rule.span[-1]}
