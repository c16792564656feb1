"""Timed panel decisions: game-over alternation, reinits, burn-in protection by dimming, blanking and pixel shifts."""

import math
from enum import Enum
from math import inf
from typing import TypeAlias

from PIL import Image, ImageChops

from pegboard.config import OledSettings
from pegboard.core.view import View

# --- alternation of the game-over screen and the board after a game, until the board stays ---


TURN_S = 5.0
"""Seconds that each screen is shown."""

ALTERNATION_S = 120.0
"""Seconds after the end of a game from which the board stays."""


class GameOverAlternation:
    """Decides from each view and the time whether to show the game-over screen instead of the board.

    Attributes:
        shown: whether to show the game-over screen.
    """

    def __init__(self) -> None:
        self._of: object = None
        self._since_s = 0.0
        self.shown = False

    def update(self, view: View, now_s: float) -> None:
        """Update for a view shown at `now_s`, which never decreases. News after the end is shown on the board."""
        end = None if view.game.outcome is None else (view.epoch, view.id, view.revision)
        if end != self._of:
            self._of, self._since_s = end, now_s
        is_calling = view.event is not None and view.event.is_calling
        interrupted = view.notice is not None or view.invitation is not None or any(view.dialled) or is_calling
        passed_s = now_s - self._since_s
        self.shown = end is not None and not interrupted and passed_s < ALTERNATION_S and passed_s // TURN_S % 2 == 0

    def due_s(self, now_s: float) -> float | None:
        """Seconds until the screens switch, or None if they no longer do."""
        passed_s = now_s - self._since_s
        return TURN_S - passed_s % TURN_S if self._of is not None and passed_s < ALTERNATION_S else None


# --- schedule of reinits: a panel that briefly lost power answers as before, but shows nothing ---
#
# No error reports this: SPI has no acknowledgment, and on I2C only a write at that moment would fail. So the panel is
# initialized again at intervals and sent its whole picture.


Seconds: TypeAlias = float

SETTLE_S: Seconds = 2.0
"""Delay of a reinit after news. A reinit sends a whole frame, which takes most of a second on a slow panel, and news
must be visible at once, such as the automatic peg 1.2 s after the last press."""

APART_S: Seconds = 10.0
"""The shortest time between two reinits."""

SLOW_S: Seconds = 60.0
"""The shortest time between two reinits without news, for a panel on which a reinit takes a large part of a second."""


class ReinitSchedule:
    """Decides from each view and the time whether to initialize the panel again.

    Once after news, and otherwise at intervals, which limit how long a panel stays dark after being replugged.
    """

    def __init__(self, every_s: Seconds) -> None:
        """Reinit every `every_s` without news; 0 means never."""
        self._every_s = every_s
        self._view: View | None = None
        self._news_s: Seconds = -math.inf
        self._done_s: Seconds = 0.0

    def update(self, view: View, now_s: Seconds) -> None:
        """Update for a view shown at `now_s`, which never decreases."""
        if self._view is None:
            self.mark_done(now_s)
        elif view is not self._view:
            self._news_s = now_s
        self._view = view

    def is_due(self, now_s: Seconds) -> bool:
        """Whether a reinit is due now."""
        return self.due_s(now_s) == 0.0

    def mark_done(self, now_s: Seconds) -> None:
        """Record that the panel was initialized again."""
        self._done_s = now_s

    def due_s(self, now_s: Seconds) -> Seconds | None:
        """Seconds until the next reinit if there is no further news; None for never."""
        waits = [self._every_s] if self._every_s else []
        if self._news_s > self._done_s:
            waits.append(APART_S)
        if not waits:
            return None
        return max(0.0, self._done_s + min(waits) - now_s, self._news_s + SETTLE_S - now_s)


Box: TypeAlias = tuple[int, int, int, int]
"""The first column and row of the lit area, and the first column and row after it."""

Step: TypeAlias = tuple[int, int]
"""A pixel shift: one pixel left or right, and up or down, wherever there is room."""

STEPS: tuple[Step, ...] = ((0, 0), (1, 0), (1, 1), (0, 1))
"""The sequence of shifts."""


class Light(Enum):
    """How brightly the panel is lit."""

    LIT = "lit"
    DIM = "dim"
    DARK = "dark"


class BurnIn:
    """Decides from each view and the time how to light the panel, and how far to shift its picture.

    Attributes:
        light: how brightly to light the panel.
        step: how far to shift the picture.
    """

    def __init__(self, own: OledSettings) -> None:
        self._own = own
        self._news: object = None
        self._news_s = self._moved_s = 0.0
        self._steps = 0
        self.light = Light.LIT

    @property
    def step(self) -> Step:
        """How far to shift the picture."""
        return STEPS[self._steps % len(STEPS)]

    def update(self, view: View, now_s: Seconds) -> None:
        """Update for a view shown at `now_s`, which never decreases."""
        if self._news is None:
            self._moved_s = now_s
        news = (
            view.epoch,
            view.id,
            view.revision,
            view.dialled,
            view.notice,
            view.invitation is None,
            view.brightness,
            view.alarms,
            view.event,
        )
        if news != self._news:
            self._news, self._news_s = news, now_s
        self.light = self._light(now_s - self._news_s)
        if now_s >= self._moves_at():
            self._steps, self._moved_s = self._steps + 1, now_s

    def due_s(self, now_s: Seconds) -> Seconds | None:
        """Seconds until the next change without news; None while the panel is dark."""
        ends = [self._news_s + quiet_s for quiet_s in (self._own.dim_s, self._own.blank_s) if quiet_s]
        due_s = min((end for end in (*ends, self._moves_at()) if end > now_s), default=inf) - now_s
        return None if due_s == inf or self.light is Light.DARK else due_s

    def _light(self, quiet_s: Seconds) -> Light:
        if 0 < self._own.blank_s <= quiet_s:
            return Light.DARK
        return Light.DIM if 0 < self._own.dim_s <= quiet_s else Light.LIT

    def _moves_at(self) -> Seconds:
        """When to shift the picture, which costs a whole frame: never while it is dark or soon after news."""
        if not self._own.shift_s or self.light is Light.DARK:
            return inf
        return max(self._moved_s + self._own.shift_s, self._news_s + SETTLE_S)


class PixelShift:
    """Shifts pictures. The offset changes with the step, not with news, which must be visible at once.

    Otherwise the offset is recomputed only for a picture that would lose pixels.
    """

    def __init__(self) -> None:
        self._step = self._offset = STEPS[0]

    def shift(self, picture: Image.Image, step: Step) -> Image.Image:
        """The picture, shifted by the step where an edge is dark; a picture that fills its panel is unchanged."""
        lit = picture.getbbox()
        if lit is None:
            return picture
        if step != self._step or not _fits(lit, self._offset, picture.size):
            self._step, self._offset = step, _offset(lit, step, picture.size)
        return ImageChops.offset(picture, *self._offset)


def _fits(lit: Box, offset: Step, size: tuple[int, int]) -> bool:
    """Whether all lit pixels stay on the panel."""
    left, top, right, bottom = lit
    aside, along = offset
    return min(left + aside, top + along) >= 0 and right + aside <= size[0] and bottom + along <= size[1]


def _offset(lit: Box, step: Step, size: tuple[int, int]) -> Step:
    left, top, right, bottom = lit
    aside, along = step
    return aside * _room(left, right, size[0]), along * _room(top, bottom, size[1])


def _room(first: int, end: int, size: int) -> int:
    """The direction in which there is room: before the first lit pixel (-1), else after the last (1), else 0."""
    return -1 if first > 0 else int(end < size)
