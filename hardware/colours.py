"""What each LED of the strip shows of a view: pegs, trails and gates in the lanes' colours. Pure."""

from typing import TypeAlias

from hardware.leds import HOLES, Layout
from pegboard.core.board import Game, Hole, Lane
from pegboard.core.view import View

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue as a screen would have them, 0 to 255."""

DARK: Rgb = (0, 0, 0)

LANES: tuple[Rgb, ...] = ((0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0x00, 0x9E, 0x73))
"""Okabe and Ito's blue, orange and bluish green: told apart by the colour-blind too."""

GATE: Rgb = (0x52, 0x4F, 0x4B)
"""Dim ivory: the holes before and after a skunk line, and the game hole."""

FRONT, REAR, TRAIL = 1.0, 0.6, 0.3
"""Brightness of the front peg, the rear peg and the holes behind it."""


def colours(view: View, layout: Layout, leds: int) -> list[Rgb]:
    """A colour for each of `leds` LEDs. Lanes that the strip does not have are left out."""
    shown = [DARK] * leds
    game = view.game
    for number, (lane, places) in enumerate(zip(game.lanes, layout, strict=False)):
        for hole, colour in _lane(game, lane, LANES[number]).items():
            if (led := _led(game.rules.game_hole, lane.front, hole)) is not None:
                shown[places[led]] = colour
    return shown


def _led(game_hole: Hole, front: Hole, hole: Hole) -> int | None:
    """Which of a lane's LEDs shows a hole; a game longer than the strip goes round it, and one round is shown."""
    if game_hole <= HOLES:
        return hole - 1
    if hole == game_hole:
        return HOLES - 1
    each = HOLES - 1
    of_the_front = (min(front, game_hole - 1) - 1) // each
    return (hole - 1) % each if (hole - 1) // each == max(0, of_the_front) else None


def _lane(game: Game, lane: Lane, colour: Rgb) -> dict[int, Rgb]:
    """What is lit in a lane, by hole; pegs over trail over gates."""
    lit = dict.fromkeys((hole for line in game.rules.skunk_lines for hole in (line, line + 1)), GATE)
    lit[game.rules.game_hole] = GATE
    lit |= dict.fromkeys(range(1, lane.rear), _dimmed(colour, TRAIL))
    lit |= {lane.rear: _dimmed(colour, REAR), lane.front: _dimmed(colour, FRONT)}
    lit.pop(0, None)  # the start holes have no LED
    return lit


def _dimmed(colour: Rgb, share: float) -> Rgb:
    red, green, blue = (round(value * share) for value in colour)
    return red, green, blue
