"""Join screen: the address as a QR code and in letters, or what to type if no phone can reach it; lowercase font."""

import re
from collections.abc import Iterator
from functools import lru_cache

from PIL import Image, ImageOps

from hardware.oled.drawing import font
from hardware.oled.drawing.track_in_pixels import Pixel
from pegboard.core.view import Invitation

# --- QR code in a light square as high as the panel, two pixels per module; phones cannot read a smaller code ---


MODULE = 2
"""Pixels per module of the code; phones cannot read modules of one pixel."""

QUIET = 3
"""Minimum light margin around the code in pixels; the margin is as wide as the panel's rows allow."""


def draw_qr(text: str, side: int, error: str = "m") -> Image.Image | None:
    """The QR code of a text, centered in a square of `side` pixels; None if the code does not fit.

    Args:
        text: the content; encoded in capitals, which makes the code smaller and does not matter to hosts and schemes.
        side: the height and width of the square in pixels.
        error: the error correction level: "l", "m", "q" or "h".
    """
    import segno  # noqa: PLC0415 - imported only when a code is shown

    modules = list(segno.make_qr(text.upper(), error=error).matrix)
    if len(modules) * MODULE + 2 * QUIET > side:
        return None
    image = Image.new("1", (side, side), 1)
    code = Image.new("1", (len(modules), len(modules)))
    code.putdata([255 * (not dark) for row in modules for dark in row])
    edge = (side - len(modules) * MODULE) // 2
    image.paste(ImageOps.scale(code, MODULE, Image.Resampling.NEAREST), (edge, edge))
    return image


# --- font of lowercase letters, for text that must be typed exactly: commands have no capitals ---


HEIGHT = 7
"""Rows of a line: five for a capital, and two below for descenders."""

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
"""The rows of each lowercase letter, as in `font.LETTERS`; letters with descenders have more rows."""

SHAPES = font.LETTERS | SMALL

UNKNOWN = "?"
"""The placeholder for a character that the font does not have."""

BLANK = 3
"""Columns between two words, enough to make spaces visible."""


def width(text: str) -> int:
    """Pixels that `text` takes in one line."""
    return font.row_width(map(_shape, text))


@lru_cache(maxsize=64)
def render(text: str) -> Image.Image:
    """`text` with its uppercase and lowercase letters, in white on black."""
    return font.render_row([_shape(letter) for letter in text], HEIGHT)


def wrap(text: str, columns: int) -> list[str]:
    """`text` in lines of `columns` pixels, broken at spaces, or within a word that is longer than a line."""
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


ASK = "JOIN WITH A PHONE:"
"""Text above the address."""

UNREACHABLE = {
    "machine": ("NO PHONES YET", "TO LET PHONES IN, RUN:"),
    "offline": ("NO NETWORK", "PHONES NEED A NETWORK TO REACH THIS TABLE"),
}
"""The texts if no phone can reach the address: the fact, and the remedy, followed by a command if one helps."""

ONLY_HERE = ("OPEN IT HERE", "ONLY ON THIS MACHINE:")
"""The texts above the address if there is no known way to let phones in."""

ELSEWHERE = "SEE THE TERMINAL TO LET PHONES IN"
"""The text if a command does not fit the panel."""

MARGIN = 4
"""Columns from the code to the letters."""

GAP, CLOSE, MOST_LARGE = 3, 2, 2
"""Rows between lines; rows between lines if they are many; maximum large lines of an address on a low panel."""


@lru_cache(maxsize=4)
def draw(invitation: Invitation, size: Pixel) -> Image.Image:
    """Draw how to join; on a panel too low for the code, only the address, as large as it fits."""
    if invitation.reach != "network":
        return _draw_unreachable(invitation, size)
    return _draw_joining(invitation.url, size)


def _draw_joining(url: str, size: Pixel) -> Image.Image:
    side = size[1]
    code = draw_qr(url, side)
    if code is None:
        return _draw_address(_address(url), size)
    image = Image.new("1", size)
    image.paste(code, (0, 0))
    lines = [*_wrap(ASK.split(), size[0] - side - MARGIN), "", *_break_address(_address(url), size[0] - side - MARGIN)]
    top = (side - len(lines) * (font.HEIGHT + 2)) // 2
    for number, line in enumerate(lines):
        image.paste(font.render(line), (side + MARGIN, top + number * (font.HEIGHT + 2)))
    return image


def _draw_unreachable(invitation: Invitation, size: Pixel) -> Image.Image:
    """Draw the fact, large if there is room, then the remedy and exactly what to type."""
    fact, help_ = UNREACHABLE[invitation.reach]
    typing: list[Image.Image] = []
    if invitation.command is not None:
        typing = [render(line) for line in wrap(invitation.command, size[0])]
    elif invitation.reach == "machine":
        (fact, help_), typing = ONLY_HERE, [render(_address(invitation.url))]
    helping, large, small = _render_lines(help_, size), font.render_large(fact), font.render(fact)
    choices = (
        [large, *helping, *typing],
        [small, *helping, *typing],
        [*helping, *typing],
        [small, *_render_lines(ELSEWHERE, size)],
    )
    return _stack_centered(next((choice for choice in choices if _fits(choice, size)), choices[-1]), size)


def _render_lines(text: str, size: Pixel) -> list[Image.Image]:
    return [font.render(line) for line in _wrap(text.split(), size[0])]


def _fits(pictures: list[Image.Image], size: Pixel) -> bool:
    """Whether these lines fit, with reduced spacing if necessary."""
    high = sum(picture.height + CLOSE for picture in pictures) - CLOSE
    return high <= size[1] and max(picture.width for picture in pictures) <= size[0]


def _address(url: str) -> str:
    """The address to type: without scheme and trailing slash."""
    return font.to_panel_letters(url.rsplit("://", maxsplit=1)[-1].rstrip("/"))


def _draw_address(address: str, size: Pixel) -> Image.Image:
    parts = [font.render_large(part) for part in _break_address(address, size[0] // 2)]
    if len(parts) > MOST_LARGE:
        parts = [font.render(part) for part in _break_address(address, size[0])]
    return _stack_centered([font.render(ASK), *parts], size)


def _stack_centered(pictures: list[Image.Image], size: Pixel) -> Image.Image:
    """Stack lines vertically, centered."""
    image = Image.new("1", size)
    high, gaps = sum(picture.height for picture in pictures), len(pictures) - 1
    gap = GAP if high + GAP * gaps <= size[1] else CLOSE
    top = (size[1] - high - gap * gaps) // 2
    for picture in pictures:
        image.paste(picture, ((size[0] - picture.width) // 2, top))
        top += picture.height + gap
    return image


def _break_address(address: str, columns: int) -> list[str]:
    """The whole address in lines, broken before a period, colon or slash if possible."""
    pieces = re.split(r"(?<=.)(?=[.:/])", address)
    return [part for line in _wrap(pieces, columns, "") for part in _break_piece(line, columns)]


def _wrap(pieces: list[str], columns: int, between: str = " ") -> list[str]:
    lines = pieces[:1]
    for piece in pieces[1:]:
        extended = lines[-1] + between + piece
        if font.width(extended) <= columns:
            lines[-1] = extended
        else:
            lines.append(piece)
    return lines


def _break_piece(piece: str, columns: int) -> Iterator[str]:
    """Split a piece that is wider than a line."""
    while font.width(piece) > columns:
        head = font.truncate(piece, columns)
        yield head
        piece = piece[len(head) :]
    yield piece
