"""The animation after a win: lights run along the winner's lane, then the front peg breathes. Pure."""

import math
from collections.abc import Iterator, Sequence

from hardware.strip.layouts import HOLES, Led, LedLayout
from hardware.strip.strip_picture import LANES, Rgb, colours, dim, led_of
from pegboard.core.board import Game
from pegboard.core.view import View

Seconds = float

FRAME_S: Seconds = 0.04
"""From picture to picture: 25 a second."""

CHASE_S: Seconds = 4.5
"""The lights run for so long, three laps."""

LAP_S: Seconds = 1.5

TAIL = 10
"""Holes that a light draws behind it."""

BREATH_S: Seconds = 4.0
"""A breath, in and out."""

SHALLOW = 0.25
"""Share of its light that a breathing LED keeps at least."""

MOVES_S: Seconds = 120.0
"""After so long everything stands still."""


class Celebration:
    """Remembers since when the end of a game has been shown; one that was there from the start is not celebrated."""

    def __init__(self) -> None:
        self._last_end: object = None
        self._since: Seconds | None = None

    def seconds(self, view: View, now_s: Seconds) -> Seconds | None:
        """How long the view's end has been celebrated, or None where nothing moves (any more)."""
        outcome = view.game.outcome
        end = view.id, outcome
        if end != self._last_end:
            has_come = self._last_end is not None and outcome is not None and outcome.winner is not None
            self._last_end, self._since = end, now_s if has_come else None
        if self._since is None or now_s - self._since >= MOVES_S:
            return None
        return now_s - self._since


def celebration_colours(view: View, layout: LedLayout, seconds: Seconds) -> list[Rgb]:
    """The colours of a view with a winner, so many seconds after its end.

    A light runs for the win, and one more for each skunk line that a loser missed; the missed gates breathe in the
    loser's colour. Every peg stays visible.
    """
    shown, outcome = colours(view, layout), view.game.outcome
    assert outcome is not None
    winner = outcome.winner
    for led, colour in _missed_gates(view.game, outcome.skunks, layout, seconds):
        shown[led] = colour
    if winner is None or winner >= len(layout.lanes):
        return shown
    if seconds < CHASE_S:
        for led, strength in _lights(view.game, outcome.skunks, layout.lanes[winner], seconds):
            shown[led] = _brighter(shown[led], dim(LANES[winner], strength))
    elif (front := led_of(view.game, layout, winner, view.game.lanes[winner].front)) is not None:
        shown[front] = dim(LANES[winner], breath(seconds - CHASE_S))
    return shown


def breath(seconds: Seconds) -> float:
    """The share of its light that a breathing LED has; full at 0 seconds."""
    return SHALLOW + (1 - SHALLOW) * (1 + math.cos(2 * math.pi * seconds / BREATH_S)) / 2


def _lights(game: Game, skunks: Sequence[int], lane: tuple[Led, ...], seconds: Seconds) -> Iterator[tuple[Led, float]]:
    """The lit LEDs and their strength, 0 to 1; each light has a tail, and comes in softly."""
    holes, lights = min(game.rules.game_hole, HOLES), 1 + max(skunks)
    for light in range(lights):
        head = (seconds / LAP_S + light / lights) % 1 * holes
        for place in range(math.floor(head) - TAIL, math.floor(head) + 2):
            away = head - place
            yield lane[place % holes], max(0.0, 1 - away / TAIL) if away >= 0 else 1 + away


def _missed_gates(game: Game, skunks: Sequence[int], layout: LedLayout, seconds: Seconds) -> Iterator[tuple[Led, Rgb]]:
    for lane, missed in enumerate(skunks[: len(layout.lanes)]):
        for line in game.rules.skunk_lines if missed else ():
            if game.lanes[lane].front <= line and (led := led_of(game, layout, lane, line + 1)) is not None:
                yield led, dim(LANES[lane], breath(seconds))


def _brighter(one: Rgb, other: Rgb) -> Rgb:
    red, green, blue = map(max, one, other)
    return red, green, blue
