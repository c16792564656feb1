"""The buttons: edges of gpiozero's pins into the key machine, and what it says to the scoreboard."""

import contextlib
import logging
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, TypeAlias

import gpiozero

from hardware.door import Door
from hardware.keys import (
    Action,
    AskNewGame,
    Cancel,
    Deal,
    Dial,
    KeyMachine,
    Nanoseconds,
    NewGame,
    Peg,
    Stuck,
    Timing,
    Undo,
)
from hardware.wires import Wires
from hardware.wiring import Key, keys_of
from pegboard.config import Settings
from pegboard.errors import DeviceError

log = logging.getLogger(__name__)

_Edge: TypeAlias = tuple[Nanoseconds, str, bool]
"""When, which key, whether it is down."""


class Buttons:
    """The keys on the pins. One thread runs the machine and sleeps until an edge or a deadline."""

    name = "buttons"

    def __init__(self, settings: Settings, wires: Wires, door: Door) -> None:
        self._keys = keys_of(settings)
        self._pull_up = settings.keys.pull_up
        self._wires = wires
        self._door = door
        self._machine = KeyMachine(self._keys, Timing.of(settings.keys))
        self._edges: SimpleQueue[_Edge | None] = SimpleQueue()
        self._lines: list[Any] = []  # gpiozero forgets a device that nobody refers to
        self._thread = threading.Thread(target=self._run, name="buttons", daemon=True)

    def start(self) -> None:
        """Listen to every key.

        Raises:
            DeviceError: a pin cannot be had; the sentence names it and says what to do.
        """
        pins = self._wires.pins()
        try:
            for key in self._keys:
                self._lines.append(self._listen(key, pins))
        except DeviceError:
            self._hang_up()
            raise
        self._thread.start()

    def close(self) -> None:
        """Stop listening."""
        self._hang_up()
        self._edges.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout=1)

    def _hang_up(self) -> None:
        while self._lines:
            self._lines.pop().close()

    def _listen(self, key: Key, pins: Any) -> Any:
        try:
            line = gpiozero.DigitalInputDevice(key.pin, pull_up=self._pull_up, bounce_time=None, pin_factory=pins)
        except Exception as error:  # lgpio's errors ("GPIO busy") are no OSError and have no common base
            raise DeviceError(
                f"the key {key.name} cannot use pin BCM {key.pin} ({error}); end whatever else uses the pin, "
                "or give the key another pin in [keys]"
            ) from error
        line.when_activated = self._enqueue(key.name, down=True)
        line.when_deactivated = self._enqueue(key.name, down=False)
        if line.is_active:
            self._say(self._machine.found_down(key.name))
        return line

    def _enqueue(self, name: str, *, down: bool) -> Callable[[], None]:
        def edge() -> None:
            # An exception here would end lgpio's only notify thread, and with it every key.
            with contextlib.suppress(Exception):
                self._edges.put((time.monotonic_ns(), name, down))

        return edge

    def _run(self) -> None:
        while True:
            try:
                edge = self._edges.get(timeout=self._patience())
            except Empty:
                self._say(self._machine.tick(time.monotonic_ns()))
                continue
            if edge is None:
                return
            self._say(self._machine.edge(*edge))

    def _patience(self) -> float | None:
        """Seconds until the machine wants to be told the time."""
        deadline = self._machine.deadline()
        return None if deadline is None else max(0, deadline - time.monotonic_ns()) / 1e9

    def _say(self, actions: list[Action]) -> None:
        for action in actions:
            try:
                self._tell(action)
            except Exception:  # the door promises not to raise; if it breaks that, the other keys still work
                log.exception("the scoreboard did not take %s", action)

    def _tell(self, action: Action) -> None:
        door = self._door
        match action:
            case Dial(lane, points):
                door.dial(lane, points)
            case Peg(lane):
                door.peg(lane)
            case Undo():
                door.undo()
            case Deal():
                door.deal()
            case AskNewGame():
                door.ask_new_game()
            case NewGame():
                door.new_game()
            case Cancel():
                door.cancel_new_game()
            case Stuck(key):
                door.trouble(f"The key {key} is stuck; it is ignored until it is let go")
