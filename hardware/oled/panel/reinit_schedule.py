"""The schedule of reinits: a panel that has lost its power for a moment answers as before, but shows nothing.

No error says so: on SPI nobody answers at all, and on I2C only a write in that very moment would fail. So a panel is
initialized again and sent its whole picture, now and then.
"""

import math
from typing import TypeAlias

from pegboard.core.view import View

Seconds: TypeAlias = float

SETTLE_S: Seconds = 2.0
"""A reinit comes only so long after news: it takes a whole frame, on a slow panel most of a second, and news must be
seen at once, such as the peg that moves by itself 1.2 s after the last press."""

APART_S: Seconds = 10.0
"""The shortest time between two reinits."""

SLOW_S: Seconds = 60.0
"""The shortest time between two reinits without news, for a panel on which one takes a good part of a second."""


class ReinitSchedule:
    """From each view and the time: whether the panel is to be initialized again.

    Once after news, and every so often without any: a panel that was pulled and put in is dark for so long.
    """

    def __init__(self, every_s: Seconds) -> None:
        """Every `every_s` without news; 0 is never."""
        self._every_s = every_s
        self._view: View | None = None
        self._news_s: Seconds = -math.inf
        self._done_s: Seconds = 0.0

    def update(self, view: View, now_s: Seconds) -> None:
        """The view is shown now; `now_s` never falls."""
        if self._view is None:
            self.mark_done(now_s)
        elif view is not self._view:
            self._news_s = now_s
        self._view = view

    def is_due(self, now_s: Seconds) -> bool:
        """Whether now is the time."""
        return self.due_s(now_s) == 0.0

    def mark_done(self, now_s: Seconds) -> None:
        """It has been initialized again."""
        self._done_s = now_s

    def due_s(self, now_s: Seconds) -> Seconds | None:
        """Seconds until the next reinit if there is no more news; None for never."""
        waits = [self._every_s] if self._every_s else []
        if self._news_s > self._done_s:
            waits.append(APART_S)
        if not waits:
            return None
        return max(0.0, self._done_s + min(waits) - now_s, self._news_s + SETTLE_S - now_s)
