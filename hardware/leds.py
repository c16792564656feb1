"""Which LED lies at which hole: layouts as data, one row of LED numbers for each lane."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from hardware.track import STREET, runs_right
from pegboard.errors import DeviceError

Layout: TypeAlias = tuple[tuple[int, ...], ...]
"""For each lane, the LED of hole 1, of hole 2 ... and of the lane's own game hole."""

HOLES = 121
"""LEDs of a lane: every hole from the first to the game hole."""

STREETS = (HOLES - 1) // STREET


def _lane_by_lane(lanes: int) -> Layout:
    """Each lane from the first hole to the last, and back along a wire to the next lane's first."""
    return tuple(tuple(range(lane * HOLES, (lane + 1) * HOLES)) for lane in range(lanes))


def _zigzag(lanes: int) -> Layout:
    """The strip turns back at each lane's end."""
    return tuple(row if lane % 2 == 0 else row[::-1] for lane, row in enumerate(_lane_by_lane(lanes)))


def _serpentine(lanes: int) -> Layout:
    """As the streets lie on the table: row below row, to and fro, then up along the game holes."""
    return tuple((*_streets(lanes, lane), lanes * (HOLES - 1) + lanes - 1 - lane) for lane in range(lanes))


def _streets(lanes: int, lane: int) -> tuple[int, ...]:
    return tuple(led for street in range(STREETS) for led in _street(lanes, street, lane))


def _street(lanes: int, street: int, lane: int) -> tuple[int, ...]:
    row = street * lanes + lane
    leds = tuple(range(row * STREET, (row + 1) * STREET))
    return leds if runs_right(row) == runs_right(street) else leds[::-1]


LAYOUTS: dict[str, Callable[[int], Layout]] = {"lanes": _lane_by_lane, "zigzag": _zigzag, "serpentine": _serpentine}
"""The layouts by their names in the settings."""


@lru_cache(maxsize=8)
def layout(name: str, lanes: int) -> Layout:
    """The layout `name` for so many lanes.

    Raises:
        DeviceError: no layout has that name.
    """
    if name not in LAYOUTS:
        raise DeviceError(f"there is no strip layout {name!r}; these are known: {', '.join(LAYOUTS)}")
    return LAYOUTS[name](lanes)
