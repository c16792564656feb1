"""When a panel is told everything again: one that has lost its power for a moment answers as before, and shows nothing.

No wire says so: on SPI nobody answers at all, and on I2C only a write in that very moment would fail.
"""

from typing import TypeAlias

from pegboard.core.view import View

Seconds: TypeAlias = float

SETTLE_S: Seconds = 2.0
"""It is told again only so long after news: to tell everything takes a whole frame, a slow panel most of a second, and
news must be seen at once, such as the peg that moves by itself 1.2 s after the last press."""

APART_S: Seconds = 10.0
"""And not sooner after the last time."""


class Renewal:
    """Told each view with the time, it says whether the panel is to be told everything again: once after news."""

    def __init__(self) -> None:
        self._news: View | None = None
        self._at_s: Seconds | None = None
        self._earliest_s: Seconds = 0.0

    def tell(self, view: View, now_s: Seconds) -> None:
        """The view is shown now; `now_s` never falls."""
        if self._news is None:
            self.done(now_s)
        elif view is not self._news:
            self._at_s = max(now_s + SETTLE_S, self._earliest_s)
        self._news = view

    def is_due(self, now_s: Seconds) -> bool:
        """Whether now is the time."""
        return self._at_s is not None and now_s >= self._at_s

    def done(self, now_s: Seconds) -> None:
        """It has been told everything."""
        self._at_s, self._earliest_s = None, now_s + APART_S

    def due_s(self, now_s: Seconds) -> Seconds | None:
        """Seconds until it is to be told again if there is no more news; None for never."""
        return None if self._at_s is None else max(0.0, self._at_s - now_s)
