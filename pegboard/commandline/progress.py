"""Progress bars of long commands: on standard error, and only where that is a terminal."""

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

STEP = 65_536
"""Bytes that are read before the bar is updated."""


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A progress bar that disappears at the end, none without a terminal; yields the function that advances it.

    `total` is how many steps there are, None where nobody knows.
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bars:
        task = bars.add_task(what, total=total)
        yield lambda steps: bars.advance(task, steps)


def report_progress(lines: Iterable[bytes], advance: Callable[[int], None]) -> Iterator[bytes]:
    """The same lines; the bar advances by their bytes as they are read."""
    waiting = 0
    for line in lines:
        yield line
        waiting += len(line)
        if waiting >= STEP:
            advance(waiting)
            waiting = 0
    advance(waiting)
