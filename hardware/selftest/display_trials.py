"""The trials of strip and panel: LED after LED with its hole, and a test picture; both are dark at the end."""

import contextlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterator

import luma.core.error

from hardware.interfaces import Buses
from hardware.oled.display import Oled
from hardware.pin_assignment import LANES
from hardware.strip.display import FEWEST_LANES, MOST_LANES, Strip
from hardware.strip.layouts import HOLES, Led, LedLayout
from hardware.strip.strip_picture import DARK, Rgb
from pegboard.config import Settings
from pegboard.errors import DeviceError

LED_S = 0.15
"""How long each LED shines alone: slow enough to read its hole, and a minute for three lanes."""

WHITE: Rgb = (255, 255, 255)

FOREVER_S = 3600.0


def light_leds(
    settings: Settings, buses: Buses, tell: Callable[[str], None], pause: Callable[[float], object] = time.sleep
) -> None:
    """Light LED after LED, within the current limit, and tell which hole it lies at.

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
            with _as_trouble():
                strip.show_colours([WHITE if other == led else DARK for other in range(places.leds)])
            tell(f"LED {led + 1} of {places.leds}: {names[led]}")
            pause(LED_S)
    finally:
        _put_out(strip)


def _places(strip: Strip) -> LedLayout:
    """Every hole that the strip may have. Streets of two lanes, the usual game's, lie elsewhere than those of three."""
    most, usual = strip.layout_for(MOST_LANES), strip.layout_for(FEWEST_LANES)
    return most if most.lanes[:FEWEST_LANES] == usual.lanes else usual


def _names(places: LedLayout) -> Iterator[tuple[Led, str]]:
    """Each LED with the holes that it lies at."""
    holes: dict[Led, list[str]] = defaultdict(list)
    for lane, (rear, front) in enumerate(places.start):
        holes[rear].append(f"lane {LANES[lane]}, start hole of the rear peg")
        holes[front].append(f"lane {LANES[lane]}, start hole of the front peg")
    for lane, leds in enumerate(places.lanes):
        for hole, led in enumerate(leds, 1):
            holes[led].append(f"lane {LANES[lane]}, {'game hole' if hole == HOLES else f'hole {hole}'}")
    return ((led, " and ".join(names)) for led, names in holes.items())


def show_test_picture(
    settings: Settings, buses: Buses, tell: Callable[[str], None], pause: Callable[[float], object] = time.sleep
) -> None:
    """Show the test picture until a KeyboardInterrupt, and say what is to be seen.

    Raises:
        DeviceError: the panel is not enabled, its bus cannot be opened, or nobody answers at its address.
    """
    if not settings.oled.enabled:
        raise DeviceError("selftest_not_enabled", section="oled")
    oled = Oled(settings, buses)
    try:
        with _as_trouble():
            oled.show_test_picture()
        tell(f"{oled.about} shows a frame along all four edges, a number in each corner (1 at the top left), and TOP.")
        tell('Upside down: oled.rotate = 2. Shifted by two columns, or noise at an edge: oled.chip = "sh1106".')
        tell('Every other row, or half the picture: oled.size = "128x32". Ctrl-C stops.')
        while True:
            pause(FOREVER_S)
    finally:
        _put_out(oled)


@contextlib.contextmanager
def _as_trouble() -> Iterator[None]:
    """What a bus raises as a sentence."""
    try:
        yield
    except (OSError, luma.core.error.Error) as error:
        raise DeviceError("device_no_answer", error=getattr(error, "strerror", None) or error) from error


def _put_out(display: Strip | Oled) -> None:
    with contextlib.suppress(DeviceError, OSError, luma.core.error.Error):  # it has been told already
        display.darken()
    with contextlib.suppress(OSError):
        display.close()
