"""The layout `streets`: every hole in its street, as on a wooden board, and the scores at the right."""

from collections.abc import Callable
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
    blocks = [LARGE_BLOCKS[lanes](lane, 1 if game_hole >= LONG_SCORES else 2) for lane in range(lanes)]
    return assemble(
        LARGE,
        track=track,
        style=style,
        skunk_lines=skunk_lines,
        blocks=blocks,
        mark=LARGE_MARKS[lanes],
        banner=Room(1, 33, 102, 30),
        letter=letter,
    )


def _rows_between(track: Track) -> int:
    """Rows from a lane to the next, the nearest in the next street included."""
    rows = sorted(track.row(street, lane) for street in range(track.streets) for lane in range(track.lanes))
    return min([below - above for above, below in pairwise(rows)], default=track.room.rows)


def _tall_block(lane: int, gap: int) -> ScoreBlock:
    top = 32 * lane
    return ScoreBlock((127, top), DigitStyle(6, 15, 2, 3, gap), (108, top + 16), (127, top + 16), (108, top + 25))


def _low_block(lane: int, gap: int) -> ScoreBlock:
    top = 1 + 21 * lane
    return ScoreBlock(
        (127, top),
        DigitStyle(6, 10, 2, 2, gap),
        (108, top + 11),
        (127, top + 11),
        (108, top + 19),
        square=(2, 1),
        room=20,
    )


LARGE_BLOCKS: dict[int, Callable[[int, int], ScoreBlock]] = {1: _tall_block, 2: _tall_block, 3: _low_block}
"""The figures on the large panel, by the number of lanes."""


LARGE_MARKS, SMALL_MARK = {1: (106, 40, 21), 2: (0, 44, 3), 3: (0, 45, 3)}, (82, 25, 3)
"""Where a device's trouble is shown: first column and row, and columns."""

SMALL_ROOM = Room(7, 0, 71, 32)
"""Two streets of sixty holes with the fives apart, or two of thirty with twice the room."""


def _small(lanes: int, game_hole: Hole, skunk_lines: tuple[Hole, ...], letter: str) -> BoardLayout:
    """The small panel has room for two streets as lines."""
    track = Track(lanes, game_hole, SMALL_ROOM, street=-(-(game_hole - 1) // 2), even=True)
    blocks = [SMALL_BLOCKS[lanes](lane) for lane in range(lanes)]
    style = pegs_on_lines.sizes(_rows_between(track))
    return assemble(
        SMALL,
        track=track,
        style=style,
        skunk_lines=skunk_lines,
        blocks=blocks,
        mark=SMALL_MARK,
        banner=Room(1, 0, 85, 31),
        letter=letter,
    )


def _small_alone(_lane: int) -> ScoreBlock:
    return ScoreBlock((128, 0), DigitStyle(8, 20, 3, 4, 2), (88, 25), (128, 25), (95, 27), room=16)


def _small_of_two(lane: int) -> ScoreBlock:
    top = 17 * lane
    return ScoreBlock((128, top), DigitStyle(7, 15, 2, 3, 2), (88, top), (105, top + 8), (94, top + 2), room=11)


def _small_of_three(lane: int) -> ScoreBlock:
    top = 11 * lane
    return ScoreBlock(
        (128, top), DigitStyle(6, 10, 2, 2, 2), (88, top), (107, top), (88, top + 8), square=(2, 2), room=18
    )


SMALL_BLOCKS: dict[int, Callable[[int], ScoreBlock]] = {1: _small_alone, 2: _small_of_two, 3: _small_of_three}
"""The figures on the small panel, by the number of lanes."""
