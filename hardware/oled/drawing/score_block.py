"""The score block of a lane: score, dealer's D, what it counts next, last points, games won, skunks."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from PIL import Image, ImageDraw

from hardware.oled.drawing import font
from hardware.oled.drawing.digits import DigitStyle, draw_number
from hardware.oled.track_in_pixels import Pixel
from pegboard.core.board import Game
from pegboard.core.moves import MugginsCalled, PointsRuling, Scored
from pegboard.core.sentences import marked_dealer, to_count
from pegboard.core.view import View

SKUNK, LURCH = "S", "L"
"""What marks a skunk line and a loser who has missed it, by the rules' name for that."""

FIVE = 5
"""Games won that a bar stands for."""

NUMBERED = 3
"""Rows of a square beside which a number has room."""

APART = 2
"""Columns between the squares and the word beside them."""

COUNTED = {"hand": ("HAND", "H"), "crib": ("CRIB", "C")}
"""What tells that a lane counts next, by what it counts; the letter where the word has no room."""


@dataclass(frozen=True, slots=True)
class ScoreBlock:
    """Where the score block of a lane stands, in pixels from the top left of the panel.

    Attributes:
        score: the column after the score's last one, and its first row.
        style: the style of its digits.
        dealer: the D.
        points: the column after the last points, and their first row.
        won: the squares for games won.
        square: columns and rows of such a square.
        room: columns for the squares; where they need more, a number stands instead, or as many as fit. What is counted
            next has the rest of them, or where squares are low the columns between the D and the points.
    """

    score: Pixel
    style: DigitStyle
    dealer: Pixel
    points: Pixel
    won: Pixel
    square: Pixel = (3, 3)
    room: int = 20

    def moved(self, columns: int, rows: int) -> "ScoreBlock":
        """The same block so many columns to the right and so many rows down."""

        def place(at: Pixel) -> Pixel:
            return at[0] + columns, at[1] + rows

        return replace(
            self, score=place(self.score), dealer=place(self.dealer), points=place(self.points), won=place(self.won)
        )


def draw(image: Image.Image, pen: ImageDraw.ImageDraw, view: View, lane: int, block: ScoreBlock) -> None:
    """Draw the score block of a lane. A loser's skunks stand where the points were; an unknown dealer has no D."""
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
    """Draw what the lane counts next, hand or crib, before the column `end`; nothing where there is no room."""
    counts = to_count(game)
    if counts is None or game.rules.lane_of(counts.seat) != lane:
        return
    text = next((text for text in COUNTED[counts.what] if at[0] + font.width(text) <= end), None)
    if text is not None:
        image.paste(font.render(text), at)


def _draw_points(image: Image.Image, at: Pixel, view: View, lane: int) -> int:
    """Draw a loser's skunks; what is being dialled, inverted; else the last points. Returns the first column."""
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
    """The points that a lane pegged last; where the game hole has cut them short, as many as were claimed."""
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
    """Draw a square for each, a bar for five; too many are a number, or as many as fit. Returns the next column."""
    fives, ones = divmod(won, FIVE)
    (x, top), (wide, tall) = block.won, block.square
    end = x + block.room
    if (fives * (wide + 3) + ones * (wide + 1)) - 1 > block.room and tall >= NUMBERED:
        image.paste(font.render(str(won)), (x, top - 1))
        return x + font.width(str(won))
    drawn = x
    for length in (wide + 2,) * fives + (wide,) * ones:
        if x + length <= end:
            pen.rectangle((x, top, x + length - 1, top + tall - 1), fill=1)
            drawn = x + length
        x += length + 1
    return drawn
