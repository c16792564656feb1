"""The file of an import, or standard input, which is read twice; each sentence about it begins with its name."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import copyfileobj
from typing import IO

import click

from pegboard.errors import BadImport
from pegboard.storage.transfer.import_parser import LONGEST_LINE, parse_line

STANDARD_INPUT = "-"
"""The argument that stands for standard input."""


@contextmanager
def open_export(file: Path) -> Iterator[IO[bytes]]:
    """The bytes of an export, seekable; standard input is copied first, since it can be read only once.

    Raises:
        BadImport: it cannot be read, or what is read out of it is not taken; the sentence begins with its name.
    """
    name = "standard input" if str(file) == STANDARD_INPUT else click.format_filename(file)
    try:
        with _standard_input() if str(file) == STANDARD_INPUT else _open_file(file) as lines:
            yield lines
    except BadImport as error:
        raise BadImport("in_file", name=name, fault=error.message) from error
    except OSError as error:
        if error.filename not in (None, str(file)):
            raise
        raise BadImport("file_unreadable", name=name, error=error.strerror) from error


def _read_first_line(lines: IO[bytes]) -> bytes:
    """What stands up to the end of the first line that is not blank; of what is no export, no more is read."""
    first = []
    while line := lines.readline(LONGEST_LINE + 1):
        first.append(line)
        if line.strip():
            parse_line(len(first), line)
            return b"".join(first)
    raise BadImport("export_empty")


@contextmanager
def _open_file(file: Path) -> Iterator[IO[bytes]]:
    with open(_open_without_waiting(file), "rb") as lines:
        if lines.seekable():
            _read_first_line(lines)
            lines.seek(0)
            yield lines
        else:  # a pipe with a name, such as `<(zcat games.jsonl.gz)` of a shell
            with _copy_to_disk(lines) as copy:
                yield copy


def _open_without_waiting(file: Path) -> int:
    """The descriptor of a file; a pipe without anybody who writes into it is an empty one."""
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    os.set_blocking(descriptor, True)
    return descriptor


@contextmanager
def _standard_input() -> Iterator[IO[bytes]]:
    if sys.stdin is None:
        raise BadImport("no_standard_input")
    if sys.stdin.isatty():
        click.echo("Reading an export from the keyboard; press Ctrl-D to finish.", err=True)
    with _copy_to_disk(sys.stdin.buffer) as copy:
        yield copy


@contextmanager
def _copy_to_disk(lines: IO[bytes]) -> Iterator[IO[bytes]]:
    with tempfile.TemporaryFile() as copy:
        copy.write(_read_first_line(lines))
        copyfileobj(lines, copy)
        copy.seek(0)
        yield copy
