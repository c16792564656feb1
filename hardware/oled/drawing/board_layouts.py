"""Board layouts `far` and `streets` of the OLED, by kind of game: positions, empty track, gates at skunk lines."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from PIL import Image, ImageDraw

from hardware.oled.drawing import font, pegs_in_holes, pegs_on_lines
from hardware.oled.drawing.score_block import SKUNK, DigitStyle, ScoreBlock
from hardware.oled.drawing.track_in_pixels import Pixel, Room, Track, runs_right
from pegboard.core.rules import Hole

LARGE, SMALL = (128, 64), (128, 32)
"""Columns and rows of the panels."""


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """The positions of track, scores, trouble mark and notice, in pixels.

    Attributes:
        track: the positions of the holes.
        style: how pegs are drawn on the track: in holes, or on lines.
        blocks: each lane's score block.
        mark: the place where a device's trouble is shown: first column, first row, and number of columns.
        banner: the part of the panel that a notice may cover: not the edges, where the picture may be shifted.
        empty: the picture of the track without pegs.
        laps: on a classic board, the part of the panel for the lap of each lane's front peg.
    """

    track: Track
    style: pegs_in_holes.PegSize | pegs_on_lines.PegRows
    blocks: tuple[ScoreBlock, ...]
    mark: tuple[int, int, int]
    banner: Room
    empty: Image.Image
    laps: tuple[Room, ...] = ()


def assemble(
    size: Pixel,
    *,
    track: Track,
    style: pegs_in_holes.PegSize | pegs_on_lines.PegRows,
    skunk_lines: tuple[Hole, ...],
    blocks: Sequence[ScoreBlock],
    mark: tuple[int, int, int],
    banner: Room,
    letter: str,
) -> BoardLayout:
    """Draw the empty track, and make the layout; `letter` marks a skunk line."""
    empty = Image.new("1", size)
    pen = ImageDraw.Draw(empty)
    if isinstance(style, pegs_in_holes.PegSize):
        pegs_in_holes.draw_holes(pen, track)
        draw(empty, pen, track, skunk_lines, up=style.up, down=0, letter=letter)
    else:
        draw(empty, pen, track, skunk_lines, up=style.front, down=style.line - 1 + style.rear, letter=letter)
        pegs_on_lines.draw_holes(pen, track, style)
        if not track.turns:
            pegs_on_lines.draw_finish(pen, track, style)
    if track.turns:
        game_hole(pen, track, won=False)
    return BoardLayout(track, style, tuple(blocks), mark, banner, empty)


def game_hole(pen: ImageDraw.ImageDraw, track: Track, *, won: bool) -> None:
    """Draw the game hole shared by all lanes: a box."""
    x, y = track.hole_at(0, track.game_hole)
    pen.rectangle((x - 2, y - 2, x + 1, y + 2), fill=int(won), outline=1)


# --- layout `far`: scores as large as the panel allows, for reading from afar, over a track of a pixel per hole ---


START, END = 2, 125
"""Column of the start hole, and last possible column of the game hole; a peg extends two columns to each side."""

FREE_GATES = 2
"""Maximum number of gates with a free column; a game of 121 has room for two."""

TRACK_ROWS = {LARGE: {1: 16, 2: 24, 3: 30}, SMALL: {1: 9, 2: 12, 3: 15}}
"""Rows of the track at the bottom edge, by panel and number of lanes."""


@lru_cache(maxsize=8)
def make_far_layout(
    size: Pixel, lanes: int, game_hole: Hole, skunk_lines: tuple[Hole, ...], letter: str = SKUNK
) -> BoardLayout:
    """The layout `far` for a game with this many lanes and holes."""
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
"""The score block of the first lane, by panel and number of lanes."""

APART = {LARGE: {1: 0, 2: 76, 3: 43}, SMALL: {1: 0, 2: 65, 3: 43}}
"""Columns from the score block of a lane to that of the next lane."""

MARKS = {
    LARGE: {1: (100, 34, 28), 2: (53, 32, 24), 3: (67, 26, 3)},
    SMALL: {1: (110, 12, 18), 2: (20, 0, 3), 3: (0, 8, 3)},
}
"""The place where a device's trouble is shown: first column, first row, and number of columns."""


# --- layout `streets`: every hole in its street, as on a wooden board, and the scores at the right ---


MOST_ROWS = 12
"""Maximum rows of holes with pegs on the large panel; a longer track is drawn as lines."""

LONG_STREET = 90
"""Holes per street of a track drawn as lines: one pixel each."""

LONG_SCORES = 200
"""Game hole from which scores may have three wide digits."""


@lru_cache(maxsize=8)
def make_streets_layout(
    size: Pixel, lanes: int, game_hole: Hole, skunk_lines: tuple[Hole, ...], letter: str = SKUNK
) -> BoardLayout:
    """The layout `streets` for a game with this many lanes and holes."""
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
    """The smallest number of rows between two adjacent lanes, whether of one street or of neighboring streets."""
    rows = sorted(track.row(street, lane) for street in range(track.streets) for lane in range(track.lanes))
    return min([below - above for above, below in pairwise(rows)], default=track.room.rows)


_TALL = ScoreBlock((127, 0), DigitStyle(6, 15, 2, 3, 2), (108, 16), (127, 16), (108, 25))

_LOW = ScoreBlock((127, 1), DigitStyle(6, 10, 2, 2, 2), (108, 12), (127, 12), (108, 20), square=(2, 1), room=20)

LARGE_BLOCKS = {1: _TALL, 2: _TALL, 3: _LOW}
"""The score block of the first lane on the large panel, by the number of lanes."""

LARGE_APART, SMALL_APART = {1: 0, 2: 32, 3: 21}, {1: 0, 2: 17, 3: 11}
"""Rows from the score block of a lane to that of the next lane, by the number of lanes."""

LARGE_MARKS, SMALL_MARK = {1: (106, 40, 21), 2: (0, 44, 3), 3: (0, 45, 3)}, (82, 25, 3)
"""The place where a device's trouble is shown: first column, first row, and number of columns."""

SMALL_ROOM = Room(7, 0, 71, 32)
"""The room for two streets of sixty holes with gaps between fives, or of thirty holes with twice the spacing."""


def _small(lanes: int, game_hole: Hole, skunk_lines: tuple[Hole, ...], letter: str) -> BoardLayout:
    """The layout `streets` for the small panel, which has room for two streets as lines."""
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
    3: ScoreBlock((128, 0), DigitStyle(6, 10, 2, 2, 2), (88, 0), (107, 0), (88, 8), square=(2, 2), room=19),
}
"""The score block of the first lane on the small panel, by the number of lanes."""


# --- gates: a bar across every turn of the track, and a bar at each skunk line ---


LETTER = font.HEIGHT + 2
"""Rows from one letter to the next."""

BESIDE = {True: 3, False: -5}
"""Columns from a gate to the letters beside it, on the right and on the left."""


def draw(
    image: Image.Image,
    pen: ImageDraw.ImageDraw,
    track: Track,
    skunk_lines: tuple[Hole, ...],
    *,
    up: int,
    down: int,
    letter: str,
) -> None:
    """Draw the gates: dotted, but at a turn on a skunk line solid, with a letter per skunk of a loser who stops there.

    Args:
        image: the picture to draw on.
        pen: a pen on the picture.
        track: the positions of the holes.
        skunk_lines: the highest holes at which a loser is skunked.
        up: rows that a gate within a street extends above the first lane.
        down: rows that a gate within a street extends below the last lane.
        letter: the letter for a skunk, such as S.
    """
    turns = {track.street * (street + 1): street for street in range(track.streets - 1)}
    for hole, street in turns.items():
        _draw_turn_gate(image, pen, track, street, letter * count_skunks(hole, skunk_lines))
    for line in skunk_lines:
        if line not in turns:
            _draw_dotted_gate(pen, track, line, up, down)


def count_skunks(hole: Hole, skunk_lines: tuple[Hole, ...]) -> int:
    """The number of skunks of a loser who stops at a hole; 0 if the hole is not a skunk line."""
    return sum(line >= hole for line in skunk_lines) if hole in skunk_lines else 0


def _draw_turn_gate(image: Image.Image, pen: ImageDraw.ImageDraw, track: Track, street: int, letters: str) -> None:
    x = track.turn_gate(street)
    top, bottom = track.row(street, 0), track.row(street + 1, track.lanes - 1)
    pen.point([(x, y) for y in range(top, bottom + 1, 1 if letters else 2)], 1)
    x, y = _letters_at(x, top, bottom, LETTER * len(letters) - 2, right=runs_right(street))
    for n, letter in enumerate(letters):
        image.paste(font.render(letter), (x, y + LETTER * n))


def _letters_at(x: int, top: int, bottom: int, rows: int, *, right: bool) -> Pixel:
    """The position of a gate's letters: above the gate at the right if there is room, else beside the gate."""
    if right and top > rows:
        return x, top - rows - 1
    return x + BESIDE[right], (top + bottom + 1 - rows) // 2


def _draw_dotted_gate(pen: ImageDraw.ImageDraw, track: Track, line: Hole, up: int, down: int) -> None:
    """Draw a gate between two holes of a street, dotted because it crosses the lanes."""
    street = (line - 1) // track.street
    before, behind = track.hole_at(0, line)[0], track.hole_at(0, line + 1)[0]
    x = (before + behind + (before > behind)) // 2
    pen.point([(x, y) for y in range(track.row(street, 0) - up, track.row(street, track.lanes - 1) + down + 1, 2)], 1)
