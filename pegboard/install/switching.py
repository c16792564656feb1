"""Version switch: trial start on a copy of the scores, symlink flip, restart, health check, rollback on failure."""

import contextlib
import os
import pwd
import socket
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

from pegboard.install.host import TRIAL_VARIABLE
from pegboard.install.installed_versions import RUN, InstalledVersions, LastChange
from pegboard.install.package_file import InstallFailed
from pegboard.install.service_control import ADDRESS, ServiceState, ask, object_in
from pegboard.messages import Message

# --- trial start of a version, with simulated devices, on a copy of the scores ---


ACCOUNT = "pegboard"

START_S = 300.0
"""Seconds in which the version must be ready: a small Pi may have to migrate a journal of several years."""

ANSWER_S = 15.0
"""Seconds after it is ready in which the version's pages must answer, at the address in its pairing file."""

PAUSE_S = 0.05

STOP_S = 15.0

CREDENTIALS = struct.Struct("3i")
"""Process, user and group IDs of a message's sender."""

ENDED = "it stopped at once"

COPY = """
import sys
from pathlib import Path
tree, source, copy = sys.argv[1:]
sys.path.insert(0, tree)
from pegboard.storage.schema import copy_scores
copy_scores(Path(source), Path(copy))
"""
"""A program run as the account that owns the scores, since a reader of an SQLite file may have to write beside it."""


def try_tree(tree: Path, state: Path, settings: Path, version: str) -> float:
    """Start a tree's version on a copy of the scores and check its health; return how long the trial took, in seconds.

    The copy belongs to the service's account. Root creates no file in it, since that account could put a link there.

    Raises:
        InstallFailed: the version does not start, is not healthy, or does not stop; the message says why.
    """
    account = service_account()
    with tempfile.TemporaryDirectory(prefix="pegboard-trial-", dir="/var/tmp", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        copy = folder / "state"
        copy.mkdir(mode=0o700)
        if account:
            os.chown(folder, -1, account["group"])  # nobody else has access
            folder.chmod(0o710)
            os.chown(copy, account["user"], account["group"])
        if state.is_dir():
            _copy_scores(tree, state, copy, version)
        return _start_and_stop(tree, copy, settings, version, account)


def _copy_scores(tree: Path, state: Path, copy: Path, version: str) -> None:
    words = [sys.executable, "-I", "-c", COPY, str(tree), str(state), str(copy)]
    ran = run_as_service(words, START_S)
    (copy / ADDRESS).unlink(missing_ok=True)  # else the running table would answer instead of this one
    if ran.returncode:
        raise InstallFailed(
            "install_trial_no_copy", version=version, reason=_last_line(ran.stderr.decode("utf-8", "replace"))
        )


def _start_and_stop(tree: Path, copy: Path, settings: Path, version: str, account: dict[str, Any]) -> float:
    notify = copy.with_name("notify")
    words = [sys.executable, "-I", str(tree / RUN), "run", "--mock", "--closed", "--host", "127.0.0.1", "--port", "0"]
    words += ["--state", str(copy)] + (["--config", str(settings)] if settings.exists() else [])
    own = {"PATH": os.environ.get("PATH", ""), "LANG": "C.UTF-8", "HOME": str(copy), TRIAL_VARIABLE: "1"}
    begun = time.monotonic()
    with _notify_socket(notify, account) as ready, tempfile.TemporaryFile(dir=copy.parent) as output:
        process = subprocess.Popen(  # noqa: S603
            words,
            env=own | {"NOTIFY_SOCKET": str(notify)},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=copy,
            start_new_session=True,
            **account,
        )
        try:
            fault = _wait(process, ready) or _look(copy, version)
        finally:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(STOP_S)
            fell_behind = process.poll() is None
            if fell_behind:
                process.kill()
                process.wait()
        took_s = time.monotonic() - begun
        output.seek(0)
        last = _last_line(output.read().decode("utf-8", "replace"))
    if fell_behind:
        fault = fault or "it did not stop when asked"
    if fault:
        raise InstallFailed("install_trial_failed", version=version, reason=last if fault == ENDED and last else fault)
    return took_s


@contextlib.contextmanager
def _notify_socket(path: Path, account: dict[str, Any]) -> Iterator[socket.socket]:
    """The socket on which the trial reports that it is ready, like systemd's NOTIFY_SOCKET."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ready:
        ready.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        ready.bind(str(path))
        path.chmod(0o600)
        if account:
            os.chown(path, account["user"], account["group"], follow_symlinks=False)
        ready.settimeout(0.2)
        yield ready


def _wait(process: "subprocess.Popen[bytes]", ready: socket.socket) -> str:
    """Wait until the process itself reports that it is ready; return the fault, or ""."""
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        with contextlib.suppress(TimeoutError):
            said, sender = _receive(ready)
            if b"READY=1" in said and sender == process.pid:
                return ""
        if process.poll() is not None:
            return ENDED
    return f"it was not ready after {START_S:.0f} seconds"


def _receive(ready: socket.socket) -> tuple[bytes, int]:
    """The next message, and the ID of its sender's process, supplied by the kernel (unix(7)); 0 if unknown."""
    said, more, *_ = ready.recvmsg(4096, socket.CMSG_SPACE(CREDENTIALS.size))
    senders = [CREDENTIALS.unpack(data)[0] for _, kind, data in more if kind == socket.SCM_CREDENTIALS]
    return said, senders[0] if senders else 0


def _look(copy: Path, version: str) -> str:
    """Check over HTTP that the right version answers; return the fault, or ""."""
    until, health = time.monotonic() + ANSWER_S, None
    while health is None:
        health = ask(copy, "/api/v1/health")
        if health is None and time.monotonic() > until:
            return "its pages did not answer"
        time.sleep(PAUSE_S)
    found = object_in(health, "service").get("version")
    return "" if found == version else f"it reports version {found}"


def run_as_service(words: Sequence[str], most_s: float, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    """Run a program as the service's account, without a terminal, with a timeout of `most_s` seconds.

    Other programs of that account can control it, so it must not have access to root's terminal.
    """
    try:
        return subprocess.run(  # noqa: S603
            words,
            input=given,
            capture_output=True,
            check=False,
            timeout=most_s,
            start_new_session=True,
            **service_account(),
        )
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, 1, b"", b"it does not end")


def service_account() -> dict[str, Any]:
    """The service's account as arguments for `subprocess`; empty if not run as root or the account does not exist."""
    if os.geteuid() != 0:
        return {}
    try:
        found = pwd.getpwnam(ACCOUNT)
    except KeyError:
        return {}
    return {"user": found.pw_uid, "group": found.pw_gid, "extra_groups": []}


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if line.startswith("pegboard: ")), (lines or [""])[-1]).removeprefix(
        "pegboard: "
    )


WATCH_S = 25.0
"""Seconds in which a version must be ready and healthy; after a rollback, the earlier version gets as many."""

RECENT_S = 7 * 86_400
"""Seconds after an install or update in which crashes are blamed on the new version: a week."""

DIED_AGAIN = 3
"""Automatic restarts before a version counts as broken; manual ones are ignored."""

SETTINGS_REFUSED = 2
"""Exit status of a program that rejects its settings; an earlier version would reject them too."""


class Watched(Protocol):
    """The part of the service's interface that this module needs."""

    clock: Callable[[], float]

    def is_managed(self) -> bool:
        """Whether the service is managed on this machine."""

    def restart(self) -> None:
        """Restart the service."""

    def look(self) -> ServiceState:
        """The current state of the service."""

    def version(self) -> str | None:
        """The version that the service reports, or None."""

    def pause(self) -> None:
        """Wait before the next poll."""

    def fault(self) -> str:
        """Why the service ended."""


class Switch:
    """Switches between the installed versions."""

    def __init__(self, versions: InstalledVersions, service: Watched, wall: Callable[[], float] = time.time) -> None:
        """`wall` is the wall clock, in seconds since 1970."""
        self._versions, self._service, self._wall = versions, service, wall

    def to(self, name: str, what: str, *, more_s: float = 0.0) -> None:
        """Switch to the tree `name`; `what` is recorded as the change, and `more_s` is added to the timeout.

        Raises:
            InstallFailed: the new version is not healthy in time; the version that ran before runs again.
        """
        versions, old = self._versions, self._versions.current
        watched = old is not None and self._service.is_managed()
        if watched:
            versions.begin_trial(old, name, what)
        versions.flip(name)
        fault = self._restart_and_watch(name, more_s) if self._service.is_managed() else None
        if fault is not None and old is not None:
            self._back(old, name, fault)
        self._record(what, name, [*([old] if old else []), *versions.order])

    def finish(self) -> str | None:
        """Complete a switch interrupted by a power cut: watch the new version start; return the name of its tree.

        Raises:
            InstallFailed: the new version is not healthy in time; the earlier version runs again.
        """
        proving = self._versions.proving
        if proving is None:
            return self._versions.current
        old, new = proving.get("from"), str(proving.get("to"))
        if self._versions.current != new:
            self._versions.end_trial()
            return self._versions.current
        fault = self._watch(new, 0.0)
        before = [old] if isinstance(old, str) else []
        if fault is not None and before and (self._versions.folder / before[0]).is_dir():
            self._back(before[0], new, fault)
        self._record(str(proving.get("what", "updated")), new, [*before, *self._versions.order])
        return self._versions.current

    def recover(self, can_start: Callable[[str], bool]) -> bool:
        """Roll back a version that keeps crashing, if that may help; return whether it rolled back.

        `can_start` tells whether the version of a tree starts with these scores.
        """
        versions = self._versions
        current, previous, since = versions.current, versions.previous, versions.new_since
        proving = versions.proving or {}
        if proving.get("to") == current:  # the watching process was interrupted, perhaps by a closed terminal
            previous, since = proving.get("from"), self._wall()
        if current is None or previous is None or since is None or abs(self._wall() - since) > RECENT_S:
            return False
        now = self._service.look()
        if (now.status == SETTINGS_REFUSED and versions.can_run(current)) or now.restarts < DIED_AGAIN:
            return False
        if now.ran_out_of_memory or not can_start(previous):
            return False
        try:
            self._back(previous, current, Message("install_version_died", version=versions.version(current)))
        except InstallFailed:
            return True
        return False

    def _restart_and_watch(self, name: str, more_s: float) -> Message | None:
        before = self._service.look().run
        self._service.restart()
        return self._watch(name, more_s, before)

    def _watch(self, name: str, more_s: float, before: str = "") -> Message | None:
        """Wait until a run other than `before` is healthy, with this tree; return the fault, or None."""
        version, service = self._versions.version(name), self._service
        until = service.clock() + WATCH_S + more_s
        while service.clock() < until:
            now = service.look()
            if now.run == before:
                service.pause()
                continue
            if now.active == "active" and service.version() == version:
                return None
            if now.active == "failed" or now.sub == "auto-restart":
                return Message(
                    "install_version_ended", version=version, reason=service.fault() or f"exit status {now.status}"
                )
            service.pause()
        return Message("install_version_silent", version=version, seconds=round(WATCH_S + more_s))

    def _back(self, old: str, new: str, fault: Message) -> None:
        """Roll back to the old tree.

        Raises:
            InstallFailed: always; the message names the fault.
        """
        versions = self._versions
        runs, wanted = versions.version(old), versions.version(new)
        versions.flip(old)
        self._restart_and_watch(old, 0.0)
        why = fault.as_json() | {"text": str(fault)}
        order = [name for name in versions.order if name != new]
        versions.record(LastChange("failed", str(wanted), str(runs), self._wall(), why), order)
        versions.end_trial()
        raise InstallFailed("install_went_back", fault=fault, version=runs)

    def refuse(self, version: str, fault: Message) -> None:
        """Record that a version was refused, and why."""
        versions = self._versions
        why = fault.as_json() | {"text": str(fault)}
        runs = str(versions.version(versions.current))
        versions.record(LastChange("refused", version, runs, self._wall(), why), versions.order)

    def _record(self, what: str, name: str, order: list[str]) -> None:
        version = str(self._versions.version(name))
        self._versions.record(LastChange(what, version, version, self._wall()), order)
        self._versions.end_trial()
