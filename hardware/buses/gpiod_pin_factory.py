"""gpiozero pin factory on gpiod, the kernel's own GPIO interface; avoids lgpio's constantly waking thread."""

import errno
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import gpiozero
from gpiozero.pins.local import LocalPiFactory, LocalPiPin

from hardware.buses.gpiod_edges import EdgeThread, is_readable

HEADER_LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""Labels of the chips that drive a Pi's header: Pi 5, Pi 4, and earlier models."""

CONSUMER = "pegboard"
"""The name under which other programs see our pins in the kernel."""

EDGE_BUFFER = 128
"""Edge events per pin that the kernel buffers until they are read; a worn key makes a dozen per stroke."""

_BIAS = {"up": "PULL_UP", "down": "PULL_DOWN", "floating": "DISABLED"}


class PinBusy(OSError):
    """Another program holds the pin."""

    def __str__(self) -> str:
        return str(self.strerror)


class GpiodFactory(LocalPiFactory):  # type: ignore[misc]
    """The pins of the Pi's header. One thread, started with the first watched pin, delivers all their edge events.

    Attributes:
        gpiod: the gpiod module, version 2.
        chip: the GPIO chip that drives the header.
        lock: the lock that is held during every use of gpiod objects.
        edges: the thread that delivers edge events.
    """

    def __init__(self, gpiod: Any) -> None:
        """Open the GPIO chip.

        Raises:
            gpiozero.PinUnknownPi: this machine is not a Pi, so its lines could be anything.
            OSError: there is no GPIO chip, or no permission to open it.
        """
        super().__init__()
        self._get_board_info()
        self.gpiod = gpiod
        self.chip = _open_header_chip(gpiod, sorted(Path("/dev").glob("gpiochip*")))
        self.lock = threading.Lock()
        self.edges = EdgeThread(self.lock)
        self.pin_class = GpiodPin
        self._open = True

    def close(self) -> None:
        """Close every pin."""
        super().close()
        if self._open:
            self._open = False
            self.edges.close()
            self.chip.close()


class GpiodPin(LocalPiPin):  # type: ignore[misc]
    """A pin; closing it releases it to the kernel, and using it again requests it again."""

    def __init__(self, factory: GpiodFactory, info: Any) -> None:
        super().__init__(factory, info)
        self._request: Any = None
        self._reset()

    def close(self) -> None:
        """Make the pin an input, as gpiozero leaves it, and release it."""
        with self._when_changed_lock:
            self._when_changed = None
        request, self._request = self._request, None
        self._reset()
        if request is None:
            return
        self.factory.edges.unwatch(request)
        with self.factory.lock:
            with suppress(OSError):  # a missing chip has no pin to release
                request.reconfigure_lines({self._number: self._settings()})
            request.release()

    def output_with_state(self, state: bool) -> None:
        """Make the pin an output with this initial level."""
        self._level = bool(state)
        self._set_function("output")

    def _reset(self) -> None:
        self._function = "input"
        self._pull = self.info.pull or "floating"
        self._edges = "both"
        self._listening = self._level = False

    def _get_function(self) -> str:
        return self._function

    def _set_function(self, value: str) -> None:
        if value not in ("input", "output"):
            raise gpiozero.PinInvalidFunction(f'invalid function "{value}" for pin {self!r}')
        self._function = value
        self._apply()

    def _get_state(self) -> bool:
        if self._request is None:
            self._apply()
        with self.factory.lock:
            return bool(self._request.get_value(self._number))

    def _set_state(self, value: float) -> None:
        if self._function != "output":
            raise gpiozero.PinSetInput(f"cannot set state of pin {self!r}")
        self._level = bool(value)
        with self.factory.lock:
            self._request.set_value(self._number, self._value())

    def _get_pull(self) -> str:
        return str(self._pull)

    def _set_pull(self, value: str) -> None:
        if self._function != "input":
            raise gpiozero.PinFixedPull(f"cannot set pull on non-input pin {self!r}")
        if self.info.pull not in (value, ""):
            raise gpiozero.PinFixedPull(f"{self!r} has a physical pull-{self.info.pull} resistor")
        if value not in _BIAS:
            raise gpiozero.PinInvalidPull(f'invalid pull "{value}" for pin {self!r}')
        self._pull = value
        self._apply()

    def _get_edges(self) -> str:
        return self._edges

    def _set_edges(self, value: str) -> None:
        if value not in ("none", "rising", "falling", "both"):
            raise gpiozero.PinInvalidEdges(f'invalid edges "{value}" for pin {self!r}')
        self._edges = value
        if self._listening:
            self._apply()

    def _enable_event_detect(self) -> None:
        self._listening = True
        self._apply()
        self.factory.edges.watch(self._request, self._dispatch_edge)

    def _disable_event_detect(self) -> None:
        self.factory.edges.unwatch(self._request)
        self._listening = False
        self._apply()
        with self.factory.lock:
            while is_readable(self._request.fd):  # else the next watcher gets stale edges
                self._request.read_edge_events()

    def _dispatch_edge(self, edge: Any) -> None:
        callback = self.when_changed  # read once: another thread may reset it meanwhile
        if callback is not None:
            callback(edge.timestamp_ns / 1e9, int(edge.event_type is edge.Type.RISING_EDGE))

    def _apply(self) -> None:
        """Configure the pin, requesting it first if necessary."""
        wanted = {self._number: self._settings()}
        with self.factory.lock:
            if self._request is not None:
                self._request.reconfigure_lines(wanted)
                return
            try:
                self._request = self.factory.chip.request_lines(wanted, CONSUMER, EDGE_BUFFER)
            except OSError as error:
                if error.errno == errno.EBUSY:
                    raise PinBusy(errno.EBUSY, self._busy_text()) from error
                raise

    def _settings(self) -> Any:
        line, settings = self.factory.gpiod.line, self.factory.gpiod.LineSettings
        if self._function == "output":
            return settings(direction=line.Direction.OUTPUT, output_value=self._value())
        return settings(
            direction=line.Direction.INPUT,
            bias=line.Bias[_BIAS[self._pull]],
            edge_detection=line.Edge[self._edges.upper() if self._listening else "NONE"],
            event_clock=line.Clock.MONOTONIC,
        )

    def _value(self) -> Any:
        return self.factory.gpiod.line.Value["ACTIVE" if self._level else "INACTIVE"]

    def _busy_text(self) -> str:
        holder = self.factory.chip.get_line_info(self._number).consumer
        return f'GPIO busy: "{holder}" holds it' if holder else "GPIO busy"


def _open_header_chip(gpiod: Any, files: Sequence[Path]) -> Any:
    """The chip of the header's pins, found by label, since its number on a Pi 5 depends on the kernel; else chip 0."""
    for file in files:
        chip = gpiod.Chip(str(file))
        if chip.get_info().label in HEADER_LABELS:
            return chip
        chip.close()
    return gpiod.Chip("/dev/gpiochip0")
