"""The bytes of one server-sent event (HTML standard, 9.2.5)."""

import json
from typing import Any

STREAM_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),  # nginx would keep events back until 8 kB have come
]
"""The headers of every stream of events."""


def event(name: str, data: dict[str, Any], *, id: str | None = None) -> bytes:  # noqa: A002 - the standard's own word
    """One server-sent event."""
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    number = "" if id is None else f"id: {id}\n"
    return f"{number}event: {name}\ndata: {text}\n\n".encode("utf-8", "replace")
