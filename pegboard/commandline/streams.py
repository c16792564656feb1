"""Standard output and standard error: letters that a terminal cannot show, closed pipes and full disks."""

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

PLAIN_SIGNS = dict(zip("●○■□▲△━·", "OoXxAa=.", strict=True))
"""What the signs of the text board are where an encoding has no such sign, each one column wide."""

IN_PLAIN_LETTERS = "pegboard-plain-letters"
"""The name of `plain_letters` among the error handlers of Python's codecs."""


def plain_letters(error: UnicodeError) -> tuple[str, int]:
    """Write what an encoding lacks in letters that each has: `Zoe` for `Zoë`, `Shan` for `山`.

    Raises:
        UnicodeError: it was not about writing.
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from anyascii import anyascii

    letters = (PLAIN_SIGNS.get(letter) or anyascii(letter) for letter in error.object[error.start : error.end])
    return "".join(letters) or "?", error.end


def write_any_letter() -> None:
    """Let both streams write what their encoding lacks in plain letters, instead of raising."""
    codecs.register_error(IN_PLAIN_LETTERS, plain_letters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=IN_PLAIN_LETTERS)


def finish_output() -> None:
    """Write out what waits.

    Raises:
        OSError: it cannot be written.
    """
    if sys.stdout is not None:
        sys.stdout.flush()


def discard_output() -> None:
    """Throw away what waits for an output that takes nothing more, or it would be tried again at the end."""
    try:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
    except (AttributeError, OSError, ValueError):  # there is no such stream, or it is no file
        pass


def finish_errors() -> None:
    """Write out what waits for standard error, or throw it away: Python would end with a status of its own, 120."""
    try:
        if sys.stderr is not None:
            sys.stderr.flush()
    except (OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 2)
        os.close(nowhere)


@contextmanager
def ignore_lost_terminal() -> Iterator[None]:
    """Go on where a terminal cannot be written to: it may have been closed, and a table plays on without it."""
    try:
        yield
    except OSError:
        discard_output()
