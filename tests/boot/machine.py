"""A Debian machine with systemd as its first process, on a disk of `build_image`: reached by ssh and over HTTP."""

import abc
import contextlib
import http.client
import json
import shlex
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

IMAGE = Path(__file__).with_name("build_image")

SSH, TABLE, HUB = 22, 80, 8090
"""The ports at which a machine is reached: ssh, the table's pages, and a hub's."""


class Machine(abc.ABC):
    """One machine; its disk stays when it is switched off. `qemu` and `container` are its two kinds."""

    at_full_speed = False
    """Whether its times are those of this machine, to be held against the budgets."""

    @property
    def speed(self):
        """What is to be said beside a time that was measured here."""
        return "" if self.at_full_speed else " (emulated: some ten times slower than a machine)"

    unproved = frozenset()
    """What the sandbox is asked here without being proved, as the probe of test_service names it."""

    address = "127.0.0.1"
    ports: Mapping = MappingProxyType({port: port for port in (SSH, TABLE, HUB)})
    """Where each port of the machine is reached, at `address`."""

    within = ()
    """The words of a command that runs another one in the network from which the machine is reached."""

    def __init__(self, suite):
        made = subprocess.run([IMAGE, suite], stdout=subprocess.PIPE, text=True, check=True)
        self.image = Path(made.stdout.strip())

    @abc.abstractmethod
    def start(self):
        """Switch on, and wait until somebody can log in."""

    @abc.abstractmethod
    def pull_plug(self):
        """Cut the power: what the machine has not written to its disk is lost."""

    def run(self, line, *, check=True, timeout=300):
        """Run a line of the shell as root."""
        words = ["ssh", *self._key(), "-p", str(self.ports[SSH]), f"root@{self.address}"]
        words = [*self.within, *words, f"exec bash -c {shlex.quote(line)}"]
        ran = subprocess.run(words, capture_output=True, text=True, check=False, timeout=timeout)
        assert not check or ran.returncode == 0, f"{line}: {ran.returncode}\n{ran.stdout}{ran.stderr}"
        return ran

    def says(self, line):
        """What a line of the shell prints, as root."""
        return self.run(line).stdout.strip()

    def copy(self, *paths):
        """Copy files and folders into root's home."""
        words = [*self.within, "scp", "-q", "-r", *self._key(), "-P", str(self.ports[SSH]), *map(str, paths)]
        subprocess.run([*words, f"root@{self.address}:"], check=True)

    def dial(self, timeout, port=TABLE):
        """A connection to a port of the machine."""
        return socket.create_connection((self.address, self.ports[port]), timeout)

    def ask(self, method, path, body=None, timeout=10, port=TABLE, **headers):
        """Status, JSON and cookie of the answer at a port to a body of bytes, or of values for JSON."""
        with contextlib.closing(http.client.HTTPConnection(self.address, self.ports[port])) as connection:
            connection.sock = self.dial(timeout, port)
            own = {"Host": "pegboard.local", "Content-Type": "application/json"} | headers
            connection.request(method, path, body if body is None or isinstance(body, bytes) else json.dumps(body), own)
            answer = connection.getresponse()
            return answer.status, json.loads(answer.read() or b"null"), answer.getheader("Set-Cookie")

    def version(self):
        """The version that answers; None where none does."""
        with contextlib.suppress(OSError, http.client.HTTPException):
            return self.ask("GET", "/api/v1/health")[1]["service"]["version"]
        return None

    def wait_for(self, version, seconds=120):
        """Wait until a version answers."""
        until = time.monotonic() + seconds
        while (found := self.version()) != version:
            assert time.monotonic() < until, (
                f"{found} answers, not {version}: {self.says('journalctl -b -n 40 -o cat')}"
            )
            time.sleep(0.2)

    def _key(self):
        own = ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null", "-o", "LogLevel=ERROR"]
        return [*own, "-o", "ConnectTimeout=5", "-i", str(self.image / "key")]


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]
