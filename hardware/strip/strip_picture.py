"""The picture of a view on the strip: a colour for each LED, for pegs, trails and gates in the lanes' colours. Pure."""

from collections.abc import Iterator
from typing import TypeAlias

from hardware.strip.layouts import HOLES, REAR_START, Led, LedLayout
from pegboard.core.board import Game
from pegboard.core.position import Lane
from pegboard.core.rules import Hole
from pegboard.core.view import View

Rgb: TypeAlias = tuple[int, int, int]
"""Red, green and blue as a screen would have them, 0 to 255."""

DARK: Rgb = (0, 0, 0)

LANES: tuple[Rgb, ...] = ((0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0x00, 0x9E, 0x73))
"""Okabe and Ito's blue, orange and bluish green: told apart by the colour-blind too."""

GATE: Rgb = (0x3A, 0x38, 0x35)
"""Ivory, dimmer than any rear peg: the holes before and after a skunk line, and the game hole."""

FRONT, REAR, LANDING, TRAIL, PATH = 1.0, 0.6, 0.45, 0.3, 0.2
"""Brightness of the front peg, the rear peg, the hole where the dialled points lead, the holes behind the rear peg and
the holes on the way to the landing. A lane's colour says whose they are, and so does the row they lie in."""


def colours(view: View, layout: LedLayout) -> list[Rgb]:
    """A colour for each LED of the layout. Lanes that the strip does not have are left out."""
    shown = [DARK] * layout.leds
    for led, colour in _marks(view, layout):
        shown[led] = colour
    return shown


def dim(colour: Rgb, share: float) -> Rgb:
    """The colour at a share, 0 to 1, of its brightness."""
    red, green, blue = (round(value * share) for value in colour)
    return red, green, blue


def led_of(game: Game, layout: LedLayout, lane: int, hole: Hole) -> Led | None:
    """The LED of a lane's hole, start holes included; None where the strip has none."""
    if hole <= 0:
        return layout.start[lane][hole - REAR_START] if layout.start else None
    place = _place(game.rules.game_hole, game.lanes[lane], hole)
    return None if place is None else layout.lanes[lane][place]


def _place(game_hole: Hole, pegs: Lane, hole: Hole) -> int | None:
    """Which of a lane's LEDs shows a hole; a game longer than the strip goes round it.

    The front peg's round is shown, and the rear peg wherever it stands.
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
    """What is lit, each over what came before: gates, trails and ways, rear pegs, front pegs; the winner's last."""
    game, lanes = view.game, range(min(len(view.game.lanes), len(layout.lanes)))
    winner = game.outcome.winner if game.outcome else None
    for lit in (_gates, _trail, _landing, _rear, _front):
        for lane in sorted(lanes, key=lambda lane: lane == winner):
            for hole, colour in lit(view, lane).items():
                led = led_of(game, layout, lane, hole)
                if led is not None:
                    yield led, colour


def _gates(view: View, _lane: int) -> dict[Hole, Rgb]:
    rules = view.game.rules
    return dict.fromkeys((*(hole for line in rules.skunk_lines for hole in (line, line + 1)), rules.game_hole), GATE)


def _trail(view: View, lane: int) -> dict[Hole, Rgb]:
    return dict.fromkeys(range(1, view.game.lanes[lane].rear), dim(LANES[lane], TRAIL))


def _landing(view: View, lane: int) -> dict[Hole, Rgb]:
    """Where the front peg would land, and the holes on the way, to be counted."""
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
