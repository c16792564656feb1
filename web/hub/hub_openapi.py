"""Shared parts of a hub's endpoints: lenient requests, schemas of decisions, examples with an event, error codes."""

import inspect
import re
from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Literal, NotRequired, TypeAlias, TypedDict, TypeVar, cast

from pegboard.tournament.night.decide import add, decide
from pegboard.tournament.night.deciding import Request
from pegboard.tournament.night.decisions import DECISIONS
from pegboard.tournament.night.evening import OpenNight
from pegboard.tournament.night.night_state import EMPTY_NIGHT, TABLES, Author, Night, Role, StoredDecision
from pegboard.values import Components, Takes, fields_from, fields_of, object_schema
from web.kit.documented_endpoints import ANY_REFUSALS, BODY_REFUSALS, Parameter

# --- requests: read leniently, so that pages and programs made for older versions still work ---


Loaded = TypeVar("Loaded")


def load_leniently(kind: type[Loaded], values: Mapping[str, Any]) -> Loaded:
    """Load values into a `TypedDict` without checking them: unknown fields are ignored, missing texts are empty."""
    found = ((one, values.get(one.key, "")) for one in fields_of(cast("Any", kind)))
    return cast("Loaded", {one.name: (one.takes.read or _as_it_is)(value) for one, value in found})


def _as_it_is(value: Any) -> Any:
    return value


def any_text(words: str) -> Takes:
    """A text; other values are converted to text."""
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
    str,
    Takes(words="player: as the player of this phone, even if it is a director's", one_of=("player",), key="as"),
]


class SignedRequest(TypedDict):
    """A director's request."""

    signature: NotRequired[Signature]


class AuthoredRequest(SignedRequest):
    """A request from a director, or from a player's phone."""

    night: EventRef
    speaks_as: NotRequired[AsPlayer]


class DecisionRequest(AuthoredRequest):
    """The fields that every decision has."""

    id: RequestId
    do: str


# --- schemas of decision requests, from the classes of decisions ---


BASE = "the `revision` of the view that you decided on"

AUTHORS = {Role.DIRECTOR: "directors", Role.PLAYER: "players for themselves"}

DESCRIBED = tuple(kind for kind in DECISIONS if kind.who != TABLES)
"""The decisions that can be sent here; those of tables come through the broker."""


def decision_schema(components: Components) -> dict[str, Any]:
    """The JSON schema of a decision request; the schema of each kind of decision is added to `components`."""
    for kind in DESCRIBED:
        components[kind.__name__] = {"description": _description(kind)} | _schema_of_decision(kind, components)
    refs = {kind.do: f"#/components/schemas/{kind.__name__}" for kind in DESCRIBED}
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


EXAMPLES = {kind.do: _example(kind) for kind in DESCRIBED}
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


OF_ANY = (*ANY_REFUSALS, "hub", "not_stored")
"""Error codes of any request at a hub; all need the database."""

OF_EVENT = (*OF_ANY, "no_night")
"""Error codes of any request about an event."""

OF_DIRECTOR = (*OF_EVENT, "not_paired")
"""Error codes of a director's request about an event, if it has no body."""

OF_POST = (*OF_ANY, *(code for code in BODY_REFUSALS if code not in OF_ANY and code != "not_paired"))
"""Error codes of any request with a body."""
