"""LED strip layouts (lanes, zigzag, serpentine, classic): the LED at each hole, as a walk along the strip."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from pegboard.core.board_shape import CLASSIC, LAP, is_mirrored
from pegboard.core.rules import STREET, Hole
from pegboard.errors import DeviceError

Led: TypeAlias = int
"""An LED's number along the strip, from 0."""

HOLES = 121
"""Number of holes of a lane on the strip, from the first to the game hole, except on a classic board."""

CLASSIC_HOLES = LAP + 1
"""The same on a classic board: down the outside, up the inside, and the game hole."""

REAR_START, FRONT_START = -1, 0
"""The two start holes, as hole numbers: the rear peg waits in one until its first move, the front peg in the other."""

STREETS = (HOLES - 1) // STREET


class Spot(NamedTuple):
    """A hole of a lane."""

    lane: int
    hole: Hole


@dataclass(frozen=True, slots=True)
class LedLayout:
    """Maps holes to LEDs.

    Attributes:
        lanes: for each lane, the LED of hole 1, of hole 2 ... and of the lane's game hole.
        start: for each lane, the LEDs of the rear and the front start hole; empty if the strip has no start holes.
        leds: the number of LEDs.
        is_loop: whether every game goes around the same holes into the same game hole, as on a classic board.
        fives: whether every fifth hole is marked.
        games_won: for each lane, the LEDs that count its games won, in order; empty if the strip has none.
    """

    lanes: tuple[tuple[Led, ...], ...]
    start: tuple[tuple[Led, Led], ...]
    leds: int
    is_loop: bool = False
    fives: bool = False
    games_won: tuple[tuple[Led, ...], ...] = ()

    @property
    def lap_holes(self) -> int:
        """The number of holes that a longer game goes around, without the game hole."""
        return len(self.lanes[0]) - 1


def _lane_by_lane(lanes: int) -> Iterator[Spot]:
    """Each lane from start to game hole, then back along a wire to the next lane's start."""
    for lane in range(lanes):
        yield from _holes(lane, REAR_START, HOLES)


def _zigzag(lanes: int) -> Iterator[Spot]:
    """Lane after lane, back and forth: the strip turns at the end of each lane."""
    for lane in range(lanes):
        yield from _reverse_odd(_holes(lane, REAR_START, HOLES), lane)


def _serpentine(lanes: int) -> Iterator[Spot]:
    """The streets as they lie on the table: row by row, back and forth, then up along the game holes."""
    for row in range(STREETS * lanes):
        street, lane = divmod(row, lanes)
        first = REAR_START if street == 0 else street * STREET + 1
        yield from _reverse_odd(_holes(lane, first, (street + 1) * STREET), row - street)  # odd streets run backward
    yield from (Spot(lane, HOLES) for lane in reversed(range(lanes)))


def _classic(lanes: int) -> Iterator[Spot]:
    """Row by row from the top, back and forth: a lane with its outer row on top is walked from its start."""
    for lane in range(lanes):
        yield from _reverse_odd(_holes(lane, REAR_START, CLASSIC_HOLES), int(is_mirrored(lane, lanes)))


def _holes(lane: int, first: Hole, last: Hole) -> list[Spot]:
    return [Spot(lane, hole) for hole in range(first, last + 1)]


def _reverse_odd(spots: list[Spot], turns: int) -> list[Spot]:
    return spots if turns % 2 == 0 else spots[::-1]


LAYOUTS: dict[str, Callable[[int], Iterable[Spot]]] = {
    "lanes": _lane_by_lane,
    "zigzag": _zigzag,
    "serpentine": _serpentine,
    CLASSIC: _classic,
}
"""The layouts by their names in the settings, each with start holes and a game hole for every lane."""


@lru_cache(maxsize=8)
def layout(
    name: str,
    lanes: int,
    *,
    start_holes: bool = False,
    shared_game_hole: bool = False,
    fives: bool = False,
    games_won: tuple[tuple[Led, ...], ...] = (),
) -> LedLayout:
    """The layout `name` for this many lanes; a shared game hole is the first lane's.

    Args:
        name: one of `LAYOUTS`.
        lanes: the number of lanes along the strip.
        start_holes: whether each lane has LEDs for its two start holes.
        shared_game_hole: whether all lanes share one LED for the game hole.
        fives: whether every fifth hole is marked.
        games_won: for each lane, the LEDs after those of the track that count its games won.

    Raises:
        DeviceError: no layout has that name.
    """
    if name not in LAYOUTS:
        raise DeviceError("device_strip_layout", "strip.layout", layout=repr(name), known=", ".join(LAYOUTS))
    is_loop = name == CLASSIC
    last = CLASSIC_HOLES if is_loop else HOLES
    walk = [spot for spot in LAYOUTS[name](lanes) if start_holes or spot.hole > FRONT_START]
    if shared_game_hole:
        walk = [spot for spot in walk if spot.hole < last or spot.lane == 0]
    led = {spot: number for number, spot in enumerate(walk)}
    if shared_game_hole:
        led |= {Spot(lane, last): led[Spot(0, last)] for lane in range(lanes)}
    rows = (tuple(led[Spot(lane, hole)] for hole in range(1, last + 1)) for lane in range(lanes))
    starts = ((led[Spot(lane, REAR_START)], led[Spot(lane, FRONT_START)]) for lane in range(lanes) if start_holes)
    leds = max([len(walk), *(number + 1 for row in games_won for number in row)])
    return LedLayout(tuple(rows), tuple(starts), leds, is_loop, fives, games_won)
