"""The font of small letters, for what must be typed exactly as it stands: commands know no capitals."""

from functools import lru_cache

from PIL import Image

from hardware.oled.drawing import font

HEIGHT = 7
"""Rows of a line: five as of a capital, and two below it for tails."""

SMALL = {
    "a": ".../##./.##/#.#/.##",
    "b": "#../##./#.#/#.#/##.",
    "c": ".../.##/#../#../.##",
    "d": "..#/.##/#.#/#.#/.##",
    "e": ".../.#./###/#../.##",
    "f": ".##/#../##./#../#..",
    "g": ".../.##/#.#/#.#/.##/..#/##.",
    "h": "#../##./#.#/#.#/#.#",
    "i": "#/./#/#/#",
    "j": ".#/../.#/.#/.#/.#/#.",
    "k": "#../#.#/##./##./#.#",
    "l": "##/.#/.#/.#/.#",
    "m": "...../####./#.#.#/#.#.#/#.#.#",
    "n": ".../##./#.#/#.#/#.#",
    "o": ".../.#./#.#/#.#/.#.",
    "p": ".../##./#.#/#.#/##./#../#..",
    "q": ".../.##/#.#/#.#/.##/..#/..#",
    "r": ".../#.#/##./#../#..",
    "s": ".../.##/##./.##/##.",
    "t": ".#./###/.#./.#./.##",
    "u": ".../#.#/#.#/#.#/.##",
    "v": ".../#.#/#.#/#.#/.#.",
    "w": "...../#.#.#/#.#.#/#.#.#/.#.#.",
    "x": ".../#.#/.#./.#./#.#",
    "y": ".../#.#/#.#/#.#/.##/..#/##.",
    "z": ".../###/.#./#../###",
}
"""Each as of `font.LETTERS`; what hangs below the line has more rows."""

SHAPES = font.LETTERS | SMALL

UNKNOWN = "?"
"""The place holder for a sign that the font does not have."""

BLANK = 3
"""Columns between two words, so that a blank is not overlooked."""


def width(text: str) -> int:
    """Pixels that `text` takes in one line."""
    return font.row_width(map(_shape, text))


@lru_cache(maxsize=64)
def render(text: str) -> Image.Image:
    """`text` with its capitals and small letters, in white on black."""
    return font.render_row([_shape(letter) for letter in text], HEIGHT)


def wrap(text: str, columns: int) -> list[str]:
    """`text` in lines of so many pixels, broken at blanks, or within a word that is longer than a line."""
    lines: list[str] = []
    for word in text.split():
        if lines and width(f"{lines[-1]} {word}") <= columns:
            lines[-1] += f" {word}"
        else:
            lines += _break_word(word, columns)
    return lines


def _break_word(word: str, columns: int) -> list[str]:
    lines = [""]
    for letter in word:
        if width(lines[-1] + letter) > columns:
            lines.append("")
        lines[-1] += letter
    return lines


def _shape(letter: str) -> str:
    return "/".join(["." * BLANK] * font.HEIGHT) if letter == " " else SHAPES.get(letter, SHAPES[UNKNOWN])
