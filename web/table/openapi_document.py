"""Data of a table's OpenAPI document: examples (state, sheet, health, commands), error codes, schema of an error."""

from http import HTTPStatus
from typing import Annotated, Any, NotRequired, TypedDict

from pegboard.core import moves
from pegboard.core.moves import Started
from pegboard.core.rules import Rules
from pegboard.messages import Message
from pegboard.values import Takes
from web.kit.openapi_writer import COMMON_ELSEWHERE, COMMON_REFUSALS, TOO_MANY_VIEWERS, Api, ProblemDetailsJson
from web.table.schemas import EntryJson, StateJson

# --- examples: a game of Ann and Bob, and every error ---


_SEVENTH = 1795000000.0
"""When the seventh line was pegged, in seconds since 1970."""

_PANEL = Message("device_on", what="SSD1306", how="0x3C, 400 kHz")

_STRIP = Message("device_leds", what="WS2812", number=242)

_NO_ANSWER = Message("device_no_answer", error="Input/output error")

_LACKS = Message("catalog_lacks", key="words.deals", names="{name}")

_LOST = Message("journal_lost_tail", count=3)

_ALARM = {"id": "5d21c07e", "text": str(_LOST), "message": _LOST.as_json(), "lasts": False, "director": False}

_AMENDED = {"did": "amend", "source": "phone", "at": _SEVENTH + 4, "was": 5}


def _line(number: int, do: str, after: float, *, seat: int | None, **values: Any) -> dict[str, Any]:
    """A valid line of the sheet that counts, `after` seconds later than the seventh; without a seat it is on lane 0."""
    common = {"id": f"{number}", "do": do, "source": "phone", "at": _SEVENTH + after, "stands": True, "counts": True}
    return common | {"seat": seat, "lane": seat or 0} | values


STATE: dict[str, Any] = {
    "epoch": "9f2c61d0a47be835",
    "revision": 24,
    "game": {
        "id": "5b0e7c1f92aa",
        "variant": "standard",
        "game_hole": 121,
        "skunk_lines": [90, 60],
        "rules": {
            "worth": [1, 2, 3],
            "first_deal": "loser",
            "heels_limit": "no limit",
            "muggins": True,
            "misdeal": 2,
            "overpeg_award": "none",
            "strict": False,
            "peg_out": False,
            "pegging_only": False,
            "lurch": False,
            "crib_flush": 5,
            "penalties": Rules(misdeal=2).penalties,
            "enough": 0,
        },
        "deal": 2,
        "phase": "hand",
        "to_count": 1,
        "scored": True,
        "sure": 0.99,
        "dealer_sure": 1.0,
        "otherwise": None,
        "ask_deal": False,
        "says": "Show: now count Bob's hand",
        "over": False,
        "winner": None,
        "unconfirmed": [],
        "dealer_next": None,
    },
    "match": {"id": "77d03a9e10c4", "format": "best of 3", "to_win": 2, "counted": [0, 1], "winner": None},
    "seats": [{"name": "Ann", "lane": 0, "confirmed": False}, {"name": "Bob", "lane": 1, "confirmed": False}],
    "dealer": 1,
    "lanes": [
        {
            "front": 10,
            "rear": 6,
            "revision": 7,
            "dialled": 0,
            "skunks": 0,
            "games_won": 0,
            "match_points": 0,
            "spread": -15,
            "awarded": 0,
            "corrections": 2,
            "pinned_by": None,
            "likely": None,
        },
        {
            "front": 9,
            "rear": 7,
            "revision": 3,
            "dialled": 2,
            "skunks": 0,
            "games_won": 1,
            "match_points": 1,
            "spread": 15,
            "awarded": 2,
            "corrections": 0,
            "pinned_by": None,
            "likely": {"why": "hand", "points": [2, 4, 6, 8, 10, 12]},
        },
    ],
    "needs": [{"out": 111, "save": 51, "skunks": 2}, {"out": 112, "save": 52, "skunks": 2}],
    "entries": [
        _line(9, "over_peg", 12.5, seat=None, points=4, why=None, **{"from": 10, "to": 10})
        | {"entry": "7", "was": 6, "awarded": None, "award": 0},
        _line(8, "penalty", 6.0, seat=1, points=2, why="penalty", **{"from": 7, "to": 9}) | {"note": "misdeal"},
        _line(7, "score", 0.0, seat=0, points=6, why="hand", **{"from": 6, "to": 10})
        | {"source": "button", "ruled_by": "9", "truth": 4, "history": [_AMENDED]},
        _line(6, "score", -41.0, seat=0, points=1, why="go", **{"from": 5, "to": 6}),
        _line(5, "score", -164.0, seat=0, points=0, why="crib", **{"from": 5, "to": 5}),
        _line(4, "score", -180.0, seat=0, points=4, why=None, **{"from": 1, "to": 5})
        | {"likely": {"why": "hand", "sure": 1.0}},
        _line(3, "score", -195.0, seat=1, points=5, why="hand", **{"from": 2, "to": 7}),
        _line(2, "score", -220.0, seat=0, points=1, why="go", **{"from": 0, "to": 1}),
        _line(1, "score", -247.0, seat=1, points=2, why="play", **{"from": 0, "to": 2}),
    ],
    "undo": "9",
    "redo": None,
    "notice": None,
    "notice_message": None,
    "devices": [
        {"name": "LED strip", "trouble": str(_NO_ANSWER), "trouble_message": _NO_ANSWER.as_json()},
        {"name": "OLED", "trouble": None},
        {"name": "keys", "trouble": None},
    ],
    "alarms": [],
}

SHEET = {"epoch": STATE["epoch"], "revision": STATE["revision"], "game": "5b0e7c1f92aa"} | {
    "revisions": [lane["revision"] for lane in STATE["lanes"]],
    "entries": STATE["entries"],
}

_HANGS = Message("stall_display", name="LED strip", seconds="12")

_STALL = {"part": "display", "name": "LED strip", "seconds": 12.3, "restarts": False}

_STALL |= {"trouble": str(_HANGS), "trouble_message": _HANGS.as_json()}

HEALTH = {
    "devices": [
        {"name": "OLED", "about": str(_PANEL), "ok": True, "failing_since": None, "trouble": None}
        | {"about_message": _PANEL.as_json(), "trouble_message": None, "retries": 0, "frames": 1204, "errors": 0}
        | {"acknowledges": True},
        {"name": "LED strip", "about": str(_STRIP), "ok": False, "failing_since": _SEVENTH, "trouble": str(_NO_ANSWER)}
        | {"about_message": _STRIP.as_json(), "trouble_message": _NO_ANSWER.as_json()}
        | {"retries": 6, "frames": 977, "errors": 7, "acknowledges": False},
    ],
    "alarms": [_ALARM],
    "service": {"version": "0.1", "uptime_s": 5230.4, "viewers": 3, "stand_ins": False, "open_to": None}
    | {"stalls": [_STALL]}
    | {"journal": {"epoch": STATE["epoch"], "revision": STATE["revision"]}},
    "languages": [
        {"file": "en.json", "language": "English", "missing": 0, "faults": 0, "first_faults": []},
        {"file": "de.json", "language": "Deutsch", "missing": 1, "faults": 1}
        | {"first_faults": [{"line": 12, "reason": str(_LACKS)} | _LACKS.as_json()]},
    ],
}

RECEIPT = {"replayed": False, "entry": "9", "state": STATE}

REPEATED = RECEIPT | {"replayed": True}

_ID = {"id": "Qm7vX2nLw0aTz5RkD1sYbg"}

_TAP = _ID | {"game": "5b0e7c1f92aa"}

COMMANDS = {
    row.do: (_ID if row.event is Started else _TAP) | {"do": row.do} | dict(row.example) for row in moves.COMMANDS
}
"""An example request for each command."""

REFUSALS = COMMON_REFUSALS | {
    "wrong_code": (403, Message("wrong_code")),
    "role": (403, Message("reserved_ruling")),
    "no_command": (404, Message("command_unknown", id='"Qm7vX2nLw0aTz5RkD1sYbg"')),
    "no_alarm": (404, Message("alarm_unknown", id='"5d21c07e"')),
    "no_game": (404, Message("no_game", game='"yesterday"', running="5b0e7c1f92aa")),
    "no_device": (404, Message("no_such_device", device='"9f2c07d1e4b85a36"')),
    "no_switch": (404, Message("power_elsewhere")),
    "no_versions": (404, Message("not_from_package")),
    "no_event": (404, Message("event_none")),
    "no_result": (404, Message("result_code_none", game="5b0e7c1f92aa")),
    "moved": (409, Message("moved_lane", name="Ann", hole=69)),
    "other_game": (409, Message("other_game", game="5b0e7c1f92aa", running="77d03a9e10c4")),
    "over": (409, Message("game_is_over", ended=Message("has_won", name="Ann"))),
    "already": (409, Message("gone_already", line=7)),
    "lasts": (409, Message("alarm_lasts")),
    "stores": (409, Message("memory_not_needed")),
    "playing": (409, Message("install_game_on")),
    "shape": (422, Message("field_value", field="points", takes="a whole number from 0 to 29", value=30)),
    "rule": (422, Message("say_dealer_first", fault=Message("crib_is_dealers", name="Bob"), other="Ann")),
    "import": (422, Message("nothing_imported", line=17, fault=Message("import_json"))),
    "install": (422, Message("install_package_unsigned", file="pegboard_0.2.0_all.deb")),
    "id_reused": (422, Message("id_reused")),
    "base_missing": (428, Message("base_missing", seen="of lane 0", now=7)),
    "busy": (503, Message("try_again_in", full=Message("busy_statistics"), seconds=2)),
    "journal": (
        503,
        Message("journal_unreadable", path="/var/lib/pegboard/journal.db", error="disk I/O error", remedy=""),
    ),
}
"""Errors by code, each with its status and an example message."""

ELSEWHERE = COMMON_ELSEWHERE | {
    "not_found": (404, Message("not_found", path="/api/v2")),
    "method": (405, Message("method", method="PUT", path="/api/v1/commands", methods="OPTIONS, POST")),
    "too_many_viewers": TOO_MANY_VIEWERS,
}
"""Errors outside the documented routes: unknown route or method, invalid request, too many streams."""

CODES = sorted({*REFUSALS, *ELSEWHERE})
"""All error codes."""


# --- schema of an error: problem details (RFC 9457) with the members of this API ---


class OfferJson(TypedDict):
    """The fields of a `deal` that would make a refused command fit."""

    new: Annotated[bool, "true for a new deal, false if `dealer` deals the current one"]
    dealer: NotRequired[Annotated[int, "the seat that deals"]]


class ProblemJson(ProblemDetailsJson):
    """Problem details (RFC 9457)."""

    code: Annotated[str, Takes(words="a stable word for programs", one_of=tuple(CODES))]
    rule: NotRequired[Annotated[str, "the rule's place on the rules page, such as /rules#skunk, if there is one"]]
    offer: NotRequired[
        Annotated[
            OfferJson, "if heels or a crib do not fit the current deal: the fields of a `deal` that makes them fit"
        ]
    ]
    state: NotRequired[Annotated[StateJson, "with 409: the current state"]]
    entries: NotRequired[Annotated[list[EntryJson], "with moved: the lines added or changed since"]]


INFO = {
    "description": (
        "A cribbage table: watch it and score at it. Anyone can watch; unless the table is open, scoring needs the"
        " cookie that `POST /api/v1/pair` returns for a pairing code."
    ),
    "license": {"name": "MIT", "identifier": "MIT"},
    "title": "pegboard",
    "version": "1",
}


def _more_of_problem(status: int, code: str) -> dict[str, Any]:
    state = {"state": STATE} if status == HTTPStatus.CONFLICT else {}
    return state | ({"entries": STATE["entries"]} if code == "moved" else {})


TABLE_API = Api(INFO, REFUSALS, ProblemJson, "the journal's epoch and its newest event", _more_of_problem)
