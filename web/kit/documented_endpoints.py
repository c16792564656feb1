"""API endpoints documented for OpenAPI: blueprint, parameters, responses, validated JSON bodies and their errors."""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias, TypeVar, cast

from flask import Blueprint, Request, Response

from pegboard.json_parser import DEEPEST, is_too_deep, parse_json
from pegboard.values import Field, Misfit, Takes, fields_of, read
from web.http.problems import Problem

Loaded = TypeVar("Loaded")

# --- requests as typed values ---


LONGEST_QUOTE = 40
"""Maximum characters of a wrong value that an error quotes."""

MustBeTrue: TypeAlias = Annotated[bool, Takes(words="true", test=bool, schema={"enum": [True]})]


def load(kind: type[Loaded], values: Mapping[str, Any], what: str) -> Loaded:
    """Validate and load the values; the error says `what` they are.

    Raises:
        Problem: 422, with the first wrong field, its value and the allowed values.
    """
    try:
        return read(kind, values)
    except Misfit as error:
        raise problem_of_misfit(error, values, fields_of(cast("Any", kind)), what) from None


def problem_of_misfit(error: Misfit, values: Mapping[str, Any], known: Iterable[Field], what: str) -> Problem:
    """The error for values that do not fit: it names the outermost wrong field, with its value."""
    if error.why == "unknown" and error.field == error.outer:
        return unknown_field(error.field, error.known, what)
    takes = next((one.takes.words for one in known if one.key == error.outer), error.takes)
    return wrong_field(error.outer, takes, values)


def unknown_field(name: str, known: Iterable[str], what: str) -> Problem:
    """The error for an unknown field."""
    return Problem(422, "shape", "field_unknown", what=what, field=quote(name), fields=", ".join(known))


def wrong_field(name: str, takes: str, values: Mapping[str, Any]) -> Problem:
    """The error for a missing field or a wrong value."""
    if name not in values:
        return Problem(422, "shape", "field_missing", field=name, takes=takes)
    return Problem(422, "shape", "field_value", field=name, takes=takes, value=quote(values[name]))


def quote(value: Any) -> str:
    """A wrong value as quoted in its error."""
    text = json.dumps(value)
    return text if len(text) <= LONGEST_QUOTE else text[: LONGEST_QUOTE - 3] + "..."


# --- JSON bodies: responses on one line; requests parsed strictly (no duplicate names or NaN), so all parsers agree ---


def json_object(request: Request) -> dict[str, Any]:
    """The JSON object in the body of a request.

    Raises:
        Problem: 415, another content type; 400, not JSON; 422, not an object.
    """
    if request.mimetype != "application/json":
        raise Problem(415, "media_type", "not_json_type", type=request.mimetype or "none")
    try:
        return read(dict[str, Any], _parse(request.get_data()))
    except Misfit:
        raise Problem(422, "shape", "not_object") from None


def _parse(body: bytes) -> Any:
    if is_too_deep(body):
        raise _not_json(f"it is nested too deeply, in more than {DEEPEST} levels")
    try:
        values = parse_json(body.decode())
        if b"\\u" in body:  # only an escape can name half a character
            json.dumps(values, ensure_ascii=False).encode()
    except UnicodeError:
        raise _not_json("it is not text in UTF-8") from None
    except json.JSONDecodeError as error:
        raise _not_json(f"{error.msg} at character {error.pos}") from None
    except ValueError as error:
        raise _not_json(str(error)) from None
    return values


def _not_json(why: str) -> Problem:
    return Problem(400, "not_json", "not_json", why=why)


def json_response(values: Mapping[str, Any] | str, status: int = 200) -> Response:
    """A response with `values`, or their JSON text, on one line, not cached."""
    body = values if isinstance(values, str) else json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    return Response(body, status, {"Cache-Control": "no-store"}, mimetype="application/json")


View = TypeVar("View", bound=Callable[..., Any])
"""A view function; its arguments are the parameters of its path."""

Json: TypeAlias = Mapping[str, Any]

TEXT: Json = {"type": "string"}

ANY_REFUSALS = ("bad_host", "too_fast", "internal", "busy")
"""Error codes that any request can get."""

BODY_REFUSALS = (
    *ANY_REFUSALS,
    "not_json",
    "not_paired",
    "foreign_origin",
    "too_slow",
    "too_large",
    "media_type",
    "shape",
)
"""Error codes that any request with a body can get."""


@dataclass(frozen=True)
class ResponseDoc:
    """Documentation of a successful response.

    Attributes:
        sentence: the response's description.
        schema: the type of the body, or its JSON schema; None if there is no body.
        example: an example body, or a function that makes it when the document is generated.
        etag: whether the response has an ETag, which names the state that it shows.
        content_type: the body's content type.
        headers: a description of each extra header.
    """

    sentence: str
    schema: Any = None
    example: Any = None
    etag: bool = False
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RequestBody:
    """A request body: its type or JSON schema, examples by name, and content type."""

    schema: Any
    examples: Mapping[str, Any]
    content_type: str = "application/json"


@dataclass(frozen=True)
class Parameter:
    """A path or query parameter.

    Attributes:
        sentence: the parameter's description.
        schema: the parameter's JSON schema, such as `{"type": "integer", "minimum": 1, "maximum": 100}`.
        example: an example value.
    """

    sentence: str
    schema: Json = field(default_factory=lambda: TEXT)
    example: Any = None


@dataclass(frozen=True)
class Operation:
    """An endpoint in the OpenAPI document; `rule` is its path in Flask's notation, without the prefix."""

    method: str
    rule: str
    view: Callable[..., Any]
    answers: Mapping[int, ResponseDoc]
    refuses: tuple[str, ...]
    takes: RequestBody | None
    query: Mapping[str, str | Parameter]
    path: Mapping[str, Parameter]


class DocumentedBlueprint(Blueprint):
    """A blueprint that records the documentation of its views.

    Attributes:
        description: the description of the tag; "" if another blueprint has it.
        tag: the tag of the views in the document: the blueprint's name, unless it shares another blueprint's tag.
        operations: the views, in order of definition.
    """

    def __init__(
        self, name: str, description: str = "", *, root: str = "/api/v1", prefix: str = "", tag: str = ""
    ) -> None:
        super().__init__(name, __name__, url_prefix=f"{root}{prefix}")
        self.description, self.tag = description, tag or name
        self.operations: list[Operation] = []

    def view(
        self,
        method: str,
        rule: str,
        *,
        answers: Mapping[int, ResponseDoc],
        refuses: tuple[str, ...],
        takes: RequestBody | None = None,
        query: Mapping[str, str | Parameter] | None = None,
        path: Mapping[str, Parameter] | None = None,
        is_routed_here: bool = True,
    ) -> Callable[[View], View]:
        """Decorate the view that serves `rule`.

        Args:
            method: the HTTP method.
            rule: the path, with its parameters in angle brackets.
            answers: the successful responses by status.
            refuses: the error codes.
            takes: the request body.
            query: the query parameters; a string is the description of a text parameter.
            path: the parameters in `rule`.
            is_routed_here: False if another application serves `rule`.
        """

        def decorate(view: View) -> View:
            self.operations.append(Operation(method, rule, view, answers, refuses, takes, query or {}, path or {}))
            return self.route(rule, methods=[method])(view) if is_routed_here else view

        return decorate
