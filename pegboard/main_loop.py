"""The main loop: draws the board in the terminal, polls what notifies nobody, and ends on SIGINT, SIGTERM or SIGHUP."""

import contextlib
import math
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import NamedTuple

from pegboard.commandline.streams import has_screen, ignore_lost_terminal
from pegboard.core.view import View
from pegboard.devices.health import POLL_INTERVAL_S
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.startup.start_notice import JoinNotice
from pegboard.watchdog.activity import Activity
from pegboard.watchdog.stall_watch import Watchdog
from pegboard.watchdog.watched_parts import MAIN_LOOP


class Look(NamedTuple):
    """Something that notifies nobody of its changes, and so is looked at again and again.

    Attributes:
        name: what it is, in words.
        call: looks at it.
        every_s: seconds from one look to the next.
    """

    name: Message
    call: Callable[[], None]
    every_s: float = POLL_INTERVAL_S


class MainLoop:
    """The main loop: waits, draws the board in the terminal, and polls."""

    def __init__(self) -> None:
        self._news: SimpleQueue[View | None] = SimpleQueue()  # a signal may put while this thread gets

    def take_signals(self) -> None:
        """From now on SIGINT and SIGTERM end the loop in order; until then Ctrl-C interrupts whatever is being done.

        So does a terminal that is closed (SIGHUP), where the program was not begun to outlive it, as by nohup.
        """
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            if signal.getsignal(number) != signal.SIG_IGN or number != signal.SIGHUP:
                signal.signal(number, lambda *_: self._news.put(None))

    def run(
        self,
        feed: Feed,
        notice: JoinNotice,
        looks: Sequence[Look],
        watchdog: Watchdog,
    ) -> None:
        """Poll at intervals what does not notify anybody of changes; return on a signal.

        Each of the `looks` is watched: the next one waits for one that hangs.
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
        """Each new view, or None after a while without one; until a signal."""
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
    """A function that shows a view and how to join in the terminal; None without a screen."""
    if not has_screen():
        yield None
        return
    from rich.live import Live

    from pegboard.startup.running_terminal import compose
    from web.access.invitation import in_terminal

    live, shown = Live(auto_refresh=False), None

    def show(view: View) -> None:
        """Draw the screen again if the view, how to join or the terminal's size has changed."""
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
