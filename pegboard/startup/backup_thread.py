"""Backup thread: schedule and background backups of the journal, after each finished game and later corrections.

A finished game is backed up at once. Later changes to finished games, such as a correction or an import, go into the
next backup: a minute after the last journal entry, after the next game, or a minute after the next start.
"""

import logging
import math
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from pegboard.core.view import View
from pegboard.devices.health import Devices, Health, error_text
from pegboard.errors import PegboardError
from pegboard.feed import Feed
from pegboard.messages import Message
from pegboard.storage.rescue.backups import back_up, is_backup_due, list_backups, remove_schema_copies

NAME = "backup"

QUIET_S = 60.0
"""Seconds without a journal entry after which changes to finished games are backed up."""

RETRY_S = 600.0
"""Retry delay in seconds after a failed backup."""

REST_S = 0.001
"""Seconds that the thread sleeps after each millisecond or so of work."""

log = logging.getLogger(__name__)


class BackupSchedule:
    """Schedule of the next backup, from the table's views and the time.

    Attributes:
        due_s: when the next backup is due, in seconds of a clock; infinity for never.
    """

    def __init__(self, view: View, now_s: float) -> None:
        self.due_s = now_s + QUIET_S
        self._revision = view.revision
        self._finished = _finished_game(view)

    def note(self, view: View, now_s: float) -> None:
        """Note a new view of the table."""
        finished = _finished_game(view)
        if finished is not None and finished != self._finished:
            self.due_s = now_s
        elif view.revision != self._revision and self.due_s > now_s:
            self.due_s = now_s + QUIET_S
        self._revision, self._finished = view.revision, finished


def _finished_game(view: View) -> str | None:
    """The id of the current game if it is over, else None."""
    return None if view.game.outcome is None else view.id


class BackupThread:
    """Backs up the journal of a running table, one backup at a time, over its own database connection."""

    def __init__(
        self,
        folder: Path,
        view: View,
        devices: Devices,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """`view` is the table's current view; backups appear in `devices` after the first failure.

        `clock` returns monotonic seconds, `wall` seconds since 1970.
        """
        self._devices, self._is_listed = devices, False
        self._folder, self._clock, self._wall = folder, clock, wall
        self._schedule = BackupSchedule(view, clock())
        self._wakeup, self._stopped = threading.Event(), False
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
        self._health = Health(NAME, Message("device_backup", many=len(list_backups(folder))))

    def health(self) -> Health:
        """The outcome of the last backup. Never blocks."""
        return self._health

    def _follow(self, view: View) -> None:
        """Update the schedule, and wake the thread if a backup is due earlier."""
        before = self._schedule.due_s
        self._schedule.note(view, self._clock())
        if self._schedule.due_s < before:
            self._wakeup.set()

    def start(self, feed: Feed) -> None:
        """Make backups as the feed's views require, until `stop`."""
        feed.follow(self._follow)
        self._thread.start()

    def stop(self) -> None:
        """Cancel the running backup and stop. Waits 0.2 s at most."""
        self._stopped = True
        self._wakeup.set()
        self._thread.join(0.2)

    def back_up_if_due(self) -> None:
        """Make a backup if finished games have changed since the last one; a failure is reported, not raised."""
        try:
            if is_backup_due(self._folder):
                backup, contents = back_up(self._folder, self._wall(), self._rest)
                log.info("%s holds %d events", backup.path.name, contents.events)
                remove_schema_copies(self._folder, backup.path)
            about = Message("device_backup", many=len(list_backups(self._folder)))
            self._show(self._health.mark_ok(about))
        except (PegboardError, OSError) as error:
            if not self._stopped:
                why = error.message if isinstance(error, PegboardError) else None
                why, trouble = why or Message("backup_failed", error=error_text(error)), Message("trouble_backup")
                log.warning("%s: %s: %s", NAME, trouble, why)
                self._show(replace(self._health.mark_failed(trouble, self._wall()), about=why))
                self._schedule.due_s = self._clock() + RETRY_S

    def _show(self, health: Health) -> None:
        self._health = health
        if not health.ok and not self._is_listed:
            self._is_listed = True
            self._devices.add(self.health)
        self._devices.wake()

    def _run(self) -> None:
        while not self._stopped:
            wait_s = self._schedule.due_s - self._clock()
            if wait_s > 0:
                self._wakeup.wait(None if math.isinf(wait_s) else wait_s)
                self._wakeup.clear()
                continue
            self._schedule.due_s = math.inf
            self.back_up_if_due()

    def _rest(self) -> int:
        """Let other threads work; return True to cancel the backup."""
        time.sleep(REST_S)
        return self._stopped
