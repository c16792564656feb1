"""The terminal screen while a table runs: addresses, how to join, and the board, cut to the terminal's size."""

from collections.abc import Sequence

from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from pegboard.core.view import View
from pegboard.startup.terminal_board import draw

BOARD_COLUMNS = 40
"""Width of the board in columns; a longer name is cut."""

NO_ROOM = "Make this window larger to see the QR code"

BETWEEN = 2
"""Columns between the board and the QR code."""


def compose(view: View, lines: Sequence[str], qr: str | None, console: Console) -> RenderableType:
    """The lines in full, the QR code beside the board or above it, and as much of the board as fits.

    If there is no room for the code, a line says so. The last row stays free for the cursor.
    """
    width, height = console.size.width, console.size.height - 1
    if qr is None:
        return _column(view, lines, width, height, console)
    code = Text(qr, no_wrap=True, overflow="crop")
    across, down = max(map(len, qr.splitlines())), len(qr.splitlines())
    beside = width - across - BETWEEN
    if beside >= BOARD_COLUMNS and down <= height:
        return _side_by_side(_column(view, lines, beside, height, console), code, beside)
    stacked = Group(code, *_words(lines), Text(), draw(view))
    if across <= width and _rows(stacked, width, console) <= height:
        return stacked
    return _column(view, [*lines, NO_ROOM], width, height, console)


def _column(view: View, lines: Sequence[str], width: int, height: int, console: Console) -> Group:
    words = _words(lines)
    room = height - _rows(Group(*words), width, console) - 1
    board = draw(view, room)
    wrapped = _rows(board, width, console) - len(board.renderables)
    return Group(*words, Text(), draw(view, room - wrapped) if wrapped else board)


def _words(lines: Sequence[str]) -> list[Text]:
    return [Text(line) for line in lines]


def _side_by_side(left: RenderableType, right: RenderableType, width: int) -> Table:
    grid = Table.grid(padding=(0, BETWEEN, 0, 0))
    grid.add_column(width=width)
    grid.add_column(no_wrap=True)
    grid.add_row(left, right)
    return grid


def _rows(shown: RenderableType, width: int, console: Console) -> int:
    return len(console.render_lines(shown, console.options.update(width=width), pad=False))
