"""Ctrl-C and SIGINT: end at once while the program loads, in order while a command works, never with a traceback."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pegboard.install.host import started_by_make

INTERRUPTED = 0 if started_by_make() else 130
"""The exit status after Ctrl-C: 128 plus the number of SIGINT; for any other `make` would print an error."""


def end_at_once(*_: Any) -> None:
    """End the process at once: the journal is consistent at any moment, and nothing else needs cleaning up."""
    os._exit(INTERRUPTED)


def watch_loading() -> None:
    """Let Ctrl-C end the process at once while modules are loaded, unless it is ignored.

    `make run` has it wait until here, while Python itself starts and would show a traceback.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt within, so that work in progress is cleaned up.

    SQLite turns one that comes while it calls back into Python into an error of its own: after Ctrl-C, any error ends
    as the KeyboardInterrupt that it began as. One that comes while Python cleans up, where nothing can be raised, ends
    the process at once.

    Raises:
        KeyboardInterrupt: Ctrl-C was pressed.
    """
    pressed = False

    def interrupt(*_: Any) -> None:
        nonlocal pressed
        pressed = True
        raise KeyboardInterrupt

    if signal.getsignal(signal.SIGINT) is end_at_once:
        signal.signal(signal.SIGINT, interrupt)
    before, sys.unraisablehook = sys.unraisablehook, _unraisable
    try:
        yield
    except Exception:
        if pressed:
            raise KeyboardInterrupt from None
        raise
    finally:
        sys.unraisablehook = before


def ignore() -> None:
    """Ignore Ctrl-C from now on: the process is ending."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _unraisable(lost: "sys.UnraisableHookArgs") -> None:
    if isinstance(lost.exc_value, KeyboardInterrupt):
        end_at_once()
    sys.__unraisablehook__(lost)
