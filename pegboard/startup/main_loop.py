"""Main loop of a table: draws the board in the terminal, runs polling tasks, and ends on SIGINT, SIGTERM or SIGHUP."""

import contextlib
import math
import time
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import NamedTuple

from pegboard.core.view import View
from pegboard.devices.health import POLL_INTERVAL_S
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.startup.start_notice import JoinNotice
from pegboard.streams import call_on_end, has_screen, ignore_lost_terminal
from pegboard.watchdog import MAIN_LOOP, Activity, Watchdog


class Look(NamedTuple):
    """A polling task for something that sends no notification of its changes.

    Attributes:
        name: the name of what is polled, in words.
        call: the function that polls once.
        every_s: the poll interval in seconds.
    """

    name: Message
    call: Callable[[], None]
    every_s: float = POLL_INTERVAL_S


class MainLoop:
    """The main loop: waits, draws the board in the terminal, and polls."""

    def __init__(self) -> None:
        self._news: SimpleQueue[View | None] = SimpleQueue()  # reentrant: a signal handler may call put during get

    def take_signals(self) -> None:
        """Let signals end the loop cleanly from now on; until then Ctrl-C interrupts whatever is running."""
        call_on_end(lambda: self._news.put(None))

    def run(
        self,
        feed: Feed,
        notice: JoinNotice,
        looks: Sequence[Look],
        watchdog: Watchdog,
    ) -> None:
        """Draw each new view and run the polling tasks `looks`; return on a signal.

        The watchdog watches each task, since a hanging task blocks the next.
        """
        drawing, timed = Activity(), [(look, Activity()) for look in looks]
        watchdog.watch(MAIN_LOOP, drawing.current_span, Message("stall_look_terminal"))
        for look, activity in timed:
            watchdog.watch(MAIN_LOOP, activity.current_span, look.name)
        due_s = dict.fromkeys((look.name for look in looks), -math.inf)
        with _terminal(notice) as show:
            if show:
                feed.follow(self._news.put)
                show(feed.view)
            for view in self._wait(min(look.every_s for look in looks)):
                if show and (view is None or view is feed.view):
                    with drawing:
                        show(feed.view)
                for look, activity in timed:
                    if (now_s := time.monotonic()) >= due_s[look.name]:
                        due_s[look.name] = now_s + look.every_s
                        with activity:
                            look.call()

    def _wait(self, timeout_s: float) -> Iterator[View | None]:
        """Each new view, or None after `timeout_s` without one; ends on a signal."""
        while True:
            try:
                view = self._news.get(timeout=timeout_s)
            except Empty:
                yield None
                continue
            if view is None:
                return
            yield view


@contextlib.contextmanager
def _terminal(notice: JoinNotice) -> Iterator[Callable[[View], None] | None]:
    """A function that shows a view and the join notice in the terminal; None without a screen."""
    if not has_screen():
        yield None
        return
    from rich.live import Live

    from pegboard.startup.terminal_board import compose
    from web.access.invitation import in_terminal

    live, shown = Live(auto_refresh=False), None

    def show(view: View) -> None:
        """Redraw the screen if the view, the join notice or the terminal's size has changed."""
        nonlocal shown
        now = (view, notice.lines(), notice.qr_url, live.console.size)
        if now != shown:
            shown = now
            qr = None if notice.qr_url is None else in_terminal(notice.qr_url, live.console.encoding)
            with ignore_lost_terminal():
                live.update(compose(view, notice.lines(), qr, live.console), refresh=True)

    with ignore_lost_terminal():
        live.start()
    try:
        yield show
    finally:
        with ignore_lost_terminal():
            live.stop()
