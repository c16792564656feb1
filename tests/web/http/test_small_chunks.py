"""Bodies in small chunks, without an end, or that nobody reads: they are ended soon, and usual ones are taken."""

import http.client
import io
import json
import logging
import re
import socket
import time
from collections.abc import Iterator
from contextlib import closing, suppress
from typing import cast

import h11
import pytest

from tests.support.waiting import soon
from tests.support.web_server_and_clients import Site, tap
from web.http import uvicorn_server
from web.http.listener import READ_BYTES
from web.http.request_body import DISCARDED_BYTES, MAX_BYTES
from web.http.request_head import FREE_CHUNKS, LEAST_CHUNK_BYTES, BoundedConnection

CHUNKED = b"Host: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
POST = b"POST /api/v1/commands HTTP/1.1\r\n" + CHUNKED
SOON_S = 60.0
"""Seconds in which the table has ended a connection on which it reads no more, however busy this machine is."""


def in_chunks(body: bytes, size: int) -> bytes:
    parts = [body[at : at + size] for at in range(0, len(body), size)]
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in parts)


def events(sent: bytes, at_once: int = 4096) -> Iterator[object]:
    """What h11 reads of a request that comes in so many bytes at once."""
    connection = BoundedConnection()
    for at in range(0, len(sent), at_once):
        connection.receive_data(sent[at : at + at_once])
        while (event := connection.next_event()) is not h11.NEED_DATA:
            yield event
            if isinstance(event, h11.EndOfMessage):
                return


def is_taken(sent: bytes, at_once: int = 4096) -> bool:
    try:
        return any(isinstance(event, h11.EndOfMessage) for event in events(sent, at_once))
    except h11.RemoteProtocolError:
        return False


def answer_to(connection: socket.socket) -> bytes:
    with closing(connection.makefile("rb")) as answer:
        return answer.read()


class Answers(io.BufferedReader):
    """A connection read for one answer after another: what is read ahead of one is left to the next."""

    def __init__(self, connection: socket.socket) -> None:
        super().__init__(connection.makefile("rb", buffering=0))

    def makefile(self, _mode: str) -> "Answers":
        return self

    def close(self) -> None:
        """Stay open for the next answer."""


def status_of_next(answers: Answers) -> int:
    answer = http.client.HTTPResponse(cast("socket.socket", answers))
    answer.begin()
    answer.read()
    return answer.status


def seconds_until_closed(connection: socket.socket, part: bytes, pause_s: float = 0.0) -> float:
    """How long the table takes what is sent again and again."""
    begun = time.monotonic()
    connection.settimeout(SOON_S)
    with suppress(OSError):
        while time.monotonic() - begun < SOON_S:
            connection.sendall(part)
            time.sleep(pause_s)
    return time.monotonic() - begun


@pytest.mark.parametrize("size", [1, 10, LEAST_CHUNK_BYTES // 2])
def test_a_body_in_small_chunks_is_refused_as_soon_as_there_are_too_many(size: int):
    parts = []
    with pytest.raises(h11.RemoteProtocolError):
        parts.extend(events(POST + in_chunks(b"a" * DISCARDED_BYTES, size)))
    assert FREE_CHUNKS < len(parts) < FREE_CHUNKS * 3


@pytest.mark.parametrize("size", [LEAST_CHUNK_BYTES, 200, 4096, 8192, 65_536])
def test_a_body_in_chunks_of_usual_sizes_is_taken(size: int):
    assert is_taken(POST + in_chunks(b"a" * 2**20, size) + b"0\r\n\r\n")


def test_a_short_body_may_come_in_chunks_of_any_size():
    assert is_taken(POST + in_chunks(b"a" * FREE_CHUNKS, 1) + b"0\r\n\r\n")


@pytest.mark.parametrize("at_once", [1, 7, 4096])
def test_pieces_in_which_a_body_with_a_length_arrives_are_no_chunks(at_once: int):
    body = b"a" * 5000
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(body)
    assert is_taken(head + body, at_once)
    assert is_taken(POST + in_chunks(body, 5000) + b"0\r\n\r\n", at_once)


def test_each_request_of_a_connection_may_have_as_many_chunks():
    connection = BoundedConnection()
    for _ in range(3):
        connection.receive_data(POST + in_chunks(b"a" * FREE_CHUNKS, 1) + b"0\r\n\r\n")
        while not isinstance(event := connection.next_event(), h11.EndOfMessage):
            assert event is not h11.NEED_DATA
        connection.send(h11.Response(status_code=204, headers=[]))
        connection.send(h11.EndOfMessage())
        connection.start_next_cycle()


def test_it_is_said_what_would_be_taken(site: Site):
    head, _, body = answer_to(site.raw(POST + in_chunks(b"a" * 60_000, 1))).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 ")
    refusal = json.loads(body)
    assert refusal["code"] == "small_chunks"
    assert (
        refusal["detail"]
        == "the request body has too many small chunks; send its length, or chunks of 128 bytes or more"
    )


@pytest.mark.parametrize(
    ("asked", "status", "code"),
    [
        (b"POST /api/v1/commands", 413, b'"code":"too_large"'),
        (b"GET /events", 413, b'"code":"too_large"'),
        (b"POST /static/pegboard.css", 405, b'"code":"method"'),
    ],
)
def test_no_more_chunks_of_a_body_that_is_refused_are_parsed_than_of_one_that_is_taken(
    site: Site, monkeypatch: pytest.MonkeyPatch, asked: bytes, status: int, code: bytes
):
    parsed, count = [], BoundedConnection._count

    def counting(connection: BoundedConnection, part: h11.Data) -> None:
        parsed.append(len(part.data))
        count(connection, part)

    monkeypatch.setattr(BoundedConnection, "_count", counting)
    connection = site.raw(asked + b" HTTP/1.1\r\n" + CHUNKED)
    connection.sendall(in_chunks(b"a" * 200_000, LEAST_CHUNK_BYTES))
    answer = answer_to(connection)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert answer.endswith(b"}")
    assert code in answer, "who sends gets to read why"
    assert sum(parsed) <= MAX_BYTES + 2 * READ_BYTES


@pytest.mark.sampled
@pytest.mark.parametrize("path", ["/events", "/api/v1/export.csv", "/api/v1/export.jsonl"])
@pytest.mark.parametrize("part", [b"1\r\na\r\n" * 600, in_chunks(b"a" * 4000, 4000)], ids=["small", "usual"])
def test_a_stream_of_whose_request_the_body_has_no_end_is_refused(site: Site, path: str, part: bytes):
    connection = site.raw(f"GET {path} HTTP/1.1\r\n".encode() + CHUNKED)
    connection.sendall(part)
    time.sleep(0.05)  # a stream would have begun meanwhile
    assert seconds_until_closed(connection, part) < SOON_S
    assert site.server._events.viewer_count == 0


@pytest.mark.parametrize("body", [b"Content-Length: 0\r\n\r\n", b"Content-Length: 2\r\n\r\n{}", CHUNKED + b"0\r\n\r\n"])
@pytest.mark.parametrize("path", ["/events", "/api/v1/export.jsonl"])
def test_a_stream_is_given_though_its_request_has_a_small_body(site: Site, path: str, body: bytes):
    host = b"" if b"Host" in body else b"Host: localhost\r\n"
    assert site.raw(f"GET {path} HTTP/1.1\r\n".encode() + host + body).recv(65536).startswith(b"HTTP/1.1 200 ")


@pytest.mark.sampled
@pytest.mark.parametrize(
    "asked",
    [
        b"GET /static/pegboard.css HTTP/1.1\r\nHost: localhost\r\n",
        b"GET / HTTP/1.1\r\nHost: example.org\r\n",
        b"BREW /static/pegboard.css HTTP/1.1\r\nHost: localhost\r\n",
    ],
    ids=["a file", "a foreign name", "no method"],
)
@pytest.mark.parametrize("framing", [b"Transfer-Encoding: chunked", b"Content-Length: 99999999"])
def test_after_an_answer_that_needs_no_body_nothing_more_is_read(site: Site, asked: bytes, framing: bytes):
    connection = site.raw(asked + framing + b"\r\n\r\n")
    part = b"1\r\na\r\n" if framing.endswith(b"chunked") else b"a"
    assert seconds_until_closed(connection, part, pause_s=0.02) < SOON_S
    assert soon(lambda: not site.server._http.server_state.connections)


def test_the_rest_of_a_body_that_comes_soon_ends_no_connection(site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(uvicorn_server, "DRAIN_S", 10.0)  # as long as this machine may stand still meanwhile
    asked = b"GET /static/icons/icon.svg HTTP/1.1\r\nHost: localhost\r\nContent-Length: 6\r\n\r\nabc"
    connection = site.raw(asked)
    answers = Answers(connection)
    for rest in (b"abc" + asked, b"abc"):
        connection.sendall(rest)
        assert status_of_next(answers) == 200


@pytest.mark.parametrize("chunk", [0, 200], ids=["with its length", "in chunks"])
def test_a_connection_stays_after_scores_whose_bodies_come_in_pieces(site: Site, chunk: int):
    connection = site.raw()
    answers = Answers(connection)
    for _ in range(3):
        values = {"id": tap(), "game": site.game, "do": "score", "seat": 0, "points": 2}
        body = json.dumps(values | {"base": site.scoreboard.view.game.revisions[0]}).encode()
        if chunk:
            connection.sendall(POST)
            body = in_chunks(body, chunk) + b"0\r\n\r\n"
        else:
            connection.sendall(POST.replace(b"Transfer-Encoding: chunked", b"Content-Length: %d" % len(body)))
        for at in range(0, len(body), 20):
            connection.sendall(body[at : at + 20])
            time.sleep(0.002)
        assert status_of_next(answers) == 201
    assert site.fronts[0] == 6


@pytest.mark.parametrize("body", [b"no chunk\r\n", b"1\r\na\r\n" * 600], ids=["no chunks", "small chunks"])
@pytest.mark.parametrize("path", ["/", "/events", "/static/pegboard.css", "/api/v1/export.csv"])
def test_a_request_that_is_given_up_for_its_body_is_answered_once_and_fails_nowhere(
    site: Site, path: str, body: bytes, caplog: pytest.LogCaptureFixture
):
    answer = answer_to(site.raw(f"GET {path} HTTP/1.1\r\n".encode() + CHUNKED + body))
    assert len(re.findall(rb"HTTP/1\.1 \d", answer)) == 1
    assert soon(lambda: not site.server._http.server_state.tasks)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
