"""Sockets that systemd has opened: the real program answers at them, or shuts them where its settings say otherwise."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from pegboard import systemd
from tests.support.waiting import soon

STARTER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ["LISTEN_PID"] = str(os.getpid())
os.environ["LISTEN_FDS"] = "1"
os.execv(sys.executable, [sys.executable, "-m", "pegboard", "run", "--mock", *sys.argv[2:]])
"""


@contextlib.contextmanager
def table(listener, state, *options):
    """The real program with a listening socket as its descriptor 3; ready when it says so."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.bind(str(state.parent / "notify"))
        ready.settimeout(60)

        process = subprocess.Popen(
            [sys.executable, "-c", STARTER, str(listener.fileno()), "--state", str(state), *options],
            env=os.environ | {"NOTIFY_SOCKET": str(state.parent / "notify")},
            pass_fds=(listener.fileno(),),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        try:
            assert ready.recv(64) == b"READY=1"
            yield process
        finally:
            process.send_signal(signal.SIGTERM)
            process.communicate(timeout=60)
            (state.parent / "notify").unlink()


@pytest.fixture
def listener():
    """A socket as pegboard.socket has it: IPv6 and IPv4, on all addresses of this machine's loopback here."""
    with socket.socket(socket.AF_INET6) as one:
        one.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        one.bind(("::ffff:127.0.0.1", port))  # by its number, as systemd does: a shut socket would lose another
        one.listen(5)
        yield one


def address_of(state):
    return json.loads((state / "pairing.json").read_text())["table"]["url"]


def is_refused(port):
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def test_the_pages_are_at_the_socket_of_systemd_for_ipv4_and_the_address_says_so(tmp_path, listener):
    port = listener.getsockname()[1]
    with table(listener, tmp_path / "state", "--closed"):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/health", timeout=60) as answer:
            assert answer.status == 200
        soon((tmp_path / "state" / "pairing.json").exists)
        assert f":{port}/" in address_of(tmp_path / "state")


def test_a_table_at_a_socket_of_systemd_is_not_open_to_everybody(tmp_path, listener):
    with table(listener, tmp_path / "state"):
        soon((tmp_path / "state" / "pairing.json").exists)
        assert json.loads((tmp_path / "state" / "pairing.json").read_text())["table"]["open"] is False


@pytest.mark.sampled
@pytest.mark.parametrize("how", ["option", "file"])
def test_a_socket_is_shut_where_the_settings_name_an_address_and_lives_again_at_the_next_start(tmp_path, listener, how):
    port = listener.getsockname()[1]
    settings = tmp_path / "pegboard.toml"
    settings.write_text('[web]\nhost = "127.0.0.1"\nport = 0\n')
    options = ["--host", "127.0.0.1", "--port", "0"] if how == "option" else ["--config", str(settings)]
    with table(listener, tmp_path / "state", *options):
        assert is_refused(port)
        soon((tmp_path / "state" / "pairing.json").exists)
        with urllib.request.urlopen(f"{address_of(tmp_path / 'state')}api/v1/health", timeout=60) as answer:
            assert answer.status == 200
    with table(listener, tmp_path / "state", "--closed"):
        assert not is_refused(port)


def test_sockets_for_another_process_are_left_alone(monkeypatch):
    monkeypatch.setenv("LISTEN_PID", str(os.getpid() + 1))
    monkeypatch.setenv("LISTEN_FDS", "1")
    assert systemd.inherited_sockets() == []
    assert "LISTEN_FDS" not in os.environ


def test_no_code_goes_into_the_log_of_the_system(tmp_path):
    """systemd.exec(5): JOURNAL_STREAM names the device and the inode of what goes there."""
    with (tmp_path / "log").open("w+") as log:
        found = os.fstat(log.fileno())
        words = [
            sys.executable,
            "-m",
            "pegboard",
            "run",
            "--mock",
            "--closed",
            "--port",
            "0",
            "--state",
            str(tmp_path / "state"),
        ]
        own = {"JOURNAL_STREAM": f"{found.st_dev}:{found.st_ino}", "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(words, stdout=log, stderr=log, env=os.environ | own)
        try:
            soon(lambda: "sudo pegboard code" in (tmp_path / "log").read_text())
            state = json.loads((tmp_path / "state" / "pairing.json").read_text())
        finally:
            process.terminate()
            process.wait(60)
        said = (tmp_path / "log").read_text()
    codes = [code["text"] for code in (*state["scorer"], *state["director"])]
    assert codes
    assert not [code for code in codes if code in said]
    assert "/j/" not in said
