"""Views that describe themselves: one decorator gives a view its route and its place in the OpenAPI document."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, TypeAlias

from flask import Response
from flask_smorest import Blueprint  # type: ignore[import-untyped]

from web import examples
from web.answered import ProblemSchema
from web.problems import JSON_TYPE

View: TypeAlias = Callable[[], Response]

ETAG = {"ETag": {"description": "the journal's epoch and its newest event", "schema": {"type": "string"}}}


@dataclass(frozen=True)
class Answer:
    """What a view answers when all is well: a sentence, and the shape with an example where there is a body."""

    sentence: str
    schema: Any = None
    example: Any = None
    etag: bool = False


@dataclass(frozen=True)
class Asked:
    """The body that a view takes: its shape, and an example of each kind."""

    schema: Any
    examples: Mapping[str, Any]


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
        named: Mapping[str, str] | None = None,
    ) -> Callable[[View], View]:
        """Serve `rule` by the decorated view.

        `refuses` names the codes of its refusals, `named` what may be named in the query, with a sentence each.
        """

        def decorate(view: View) -> View:
            documented = view
            for status, shown in examples.refusals(refuses).items():
                documented = self._refusal(status, shown)(documented)
            for status, answer in answers.items():
                documented = self._answer(status, answer)(documented)
            if takes is not None:
                documented = self.doc(requestBody=_body(takes))(documented)
            if named is not None:
                documented = self.doc(parameters=_query(named))(documented)
            vars(view)["_apidoc"] = vars(documented)["_apidoc"]  # the view itself is served, without its dozen wrappers
            self.route(rule, methods=[method])(view)
            return view

        return decorate

    def _refusal(self, status: int, shown: dict[str, Any]) -> Callable[[View], View]:
        documented: Callable[[View], View] = self.alt_response(
            status,
            schema=ProblemSchema,
            content_type=JSON_TYPE,
            description=HTTPStatus(status).phrase,
            examples=shown,
        )
        return documented

    def _answer(self, status: int, answer: Answer) -> Callable[[View], View]:
        documented: Callable[[View], View] = self.alt_response(
            status,
            schema=answer.schema,
            success=True,
            description=answer.sentence,
            example=answer.example,
            headers=ETAG if answer.etag else None,
        )
        return documented


def _body(asked: Asked) -> dict[str, Any]:
    shown = {name: {"value": value} for name, value in asked.examples.items()}
    return {"required": True, "content": {"application/json": {"schema": asked.schema, "examples": shown}}}


def _query(named: Mapping[str, str]) -> list[dict[str, Any]]:
    text = {"type": "string"}
    return [{"in": "query", "name": name, "description": said, "schema": text} for name, said in named.items()]
