"""`pegboard hub` and its Mosquitto as a director starts them: processes of their own, which may be killed."""

import re
import signal
import subprocess
import sys

from tests.support.forked import started
from tests.support.hub_site import Client
from tests.support.mosquitto import Broker

HUB = [sys.executable, "-m", "pegboard", "hub"]


class HubProgram:
    """A hub that runs, on a port that the system has chosen; `code` is the director's that it has printed."""

    def __init__(self, state, broker_port):
        self.state, self._broker_port, self.port = state, broker_port, 0
        self.log = state.with_name("hub.log")
        self.start()

    def start(self):
        """Begin, or go on after `kill` at the same address."""
        broker = f"mqtt://127.0.0.1:{self._broker_port}"
        words = ["--state", str(self.state), "--host", "127.0.0.1", "--port", str(self.port)]
        words += ["--broker", broker, "--tables-broker", broker]
        with self.log.open("a") as log:
            self.process = started(["hub", *words], stderr=log)
        said = [self.process.stdout.readline() for _ in range(4)]
        assert all(said), f"the hub ended with {self.process.wait()}: {said}"
        self.port = int(re.search(r":(\d+)/$", said[2])[1])
        self.code = re.search(r"/j/([0-9A-Z]{6}) ", said[3])[1]

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/"

    def director(self):
        """A device that is paired by the printed code, which counts once."""
        client = Client(self.port)
        assert client.post("/night/v1/pair", code=self.code).status == 200
        return client

    def kill(self):
        """Pull the plug."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """End it as systemd would, unless it was killed."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            assert self.process.wait(60) == 0
        self.process.stdout.close()


def broker_with_accounts(folder, state, tables=4):
    """Mosquitto, not begun yet, with the files that `pegboard hub broker` writes for a hub's folder `state`."""
    files = folder / "for-mosquitto"
    made = subprocess.run(
        [*HUB, "--state", str(state), "broker", str(files), "--tables", str(tables)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert "sudo install -o mosquitto -m 600" in made.stdout
    lines = [
        line for line in (files / "pegboard.conf").read_text("utf-8").splitlines() if not line.startswith("listener")
    ]
    return Broker(folder, *(line.replace("/etc/mosquitto/conf.d", str(files)) for line in lines))
