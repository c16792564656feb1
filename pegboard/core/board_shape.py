"""Board shapes that displays draw: `streets`, or `classic` (down the outside, up the inside, and around again)."""

from pegboard.core.names import find, likely, suggestion
from pegboard.core.rules import STREET
from pegboard.errors import RuleError

STREETS, CLASSIC = "streets", "classic"

BOARDS = (STREETS, CLASSIC)
"""Streets of 30 holes that run back and forth; or for each lane an outer and an inner row, which are pegged in turn."""

LAP = 2 * STREET
"""Holes once around a classic board, without the game hole; a game to 121 goes around twice (sheet C)."""


def board_named(text: str) -> str:
    """The board with this name, ignoring case and spaces.

    Raises:
        RuleError: there is no such board.
    """
    name = find(text, BOARDS)
    if name is None:
        known = f"{' or '.join(BOARDS)}{suggestion(likely(text, BOARDS))}"
        raise RuleError("board_unknown", board=repr(text), known=known)
    return name


def is_mirrored(lane: int, lanes: int) -> bool:
    """Whether a lane of a classic board has its outer row below its inner row, as the lower half of the lanes has."""
    return lane >= (lanes + 1) // 2
