"""The OpenAPI document of the API, written by apispec when somebody first requests it."""

import inspect
import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from flask import Response

from web.api.contract import examples
from web.api.contract.documented_endpoints import (
    TEXT,
    DocumentedBlueprint,
    Operation,
    Parameter,
    RequestBody,
    ResponseDoc,
)
from web.api.contract.refusal import ProblemSchema
from web.http.problems import JSON_TYPE, title_of

INFO = {
    "description": (
        "A cribbage table: watch it and score at it. Anyone can watch; unless the table is open, scoring needs the"
        " cookie that `POST /api/v1/pair` returns for a pairing code."
    ),
    "license": {"name": "MIT", "identifier": "MIT"},
}

ETAG = "the journal's epoch and its newest event"


def openapi_document(blueprints: tuple[DocumentedBlueprint, ...]) -> Response:
    """The OpenAPI document of some blueprints, as JSON."""
    return Response(_write(blueprints), mimetype="application/json")


@cache
def _write(blueprints: tuple[DocumentedBlueprint, ...]) -> str:
    """The document is large and changes only with the program, so it is written once.

    Writing takes as long as a third of the program's start, so it waits for the first request.
    """
    from apispec import APISpec  # noqa: PLC0415 - no start waits for it
    from apispec.ext.marshmallow import MarshmallowPlugin  # noqa: PLC0415

    spec = APISpec("pegboard", "1", "3.1.0", [MarshmallowPlugin()], info=INFO)
    for blueprint in blueprints:
        for one in blueprint.operations:
            spec.path(
                re.sub(r"<(\w+)>", r"{\1}", f"{blueprint.url_prefix}{one.rule}"),
                operations={one.method.lower(): _operation(one, blueprint.tag)},
                parameters=[_parameter("path", name, parameter) for name, parameter in one.path.items()],
            )
        if blueprint.description:
            spec.tag({"name": blueprint.tag, "description": blueprint.description})
    return json.dumps(spec.to_dict(), indent=2)


def _operation(one: Operation, tag: str) -> dict[str, Any]:
    summary, _, description = inspect.cleandoc(one.view.__doc__ or "").partition("\n\n")
    operation = {"responses": dict(_responses(one)), "summary": summary}
    operation |= {"description": description} if description else {}
    operation |= {"tags": [tag]} | ({} if one.takes is None else {"requestBody": _request_body(one.takes)})
    query = [_parameter("query", name, parameter) for name, parameter in one.query.items()]
    return operation | ({"parameters": query} if query else {})


def _responses(one: Operation) -> Iterator[tuple[int, dict[str, Any]]]:
    for status, shown in examples.refusals(one.refuses).items():
        content = {JSON_TYPE: {"schema": ProblemSchema, "examples": shown}}
        yield status, {"description": title_of(status), "content": content}
    for status, answer in one.answers.items():
        yield status, _response(answer)


def _response(answer: ResponseDoc) -> dict[str, Any]:
    sentences = dict(answer.headers) | ({"ETag": ETAG} if answer.etag else {})
    headers = {name: {"description": sentence, "schema": TEXT} for name, sentence in sentences.items()}
    shown = {} if answer.example is None else {"example": answer.example}
    body = {} if answer.schema is None else {"content": {answer.content_type: {"schema": answer.schema} | shown}}
    return {"description": answer.sentence} | ({"headers": headers} if headers else {}) | body


def _request_body(body: RequestBody) -> dict[str, Any]:
    shown = {name: {"value": value} for name, value in body.examples.items()}
    return {"required": True, "content": {body.content_type: {"schema": body.schema, "examples": shown}}}


def _parameter(place: str, name: str, one: str | Parameter) -> dict[str, Any]:
    """A parameter as the document has it; `place` is "path" or "query"."""
    one = Parameter(one) if isinstance(one, str) else one
    shown = {} if one.example is None else {"example": one.example}
    common = {"in": place, "name": name, "description": one.sentence, "schema": dict(one.schema)}
    return common | {"required": place == "path"} | shown
