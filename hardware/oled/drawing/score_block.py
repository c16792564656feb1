"""Score block of a lane: large score digits, dealer's D, hand or crib to count next, last points, games won, skunks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageDraw

from hardware.oled.drawing import font
from hardware.oled.drawing.track_in_pixels import Pixel
from pegboard.core.board import Game
from pegboard.core.moves import MugginsCalled, PointsRuling, Scored
from pegboard.core.sentences import marked_dealer, to_count
from pegboard.core.view import View

# --- digits of the scores, in any size, made of seven bars; rendered numbers are cached ---


BARS = {
    "0": "top left low_left low_right right bottom",
    "2": "top right middle low_left bottom",
    "3": "top right middle low_right bottom",
    "4": "left middle right low_right",
    "5": "top left middle low_right bottom",
    "6": "top left middle low_left low_right bottom",
    "7": "top right low_right",
    "8": "top left right middle low_left low_right bottom",
    "9": "top left right middle low_right bottom",
}
"""The bars of each digit; a 1 is a stem with a flag instead, two bars wide."""

Box: TypeAlias = tuple[int, int, int, int]
"""Leftmost column, highest row, rightmost column, lowest row."""


class DigitStyle(NamedTuple):
    """The style of digits: dimensions in pixels.

    Attributes:
        width: the columns of every digit except 1.
        height: the rows of a digit.
        stem: the columns of a vertical bar.
        bar: the rows of a horizontal bar.
        gap: the columns between digits.
        waist: the first row of the middle bar; 0 means halfway.
    """

    width: int
    height: int
    stem: int
    bar: int
    gap: int
    waist: int = 0


@lru_cache(maxsize=64)
def draw_number(number: int, style: DigitStyle, *, close: bool = False) -> Image.Image:
    """Draw a score in white on black.

    Each digit has a fixed place, counted from the right, so unchanged digits do not move. Only a leading 1 takes just
    its own width, to make room for 100 and more; with `close`, every 1 does.
    """
    digits = str(number)
    widths = [
        2 * style.stem if digit == "1" and (close or not place) else style.width for place, digit in enumerate(digits)
    ]
    image = Image.new("1", (sum(widths) + style.gap * (len(digits) - 1), style.height))
    pen, end = ImageDraw.Draw(image), 0
    for digit, width in zip(digits, widths, strict=True):
        x = end + width - style.width
        for left, top, right, bottom in _boxes(digit, style):
            pen.rectangle((x + left, top, x + right, bottom), fill=1)
        end += width + style.gap
    return image


def _boxes(digit: str, style: DigitStyle) -> Iterator[Box]:
    if digit == "1":
        yield from _one(style)
    else:
        yield from (_places(style)[bar] for bar in BARS[digit].split())


def _one(style: DigitStyle) -> Iterator[Box]:
    """A 1, at the right of its place, where other digits also have a stem; its flag is a bar below the top."""
    left, right = style.width - 2 * style.stem, style.width - style.stem
    yield right, 0, style.width - 1, style.height - 1
    yield left, style.bar, right - 1, 2 * style.bar - 1


@lru_cache(maxsize=16)
def _places(style: DigitStyle) -> dict[str, Box]:
    right, bottom, in_right, low = style.width - 1, style.height - 1, style.width - style.stem, style.height - style.bar
    middle = style.waist or low // 2
    waist = middle + style.bar - 1
    return {
        "top": (0, 0, right, style.bar - 1),
        "middle": (0, middle, right, waist),
        "bottom": (0, low, right, bottom),
        "left": (0, 0, style.stem - 1, waist),
        "low_left": (0, middle, style.stem - 1, bottom),
        "right": (in_right, 0, right, waist),
        "low_right": (in_right, middle, right, bottom),
    }


SKUNK, LURCH = "S", "L"
"""The letter for a skunk line and for a loser who missed it, by the rules' name for a skunk."""

FIVE = 5
"""Games won per bar."""

NUMBERED = 3
"""Minimum rows of a square for a number to fit beside it."""

MOST_NARROW = 22
"""Maximum number of games won for which narrow bars and squares have room."""

APART = 2
"""Columns between the squares and the word beside them."""

COUNTED = {"hand": ("HAND", "H"), "crib": ("CRIB", "C")}
"""The label of the lane that counts next, for a hand and a crib: the word, or the letter if the word does not fit."""


@dataclass(frozen=True, slots=True)
class ScoreBlock:
    """The position of a lane's score block, in pixels from the top left of the panel.

    Attributes:
        score: the column after the score, and the first row of the score.
        style: the style of the score's digits.
        dealer: the position of the D.
        points: the column after the last points, and the first row of the points.
        won: the position of the squares for games won.
        square: the columns and rows of a square.
        room: the columns for the squares; if they need more, a number replaces them, or narrow ones if squares have too
            few rows for a number. What is counted next uses the rest or, in the latter case, the columns between the D
            and the points.
    """

    score: Pixel
    style: DigitStyle
    dealer: Pixel
    points: Pixel
    won: Pixel
    square: Pixel = (3, 3)
    room: int = 20

    def moved(self, columns: int, rows: int) -> "ScoreBlock":
        """The same block moved right by `columns` and down by `rows`."""

        def place(at: Pixel) -> Pixel:
            return at[0] + columns, at[1] + rows

        return replace(
            self, score=place(self.score), dealer=place(self.dealer), points=place(self.points), won=place(self.won)
        )


def draw(image: Image.Image, pen: ImageDraw.ImageDraw, view: View, lane: int, block: ScoreBlock) -> None:
    """Draw the score block of a lane. A loser's skunks replace the points; there is no D if the dealer is unknown."""
    game, (edge, top) = view.game, block.score
    score = draw_number(game.lanes[lane].front, block.style)
    image.paste(score, (edge - score.width, top))
    dealer = marked_dealer(view)
    deals = dealer is not None and game.rules.lane_of(dealer) == lane
    if deals:
        image.paste(font.badge("D"), block.dealer)
    squares = _draw_games_won(image, pen, block, view.match.games_won[lane])
    points = _draw_points(image, block.points, view, lane)
    if block.square[1] >= NUMBERED:
        (x, y), end = block.won, block.won[0] + block.room
        _draw_next_count(image, game, lane, (squares + APART if squares > x else x, y - 1), end)
    else:
        x, y = block.dealer
        _draw_next_count(image, game, lane, (x + deals * (font.width("D") + 2 + 1), y + 1), points - 1)


def _draw_next_count(image: Image.Image, game: Game, lane: int, at: Pixel, end: int) -> None:
    """Draw what the lane counts next, hand or crib, before the column `end`; nothing if it does not fit."""
    counts = to_count(game)
    if counts is None or game.rules.lane_of(counts.seat) != lane:
        return
    text = next((text for text in COUNTED[counts.what] if at[0] + font.width(text) <= end), None)
    if text is not None:
        image.paste(font.render(text), at)


def _draw_points(image: Image.Image, at: Pixel, view: View, lane: int) -> int:
    """Draw a loser's skunks; else the keyed-in amount, inverted; else the last points. Returns the first column."""
    game, (edge, top) = view.game, at
    if game.outcome is not None and game.outcome.skunks[lane]:
        text, inverted = (LURCH if game.rules.lurch else SKUNK) * game.outcome.skunks[lane], True
    elif view.dialled[lane]:
        text, inverted = f"+{view.dialled[lane]}", True
    else:
        points = last_points(game, lane)
        text, inverted = f"+{points}" if points > 0 else "", False
    if not text:
        return edge
    image.paste(font.badge(text, lit=inverted), (edge - font.width(text) - 2, top))
    return edge - font.width(text) - 2


def last_points(game: Game, lane: int) -> int:
    """The points that a lane pegged last; if the game hole cut them short, the points claimed."""
    front, rear = game.lanes[lane]
    if front < game.rules.game_hole:
        return front - rear
    return next(_claims_at_game_hole(game, lane), front - rear)


def _claims_at_game_hole(game: Game, lane: int) -> Iterator[int]:
    """The points of the lines that brought a lane into the game hole, newest first."""
    for line in range(len(game.entries), 0, -1):
        before, after = (position.lanes[lane].front for position in game.positions[line - 1 : line + 1])
        event = game.entries[line - 1].event
        if before == after or after < game.rules.game_hole:
            continue
        if isinstance(event, (Scored, MugginsCalled)):
            yield game.true_points.get(line, event.points)
        elif isinstance(event, PointsRuling):
            yield event.award


def _draw_games_won(image: Image.Image, pen: ImageDraw.ImageDraw, block: ScoreBlock, won: int) -> int:
    """Draw a square per game and a bar per five; a number if they do not fit. Returns the column after them.

    Where a number has too few rows, squares and bars become narrow, and a single bar in all the room stands for more.
    """
    (x, top), (wide, tall) = block.won, block.square
    marks = _marks(won, wide)
    if sum(marks) + len(marks) - 1 > block.room and tall >= NUMBERED:
        image.paste(font.render(str(won)), (x, top - 1))
        return x + font.width(str(won))
    if sum(marks) + len(marks) - 1 > block.room:
        marks = _marks(won, 1) if won <= MOST_NARROW else (block.room,)
    for length in marks:
        pen.rectangle((x, top, x + length - 1, top + tall - 1), fill=1)
        x += length + 1
    return x - 1 if marks else x


def _marks(won: int, wide: int) -> tuple[int, ...]:
    """The columns of each bar of five and of each square."""
    fives, ones = divmod(won, FIVE)
    return (wide + 2,) * fives + (wide,) * ones
