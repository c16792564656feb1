"""The settings API: house rules, variants, presets and match formats, brightness of the displays, and shutdown."""

from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

from flask import Response, request

from pegboard.core import view_as_json
from pegboard.core.house_rules import HOUSE_RULES, HouseRule, house_words
from pegboard.core.presets import PRESETS, Preset, changes, preset_rules
from pegboard.core.rules import FORMATS, VARIANTS, Rules
from pegboard.errors import RuleError, SettingError
from pegboard.values import Takes, strict
from web.access import sessions
from web.http.problems import Problem
from web.kit.documented_endpoints import (
    ANY_REFUSALS,
    BODY_REFUSALS,
    DocumentedBlueprint,
    MustBeTrue,
    RequestBody,
    ResponseDoc,
    json_object,
    json_response,
    load,
)
from web.table.program_parts import parts

# --- API to shut down the table's machine, if pegboard is its installed service ---


power = DocumentedBlueprint("power", tag="settings")


@dataclass(frozen=True, slots=True)
class PowerOffRequest:
    """A request to shut down the machine."""

    off: MustBeTrue


class SwitchingJson(TypedDict):
    """The outcome of a shutdown request."""

    switching_off: Annotated[bool, "true"]


POWER_EXAMPLE = {"switching_off": True}


@power.view(
    "POST",
    "/power",
    takes=RequestBody(PowerOffRequest, {"off": {"off": True}}),
    answers={200: ResponseDoc("The machine is shutting down; every display says so", SwitchingJson, POWER_EXAMPLE)},
    refuses=(*BODY_REFUSALS, "role", "no_switch", "not_stored"),
)
def power_off() -> Response:
    """Shut down the table's machine, as a director, if `power_off` in the settings is true.

    Every score is already stored, and the game resumes at the next start.
    """
    sessions.require_director(sessions.role(request), "power_director")
    load(PowerOffRequest, json_object(request), "a request")
    keys = parts().scoreboard.keys
    if not keys.power.is_there:
        raise Problem(404, "no_switch", "power_elsewhere")
    keys.power_off_now()
    return json_response(POWER_EXAMPLE)


settings = DocumentedBlueprint("settings", "The table's settings.")


@strict
class BrightnessRequest(TypedDict, total=False):
    """The brightness of the displays; an omitted brightness is unchanged."""

    oled: Annotated[
        int | None,
        Takes(
            words="the panel's contrast, a whole number from 0 to 255, or null for the value in the settings file",
            least=0,
            most=255,
        ),
    ]
    strip: Annotated[
        float | None,
        Takes(
            words="the strip's brightness, above 0 and at most 1, or null for the value in the settings file",
            above=0,
            most=1,
        ),
    ]


@dataclass(frozen=True, slots=True)
class ChosenRequest:
    """The brightness that a director has chosen."""

    brightness: Annotated[
        BrightnessRequest,
        "an object with `oled` (0 to 255), `strip` (above 0, at most 1) or both; null for the value in the settings"
        " file",
    ]


class LightJson(TypedDict):
    """The brightness of each display."""

    oled: Annotated[int | None, "the panel's contrast, 0 to 255; null if unknown"]
    strip: Annotated[float | None, "the strip's brightness, above 0 and at most 1; null if unknown"]


class FittedJson(TypedDict):
    """Whether the table has each display."""

    oled: bool
    strip: bool


class NightJson(TypedDict):
    """The time of day when the strip is dimmed."""

    begins: Annotated[str, "a time of day, such as 22:00"]
    ends: Annotated[str, "a time of day, such as 07:00"]
    strip: Annotated[float, "the strip's maximum brightness during that time"]


class HouseVariantJson(TypedDict):
    """A variant with the house rules."""

    name: str
    seats: int
    lanes: int
    game_hole: int
    preset: Annotated[str | None, "the table's preset for the variant, or null"]
    house: Annotated[list[str], "house rules that change the variant or its preset, such as muggins=on"]
    usual: Annotated[dict[str, str], "the variant's own value of each house rule, by name"]
    refused: Annotated[str | None, "why the variant cannot be played with the house rules, or null"]


class PresetRowJson(TypedDict):
    """A variant as a preset plays it."""

    variant: str
    usual: Annotated[dict[str, str], "the preset's own value of each house rule, by name"]


class PresetSheetJson(TypedDict):
    """A preset: a printed rule sheet that players own."""

    name: str
    rows: Annotated[list[PresetRowJson], "the variants that the sheet describes, the usual one first"]
    options: Annotated[list[str], "house rules that the sheet leaves to the players, such as game hole=61"]


class HouseRuleJson(TypedDict):
    """A house rule: its value is one of `values`, or a number if `values` is null."""

    name: str
    values: Annotated[list[str] | None, "its possible values, or null for a number"]
    least: Annotated[int | None, "the smallest number, or null"]
    most: Annotated[int | None, "the largest number, or null"]
    seats: Annotated[list[int], "the numbers of players for which it can matter"]


class RecordJson(TypedDict):
    """The journal of all games."""

    began: Annotated[float, "time of the journal's first event, in seconds since 1970"]
    events: Annotated[int, "the number of the journal's newest event"]


class SettingsJson(TypedDict):
    """The settings of the table."""

    version: Annotated[str, "the program's version"]
    brightness: LightJson
    usual: Annotated[LightJson, "the settings file's values"]
    fitted: FittedJson
    night: NightJson | None
    house: Annotated[
        list[str], "house rules of the current game that change its preset, or else its variant, such as muggins=on"
    ]
    variants: list[HouseVariantJson]
    presets: Annotated[list[PresetSheetJson], "the possible presets of a start"]
    house_rules: Annotated[list[HouseRuleJson], "the possible rules in `house` of a start"]
    formats: Annotated[list[str], Takes(least=1)]
    power_off: Annotated[bool, "whether `POST /api/v1/power` can shut down this machine"]
    updates: Annotated[bool, "whether `/api/v1/versions` can update this machine"]
    journal: RecordJson


EXAMPLE: dict[str, Any] = {
    "version": "0.1.0",
    "brightness": {"oled": 120, "strip": 0.5},
    "usual": {"oled": 207, "strip": 0.5},
    "fitted": {"oled": True, "strip": True},
    "night": {"begins": "22:00", "ends": "07:00", "strip": 0.1},
    "house": ["muggins=on"],
    "variants": [
        {"name": "standard", "seats": 2, "lanes": 2, "game_hole": 121, "house": ["muggins=on"]}
        | {"preset": None, "usual": {"game hole": "121", "muggins": "off"}, "refused": None}
    ],
    "presets": [
        {
            "name": "1922 laws",
            "rows": [{"variant": "standard", "usual": {"game hole": "121", "muggins": "off"}}],
            "options": ["game hole=61"],
        }
    ],
    "house_rules": [
        {"name": "game hole", "values": None, "least": 31, "most": 361, "seats": [1, 2, 3, 4, 5, 6]},
        {"name": "muggins", "values": ["off", "on"], "least": None, "most": None, "seats": [2, 3, 4, 5, 6]},
    ],
    "formats": ["open", "single", "best of 3"],
    "power_off": True,
    "updates": True,
    "journal": {"began": 1794990000.0, "events": 24},
}


@settings.view(
    "GET",
    "/settings",
    answers={200: ResponseDoc("The settings", SettingsJson, EXAMPLE)},
    refuses=ANY_REFUSALS,
)
def show_settings() -> Response:
    """The table's settings: brightness, house rules, variants, presets, match formats."""
    return _settings()


@settings.view(
    "POST",
    "/settings",
    takes=RequestBody(
        ChosenRequest,
        {"dimmer": {"brightness": {"oled": 40, "strip": 0.2}}, "as set": {"brightness": {"oled": None}}},
    ),
    answers={200: ResponseDoc("Saved and applied", SettingsJson, EXAMPLE)},
    refuses=(*BODY_REFUSALS, "role", "not_stored"),
)
def choose_brightness() -> Response:
    """Set the brightness of the displays, as a director.

    It is saved next to the journal and survives a restart.
    """
    sessions.require_director(sessions.role(request), "brightness_director")
    chosen = load(ChosenRequest, json_object(request), "a request").brightness
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
        "house": list(changes(scoreboard.view.game.rules)),
        "variants": [_variant(name) for name in VARIANTS],
        "presets": [_preset(name, preset) for name, preset in PRESETS.items()],
        "house_rules": [_house_rule(name, rule) for name, rule in HOUSE_RULES.items()],
        "formats": list(FORMATS),
        "power_off": scoreboard.keys.power.is_there,
        "updates": service.updates is not None and service.updates.is_there,
        "journal": {"began": scoreboard.began / view_as_json.NANOSECONDS, "events": scoreboard.view.revision},
    }
    return json_response(values)


def _variant(name: str) -> dict[str, Any]:
    """A variant with the house rules, or the reason why it cannot be played with them."""
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
        "preset": rules.preset or None,
        "house": list(changes(rules)),
        "usual": usual,
        "refused": refused,
    }


def _preset(name: str, preset: Preset) -> dict[str, Any]:
    rows = [{"variant": variant, "usual": house_words(preset_rules(name, variant))} for variant in preset.rows]
    return {"name": name, "rows": rows, "options": list(preset.options)}


def _house_rule(name: str, rule: HouseRule) -> dict[str, Any]:
    if rule.values is not None:
        return {"name": name, "values": list(rule.values), "least": None, "most": None, "seats": list(rule.seats)}
    return {"name": name, "values": None, "least": rule.span[0], "most": rule.span[-1], "seats": list(rule.seats)}
