"""HTTP errors: the status of each error code, problem details (RFC 9457) for programs, an error page for people."""

import html
import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pegboard.errors import NotNow, NotThere, PegboardError, SayFirst
from pegboard.messages import Message, capitalize
from web.http.asgi import Scope, Send, answer, header

JSON_TYPE = "application/problem+json"
PAGE_TYPE = "text/html; charset=utf-8"

TITLES = {
    400: "Bad Request",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    408: "Request Timeout",
    409: "Conflict",
    410: "Gone",
    411: "Length Required",
    412: "Precondition Failed",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    417: "Expectation Failed",
    422: "Unprocessable Content",
    428: "Precondition Required",
    429: "Too Many Requests",
    431: "Request Header Fields Too Large",
    500: "Internal Server Error",
    503: "Service Unavailable",
}
"""Titles of the statuses, as in RFC 9110 and 6585; Python's vary by version."""

STATUS = {
    "role": 403,
    "over": 409,
    "already": 409,
    "other_game": 409,
    "moved": 409,
    "base_missing": 428,
    "not_stored": 503,
    "journal": 503,
}
"""HTTP statuses by error code; other errors get a status by their type."""

BUSY, RETRY_S = "busy", 2
"""The code of a refusal for lack of capacity, and the seconds before the client may retry."""

RULES_PAGE = "/rules"

RESERVED = "corrections"
"""The anchor of the rule about what only a director may do."""

PAGE = """<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} · pegboard</title>
<link rel="icon" href="/static/icons/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/pegboard.css">
</head>
<body class="refused">
<main>
<h1>{title}</h1>
<p>{detail}</p>
<p><a href="/">{start}</a></p>
</main>
</body>
</html>
"""


class Problem(PegboardError):
    """A refused request.

    Attributes:
        status: the HTTP status.
        code: a stable word for programs to test.
        headers: extra response headers.
        more: extra members of the JSON.
    """

    def __init__(
        self,
        status: int,
        code: str,
        key: str | Message,
        /,
        *,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
        **values: object,
    ) -> None:
        super().__init__(key, **values)
        self.status, self.code, self.headers, self.more = status, code, dict(headers or {}), dict(more or {})

    def json(self) -> bytes:
        """The problem details."""
        values = {
            "type": "about:blank",
            "title": title_of(self.status),
            "status": self.status,
            "detail": str(self),
            "code": self.code,
        }
        return json.dumps(values | self.message.as_json() | self.more, separators=(",", ":")).encode()

    def page(self) -> bytes:
        """The error page, in English."""
        return error_page(title_of(self.status), str(self))


def error_page(title: str, sentence: str, language: str = "en", start: str = "Go to the start page") -> bytes:
    """The page for people with the sentence of a refusal; `start` is the text of its link to the start page."""
    texts = {"title": title, "detail": f"{capitalize(sentence)}.", "start": start}
    return PAGE.format(language=language, **{name: html.escape(text) for name, text in texts.items()}).encode()


def title_of(status: int) -> str:
    """The title of a status."""
    return TITLES.get(status, "Refused")


def problem_of(error: PegboardError, **more: Any) -> Problem:
    """The HTTP error for `error`, with the rule that explains it."""
    status = STATUS.get(error.code) or _status_by_kind(error)
    explained: dict[str, Any] = {"rule": rule} if (rule := rule_of(error.code, error.message)) else {}
    if isinstance(error, SayFirst) and error.offer is not None:
        explained["offer"] = error.offer
    headers = {"Retry-After": f"{RETRY_S}"} if error.code == BUSY else {}
    return Problem(status, error.code, error.message, headers=headers, more=explained | more)


def _status_by_kind(error: PegboardError) -> int:
    """The status of an error whose code has none: 503 if temporary, 404 if not found, 422 for bad input, else 500."""
    if isinstance(error, NotNow):
        return 503
    if isinstance(error, NotThere):
        return 404
    return 422 if isinstance(error, ValueError) else 500


def rule_of(code: str, message: Message) -> str | None:
    """The address of the rule that explains a refusal, or None."""
    anchor = message.anchor or (RESERVED if code == "role" else None)
    return None if anchor is None else f"{RULES_PAGE}#{anchor}"


def method_not_allowed(method: str, path: str, methods: Sequence[str]) -> Problem:
    """The error for a method that `path` does not support."""
    allowed = ", ".join(methods)
    return Problem(405, "method", "method", headers={"Allow": allowed}, method=method, path=path, methods=allowed)


def internal_error() -> Problem:
    """The error after an internal fault, without its details."""
    return Problem(500, "internal", "internal")


def busy(key: str, code: str = BUSY, retry_s: int = RETRY_S, **values: object) -> Problem:
    """The 503 for a request without capacity now; `key` is the message that says why."""
    return Problem(
        503,
        code,
        "try_again_in",
        headers={"Retry-After": str(retry_s)},
        full=Message(key, **values),
        seconds=retry_s,
    )


def shutting_down() -> Problem:
    """The refusal of a request during shutdown."""
    return busy("putting_away")


def render(
    problem: Problem,
    path: str,
    accept: str,
    *,
    is_api: bool = False,
    page: Callable[[Problem], bytes] = lambda problem: problem.page(),
) -> tuple[str, bytes]:
    """Content type and body of a refusal: the error page for a browser outside the API, else JSON.

    Args:
        problem: the refusal.
        path: the path of the request.
        accept: its Accept header.
        is_api: whether the path belongs to a further API.
        page: returns the error page.
    """
    for_people = "text/html" in accept and not is_api and not path.startswith(("/api/", "/events"))
    return (PAGE_TYPE, page(problem)) if for_people else (JSON_TYPE, problem.json())


async def refuse(problem: Problem, scope: Scope, send: Send) -> None:
    """Answer a request with a problem."""
    content_type, body = render(problem, scope["path"], header(scope, b"accept") or "")
    headers = {"content-type": content_type, "cache-control": "no-store"} | problem.headers
    await answer(send, problem.status, [(k.lower().encode(), v.encode()) for k, v in headers.items()], body)
