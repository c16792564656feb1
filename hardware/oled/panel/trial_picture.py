"""The test picture of a panel: a frame along all four edges, a number in each corner, and what is up."""

from PIL import Image, ImageDraw

from hardware.oled.drawing import font
from hardware.oled.track_in_pixels import Pixel

EDGE = 3
"""Pixels between the frame and a corner's number."""

LINES = ("TOP", "PEGBOARD")


def draw(size: Pixel) -> Image.Image:
    """The test picture of a panel of so many columns and rows."""
    image = Image.new("1", size)
    pen = ImageDraw.Draw(image)
    columns, rows = size
    pen.rectangle((0, 0, columns - 1, rows - 1), outline=1)
    corners = ((0, 0), (1, 0), (0, 1), (1, 1))
    for number, (right, bottom) in enumerate(corners, 1):
        digit = font.render(str(number))
        x = columns - EDGE - digit.width if right else EDGE
        y = rows - EDGE - digit.height if bottom else EDGE
        image.paste(digit, (x, y))
    top = rows // 2 - font.HEIGHT - 1
    for line in (*LINES, f"{columns} X {rows}")[: 3 if rows > font.HEIGHT * 6 else 1]:
        text = font.render(line)
        image.paste(text, ((columns - text.width) // 2, top))
        top += font.HEIGHT + 2
    middle = columns // 2
    pen.line((middle, EDGE, middle, rows // 2 - font.HEIGHT - 4), fill=1)
    pen.line((middle, EDGE, middle - EDGE, 2 * EDGE), fill=1)
    pen.line((middle, EDGE, middle + EDGE, 2 * EDGE), fill=1)
    return image
