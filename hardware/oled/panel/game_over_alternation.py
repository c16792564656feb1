"""The alternation of two screens after a game: who has won and the board, in turn, until the board stays."""

from pegboard.core.view import View

TURN_S = 5.0
"""Seconds of each screen."""

LASTING_S = 120.0
"""Seconds after which the board stays."""


class GameOverAlternation:
    """From each view and the time: whether the screen of the game's end is shown instead of the board.

    Attributes:
        shown: whether it is.
    """

    def __init__(self) -> None:
        self._of: object = None
        self._since_s = 0.0
        self.shown = False

    def update(self, view: View, now_s: float) -> None:
        """The view is shown now; `now_s` never falls. Whatever is newer than the end is seen on the board."""
        end = None if view.game.outcome is None else (view.epoch, view.id, view.revision)
        if end != self._of:
            self._of, self._since_s = end, now_s
        is_calling = view.event is not None and view.event.is_calling
        interrupted = view.notice is not None or view.invitation is not None or any(view.dialled) or is_calling
        passed_s = now_s - self._since_s
        self.shown = end is not None and not interrupted and passed_s < LASTING_S and passed_s // TURN_S % 2 == 0

    def due_s(self, now_s: float) -> float | None:
        """Seconds until the other screen, or None when none follows."""
        passed_s = now_s - self._since_s
        return TURN_S - passed_s % TURN_S if self._of is not None and passed_s < LASTING_S else None
