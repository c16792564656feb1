"""Shortens names of any length and script to few pixels: whole words, then initials, then dots."""

from collections.abc import Iterator

from hardware.oled.drawing import font
from pegboard.core.board import Game

AND = " & "
"""Between partners."""

DOTTED = 6
"""Letters with their dots from which they say more than the initial alone."""


def lane_label(game: Game, lane: int, room: int) -> str:
    """The players of a lane, in so many pixels; partners get an equal share, and both end in dots or neither does."""
    names = [name for seat, name in enumerate(game.players) if game.rules.lane_of(seat) == lane]
    whole = AND.join(panel_name(name, lane) for name in names)
    if font.width(whole) <= room:
        return whole
    share = (room - (font.width(AND) + 2) * (len(names) - 1)) // len(names)
    short = [shorten(panel_name(name, lane), share) for name in names]
    if any(len(form) == 1 for form in short):
        short = [form[0] if form.endswith(font.DOTS) else form for form in short]
    return AND.join(short)


def panel_name(name: str, lane: int) -> str:
    """A name in the panel's letters; a lane without one is called by its number."""
    return font.to_panel_letters(name) or f"LANE {lane + 1}"


def shorten(name: str, room: int) -> str:
    """The longest short form of a name (plain letters) that fits so many pixels; at worst its first letter."""
    fitting = next((form for form in _forms(name) if font.width(form) <= room), None)
    if fitting is not None:
        return fitting
    dotted = font.ellipsize(name, room)
    return dotted if len(dotted) >= DOTTED else name[0]


def _forms(name: str) -> Iterator[str]:
    """The whole name; the first word with the last one's initial; the first word; its first part."""
    words = name.split()
    yield name
    if len(words) > 1:
        yield f"{words[0]} {words[-1][0]}."
    yield words[0]
    yield words[0].split("-")[0] or words[0]
