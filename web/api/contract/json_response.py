"""JSON responses of the API, which nobody caches, and the id of a state for their ETags."""

import json
from typing import Any

from flask import Response

from pegboard.core.view import View


def json_response(values: dict[str, Any], status: int = 200) -> Response:
    """A response with `values` as JSON on one line."""
    body = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    return Response(body, status, {"Cache-Control": "no-store"}, mimetype="application/json")


def state_id(view: View) -> str:
    """The id of a state: the journal's epoch and its newest event."""
    return f"{view.epoch}-{view.revision}"
