"""Banner: a notice or alarms drawn over the track, leaving the scores visible; text wrapping and shortening."""

from functools import lru_cache

from PIL import Image, ImageChops

from hardware.oled.drawing import font
from hardware.oled.drawing.track_in_pixels import Pixel, Room
from pegboard.core.view import Alarm
from pegboard.messages import Message, capitalize

LOUD = "NOT SAVED"
"""The words that must not be overlooked: drawn at double size above the rest of the message, or beside it."""

LINE, DENSE_LINE = font.HEIGHT + 2, font.HEIGHT + 1
"""Rows from line to line: usually, and where space is tight."""

FEW = 20
"""Rows of a room below which a banner's lines must be dense."""

MIN_FREE_ROWS = 9
"""Minimum rows above a banner; if there are fewer, the banner also covers them."""

MOST_ALARM_LINES = 2
"""Maximum lines of text of alarms, to leave most of the track visible."""

HOW = "Seen? UNDO+DEAL"
"""The keys that dismiss an alarm; the question that they open says more."""

MARGIN = 2
"""Columns at each side of the text."""


def draw(image: Image.Image, notice: str, room: Room) -> None:
    """Draw a notice in black on white at the bottom of its room, shortened if it does not fit.

    The track at the left of the room and below it is cleared, because the room keeps the panel's edges free.
    """
    _lay(image, render(notice, (room.columns, room.rows)), room)


def draw_alarms(image: Image.Image, alarms: tuple[Alarm, ...], room: Room) -> None:
    """Draw the alarms at the bottom of the room, cut to `MOST_ALARM_LINES` lines because they stay for long.

    The keys that dismiss an alarm are named below, if any can.
    """
    how = "" if all(alarm.lasts or not alarm.by_keys for alarm in alarms) else font.to_panel_letters(HOW)
    size = room.columns, room.rows
    _lay(image, render_alarms(tuple(alarm.message for alarm in alarms[:MOST_ALARM_LINES]), size, how), room)


def _lay(image: Image.Image, band: Image.Image, room: Room) -> None:
    free = room.rows - band.height
    covered = 0 if free < MIN_FREE_ROWS else free
    right, bottom = room.left + room.columns, room.top + room.rows
    image.paste(0, (0, room.top + covered, right, image.height))
    if not covered:
        image.paste(1, (room.left, room.top, right, bottom))
        free //= 2
    image.paste(band, (room.left, room.top + free))


@lru_cache(maxsize=16)
def render_alarms(messages: tuple[Message, ...], size: Pixel, how: str = "") -> Image.Image:
    """The alarms in black on white: a line each, or all lines for one; `how` gets its own line or ends the last."""
    columns, rows = size
    most = MOST_ALARM_LINES // len(messages)
    texts = [font.to_panel_letters(capitalize(message)) for message in messages]
    lines = [line for text in texts for line in fit_text(text, columns - 2 * MARGIN, most)]
    if how and 1 + DENSE_LINE * (len(lines) + 1) <= rows:
        lines.append(how)
    elif how:
        (first,) = fit_text(lines.pop(), columns - 2 * MARGIN - font.width(f" {how}"), 1)
        lines.append(f"{first} {how}")
    return ImageChops.invert(_render_lines(lines, columns, DENSE_LINE, 1))


@lru_cache(maxsize=16)
def render(notice: str, size: Pixel) -> Image.Image:
    """The sentence in black on white, as wide as `size` and as high as needed."""
    if isinstance(notice, Message) and notice.key == "not_saved":
        return ImageChops.invert(_render_loud(font.to_panel_letters(Message("not_scored", **notice.values)), size))
    return ImageChops.invert(_render_text(font.to_panel_letters(notice), size))


def _render_text(text: str, size: Pixel) -> Image.Image:
    """Lines of text in white on black, with their margins."""
    columns, rows = size
    step, edge = (DENSE_LINE, 1) if rows < FEW else (LINE, 2)
    lines = fit_text(text, columns - 2 * MARGIN, (rows - 2 * edge + step - font.HEIGHT) // step)
    return _render_lines(lines, columns, step, edge)


def _render_lines(lines: list[str], columns: int, step: int, edge: int) -> Image.Image:
    image = Image.new("1", (columns, 2 * edge - step + font.HEIGHT + step * len(lines)))
    for number, line in enumerate(lines):
        image.paste(font.render(line), (MARGIN, edge + step * number))
    return image


def _render_loud(rest: str, size: Pixel) -> Image.Image:
    """`LOUD` at double size, with the rest of the message below, or beside it if rows are few."""
    columns, rows = size
    head = font.render_large(LOUD)
    if rows < FEW:
        left = head.width + 2 * MARGIN
        beside, image = _render_text(rest, (columns - left, rows)), Image.new("1", size)
        image.paste(beside, (left, (rows - beside.height) // 2))
    else:
        below = _render_text(rest, (columns, rows - head.height - 2))
        image = Image.new("1", (columns, head.height + 2 + below.height))
        image.paste(below, (0, head.height + 2))
    image.paste(head, (MARGIN, 2))
    return image


def fit_text(sentence: str, columns: int, most: int) -> list[str]:
    """The whole sentence; else the part before its last semicolon or period; else as many words as fit.

    Args:
        sentence: in panel letters.
        columns: pixels per line.
        most: maximum number of lines, at least one.
    """
    for shorter in (sentence, *(sentence[: sentence.rfind(end)] for end in ("; ", ". ") if end in sentence)):
        lines = _wrap(shorter, columns)
        if len(lines) <= most:
            return lines
    return [*lines[: most - 1], font.ellipsize(lines[most - 1], columns)]


def _wrap(text: str, columns: int) -> list[str]:
    lines = [""]
    for word in text.split():
        extended = f"{lines[-1]} {word}".lstrip()
        if font.width(extended) <= columns:
            lines[-1] = extended
        else:
            while "//" in word and font.width(word) > columns:  # never cut an address: it may need confirming
                fits = next(size for size in range(len(word), 0, -1) if font.width(word[:size]) <= columns)
                lines.append(word[:fits])
                word = word[fits:]  # noqa: PLW2901 - the loop splits the word
            lines.append(font.ellipsize(word, columns) if font.width(word) > columns else word)
    return lines if lines[0] else lines[1:] or [""]
