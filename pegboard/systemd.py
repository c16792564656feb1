"""systemd integration: notifications (sd_notify(3)), socket activation, and the watchdog interval."""

import contextlib
import math
import os
import socket
import threading

FIRST_SOCKET = 3
"""File descriptor of the first socket passed by systemd."""

PATIENCE_S = 600
"""Timeout in seconds for one step of a long start, such as copying several years of journal."""


def notify(state: str, *, wait: bool = True) -> None:
    """Send a state such as "READY=1" to systemd; does nothing if systemd did not start this process.

    Without `wait`, the state is dropped if systemd's queue is full.
    """
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.setblocking(wait)
        line.sendto(state.encode(), "\0" + address[1:] if address.startswith("@") else address)


def busy() -> None:
    """Extend systemd's start timeout: the service is still starting."""
    notify(f"EXTEND_TIMEOUT_USEC={PATIENCE_S * 1_000_000}")


def inherited_sockets() -> list[socket.socket]:
    """The listening sockets passed by systemd (sd_listen_fds(3)); only the first call returns them."""
    count = os.environ.pop("LISTEN_FDS", "")
    process = os.environ.pop("LISTEN_PID", "")
    os.environ.pop("LISTEN_FDNAMES", None)
    if process != str(os.getpid()) or not count.isdecimal():
        return []
    sockets = []
    for number in range(FIRST_SOCKET, FIRST_SOCKET + int(count)):
        os.set_inheritable(number, False)
        sockets.append(socket.socket(fileno=number))
    return sockets


def is_logged() -> bool:
    """Whether standard output goes to the system log (systemd.exec(5), JOURNAL_STREAM)."""
    try:
        output = os.fstat(1)
    except OSError:
        return False
    return os.environ.get("JOURNAL_STREAM", "") == f"{output.st_dev}:{output.st_ino}"


def watchdog_s() -> float | None:
    """Timeout of systemd's watchdog in seconds; None if there is none, or if it exceeds what a thread can wait."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    seconds = float(microseconds) / 1e6 if microseconds.isdecimal() else math.inf
    return seconds if seconds <= threading.TIMEOUT_MAX else None
