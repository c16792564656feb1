"""The panel's own letters, five pixels high, as data; drawn once and kept."""

import unicodedata
from functools import lru_cache

from PIL import Image, ImageChops, ImageOps

HEIGHT = 5
"""Rows of a letter."""

LETTERS = {
    "0": "###/#.#/#.#/#.#/###",
    "1": ".#./##./.#./.#./###",
    "2": "###/..#/###/#../###",
    "3": "###/..#/###/..#/###",
    "4": "#.#/#.#/###/..#/..#",
    "5": "###/#../###/..#/###",
    "6": "###/#../###/#.#/###",
    "7": "###/..#/..#/.#./.#.",
    "8": "###/#.#/###/#.#/###",
    "9": "###/#.#/###/..#/###",
    "A": ".#./#.#/###/#.#/#.#",
    "B": "##./#.#/##./#.#/##.",
    "C": ".##/#../#../#../.##",
    "D": "##./#.#/#.#/#.#/##.",
    "E": "###/#../##./#../###",
    "F": "###/#../##./#../#..",
    "G": ".##/#../#.#/#.#/.##",
    "H": "#.#/#.#/###/#.#/#.#",
    "I": "#/#/#/#/#",
    "J": "..#/..#/..#/#.#/.#.",
    "K": "#.#/#.#/##./#.#/#.#",
    "L": "#../#../#../#../###",
    "M": "#...#/##.##/#.#.#/#...#/#...#",
    "N": "#..#/##.#/#.##/#..#/#..#",
    "O": ".##./#..#/#..#/#..#/.##.",
    "P": "##./#.#/##./#../#..",
    "Q": ".##./#..#/#..#/#.#./.#.#",
    "R": "##./#.#/##./#.#/#.#",
    "S": ".##/#../.#./..#/##.",
    "T": "###/.#./.#./.#./.#.",
    "U": "#.#/#.#/#.#/#.#/###",
    "V": "#.#/#.#/#.#/#.#/.#.",
    "W": "#...#/#...#/#.#.#/##.##/#...#",
    "X": "#.#/#.#/.#./#.#/#.#",
    "Y": "#.#/#.#/.#./.#./.#.",
    "Z": "###/..#/.#./#../###",
    " ": "../../../../..",
    ".": "././././#",
    ",": "../../../.#/#.",
    ":": "./#/./#/.",
    ";": "../.#/../.#/#.",
    "'": "#/#/././.",
    '"': "#.#/#.#/.../.../...",
    "!": "#/#/#/./#",
    "?": "##./..#/.#./.../.#.",
    "(": ".#/#./#./#./.#",
    ")": "#./.#/.#/.#/#.",
    "-": ".../.../###/.../...",
    "+": ".../.#./###/.#./...",
    "/": "..#/..#/.#./#../#..",
    "=": ".../###/.../###/...",
    "%": "#.#/..#/.#./#../#.#",
}
"""A row of each letter after the other; letters are as wide as they need."""

LEADING_ONE = ".#/##/.#/.#/.#"
"""The first digit of a score of three digits, narrow so that the score stays clear of the track."""

LONG_SCORES = range(100, 200)


def plain(text: str) -> str:
    """`text` in letters that the panel has; others become question marks."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", text.replace("…", "...")) if not unicodedata.combining(c))
    return "".join(c if c in LETTERS else "?" for c in bare.upper())


def width(text: str) -> int:
    """Pixels that `text` (plain letters) takes, one pixel between letters."""
    return sum(_letter_width(c) + 1 for c in text) - 1


@lru_cache(maxsize=256)
def written(text: str) -> Image.Image:
    """`text` (plain letters) in white on black."""
    image = Image.new("1", (max(width(text), 1), HEIGHT))
    x = 0
    for letter in text:
        image.paste(_drawn(LETTERS[letter]), (x, 0))
        x += _letter_width(letter) + 1
    return image


@lru_cache(maxsize=64)
def badge(text: str) -> Image.Image:
    """`text` in black on white with a margin of one pixel."""
    return ImageChops.invert(ImageOps.expand(written(text), 1))


@lru_cache(maxsize=512)
def figure(number: int, tall: int) -> Image.Image:
    """A score in digits six pixels wide and `5 * tall` high, two pixels between them."""
    digits = str(number)
    shapes = [LETTERS[digit] for digit in digits]
    if number in LONG_SCORES:
        shapes[0] = LEADING_ONE
    pictures = [_enlarged(_drawn(shape), tall) for shape in shapes]
    image = Image.new("1", (sum(picture.width + 2 for picture in pictures) - 2, HEIGHT * tall))
    x = 0
    for picture in pictures:
        image.paste(picture, (x, 0))
        x += picture.width + 2
    return image


def _letter_width(letter: str) -> int:
    return LETTERS[letter].index("/")


def _enlarged(letter: Image.Image, tall: int) -> Image.Image:
    return letter.resize((letter.width * 2, letter.height * tall), Image.Resampling.NEAREST)


@lru_cache(maxsize=128)
def _drawn(shape: str) -> Image.Image:
    rows = shape.split("/")
    image = Image.new("1", (len(rows[0]), len(rows)))
    image.putdata([255 * (pixel == "#") for row in rows for pixel in row])
    return image
