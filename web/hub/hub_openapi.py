"""What the OpenAPI document of a hub's API says about the hub: common requests, decisions, errors, an example."""

import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypeVar, cast

from pegboard.messages import Message
from pegboard.tournament.night.decide import add, decide
from pegboard.tournament.night.deciding import Request
from pegboard.tournament.night.decisions import DECISIONS
from pegboard.tournament.night.evening import OpenNight
from pegboard.tournament.night.night_state import EMPTY_NIGHT, Author, Night, Role, StoredDecision
from pegboard.values import Components, Takes, fields_from, fields_of, object_schema
from web.http.request_head import LEAST_CHUNK_BYTES, MOST_FIELDS, MOST_HEAD_BYTES
from web.kit.documented_endpoints import ANY_REFUSALS, BODY_REFUSALS, Parameter
from web.kit.openapi_writer import Api, ProblemDetailsJson

# --- requests: read leniently, for every page and program that a hub ever answered ---


Loaded = TypeVar("Loaded")


def load_leniently(kind: type[Loaded], values: Mapping[str, Any]) -> Loaded:
    """Load values without checking them: unknown fields are ignored, missing texts are empty, anything is a text."""
    found = ((one, values.get(one.key, "" if one.required else one.default)) for one in fields_of(cast("Any", kind)))
    return kind(**{one.name: value if one.takes.read is None else one.takes.read(value) for one, value in found})


def any_text(words: str) -> Takes:
    """A text; other values are written as one."""
    return Takes(words=words, read=str)


def text_or_empty(words: str) -> Takes:
    """A text; null and other empty values mean an empty text."""
    return Takes(words=words, read=lambda value: str(value or ""))


REQUEST_ID = re.compile(r"[A-Za-z0-9_-]{16,64}")
"""The id of a request: 128 random bits, generated for each tap."""

EventRef: TypeAlias = Annotated[str, any_text("the id of the event, from `/night/v1/nights`")]

RequestId: TypeAlias = Annotated[
    str,
    Takes(
        words="an id of your own for the request, 16 to 64 letters, digits, - or _; a repeated request counts once",
        pattern=REQUEST_ID.pattern,
    ),
]

Signature: TypeAlias = Annotated[str, text_or_empty("the director's name for the log")]

AsPlayer: TypeAlias = Annotated[
    Literal["player"], Takes(words="player: as the player of this phone, even if it is a director's", key="as")
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SignedRequest:
    """A director's request."""

    signature: Signature = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthoredRequest(SignedRequest):
    """A request of a director, or of a player by the player's phone."""

    night: EventRef
    speaks_as: AsPlayer | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionRequest(AuthoredRequest):
    """The fields that every decision has."""

    id: RequestId
    do: str


# --- requests of decisions, from their classes ---


BASE = "the `revision` of the view that you decided on"

AUTHORS = {Role.DIRECTOR: "directors", Role.PLAYER: "players for themselves", Role.TABLE: "tables through the broker"}


def decision_schema(components: Components) -> dict[str, Any]:
    """The JSON schema of a decision's request; that of each decision is added to `components`."""
    for kind in DECISIONS:
        components[kind.__name__] = {"description": _description(kind)} | _schema_of_decision(kind, components)
    refs = {kind.do: f"#/components/schemas/{kind.__name__}" for kind in DECISIONS}
    return {
        "oneOf": [{"$ref": ref} for ref in refs.values()],
        "discriminator": {"propertyName": "do", "mapping": refs},
    }


def _schema_of_decision(kind: type[Request], components: Components) -> dict[str, Any]:
    base = f"{BASE}; it is refused if its subject has changed since" if kind.needs_base else f"{BASE}; not checked"
    envelope: dict[str, Any] = {
        "do": Literal[(kind.do,)],
        "id": RequestId,
        "night": EventRef,
        "base": NotRequired[Annotated[int | None, base]],
        "as": NotRequired[AsPlayer],
        "signature": NotRequired[Signature],
    }
    return object_schema((*fields_from(envelope), *fields_of(cast("Any", kind))), components, strict=True)


def _description(kind: type[Request]) -> str:
    authors = [words for role, words in AUTHORS.items() if role in kind.who]
    return f"{inspect.cleandoc(kind.__doc__ or '')} Can be made by {' and '.join(authors)}."


def opening_schema(components: Components) -> dict[str, Any]:
    """The JSON schema of a request that creates an event."""
    envelope = {"id": RequestId, "signature": NotRequired[Signature]}
    components["NewEvent"] = object_schema(
        (*fields_from(envelope), *fields_of(cast("Any", OpenNight))), components, strict=True
    )
    return {"$ref": "#/components/schemas/NewEvent"}


A_REQUEST = "Qm7vX2nLw0aTz5RkD1sYbg"

EVENT = "2026-11-26-kx4m"
"""The id of the event in the examples."""

OPENING = {"id": A_REQUEST, "signature": "Dee"} | dict(OpenNight.example)


def _example(kind: type[Request]) -> dict[str, Any]:
    base = {"base": 24} if kind.needs_base else {}
    return {"do": kind.do, "id": A_REQUEST, "night": EVENT} | base | dict(kind.example)


EXAMPLES = {kind.do: _example(kind) for kind in DECISIONS}
"""An example request for each decision."""

AT_EVENT = {"night": Parameter("the event's id, from `/night/v1/nights`", example=EVENT)}

AT_PLAYER = AT_EVENT | {"player": Parameter("the player's id in the event", example="p2")}

# --- an event for the examples ---


STARTED_MS = 1_795_000_020_000

PLAYED: tuple[dict[str, Any], ...] = (
    {"do": "open_night", "name": "Club night", "date": "2026-11-26", "rules": {"games": 1, "fee": 500}},
    *({"do": "enter", "name": name, "walk_up": True} for name in ("Ann", "Bob", "Cy", "Dee")),
    {"do": "add_table", "table": "t1", "label": "Table 1"},
    {"do": "draw"},
    {"do": "fee_paid", "player": "p1", "cents": 500},
    {"do": "announce", "text": "Round 1 starts in five minutes"},
)


@cache
def example_event() -> Night:
    """A small event: four players, a table, a drawn round."""
    night, by = EMPTY_NIGHT, Author(Role.DIRECTOR, "Dee")
    for number, request in enumerate(PLAYED, 1):
        night = add(night, StoredDecision(number, STARTED_MS + 1000 * number, by, decide(night, request, by)))
    return night


# --- errors ---


REFUSALS: dict[str, tuple[int, Message]] = {
    "bad_host": (400, Message("bad_host", host="'example.org'")),
    "not_json": (400, Message("not_json", why="Expecting value at character 0")),
    "not_paired": (403, Message("not_paired")),
    "wrong_code": (403, Message("desk_director_code")),
    "role": (403, Message("night_director_only")),
    "foreign_origin": (403, Message("foreign_origin", origin="'http://example.org'")),
    "hub_unknown": (403, Message("package_hub_unknown", fingerprint="2f1c 77b0 9a3e d514")),
    "too_many_paired": (403, Message("too_many_paired", most=500)),
    "wrong_code 404": (404, Message("desk_seat_unknown")),
    "no_night": (404, Message("desk_no_night", night=EVENT)),
    "no_player": (404, Message("desk_no_such_player")),
    "no_device": (404, Message("no_such_device", device="'9f2c07d1e4b85a36'")),
    "no_view": (404, Message("desk_no_view", view="phone")),
    "not_found": (404, Message("hub_no_page", path="/night/v1/packages/0")),
    "too_slow": (408, Message("too_slow", seconds=5)),
    "already": (409, Message("night_is_here", name="Ann")),
    "moved": (409, Message("night_moved", number=7)),
    "here": (409, Message("desk_here_already", name="Ann")),
    "name_twice": (409, Message("desk_name_twice", name="Ann")),
    "no_broker": (409, Message("desk_no_broker")),
    "code_gone": (410, Message("desk_seat_gone")),
    "too_large": (413, Message("too_large", most=2048)),
    "media_type": (415, Message("not_json_type", type="text/plain")),
    "shape": (422, Message("desk_id")),
    "rule": (422, Message("night_registration_closed", name="Ann")),
    "id_reused": (422, Message("desk_id_reused", id=A_REQUEST)),
    "result_code": (422, Message("result_code_damaged")),
    "package": (422, Message("package_digest")),
    "too_fast": (429, Message("too_fast_requests", address="192.168.1.23", seconds=1)),
    "too_many_tries": (429, Message("too_many_tries", seconds=12)),
    "internal": (500, Message("internal")),
    "busy": (503, Message("try_again_in", full=Message("desk_packages_busy"), seconds=2)),
    "hub": (503, Message("verbatim", text="the database does not answer")),
    "hub_key": (503, Message("package_key_unreadable", path="/var/lib/pegboard/hub_key.hex", error="disk I/O error")),
    "no_cryptography": (503, Message("package_no_cryptography", command="apt install python3-cryptography")),
    "not_stored": (503, Message("not_saved", fault=Message("verbatim", text="database or disk is full"))),
    "too_many_viewers": (503, Message("try_again_in", full=Message("viewers", viewers=1024), seconds=2)),
}
"""Errors by code, each with its status and an example message."""

ELSEWHERE: dict[str, tuple[int, Message]] = {
    "method": (405, Message("method", method="PUT", path="/night/v1/decisions", methods="OPTIONS, POST")),
    "request": (400, Message("verbatim", text="the request cannot be understood")),
    "not_http": (400, Message("not_http")),
    "head_too_large": (431, Message("head_too_large", fields=MOST_FIELDS, bytes=f"{MOST_HEAD_BYTES:,}")),
    "small_chunks": (400, Message("small_chunks", bytes=LEAST_CHUNK_BYTES)),
}
"""Errors outside the documented routes: unknown method or invalid request."""

CODES = tuple(sorted({name.partition(" ")[0] for name in (*REFUSALS, *ELSEWHERE)}))

OF_ANY = (*ANY_REFUSALS, "hub", "not_stored")
"""Error codes of any request at a hub, because it needs the database."""

OF_EVENT = (*OF_ANY, "no_night")
"""Error codes of any request about an event."""

OF_DIRECTOR = (*OF_EVENT, "not_paired")
"""Error codes of a director's request about an event, if it has no body."""

OF_POST = (*OF_ANY, *(code for code in BODY_REFUSALS if code not in OF_ANY and code != "not_paired"))
"""Error codes of any request with a body."""


class HubProblemJson(ProblemDetailsJson):
    """Problem details (RFC 9457)."""

    code: Annotated[str, Takes(words="a stable word for programs", one_of=CODES)]
    rule: NotRequired[Annotated[str, "the rule's place on a table's rules page, if there is one"]]


HUB_API = Api(
    {
        "description": (
            "A hub: events with their players, tables and results. Anyone can see an event; decisions need the cookie"
            " of a director (`POST /night/v1/pair`) or of a player's phone (`POST /night/v1/door` or `/night/v1/card`)."
        ),
        "license": {"name": "MIT", "identifier": "MIT"},
        "title": "pegboard hub",
        "version": "1",
    },
    REFUSALS | ELSEWHERE,
    HubProblemJson,
)
