"""What is kept in memory of a connection, whatever its client sends or does not read: a thousand of them must fit."""

import asyncio
import contextlib
import socket
import ssl
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h11
import pytest

from tests.support.event_loop import apart
from tests.support.waiting import soon
from tests.support.web_server_and_clients import Site
from tests.web.access.test_access_of_real_program import make_certificate
from web.http.connections import Place, UnsentBytes
from web.http.listener import READ_BYTES, WRITE_BYTES, tls_context
from web.http.problems import Problem
from web.http.request_body import BufferedBody
from web.http.request_head import MOST_FRAMING_BYTES, BoundedConnection

ASK = b"GET /api/v1/me HTTP/1.1\r\nHost: localhost\r\n\r\n"
FOLLOW = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
RECORD_BYTES = 16_384
"""Encrypted as one at most (RFC 8446, 5.1)."""

CHUNKED = b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"


def send_all_that_is_taken(connection: socket.socket, data: bytes) -> None:
    connection.settimeout(0.3)
    with contextlib.suppress(TimeoutError, OSError):
        connection.sendall(data)


def connection_of(site: Site) -> Any:
    assert soon(lambda: len(site.server._http.server_state.connections) == 1, 5)
    (connection,) = site.server._http.server_state.connections
    return connection


def test_little_is_read_of_what_is_sent_ahead_while_a_request_runs(site: Site):
    send_all_that_is_taken(site.raw(FOLLOW), ASK * 20_000)
    assert soon(lambda: connection_of(site).flow.read_paused, 5)
    assert 0 < len(connection_of(site).conn._receive_buffer) <= 2 * READ_BYTES


def test_little_is_read_ahead_over_https_either(serve: Callable[..., Site], tmp_path: Path):
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    make_certificate(certificate, key)
    site = serve(tls=tls_context(str(certificate), str(key)))
    trusting = ssl.create_default_context(cafile=str(certificate))
    with trusting.wrap_socket(site.raw(), server_hostname="127.0.0.1") as connection:
        send_all_that_is_taken(connection, FOLLOW + ASK * 20_000)
        kept = connection_of(site)
        assert soon(lambda: kept.flow.read_paused, 5)
        protocol = kept.transport._ssl_protocol
        assert len(protocol._ssl_buffer) == READ_BYTES
        assert 0 < len(kept.conn._receive_buffer) <= 2 * RECORD_BYTES
        assert protocol._incoming.pending <= 2 * READ_BYTES


def test_a_body_for_which_nobody_waits_stays_with_its_sender(site: Site, monkeypatch: pytest.MonkeyPatch):
    async def wait(*_: Any) -> None:
        await asyncio.sleep(5)

    monkeypatch.setattr(site.server._http.config, "loaded_app", wait)
    head = b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n"
    send_all_that_is_taken(site.raw(head), b"x" * 900_000)
    assert soon(lambda: connection_of(site).flow is not None and connection_of(site).flow.read_paused, 5)
    assert READ_BYTES < len(connection_of(site).cycle.body) <= 2 * READ_BYTES


def test_a_response_that_is_not_read_waits_in_parts(site: Site):
    assert len(site.get("/api/openapi.json").body) > 4 * WRITE_BYTES
    site.raw(b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100, unread=4096)
    assert soon(lambda: connection_of(site).flow.write_paused, 5)
    assert connection_of(site).transport.get_write_buffer_size() <= 2 * WRITE_BYTES


def test_of_many_responses_that_are_not_read_those_of_whoever_holds_most_go_and_paired_ones_last():
    unsent, ended = UnsentBytes(1000), list[str]()

    def hold(name: str, address: str, size: int, device: str = "") -> Place:
        place = Place(lambda: ended.append(name), address, device=device)
        unsent.hold(place, size)
        return place

    tv = hold("tv", "10.0.0.2", 200)
    hold("phone", "10.0.0.9", 500, "phone")
    hold("flood 1", "10.0.0.9", 100)
    assert ended == []
    hold("flood 2", "10.0.0.9", 250)
    assert ended == ["flood 2"], "the largest of its address"
    unsent.release(tv)
    unsent.release(tv)
    hold("large", "10.0.0.3", 550)
    assert ended == ["flood 2", "flood 1", "large"]
    hold("phone 2", "10.0.0.4", 2000, "other")
    assert ended[3:] == ["phone 2"]
    UnsentBytes(10).hold(tv, 20)
    assert len(ended) == 4, "one alone may be larger"


def test_of_a_body_that_is_too_large_no_more_than_a_small_one_is_kept():
    part = b"x" * 2048
    parts = [part] * 30
    peak = 0

    async def receive() -> dict[str, Any]:
        nonlocal peak
        peak = max(peak, tracemalloc.get_traced_memory()[0])
        return {"type": "http.request", "body": parts.pop(), "more_body": bool(parts)}

    async def never(*_: Any) -> None:
        raise AssertionError("it is refused")

    async def read() -> int:
        tracemalloc.start()
        try:
            before = tracemalloc.get_traced_memory()[0]
            with pytest.raises(Problem) as refusal:
                await BufferedBody(never)({"type": "http", "headers": []}, receive, never)
        finally:
            tracemalloc.stop()
        assert refusal.value.code == "too_large"
        return peak - before

    assert apart(read()) < 16_384


@pytest.mark.parametrize("begun", [b"1;" + b"a" * MOST_FRAMING_BYTES, b"0\r\n" + b"X: y\r\n" * 200])
def test_what_frames_a_chunk_is_short(begun: bytes, site: Site):
    connection = BoundedConnection()
    connection.receive_data(CHUNKED)
    assert isinstance(connection.next_event(), h11.Request)
    connection.receive_data(begun)
    with pytest.raises(h11.RemoteProtocolError):
        connection.next_event()
    with contextlib.closing(site.raw(CHUNKED + begun).makefile("rb")) as answer:
        assert answer.readline() == b"HTTP/1.1 400 Bad Request\r\n"


def test_a_body_in_chunks_with_an_extension_and_a_trailer_is_read(site: Site):
    body = b'{"do":"none"}'
    sent = CHUNKED + b"%x;name=value\r\n%b\r\n0\r\nX: y\r\n\r\n" % (len(body), body)
    with contextlib.closing(site.raw(sent).makefile("rb")) as answer:
        assert answer.readline().split()[1] in {b"415", b"422", b"400"}


@pytest.mark.parametrize("size", [10_000, 60_000, 900_000])
def test_whoever_sends_a_body_that_is_refused_unread_gets_to_read_why(size: int, site: Site):
    connection = site.raw()
    head = f"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\nContent-Length: {size}\r\n\r\n".encode()
    connection.sendall(head + b"x" * size)
    with contextlib.closing(connection.makefile("rb")) as answer:
        assert answer.readline().startswith(b"HTTP/1.1 413 ")
        assert b'"code":"too_large"' in answer.read()
