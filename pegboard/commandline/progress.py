"""Progress bars of long commands: on standard error, and only where that is a terminal."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

STEP = 65_536
"""Bytes that are read before the bar is updated."""


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int], None] | None]:
    """A progress bar that disappears at the end; yields the function that advances it, or None without a terminal.

    `total` is how many steps there are, None where nobody knows.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=total)
        yield lambda steps: bars.advance(task, steps)


def report_progress(lines: Iterable[bytes], advance: Callable[[int], None] | None) -> Iterable[bytes]:
    """The same lines; the bar advances by their bytes as they are read."""
    return lines if advance is None else _report_lines(lines, advance)


def _report_lines(lines: Iterable[bytes], advance: Callable[[int], None]) -> Iterator[bytes]:
    waiting = 0
    for line in lines:
        yield line
        waiting += len(line)
        if waiting >= STEP:
            advance(waiting)
            waiting = 0
    advance(waiting)
