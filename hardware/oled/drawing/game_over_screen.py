"""Game-over screen: the winner, the skunk, the scores, what the win is worth, and the match."""

from PIL import Image, ImageChops

from hardware.oled.drawing import board_layouts, font
from hardware.oled.drawing.font import lane_label
from hardware.oled.drawing.score_block import DigitStyle, draw_number
from hardware.oled.drawing.track_in_pixels import Pixel
from pegboard.core.board import Game
from pegboard.core.match import result
from pegboard.core.rules import read_format
from pegboard.core.sentences import pluralize, skunk_name
from pegboard.core.view import View

MARGIN = 2
"""Columns and rows around a headline."""

LARGEST, LARGE, SMALL = DigitStyle(9, 21, 3, 4, 3), DigitStyle(6, 15, 2, 3, 2), DigitStyle(5, 9, 2, 2, 1)
"""Digits of the scores: on a large panel without a skunk, on a large panel under a skunk, and on a small panel.

Scores that are too wide take the next smaller digits.
"""


def draw(view: View, size: Pixel) -> Image.Image:
    """Draw the outcome of a finished game, and the match."""
    image = Image.new("1", size)
    _draw_headline(image, _winner(view.game, size[0] - 2 * MARGIN))
    (_draw_large if size == board_layouts.LARGE else _draw_small)(image, view)
    return image


def _draw_large(image: Image.Image, view: View) -> None:
    skunk, worth, standing = _skunk(view.game), _worth(view.game), _standing(view, image.width - 2 * MARGIN)
    if skunk:
        _paste_centered(image, font.render_large(skunk), 18)
        _paste_centered(image, _widest_scores(view.game, image.width - 2 * MARGIN, LARGE, SMALL), 32)
    else:
        scores = _widest_scores(view.game, image.width - 2 * MARGIN, LARGEST, LARGE, SMALL)
        _paste_centered(image, scores, 20 if standing else 24)
    _paste_text(image, worth, 50 if standing else 56)
    _paste_text(image, standing, 58)


def _draw_small(image: Image.Image, view: View) -> None:
    """Draw the skunk and the worth in words, with scores and match below."""
    skunk, worth = _skunk(view.game), _worth(view.game)
    scores = _scores(view.game, SMALL)
    standing = _standing(view, image.width - scores.width - 4 * MARGIN)
    _paste_text(image, ", ".join(word for word in (skunk, worth) if word), 16)
    if standing:
        image.paste(scores, (MARGIN, 23))
        image.paste(font.render(standing), (image.width - MARGIN - font.width(standing), 25))
    else:
        _paste_centered(image, scores, 23)


def _draw_headline(image: Image.Image, text: str) -> None:
    """Draw large black letters in a white band across the top."""
    letters = font.render_large(text)
    band = Image.new("1", (image.width, letters.height + 2 * MARGIN))
    _paste_centered(band, letters, MARGIN)
    image.paste(ImageChops.invert(band), (0, 0))


def _winner(game: Game, columns: int) -> str:
    """The winner, as in "ANN WINS", to fit `columns` columns at double size."""
    winner = None if game.outcome is None else game.outcome.winner
    words = " FELL SHORT" if winner is None else " WINS" if game.rules.seats == game.rules.lanes else " WIN"
    return lane_label(game, winner or 0, columns // 2 - font.width(words) - 1) + words


def _skunk(game: Game) -> str:
    """The skunk of the worst-off loser in words; "" without a skunk."""
    missed = 0 if game.outcome is None else max(game.outcome.skunks)
    return skunk_name(game.rules, missed).upper() if missed else ""


def _widest_scores(game: Game, columns: int, *digits: DigitStyle) -> Image.Image:
    """The scores in the first of these digits that `columns` columns have room for, else in the last."""
    scores = [_scores(game, style) for style in digits]
    return next((image for image in scores if image.width <= columns), scores[-1])


def _scores(game: Game, digits: DigitStyle) -> Image.Image:
    """Every lane's score, the winner's first, with dashes between them."""
    winner = None if game.outcome is None else game.outcome.winner
    lanes = sorted(range(len(game.lanes)), key=lambda lane: lane != winner)
    figures = [draw_number(game.lanes[lane].front, digits, close=True) for lane in lanes]
    apart = 2 * digits.width + digits.gap
    image = Image.new("1", (sum(score.width for score in figures) + apart * (len(figures) - 1), digits.height))
    x = 0
    for number, score in enumerate(figures):
        if number:
            dash = Image.new("1", (digits.width, digits.bar), 1)
            image.paste(dash, (x - apart + (apart - digits.width) // 2, (digits.height - digits.bar) // 2))
        image.paste(score, (x, 0))
        x += score.width + apart
    return image


def _worth(game: Game) -> str:
    """The worth of the win; if that is one game, the margin of victory; the holes reached if a solitaire fell short."""
    won = result(game)
    if won is None:
        return f"{game.lanes[0].front} OF {game.rules.game_hole} HOLES"
    if game.rules.worth[0] > 1:
        return f"WORTH {won.points} GAME POINTS"
    if won.games > 1:
        return f"COUNTS AS {won.games} GAMES"
    ahead = min((game.rules.game_hole - lane.front for n, lane in enumerate(game.lanes) if n != won.winner), default=0)
    return f"BY {pluralize(ahead, 'hole').upper()}" if ahead else ""


def _standing(view: View, columns: int) -> str:
    """Each lane's tally of the match: game points if games are worth any, games as the format counts them, or won.

    Empty if not even the numbers fit `columns`, as beside four scores on a small panel.
    """
    game, match = view.game, view.match
    tally = match.counted if read_format(match.format) else match.games_won
    if game.rules.worth[0] > 1:
        tally = match.points
    if len(game.lanes) == 1 or sum(tally) == 0:
        return ""
    before = "MATCH WON: " if match.winner is not None else "MATCH: "
    share = (columns - font.width(before)) // len(tally) - font.width("  99 ")
    for room in (columns, share):
        names = [lane_label(game, lane, room) for lane in range(len(tally))]
        named = before + "  ".join(f"{name} {number}" for name, number in zip(names, tally, strict=True))
        if font.width(named) <= columns:
            return named
    numbers = " - ".join(map(str, tally))
    return next((text for text in (before + numbers, numbers) if font.width(text) <= columns), "")


def _paste_text(image: Image.Image, text: str, top: int) -> None:
    if text:
        _paste_centered(image, font.render(text), top)


def _paste_centered(image: Image.Image, part: Image.Image, top: int) -> None:
    image.paste(part, ((image.width - part.width) // 2, top))
