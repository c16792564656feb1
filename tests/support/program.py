"""The real program in a process of its own, as a stranger would start it."""

import contextlib
import http.client
import itertools
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

from tests.support.forked import started
from web.access.pairing_codes import Codes

_taps = itertools.count(1)

PYTHON = shlex.quote(sys.executable)
"""For a line of the shell."""

BOUND_BY_PERMISSIONS = [] if os.geteuid() else ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]
"""Before a command: what files permit holds for root too."""


UNHURRIED = "[keys]\nsilence_s = 60\nhold_s = 29\n"
"""Settings for slow fingers and eyes: for so long no dialled amount pegs by itself, and no held key at once."""


class Service:
    """`pegboard run` on a port that the system chooses."""

    def __init__(self, state, *options, record=None, command=None, closed=False, module="pegboard", environment=None):
        """`closed` is a table at which phones must be paired, see `code`; `module` is what Python runs.

        `environment` is what it finds there besides.
        """
        self.state, self.record, self.scheme = Path(state), record, "http"
        if command is None:
            whose = "--closed" if closed else "--open"
            command = [sys.executable, "-m", module, "run", "--mock", whose, "--host", "127.0.0.1"]
            command += ["--port", "0", "--state", str(state), *options]
            command += ["--record", str(record)] if record else []
        self.begun_ns = time.monotonic_ns()
        own = os.environ | {"PYTHONUNBUFFERED": "1"} | (environment or {})
        if command[:3] == [sys.executable, "-m", "pegboard"] and not environment:
            self.process = started(command[3:], env=own)
        else:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=own
            )
        self.said, self._clients = [], []
        for line in self.process.stdout:
            self.said.append(line)
            if found := re.match(r"Phone +(https?)://127\.0\.0\.\d:(\d+)/", line):
                self.scheme, self.port = found[1], int(found[2])
                break
        else:
            raise AssertionError(f"pegboard ended with {self.process.wait()}: {''.join(self.said)}")
        self.ready_ns = time.monotonic_ns()

    @property
    def url(self):
        return f"{self.scheme}://127.0.0.1:{self.port}"

    @property
    def pid(self):
        return self.process.pid

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.stop()
        for client in self._clients:
            client.connection.close()
        self.process.stdout.close()

    def kill(self):
        """Pull the plug."""
        self.process.kill()
        self.process.wait()

    def stop(self):
        """End it as systemd would; seconds that took, without those that other machines took from this one."""
        begun, taken_s = time.monotonic(), stolen_s()
        self.process.send_signal(signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(60)
        assert self.process.poll() == 0, self.process.poll()
        return time.monotonic() - begun - (stolen_s() - taken_s)

    def client(self, host="127.0.0.1", role=None):
        """A program that talks to the API; at a closed table a viewer, unless it is paired as its `role`."""
        cookie = None if role is None else "=".join(self.cookie(role))
        self._clients.append(Client(self.port, host, cookie))
        return self._clients[-1]

    def code(self, role="scorer"):
        """A code that pairs a device with this table, as `pegboard code` tells it."""
        codes = Codes.of_table(self.state)
        return (codes.director() if role == "director" else codes.scorer()).text

    def cookie(self, role="scorer"):
        """Name and value of the cookie of a device that has been paired just now."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        body = json.dumps({"code": self.code(role)})
        connection.request("POST", "/api/v1/pair", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        assert answer.status == 200, answer.read()
        connection.close()
        return tuple(answer.headers["Set-Cookie"].partition(";")[0].split("=", 1))

    def recorded(self):
        """The bus transactions and key edges so far; a torn last line is left out."""
        lines = self.record.read_text("ascii").split("\n")[:-1]
        return [json.loads(line) for line in lines]


def stolen_s():
    """Seconds that this machine's host has given to others so far, of an average processor (proc(5): `steal`)."""
    ticks = int(Path("/proc/stat").read_text("ascii").split(maxsplit=9)[8])
    return ticks / os.sysconf("SC_CLK_TCK") / os.cpu_count()


IDLE_S = 2
"""Seconds after which a connection is not used again: one that is silent for 5 may be closed at any moment."""


class Client:
    """A program that talks to the API over one connection, as long as it has much to say."""

    def __init__(self, port, host, cookie=None):
        self.connection, self._heard = http.client.HTTPConnection(host, port, timeout=60), time.monotonic()
        self._own = {} if cookie is None else {"Cookie": cookie}

    def ask(self, method, path, values=None):
        """Status and JSON of an answer."""
        body = None if values is None else json.dumps(values)
        if time.monotonic() - self._heard > IDLE_S:
            self.connection.close()
        is_used = self.connection.sock is not None
        try:
            answer = self._send(method, path, body)
        except (http.client.RemoteDisconnected, ConnectionResetError, BrokenPipeError):
            if not is_used:
                raise
            self.connection.close()  # it was silent for so long on a busy machine that the table closed it just now
            answer = self._send(method, path, body)
        text = answer.read()
        self._heard = time.monotonic()
        return answer.status, json.loads(text) if text else None

    def _send(self, method, path, body):
        self.connection.request(method, path, body, self._own | ({"Content-Type": "application/json"} if body else {}))
        return self.connection.getresponse()

    def state(self):
        return self.ask("GET", "/api/v1/state")[1]

    def command(self, **values):
        values.setdefault("id", f"tap-{os.getpid()}-{next(_taps):020}")
        return self.ask("POST", "/api/v1/commands", values)

    def score(self, seat, points, why=None, seen=None, **more):
        """A tap of a phone that has just looked, or has `seen` this state."""
        state = seen or self.state()
        base = state["lanes"][state["seats"][seat]["lane"]]["revision"]
        values = {"game": state["game"]["id"], "do": "score", "seat": seat, "points": points, "base": base} | more
        return self.command(**values | ({"why": why} if why else {}))

    def key(self, key, level):
        status, problem = self.ask("POST", "/api/v1/bench/keys", {"key": key, "level": level})
        assert status == 204, problem

    def press(self, key):
        self.key(key, "down")
        self.key(key, "up")
