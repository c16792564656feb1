"""How the API answers: with JSON on one line, which nobody keeps."""

import json
from typing import Any

from flask import Response


def replied(values: dict[str, Any], status: int = 200) -> Response:
    """The answer that tells `values`."""
    body = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    return Response(body, status, {"Cache-Control": "no-store"}, mimetype="application/json")
