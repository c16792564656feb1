"""The layout of a display that follows the setting `table.board`."""

from pegboard.config import Settings
from pegboard.core.board_shape import CLASSIC, board_named
from pegboard.errors import DeviceError, RuleError

FOLLOWS = "board"
"""The value of a display's `layout` setting that follows `table.board`."""


def chosen_layout(layout: str, settings: Settings, streets: str) -> str:
    """A display's layout: its own, or that of the board, which is called `streets` on this display if not classic.

    Raises:
        DeviceError: there is no such board.
    """
    if layout != FOLLOWS:
        return layout
    try:
        board = board_named(settings.table.board)
    except RuleError as error:
        raise DeviceError(error.message, "table.board") from error
    return CLASSIC if board == CLASSIC else streets
