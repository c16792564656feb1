"""The OpenAPI document of a site's API, generated at the first request from the types of requests and responses."""

import inspect
import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, TypeAlias, TypedDict

from flask import Response

from pegboard.messages import Message
from pegboard.values import Components, schema
from web.http.problems import JSON_TYPE, rule_of, title_of
from web.http.request_head import LEAST_CHUNK_BYTES, MOST_FIELDS, MOST_HEAD_BYTES
from web.kit.documented_endpoints import (
    TEXT,
    DocumentedBlueprint,
    Json,
    Operation,
    Parameter,
    RequestBody,
    ResponseDoc,
)

# --- errors of every site, by code, each with its status and an example message ---


Refusals: TypeAlias = dict[str, tuple[int, Message]]

COMMON_REFUSALS: Refusals = {
    "bad_host": (400, Message("bad_host", host="'example.org'")),
    "not_json": (400, Message("not_json", why="Expecting value at character 0")),
    "not_paired": (403, Message("not_paired")),
    "foreign_origin": (403, Message("foreign_origin", origin="'http://example.org'")),
    "too_many_paired": (403, Message("too_many_paired", most=500)),
    "too_slow": (408, Message("too_slow", seconds=5)),
    "too_large": (413, Message("too_large", most=2048)),
    "media_type": (415, Message("not_json_type", type="text/plain")),
    "too_fast": (429, Message("too_fast_requests", address="192.168.1.23", seconds=1)),
    "too_many_tries": (429, Message("too_many_tries", seconds=12)),
    "internal": (500, Message("internal")),
    "not_stored": (503, Message("not_saved", fault=Message("verbatim", text="database or disk is full"))),
}

COMMON_ELSEWHERE: Refusals = {
    "request": (400, Message("verbatim", text="the request cannot be understood")),
    "not_http": (400, Message("not_http")),
    "head_too_large": (431, Message("head_too_large", fields=MOST_FIELDS, bytes=f"{MOST_HEAD_BYTES:,}")),
    "small_chunks": (400, Message("small_chunks", bytes=LEAST_CHUNK_BYTES)),
}
"""Errors outside the documented routes: requests that cannot be read."""

TOO_MANY_VIEWERS = (503, Message("try_again_in", full=Message("viewers", viewers=1024), seconds=2))

# --- the document ---


class MessageJson(TypedDict):
    """A message by its key."""

    key: Annotated[str, "the sentence's key, for translation"]
    values: Annotated[dict[str, Any], "its values: words, numbers, and sentences as `key`, `values` and `text`"]


class ProblemDetailsJson(MessageJson):
    """The members of problem details (RFC 9457) that every site has."""

    type: str
    title: str
    status: int
    detail: Annotated[str, "a sentence for people, in English"]


@dataclass(frozen=True, eq=False)
class Api:
    """The API of a site, apart from its endpoints.

    Attributes:
        info: the API's title, version, description and license.
        refusals: the API's errors by code, each with its status and an example message; for a second status, the key is
            the code and the status, as in "wrong_code 404".
        problem: the type of the body of an error.
        etag: the description of ETag headers.
        more_of_problem: returns further members of an example error, by its status and code.
    """

    info: Json
    refusals: Refusals
    problem: Any
    etag: str = ""
    more_of_problem: Callable[[int, str], dict[str, Any]] = lambda _status, _code: {}


def openapi_document(api: Api, blueprints: tuple[DocumentedBlueprint, ...]) -> Response:
    """The OpenAPI document of some blueprints, as JSON."""
    return Response(_write(api, blueprints), mimetype="application/json")


@cache
def _write(api: Api, blueprints: tuple[DocumentedBlueprint, ...]) -> str:
    """Generate the document once, because it is large and changes only with the program.

    Generating takes a third of the program's startup time, so it waits for the first request.
    """
    components: Components = {}
    paths: dict[str, dict[str, Any]] = {}
    for blueprint in blueprints:
        for one in blueprint.operations:
            path = paths.setdefault(re.sub(r"<(\w+)>", r"{\1}", f"{blueprint.url_prefix}{one.rule}"), {})
            path[one.method.lower()] = _operation(api, one, blueprint.tag, components)
            parameters = [_parameter("path", name, parameter) for name, parameter in one.path.items()]
            path |= {"parameters": parameters} if parameters else {}
    tags = [{"name": one.tag, "description": one.description} for one in blueprints if one.description]
    about = {"info": api.info, "paths": paths, "tags": tags, "openapi": "3.1.0"}
    return json.dumps(about | {"components": {"schemas": components}}, indent=2)


def _operation(api: Api, one: Operation, tag: str, components: Components) -> dict[str, Any]:
    summary, _, description = inspect.cleandoc(one.view.__doc__ or "").partition("\n\n")
    operation = {"responses": dict(_responses(api, one, components)), "summary": summary}
    operation |= {"description": description} if description else {}
    operation |= {"tags": [tag]} | ({} if one.takes is None else {"requestBody": _request_body(one.takes, components)})
    query = [_parameter("query", name, parameter) for name, parameter in one.query.items()]
    return operation | ({"parameters": query} if query else {})


def _responses(api: Api, one: Operation, components: Components) -> Iterator[tuple[int, dict[str, Any]]]:
    for status, shown in _refusals(api, one.refuses).items():
        content = {JSON_TYPE: {"schema": _schema(api.problem, components), "examples": shown}}
        yield status, {"description": title_of(status), "content": content}
    for status, answer in one.answers.items():
        yield status, _response(api, answer, components)


def _refusals(api: Api, names: tuple[str, ...]) -> dict[int, dict[str, Any]]:
    """Examples of errors, by status and code."""
    by_status: dict[int, dict[str, Any]] = {}
    for name in names:
        (status, message), code = api.refusals[name], name.partition(" ")[0]
        by_status.setdefault(status, {})[code] = {"value": _problem(api, status, code, message)}
    return by_status


def _problem(api: Api, status: int, code: str, message: Message) -> dict[str, Any]:
    common = {"type": "about:blank", "title": title_of(status), "status": status, "detail": str(message)}
    rule = {"rule": found} if (found := rule_of(code, message)) else {}
    return common | {"code": code} | message.as_json() | rule | api.more_of_problem(status, code)


def _response(api: Api, answer: ResponseDoc, components: Components) -> dict[str, Any]:
    sentences = dict(answer.headers) | ({"ETag": api.etag} if answer.etag else {})
    headers = {name: {"description": sentence, "schema": TEXT} for name, sentence in sentences.items()}
    example = answer.example() if callable(answer.example) else answer.example
    shown = {} if example is None else {"example": example}
    body = (
        {}
        if answer.schema is None
        else {"content": {answer.content_type: {"schema": _schema(answer.schema, components)} | shown}}
    )
    return {"description": answer.sentence} | ({"headers": headers} if headers else {}) | body


def _request_body(body: RequestBody, components: Components) -> dict[str, Any]:
    shown = {name: {"value": value} for name, value in body.examples.items()}
    return {
        "required": True,
        "content": {body.content_type: {"schema": _schema(body.schema, components), "examples": shown}},
    }


def _schema(kind: Any, components: Components) -> dict[str, Any]:
    """The schema of a body: that of a type, the result of a function that adds components, or the given schema."""
    if isinstance(kind, dict):
        return kind
    found: dict[str, Any] = schema(kind, components) if isinstance(kind, type) else kind(components)
    return found


def _parameter(place: str, name: str, one: str | Parameter) -> dict[str, Any]:
    """A parameter in the document's format; `place` is "path" or "query"."""
    one = Parameter(one) if isinstance(one, str) else one
    shown = {} if one.example is None else {"example": one.example}
    common = {"in": place, "name": name, "description": one.sentence, "schema": dict(one.schema)}
    return common | {"required": place == "path"} | shown
