"""Draws the board: the empty track of a layout with pegs, scores, the notice and the trouble of a device."""

from collections.abc import Iterable

from PIL import Image, ImageDraw

from hardware.oled.drawing import banner, font, pegs_in_holes, pegs_on_lines, score_block
from hardware.oled.drawing.event.event_screen import call_text
from hardware.oled.drawing.layout import BoardLayout, game_hole
from pegboard.core.position import Lane
from pegboard.core.view import Device, View


def draw(view: View, layout: BoardLayout) -> Image.Image:
    """Draw the view on a layout made for its game."""
    image = layout.empty.copy()
    pen = ImageDraw.Draw(image)
    for lane, pegs in enumerate(view.game.lanes):
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
    return image


def draw_pegs(image: Image.Image, pen: ImageDraw.ImageDraw, layout: BoardLayout, lane: int, pegs: Lane) -> None:
    """Draw a lane's pegs and the trail behind them; the winner fills the shared game hole."""
    if isinstance(layout.style, pegs_in_holes.PegSize):
        pegs_in_holes.draw_pegs(pen, layout.track, lane, pegs, layout.style)
    else:
        pegs_on_lines.draw_pegs(image, pen, layout.track, lane, pegs, rows=layout.style)
    if layout.track.turns and pegs.front >= layout.track.game_hole:
        game_hole(pen, layout.track, won=True)


def _draw_trouble(image: Image.Image, devices: Iterable[Device], place: tuple[int, int, int]) -> None:
    """An inverted exclamation mark while a device is in trouble, and its name where there is room for it."""
    troubled = [device.name for device in devices if device.trouble is not None]
    if not troubled:
        return
    x, y, room = place
    image.paste(font.badge("!"), (x, y))
    beside = x + font.width("!") + 3
    name = font.truncate(font.to_panel_letters(troubled[0]).split(" ")[-1], room - (beside - x))
    if name:
        image.paste(font.render(name), (beside, y + 1))
