"""Service notifications to systemd: ready, alive, stopping (sd_notify(3)), and the watchdog's interval."""

import contextlib
import math
import os
import socket
import threading

PATIENCE_S = 600
"""Seconds in which a step of a long start must be done; to copy the journal of some years is one."""


def notify(state: str) -> None:
    """Send a state such as "READY=1"; nothing happens where systemd did not start us."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.sendto(state.encode(), "\0" + address[1:] if address.startswith("@") else address)


def busy() -> None:
    """Starting goes on: systemd waits so much longer from now on before it thinks us stuck."""
    notify(f"EXTEND_TIMEOUT_USEC={PATIENCE_S * 1_000_000}")


def watchdog_s() -> float | None:
    """Seconds after which systemd thinks us dead; None where it does not watch, or not before a thread can wait."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    seconds = float(microseconds) / 1e6 if microseconds.isdecimal() else math.inf
    return seconds if seconds <= threading.TIMEOUT_MAX else None
