"""`python -m pegboard ...` as a process of its own, forked from one that has loaded the program already.

A start costs a fraction of the processor's time of one from the disk. What a fresh interpreter does differently (its
options, `PYTHON...` and `LD_...` in the environment, what is loaded when) is lost: a test of that starts one.
"""

import array
import atexit
import contextlib
import json
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

LOADED = """
    pegboard.cli.main pegboard.startup.bootstrap pegboard.startup.main_loop pegboard.startup.devices
    web.table.server anyascii cbor2
    hardware.bench hardware.keys.buttons hardware.keys.keypad hardware.oled.display
    hardware.simulator.simulated_buses hardware.strip.display luma.oled.device pegboard.cli.hub_commands
    pegboard.startup.hub_service paho.mqtt.client pegboard.hub.ledger.ledger
"""
"""What a table or a hub loads until it runs; the rest is loaded by each that needs it."""

INTERPRETER = ("PYTHON", "LD_")
"""How variables begin that an interpreter or the loader reads at its start."""


class Forked:
    """A program, with what its users need of `subprocess.Popen`."""

    def __init__(self, words, *, env=None, cwd=None, stdin=None, stdout=None, stderr=None):
        """`words` are those behind `python -m pegboard`; stdin, stdout and stderr are descriptors, or None for ours."""
        words = [os.fspath(word) for word in words]
        self.args, self.returncode = words, None
        self._ended, told = os.pipe()
        given = [0 if stdin is None else stdin, 1 if stdout is None else stdout, 2 if stderr is None else stderr, told]
        request = {"words": words, "env": env or dict(os.environ), "cwd": os.fspath(cwd or os.getcwd())}  # noqa: PTH109
        with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as line:
            line.connect(_server())
            fds = array.array("i", given)
            line.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, fds)])
            line.sendall(json.dumps(request).encode() + b"\n")
        os.close(told)
        self.pid = int(self._read_line())

    def _read_line(self):
        line = b""
        while not line.endswith(b"\n") and (part := os.read(self._ended, 1)):
            line += part
        assert line.endswith(b"\n"), "the process that forks has ended"
        return line

    def poll(self):
        """How it has ended; None while it runs."""
        if self.returncode is None and select.select([self._ended], [], [], 0)[0]:
            self.returncode = os.waitstatus_to_exitcode(int(self._read_line()))
            os.close(self._ended)
        return self.returncode

    def wait(self, timeout=None):
        """How it has ended, once it has.

        Raises:
            subprocess.TimeoutExpired: it still runs after so many seconds.
        """
        if self.returncode is None and not select.select([self._ended], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(self.args, timeout)
        return self.poll()

    def send_signal(self, number):
        """Send a signal, unless it has ended."""
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def kill(self):
        """End it without a word."""
        self.send_signal(signal.SIGKILL)

    def terminate(self):
        """End it as systemd would."""
        self.send_signal(signal.SIGTERM)


def run(words, *, cwd=None, env=None, timeout=60):
    """Run a command to its end; a `subprocess.CompletedProcess` with what it has written.

    Raises:
        subprocess.TimeoutExpired: it still runs after so many seconds; it is killed.
    """
    if not can_fork(env):
        command = [sys.executable, "-m", "pegboard", *map(os.fspath, words)]
        return subprocess.run(command, capture_output=True, text=True, check=False, cwd=cwd, env=env, timeout=timeout)
    with open(os.devnull) as nothing, tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:  # noqa: PTH123
        streams = {"stdin": nothing.fileno(), "stdout": out.fileno(), "stderr": err.fileno()}
        process = Forked(words, cwd=cwd, env=env, **streams)
        try:
            status = process.wait(timeout)
        finally:
            process.kill()
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(words, status, out.read(), err.read())


def started(words, *, env=None, stderr=None):
    """A program that has begun, with `stdout` to read from; its errors go there too, or into the file `stderr`."""
    if not can_fork(env):
        command = [sys.executable, "-m", "pegboard", *map(os.fspath, words)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=stderr or subprocess.STDOUT, text=True, env=env)
    reading, writing = os.pipe()
    try:
        process = Forked(words, env=env, stdout=writing, stderr=stderr.fileno() if stderr else writing)
    finally:
        os.close(writing)
    process.stdout = os.fdopen(reading, encoding="utf-8")
    return process


def can_fork(env=None):
    """Whether a test asks, and nothing in the environment differs that only an interpreter's start would show.

    The bench and the proofs measure and kill programs that are started as a stranger would.
    """
    return "PYTEST_CURRENT_TEST" in os.environ and of_interpreter(env or os.environ) == of_interpreter(_AT_START)


def of_interpreter(environment):
    names = (name for name in environment if name.startswith(INTERPRETER) and name != "PYTHONUNBUFFERED")
    return {name: environment[name] for name in names}


_AT_START = dict(os.environ)
_SERVER = {}


def _server():
    """The address of the process that forks, one for each process that runs tests."""
    if os.getpid() not in _SERVER:
        address = f"\0pegboard-tests-{os.getpid()}-{time.monotonic_ns()}"
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listener.bind(address)
        listener.listen(64)
        process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(listener.fileno())],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[listener.fileno()],
            env=_AT_START,
        )
        listener.close()
        _SERVER[os.getpid()] = address
        atexit.register(_end, process)
    return _SERVER[os.getpid()]


def _end(process):
    process.kill()
    process.wait()


# --- the process that forks ---


def serve(listener):
    """Fork for each that asks, until nobody is there any more; in the child: run the program and return."""
    for name in LOADED.split():
        __import__(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # those that look after a program end by themselves
    while True:
        ready, _, _ = select.select([listener, 0], [], [])
        if 0 in ready:  # the tests are over
            os._exit(0)
        line, _ = listener.accept()
        if os.fork() == 0:
            listener.close()
            look_after(line)
            return
        line.close()


def look_after(line):
    """Fork once more, and tell how that one ends; in that one: put on what it was given."""
    _, ancillary, _, _ = line.recvmsg(1, socket.CMSG_SPACE(16))
    fds = array.array("i")
    fds.frombytes(ancillary[0][2])
    with line.makefile("r", encoding="utf-8") as reader:
        request = json.loads(reader.readline())
    line.close()
    *own, told = fds
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    if pid := os.fork():
        for fd in (*own, 0, 1, 2):
            os.close(fd)
        with contextlib.suppress(BrokenPipeError):
            os.write(told, b"%d\n" % pid)
            os.write(told, b"%d\n" % os.waitpid(pid, 0)[1])
        os._exit(0)
    os.close(told)
    for number, fd in enumerate(own):
        os.dup2(fd, number)
        os.close(fd)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["env"])
    time.tzset()
    sys.argv = ["pegboard", *request["words"]]


def main():
    """Fork, and run the program in each child as `python -m pegboard` does."""
    serve(socket.socket(fileno=int(sys.argv[1])))
    streams = ((0, "r", sys.stdin), (1, "w", sys.stdout), (2, "w", sys.stderr))
    sys.stdin, sys.stdout, sys.stderr = (
        os.fdopen(fd, how, buffering=1, encoding=old.encoding, errors=old.errors, closefd=False)
        for fd, how, old in streams
    )
    runpy.run_module("pegboard", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
