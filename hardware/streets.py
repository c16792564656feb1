"""The panel's picture of a view: the streets with their pegs at the left, the scores at the right. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from hardware import font
from hardware.notice import banner
from hardware.track import LEFT, LEFT_GATE, RIGHT, RIGHT_GATE, STREET, Pixel, Track, column, runs_right
from pegboard.core.board import Lane
from pegboard.core.view import View

SIZE = (128, 64)
"""Columns and rows of the panel."""

PEG_HEIGHT = 5
"""Rows of a peg."""

ALONE, TOO_CLOSE = 4, 2
"""Rows from a single lane to its marks of ten; no marks where they would be so few rows from the holes."""

BLOCK = 107
"""The scores' left column."""

EDGE = 128
"""The column after the scores' last one."""


@dataclass(frozen=True, slots=True)
class Block:
    """Where one lane's figures stand, in rows below `top`.

    Attributes:
        top: the first row.
        tall: rows of a digit's pixel.
        line: the row of the D and of the points.
        won: the row of the squares for games won.
        square: columns and rows of such a square.
        mark: the row of the skunk mark; where it is `line`, the mark stands instead of the points.
    """

    top: int
    tall: int
    line: int
    won: int
    square: Pixel
    mark: int


_TALL = tuple(Block(top, 3, 16, 25, (3, 3), 23) for top in (0, 33))
_LOW = tuple(Block(top, 2, 11, 19, (2, 1), 11) for top in (1, 22, 43))
BLOCKS = {1: _TALL, 2: _TALL, 3: _LOW}
"""The blocks of each lane, by the number of lanes."""


def draw(view: View) -> Image.Image:
    """The view as a picture of 128 x 64 pixels of one bit."""
    game = view.game
    track = Track(len(game.lanes), game.rules.game_hole)
    image = _empty(track, game.rules.skunk_lines).copy()
    pen = ImageDraw.Draw(image)
    _pegs(pen, track, game.lanes)
    for lane in range(track.lanes):
        _figures(image, pen, view, lane)
    if view.notice is not None:
        image.paste(banner(view.notice), (0, SIZE[1] - banner(view.notice).height))
    return image


@lru_cache(maxsize=8)
def _empty(track: Track, skunk_lines: tuple[int, ...]) -> Image.Image:
    """The track without pegs."""
    image = Image.new("1", SIZE)
    pen = ImageDraw.Draw(image)
    for lane in range(track.lanes):
        pen.point([track.hole_at(lane, hole) for hole in range(track.game_hole)], 1)
        pen.point(track.waiting_at(lane), 1)
    pen.point(list(_tens(track)), 1)
    _game_hole(pen, track, won=False)
    for street in range(track.streets - 1):
        _gate(image, pen, track, street, _skunks_before(STREET * (street + 1), skunk_lines))
    return image


def _skunks_before(turn: int, skunk_lines: tuple[int, ...]) -> int:
    """What a loser who stops at the turn is marked with; 0 where no skunk line lies on it."""
    return sum(line >= turn for line in skunk_lines) if turn in skunk_lines else 0


def _tens(track: Track) -> Iterable[Pixel]:
    """Marks between the lanes at every tenth hole, where there is room."""
    half = track.pitch // 2 if track.lanes > 1 else ALONE
    for lane in range(max(track.lanes - 1, 1)) if half > TOO_CLOSE else ():
        for street in range(track.streets):
            for place in (10, 20):
                yield column(place) - 2, track.row(street, lane) + half


def _gate(image: Image.Image, pen: ImageDraw.ImageDraw, track: Track, street: int, skunks: int) -> None:
    """The bar across the turn after a street; on a skunk line whole, and with an S for each skunk before it."""
    right = runs_right(street)
    x = RIGHT_GATE if right else LEFT_GATE
    top, bottom = track.row(street, 0), track.row(street + 1, track.lanes - 1)
    pen.point([(x, y) for y in range(top, bottom + (skunks > 0), 1 if skunks else 2)], 1)
    first = top - 6 - 7 * (skunks - 1) if right else (top + bottom) // 2 - (7 * skunks - 2) // 2
    for n in range(skunks):
        image.paste(font.written("S"), (x if right else 1, first + 7 * n))


def _game_hole(pen: ImageDraw.ImageDraw, track: Track, *, won: bool) -> None:
    x, y = track.hole_at(0, track.game_hole)
    pen.rectangle((x - 2, y - 2, x + 1, y + 2), fill=int(won), outline=1)


def _pegs(pen: ImageDraw.ImageDraw, track: Track, lanes: tuple[Lane, ...]) -> None:
    low = 2 if track.pitch > PEG_HEIGHT or track.lanes == 1 else 1
    for number, lane in enumerate(lanes):
        _trail(pen, track, number, lane.rear)
        rear = track.hole_at(number, lane.rear) if lane.front else track.waiting_at(number)
        front = track.hole_at(number, lane.front)
        _clear(pen, rear)
        if lane.front < track.game_hole:
            _clear(pen, front)
            _peg(pen, front, low, solid=True)
        else:
            _game_hole(pen, track, won=True)
        _peg(pen, rear, low, solid=False)


def _trail(pen: ImageDraw.ImageDraw, track: Track, lane: int, rear: int) -> None:
    """The line behind the rear peg, one pixel clear of it."""
    whole, passed = divmod(max(rear - 1, 0), STREET)
    for street in range(whole):
        pen.line((LEFT, track.row(street, lane), RIGHT, track.row(street, lane)), 1)
    if passed:
        x, y = track.hole_at(lane, rear)
        pen.line((LEFT, y, x - 3, y) if runs_right(whole) else (x + 3, y, RIGHT, y), 1)


def _clear(pen: ImageDraw.ImageDraw, at: Pixel) -> None:
    x, y = at
    pen.rectangle((x - 2, y - 2, x + 2, y + 2), fill=0)


def _peg(pen: ImageDraw.ImageDraw, at: Pixel, low: int, *, solid: bool) -> None:
    """A peg that reaches `low` rows below its hole: one fewer where the lanes lie so close that pegs would touch."""
    x, y = at
    pen.rectangle((x - 1, y - 2, x + 1, y + low), fill=int(solid), outline=1)


def _figures(image: Image.Image, pen: ImageDraw.ImageDraw, view: View, lane: int) -> None:
    game, block = view.game, BLOCKS[len(view.game.lanes)][lane]
    _right(image, font.figure(game.lanes[lane].front, block.tall), block.top, EDGE - 1)
    _games_won(pen, block, view.match.games_won[lane])
    if game.rules.lane_of(game.dealer) == lane:
        image.paste(font.badge("D"), (BLOCK, block.top + block.line))
    skunks = 0 if game.outcome is None else game.outcome.skunks[lane]
    if skunks:
        _right(image, font.badge("S" * skunks), block.top + block.mark)
    if not skunks or block.mark != block.line:
        _points(image, block, view.dialled[lane], game.lanes[lane])


def _points(image: Image.Image, block: Block, dialled: int, lane: Lane) -> None:
    """What is being dialled, inverted; else the last points."""
    if dialled:
        _right(image, font.badge(f"+{dialled}"), block.top + block.line)
    elif lane.front > lane.rear:
        _right(image, font.written(f"+{lane.front - lane.rear}"), block.top + block.line + 1)


def _games_won(pen: ImageDraw.ImageDraw, block: Block, won: int) -> None:
    """A square for each, a bar for five."""
    fives, ones = divmod(won, 5)
    x, top, (wide, tall) = BLOCK, block.top + block.won, block.square
    for length in (wide + 2,) * fives + (wide,) * ones:
        pen.rectangle((x, top, x + length - 1, top + tall - 1), fill=1)
        x += length + 1


def _right(image: Image.Image, picture: Image.Image, top: int, edge: int = EDGE) -> None:
    image.paste(picture, (edge - picture.width, top))
