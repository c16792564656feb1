"""What the installer asks the running table, on a real one."""

import contextlib
import json
import os
import socket
import threading
import time
from types import SimpleNamespace

import pytest

from pegboard.install import service_control
from pegboard.install.service_control import SystemdService, ask
from pegboard.startup import start_notice
from tests.support.program import Service


def test_a_game_is_being_played_from_its_first_line_to_its_end(tmp_path):
    """Between two deals too, where nothing of the deal has been scored yet."""
    state = tmp_path / "state"
    with Service(state) as table:
        service, client = SystemdService(state), table.client()
        assert not service.is_playing()
        for seat, points, why in ((1, 2, "play"), (1, 8, "hand"), (0, 6, "hand"), (0, 4, "crib")):
            assert client.score(seat, points, why)[0] == 201
            assert service.is_playing()
        for points in (29, 29, 29, 24):
            assert client.score(0, points)[0] == 201
        assert not service.is_playing()
    assert not service.is_playing()


@pytest.mark.parametrize(("code", "status", "expected"), [(1, 2, 2), (2, 2, 130), (3, 11, 139), (0, 0, 0)])
def test_death_by_a_signal_is_no_exit_status(tmp_path, monkeypatch, code, status, expected):
    """ExecMainCode is a code of waitid(2): 1 it has ended by itself, 2 by a signal, 3 with a core."""
    shown = f"ActiveState=failed\nExecMainCode={code}\nExecMainStatus={status}\nNRestarts=4\n"
    monkeypatch.setattr(service_control, "_systemctl", lambda *_: SimpleNamespace(stdout=shown))
    assert SystemdService(tmp_path).look().status == expected


def test_a_hub_that_runs_is_started_anew_with_the_table_and_one_that_does_not_stays_so(tmp_path, monkeypatch):
    """Else it would go on in a version whose files the next but one removes (systemctl(1): try-restart)."""
    lines = []
    monkeypatch.setattr(service_control, "_systemctl", lambda *words: lines.append(" ".join(words)))
    SystemdService(tmp_path).restart()
    assert lines[1:] == ["restart --no-block pegboard.service", "try-restart --no-block pegboard-hub.service"]


@pytest.mark.parametrize(
    "note", ["", "[" * 100_000, '{"table": {"url": 5}}', '{"table": {"url": "http://127.0.0.1:port/"}}', "null"]
)
def test_an_address_that_makes_no_sense_is_none(tmp_path, note):
    (tmp_path / "pairing.json").write_text(note, "utf-8")
    assert ask(tmp_path, "/api/v1/health") is None


def test_a_pipe_in_place_of_the_address_keeps_nobody_waiting(tmp_path):
    """The folder is the account's, and root asks."""
    os.mkfifo(tmp_path / "pairing.json")
    answers = []
    thread = threading.Thread(target=lambda: answers.append(ask(tmp_path, "/api/v1/health")), daemon=True)
    thread.start()
    thread.join(60)
    assert answers == [None]


@pytest.fixture
def answering(tmp_path):
    """Makes a table's folder whose address answers so, a part of it after every so many seconds."""
    with contextlib.ExitStack() as cleanup:

        def answer(content, every_s=0.0):
            listening = cleanup.enter_context(socket.create_server(("127.0.0.1", 0)))

            def serve():
                with contextlib.suppress(OSError):
                    while True:
                        with contextlib.suppress(ConnectionError), listening.accept()[0] as connection:
                            connection.recv(4096)
                            connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Length: {len(content)}\r\n\r\n".encode())
                            for letter in content if every_s else [content]:
                                connection.sendall(letter.encode())
                                time.sleep(every_s)

            threading.Thread(target=serve, daemon=True).start()
            port = listening.getsockname()[1]
            (tmp_path / "pairing.json").write_text(json.dumps({"table": {"url": f"http://127.0.0.1:{port}/"}}))
            return port

        yield answer


@pytest.mark.parametrize("body", ['{"service": []}', '{"service": null}', '{"service": {"version": {}}}', "[]"])
def test_a_version_that_makes_no_sense_is_no_version(tmp_path, answering, body):
    answering(body)
    assert SystemdService(tmp_path).version() in {None, "None", "{}"}


@pytest.mark.parametrize("body", ['{"entries": [1], "game": null}', '{"entries": [1], "game": []}'])
def test_a_game_that_makes_no_sense_counts_as_being_played(tmp_path, answering, body):
    answering(body)
    assert SystemdService(tmp_path).is_playing()


def test_an_answer_that_drips_keeps_nobody_waiting(tmp_path, answering, monkeypatch):
    """The timeout of a socket begins anew with each byte."""
    monkeypatch.setattr(service_control, "ASK_S", 0.3)
    monkeypatch.setattr(start_notice, "TIMEOUT_S", 0.3)
    port, answers = answering(" " * 100_000, 0.1), []
    looks = (lambda: ask(tmp_path, "/api/v1/state"), lambda: start_notice.url_on("127.0.0.1", port))
    asking = threading.Thread(target=lambda: answers.extend(look() for look in looks), daemon=True)
    asking.start()
    asking.join(60)
    assert answers == [None, None]
