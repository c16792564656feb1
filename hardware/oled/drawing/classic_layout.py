"""Board layout `classic` of the OLED: each lane an outer and an inner row, gone around again, with its lap in words."""

from dataclasses import replace
from functools import lru_cache

from PIL import Image, ImageDraw

from hardware.oled.drawing import font, pegs_in_holes, pegs_on_lines
from hardware.oled.drawing.board_layouts import (
    LARGE,
    LARGE_APART,
    LARGE_BLOCKS,
    LARGE_MARKS,
    LONG_SCORES,
    SMALL,
    SMALL_APART,
    SMALL_BLOCKS,
    SMALL_ROOM,
    BoardLayout,
    count_skunks,
    game_hole,
)
from hardware.oled.drawing.score_block import SKUNK
from hardware.oled.drawing.track_in_pixels import TO_GATE, Pixel, Room, Track
from pegboard.core.board_shape import LAP
from pegboard.core.rules import STREET, Hole

LARGE_LOOPS = {1: ((19, 43),), 2: ((3, 19), (59, 43)), 3: ((5, 18), (26, 38), (59, 46))}
"""The panel rows of each lane's outer and inner row on the large panel; each peg lies within one page of the panel."""

SMALL_LOOPS = {1: ((3, 27),), 2: ((3, 11), (27, 19)), 3: ((2, 7), (12, 17), (27, 22))}
"""The same on the small panel, where pegs stand on lines."""

LARGE_PEGS = {1: pegs_in_holes.PegSize(3, 4), 2: pegs_in_holes.PegSize(3, 4), 3: pegs_in_holes.PegSize(2, 1)}
"""The size of pegs on the large panel, by the number of lanes."""

SMALL_PEGS = {1: pegs_on_lines.PegRows(3, 2, 3), 2: pegs_on_lines.sizes(8), 3: pegs_on_lines.sizes(5)}
"""The rows of pegs on the small panel, by the number of lanes."""

LARGE_LAPS = {1: (32,), 2: (9, 49), 3: (9, 30, 50)}
"""The panel row of each lane's lap on the large panel, by the number of lanes: in the loop, if possible in one page."""

SMALL_LAPS = {
    1: (Room(36, 16, 13, font.HEIGHT),),
    2: (Room(74, 9, 13, font.HEIGHT), Room(74, 25, 13, font.HEIGHT)),
    3: (Room(78, 1, 3, font.HEIGHT), Room(78, 12, 3, font.HEIGHT), Room(78, 23, 3, font.HEIGHT)),
}
"""Where the lap of each lane is said on the small panel, by the number of lanes."""

SMALL_MARKS = {1: (82, 25, 3), 2: (82, 0, 3), 3: (82, 25, 3)}
"""The place on the small panel where a device's trouble is shown: first column, first row, and number of columns."""

ORDINALS = ("1ST", "2ND", "3RD", "4TH", "5TH", "6TH")
"""The laps of the longest game, to 361."""

BESIDE = 3
"""Columns from a gate to the letters beside it."""

GAME_HOLE_ROWS = 3
"""Rows above and below the middle of the board that are the game hole's."""


@lru_cache(maxsize=8)
def make_classic_layout(
    size: Pixel, lanes: int, last: Hole, skunk_lines: tuple[Hole, ...], letter: str = SKUNK
) -> BoardLayout:
    """The layout `classic` for a game with this many lanes, and with the game hole `last`."""
    return (_large if size == LARGE else _small)(lanes, last, skunk_lines, letter)


def _large(lanes: int, last: Hole, skunk_lines: tuple[Hole, ...], letter: str) -> BoardLayout:
    track, pegs, block = Track(lanes, last, loops=LARGE_LOOPS[lanes]), LARGE_PEGS[lanes], LARGE_BLOCKS[lanes]
    if last >= LONG_SCORES:
        block = replace(block, style=block.style._replace(gap=1))
    empty = Image.new("1", LARGE)
    pen = ImageDraw.Draw(empty)
    pegs_in_holes.draw_holes(pen, track)
    for lane in range(lanes):
        for line in _gates(track, skunk_lines):
            _draw_gate(pen, track, lane, line, solid=line in skunk_lines, reach=(pegs.up, 0))
            if line in skunk_lines and line % STREET == 0:
                letters = font.render(letter * count_skunks(line, skunk_lines))
                at_left = track.room.left - TO_GATE + BESIDE
                x = track.right + TO_GATE + 1 - BESIDE - letters.width if line % LAP else at_left
                empty.paste(letters, (x, _middle(track, lane) - font.HEIGHT // 2))
    game_hole(pen, track, won=False)
    return BoardLayout(
        track,
        pegs,
        tuple(block.moved(0, LARGE_APART[lanes] * lane) for lane in range(lanes)),
        LARGE_MARKS[lanes],
        Room(1, 33, 102, 30),
        empty,
        tuple(Room(36, top, 37, font.HEIGHT) for top in LARGE_LAPS[lanes]),
    )


def _small(lanes: int, last: Hole, skunk_lines: tuple[Hole, ...], letter: str) -> BoardLayout:
    track, pegs = Track(lanes, last, SMALL_ROOM, loops=SMALL_LOOPS[lanes]), SMALL_PEGS[lanes]
    empty = Image.new("1", SMALL)
    pen = ImageDraw.Draw(empty)
    for lane in range(lanes):
        for line in _gates(track, skunk_lines):
            reach = pegs.front, pegs.line - 1 + pegs.rear
            _draw_gate(pen, track, lane, line, solid=line in skunk_lines, reach=reach)
            if line in skunk_lines and line % LAP == STREET:
                top = min(track.loops[lane]) - 1
                empty.paste(font.render(letter), (track.right + TO_GATE + BESIDE - 1, top))
    pegs_on_lines.draw_holes(pen, track, pegs)
    game_hole(pen, track, won=False)
    return BoardLayout(
        track,
        pegs,
        tuple(SMALL_BLOCKS[lanes].moved(0, SMALL_APART[lanes] * lane) for lane in range(lanes)),
        SMALL_MARKS[lanes],
        Room(1, 0, 86, 31),
        empty,
        SMALL_LAPS[lanes],
    )


def _middle(track: Track, lane: int) -> int:
    """The panel row in the middle of a lane's loop."""
    return sum(track.loops[lane]) // 2


def _gates(track: Track, skunk_lines: tuple[Hole, ...]) -> list[Hole]:
    """The holes before the gates: the skunk lines, and the turn at the far end, which comes first, to be drawn over."""
    turn = [STREET] if track.game_hole > STREET + 1 else []
    return [*turn, *skunk_lines]


def _draw_gate(
    pen: ImageDraw.ImageDraw, track: Track, lane: int, line: Hole, *, solid: bool, reach: tuple[int, int]
) -> None:
    """Draw a gate after a hole: a bar across the end of the loop, or a dotted one through its row.

    Args:
        pen: a pen on the picture.
        track: the positions of the holes.
        lane: the lane.
        line: the hole before the gate.
        solid: whether a bar across an end is a skunk line, else it is dotted.
        reach: rows that a gate within a row extends above and below.
    """
    if line % STREET == 0:
        x = track.room.left - TO_GATE if line % LAP == 0 else track.right + TO_GATE
        top, bottom = sorted(track.loops[lane])
        rows = range(top, bottom + 1, 1 if solid else 2)
        middle = track.hole_at(0, track.game_hole)[1]
        free = x > track.room.left
        pen.point([(x, y) for y in rows if free or abs(y - middle) > GAME_HOLE_ROWS], 1)
        return
    (before, y), (behind, _) = track.hole_at(lane, line), track.hole_at(lane, line + 1)
    x = (before + behind + (before > behind)) // 2
    up, down = reach
    pen.point([(x, row) for row in range(y - up, y + down + 1, 2)], 1)


def draw_lap(image: Image.Image, layout: BoardLayout, lane: int, front: Hole) -> None:
    """Say which lap the front peg of a lane is on, from the second on, in as many letters as there is room for."""
    lap, room = layout.track.lap_of(front), layout.laps[lane]
    if not lap:
        return
    nth = ORDINALS[lap]
    text = next(text for text in (f"LAP {nth[0]}", nth, nth[0]) if font.width(text) <= room.columns)
    image.paste(font.render(text), (room.left + (room.columns - font.width(text)) // 2, room.top))
