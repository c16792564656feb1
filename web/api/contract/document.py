"""The OpenAPI document of the API, made when somebody first asks for it."""

import json
from collections.abc import Iterable

from flask import Flask, Response
from flask_smorest import Api, Blueprint  # type: ignore[import-untyped]

from web.api.contract.state import ProblemSchema

CONFIG = {
    "API_TITLE": "pegboard",
    "API_VERSION": "1",
    "OPENAPI_VERSION": "3.1.0",
    "API_SPEC_OPTIONS": {
        "info": {
            "description": (
                "A cribbage table: look at it, and score at it. Looking is free; where the table is not open, scoring"
                " takes the cookie that `POST /api/v1/pair` gives for a code."
            ),
            "license": {"name": "MIT", "identifier": "MIT"},
        }
    },
}


class _Smorest(Api):  # type: ignore[misc]
    """What flask-smorest tells of views; what it says of refusals stands with each of them."""

    DEFAULT_ERROR_RESPONSE_NAME = None
    ERROR_SCHEMA = ProblemSchema

    def _register_pagination_header(self) -> None:
        """Nothing here comes in pages."""

    def _register_error_handlers(self) -> None:
        """Leave refusals to the application."""


class Document:
    """What these blueprints take and answer.

    It is large and changes only with the program, so it is written once; writing it takes as long as a third of the
    program's start, so that waits until it is wanted.
    """

    def __init__(self, blueprints: Iterable[Blueprint]) -> None:
        self._blueprints, self._text = tuple(blueprints), ""

    def answer(self) -> Response:
        """The document as JSON."""
        self._text = self._text or self._written()
        return Response(self._text, mimetype="application/json")

    def _written(self) -> str:
        """The document of an application that has nothing but these blueprints: one that serves takes no new ones."""
        app = Flask(__name__, static_folder=None)
        app.config.update(CONFIG)
        document = _Smorest(app)
        for blueprint in self._blueprints:
            document.register_blueprint(blueprint)
        return json.dumps(document.spec.to_dict(), indent=2)
