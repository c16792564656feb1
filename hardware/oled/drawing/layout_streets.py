"""The layout `streets`: every hole in its street, as on a wooden board, and the scores at the right."""

from dataclasses import replace
from functools import lru_cache
from itertools import pairwise

from hardware.oled.drawing import pegs_in_holes, pegs_on_lines
from hardware.oled.drawing.digits import DigitStyle
from hardware.oled.drawing.layout import LARGE, SMALL, BoardLayout, assemble
from hardware.oled.drawing.score_block import SKUNK, ScoreBlock
from hardware.oled.track_in_pixels import Pixel, Room, Track
from pegboard.core.rules import Hole

MOST_ROWS = 12
"""Rows of holes that fit the large panel with pegs in them; a longer track is drawn as lines."""

LONG_STREET = 90
"""Holes of a street of such a longer track: a pixel each."""

LONG_SCORES = 200
"""From this game hole on, scores of three digits are wide."""


@lru_cache(maxsize=8)
def make_layout(
    size: Pixel, lanes: int, game_hole: Hole, skunk_lines: tuple[Hole, ...], letter: str = SKUNK
) -> BoardLayout:
    """Where everything goes, for a game with so many lanes and holes."""
    return (_large if size == LARGE else _small)(lanes, game_hole, skunk_lines, letter)


def _large(lanes: int, game_hole: Hole, skunk_lines: tuple[Hole, ...], letter: str) -> BoardLayout:
    track = Track(lanes, game_hole)
    style: pegs_in_holes.PegSize | pegs_on_lines.PegRows = pegs_in_holes.reach(_rows_between(track))
    if track.streets * lanes > MOST_ROWS:
        track = Track(lanes, game_hole, street=LONG_STREET, fives=False, even=True)
        style = pegs_on_lines.sizes(_rows_between(track))
    block = LARGE_BLOCKS[lanes]
    if game_hole >= LONG_SCORES:
        block = replace(block, style=block.style._replace(gap=1))
    return assemble(
        LARGE,
        track=track,
        style=style,
        skunk_lines=skunk_lines,
        blocks=[block.moved(0, LARGE_APART[lanes] * lane) for lane in range(lanes)],
        mark=LARGE_MARKS[lanes],
        banner=Room(1, 33, 102, 30),
        letter=letter,
    )


def _rows_between(track: Track) -> int:
    """Rows from a lane to the next, the nearest in the next street included."""
    rows = sorted(track.row(street, lane) for street in range(track.streets) for lane in range(track.lanes))
    return min([below - above for above, below in pairwise(rows)], default=track.room.rows)


_TALL = ScoreBlock((127, 0), DigitStyle(6, 15, 2, 3, 2), (108, 16), (127, 16), (108, 25))
_LOW = ScoreBlock((127, 1), DigitStyle(6, 10, 2, 2, 2), (108, 12), (127, 12), (108, 20), square=(2, 1), room=20)

LARGE_BLOCKS = {1: _TALL, 2: _TALL, 3: _LOW}
"""The figures of the first lane on the large panel, by the number of lanes."""

LARGE_APART, SMALL_APART = {1: 0, 2: 32, 3: 21}, {1: 0, 2: 17, 3: 11}
"""Rows from the figures of a lane to those of the next, by the number of lanes."""

LARGE_MARKS, SMALL_MARK = {1: (106, 40, 21), 2: (0, 44, 3), 3: (0, 45, 3)}, (82, 25, 3)
"""Where a device's trouble is shown: first column and row, and columns."""

SMALL_ROOM = Room(7, 0, 71, 32)
"""Two streets of sixty holes with the fives apart, or two of thirty with twice the room."""


def _small(lanes: int, game_hole: Hole, skunk_lines: tuple[Hole, ...], letter: str) -> BoardLayout:
    """The small panel has room for two streets as lines."""
    track = Track(lanes, game_hole, SMALL_ROOM, street=-(-(game_hole - 1) // 2), even=True)
    return assemble(
        SMALL,
        track=track,
        style=pegs_on_lines.sizes(_rows_between(track)),
        skunk_lines=skunk_lines,
        blocks=[SMALL_BLOCKS[lanes].moved(0, SMALL_APART[lanes] * lane) for lane in range(lanes)],
        mark=SMALL_MARK,
        banner=Room(1, 0, 85, 31),
        letter=letter,
    )


SMALL_BLOCKS = {
    1: ScoreBlock((128, 0), DigitStyle(8, 20, 3, 4, 2), (88, 25), (128, 25), (95, 27), room=16),
    2: ScoreBlock((128, 0), DigitStyle(7, 15, 2, 3, 2), (88, 0), (105, 8), (94, 2), room=11),
    3: ScoreBlock((128, 0), DigitStyle(6, 10, 2, 2, 2), (88, 0), (107, 0), (88, 8), square=(2, 2), room=18),
}
"""The figures of the first lane on the small panel, by the number of lanes."""
