"""Standard output and standard error: letters that a terminal cannot show, closed pipes and full disks."""

import codecs
import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from pegboard.messages import legible

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
