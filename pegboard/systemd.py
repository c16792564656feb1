"""Telling systemd how the service is: ready, alive, stopping (sd_notify(3))."""

import contextlib
import os
import socket

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
    """Seconds after which systemd thinks us dead, or None where it does not watch."""
    microseconds = os.environ.get("WATCHDOG_USEC", "")
    return int(microseconds) / 1e6 if microseconds.isdigit() else None
