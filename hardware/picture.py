"""The picture of a view in the size and layout of a panel. Pure."""

from dataclasses import dataclass

from PIL import Image

from hardware import streets
from pegboard.config import OledSettings
from pegboard.core.view import View
from pegboard.errors import DeviceError

SIZES = {"128x64": (128, 64), "128x32": (128, 32)}
"""Columns and rows of the panels, by the name of the setting."""

LAYOUTS = ("streets", "far")
"""How the board may be laid out."""


@dataclass(frozen=True, slots=True)
class Look:
    """How the board looks on a panel.

    Attributes:
        size: columns and rows of the panel: one of `SIZES`.
        layout: one of `LAYOUTS`.
    """

    size: tuple[int, int] = (128, 64)
    layout: str = "streets"

    def __post_init__(self) -> None:
        if self.size not in SIZES.values():
            raise DeviceError(
                f"no picture of {self.size[0]}x{self.size[1]} pixels can be drawn; {' and '.join(SIZES)} are drawn"
            )
        if self.layout not in LAYOUTS:
            raise DeviceError(f"there is no layout {self.layout!r} for the OLED; {' and '.join(LAYOUTS)} are drawn")


def look(own: OledSettings) -> Look:
    """The look that the settings ask for.

    Raises:
        DeviceError: there is no such size or layout.
    """
    if own.size not in SIZES:
        raise DeviceError(f"there is no OLED of {own.size} pixels; {' and '.join(SIZES)} are taken")
    return Look(SIZES[own.size], own.layout)


def draw(view: View, look: Look = Look(), *, ending: bool = False) -> Image.Image:  # noqa: ARG001, B008
    """The view as a picture of one bit a pixel and the look's size.

    Args:
        view: what is to be seen.
        look: the size and the layout.
        ending: whether a finished game shows who has won instead of the board.
    """
    picture = streets.draw(view)
    return picture if look.size == picture.size else picture.crop((0, 0, *look.size))
