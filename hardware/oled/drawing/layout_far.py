"""The layout `far`: scores as large as the panel allows, to be read from afar, over a track of a pixel a hole."""

from functools import lru_cache

from hardware.oled.drawing import pegs_on_lines
from hardware.oled.drawing.digits import DigitStyle
from hardware.oled.drawing.layout import LARGE, SMALL, BoardLayout, assemble
from hardware.oled.drawing.score_block import SKUNK, ScoreBlock
from hardware.oled.track_in_pixels import Pixel, Room, Track
from pegboard.core.rules import Hole

START, END = 2, 125
"""Columns of the start hole and, at most, of the game hole; a peg reaches two columns to each side."""

FREE_GATES = 2
"""Gates for which a column is left free; a game of 121 has room for two."""

TRACK_ROWS = {LARGE: {1: 16, 2: 24, 3: 30}, SMALL: {1: 9, 2: 12, 3: 15}}
"""Rows of the track at the lower edge, by the panel and the number of lanes."""


@lru_cache(maxsize=8)
def make_layout(
    size: Pixel, lanes: int, game_hole: Hole, skunk_lines: tuple[Hole, ...], letter: str = SKUNK
) -> BoardLayout:
    """Where everything goes, for a game with so many lanes and holes."""
    rows = TRACK_ROWS[size][lanes]
    gates = skunk_lines[:FREE_GATES]
    step = (END - START - len(gates)) // game_hole
    first = START + max(1, step)
    room = Room(first, size[1] - rows, 1 + (step * (game_hole - 1) or END - first - len(gates)), rows)
    track = Track(lanes, game_hole, room, street=game_hole, fives=False, gates=gates, even=True)
    blocks = [BLOCKS[size][lanes].moved(APART[size][lanes] * lane, 0) for lane in range(lanes)]
    banner = Room(1, 40, 126, 23) if size == LARGE else Room(1, 18, 126, 13)
    return assemble(
        size,
        track=track,
        style=pegs_on_lines.sizes(rows // lanes),
        skunk_lines=skunk_lines,
        blocks=blocks,
        mark=MARKS[size][lanes],
        banner=banner,
        letter=letter,
    )


BLOCKS = {
    LARGE: {
        1: ScoreBlock((91, 8), DigitStyle(18, 30, 5, 6, 4, waist=10), (2, 1), (126, 1), (2, 11), room=18),
        2: ScoreBlock((49, 0), DigitStyle(15, 30, 4, 6, 4, waist=10), (1, 32), (51, 32), (8, 34), room=28),
        3: ScoreBlock((37, 0), DigitStyle(10, 24, 3, 4, 3), (1, 26), (41, 26), (8, 28), room=15),
    },
    SMALL: {
        1: ScoreBlock((88, 0), DigitStyle(13, 18, 4, 4, 3, waist=8), (2, 0), (126, 0), (2, 10), room=20),
        2: ScoreBlock((62, 0), DigitStyle(12, 18, 3, 4, 3, waist=8), (0, 0), (17, 10), (7, 2), room=11),
        3: ScoreBlock((41, 0), DigitStyle(7, 15, 2, 3, 2), (0, 0), (17, 8), (6, 2), room=11),
    },
}
"""The figures of the first lane, by the panel and the number of lanes."""

APART = {LARGE: {1: 0, 2: 76, 3: 43}, SMALL: {1: 0, 2: 65, 3: 43}}
"""Columns from the figures of a lane to those of the next."""

MARKS = {
    LARGE: {1: (100, 34, 28), 2: (53, 32, 24), 3: (67, 26, 3)},
    SMALL: {1: (110, 12, 18), 2: (20, 0, 3), 3: (0, 8, 3)},
}
"""Where a device's trouble is shown: first column and row, and columns."""
