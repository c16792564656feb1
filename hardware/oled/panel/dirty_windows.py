"""Dirty windows: the bytes that have changed between two pictures, in pages of eight rows, a byte a column."""

import re
from typing import NamedTuple

from PIL import Image

ROWS = 8
"""Rows of a page."""

ON_ITS_SIDE = {0: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_90}
"""For each rotation of the panel, the turn of the picture after which a row is a column, its lowest pixel first."""

_APART = bytes(6)
"""Unchanged bytes between two windows; fewer are sent with the first, because a new window costs three to seven."""

_RUNS = re.compile(rb"[^\0].*?(?=\0{6})", re.DOTALL)
"""Changed bytes, up to so many unchanged ones."""


class Patch(NamedTuple):
    """A dirty window: bytes for a page, from a column on."""

    page: int
    column: int
    data: bytes


def pack(picture: Image.Image, rotate: int = 0) -> bytes:
    """The picture column by column from the left, in each the lowest page first; a byte's lowest bit is uppermost.

    Args:
        picture: of one bit a pixel, its height a multiple of eight.
        rotate: quarter turns, 0 or 2.
    """
    return picture.transpose(ON_ITS_SIDE[rotate]).tobytes()


def changes(old: bytes, new: bytes, pages: int) -> list[Patch]:
    """The patches that turn one packed picture into another, from the first page to the last."""
    changed = (int.from_bytes(old) ^ int.from_bytes(new)).to_bytes(len(new))
    rows = b"".join(changed[page::pages] + _APART for page in range(pages - 1, -1, -1))
    return [_patch(new, pages, *run.span()) for run in _RUNS.finditer(rows)]


def _patch(new: bytes, pages: int, first: int, end: int) -> Patch:
    """The bytes of `new` in a run of changed ones."""
    row_size = len(new) // pages + len(_APART)
    page, column = divmod(first, row_size)
    lowest = pages - 1 - page
    return Patch(page, column, new[column * pages + lowest : (end - page * row_size) * pages : pages])
