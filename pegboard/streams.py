"""Standard output and standard error: letters that a terminal cannot show, closed pipes and full disks."""

import codecs
import errno
import io
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pegboard.install.host import started_by_make
from pegboard.messages import legible

# --- ctrl-C and SIGINT: end at once while the program loads, in order while a command works, never with a traceback ---


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


def as_text(typed: str) -> str:
    """An argument as text; a plain locale leaves some of its letters as bytes.

    Raises:
        UnicodeError: these bytes are no UTF-8.
    """
    try:
        typed.encode()
    except UnicodeEncodeError:
        return os.fsencode(typed).decode()
    return typed


PLAIN_SIGNS = dict(zip("●○■□▲△━·", "OoXxAa=.", strict=True))
"""ASCII for the symbols of the text board, for encodings that lack them, each one column wide."""


DUMB_TERMINALS = ("dumb", "unknown")
"""Values of TERM for terminals that cannot redraw a screen, such as an editor's shell window."""


IN_PLAIN_LETTERS = "pegboard-plain-letters"
"""The name of `plain_letters` among the error handlers of Python's codecs."""


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler: transliterate letters that an encoding lacks: `Zoe` for `Zoë`, `Shan` for `山`.

    Raises:
        UnicodeError: it was not about writing.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from anyascii import anyascii

    letters = (PLAIN_SIGNS.get(letter) or anyascii(letter) for letter in error.object[error.start : error.end])
    return "".join(letters) or "?", error.end


class NoOutput(io.TextIOBase):
    """Stands for a standard output that was closed before the program began (`>&-`): remembers what is lost."""

    def __init__(self) -> None:
        self.is_lost = False

    def write(self, _: Any) -> int:
        """Note that something could not be written."""
        self.is_lost = True
        return 0


def write_any_letter() -> None:
    """Let both streams write what their encoding lacks in plain letters, instead of raising."""
    codecs.register_error(IN_PLAIN_LETTERS, plain_letters)
    if sys.stdout is None:
        sys.stdout = NoOutput()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=IN_PLAIN_LETTERS)


def has_screen() -> bool:
    """Whether standard output is a terminal whose screen can be redrawn."""
    return sys.stdout.isatty() and os.environ.get("TERM", "").lower() not in DUMB_TERMINALS


def echo_line(text: str, *, err: bool = False) -> None:
    """Write a line to standard output, or standard error: no file, name or address in it steers the terminal.

    Raises:
        OSError: it cannot be written.
    """
    from click import echo  # loaded only where Ctrl-C is heard already

    echo(legible(text), err=err)


def echo_lines(text: str) -> None:
    """Write lines to standard output, each as `echo_line` does.

    Raises:
        OSError: they cannot be written.
    """
    for line in text.split("\n"):
        echo_line(line)


def finish_output() -> None:
    """Flush standard output.

    Raises:
        OSError: it cannot be written.
    """
    if isinstance(sys.stdout, NoOutput) and sys.stdout.is_lost:
        raise OSError(errno.EBADF, "standard output is closed")
    sys.stdout.flush()


def discard_output() -> None:
    """Discard buffered output that cannot be written, or Python would try again at exit."""
    with suppress(AttributeError, OSError, ValueError):  # there is no such stream, or it is no file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def finish_errors() -> None:
    """Flush standard error, or discard what it holds: otherwise Python would exit with its own status, 120."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)


@contextmanager
def ignore_lost_terminal() -> Iterator[None]:
    """Ignore errors of writing to the terminal: it may have been closed, and the table goes on without it."""
    try:
        yield
    except OSError:
        discard_output()
