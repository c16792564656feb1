"""Picture of a view for an OLED panel, by size and layout: chooses board, game-over, event or join screen. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass

from PIL import Image, ImageDraw

from hardware.oled.drawing import (
    banner,
    board_layouts,
    classic_layout,
    event_screen,
    font,
    game_over_screen,
    join_screen,
    pegs_in_holes,
    pegs_on_lines,
    score_block,
)
from hardware.oled.drawing.board_layouts import LARGE, SMALL, BoardLayout, game_hole
from hardware.oled.drawing.event_screen import call_text
from hardware.oled.drawing.score_block import LURCH, SKUNK
from pegboard.core.board import Game
from pegboard.core.board_shape import CLASSIC, STREETS
from pegboard.core.position import Lane
from pegboard.core.rules import KEY_LANES
from pegboard.core.view import Device, View
from pegboard.errors import DeviceError

# --- the board: a layout's empty track with pegs, scores, the notice and the trouble of a device ---


def draw_board(view: View, layout: BoardLayout) -> Image.Image:
    """Draw the view on a layout made for its game."""
    image = layout.empty.copy()
    pen = ImageDraw.Draw(image)
    for lane, pegs in enumerate(view.game.lanes[: layout.track.lanes]):
        draw_pegs(image, pen, layout, lane, pegs)
    for lane, block in enumerate(layout.blocks):
        score_block.draw(image, pen, view, lane, block)
    _draw_trouble(image, view.devices, layout.mark)
    if view.notice:
        banner.draw(image, view.notice, layout.banner)
    elif view.alarms:
        banner.draw_alarms(image, view.alarms, layout.banner)
    elif view.event is not None and view.event.calls:
        banner.draw(image, call_text(view.event), layout.banner)
    elif view.game.rules.lanes > layout.track.lanes and (beyond := _lane_beyond_text(view.game)):
        banner.draw(image, beyond, layout.banner)
    return image


NAME_COLUMNS = 60
"""Columns for the names of a lane that the panel has no room for."""


def _lane_beyond_text(game: Game) -> str:
    """The text about the lane that the panel does not draw: until a peg moves, where to see it; then its newest score.

    Empty while the newest line is about another lane.
    """
    lane = KEY_LANES
    name, front = font.lane_label(game, lane, NAME_COLUMNS), game.lanes[lane].front
    if game.lanes == game.positions[0].lanes:
        return f"{name}: see phone, tablet or TV; here are lanes 1 to {lane}"
    before = game.positions[-2].lanes[lane].front
    return f"{name} {front - before:+}, now {front}" if front != before else ""


def draw_pegs(image: Image.Image, pen: ImageDraw.ImageDraw, layout: BoardLayout, lane: int, pegs: Lane) -> None:
    """Draw a lane's pegs, the trail behind them and their lap; the winner fills the shared game hole."""
    if isinstance(layout.style, pegs_in_holes.PegSize):
        pegs_in_holes.draw_pegs(pen, layout.track, lane, pegs, layout.style)
    else:
        pegs_on_lines.draw_pegs(image, pen, layout.track, lane, pegs, rows=layout.style)
    if layout.track.loops:
        classic_layout.draw_lap(image, layout, lane, pegs.front)
    if layout.track.turns and pegs.front >= layout.track.game_hole:
        game_hole(pen, layout.track, won=True)


def _draw_trouble(image: Image.Image, devices: Iterable[Device], place: tuple[int, int, int]) -> None:
    """Draw an inverted exclamation mark while a device has trouble, and the device's name if there is room."""
    troubled = [device.name for device in devices if device.trouble is not None]
    if not troubled:
        return
    x, y, room = place
    image.paste(font.badge("!"), (x, y))
    beside = x + font.width("!") + 3
    name = font.truncate(font.to_panel_letters(troubled[0]).split(" ")[-1], room - (beside - x))
    if name:
        image.paste(font.render(name), (beside, y + 1))


SIZES = {"128x64": LARGE, "128x32": SMALL}
"""Columns and rows of the panels, by the name of the setting."""

LAYOUTS = {
    STREETS: board_layouts.make_streets_layout,
    CLASSIC: classic_layout.make_classic_layout,
    "far": board_layouts.make_far_layout,
}
"""The function that makes each layout, by its name in the settings."""


@dataclass(frozen=True, slots=True)
class Style:
    """The style of the board on a panel.

    Attributes:
        size: the columns and rows of the panel, one of `SIZES`.
        layout: the name of the layout in `LAYOUTS`.
    """

    size: tuple[int, int] = LARGE
    layout: str = STREETS

    def __post_init__(self) -> None:
        if self.size not in SIZES.values():
            size, known = "x".join(map(str, self.size)), " and ".join(SIZES)
            raise DeviceError("device_picture_size", size=size, known=known)
        if self.layout not in LAYOUTS:
            raise DeviceError("device_oled_layout", "oled.layout", layout=repr(self.layout), known=", ".join(LAYOUTS))


def draw(view: View, style: Style = Style(), *, ending: bool = False) -> Image.Image:
    """Draw the view as a picture of one bit per pixel in the style's size.

    Args:
        view: the view to draw.
        style: the size and the layout.
        ending: whether to show the winner of a finished game instead of the board or the event's screen.
    """
    if view.invitation is not None and not view.alarms:
        return join_screen.draw(view.invitation, style.size).copy()
    if ending and view.game.outcome is not None and view.notice is None:
        return game_over_screen.draw(view, style.size)
    if view.event is not None and event_screen.is_wanted(view):
        return event_screen.draw(view, style.size)
    rules = view.game.rules
    letter = LURCH if rules.lurch else SKUNK
    lanes = min(rules.lanes, KEY_LANES)
    layout = LAYOUTS[style.layout](style.size, lanes, rules.game_hole, rules.skunk_lines, letter)
    return draw_board(view, layout)
