"""What is lit where: parts of the panel drawn alone, and how far apart they lie."""

from PIL import Image, ImageDraw

from hardware.oled.drawing import draw, score_block
from hardware.oled.drawing.draw import LAYOUTS, SIZES, Style
from pegboard.core.position import Lane
from pegboard.core.rules import KEY_LANES

LOOKS = [Style(size, layout) for layout in LAYOUTS for size in SIZES.values()]


def look_called(look):
    return f"{look.layout} {look.size[0]}x{look.size[1]}"


def plan_of(look, rules):
    return LAYOUTS[look.layout](look.size, min(rules.lanes, KEY_LANES), rules.game_hole, rules.skunk_lines)


def lit(picture):
    """The lit pixels."""
    return {(n % picture.width, n // picture.width) for n, pixel in enumerate(picture.convert("L").tobytes()) if pixel}


def blank(look):
    image = Image.new("1", look.size)
    return image, ImageDraw.Draw(image)


def pegs_alone(look, plan, lane, front, rear):
    """The trail and pegs of one lane on an empty panel."""
    image, pen = blank(look)
    draw.draw_pegs(image, pen, plan, lane, Lane(front, rear))
    return image


def figures_alone(look, plan, view, lane):
    """One lane's figures on an empty panel."""
    image, pen = blank(look)
    score_block.draw(image, pen, view, lane, plan.blocks[lane])
    return image


def touch(some, others):
    """The pixels of one part that lie beside a pixel of the other, corners included, or on it."""
    return {(x, y) for x, y in some if any((x + dx, y + dy) in others for dx in (-1, 0, 1) for dy in (-1, 0, 1))}


def stands_in(picture, part):
    """Whether a picture has another in it, at any place."""
    rows, (first, *others) = rows_of(picture), rows_of(part)
    for top in range(len(rows) - len(others)):
        left = rows[top].find(first)
        while left >= 0:
            if all(rows[top + n].startswith(row, left) for n, row in enumerate(others, 1)):
                return True
            left = rows[top].find(first, left + 1)
    return False


def rows_of(picture):
    """A byte for each pixel."""
    pixels = picture.convert("L").tobytes()
    return [pixels[at : at + picture.width] for at in range(0, len(pixels), picture.width)]
