"""Worker processes with a pipe to the parent process, which end with it; distribution of tasks among them.

Workers have no terminal. A command started by root continues as the account that owns the scores, and other processes
of that account can control a worker; a worker with root's terminal could type commands into it.
"""

import contextlib
import os
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import cycle
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TypeVar

Task = TypeVar("Task")

MOST_WORKERS = 3
"""Maximum workers of the process that stores their results; each takes 25 to 40 MB, and the service may use 192."""


def may_start_workers() -> bool:
    """Whether data from workers can be trusted: not if root started this command and it switched to another account.

    Data from a worker is unpickled, which can run any code, and this process has root's terminal. The kernel protects a
    process that switched accounts from its new account, so its files in /proc belong to another user.
    """
    try:
        return Path("/proc/self/mem").stat().st_uid == os.geteuid()
    except OSError:
        return False


def command_of(module: str) -> tuple[str, ...]:
    """The command line of a worker that calls the `serve` function of a module with its connection."""
    words = f"import sys; from multiprocessing.connection import Connection; from {module} import serve"
    return sys.executable, "-P", "-c", f"{words}; serve(Connection(int(sys.argv[1])))"


def count_workers(tasks: int) -> int:
    """The number of workers for this many tasks: none on a machine with one processor."""
    processors = len(os.sched_getaffinity(0))
    return min(MOST_WORKERS, processors, tasks) if processors > 1 and may_start_workers() else 0


@contextlib.contextmanager
def start_workers(command: Sequence[str], tasks: int) -> Iterator[list[Connection]]:
    """Start workers for this many tasks, fewer if some cannot start, and kill them on exit."""
    with contextlib.ExitStack() as cleanup:
        workers: list[Connection] = []
        with contextlib.suppress(OSError):
            workers.extend(cleanup.enter_context(start_worker(command)) for _ in range(count_workers(tasks)))
        yield workers


def distribute(
    tasks: Iterable[Task], workers: Sequence[Connection], abreast: int, as_sent: Callable[[Task], Any]
) -> Iterator[tuple[Task, Any]]:
    """Each task with the reply of a worker, in order; the reply is None if there is no worker, or it has died.

    Each worker has up to `abreast` tasks at a time, so that it stays busy while a reply is used.
    """
    if not workers:
        yield from ((task, None) for task in tasks)
        return
    running: deque[tuple[Task, Connection]] = deque()
    for task, worker in zip(tasks, cycle(workers), strict=False):
        done = [_receive(*running.popleft())] if len(running) == abreast * len(workers) else []
        with contextlib.suppress(OSError):  # `_receive` notices dead workers
            worker.send(as_sent(task))
        running.append((task, worker))
        yield from done
    for task, worker in running:
        yield _receive(task, worker)


def _receive(task: Task, worker: Connection) -> tuple[Task, Any]:
    try:
        return task, worker.recv()
    except (EOFError, OSError):
        return task, None


@contextlib.contextmanager
def start_worker(command: Sequence[str]) -> Iterator[Connection]:
    """Start a worker, and kill it on exit, or when this process ends.

    The worker is a new program, so that it has no journal files open, in its own session, which Ctrl-C does not reach.
    `multiprocessing` would keep an extra process running as long as this one.

    Raises:
        OSError: the worker cannot be started.
    """
    ours, theirs = Pipe()
    with ours:
        with theirs:
            number, places = theirs.fileno(), os.pathsep.join(path or str(Path.cwd()) for path in sys.path)
            process = subprocess.Popen(  # noqa: S603 - our own command
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
