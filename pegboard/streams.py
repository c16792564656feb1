"""Terminal output (stdout, stderr) and Ctrl-C: transliteration for limited encodings, closed pipes, full disks."""

import codecs
import errno
import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pegboard.install.host import started_by_make
from pegboard.messages import escape_control

# --- Ctrl-C (SIGINT) ---
#
# Exit at once while the program loads, clean up first while a command works, and never print a traceback.


INTERRUPTED = 0 if started_by_make() else 130
"""Exit status after Ctrl-C: 128 plus the number of SIGINT; 0 under `make`, which would print an error otherwise."""


def end_at_once(*_: Any) -> None:
    """Exit the process immediately: the journal is always consistent, and nothing else needs cleanup."""
    os._exit(INTERRUPTED)


def watch_loading() -> None:
    """Let Ctrl-C exit immediately while modules are loaded, unless SIGINT is ignored.

    `make run` blocks SIGINT until here, because during its own startup Python would print a traceback.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, end_at_once)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


@contextmanager
def interruptible() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt in the block, so that work in progress is cleaned up.

    SQLite converts an interrupt during a Python callback into its own error, so after Ctrl-C any error is raised as
    KeyboardInterrupt. An interrupt during object cleanup, where exceptions are ignored, exits the process immediately.

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


def call_on_end(act: Callable[[], object]) -> None:
    """Let SIGINT, SIGTERM and SIGHUP (a closed terminal) call `act`; SIGHUP stays ignored if it is, as under nohup."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        if signal.getsignal(number) != signal.SIG_IGN or number != signal.SIGHUP:
            signal.signal(number, lambda *_: act())


def ignore() -> None:
    """Ignore Ctrl-C from now on: the process is ending."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _unraisable(lost: "sys.UnraisableHookArgs") -> None:
    if isinstance(lost.exc_value, KeyboardInterrupt):
        end_at_once()
    sys.__unraisablehook__(lost)


def as_text(typed: str) -> str:
    """A command-line argument as text; a plain locale leaves some letters as undecoded bytes.

    Raises:
        UnicodeError: these bytes are not UTF-8.
    """
    try:
        typed.encode()
    except UnicodeEncodeError:
        return os.fsencode(typed).decode()
    return typed


PLAIN_SIGNS = dict(zip("●○■□▲△◆◇━·", "OoXxAaVv=.", strict=True))
"""ASCII replacements for the symbols of the text board, each one column wide, for encodings that lack them."""

DUMB_TERMINALS = ("dumb", "unknown")
"""Values of TERM for terminals that cannot redraw a screen, such as an editor's shell window."""

IN_PLAIN_LETTERS = "pegboard-plain-letters"
"""The name under which `plain_letters` is registered as a codec error handler."""


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Codec error handler: transliterate letters that an encoding lacks: `Zoe` for `Zoë`, `Shan` for `山`.

    Raises:
        UnicodeError: the error is not an encoding error.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from anyascii import anyascii

    letters = (PLAIN_SIGNS.get(letter) or anyascii(letter) for letter in error.object[error.start : error.end])
    return "".join(letters) or "?", error.end


class NoOutput(io.TextIOBase):
    """Replacement for a standard output that was closed before the program started (`>&-`): records lost output."""

    def __init__(self) -> None:
        self.is_lost = False

    def write(self, _: Any) -> int:
        """Record that output was lost."""
        self.is_lost = True
        return 0


def write_any_letter() -> None:
    """Let both streams transliterate letters that their encoding lacks, instead of raising."""
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
    """Write a line to standard output or standard error, with terminal control characters escaped.

    Raises:
        OSError: the line cannot be written.
    """
    from click import echo  # imported late, when Ctrl-C is already handled

    echo(escape_control(text), err=err)


def echo_lines(text: str) -> None:
    """Write lines to standard output, each as `echo_line` does.

    Raises:
        OSError: a line cannot be written.
    """
    for line in text.split("\n"):
        echo_line(line)


def finish_output() -> None:
    """Flush standard output.

    Raises:
        OSError: the output cannot be written.
    """
    if isinstance(sys.stdout, NoOutput) and sys.stdout.is_lost:
        raise OSError(errno.EBADF, "standard output is closed")
    sys.stdout.flush()


def discard_output() -> None:
    """Discard buffered output that cannot be written; otherwise Python would try again at exit."""
    with suppress(AttributeError, OSError, ValueError):  # there is no such stream, or it is not a file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def finish_errors() -> None:
    """Flush standard error, or discard its buffer; otherwise Python would exit with status 120."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)


@contextmanager
def ignore_lost_terminal() -> Iterator[None]:
    """Ignore errors when writing to the terminal: it may have been closed, and the table continues without it."""
    try:
        yield
    except OSError:
        discard_output()
