"""A real broker, mosquitto, on a port of its own, and its own client to read with."""

import contextlib
import shutil
import socket
import subprocess

from tests.support.waiting import soon

MOSQUITTO = shutil.which("mosquitto") or "/usr/sbin/mosquitto"


class Broker:
    """mosquitto on a port of its own; `options` are lines of its configuration."""

    def __init__(self, folder, *options):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.configuration, self.log = folder / "mosquitto.conf", folder / "mosquitto.log"
        lines = [f"listener {self.port} 127.0.0.1", *(options or ["allow_anonymous true"]), "set_tcp_nodelay true"]
        self.configuration.write_text("\n".join([*lines, "log_type all", f"log_dest file {self.log}", "user root", ""]))
        self.process = None

    def start(self):
        """Begin, and wait until it listens."""
        self.process = subprocess.Popen([MOSQUITTO, "-c", self.configuration], stderr=subprocess.PIPE, text=True)
        soon(self._listens)
        return self

    def _listens(self):
        assert self.process.poll() is None, self.process.stderr.read()
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
            return True
        return False

    def stop(self):
        """End; what was retained is forgotten."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def read(self, topic, count=1, *options, seconds=10):
        """The first messages that a new reader gets: tuples of whether it was retained, the topic and the text."""
        ran = subprocess.run(
            [
                *("mosquitto_sub", "-h", "127.0.0.1", "-p", str(self.port), "-q", "1", "-F", "%r %t %p"),
                *(*options, "-t", topic, "-C", str(count), "-W", str(seconds)),
            ],
            stdout=subprocess.PIPE,
            text=True,
            check=False,
        )
        return [tuple(line.split(" ", 2)) for line in ran.stdout.splitlines()]

    def retained(self, topic, *options):
        """The text that is retained in a topic; None where nothing is."""
        found = self.read(topic, 1, "--retained-only", *options, seconds=1)
        return found[0][2] if found else None
