"""Pixel font of the panel: letters five pixels high, text rendering; transliteration and shortening of names."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from anyascii import anyascii
from PIL import Image, ImageChops, ImageOps

from pegboard.core.board import Game

# --- shortening of names of any length and script to a few pixels: whole words, then initials, then an ellipsis ---


AND = " & "
"""Separator between partners."""

DOTTED = 6
"""Minimum length, including the ellipsis, of a cut name that says more than its initial."""


def lane_label(game: Game, lane: int, room: int) -> str:
    """The names of a lane's players, in `room` pixels; partners get equal shares, both with an ellipsis or neither."""
    names = [name for seat, name in enumerate(game.players) if game.rules.lane_of(seat) == lane]
    whole = AND.join(panel_name(name, lane) for name in names)
    if width(whole) <= room:
        return whole
    share = (room - (width(AND) + 2) * (len(names) - 1)) // len(names)
    short = [shorten(panel_name(name, lane), share) for name in names]
    if any(len(form) == 1 for form in short):
        short = [form[0] if form.endswith(DOTS) else form for form in short]
    return AND.join(short)


def panel_name(name: str, lane: int) -> str:
    """A name in the panel's letters; the lane's number if no letter is left."""
    return to_panel_letters(name) or f"LANE {lane + 1}"


def shorten(name: str, room: int) -> str:
    """The longest short form of a name (panel letters) that fits `room` pixels; at worst its first letter."""
    fitting = next((form for form in _forms(name) if width(form) <= room), None)
    if fitting is not None:
        return fitting
    dotted = ellipsize(name, room)
    return dotted if len(dotted) >= DOTTED else name[0]


def _forms(name: str) -> Iterator[str]:
    """The whole name; the first word with the last word's initial; the first word; the first word up to a hyphen."""
    words = name.split()
    yield name
    if len(words) > 1:
        yield f"{words[0]} {words[-1][0]}."
    yield words[0]
    yield words[0].split("-")[0] or words[0]


HEIGHT = 5
"""Rows of a letter."""

DOTS = "..."
"""The ellipsis after a text that is cut."""

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
    "<": "..#/.#./#../.#./..#",
    ">": "#../.#./..#/.#./#..",
    "[": "##/#./#./#./##",
    "]": "##/.#/.#/.#/##",
    "{": ".##/.#./#../.#./.##",
    "}": "##./.#./..#/.#./##.",
    "&": ".#../#.#./.#../#.#./.#.#",
    "@": ".###./#...#/#.###/#..../.###.",
    "#": ".#.#./#####/.#.#./#####/.#.#.",
    "$": ".##/##./.#./.##/##.",
    "*": "#.#/.#./#.#/.../...",
    "_": ".../.../.../.../###",
    "\\": "#../#../.#./..#/..#",
    "|": "#/#/./#/#",
    "^": ".#./#.#/.../.../...",
    "`": "#./.#/../../..",
    "~": "..../.#.#/#.#./..../....",
}
"""The rows of each letter, from the top, with `#` for white; letters are as wide as they need."""


def to_panel_letters(text: str) -> str:
    """`text` in the letters of the font: any script in Latin capitals, any white space as one space."""
    latin = "".join(map(_latin, text)).upper()
    return " ".join("".join(c for c in latin if c in LETTERS or c.isspace()).split())


def _latin(sign: str) -> str:
    """A character of any script in Latin; an emoji becomes its name, without the colons around it."""
    latin = sign if sign.isascii() else anyascii(sign)
    return latin.replace(":", " ") if len(latin) > 1 else latin


def width(text: str) -> int:
    """Width of `text` (panel letters) in pixels, with one pixel between letters."""
    return row_width([LETTERS[letter] for letter in text])


def row_width(shapes: Iterable[str]) -> int:
    """Width of shapes in a row in pixels, with one pixel between them."""
    return max(0, sum(shape.index("/") + 1 for shape in shapes) - 1)


def truncate(text: str, room: int) -> str:
    """As many letters of `text` (panel letters) as fit `room` pixels."""
    while text and width(text) > room:
        text = text[:-1]
    return text.rstrip()


def ellipsize(text: str, room: int) -> str:
    """`text` (panel letters) cut to `room` pixels, including the ellipsis."""
    return truncate(text, room - width(DOTS) - 1).rstrip(" ,:;.-") + DOTS


@lru_cache(maxsize=128)
def render(text: str) -> Image.Image:
    """Render `text` (panel letters) in white on black."""
    return render_row([LETTERS[letter] for letter in text], HEIGHT)


def render_row(shapes: Sequence[str], height: int) -> Image.Image:
    """Render shapes in a row, with one pixel between them, in white on black."""
    image = Image.new("1", (max(row_width(shapes), 1), height))
    x = 0
    for picture in map(render_shape, shapes):
        image.paste(picture, (x, 0))
        x += picture.width + 1
    return image


@lru_cache(maxsize=128)
def badge(text: str, *, lit: bool = True) -> Image.Image:
    """Render `text` with a margin of one pixel, in black on white if `lit`, else in white on black."""
    picture = ImageOps.expand(render(text), 1)
    return ImageChops.invert(picture) if lit else picture


@lru_cache(maxsize=64)
def render_large(text: str) -> Image.Image:
    """Render `text` (panel letters) in white on black at double size."""
    return ImageOps.scale(render(text), 2, Image.Resampling.NEAREST)


@lru_cache(maxsize=128)
def render_shape(shape: str) -> Image.Image:
    """Render a shape in white on black; a shape is written row by row, with `#` for white."""
    rows = shape.split("/")
    image = Image.new("1", (len(rows[0]), len(rows)))
    image.putdata([255 * (pixel == "#") for row in rows for pixel in row])
    return image
