"""Self-test trials: each LED of the strip in turn, a test picture on the panel, each key press with its bounces."""

import contextlib
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from queue import Empty, SimpleQueue
from typing import TypeAlias

import luma.core.error

from hardware.buses.gpiod_edges import EdgeDelivery, edge_thread_of
from hardware.interfaces import Buses, KeyReader
from hardware.key_roles_and_actions import AddKey, KeyRole, ShortLongKey
from hardware.keys.buttons import KeyPin
from hardware.keys.debounce import Nanoseconds, Timing
from hardware.keys.keypad import keypad_roles, role_name
from hardware.keys.thread import edge_time
from hardware.oled.display import Oled
from hardware.pin_assignment import HEADER, LANES, Key, wired_keys
from hardware.strip.display import FEWEST_LANES, MOST_LANES, Strip
from hardware.strip.layouts import Led, LedLayout
from hardware.strip.strip_picture import DARK, Rgb
from pegboard.config import Settings
from pegboard.errors import DeviceError

# --- trials of strip and panel: one LED after another with its hole, and a test picture; both are dark at the end ---


LED_S = 0.15
"""Seconds that each LED is lit: slow enough to read its hole, and a minute for three lanes."""

WHITE: Rgb = (255, 255, 255)

FOREVER_S = 3600.0


def light_leds(
    settings: Settings, buses: Buses, tell: Callable[[str], None], pause: Callable[[float], object] = time.sleep
) -> None:
    """Light one LED after another, within the current limit, and report the hole of each.

    Raises:
        DeviceError: the strip is not enabled, or its bus cannot be opened or failed.
    """
    if not settings.strip.enabled:
        raise DeviceError("selftest_not_enabled", section="strip")
    strip = Strip(settings, buses)
    places = _places(strip)
    names = dict(_names(places))
    try:
        for led in range(places.leds):
            with _bus_errors_as_device_errors():
                strip.show_colors([WHITE if other == led else DARK for other in range(places.leds)])
            tell(f"LED {led + 1} of {places.leds}: {names[led]}")
            pause(LED_S)
    finally:
        _turn_off(strip)


def _places(strip: Strip) -> LedLayout:
    """The layout by which LEDs are named: that of three lanes, or the usual two if these lie elsewhere with three."""
    most, usual = strip.layout_for(MOST_LANES), strip.layout_for(FEWEST_LANES)
    return most if most.lanes[:FEWEST_LANES] == usual.lanes else usual


def _names(places: LedLayout) -> Iterator[tuple[Led, str]]:
    """Each LED with the names of its holes."""
    holes: dict[Led, list[str]] = defaultdict(list)
    for lane, (rear, front) in enumerate(places.start):
        holes[rear].append(f"lane {LANES[lane]}, start hole of the rear peg")
        holes[front].append(f"lane {LANES[lane]}, start hole of the front peg")
    for lane, leds in enumerate(places.lanes):
        for hole, led in enumerate(leds, 1):
            holes[led].append(f"lane {LANES[lane]}, {_hole_name(hole, places)}")
    for lane, leds in enumerate(places.games_won):
        for number, led in enumerate(leds, 1):
            holes[led].append(f"lane {LANES[lane]}, game won {number}")
    return ((led, " and ".join(holes[led]) or "not used") for led in range(places.leds))


def _hole_name(hole: int, places: LedLayout) -> str:
    if hole > places.lap_holes:
        return "game hole"
    return f"hole {hole} and hole {hole + places.lap_holes}" if places.is_loop else f"hole {hole}"


def show_test_picture(
    settings: Settings, buses: Buses, tell: Callable[[str], None], pause: Callable[[float], object] = time.sleep
) -> None:
    """Show the test picture until a KeyboardInterrupt, and say what to look for.

    Raises:
        DeviceError: the panel is not enabled, its bus cannot be opened, or no device answers at its address.
    """
    if not settings.oled.enabled:
        raise DeviceError("selftest_not_enabled", section="oled")
    oled = Oled(settings, buses)
    try:
        with _bus_errors_as_device_errors():
            oled.show_test_picture()
        tell(f"{oled.about} shows a frame along all four edges, a number in each corner (1 at the top left), and TOP.")
        tell('Upside down: oled.rotate = 2. Shifted by two columns, or noise at an edge: oled.chip = "sh1106".')
        tell('Every other row, or half the picture: oled.size = "128x32". Ctrl-C stops.')
        while True:
            pause(FOREVER_S)
    finally:
        _turn_off(oled)


@contextlib.contextmanager
def _bus_errors_as_device_errors() -> Iterator[None]:
    """Raise the error of a bus as a `DeviceError`, which has a sentence."""
    try:
        yield
    except (OSError, luma.core.error.Error) as error:
        raise DeviceError("device_no_answer", error=getattr(error, "strerror", None) or error) from error


def _turn_off(display: Strip | Oled) -> None:
    with contextlib.suppress(DeviceError, OSError, luma.core.error.Error):  # the error was already reported
        display.darken()
    with contextlib.suppress(OSError):
        display.close()


LOOK_S = 0.05
"""Seconds between checks whether the contacts of moved keys have come to rest."""

_Stroke: TypeAlias = Callable[["KeyEcho"], list[str]]


@dataclass(slots=True)
class _Contact:
    """The contact of a key: whether it is down, since when, and the edges of an unfinished change."""

    down: bool = False
    since: Nanoseconds = 0
    moved_at: Nanoseconds = 0
    edges: int = 0
    level: bool = False


class KeyEcho:
    """Turns the edges of each key into a line for each press and release. Pure."""

    def __init__(self, places: Mapping[str, str], lockout: Nanoseconds) -> None:
        """`places` has the meaning and the pin of each key; a change is over `lockout` after its first edge."""
        self._places, self._lockout = places, lockout
        self._contacts = {name: _Contact() for name in places}

    def edge(self, t_ns: Nanoseconds, name: str, *, down: bool) -> list[str]:
        """Take an edge of a key at `t_ns`. Returns the lines of changes that were over by then."""
        lines, contact = self.settle(t_ns), self._contacts[name]
        if not contact.edges:
            contact.moved_at = t_ns
        contact.edges += 1
        contact.level = down
        return lines

    def settle(self, t_ns: Nanoseconds) -> list[str]:
        """A line for each key whose contact has come to rest by `t_ns`."""
        return [
            self._line(name, contact)
            for name, contact in self._contacts.items()
            if contact.edges and t_ns - contact.moved_at >= self._lockout
        ]

    def _line(self, name: str, contact: _Contact) -> str:
        edges, contact.edges = contact.edges, 0
        if contact.level == contact.down:
            return f"{name}: brief contact, {edges // 2} times; {self._places[name]}"
        bounces = f"{(edges - 1) // 2} bounces"
        contact.down = contact.level
        if contact.down:
            contact.since = contact.moved_at
            return f"{name} pressed: {self._places[name]}; {bounces}"
        return f"{name} released after {(contact.moved_at - contact.since) / 1e9:.2f} s; {bounces}"


class _Line:
    """Receives the edges of pins, as the key thread does (see `EdgeReceiver`)."""

    def __init__(self, strokes: "SimpleQueue[_Stroke]") -> None:
        self._strokes = strokes

    def post_edge(self, name: str, *, down: bool, at_s: float | None = None) -> None:
        """Queue an edge of a key, at `at_s` seconds of the monotonic clock; None means now."""
        at_ns = edge_time(at_s, time.monotonic_ns())
        self._strokes.put(lambda echo: echo.edge(at_ns, name, down=down))


def echo_keys(settings: Settings, buses: Buses, tell: Callable[[str], None]) -> None:
    """Report each press and release of every key, until a KeyboardInterrupt.

    Raises:
        DeviceError: the pins or the keypad cannot be opened, or no key is set.
    """
    keys = wired_keys(settings)
    if not keys and not settings.keypad.enabled:
        raise DeviceError("selftest_no_keys_set")
    strokes: SimpleQueue[_Stroke] = SimpleQueue()
    echo = KeyEcho({key.name: _place(key) for key in keys}, Timing.from_settings(settings.keys).lockout)
    with contextlib.ExitStack() as open_devices:
        edges = open_devices.enter_context(_opened_pins(keys, settings, buses, _Line(strokes))) if keys else None
        if settings.keypad.enabled:
            open_devices.enter_context(_opened_keypad(settings, buses, strokes))
        while True:
            try:
                lines = strokes.get(timeout=LOOK_S)(echo)
            except Empty:
                now, is_delivered = time.monotonic_ns(), edges is None or edges.deliver()
                lines = echo.settle(now) if is_delivered and strokes.empty() else []
            for line in lines:
                tell(line)


@contextlib.contextmanager
def _opened_pins(keys: tuple[Key, ...], settings: Settings, buses: Buses, line: _Line) -> Iterator[EdgeDelivery | None]:
    """Open the pins, posting their edges to `line`; yields the source of the edges."""
    factory, pins = buses.pins(), list[KeyPin]()
    try:
        for key in keys:
            try:
                pins.append(KeyPin(key, factory, line, pull_up=settings.keys.pull_up))
            except Exception as error:  # lgpio's errors have no common base
                raise DeviceError("key_pin_refused", keys=key.name, pins=key.pin, reason=error) from error
        yield edge_thread_of(factory)
    finally:
        for pin in pins:
            pin.close()


@contextlib.contextmanager
def _opened_keypad(settings: Settings, buses: Buses, strokes: "SimpleQueue[_Stroke]") -> Iterator[None]:
    roles, reader = keypad_roles(settings.keypad), buses.keypad(settings.keypad.device)
    threading.Thread(target=_read_keypad, args=(reader, roles, strokes), name="keypad trial", daemon=True).start()
    try:
        yield
    finally:
        reader.close()


def _read_keypad(reader: KeyReader, roles: Mapping[str, KeyRole], strokes: "SimpleQueue[_Stroke]") -> None:
    try:
        while True:
            key, down = reader.read()
            use = role_name(roles[key]) if key in roles else "not used"
            text = f"keypad {key} {'pressed' if down else 'released'}: {use}"
            strokes.put(partial(_say, text))
    except OSError as error:
        strokes.put(partial(_say, f"the keypad was unplugged: {error.strerror or error}"))


def _say(text: str, _echo: KeyEcho) -> list[str]:
    return [text]


def _place(key: Key) -> str:
    return f"{_meaning(key.role)}, BCM {key.pin}, header pin {HEADER[key.pin]}"


def _meaning(role: KeyRole) -> str:
    match role:
        case AddKey(lane, points):
            return f"+{points} for lane {LANES[lane]}"
        case ShortLongKey(lane, points, long_points):
            return f"+{points}, held +{long_points}, for lane {LANES[lane]}"
    return str(role_name(role))
