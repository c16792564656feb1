"""The digits of the scores, of any size, made of seven bars; a number is drawn once and cached."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from PIL import Image, ImageDraw

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
"""The bars of each digit; a 1 is a stem with a flag instead, as wide as two bars."""

Box: TypeAlias = tuple[int, int, int, int]
"""Leftmost column, highest row, rightmost column, lowest row."""


class DigitStyle(NamedTuple):
    """The style of digits: their measures, in pixels.

    Attributes:
        width: columns of a digit but 1.
        height: rows.
        stem: columns of an upright bar.
        bar: rows of a lying bar.
        gap: columns between digits.
        waist: row of the bar in the middle; where it is 0, that lies halfway.
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

    Each digit has a place of its own, counted from the right, so that those which stay do not move. Only a leading 1
    takes no more than its own width, so that 100 and more have room; where it is `close`, every 1 does.
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
    """A 1 stands at the right of its place, where other digits have a stem too; its flag hangs a bar below the top."""
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
