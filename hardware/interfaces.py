"""Interfaces of displays, inputs and buses, and of the scoreboard as an input sees it, for packages of other people.

`docs/displays.md` shows how another package brings a display or an input, with a whole example.
"""

from typing import Any, Protocol

from pegboard.config import Settings
from pegboard.core.view import View
from pegboard.devices.health import Health


class I2cBus(Protocol):
    """An I2C bus."""

    def write(self, address: int, data: bytes) -> None:
        """Write one transaction: start, address, bytes, stop. Raises `OSError` when nobody acknowledges."""

    def close(self) -> None:
        """Close the bus."""


class SpiBus(Protocol):
    """An SPI bus, which is only written to."""

    def write(self, data: bytes) -> None:
        """Write one transfer without a gap. Raises `OSError` when the bus fails."""

    def close(self) -> None:
        """Close the bus."""


class KeyReader(Protocol):
    """The key events of a keypad.

    Attributes:
        name: what the keypad calls itself.
    """

    name: str

    def read(self) -> tuple[str, bool]:
        """Wait for the next key event: the key's name, such as "KEY_KP7", and whether it went down; no repeats.

        Raises:
            OSError: the keypad is gone, or has been closed.
        """

    def close(self) -> None:
        """Close the keypad; a `read` that waits ends with an `OSError`."""


class Buses(Protocol):
    """Everything that devices hang on: GPIO pins, I2C and SPI buses, and a keypad."""

    def pins(self) -> Any:
        """The gpiozero pin factory. Raises `DeviceError` when there are no pins."""

    def i2c(self, bus: int) -> I2cBus:
        """Open an I2C bus. Raises `DeviceError` when that cannot be."""

    def spi(self, bus: int, hz: int) -> SpiBus:
        """Open the first device of an SPI bus at a clock of `hz`. Raises `DeviceError` when that cannot be."""

    def keypad(self, device: str, last: str = "") -> KeyReader:
        """Open a keypad by its file, or the one that is found. Raises `DeviceError` when that cannot be.

        `last` is the name of the one that was there before: no keyboard of another name takes its place.
        """

    def input_devices(self) -> object:
        """The input devices there are, as a value that changes when one comes or goes."""


class KeyTarget(Protocol):
    """The scoreboard as an input sees it. Nothing here raises: a refusal becomes the notice that all displays show."""

    def dial(self, lane: int, points: int) -> None:
        """Add `points` to the amount dialled for `lane`; an amount dialled for another lane pegs first."""

    def peg(self, lane: int) -> None:
        """Peg the amount dialled for `lane`; do nothing where nothing is dialled."""

    def enter(self, lane: int, points: int | None) -> None:
        """Peg `points` that were typed, and with them what is dialled for `lane`; None is ENTER alone.

        ENTER alone pegs what is dialled, answers what the keys ask, confirms a finished game, or does nothing.
        """

    def drop(self, lane: int) -> None:
        """Drop what is dialled for `lane`."""

    def show_typed(self, points: int | None) -> None:
        """Show an amount that has been typed and is no lane's yet; None takes it away."""

    def invite(self) -> None:
        """Show how to join, or hide it; while an alarm stands ask whether it was seen, and asked again dismiss it."""

    def show_choice(self, taps: int) -> None:
        """Show what letting UNDO go will do, after so many taps of DEAL, two or more."""

    def choose(self, taps: int) -> None:
        """Do what was shown for so many taps of DEAL: call a judge or the director, or begin to type a code."""

    def is_typing_code(self) -> bool:
        """Whether digits are those of an event's code."""

    def type_code_digit(self, digit: int) -> None:
        """Add a digit to the code of an event."""

    def undo(self) -> None:
        """Drop what is dialled, or else take back the newest line."""

    def deal(self) -> None:
        """Pass the deal; after the end, start the next game."""

    def ask_new_game(self) -> None:
        """Show the question whether to start a new game."""

    def is_asking_new_game(self) -> bool:
        """Whether that question still stands: no command and no other notice has replaced it."""

    def new_game(self) -> None:
        """Start a new game with the same players, where that question still stands; else ask."""

    def cancel_new_game(self) -> None:
        """Take the question away; any other notice stays."""

    def ask_power_off(self) -> None:
        """Show the question whether to switch the machine off, or that pegboard does not do so here."""

    def is_asking_power_off(self) -> bool:
        """Whether that question still stands."""

    def power_off(self) -> None:
        """Switch the machine off, where that question still stands; else ask."""

    def cancel_power_off(self) -> None:
        """Take that question away; any other notice stays."""

    def show_notice(self, sentence: str) -> None:
        """Show a sentence about the input itself."""


class Display(Protocol):
    """A display: it shows views, in a thread of its own. An entry point of group `pegboard.displays` names its class.

    Attributes:
        name: what it is called on the pages and in the log: a word or two.
        about: where it hangs, such as "SSD1306 on I2C, 0x3C"; read after each view.
        refresh_s: seconds after which the same view is shown again if none newer comes, or None; read after each view.
    """

    name: str
    about: str
    refresh_s: float | None

    def show(self, view: View) -> None:
        """Show the whole view; the first call opens the bus. It may take its time, and it may raise anything.

        After an error the display is closed; a new one is made and shown the newest view, 1, 2, 4 ... 30 s later.
        """

    def close(self) -> None:
        """Close the bus; it may be called twice."""


class Acknowledges(Protocol):
    """A display that says whether anything answers it; one that does not say is taken to be answered.

    Attributes:
        acknowledges: whether the device acknowledges what it is sent; nothing on SPI does.
    """

    acknowledges: bool


class Patient(Protocol):
    """A display that takes long to show a picture; one that does not say may take 3 s.

    Attributes:
        patience_s: seconds that a picture may take before the display is called hanging: 30 for most e-paper.
    """

    patience_s: float


class Darkens(Protocol):
    """A display that would go on shining when nobody writes to it any more: a Pi that has been shut down feeds it."""

    def darken(self) -> None:
        """Switch the light off, once, before the last `close`; it opens the bus where nothing was shown yet.

        It is called when the table ends, and by `pegboard selftest --dark`. It may raise anything.
        """


class DisplayKind(Protocol):
    """The class of a display."""

    name: str

    def __call__(self, settings: Settings, buses: Buses) -> Display:
        """Make one, which opens no bus yet. Raises `DeviceError`, with what to set instead, for what cannot work."""


class Input(Protocol):
    """An input: something that can be pressed. An entry point of group `pegboard.inputs` names its class.

    Attributes:
        name: what it is called on the pages and in the log: a word or two.
    """

    name: str

    def start(self) -> None:
        """Begin to listen, and return. Raises `DeviceError` with a remedy when that cannot be."""

    def close(self) -> None:
        """Stop listening; it may be called twice."""


class HasHealth(Protocol):
    """An input that reports its health; one that does not is taken to be well."""

    @property
    def health(self) -> Health:
        """Its health; polled every 3 s in a thread of its own, and may neither wait nor raise."""


class Mends(Protocol):
    """An input that can be repaired while it runs."""

    def mend(self) -> None:
        """Try again what has failed; called before each poll of `health`, never by two threads at once."""


class SelfTests(Protocol):
    """A display or input that takes part in `pegboard selftest`."""

    def selftest(self) -> str:
        """Look for the device without changing what it shows, and say in a sentence what is there.

        Raises:
            DeviceError: it is not there; the sentence says what to do.
        """
