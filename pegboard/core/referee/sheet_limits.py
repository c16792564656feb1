"""How long a sheet may become: more lines than any evening fills would slow down every page that shows them."""

from pegboard.core.board import Game
from pegboard.core.moves import Event, InPlace, Line
from pegboard.errors import RuleError

MOST_LINES = 2_000
"""Lines of a game; a real one has fewer than three hundred."""

MOST_CHANGES = 2_000
"""How often lines of a game may be taken back, put back and amended; each replays the sheet from there on."""


def check_room(game: Game, event: Event) -> None:
    """Check that the sheet has room for what has been decided.

    Raises:
        RuleError: it has none.
    """
    if isinstance(event, Line) and len(game.entries) >= MOST_LINES:
        raise RuleError("sheet_full", most=MOST_LINES)
    if isinstance(event, InPlace) and sum(len(entry.history) for entry in game.entries) >= MOST_CHANGES:
        raise RuleError("sheet_changed_out", most=MOST_CHANGES)
