"""Device health (last error, retries), health polling, device registry, calls with a timeout, retry backoff."""

import logging
import math
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, TypeAlias, TypeVar

from pegboard.core.view import Device
from pegboard.errors import DeviceError, PegboardError
from pegboard.messages import Message, message_json

# --- retry with exponential backoff: the delay doubles after each failure, up to half a minute ---


FIRST_DELAY_S, LONGEST_DELAY_S = 1.0, 30.0
"""Seconds before the first retry, and maximum seconds before later retries."""


def next_delay(delay_s: float) -> float:
    """Seconds before the next retry, if the last retry came after `delay_s` and failed too."""
    return min(2 * delay_s, LONGEST_DELAY_S)


# --- calling code of other packages with a timeout ---
#
# The call runs in a thread of its own. Any exception is an error of that device. A call that never returns is left
# running, and a `KeyboardInterrupt` raised by the call does not count as Ctrl-C.


T = TypeVar("T")

BEGIN_S = 20.0
"""Timeout of a call that imports, creates or starts a device.

The slowest Pi imports the OLED's libraries in five seconds.
"""


def call_with_timeout(call: Callable[[], T], within_s: float = BEGIN_S) -> T:
    """Run `call` with a timeout, and return its result.

    Raises:
        DeviceError: `call` did not return within `within_s` seconds, or tried to exit the program.
        Exception: any other exception that `call` raised.
    """
    outcome = Future[T]()

    def run() -> None:
        try:
            outcome.set_result(call())
        except BaseException as error:  # noqa: BLE001 - sys.exit() in another package must not end the program
            outcome.set_exception(error)

    threading.Thread(target=run, name="call of another package", daemon=True).start()
    try:
        error = outcome.exception(within_s)
    except TimeoutError:
        raise DeviceError("device_left_behind", seconds=f"{within_s:g}") from None
    if error is not None and not isinstance(error, Exception):
        raise DeviceError("device_exit", error=error_text(error)) from error
    return outcome.result()


HANG_S = 3.0
"""Seconds after which a device call counts as hanging, unless the device sets its own limit: most frames take 0.1 s."""

LONGEST = 500
"""Maximum characters shown of an error or any other text of a device."""


@dataclass(frozen=True, slots=True)
class Health:
    """The health of a display or an input.

    Attributes:
        name: the name of the device.
        about: the device's bus or pins, in words.
        ok: whether the device works: a display has shown the last view, an input can be pressed.
        failing_since: wall time of the first of consecutive errors, in seconds since 1970, or None.
        trouble: the last error in words; kept after the device has recovered.
        retries: the number of retries since the first of consecutive errors.
        frames: the total number of views shown.
        errors: the total number of errors.
        acknowledges: whether the device acknowledges data. SPI devices do not: for such a display, `ok` only means that
            the bus has sent the last view, not that a device is connected.
    """

    name: str
    about: str
    ok: bool = True
    failing_since: float | None = None
    trouble: str | None = None
    retries: int = 0
    frames: int = 0
    errors: int = 0
    acknowledges: bool = True

    def as_json(self) -> dict[str, Any]:
        """All fields, ready for JSON; `about` and `trouble` also by message key, if they are pegboard's messages."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        return values | {f"{name}_message": message_json(values[name]) for name in ("about", "trouble")}

    def mark_ok(self, about: str) -> "Health":
        """The health after success, on the bus or pins `about`; the last error is kept."""
        return replace(self, about=about, ok=True, failing_since=None, retries=0)

    def mark_failed(self, words: str, wall_s: float) -> "Health":
        """The health after a failure with the reason `words`, at `wall_s` seconds since 1970."""
        return replace(
            self,
            ok=False,
            failing_since=wall_s if self.failing_since is None else self.failing_since,
            trouble=printable(words),
            retries=self.retries + (not self.ok),
            errors=self.errors + 1,
        )

    def during(self, attempt: "Attempt | None", now_s: float, hangs: Message, patience_s: float = HANG_S) -> "Health":
        """The health while an attempt may be running, at `now_s` of the monotonic clock.

        An attempt longer than `patience_s` is a failure with the reason `hangs`, and does not count as a retry.
        """
        if attempt is None or now_s - attempt.begun_s < patience_s:
            return self
        return replace(self.mark_failed(hangs, attempt.wall_s), retries=self.retries)

    def check_types(self) -> "Health":
        """Check the types of the fields, since another package may have set any value; texts become printable.

        Raises:
            TypeError: a field has a wrong type.
        """
        for each in fields(self):
            value, kinds = getattr(self, each.name), _KINDS[each.name]
            kind = str if isinstance(value, Message) else type(value)
            if kind not in kinds or (isinstance(value, float) and not math.isfinite(value)):
                taken = " or ".join(_WORDS[kind] for kind in kinds)
                raise TypeError(f"{each.name} in its health must be {taken}, not {value!r}")
        trouble = None if self.trouble is None else printable(self.trouble)
        return replace(self, name=printable(self.name), about=printable(self.about), trouble=trouble)


class Attempt(NamedTuple):
    """A running device call: its start by the monotonic clock and by the wall clock, in seconds."""

    begun_s: float
    wall_s: float


_KINDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "about": (str,),
    "ok": (bool,),
    "failing_since": (float, int, type(None)),
    "trouble": (str, type(None)),
    "retries": (int,),
    "frames": (int,),
    "errors": (int,),
    "acknowledges": (bool,),
}

_WORDS: dict[type, str] = {
    str: "a text",
    bool: "True or False",
    float: "a number",
    int: "a whole number",
    type(None): "None",
}


def printable(words: str) -> str:
    """The text made printable for every page and terminal: one line, limited in length, without control characters.

    A `Message` that needs no change stays a `Message`.
    """
    known = words.encode("utf-8", "replace").decode("utf-8")
    text = " ".join("".join(letter if letter.isprintable() else " " for letter in known).split())
    shown = text if len(text) <= LONGEST else text[: LONGEST - 4] + " ..."
    return words if words == shown else shown


def join_faults(faults: Sequence[str]) -> str:
    """Several faults joined into one text; a single fault is returned unchanged."""
    return faults[0] if len(faults) == 1 else "; ".join(faults)


def error_text(error: BaseException) -> str:
    """The text of an error: its class if it has no text, prefixed with its class if it is not an `Exception`."""
    if isinstance(error, PegboardError):
        return printable(error.message)
    kind = type(error).__name__
    try:
        text = printable(str(error))
    except Exception:  # noqa: BLE001 - another package's error may fail to print
        text = ""
    if not text or not isinstance(error, Exception):
        return f"{kind}: {text}" if text else kind
    return text


def require_text(what: str, value: Any) -> str:
    """A text given by a device, such as its name, made printable.

    Raises:
        TypeError: `value` is not text.
    """
    if not isinstance(value, str):
        raise TypeError(f"its {what} must be text, not {value!r}")
    return printable(value)


# --- health polling of inputs, each in its own thread, so that a hanging input delays no other ---


POLL_INTERVAL_S = 3.0
"""Seconds between polls of each input, and between the registry's checks for hanging devices."""

HANGS = Message("trouble_silent", seconds=f"{HANG_S:g}")


class HealthPoller:
    """Periodically repairs an input and reads its health; both calls may block or raise."""

    def __init__(
        self,
        device: Any,
        name: str,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        """The input counts as working until its first poll. `clock` gives monotonic s, `wall` s since 1970."""
        self._device = device
        self._clock, self._wall = clock, wall
        self._health = Health(name, "")
        self._poll: Attempt | None = None
        self._stopped = threading.Event()

    @property
    def health(self) -> Health:
        """The last reported health, or a failure if the device hangs. Never blocks."""
        poll, health = self._poll, self._health
        return health.during(poll, self._clock(), HANGS)

    def start(self, on_poll: Callable[[], None]) -> None:
        """Poll every few seconds, and call `on_poll`, which only wakes another thread, after each poll."""
        threading.Thread(target=self._run, args=(on_poll,), name=f"poll {self._health.name}", daemon=True).start()

    def stop(self) -> None:
        """Stop polling. Never blocks."""
        self._stopped.set()

    def poll(self) -> None:
        """Let the device repair itself, then read its health; blocks until both are done."""
        self._poll = Attempt(self._clock(), self._wall())
        self._health = self._read_health()
        self._poll = None

    def _run(self, on_poll: Callable[[], None]) -> None:
        while not self._stopped.is_set():
            self.poll()
            on_poll()
            self._stopped.wait(POLL_INTERVAL_S)

    def _read_health(self) -> Health:
        try:
            if hasattr(self._device, "mend"):
                self._device.mend()
            health = getattr(self._device, "health", None)
            return (
                replace(health.check_types(), name=self._health.name)  # keep the original name
                if isinstance(health, Health)
                else self._health.mark_ok("")
            )
        except BaseException as error:  # noqa: BLE001 - another package's input may raise anything, SystemExit too
            return self._health.mark_failed(error_text(error), self._wall())


# --- device registry: the health of displays and inputs, with a callback when a device fails or recovers ---


ReadHealth: TypeAlias = Callable[[], Health]
"""Returns the known health of a device; never blocks or raises."""

log = logging.getLogger(__name__)


class Devices:
    """Registry of all devices, in the order in which they were added.

    `on_change` is called with all devices whenever the error of any has changed; a device that keeps failing in the
    same way is reported once. It is called in the registry's own thread, so that it blocks no other thread.
    """

    def __init__(self, on_change: Callable[[tuple[Device, ...]], None]) -> None:
        self._on_change = on_change
        self._reads: tuple[ReadHealth, ...] = ()
        self._pollers: list[HealthPoller] = []
        self._reported: tuple[Device, ...] = ()
        self._wakeup = threading.Event()
        self._stopped = False

    @property
    def health(self) -> list[Health]:
        """The known health of each device. Never blocks."""
        return [read_health() for read_health in self._reads]

    def add(self, read_health: ReadHealth) -> None:
        """Add a device; `read_health` reads its health."""
        self._reads = (*self._reads, read_health)

    def add_poller(self, poller: HealthPoller) -> None:
        """Add an input, which is polled until `stop`."""
        self._pollers.append(poller)
        self.add(lambda: poller.health)

    def wake(self) -> None:
        """Signal that the health of a device may have changed. Never blocks; thread-safe."""
        if self._snapshot() != self._reported:
            self._wakeup.set()

    def report_changes(self) -> None:
        """Call `on_change` until nothing has changed since; call it from only one thread at a time."""
        while (current := self._snapshot()) != self._reported:
            self._reported = current  # before the call, so that a change during the call is noticed
            self._on_change(current)

    def start(self) -> None:
        """Report all devices now, and then every change until `stop`."""
        self.report_changes()
        for poller in self._pollers:
            poller.start(self.wake)
        threading.Thread(target=self._run, name="devices", daemon=True).start()

    def stop(self) -> None:
        """Stop reporting. Never blocks."""
        self._stopped = True
        self._wakeup.set()
        for poller in self._pollers:
            poller.stop()

    def _run(self) -> None:
        while not self._stopped:
            self._wakeup.wait(POLL_INTERVAL_S)  # timeout: a hanging device does not call `wake`
            self._wakeup.clear()
            try:
                if not self._stopped:
                    self.report_changes()
            except Exception:  # continue with the next report
                log.exception("could not show the state of the devices")

    def _snapshot(self) -> tuple[Device, ...]:
        return tuple(Device(health.name, None if health.ok else health.trouble) for health in self.health)


def unusable_device(name: str, sentence: str, since: float | None = None) -> Health:
    """The health of a device that has been unusable since `since`, in seconds since 1970."""
    return Health(name, "", ok=False, failing_since=since, trouble=sentence, errors=1)
