"""Views with their OpenAPI documentation: parameters, request bodies, responses and refusals."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from flask import Blueprint, Response

View: TypeAlias = Callable[..., Response]
"""A view function; its arguments are the parts of the path that its rule names."""

Json: TypeAlias = Mapping[str, Any]

TEXT: Json = {"type": "string"}

ANY_REFUSALS = ("bad_host", "too_fast", "internal", "busy")
"""Codes of refusals that any request can meet."""

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
"""Codes of refusals that any request with a body can meet."""


@dataclass(frozen=True)
class ResponseDoc:
    """A response that is no refusal.

    Attributes:
        sentence: what it is.
        schema: the shape of its body, where it has one.
        example: one such body.
        etag: whether its ETag names the state that it shows.
        content_type: of the body.
        headers: a sentence for each header that comes with it.
    """

    sentence: str
    schema: Any = None
    example: Any = None
    etag: bool = False
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RequestBody:
    """The body of a request: its shape, examples by name, and its content type."""

    schema: Any
    examples: Mapping[str, Any]
    content_type: str = "application/json"


@dataclass(frozen=True)
class Parameter:
    """A part of the path, or a field of the query.

    Attributes:
        sentence: what it is.
        schema: its values as a JSON schema, such as `{"type": "integer", "minimum": 1, "maximum": 100}`.
        example: one value.
    """

    sentence: str
    schema: Json = field(default_factory=lambda: TEXT)
    example: Any = None


@dataclass(frozen=True)
class Operation:
    """A view as the OpenAPI document describes it; `rule` is its path as Flask writes it, without the prefix."""

    method: str
    rule: str
    view: View
    answers: Mapping[int, ResponseDoc]
    refuses: tuple[str, ...]
    takes: RequestBody | None
    query: Mapping[str, str | Parameter]
    path: Mapping[str, Parameter]


class DocumentedBlueprint(Blueprint):
    """A blueprint that remembers how its views are documented.

    Attributes:
        description: what the views under its tag have in common; "" where another blueprint says it.
        tag: that groups its views in the document; its name, unless it shares the tag of another one.
        operations: its views, in the order in which they were defined.
    """

    def __init__(self, name: str, description: str = "", *, prefix: str = "", tag: str = "") -> None:
        super().__init__(name, __name__, url_prefix=f"/api/v1{prefix}")
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
    ) -> Callable[[View], View]:
        """Decorate the view that serves `rule`.

        Args:
            method: of HTTP.
            rule: the path, with its parameters in angle brackets.
            answers: its responses by status, refusals apart.
            refuses: the codes of its refusals.
            takes: the body of the request.
            query: the fields of the query; a sentence stands for a text.
            path: the parameters in `rule`.
        """

        def decorate(view: View) -> View:
            self.operations.append(Operation(method, rule, view, answers, refuses, takes, query or {}, path or {}))
            return self.route(rule, methods=[method])(view)

        return decorate
