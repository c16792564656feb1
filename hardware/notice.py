"""A sentence as a banner over the lower end of the track; the scores beside it stay in sight."""

from functools import lru_cache

from PIL import Image

from hardware import font

WIDTH = 103
"""Columns of the banner: the track without the scores."""

MARGIN = 2
LINES = 4
"""So many lines leave the first two streets in sight."""

LINE = font.HEIGHT + 2


@lru_cache(maxsize=16)
def banner(sentence: str) -> Image.Image:
    """The sentence in black on white, shortened where it does not fit."""
    lines = _fitting(font.plain(sentence))
    image = Image.new("1", (WIDTH, LINE * len(lines) + 2), 1)
    for number, line in enumerate(lines):
        image.paste(font.badge(line), (MARGIN - 1, 1 + number * LINE))
    return image


def _fitting(sentence: str) -> list[str]:
    """The whole sentence; else what stands before its last semicolon or full stop; else as many words as fit."""
    for shorter in (sentence, *(sentence[: sentence.rfind(end)] for end in ("; ", ". ") if end in sentence)):
        lines = _wrapped(shorter)
        if len(lines) <= LINES:
            return lines
    return [*lines[: LINES - 1], _with_dots(lines[LINES - 1])]


def _wrapped(text: str) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".lstrip()
        if font.width(longer) <= WIDTH - 2 * MARGIN:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _with_dots(line: str) -> str:
    while font.width(line + "...") > WIDTH - 2 * MARGIN:
        line = line[:-1]
    return line.rstrip() + "..."
