"""A QR code in a light square as high as the panel, two pixels a module; phones read nothing smaller."""

from PIL import Image, ImageOps

MODULE = 2
"""Pixels of a module of the code; with one, no phone reads it."""

QUIET = 3
"""Pixels of light round the code, at least; it gets as many as the panel has rows for."""


def draw(text: str, side: int, error: str = "m") -> Image.Image | None:
    """The code of a text in the middle of a square of so many pixels; None where it does not fit.

    Args:
        text: what is coded, in capitals: that makes it smaller, and hosts and schemes do not mind.
        side: pixels of the square.
        error: how much damage it bears: "l", "m", "q" or "h".
    """
    import segno  # noqa: PLC0415 - only when a code is shown

    modules = list(segno.make_qr(text.upper(), error=error).matrix)
    if len(modules) * MODULE + 2 * QUIET > side:
        return None
    image = Image.new("1", (side, side), 1)
    code = Image.new("1", (len(modules), len(modules)))
    code.putdata([255 * (not dark) for row in modules for dark in row])
    edge = (side - len(modules) * MODULE) // 2
    image.paste(ImageOps.scale(code, MODULE, Image.Resampling.NEAREST), (edge, edge))
    return image
