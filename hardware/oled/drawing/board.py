"""The board on the panel: the empty track of a plan with the pegs, the figures, a notice and a device's trouble."""

from collections.abc import Iterable

from PIL import Image, ImageDraw

from hardware.oled.drawing import banner, font, pegs_in_holes, pegs_on_lines, score_block
from hardware.oled.drawing.layout import Plan, game_hole
from pegboard.core.board import Lane
from pegboard.core.view import Device, View

SELF = "OLED"
"""The panel does not tell its own trouble."""


def draw(view: View, plan: Plan) -> Image.Image:
    """The view on a plan made for its game."""
    image = plan.empty.copy()
    pen = ImageDraw.Draw(image)
    for lane, pegs in enumerate(view.game.lanes):
        stand(image, pen, plan, lane, pegs)
    for lane, block in enumerate(plan.blocks):
        score_block.draw(image, pen, view, lane, block)
    _mark(image, view.devices, plan.mark)
    if view.notice:
        banner.put(image, view.notice, plan.banner)
    return image


def stand(image: Image.Image, pen: ImageDraw.ImageDraw, plan: Plan, lane: int, pegs: Lane) -> None:
    """One lane's pegs with the trail behind them; whoever has won fills the shared game hole."""
    if isinstance(plan.style, pegs_in_holes.Reach):
        pegs_in_holes.pegs(pen, plan.track, lane, pegs, plan.style)
    else:
        pegs_on_lines.pegs(image, pen, plan.track, lane, pegs, sized=plan.style)
    if plan.track.turns and pegs.front >= plan.track.game_hole:
        game_hole(pen, plan.track, won=True)


def _mark(image: Image.Image, devices: Iterable[Device], place: tuple[int, int, int]) -> None:
    """An inverted exclamation mark while a device is in trouble, and its name where there is room for it."""
    troubled = [device.name for device in devices if device.trouble is not None and device.name != SELF]
    if not troubled:
        return
    x, y, room = place
    image.paste(font.badge("!"), (x, y))
    beside = x + font.width("!") + 3
    name = font.cut(font.plain(troubled[0]).split(" ")[-1], room - (beside - x))
    if name:
        image.paste(font.written(name), (beside, y + 1))
