"""Limits on request heads: length, fields, line endings before h11 parses them; then cookies, lists, chunk framing.

The chunks of a body are limited because h11 takes as long for a chunk of one byte as for one of thousands.

This module reads `_receive_buffer` of an h11 connection, whose `_data` holds the received bytes.
"""

import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

import h11

from web.http.asgi import Headers
from web.http.problems import JSON_TYPE, Problem, title_of
from web.http.security_middleware import with_security_headers

# --- limits on request headers: cookies of other programs are dropped, and long lists are cut ---
#
# The head of a request is limited as a whole, but parsing a list of 8 kB still takes some thousand steps, in each view
# that reads it. These limits leave as much as any browser sends.


LONGEST_COOKIE, MOST_COOKIES = 512, 32
"""Maximum bytes of a table's cookie (ours have some 200), and maximum number of cookies: one for each table nearby."""

OWN_COOKIE = re.compile(rb"(?:^|;)[ \t]*((?:pegboard-|language=)[^;]{1,%d})(?=;|$)" % LONGEST_COOKIE)
"""A table's cookie. Browsers also send cookies of other programs on its machine, as cookies ignore ports."""

MOST_ITEMS, LONGEST_LIST = 16, 512
"""Maximum items and bytes of a list. Browsers send up to ten languages."""


def bounded_headers(headers: Headers) -> Headers:
    """The headers of a request; those in `BOUNDS` are cut to their limits, and joined if repeated."""
    listed: dict[bytes, list[bytes]] = {}
    others: Headers = []
    for name, value in headers:
        if name in BOUNDS:
            listed.setdefault(name, []).append(value)
        else:
            others.append((name, value))
    if not listed:
        return headers
    bounded = [(name, BOUNDS[name](values)) for name, values in listed.items()]
    return [*others, *((name, value) for name, value in bounded if value)]


def _own_cookies(values: list[bytes]) -> bytes:
    found = OWN_COOKIE.finditer(b";".join(values))
    return b"; ".join(cookie[1].strip() for cookie in islice(found, MOST_COOKIES))


def _first_items(values: list[bytes]) -> bytes:
    """The first items of a list, because clients list preferred items first; an item cut in two is dropped."""
    *whole, last = b",".join(values)[: LONGEST_LIST + 1].split(b",", MOST_ITEMS)
    complete = len(whole) < MOST_ITEMS and sum(map(len, values)) + len(values) - 1 <= LONGEST_LIST
    return b",".join([*whole, last] if complete else whole)


def _last_items(values: list[bytes]) -> bytes:
    """The last hops of a request, which were written by the proxies nearest to the table."""
    first, *whole = b",".join(values)[-LONGEST_LIST - 1 :].rsplit(b",", MOST_ITEMS)
    complete = len(whole) < MOST_ITEMS and sum(map(len, values)) + len(values) - 1 <= LONGEST_LIST
    return b",".join([first, *whole] if complete else whole)


BOUNDS: Mapping[bytes, Callable[[list[bytes]], bytes]] = {
    b"cookie": _own_cookies,
    b"x-forwarded-for": _last_items,
    **dict.fromkeys((b"accept", b"accept-encoding", b"accept-language", b"if-none-match"), _first_items),
}
"""For each header, the function that cuts its values."""

MOST_HEAD_BYTES = 8192
"""Maximum bytes of the request line and header fields; browsers send some 600, and a cookie for each table nearby."""

MOST_FIELDS = 100
"""Maximum header fields of a request; browsers send some 20."""

MOST_FRAMING_BYTES = 1024
"""Maximum bytes of a chunk's size line with its extensions, or of the trailers; browsers send neither."""

FREE_CHUNKS = 64
"""Chunks that a body may have, however small, since programs may send a command while they write it."""

LEAST_CHUNK_BYTES = 128
"""Minimum average bytes of further chunks; programs and proxies send chunks of some 4,000, or journal lines of 200."""

NOT_HTTP = Problem(400, "not_http", "not_http")

HEAD_TOO_LARGE = Problem(431, "head_too_large", "head_too_large", fields=MOST_FIELDS, bytes=f"{MOST_HEAD_BYTES:,}")

SMALL_CHUNKS = Problem(400, "small_chunks", "small_chunks", bytes=LEAST_CHUNK_BYTES)

HEAD_END = re.compile(rb"\n\r?\n")
"""The end of a head as h11 recognizes it; bare line feeds count too."""

FOLDED = re.compile(rb"\n[ \t]")
"""A header line continued on the next line (obs-fold), which servers interpret in different ways."""

LENGTH = re.compile(rb"\ncontent-length[ \t]*:([^\n]*)", re.IGNORECASE)
"""A Content-Length field; h11 also accepts several equal fields."""


class BoundedConnection(h11.Connection):
    """A server connection that rejects heads beyond the limits, and heads usable for request smuggling.

    Attributes:
        refusal: the problem with which a rejected request is answered.
        is_chunked: whether the request's body comes in chunks.
    """

    def __init__(self) -> None:
        super().__init__(h11.SERVER, max_incomplete_event_size=MOST_HEAD_BYTES)
        self.refusal, self.is_chunked = NOT_HTTP, False
        self._chunks = self._body_bytes = 0

    def next_event(self) -> Any:
        """The next event; see h11.

        Raises:
            h11.RemoteProtocolError: the head is too large; one of its lines is folded or ends without a carriage
                return; it has several lengths, or a length and a transfer coding (RFC 9112, 2.2, 5, 5.2, 6.1 and 6.3);
                a chunk has too much framing (7.1.1 and 7.1.2), or there are many small chunks.
        """
        if self.their_state is h11.IDLE:
            self._check_head(bytes(self._receive_buffer._data[: MOST_HEAD_BYTES + 4]))  # noqa: SLF001 - h11 cannot limit fields
        event = super().next_event()
        if isinstance(event, h11.Request):
            self._chunks = self._body_bytes = 0
            names = {name for name, _ in event.headers}
            self.is_chunked = b"transfer-encoding" in names
            if self.is_chunked and b"content-length" in names:
                raise h11.RemoteProtocolError("a length and a transfer coding", error_status_hint=400)
        if isinstance(event, h11.Data):
            self._count(event)
        if event is h11.NEED_DATA and self.their_state is h11.SEND_BODY and self._has_long_framing():
            raise h11.RemoteProtocolError("too much before a chunk or after the last", error_status_hint=400)
        return event

    def refuse(self, problem: Problem) -> bytes:
        """The response to a request that was refused before parsing; nothing can be sent after it."""
        body = problem.json()
        framing = [
            (b"content-type", JSON_TYPE.encode()),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            *((name.lower().encode(), value.encode()) for name, value in problem.headers.items()),
        ]
        headers, reason = with_security_headers(framing), title_of(problem.status).encode()
        response = h11.Response(status_code=problem.status, headers=headers, reason=reason)
        parts = (self.send(part) for part in (response, h11.Data(data=body), h11.EndOfMessage()))
        return b"".join(part for part in parts if part)

    def _count(self, part: h11.Data) -> None:
        """Count a part of a body; a body with a length has no chunks, in however many pieces it arrives."""
        self._chunks += part.chunk_start
        self._body_bytes += len(part.data)
        if self._chunks > FREE_CHUNKS + self._body_bytes // LEAST_CHUNK_BYTES:
            self.refusal = SMALL_CHUNKS
            raise h11.RemoteProtocolError("many small chunks", error_status_hint=400)

    def _has_long_framing(self) -> bool:
        return len(self._receive_buffer) > MOST_FRAMING_BYTES  # h11 has already consumed all chunk data

    def _check_head(self, received: bytes) -> None:
        end = HEAD_END.search(received)
        head = received if end is None else received[: end.end()]
        if len(head) > MOST_HEAD_BYTES or head.count(b"\n") > MOST_FIELDS + 2:
            self.refusal = HEAD_TOO_LARGE
            raise h11.RemoteProtocolError("the head is too large", error_status_hint=431)
        if head.count(b"\n") != head.count(b"\r\n"):
            raise h11.RemoteProtocolError("a bare line feed", error_status_hint=400)
        if FOLDED.search(head):
            raise h11.RemoteProtocolError("a folded line", error_status_hint=400)
        lengths = LENGTH.findall(head)
        if len(lengths) > 1 or b"," in b"".join(lengths):
            raise h11.RemoteProtocolError("several lengths", error_status_hint=400)
