"""The layout of the board on a panel, for one kind of game: the empty track, and where everything else goes."""

from collections.abc import Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from hardware.oled.drawing import pegs_in_holes, pegs_on_lines, track_gates
from hardware.oled.drawing.score_block import ScoreBlock
from hardware.oled.track_in_pixels import Pixel, Room, Track
from pegboard.core.rules import Hole

LARGE, SMALL = (128, 64), (128, 32)
"""Columns and rows of the panels."""


@dataclass(frozen=True, slots=True)
class BoardLayout:
    """Where everything goes, in pixels.

    Attributes:
        track: the holes.
        style: how pegs stand on it: in holes, or on lines.
        blocks: each lane's figures.
        mark: the place for a device's trouble: its first column and row, and its columns.
        banner: the part of the panel that a notice may cover: not its edges where the picture may be moved to.
        empty: the track without pegs.
    """

    track: Track
    style: pegs_in_holes.PegSize | pegs_on_lines.PegRows
    blocks: tuple[ScoreBlock, ...]
    mark: tuple[int, int, int]
    banner: Room
    empty: Image.Image


def assemble(
    size: Pixel,
    *,
    track: Track,
    style: pegs_in_holes.PegSize | pegs_on_lines.PegRows,
    skunk_lines: tuple[Hole, ...],
    blocks: Sequence[ScoreBlock],
    mark: tuple[int, int, int],
    banner: Room,
    letter: str,
) -> BoardLayout:
    """A layout with its empty track drawn; `letter` marks a skunk line."""
    empty = Image.new("1", size)
    pen = ImageDraw.Draw(empty)
    if isinstance(style, pegs_in_holes.PegSize):
        pegs_in_holes.draw_holes(pen, track)
        track_gates.draw(empty, pen, track, skunk_lines, up=style.up, down=0, letter=letter)
    else:
        track_gates.draw(
            empty, pen, track, skunk_lines, up=style.front, down=style.line - 1 + style.rear, letter=letter
        )
        pegs_on_lines.draw_holes(pen, track, style)
        if not track.turns:
            pegs_on_lines.draw_finish(pen, track, style)
    if track.turns:
        game_hole(pen, track, won=False)
    return BoardLayout(track, style, tuple(blocks), mark, banner, empty)


def game_hole(pen: ImageDraw.ImageDraw, track: Track, *, won: bool) -> None:
    """Draw the game hole that all lanes share: a box."""
    x, y = track.hole_at(0, track.game_hole)
    pen.rectangle((x - 2, y - 2, x + 1, y + 2), fill=int(won), outline=1)
