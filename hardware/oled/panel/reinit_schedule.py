"""When a panel is told everything again: one that has lost its power for a moment answers as before, and shows nothing.

No wire says so: on SPI nobody answers at all, and on I2C only a write in that very moment would fail.
"""

import math
from typing import TypeAlias

from pegboard.core.view import View

Seconds: TypeAlias = float

SETTLE_S: Seconds = 2.0
"""It is told again only so long after news: to tell everything takes a whole frame, a slow panel most of a second, and
news must be seen at once, such as the peg that moves by itself 1.2 s after the last press."""

APART_S: Seconds = 10.0
"""And not sooner after the last time."""

SLOW_S: Seconds = 60.0
"""Without news, a panel to which telling everything takes a good part of a second is told no more often."""


class ReinitSchedule:
    """Told each view with the time, it says whether the panel is to be told everything again.

    Once after news, and without any every so often: a panel that was pulled and put in is dark for so long.
    """

    def __init__(self, every_s: Seconds) -> None:
        """Without news 0 seconds are never."""
        self._every_s = every_s
        self._view: View | None = None
        self._news_s: Seconds = -math.inf
        self._told_s: Seconds = 0.0

    def tell(self, view: View, now_s: Seconds) -> None:
        """The view is shown now; `now_s` never falls."""
        if self._view is None:
            self.done(now_s)
        elif view is not self._view:
            self._news_s = now_s
        self._view = view

    def is_due(self, now_s: Seconds) -> bool:
        """Whether now is the time."""
        return self.due_s(now_s) == 0.0

    def done(self, now_s: Seconds) -> None:
        """It has been told everything."""
        self._told_s = now_s

    def due_s(self, now_s: Seconds) -> Seconds | None:
        """Seconds until it is to be told again if there is no more news; None for never."""
        waits = [self._every_s] if self._every_s else []
        if self._news_s > self._told_s:
            waits.append(APART_S)
        if not waits:
            return None
        return max(0.0, self._told_s + min(waits) - now_s, self._news_s + SETTLE_S - now_s)
