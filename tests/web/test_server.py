"""The server on its socket: taken ports, peers that are slow or silent, and how it ends."""

import contextlib
import errno
import socket
import ssl
import threading
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch

import pytest
import uvicorn

from pegboard.errors import SettingError
from pegboard.table.scoreboard import Scoreboard
from tests.bench.viewers import cut_off
from tests.support.waiting import soon
from tests.support.web_server_and_clients import Site, Watcher
from tests.web.access.test_access_of_real_program import make_certificate
from web.http import connections, listener, request_body, uvicorn_server
from web.http.connections import SPARE
from web.http.listener import listen
from web.kit import site as site_module
from web.table import server as server_module

HEAD = (
    b"POST /api/v1/commands HTTP/1.1\r\nHost: localhost\r\n"
    b"Content-Type: application/json\r\nContent-Length: 100\r\n\r\n"
)


def test_a_taken_port_is_said_in_one_sentence(serve: Callable[..., Site]):
    port = serve().port
    sentence = f"another program is using port {port}; stop it, or choose another port with --port"
    with pytest.raises(SettingError) as refusal:
        serve(port=port)
    assert str(refusal.value) == sentence


def test_an_address_of_another_machine_is_said():
    with pytest.raises(SettingError, match="is not an address of this machine; choose one with --host"):
        listen("192.0.2.1", 0)


def test_a_host_that_is_none_is_said():
    with pytest.raises(SettingError, match="'no such host' is not an address to listen on"):
        listen("no such host", 0)


def test_a_port_that_needs_rights_is_said():
    refused = OSError(errno.EACCES, "Permission denied")
    with (
        patch.object(socket.socket, "bind", side_effect=refused),
        pytest.raises(SettingError, match="no permission for port"),
    ):
        listen("127.0.0.1", 80)


def test_every_connection_notices_a_phone_that_has_left(site: Site):
    site.watch()
    (connection,) = site.server._http.server_state.connections
    accepted = connection.transport.get_extra_info("socket")
    assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 20_000
    assert accepted.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE) == 1
    assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= 10


def end_lines(watchers: list[Watcher]) -> None:
    """Let these lines die without a word; where only root may, the system ends them as it would after `GONE_MS`."""
    for watcher in watchers:
        try:
            cut_off(watcher.connection)
        except PermissionError:
            print("only root may let a line die without a word here: the system is asked how long it would wait")
            watcher.reset()


def test_a_viewer_whose_line_is_dead_is_gone(serve: Callable[..., Site], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(listener, "GONE_MS", 300)
    site = serve()
    watchers = [site.watch() for _ in range(3)]
    accepted = [one.transport.get_extra_info("socket") for one in site.server._http.server_state.connections]
    assert [one.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) for one in accepted] == [300] * 3
    end_lines(watchers[1:])
    site.score(0, 5)
    soon(lambda: site.get("/api/v1/health").json["service"]["viewers"] == 1)  # who is there stays


def test_ipv6_is_listened_on_where_it_is_asked_for(serve: Callable[..., Site]):
    site = serve(host="::")
    assert site.get("/api/v1/state").status == 200
    with socket.create_connection(("::1", site.port)) as connection:
        connection.sendall(b"GET /api/v1/state HTTP/1.1\r\nHost: [::1]\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 200 ")


def test_the_port_is_free_again_at_once(serve: Callable[..., Site]):
    site = serve()
    watchers = [site.watch() for _ in range(5)]
    port = site.port
    site.server.stop()
    again = serve(port=port)
    assert again.get("/api/v1/state").status == 200
    assert len(watchers) == 5


def test_a_body_that_does_not_come_is_given_up(serve: Callable[..., Site], monkeypatch: pytest.MonkeyPatch):
    impatient = lambda app, most_bytes=request_body.MAX_BYTES, *_: request_body.BufferedBody(app, most_bytes, 0.1)  # noqa: E731
    monkeypatch.setattr(server_module, "BufferedBody", impatient)
    site = serve()
    with site.as_it_was():
        answer = _all_of(site.raw(HEAD + b'{"do"'))
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"code":"too_slow"' in answer


def test_slow_bodies_hold_nobody_up(serve: Callable[..., Site], monkeypatch: pytest.MonkeyPatch):
    patient = lambda app, most_bytes=request_body.MAX_BYTES, *_: request_body.BufferedBody(app, most_bytes, 600)  # noqa: E731
    monkeypatch.setattr(server_module, "BufferedBody", patient)
    site = serve()
    slow = [site.raw(HEAD + b'{"do"') for _ in range(40)]
    assert site.score(0, 5).status == 201
    assert len(slow) == 40


def test_those_who_do_not_read_their_answers_hold_nobody_up(site: Site):
    asking = b"GET /api/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n" * 10
    deaf = [site.raw(asking) for _ in range(20)]
    assert site.score(0, 5).status == 201
    assert len(deaf) == 20


def test_silent_connections_lock_nobody_out_of_a_table_with_https(
    serve: Callable[..., Site], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    monkeypatch.setattr(site_module, "HANDSHAKE_S", 600.0)
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    make_certificate(certificate, key)
    tls = listener.tls_context(str(certificate), str(key))
    site = serve(tls=tls, throttle_loopback=True, connections_per_address=2)
    silent = [site.raw() for _ in range(20)]
    assert all(_is_closed(connection) for connection in silent[2 + SPARE :]), "beyond what an address may have"
    monkeypatch.setattr(site_module, "HANDSHAKE_S", 0.1)
    site = serve(tls=tls, throttle_loopback=True, connections_per_address=2)
    silent = [site.raw() for _ in range(20)]
    assert all(_is_closed(connection) for connection in silent)
    until_all_handshakes_are_done(site)
    trusting = ssl.create_default_context(cafile=str(certificate))
    with trusting.wrap_socket(site.raw(), server_hostname="127.0.0.1") as connection:
        connection.sendall(b"GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert connection.recv(100).startswith(b"HTTP/1.1 200 ")
    until_all_handshakes_are_done(site)


def until_all_handshakes_are_done(site: Site):
    """Until the server has seen that whoever has not shaken hands is gone."""
    soon(lambda: not site.server._listener._in_handshake)


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost:"])
def test_a_silent_connection_is_closed(site: Site, monkeypatch: pytest.MonkeyPatch, begun):
    monkeypatch.setattr(uvicorn_server, "REQUEST_HEAD_S", 0.1)
    connection = site.raw(begun)
    assert _is_closed(connection)


def test_a_second_request_may_not_be_silent_either(site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(uvicorn_server, "REQUEST_HEAD_S", 0.1)
    connection = site.raw(b"GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200 ")
    connection.sendall(b"GET /api")
    assert _is_closed(connection)


def test_a_stream_may_be_silent(site: Site):
    watcher = site.watch()
    watcher.next()
    (connection,) = site.server._http.server_state.connections
    assert connection._head_timer is None
    state = site.score(0, 5).json["state"]
    assert watcher.next().data == state


def test_requests_on_one_connection_are_answered_in_turn(site: Site):
    connection = site.raw(b"GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\n\r\n" * 3)
    connection.settimeout(60)
    answer = b""
    while answer.count(b"HTTP/1.1 200 ") < 3 or not answer.endswith(b"}"):
        answer += (part := connection.recv(65536))
        assert part


def test_a_command_under_way_is_finished_and_answered_before_the_end(site: Site, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(uvicorn_server, "DRAIN_S", 10.0)  # as long as this machine may stand still meanwhile
    monkeypatch.setattr(site_module, "STOP_S", 10.0)
    handle = Scoreboard.handle
    begun, stopping = threading.Event(), threading.Event()
    site.server._http._on_stop = (*site.server._http._on_stop, stopping.set)

    def slowly(*args: object, **named: object) -> object:
        begun.set()
        assert stopping.wait(60)
        return handle(*args, **named)

    answers = []
    with patch.object(Scoreboard, "handle", slowly):
        asking = threading.Thread(target=lambda: answers.append(site.score(0, 5)))
        asking.start()
        assert begun.wait(60)
        site.server.stop()
        asking.join(60)
    assert [answer.status for answer in answers] == [201]


def test_idle_nothing_wakes_its_event_loop(site: Site):
    """uvicorn itself has a tick of ten a second."""
    site.get("/api/v1/state")
    soon(lambda: not site.server._http.server_state.connections)
    seen: list[list[object]] = []
    for looks in range(1, 21):
        site.server._http.post(lambda: seen.append(_timers(site)))
        soon(lambda looks=looks: len(seen) == looks)
    assert seen == [[]] * 20


def test_a_server_to_which_nobody_is_connected_does_not_wait_for_connections(site: Site, monkeypatch):
    site.get("/api/v1/state")
    soon(lambda: not site.server._http.server_state.connections)
    waits: list[object] = []
    monkeypatch.setattr(uvicorn.Server, "shutdown", lambda *_: waits.append("for connections to drain"))
    site.server.stop()
    assert not site.server._thread.is_alive()
    assert waits == []


def test_stopping_leaves_no_descriptor_open(serve: Callable[..., Site]):
    before = _descriptors()
    site = serve()
    watchers = [site.watch() for _ in range(10)]
    site.server.stop()
    for watcher in watchers:
        watcher._file.close()
        watcher.connection.close()
    site.journal.close()
    assert _descriptors() <= before


def test_many_viewers_get_descriptors_as_far_as_the_system_allows():
    with patch.object(connections, "resource") as system:
        system.RLIM_INFINITY = -1
        system.getrlimit.return_value = (1024, 4096)
        assert connections.most_connections(1024) == 1024 + 128
        (_, limits) = system.setrlimit.call_args.args
        assert limits == (1280, 4096)
        system.getrlimit.return_value = (256, 256)
        assert connections.most_connections(1024) == 128


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def _timers(site: Site) -> list[object]:
    """What the event loop does later."""
    return [timer for timer in site.server._http._event_loop._scheduled if not timer.cancelled()]


def _all_of(connection: socket.socket) -> bytes:
    answer = b""
    while part := connection.recv(65536):
        answer += part
    return answer


def _is_closed(connection: socket.socket) -> bool:
    """Whether the other side ends it; a time-out says that it does not."""
    with contextlib.suppress(ConnectionResetError):
        _all_of(connection)
    return True
