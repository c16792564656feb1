"""The main loop: draws the board in the terminal, feeds systemd's watchdog, and ends on SIGINT, SIGTERM or SIGHUP."""

import contextlib
import math
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

from pegboard import systemd
from pegboard.commandline.streams import ignore_lost_terminal
from pegboard.core.view import View
from pegboard.feed import Feed
from pegboard.scoreboard import Scoreboard
from pegboard.startup.start_notice import JoinNotice

if TYPE_CHECKING:
    from web.server import Server

LOOK_AFTER_S = 1.0
"""Seconds after which the journal's files are looked at again."""


class MainLoop:
    """The main loop: waits, draws the board in the terminal, and notifies systemd."""

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
        scoreboard: Scoreboard,
        server: "Server",
        feed: Feed,
        notice: JoinNotice,
        looks: Sequence[Callable[[], None]],
    ) -> None:
        """Poll at intervals what does not notify anybody of changes; return on a signal."""
        watch, looked_s = systemd.watchdog_s(), -math.inf
        with _terminal(notice) as show:
            if show:
                feed.follow(self._news.put)
                show(feed.view)
            for view in self._wait(LOOK_AFTER_S if watch is None else min(LOOK_AFTER_S, watch / 3)):
                if show and (view is None or view is feed.view):
                    show(feed.view)
                if time.monotonic() - looked_s >= LOOK_AFTER_S / 2:
                    looked_s = time.monotonic()
                    scoreboard.look_after()
                for look in looks:
                    look()
                if watch and scoreboard.alive(watch / 4) and server.is_alive(watch / 4):
                    systemd.notify("WATCHDOG=1")

    def _wait(self, timeout_s: float) -> Iterator[View | None]:
        """Each new view, or None after a timeout without one; until a signal."""
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
    """A function that shows a view and how to join in the terminal; None where there is no terminal."""
    if not sys.stdout.isatty():
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
            qr = None if notice.qr_url is None else in_terminal(notice.qr_url)
            with ignore_lost_terminal():
                live.update(compose(view, notice.lines(), qr, live.console), refresh=True)

    with ignore_lost_terminal():
        live.start()
    try:
        yield show
    finally:
        with ignore_lost_terminal():
            live.stop()
