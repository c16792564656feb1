"""The flash of a strip while a judge or the director is called: dark LEDs light up in turn, and pegs stay. Pure."""

from collections.abc import Sequence

from hardware.strip.strip_picture import DARK, Rgb
from pegboard.core.view import EventNews

Seconds = float

HALF_S: Seconds = 0.5
"""Seconds of light, and of dark after it: one flash a second, far below three, which can harm (WCAG 2.3.1)."""

COLOURS: dict[str, Rgb] = {"judge": (0x50, 0x50, 0x50), "director": (0x66, 0x3C, 0x53)}
"""White for a judge, Okabe and Ito's reddish purple for the director, both dim: no lane has them."""


def flashes(event: EventNews | None) -> bool:
    """Whether somebody is called who does not come yet."""
    return event is not None and event.is_calling


def flash_colours(shown: Sequence[Rgb], event: EventNews, now_s: Seconds) -> list[Rgb]:
    """The colours of a picture while it flashes."""
    if int(now_s / HALF_S) % 2:
        return list(shown)
    light = next(COLOURS[call.kind] for call in event.calls if not call.is_answered)
    return [light if colour == DARK else colour for colour in shown]


def due_s(now_s: Seconds) -> Seconds:
    """Seconds until the light changes."""
    return HALF_S - now_s % HALF_S
