"""Starts a worker: another process of this program, with a connection to it, which ends with the process that needs it.

It has no terminal: root's commands go on as the account of the scores, other processes of that account may do with a
worker what they like, and a process whose terminal is root's could type into that.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path


def may_start_workers() -> bool:
    """Whether what a worker sends may be believed: not where this is root's command, gone on as another account.

    What comes from a worker is unpickled, which can run anything, here with root's terminal. The kernel keeps such a
    process from its new account, and with it what it has in /proc.
    """
    try:
        return Path("/proc/self/mem").stat().st_uid == os.geteuid()
    except OSError:
        return False


def command_of(module: str) -> tuple[str, ...]:
    """The command of a worker that calls `serve` of a module with its connection."""
    words = f"import sys; from multiprocessing.connection import Connection; from {module} import serve"
    return sys.executable, "-P", "-c", f"{words}; serve(Connection(int(sys.argv[1])))"


@contextlib.contextmanager
def start_worker(command: Sequence[str]) -> Iterator[Connection]:
    """Start a worker, and end it where this is left, or where this process ends.

    It is a new program, so that it has no file of the journal open, in a session of its own, which Ctrl-C of a terminal
    does not reach. `multiprocessing` would leave a second process behind for as long as this one runs.

    Raises:
        OSError: it cannot be started.
    """
    ours, theirs = Pipe()
    with ours:
        with theirs:
            number, places = theirs.fileno(), os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
            process = subprocess.Popen(  # noqa: S603 - our own
                [*command, str(number)],
                stdin=subprocess.DEVNULL,
                stdout=_unless_terminal(1),
                stderr=_unless_terminal(2),
                env=os.environ | {"PYTHONPATH": places},
                pass_fds=[number],
                start_new_session=True,
            )
        try:
            yield ours
        finally:
            process.kill()
            process.wait()


def _unless_terminal(descriptor: int) -> int | None:
    return subprocess.DEVNULL if os.isatty(descriptor) else None
