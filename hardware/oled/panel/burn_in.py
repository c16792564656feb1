"""Burn-in protection: without news the panel is dimmed, then dark; while it is lit, the picture shifts by a pixel."""

from enum import Enum
from math import inf
from typing import TypeAlias

from PIL import Image, ImageChops

from hardware.oled.panel.reinit_schedule import SETTLE_S, Seconds
from pegboard.config import OledSettings
from pegboard.core.view import View

Box: TypeAlias = tuple[int, int, int, int]
"""The first column and row of what is lit, and the first after it."""

Step: TypeAlias = tuple[int, int]
"""A pixel shift: pixels to the left or the right, and up or down, wherever there is room."""

STEPS: tuple[Step, ...] = ((0, 0), (1, 0), (1, 1), (0, 1))
"""The shifts, in turn."""


class Light(Enum):
    """How brightly the panel is lit."""

    LIT = "lit"
    DIM = "dim"
    DARK = "dark"


class BurnIn:
    """From each view and the time: how the panel is to be lit, and how far its picture is shifted.

    Attributes:
        light: how brightly.
        step: the shift.
    """

    def __init__(self, own: OledSettings) -> None:
        self._own = own
        self._news: object = None
        self._news_s = self._moved_s = 0.0
        self._steps = 0
        self.light = Light.LIT

    @property
    def step(self) -> Step:
        """How far the picture is shifted."""
        return STEPS[self._steps % len(STEPS)]

    def update(self, view: View, now_s: Seconds) -> None:
        """The view is shown now; `now_s` never falls."""
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
        """Seconds until something is to change if there is no news; None while the panel is dark."""
        ends = [self._news_s + quiet_s for quiet_s in (self._own.dim_s, self._own.blank_s) if quiet_s]
        due_s = min((end for end in (*ends, self._moves_at()) if end > now_s), default=inf) - now_s
        return None if due_s == inf or self.light is Light.DARK else due_s

    def _light(self, quiet_s: Seconds) -> Light:
        if 0 < self._own.blank_s <= quiet_s:
            return Light.DARK
        return Light.DIM if 0 < self._own.dim_s <= quiet_s else Light.LIT

    def _moves_at(self) -> Seconds:
        """When the picture is shifted, which costs a whole frame: never while it is dark, nor soon after news."""
        if not self._own.shift_s or self.light is Light.DARK:
            return inf
        return max(self._moved_s + self._own.shift_s, self._news_s + SETTLE_S)


class PixelShift:
    """The offset of pictures: chosen when the step changes, so that news, which must be seen at once, shifts nothing.

    It is chosen anew only for a picture that would lose pixels.
    """

    def __init__(self) -> None:
        self._step = self._offset = STEPS[0]

    def shift(self, picture: Image.Image, step: Step) -> Image.Image:
        """The picture, shifted where an edge is dark; one that fills its panel stays."""
        lit = picture.getbbox()
        if lit is None:
            return picture
        if step != self._step or not _fits(lit, self._offset, picture.size):
            self._step, self._offset = step, _offset(lit, step, picture.size)
        return ImageChops.offset(picture, *self._offset)


def _fits(lit: Box, offset: Step, size: tuple[int, int]) -> bool:
    """Whether all that is lit stays inside."""
    left, top, right, bottom = lit
    aside, along = offset
    return min(left + aside, top + along) >= 0 and right + aside <= size[0] and bottom + along <= size[1]


def _offset(lit: Box, step: Step, size: tuple[int, int]) -> Step:
    left, top, right, bottom = lit
    aside, along = step
    return aside * _room(left, right, size[0]), along * _room(top, bottom, size[1])


def _room(first: int, end: int, size: int) -> int:
    """Whether there is room before the first pixel (-1), or else after the last (1), or nowhere."""
    return -1 if first > 0 else int(end < size)
