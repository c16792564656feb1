"""WSGI environ and response, held to PEP 3333 by the checker of the standard library, and to its reference server."""

import threading
from collections.abc import Callable, Iterable
from http.client import HTTPConnection
from typing import Any
from wsgiref.simple_server import WSGIRequestHandler, make_server
from wsgiref.validate import validator

import pytest

from web.http.asgi import call_wsgi, environ_of

BODY = b'{"do": "score"}'

HEADERS = [
    (b"host", b"pegboard.local:8080"),
    (b"content-type", b"application/json"),
    (b"content-length", str(len(BODY)).encode()),
    (b"x-twice", b"one"),
    (b"x-twice", b"two"),
    (b"cookie", b"language=fr"),
]

SCOPE: dict[str, Any] = {
    "type": "http",
    "http_version": "1.1",
    "method": "POST",
    "scheme": "http",
    "path": "/history/café &b",
    "raw_path": b"/history/caf%C3%A9%20&b",
    "query_string": b"player=Ann%20B&limit=3",
    "root_path": "",
    "headers": HEADERS,
    "client": ("192.168.1.23", 50123),
    "server": ("127.0.0.1", 8080),
}
"""A request as the ASGI specification has it: the path decoded, the query and the headers as bytes."""


def respond(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
    size = int(environ["CONTENT_LENGTH"])
    start_response("200 OK", [("Content-Type", "text/plain"), ("X-Size", str(size))])
    return [environ["wsgi.input"].read(size)[:6], b"..."]


def test_environ_and_response_pass_the_checker_of_the_standard_library():
    status, headers, body = call_wsgi(validator(respond), SCOPE, BODY)
    assert (status, body) == (200, BODY[:6] + b"...")
    assert headers == [(b"content-type", b"text/plain"), (b"x-size", str(len(BODY)).encode())]


class Silent(WSGIRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


def reference_environ() -> dict[str, Any]:
    """What the standard library's own server makes of the same request."""
    seen: dict[str, Any] = {}

    def remember(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        seen.update(environ)
        start_response("204 No Content", [])
        return []

    with make_server("127.0.0.1", 0, remember, handler_class=Silent) as server:
        thread = threading.Thread(target=server.handle_request)
        thread.start()
        connection = HTTPConnection("127.0.0.1", server.server_port, timeout=60)
        target = f"{SCOPE['raw_path'].decode()}?{SCOPE['query_string'].decode()}"
        connection.putrequest("POST", target, skip_host=True, skip_accept_encoding=True)
        for name, value in HEADERS:
            connection.putheader(name.decode(), value)
        connection.endheaders(BODY)
        connection.getresponse().read()
        connection.close()
        thread.join()
    return seen


REQUEST = ("REQUEST_METHOD", "SCRIPT_NAME", "PATH_INFO", "QUERY_STRING", "CONTENT_TYPE", "CONTENT_LENGTH")


def test_environ_says_of_a_request_what_the_reference_server_says():
    ours, theirs = environ_of(SCOPE, BODY), reference_environ()
    about = [name for name in theirs if name in REQUEST or name.startswith("HTTP_")]
    assert len(about) == 9
    assert {name: ours.get(name) for name in about} == {name: theirs[name] for name in about}


def test_a_header_with_an_underscore_is_not_taken_for_the_one_with_a_dash():
    more = [(b"content_length", b"5"), (b"Content_Type", b"text/plain"), (b"x_forwarded", b"me")]
    assert environ_of(SCOPE | {"headers": [*SCOPE["headers"], *more]}, BODY) | {"wsgi.input": None} == (
        environ_of(SCOPE, BODY) | {"wsgi.input": None}
    )


@pytest.mark.parametrize(
    ("change", "variables"),
    [
        ({"client": None}, {"REMOTE_ADDR": None}),
        ({}, {"REMOTE_ADDR": "192.168.1.23", "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "8080"}),
        ({"server": None}, {"SERVER_NAME": "localhost", "SERVER_PORT": "80"}),
        ({"scheme": "https"}, {"wsgi.url_scheme": "https"}),
        ({"http_version": "1.0"}, {"SERVER_PROTOCOL": "HTTP/1.0"}),
    ],
)
def test_environ_names_both_ends_of_the_connection(change: dict[str, Any], variables: dict[str, Any]):
    environ = environ_of(SCOPE | change, b"")
    assert {name: environ.get(name) for name in variables} == variables


def test_a_response_is_closed_even_when_it_fails():
    closed = []

    class Broken:
        def __iter__(self) -> Any:
            raise ConnectionError

        def close(self) -> None:
            closed.append(True)

    with pytest.raises(ConnectionError):
        call_wsgi(lambda _environ, _start: Broken(), SCOPE, b"")
    assert closed


def test_chunks_that_are_written_come_before_those_that_are_returned():
    def write(_: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        start_response("201 Created", [("Content-Length", "6")])(b"Ann")
        return [b"Bob"]

    assert call_wsgi(write, SCOPE, b"") == (201, [], b"AnnBob")
