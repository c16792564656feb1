"""LED strip picture of a view: a color for each LED; also the animation after a win and the flash of a call. Pure."""

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from hardware.strip.layouts import HOLES, REAR_START, Led, LedLayout
from pegboard.core.board import Game
from pegboard.core.position import Lane
from pegboard.core.rules import Hole
from pegboard.core.view import EventNews, View

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue as screen colors, 0 to 255."""

DARK: Rgb = (0, 0, 0)

LANES: tuple[Rgb, ...] = ((0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0x00, 0x9E, 0x73))
"""Okabe and Ito's blue, orange and bluish green, which color-blind people can tell apart."""

GATE: Rgb = (0x3A, 0x38, 0x35)
"""Ivory, dimmer than any rear peg, for the holes before and after a skunk line and for the game hole."""

FRONT, REAR, LANDING, TRAIL, PATH = 1.0, 0.6, 0.45, 0.3, 0.2
"""Brightness of the front peg, the rear peg, the landing hole (front peg plus keyed-in points), the holes behind the
rear peg, and the holes on the way to the landing hole. A lane is recognizable by its color and its row."""


def colors(view: View, layout: LedLayout) -> list[Rgb]:
    """The color of each LED of the layout. Lanes that the strip does not have are left out."""
    shown = [DARK] * layout.leds
    for led, color in _marks(view, layout):
        shown[led] = color
    return shown


def dim(color: Rgb, share: float) -> Rgb:
    """The color at a share, 0 to 1, of its brightness."""
    red, green, blue = (round(value * share) for value in color)
    return red, green, blue


def led_of(game: Game, layout: LedLayout, lane: int, hole: Hole) -> Led | None:
    """The LED of a lane's hole, which may be a start hole; None if the strip has no LED for the hole."""
    if hole <= 0:
        return layout.start[lane][hole - REAR_START] if layout.start else None
    place = _place(game.rules.game_hole, game.lanes[lane], hole)
    return None if place is None else layout.lanes[lane][place]


def _place(game_hole: Hole, pegs: Lane, hole: Hole) -> int | None:
    """The place of a hole among a lane's LEDs, or None if it is not shown; a game longer than the strip makes laps.

    Only the lap of the front peg is shown, and the rear peg, whichever lap it is in.
    """
    if game_hole <= HOLES:
        return hole - 1
    if hole == game_hole:
        return HOLES - 1
    each = HOLES - 1
    of_the_front = (min(pegs.front, game_hole - 1) - 1) // each
    is_shown = hole == pegs.rear or (hole - 1) // each == max(0, of_the_front)
    return (hole - 1) % each if is_shown else None


def _marks(view: View, layout: LedLayout) -> Iterator[tuple[Led, Rgb]]:
    """The lit LEDs, later ones over earlier ones: gates, trails, landings, rear and front pegs; each winner's last."""
    game, lanes = view.game, range(min(len(view.game.lanes), len(layout.lanes)))
    winner = game.outcome.winner if game.outcome else None
    for lit in (_gates, _trail, _landing, _rear, _front):
        for lane in sorted(lanes, key=lambda lane: lane == winner):
            for hole, color in lit(view, lane).items():
                led = led_of(game, layout, lane, hole)
                if led is not None:
                    yield led, color


def _gates(view: View, _lane: int) -> dict[Hole, Rgb]:
    rules = view.game.rules
    return dict.fromkeys((*(hole for line in rules.skunk_lines for hole in (line, line + 1)), rules.game_hole), GATE)


def _trail(view: View, lane: int) -> dict[Hole, Rgb]:
    return dict.fromkeys(range(1, view.game.lanes[lane].rear), dim(LANES[lane], TRAIL))


def _landing(view: View, lane: int) -> dict[Hole, Rgb]:
    """The hole where the front peg would land, and the holes on the way, for counting."""
    points = view.dialled[lane] if lane < len(view.dialled) else 0
    front = view.game.lanes[lane].front
    landing = min(front + points, view.game.rules.game_hole)
    if landing <= front:
        return {}
    return dict.fromkeys(range(front + 1, landing), dim(LANES[lane], PATH)) | {landing: dim(LANES[lane], LANDING)}


def _rear(view: View, lane: int) -> dict[Hole, Rgb]:
    front, rear = view.game.lanes[lane]
    return {REAR_START if front == 0 else rear: dim(LANES[lane], REAR)}


def _front(view: View, lane: int) -> dict[Hole, Rgb]:
    return {view.game.lanes[lane].front: LANES[lane]}


# --- animation after a win: lights run along the winner's lane, then the front peg breathes. Pure ---


Seconds = float

FRAME_S: Seconds = 0.04
"""Time per frame, for 25 frames a second."""

CHASE_S: Seconds = 4.5
"""How long the lights run: three laps."""

LAP_S: Seconds = 1.5

TAIL = 10
"""Length of the tail behind a light, in holes."""

BREATH_S: Seconds = 4.0
"""Duration of a breath, in and out."""

SHALLOW = 0.25
"""Minimum share of its light that a breathing LED keeps."""

MOVES_S: Seconds = 120.0
"""How long the animation lasts."""


class Celebration:
    """Remembers when the end of a game was first shown; a game that was over at startup is not celebrated."""

    def __init__(self) -> None:
        self._last_end: object = None
        self._since: Seconds | None = None

    def seconds(self, view: View, now_s: Seconds) -> Seconds | None:
        """How long the end of the view's game has been celebrated; None if there is no animation, or no longer."""
        outcome = view.game.outcome
        end = view.id, outcome
        if end != self._last_end:
            has_come = self._last_end is not None and outcome is not None and outcome.winner is not None
            self._last_end, self._since = end, now_s if has_come else None
        if self._since is None or now_s - self._since >= MOVES_S:
            return None
        return now_s - self._since


def celebration_colors(view: View, layout: LedLayout, seconds: Seconds) -> list[Rgb]:
    """The colors of a view with a winner, `seconds` after the end of the game.

    One light runs for the win, and one more for each skunk line that the worst-off loser missed; missed gates breathe
    in their loser's color. Every peg stays visible.
    """
    shown, outcome = colors(view, layout), view.game.outcome
    assert outcome is not None
    winner = outcome.winner
    for led, color in _missed_gates(view.game, outcome.skunks, layout, seconds):
        shown[led] = color
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
    """The lit LEDs and their strength, 0 to 1; each light has a tail and fades in."""
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


# --- flash of the strip while a judge or the director is called: dark LEDs flash, and lit LEDs stay lit. Pure ---


HALF_S: Seconds = 0.5
"""Seconds of light, and then of dark: one flash per second, far below the harmful three (WCAG 2.3.1)."""

COLORS: dict[str, Rgb] = {"judge": (0x50, 0x50, 0x50), "director": (0x66, 0x3C, 0x53)}
"""White for a judge, Okabe and Ito's reddish purple for the director, both dim; no lane has these colors."""


def flashes(event: EventNews | None) -> bool:
    """Whether there is an unanswered call."""
    return event is not None and event.is_calling


def flash_colors(shown: Sequence[Rgb], event: EventNews, now_s: Seconds) -> list[Rgb]:
    """The colors of a picture at `now_s` while a call is unanswered: dark LEDs are lit half of the time."""
    if int(now_s / HALF_S) % 2:
        return list(shown)
    light = next(COLORS[call.kind] for call in event.calls if not call.is_answered)
    return [light if color == DARK else color for color in shown]


def due_s(now_s: Seconds) -> Seconds:
    """Seconds until the flash turns on or off."""
    return HALF_S - now_s % HALF_S
