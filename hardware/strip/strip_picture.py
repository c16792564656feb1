"""LED strip picture of a view: a color for each LED; also the animation after a win and the flash of a call. Pure."""

import math
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from hardware.strip.layouts import REAR_START, Led, LedLayout
from pegboard.core.board import Game
from pegboard.core.rules import Hole
from pegboard.core.view import EventNews, View

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue as screen colors, 0 to 255."""

DARK: Rgb = (0, 0, 0)

LANES: tuple[Rgb, ...] = ((0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0x00, 0x9E, 0x73))
"""Okabe and Ito's blue, orange and bluish green, which color-blind people can tell apart."""

GATE: Rgb = (0x3A, 0x38, 0x35)
"""Ivory, dimmer than any rear peg, for the holes before and after a skunk line and for the game hole."""

FIFTH: Rgb = (0x1E, 0x1C, 0x19)
"""The same ivory, fainter than everything else, for every fifth hole."""

FIVE = 5

FRONT, REAR, LANDING, TRAIL, PATH, LAP = 1.0, 0.6, 0.45, 0.3, 0.2, 0.16
"""Brightness of the front peg, the rear peg, the landing hole (front peg plus keyed-in points), the holes behind the
rear peg, the holes on the way to the landing hole, and the marks of completed laps. A lane is recognizable by its
color and its row."""


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
    """The LED of a lane's hole, which may be a start hole; None if the strip has no LED for the hole.

    A game longer than the lane goes around, so that its holes share LEDs with those of other laps.
    """
    if hole <= 0:
        return layout.start[lane][hole - REAR_START] if layout.start else None
    leds, game_hole = layout.lanes[lane], game.rules.game_hole
    if hole == game_hole and (layout.is_loop or game_hole > len(leds)):
        return leds[-1]
    return leds[(hole - 1) % layout.lap_holes] if game_hole > len(leds) else leds[hole - 1]


def _is_in_lap(game: Game, layout: LedLayout, lane: int, hole: Hole) -> bool:
    """Whether a hole is in the same lap as the lane's front peg; a game that fits the lane has one lap."""
    rules = game.rules
    return hole == rules.game_hole or _lap(layout, hole) == _completed_laps(game, layout, lane)


def _completed_laps(game: Game, layout: LedLayout, lane: int) -> int:
    """How often the lane's front peg has been all the way around; a peg in the game hole is still in the last lap."""
    return _lap(layout, min(game.lanes[lane].front, game.rules.game_hole - 1))


def _lap(layout: LedLayout, hole: Hole) -> int:
    return max(hole - 1, 0) // layout.lap_holes


def _marks(view: View, layout: LedLayout) -> Iterator[tuple[Led, Rgb]]:
    """The lit LEDs, later ones over earlier ones, pegs last, and each winner's over the others'.

    Of the track and the trail only the lap of the front peg is shown, and of pegs and landing holes any.
    """
    yield from _games_won(view, layout)
    game, lanes = view.game, range(min(len(view.game.lanes), len(layout.lanes)))
    winner = game.outcome.winner if game.outcome else None
    for lit in (*TRACK, _landing, _rear, _front):
        for lane in sorted(lanes, key=lambda lane: lane == winner):
            for hole, color in lit(view, layout, lane).items():
                led = led_of(game, layout, lane, hole)
                if led is not None and (lit not in TRACK or _is_in_lap(game, layout, lane, hole)):
                    yield led, color


def _games_won(view: View, layout: LedLayout) -> Iterator[tuple[Led, Rgb]]:
    """The third peg of each lane: in the place of its last game won, with a trail behind it, as a real one stands.

    After the last place it begins again at the first, and all places stay lit.
    """
    for lane, (leds, won) in enumerate(zip(layout.games_won, view.match.games_won, strict=False)):
        if not leds or not won:
            continue
        passes, place = divmod(won - 1, len(leds))
        yield from ((led, dim(LANES[lane], TRAIL)) for led in (leds if passes else leds[:place]))
        yield leds[place], LANES[lane]


def _fifths(view: View, layout: LedLayout, _lane: int) -> dict[Hole, Rgb]:
    return dict.fromkeys(range(FIVE, view.game.rules.game_hole, FIVE), FIFTH) if layout.fives else {}


def _laps(view: View, layout: LedLayout, lane: int) -> dict[Hole, Rgb]:
    """In every five, as many holes as the lane has completed laps."""
    laps, holes = _completed_laps(view.game, layout, lane), range(1, view.game.rules.game_hole)
    return {hole: dim(LANES[lane], LAP) for hole in holes if (hole - 1) % FIVE < laps}


def _gates(view: View, _layout: LedLayout, _lane: int) -> dict[Hole, Rgb]:
    rules = view.game.rules
    return dict.fromkeys((*(hole for line in rules.skunk_lines for hole in (line, line + 1)), rules.game_hole), GATE)


def _trail(view: View, _layout: LedLayout, lane: int) -> dict[Hole, Rgb]:
    return dict.fromkeys(range(1, view.game.lanes[lane].rear), dim(LANES[lane], TRAIL))


TRACK = (_fifths, _laps, _gates, _trail)
"""What lies in the holes behind and around the pegs, from the lowest up."""


def _landing(view: View, _layout: LedLayout, lane: int) -> dict[Hole, Rgb]:
    """The hole where the front peg would land, and the holes on the way, for counting."""
    points = view.dialled[lane] if lane < len(view.dialled) else 0
    front = view.game.lanes[lane].front
    landing = min(front + points, view.game.rules.game_hole)
    if landing <= front:
        return {}
    return dict.fromkeys(range(front + 1, landing), dim(LANES[lane], PATH)) | {landing: dim(LANES[lane], LANDING)}


def _rear(view: View, _layout: LedLayout, lane: int) -> dict[Hole, Rgb]:
    front, rear = view.game.lanes[lane]
    return {REAR_START if front == 0 else rear: dim(LANES[lane], REAR)}


def _front(view: View, _layout: LedLayout, lane: int) -> dict[Hole, Rgb]:
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
    holes, lights = min(game.rules.game_hole, len(lane)), 1 + max(skunks)
    for light in range(lights):
        head = (seconds / LAP_S + light / lights) % 1 * holes
        for place in range(math.floor(head) - TAIL, math.floor(head) + 2):
            away = head - place
            yield lane[place % holes], max(0.0, 1 - away / TAIL) if away >= 0 else 1 + away


def _missed_gates(game: Game, skunks: Sequence[int], layout: LedLayout, seconds: Seconds) -> Iterator[tuple[Led, Rgb]]:
    for lane, missed in enumerate(skunks[: len(layout.lanes)]):
        for line in game.rules.skunk_lines if missed else ():
            led = led_of(game, layout, lane, line + 1)
            is_missed = game.lanes[lane].front <= line and _is_in_lap(game, layout, lane, line + 1)
            if is_missed and led is not None:
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
