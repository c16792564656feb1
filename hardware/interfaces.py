"""Interfaces (protocols) of displays, inputs, buses and keypads, and of the scoreboard as inputs see it (`KeyTarget`).

Built-in devices and other packages use the same interfaces; `docs/displays.md` shows how another package adds a display
or an input, with a full example.
"""

from typing import Any, Protocol

from pegboard.config import Settings
from pegboard.core.view import View
from pegboard.devices.health import Health


class I2cBus(Protocol):
    """An I2C bus."""

    def write(self, address: int, data: bytes) -> None:
        """Write one transaction: start, address, bytes, stop. Raises `OSError` if no device acknowledges."""

    def close(self) -> None:
        """Close the bus."""


class SpiBus(Protocol):
    """A write-only SPI bus."""

    def write(self, data: bytes) -> None:
        """Write one transfer without a gap. Raises `OSError` if the bus fails."""

    def close(self) -> None:
        """Close the bus."""


class KeyReader(Protocol):
    """The key events of a keypad.

    Attributes:
        name: the name that the keypad reports.
    """

    name: str

    def read(self) -> tuple[str, bool]:
        """Wait for the next key event, skipping repeats: the key's name, such as "KEY_KP7", and whether it went down.

        Raises:
            OSError: the keypad is gone, or has been closed.
        """

    def close(self) -> None:
        """Close the keypad; a waiting `read` ends with an `OSError`."""


class Buses(Protocol):
    """Everything that devices connect to: GPIO pins, I2C and SPI buses, and a keypad."""

    def pins(self) -> Any:
        """The gpiozero pin factory. Raises `DeviceError` if there are no pins."""

    def i2c(self, bus: int) -> I2cBus:
        """Open an I2C bus. Raises `DeviceError` if it cannot be opened."""

    def spi(self, bus: int, hz: int) -> SpiBus:
        """Open the first device of an SPI bus at a clock of `hz`. Raises `DeviceError` if it cannot be opened."""

    def keypad(self, device: str, last: str = "") -> KeyReader:
        """Open a keypad by its file, or find one. Raises `DeviceError` if it cannot be opened.

        `last` is the name of the previous keypad: a keyboard with another name does not replace it.
        """

    def input_devices(self) -> object:
        """The current input devices, as a value that changes when one is added or removed."""


class KeyTarget(Protocol):
    """The scoreboard as an input sees it. No method raises: a refusal becomes the notice shown on all displays."""

    def dial(self, lane: int, points: int) -> None:
        """Add `points` to the amount keyed in for `lane`; an amount keyed in for another lane pegs first."""

    def peg(self, lane: int) -> None:
        """Peg the amount keyed in for `lane`, if any."""

    def enter(self, lane: int, points: int | None) -> None:
        """Peg the typed `points` plus the amount keyed in for `lane`; None means ENTER without digits.

        ENTER without digits pegs the keyed-in amount, answers the question on display, confirms a finished game, or
        does nothing.
        """

    def drop(self, lane: int) -> None:
        """Drop the amount keyed in for `lane`."""

    def show_typed(self, points: int | None) -> None:
        """Show an amount that is typed but not yet pegged for a lane; None hides it."""

    def invite(self) -> None:
        """Show or hide how to join. During an alarm, ask whether it was seen instead; the second call dismisses it."""

    def show_choice(self, taps: int) -> None:
        """Show what releasing UNDO will do after this many taps of DEAL, two or more."""

    def choose(self, taps: int) -> None:
        """Do what was shown for this many taps of DEAL: call a judge or the director, or start typing a code."""

    def is_typing_code(self) -> bool:
        """Whether typed digits belong to an event's code."""

    def type_code_digit(self, digit: int) -> None:
        """Add a digit to the code of an event."""

    def undo(self) -> None:
        """Drop the keyed-in amount, or else undo the newest line."""

    def deal(self) -> None:
        """Pass the deal; after the end, start the next game."""

    def ask_new_game(self) -> None:
        """Show the question whether to start a new game."""

    def is_asking_new_game(self) -> bool:
        """Whether the question about a new game is still open: no command and no other notice has replaced it."""

    def new_game(self) -> None:
        """Start a new game with the same players if the question about it is still open; else ask the question."""

    def cancel_new_game(self) -> None:
        """Close the question about a new game; any other notice stays."""

    def ask_power_off(self) -> None:
        """Ask whether to shut down the machine, or say that pegboard cannot do so here."""

    def is_asking_power_off(self) -> bool:
        """Whether the question about shutting down is still open."""

    def power_off(self) -> None:
        """Shut down the machine if the question about it is still open; else ask the question."""

    def cancel_power_off(self) -> None:
        """Close the question about shutting down; any other notice stays."""

    def show_notice(self, sentence: str) -> None:
        """Show a sentence about the input itself."""


class Display(Protocol):
    """A display: it shows views, in a thread of its own. An entry point of group `pegboard.displays` names its class.

    Attributes:
        name: the display's name on the pages and in the log: a word or two.
        about: the display's type and connection, such as "SSD1306 on I2C, 0x3C"; read after each view.
        refresh_s: seconds until the same view is shown again if there is no newer one, or None; read after each view.
    """

    name: str
    about: str
    refresh_s: float | None

    def show(self, view: View) -> None:
        """Show the whole view; the first call opens the bus. The method may be slow, and it may raise anything.

        After an error the display is closed; 1, 2, 4 ... 30 s later, a new one is made and is given the newest view.
        """

    def close(self) -> None:
        """Close the bus; may be called twice."""


class Acknowledges(Protocol):
    """A display that says whether its device acknowledges writes; a display without this attribute is assumed to.

    Attributes:
        acknowledges: whether the device acknowledges what it is sent; SPI devices never do.
    """

    acknowledges: bool


class Patient(Protocol):
    """A display that takes long to show a picture; a display without this attribute may take 3 s.

    Attributes:
        patience_s: seconds that a picture may take before the display counts as hanging; 30 suits most e-paper.
    """

    patience_s: float


class Darkens(Protocol):
    """A display that stays lit when nothing writes to it; a Pi supplies its power even after shutting down."""

    def darken(self) -> None:
        """Turn the light off, once, before the last `close`; open the bus if nothing was shown yet.

        Called when the table stops, and by `pegboard selftest --dark`. The method may raise anything.
        """


class DisplayKind(Protocol):
    """The class of a display."""

    name: str

    def __call__(self, settings: Settings, buses: Buses) -> Display:
        """Make the display without opening a bus. Raises `DeviceError`, saying what to set, if settings are invalid."""


class Input(Protocol):
    """An input: a device with keys. An entry point of group `pegboard.inputs` names its class.

    Attributes:
        name: the input's name on the pages and in the log: a word or two.
    """

    name: str

    def start(self) -> None:
        """Start listening, and return. Raises `DeviceError` with a remedy if that fails."""

    def close(self) -> None:
        """Stop listening; may be called twice."""


class HasHealth(Protocol):
    """An input that reports its health; an input without this property counts as healthy."""

    @property
    def health(self) -> Health:
        """The input's health; it is polled every 3 s in a thread of its own, and must neither wait nor raise."""


class Mends(Protocol):
    """An input that can be repaired while it runs."""

    def mend(self) -> None:
        """Retry what has failed; called before each poll of `health`, never by two threads at once."""


class SelfTests(Protocol):
    """A display or input that takes part in `pegboard selftest`."""

    def selftest(self) -> str:
        """Look for the device without changing what it shows, and say in a sentence what was found.

        Raises:
            DeviceError: the device was not found; the error's sentence says what to do.
        """
