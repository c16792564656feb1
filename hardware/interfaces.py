"""Interfaces of displays and inputs, of the buses they hang on, and of the scoreboard as an input sees it.

`docs/displays.md` tells how a package of somebody else's brings a display or an input, with a whole example.
"""

from typing import Any, Protocol

from pegboard.config import Settings
from pegboard.core.view import View
from pegboard.devices.health import Health


class I2cBus(Protocol):
    """An I2C bus, written to in whole transactions."""

    def write(self, address: int, data: bytes) -> None:
        """One transaction: start, address, bytes, stop. Raises `OSError` when nobody acknowledges."""

    def close(self) -> None:
        """Let go of the bus."""


class SpiBus(Protocol):
    """The data line of an SPI bus."""

    def write(self, data: bytes) -> None:
        """One transfer without a gap. Raises `OSError` when the bus fails."""

    def close(self) -> None:
        """Let go of the bus."""


class KeyReader(Protocol):
    """A keypad's keys, read one after the other.

    Attributes:
        name: what the keypad calls itself.
    """

    name: str

    def read(self) -> tuple[str, bool]:
        """Wait for the next key: its name, such as "KEY_KP7", and whether it went down; a repeat is none.

        Raises:
            OSError: the keypad is gone, or has been closed.
        """

    def close(self) -> None:
        """Let go of the keypad; a `read` that waits ends with an `OSError`."""


class Buses(Protocol):
    """Everything that leads out of the computer."""

    def pins(self) -> Any:
        """The gpiozero pin factory. Raises `DeviceError` when the pins cannot be had."""

    def i2c(self, bus: int) -> I2cBus:
        """Open an I2C bus. Raises `DeviceError` when it cannot be had."""

    def spi(self, bus: int, hz: int) -> SpiBus:
        """Open the first device of an SPI bus at a clock of `hz`. Raises `DeviceError` when it cannot be had."""

    def keypad(self, device: str) -> KeyReader:
        """Open a keypad by its file, or the first one that is found. Raises `DeviceError` when it cannot be had."""


class KeyTarget(Protocol):
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

    def show_typed(self, points: int | None) -> None:
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

    def show_notice(self, sentence: str) -> None:
        """Show a sentence about the input itself."""


class Display(Protocol):
    """Something that shows views, in a thread of its own. Named by an entry point of the group `pegboard.displays`.

    Attributes:
        name: what it is called on the pages and in the log: a word or two.
        about: where it hangs, such as "SSD1306 on I2C, 0x3C"; read after each view.
        refresh_s: seconds after which the same view is shown again if none newer comes, or None; read after each view.
    """

    name: str
    about: str
    refresh_s: float | None

    def show(self, view: View) -> None:
        """Show the whole view; the first one opens the wire. It may take its time, and it may raise anything.

        After an error the display is closed, and a new one is made and shown the newest view, 1, 2, 4 ... 30 s later.
        """

    def close(self) -> None:
        """Let go of the wire; it may be called twice."""


class DisplayKind(Protocol):
    """The class of a display."""

    name: str

    def __call__(self, settings: Settings, buses: Buses) -> Display:
        """Make one, without touching a wire. Raises `DeviceError`, with what to set instead, for what cannot work."""


class Input(Protocol):
    """Something that can be pressed. Named by an entry point of the group `pegboard.inputs`.

    Attributes:
        name: what it is called on the pages and in the log: a word or two.
    """

    name: str

    def start(self) -> None:
        """Begin to listen, and return. Raises `DeviceError` with a remedy when that cannot be."""

    def close(self) -> None:
        """Stop listening; it may be called twice."""


class InputKind(Protocol):
    """The class of an input."""

    name: str

    def __call__(self, settings: Settings, buses: Buses, target: KeyTarget) -> Input:
        """Make one, without touching a wire. Raises `DeviceError`, with what to set instead, for what cannot work."""


class HasHealth(Protocol):
    """An input that says how it is; one that does not is taken to be well."""

    @property
    def health(self) -> Health:
        """How it is; asked for every 3 s in a thread of its own, and may neither wait nor raise."""


class Mends(Protocol):
    """An input that can be put right while it runs."""

    def mend(self) -> None:
        """Try again what could not be had; called before each look at `health`, never by two threads at once."""


class SelfTests(Protocol):
    """A display or input that looks for itself when `pegboard selftest` asks."""

    def selftest(self) -> str:
        """Look for the device, change nothing that is shown, and say in a sentence what is there.

        Raises:
            DeviceError: it is not there; the sentence says what to do.
        """
