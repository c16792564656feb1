"""JSON bodies: of responses on one line; of requests strict (no duplicate names, no NaN), so that all parsers agree."""

import json
from typing import Any

from flask import Request, Response

from pegboard.json_parser import parse_json
from pegboard.storage.transfer.import_parser import DEEPEST, is_too_deep
from web.http.problems import Problem


def json_object(request: Request) -> dict[str, Any]:
    """The JSON object in the body of a request.

    Raises:
        Problem: 415, the content type is another; 400, it is not JSON; 422, it is no object.
    """
    if request.mimetype != "application/json":
        raise Problem(415, "media_type", "not_json_type", type=request.mimetype or "none")
    values = _parse(request.get_data())
    if not isinstance(values, dict):
        raise Problem(422, "shape", "not_object")
    return values


def _parse(body: bytes) -> Any:
    if is_too_deep(body):
        raise _not_json(f"it is nested too deeply, in more than {DEEPEST} levels")
    try:
        values = parse_json(body.decode())
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


def json_response(values: dict[str, Any], status: int = 200) -> Response:
    """A response with `values` as JSON on one line, which nobody caches."""
    body = json.dumps(values, separators=(",", ":"), ensure_ascii=False)
    return Response(body, status, {"Cache-Control": "no-store"}, mimetype="application/json")
