"""LED strip display: sends the colors of a view over SPI, within the current limit, dimmed during night hours."""

import re
import time
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeAlias

from hardware.board_setting import chosen_layout
from hardware.buses.spi_limits import CMDLINE, SPI_TRANSFER, bufsiz_for
from hardware.interfaces import Buses, SpiBus
from hardware.pin_assignment import LANES, check_strip
from hardware.strip.chips import (
    ClockedEncoding,
    LedChip,
    Milliamps,
    arrange_channels,
    check_budget,
    current,
    led_chip,
    light,
    limit_current,
)
from hardware.strip.layouts import Led, LedLayout, layout
from hardware.strip.strip_picture import (
    DARK,
    FRAME_S,
    Celebration,
    Rgb,
    celebration_colors,
    colors,
    due_s,
    flash_colors,
    flashes,
)
from pegboard.config import Settings, StripSettings
from pegboard.core.view import View
from pegboard.errors import DeviceError
from pegboard.messages import Message

# --- night hours, when the strip is dimmed, by the wall clock; a night may span midnight ---


Minutes: TypeAlias = int
"""Minutes since midnight."""


class NightHours(NamedTuple):
    """A night; equal start and end mean no night."""

    begins: Minutes
    ends: Minutes

    def covers(self, now: Minutes) -> bool:
        """Whether a time of day is in the night."""
        if self.begins <= self.ends:
            return self.begins <= now < self.ends
        return now >= self.begins or now < self.ends


def night(begins: str, ends: str) -> NightHours:
    """The night between two times of day such as "22:00"; never if `begins` is empty.

    Raises:
        DeviceError: `begins` or `ends` is not a time of day.
    """
    return NightHours(_minutes("night_from", begins), _minutes("night_until", ends)) if begins else NightHours(0, 0)


def _minutes(setting: str, time: str) -> Minutes:
    parts = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", time, re.ASCII)
    if parts is None:
        raise DeviceError("device_strip_time", f"strip.{setting}", setting=setting, value=repr(time))
    return 60 * int(parts[1]) + int(parts[2])


FEWEST_LANES, MOST_LANES = 2, 3

REFRESH_S = 5.0
"""Seconds after which the whole view is sent again, to repair what interference has corrupted."""


class Strip:
    """An LED strip of any known chip. After a win it is animated for two minutes; a new view is shown at once."""

    name = "LED strip"
    acknowledges = False

    def __init__(
        self,
        settings: Settings,
        buses: Buses,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], time.struct_time] = time.localtime,
    ) -> None:
        own = self._own = settings.strip
        self._chip = led_chip(own.chip)
        _check_brightness(own)
        self._night = night(own.night_from, own.night_until)
        self._layout_name = chosen_layout(own.layout, settings, "serpentine")
        self._games_won: tuple[tuple[Led, ...], ...] = ()
        self._games_won = _games_won(own, self.layout_for(MOST_LANES).leds)
        self._leds = self.layout_for(MOST_LANES).leds
        _check_frame_size(own, self._chip, self._leds, self.layout_for(FEWEST_LANES).leds)
        check_budget(own.budget_ma, self._leds, self._chip.draw)
        check_strip(settings)
        self._buses = buses
        self._clock = clock
        self._wall = wall
        self._bus: SpiBus | None = None
        self._celebration = Celebration()
        self.refresh_s: float | None = REFRESH_S

    @property
    def about(self) -> str:
        """The strip's chip, its bus unless that is SPI0, and the number of LEDs of every frame."""
        if self._own.spi_bus == 0:
            return Message("device_leds", what=self._chip.label, number=self._leds)
        return f"{self._chip.label} on SPI{self._own.spi_bus}, {self._leds} LEDs"

    @property
    def hz(self) -> int:
        """The clock of the strip's SPI bus."""
        return self._chip.encoding.hz

    @property
    def frame_bytes(self) -> int:
        """The number of bytes of every transfer."""
        return len(self._chip.encoding.encode(bytes(self._leds * self._chip.draw.channels)))

    def layout_for(self, lanes: int) -> LedLayout:
        """The layout of LEDs at holes, in a game with this many lanes; of four lanes it has three."""
        own = self._own
        return layout(
            self._layout_name,
            own.lanes or min(max(lanes, FEWEST_LANES), MOST_LANES),
            start_holes=own.start_holes,
            shared_game_hole=own.shared_game_hole,
            fives=own.fives,
            games_won=self._games_won,
        )

    def current(self, shown: Iterable[Rgb]) -> Milliamps:
        """The current of the strip while its LEDs show these red, green and blue light values from 0 to 255."""
        return current(arrange_channels(b"".join(map(bytes, shown)), self._chip.order), self._chip.draw)

    def show(self, view: View) -> None:
        """Show the view.

        Raises:
            DeviceError: the bus cannot be opened.
            OSError: the bus failed.
        """
        places = self.layout_for(len(view.game.lanes))
        begun_s = self._clock()
        seconds = self._celebration.seconds(view, begun_s)
        shown = colors(view, places) if seconds is None else celebration_colors(view, places, seconds)
        refresh_s = REFRESH_S if seconds is None else FRAME_S
        if view.event is not None and flashes(view.event):
            shown = flash_colors(shown, view.event, begun_s)
            refresh_s = min(refresh_s, due_s(begun_s))
        self._send(shown, self._brightness(view.brightness.strip))
        self.refresh_s = REFRESH_S if refresh_s == REFRESH_S else max(0.0, begun_s + refresh_s - self._clock())

    def darken(self) -> None:
        """Turn every LED off.

        Raises:
            DeviceError: the bus cannot be opened.
            OSError: the bus failed.
        """
        self.show_colors([])

    def show_colors(self, colors: list[Rgb]) -> None:
        """Light the first LEDs in these colors, within the current limit, and turn off the others.

        Raises:
            DeviceError: the bus cannot be opened.
            OSError: the bus failed.
        """
        self._send(colors, self._own.brightness)

    def close(self) -> None:
        """Close the bus; the strip keeps its last colors."""
        if self._bus is not None:
            self._bus.close()
            self._bus = None

    def _send(self, shown: list[Rgb], brightness: float) -> None:
        beyond = [DARK] * (self._leds - len(shown))  # else LEDs lit by a game with more lanes would stay on
        values = arrange_channels(b"".join([light(color, brightness) for color in shown + beyond]), self._chip.order)
        if self._bus is None:
            self._bus = self._buses.spi(self._own.spi_bus, self.hz)
        self._bus.write(self._chip.encoding.encode(limit_current(values, self._chip.draw, self._own.budget_ma)))

    def _brightness(self, chosen: float | None) -> float:
        """The brightness chosen at the table, else the one in the settings; at night at most the night brightness."""
        now = self._wall()
        if not self._night.covers(60 * now.tm_hour + now.tm_min):
            return self._own.brightness if chosen is None else chosen
        return self._own.night_brightness if chosen is None else min(chosen, self._own.night_brightness)


def _games_won(own: StripSettings, track: int) -> tuple[tuple[Led, ...], ...]:
    """Each lane's LEDs for games won, after the `track` LEDs of the track."""
    listed: dict[int, str] = {}
    for letter, leds in own.games_won.items():
        setting = f"strip.games_won.{letter}"
        if letter not in LANES:
            raise DeviceError("device_strip_lane", setting, lane=letter, known=", ".join(LANES))
        for led in leds:
            if led <= track:
                raise DeviceError("device_strip_games_hole", setting, led=led, first=track + 1)
            if led in listed:
                raise DeviceError("device_strip_games_twice", setting, led=led, lane=letter, other=listed[led])
            listed[led] = letter
    return tuple(tuple(led - 1 for led in own.games_won.get(letter, ())) for letter in LANES) if listed else ()


def _check_brightness(own: StripSettings) -> None:
    for name, value in (("brightness", own.brightness), ("night_brightness", own.night_brightness)):
        if not 0 < value <= 1:
            raise DeviceError("device_strip_share", f"strip.{name}", setting=name, value=f"{value:g}")


def _check_frame_size(own: StripSettings, chip: LedChip, leds: int, two_lanes: int) -> None:
    """Refuse a strip whose frame does not fit one transfer: after the gap, the LEDs would show half a frame."""
    encoding, channels = chip.encoding, chip.draw.channels
    if isinstance(encoding, ClockedEncoding) or leds * channels <= encoding.fits(own.transfer):
        return
    fit, needed = encoding.fits(own.transfer) // channels, encoding.size(leds * channels)
    whole = bufsiz_for(needed)
    remedy = Message("device_transfer_set", transfer=whole)
    if whole > SPI_TRANSFER:
        remedy = Message("device_transfer_kernel", bufsiz=whole, file=CMDLINE, transfer=whole)
    if not own.lanes and two_lanes <= fit:
        remedy = Message("device_transfer_lanes", remedy=remedy)
    raise DeviceError(
        "device_transfer",
        *("strip.transfer", "strip.chip", "strip.lanes"),
        leds=leds,
        needed=needed,
        transfer=own.transfer,
        fit=fit,
        chip=chip.label,
        remedy=remedy,
    )
