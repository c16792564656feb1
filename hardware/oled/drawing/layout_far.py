"""The layout `far`: scores as large as the panel allows, to be read from afar, over a track of a pixel a hole."""

from collections.abc import Callable
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
    blocks = [BLOCKS[size][lanes](lane) for lane in range(lanes)]
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


def _alone(_lane: int) -> ScoreBlock:
    return ScoreBlock((91, 8), DigitStyle(18, 30, 5, 6, 4, waist=10), (2, 1), (126, 1), (2, 11), room=18)


def _of_two(lane: int) -> ScoreBlock:
    left = 76 * lane
    return ScoreBlock(
        (left + 49, 0), DigitStyle(15, 30, 4, 6, 4, waist=10), (left + 1, 32), (left + 51, 32), (left + 8, 34), room=28
    )


def _of_three(lane: int) -> ScoreBlock:
    left = 43 * lane
    return ScoreBlock(
        (left + 37, 0), DigitStyle(10, 24, 3, 4, 3), (left + 1, 26), (left + 41, 26), (left + 8, 28), room=15
    )


def _small_alone(_lane: int) -> ScoreBlock:
    return ScoreBlock((88, 0), DigitStyle(13, 18, 4, 4, 3, waist=8), (2, 0), (126, 0), (2, 10), room=20)


def _small_of_two(lane: int) -> ScoreBlock:
    left = 65 * lane
    return ScoreBlock(
        (left + 62, 0), DigitStyle(12, 18, 3, 4, 3, waist=8), (left, 0), (left + 17, 10), (left + 7, 2), room=11
    )


def _small_of_three(lane: int) -> ScoreBlock:
    left = 43 * lane
    return ScoreBlock((left + 41, 0), DigitStyle(7, 15, 2, 3, 2), (left, 0), (left + 17, 8), (left + 6, 2), room=11)


BLOCKS: dict[Pixel, dict[int, Callable[[int], ScoreBlock]]] = {
    LARGE: {1: _alone, 2: _of_two, 3: _of_three},
    SMALL: {1: _small_alone, 2: _small_of_two, 3: _small_of_three},
}
"""The figures, by the panel and the number of lanes."""

MARKS = {
    LARGE: {1: (100, 34, 28), 2: (53, 32, 24), 3: (67, 26, 3)},
    SMALL: {1: (110, 12, 18), 2: (20, 0, 3), 3: (0, 8, 3)},
}
"""Where a device's trouble is shown: first column and row, and columns."""
