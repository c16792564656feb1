"""Draws a view as the picture of a panel, in its size and layout. Pure."""

from dataclasses import dataclass

from PIL import Image

from hardware.oled.drawing import board, game_over_screen, join_screen, layout_far, layout_streets
from hardware.oled.drawing.event import event_screen
from hardware.oled.drawing.layout import LARGE, SMALL
from hardware.oled.drawing.score_block import LURCH, SKUNK
from pegboard.core.view import View
from pegboard.errors import DeviceError

SIZES = {"128x64": LARGE, "128x32": SMALL}
"""Columns and rows of the panels, by the name of the setting."""

LAYOUTS = {"streets": layout_streets.make_layout, "far": layout_far.make_layout}
"""What makes each layout, by its name in the settings."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of the board on a panel.

    Attributes:
        size: columns and rows of the panel: one of `SIZES`.
        layout: a name in `LAYOUTS`.
    """

    size: tuple[int, int] = LARGE
    layout: str = "streets"

    def __post_init__(self) -> None:
        if self.size not in SIZES.values():
            size, known = "x".join(map(str, self.size)), " and ".join(SIZES)
            raise DeviceError("device_picture_size", size=size, known=known)
        if self.layout not in LAYOUTS:
            raise DeviceError("device_oled_layout", "oled.layout", layout=repr(self.layout), known=", ".join(LAYOUTS))


def draw(view: View, style: Style = Style(), *, ending: bool = False) -> Image.Image:
    """Draw the view as a picture of one bit a pixel and the style's size.

    Args:
        view: what to draw.
        style: the size and the layout.
        ending: whether a finished game shows who has won instead of the board, or of what an event shows then.
    """
    if view.invitation is not None and not view.alarms:
        return join_screen.draw(view.invitation, style.size).copy()
    if ending and view.game.outcome is not None and view.notice is None:
        return game_over_screen.draw(view, style.size)
    if view.event is not None and event_screen.is_wanted(view):
        return event_screen.draw(view, style.size)
    rules = view.game.rules
    letter = LURCH if rules.lurch else SKUNK
    layout = LAYOUTS[style.layout](style.size, len(view.game.lanes), rules.game_hole, rules.skunk_lines, letter)
    return board.draw(view, layout)
