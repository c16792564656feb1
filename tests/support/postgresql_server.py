"""A PostgreSQL server with a data folder of its own, on this machine alone, run as a user without rights."""

import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
from pathlib import Path

from tests.support.waiting import soon

_numbers = itertools.count(1)


def programs():
    """The folder of its programs, the newest that there is.

    Raises:
        FileNotFoundError: there is none.
    """
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[-3]))
    if found:
        return found[-1].parent
    raise FileNotFoundError("PostgreSQL is missing: tests/debian-packages installs it")


class PostgresqlServer:
    """A server on a port of its own; commits wait for its disk, as is the default."""

    def __init__(self):
        self.programs = programs()
        self.folder = Path(tempfile.mkdtemp(prefix="pegboard-postgresql-"))
        self.data = self.folder / "data"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._as_user = {}
        if os.geteuid() == 0:  # it refuses to run as root
            user = pwd.getpwnam("postgres")
            os.chown(self.folder, user.pw_uid, user.pw_gid)
            self._as_user = {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
        words = ["--auth=trust", "--username=pegboard", "--encoding=UTF8", "--no-locale", "--no-sync"]
        self._run("initdb", *words, "--pgdata", self.data)
        self.process = None

    def _run(self, program, *words):
        command = [self.programs / program, *map(str, words)]
        ran = subprocess.run(command, capture_output=True, text=True, check=False, cwd=self.folder, **self._as_user)
        assert ran.returncode == 0, ran.stderr

    def start(self):
        """Begin, and wait until it answers."""
        words = [self.programs / "postgres", "-D", self.data, "-p", str(self.port), "-k", self.folder]
        words += ["-c", "listen_addresses=127.0.0.1", "-c", "max_connections=40"]
        log = (self.folder / "log").open("a")
        self.process = subprocess.Popen(words, stdout=log, stderr=log, cwd=self.folder, **self._as_user)
        log.close()
        soon(self._answers)
        return self

    def _answers(self):
        assert self.process.poll() is None, (self.folder / "log").read_text()
        ready = [self.programs / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(ready, check=False).returncode == 0

    def kill(self):
        """End it without a word, with all its processes."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def stop(self):
        """End it, and remove what it has stored."""
        if self.process is not None:
            self.process.send_signal(signal.SIGQUIT)  # what it has stored is removed anyway
            self.process.wait(60)
        shutil.rmtree(self.folder, ignore_errors=True)

    def new_database(self):
        """The URL of an empty database."""
        name = f"night_{next(_numbers)}"
        self._run("createdb", "-h", "127.0.0.1", "-p", self.port, "-U", "pegboard", name)
        return f"postgresql://pegboard@127.0.0.1:{self.port}/{name}"
