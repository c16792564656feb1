"""The running service: started anew by systemd, and asked how it is over HTTP."""

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
"""A hub of the same version, where its owner runs one."""

ADDRESS = "pairing.json"
"""The file in the state folder in which a table notes its address."""

ASK_S = 2.0
"""Timeout in seconds of one request."""

POLL_S = 0.1

MOST_BYTES = 2**20
"""More than a table notes or answers."""


@dataclass(frozen=True, slots=True)
class ServiceState:
    """What systemd says of the service.

    Attributes:
        active: ActiveState, such as "active", "activating" or "failed".
        sub: SubState, such as "running", or "auto-restart" while it waits to be started again.
        run: InvocationID, another for each start.
        status: the exit status of its last run; after a signal 128 and its number, as a shell has it.
        restarts: how often systemd has started it again since somebody did (NRestarts).
        result: how its last run, or the try to start it, has ended (Result), such as "start-limit-hit".
    """

    active: str
    sub: str
    run: str
    status: int
    restarts: int = 0
    result: str = ""

    @property
    def was_started_too_often(self) -> bool:
        """Whether systemd takes no further start, whoever asked for it (systemd.unit(5), StartLimitBurst)."""
        return self.result == "start-limit-hit"

    @property
    def ran_out_of_memory(self) -> bool:
        """Whether the kernel has ended it for its memory: strangers who ask for much may do that to any version."""
        return self.result == "oom-kill"


class SystemdService:
    """The service of this machine, where systemd runs."""

    def __init__(self, state: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """`state` is the folder in which the service notes its address; `clock` is in seconds."""
        self._state, self.clock = state, clock

    @staticmethod
    def is_managed() -> bool:
        """Whether systemd runs here; in a root of another machine it does not."""
        return Path("/run/systemd/system").is_dir()

    def restart(self) -> None:
        """Start it anew, and a hub that runs beside it, without waiting until they are ready."""
        _systemctl("reset-failed", UNIT)
        _systemctl("restart", "--no-block", UNIT)
        _systemctl("try-restart", "--no-block", HUB_UNIT)

    def start(self) -> None:
        """Start it where it does not run, without waiting until it is ready."""
        _systemctl("reset-failed", UNIT)
        _systemctl("start", "--no-block", UNIT)

    def stop_listening(self) -> None:
        """Close its socket, so that no phone starts it by asking; whoever starts it by hand opens that again."""
        _systemctl("stop", SOCKET)

    def look(self) -> ServiceState:
        """What systemd says of it now."""
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
        """The version that answers; None where none does."""
        health = self.ask("/api/v1/health")
        return None if health is None else str(part_of(health, "service").get("version"))

    def is_playing(self) -> bool:
        """Whether a game has been begun and is not over."""
        state = self.ask("/api/v1/state") or {}
        return bool(state.get("entries")) and not part_of(state, "game").get("over")

    def ask(self, path: str) -> dict[str, Any] | None:
        """The JSON that the service answers with; None where it does not."""
        return ask(self._state, path)

    def pause(self) -> None:
        """Wait a moment before looking again."""
        time.sleep(POLL_S)

    def fault(self) -> str:
        """The last line that the service wrote into the log before it ended, without what is private."""
        lines = _run("journalctl", "-u", UNIT, "-n", "20", "-o", "cat", "--no-pager").stdout.splitlines()
        return next((line for line in reversed(lines) if line.startswith("pegboard: ")), "").removeprefix("pegboard: ")


def ask(state: Path, path: str) -> dict[str, Any] | None:
    """The JSON that the table answers with whose state folder this is; None where there is none."""
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
    """A connection to a table, which is shut down after so many seconds: a timeout alone begins anew with each byte.

    Over TLS (`is_secure`) any certificate will do: nothing secret is sent.

    Raises:
        OSError: it cannot be connected.
    """
    connection = http.client.HTTPConnection(address, port, timeout=most_s)
    with contextlib.closing(connection):
        connection.connect()
        if is_secure:
            context = ssl._create_unverified_context()  # noqa: S323, SLF001 - see above
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


def part_of(values: dict[str, Any] | None, name: str) -> dict[str, Any]:
    """A part of an answer, which is the account's word; empty where it is missing or something else."""
    part = (values or {}).get(name)
    return part if isinstance(part, dict) else {}


def _systemctl(*words: str) -> subprocess.CompletedProcess[str]:
    return _run("systemctl", *words)


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603
