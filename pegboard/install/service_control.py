"""Service control: restart, start and state of the systemd service; version, health and running game over HTTP."""

import contextlib
import http.client
import json
import os
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from pegboard.install.director_updates import read_regular

UNIT, SOCKET = "pegboard.service", "pegboard.socket"

HUB_UNIT = "pegboard-hub.service"
"""The hub's service, of the same version, if the machine's owner runs a hub."""

ADDRESS = "pairing.json"
"""The file in the state folder in which a table stores its address."""

ASK_S = 2.0
"""Timeout in seconds of one request."""

POLL_S = 0.1

MOST_BYTES = 2**20
"""Size limit in bytes, larger than any address file or response of a table."""


@dataclass(frozen=True, slots=True)
class ServiceState:
    """The service's state as systemd reports it.

    Attributes:
        active: the ActiveState, such as "active", "activating" or "failed".
        sub: the SubState, such as "running", or "auto-restart" while the service waits for its restart.
        run: the InvocationID, unique to each start.
        status: the exit status of the last run; after a signal, 128 plus the signal's number, as in a shell.
        restarts: the number of automatic restarts since the last manual start (NRestarts).
        result: how the last run or start attempt ended (Result), such as "start-limit-hit".
    """

    active: str
    sub: str
    run: str
    status: int
    restarts: int = 0
    result: str = ""

    @property
    def start_limit_reached(self) -> bool:
        """Whether the start limit is reached, by manual or automatic starts (systemd.unit(5), StartLimitBurst)."""
        return self.result == "start-limit-hit"

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether the kernel's OOM killer ended the service; requests by strangers could cause that in any version."""
        return self.result == "oom-kill"


class SystemdService:
    """The systemd service on this machine."""

    def __init__(self, state: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """`state` is the folder in which the service stores its address; `clock` is in seconds."""
        self._state, self.clock = state, clock

    @staticmethod
    def is_managed() -> bool:
        """Whether systemd runs on this machine; in a chroot it does not."""
        return Path("/run/systemd/system").is_dir()

    def restart(self) -> None:
        """Restart the service, and its hub if one is running, without waiting until they are ready."""
        _systemctl("reset-failed", UNIT)
        _systemctl("restart", "--no-block", UNIT)
        _systemctl("try-restart", "--no-block", HUB_UNIT)

    def start(self) -> None:
        """Start the service if it is not running, without waiting until it is ready."""
        _systemctl("reset-failed", UNIT)
        _systemctl("start", "--no-block", UNIT)

    def stop_listening(self) -> None:
        """Close the service's socket, so that no phone's request starts the service; a manual start reopens it."""
        _systemctl("stop", SOCKET)

    def look(self) -> ServiceState:
        """The service's current state, from `systemctl show`."""
        names = "ActiveState,SubState,InvocationID,ExecMainCode,ExecMainStatus,NRestarts,Result"
        shown = _systemctl("show", UNIT, "-p", names).stdout
        values = dict(line.split("=", 1) for line in shown.splitlines() if "=" in line)
        active, sub, run = (values.get(name, "") for name in ("ActiveState", "SubState", "InvocationID"))
        code, status, restarts = (
            int(values.get(name) or 0) for name in ("ExecMainCode", "ExecMainStatus", "NRestarts")
        )
        by_signal = 128 if code in {os.CLD_KILLED, os.CLD_DUMPED} else 0
        return ServiceState(active, sub, run, status + by_signal, restarts, values.get("Result", ""))

    def version(self) -> str | None:
        """The version that the service reports; None if it does not answer."""
        health = self.ask("/api/v1/health")
        return None if health is None else str(object_in(health, "service").get("version"))

    def is_playing(self) -> bool:
        """Whether a game is being played: it has lines and is not over."""
        state = self.ask("/api/v1/state") or {}
        return bool(state.get("entries")) and not object_in(state, "game").get("over")

    def ask(self, path: str) -> dict[str, Any] | None:
        """The service's JSON response to a request of `path`; None if the service does not answer."""
        return ask(self._state, path)

    def pause(self) -> None:
        """Wait before the next poll."""
        time.sleep(POLL_S)

    def fault(self) -> str:
        """The last "pegboard: " line of the service's log, without that prefix, or ""; other lines may be private."""
        lines = _run("journalctl", "-u", UNIT, "-n", "20", "-o", "cat", "--no-pager").stdout.splitlines()
        return next((line for line in reversed(lines) if line.startswith("pegboard: ")), "").removeprefix("pegboard: ")


def ask(state: Path, path: str) -> dict[str, Any] | None:
    """The JSON response of the table with this state folder to a request of `path`; None if it does not answer."""
    try:
        table = json.loads(read_regular(state / ADDRESS, MOST_BYTES))["table"]
        url = urlsplit(table["url"])
        port = url.port or (443 if url.scheme == "https" else 80)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    for address in ("127.0.0.1", url.hostname or "127.0.0.1"):
        with (
            contextlib.suppress(OSError, ValueError, RecursionError, http.client.HTTPException),
            connect(address, port, ASK_S, is_secure=url.scheme == "https") as connection,
        ):
            connection.request("GET", path)
            values = json.loads(connection.getresponse().read(MOST_BYTES))
            return values if isinstance(values, dict) else None
    return None


@contextlib.contextmanager
def connect(address: str, port: int, most_s: float, *, is_secure: bool) -> Iterator[http.client.HTTPConnection]:
    """A connection to a table with a total timeout of `most_s` seconds; a socket timeout restarts with each byte.

    Over TLS (`is_secure`) any certificate is accepted, since nothing secret is sent.

    Raises:
        OSError: the connection fails.
    """
    connection = http.client.HTTPConnection(address, port, timeout=most_s)
    with contextlib.closing(connection):
        connection.connect()
        if is_secure:
            context = ssl._create_unverified_context()  # noqa: S323, SLF001 - nothing secret is sent
            connection.sock = context.wrap_socket(connection.sock, do_handshake_on_connect=False)
        ends = threading.Timer(most_s, _shut_down, [connection.sock])
        ends.daemon = True
        ends.start()
        try:
            if isinstance(connection.sock, ssl.SSLSocket):
                connection.sock.do_handshake()
            yield connection
        finally:
            ends.cancel()


def _shut_down(connected: socket.socket) -> None:
    with contextlib.suppress(OSError):
        socket.socket.shutdown(connected, socket.SHUT_RDWR)


def object_in(values: dict[str, Any] | None, name: str) -> dict[str, Any]:
    """An object inside an untrusted response; empty if it is missing or not an object."""
    part = (values or {}).get(name)
    return part if isinstance(part, dict) else {}


def _systemctl(*words: str) -> subprocess.CompletedProcess[str]:
    return _run("systemctl", *words)


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
