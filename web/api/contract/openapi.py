"""Views that describe themselves: one decorator gives a view its route and its place in the OpenAPI document."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from flask import Response
from flask_smorest import Blueprint  # type: ignore[import-untyped]

from web.api.contract import examples
from web.api.contract.state import ProblemSchema
from web.http.problems import JSON_TYPE, title_of

View: TypeAlias = Callable[..., Response]
"""It is given the parts of the path that its rule names."""

Json: TypeAlias = Mapping[str, Any]

TEXT: Json = {"type": "string"}

ETAG = {"ETag": {"description": "the journal's epoch and its newest event", "schema": TEXT}}


@dataclass(frozen=True)
class Answer:
    """What a view answers when all is well.

    Attributes:
        sentence: what it is.
        schema: its shape, where there is a body.
        example: one such body.
        etag: whether it tells the state it was answered from.
        content_type: of the body, where that is no JSON.
        headers: that come with it, with a sentence each.
    """

    sentence: str
    schema: Any = None
    example: Any = None
    etag: bool = False
    content_type: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Asked:
    """The body that a view takes: its shape, an example of each kind, and its content type."""

    schema: Any
    examples: Mapping[str, Any]
    content_type: str = "application/json"


@dataclass(frozen=True)
class Named:
    """Something that an address names: a part of its path, or a field of its query.

    Attributes:
        sentence: what it is.
        schema: what is taken, as a JSON schema, such as `{"type": "integer", "minimum": 1, "maximum": 100}`.
        required: whether it must be there; a part of the path always must.
        example: one that is taken.
    """

    sentence: str
    schema: Json = field(default_factory=lambda: TEXT)
    required: bool = False
    example: Any = None

    def parameter(self, place: str, name: str) -> dict[str, Any]:
        """As the document tells it; `place` is "path" or "query"."""
        shown = {} if self.example is None else {"example": self.example}
        needed = {"required": self.required or place == "path"}
        return {"in": place, "name": name, "description": self.sentence, "schema": dict(self.schema)} | needed | shown


class Described(Blueprint):  # type: ignore[misc]
    """A blueprint whose views are described as they are made."""

    def view(
        self,
        method: str,
        rule: str,
        *,
        answers: Mapping[int, Answer],
        refuses: tuple[str, ...],
        takes: Asked | None = None,
        named: Mapping[str, str | Named] | None = None,
        path: Mapping[str, Named] | None = None,
    ) -> Callable[[View], View]:
        """Serve `rule` by the decorated view.

        `refuses` names the codes of its refusals, `named` what may be named in the query (a sentence stands for a
        text), `path` the parts that `rule` has in angle brackets.
        """

        def decorate(view: View) -> View:
            said = [self._refusal(status, shown) for status, shown in examples.refusals(refuses).items()]
            said += [self._answer(status, answer) for status, answer in answers.items()]
            said += [] if takes is None else [self.doc(requestBody=_body(takes))]
            said += [] if named is None else [self.doc(parameters=_query(named))]
            vars(view)["_apidoc"] = _together(said)
            parts = [one.parameter("path", name) for name, one in (path or {}).items()]
            self.route(rule, methods=[method], parameters=parts)(view)
            return view

        return decorate

    def _refusal(self, status: int, shown: dict[str, Any]) -> Callable[[View], View]:
        documented: Callable[[View], View] = self.alt_response(
            status,
            schema=ProblemSchema,
            content_type=JSON_TYPE,
            description=title_of(status),
            examples=shown,
        )
        return documented

    def _answer(self, status: int, answer: Answer) -> Callable[[View], View]:
        documented: Callable[[View], View] = self.alt_response(
            status,
            schema=answer.schema,
            success=True,
            description=answer.sentence,
            content_type=answer.content_type,
            example=answer.example,
            headers=_headers(answer) or None,
        )
        return documented


def _together(decorators: Iterable[Callable[[View], View]]) -> dict[str, Any]:
    """What these decorators document, each asked alone: one about another copies all that was said until then."""
    whole: dict[str, Any] = {}
    for decorator in decorators:
        _add(whole, vars(decorator(_undocumented))["_apidoc"])
    return whole


def _undocumented() -> Response:
    return Response()


def _add(whole: dict[Any, Any], more: Mapping[Any, Any]) -> None:
    """Documents into documents, lists after lists."""
    for name, one in more.items():
        if isinstance(one, dict):
            _add(whole.setdefault(name, {}), one)
        elif isinstance(one, list):
            whole[name] = [*whole.get(name, []), *one]
        else:
            whole[name] = one


def _body(asked: Asked) -> dict[str, Any]:
    shown = {name: {"value": value} for name, value in asked.examples.items()}
    return {"required": True, "content": {asked.content_type: {"schema": asked.schema, "examples": shown}}}


def _query(named: Mapping[str, str | Named]) -> list[dict[str, Any]]:
    told = {name: one if isinstance(one, Named) else Named(one) for name, one in named.items()}
    return [one.parameter("query", name) for name, one in told.items()]


def _headers(answer: Answer) -> dict[str, Any]:
    told = {name: {"description": said, "schema": TEXT} for name, said in answer.headers.items()}
    return told | (ETAG if answer.etag else {})
