"""What an input may do at the scoreboard, and what a window of any kind must be able to do."""

from typing import Protocol

from hardware.wires import Wires
from pegboard.config import Settings
from pegboard.core.view import View


class Door(Protocol):
    """The scoreboard as the keys see it. Nothing here raises: a refusal becomes the notice that the windows show."""

    def dial(self, lane: int, points: int) -> None:
        """Add `points` to the amount dialled for `lane`; an amount dialled for another lane pegs first."""

    def peg(self, lane: int) -> None:
        """Peg the amount dialled for `lane`; nothing, where nothing is dialled."""

    def enter(self, lane: int, points: int | None) -> None:
        """Peg `points` that were typed, and what is dialled for `lane` with them; None presses ENTER alone.

        Then it pegs what is dialled, answers what the keys ask, confirms a finished game, or does nothing.
        """

    def drop(self, lane: int) -> None:
        """Drop what is dialled for `lane`."""

    def typed(self, points: int | None) -> None:
        """Show an amount that has been typed and is no lane's yet; None takes it away."""

    def invite(self) -> None:
        """Show how to join, or hide it when it is shown."""

    def undo(self) -> None:
        """Drop what is dialled, or else take back the newest line."""

    def deal(self) -> None:
        """Pass the deal; after the end, start the next game."""

    def ask_new_game(self) -> None:
        """Show the question whether to start a new game."""

    def new_game(self) -> None:
        """Start a new game with the same players, where every window still asks whether to; else ask."""

    def cancel_new_game(self) -> None:
        """Take the question away."""

    def trouble(self, sentence: str) -> None:
        """Show a sentence about the input itself."""


class Input(Protocol):
    """Something that can be pressed.

    It may have a property `health`, a `pegboard.health.Health`, which is looked at every few seconds; one without is
    taken to be well. It may have a method `mend()`, which is called before each such look, never by two threads at
    once.
    """

    name: str

    def start(self) -> None:
        """Begin to listen."""

    def close(self) -> None:
        """Stop listening."""


class Display(Protocol):
    """Something that shows views."""

    name: str
    about: str
    refresh_s: float | None

    def show(self, view: View) -> None:
        """Show the whole view."""

    def close(self) -> None:
        """Let go of the wire."""


class DisplayKind(Protocol):
    """The class of a display."""

    name: str

    def __call__(self, settings: Settings, wires: Wires) -> Display:
        """Make one, without touching a wire."""
