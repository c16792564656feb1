"""The faults that a device on the bench can be given, by name: whether each is on, and how it is turned on or off."""

from collections.abc import Callable
from typing import NamedTuple

from hardware.simulator.plug_and_bus import Plug

WRONG_CLOCK = 1.25
"""A bus that is a quarter too fast, as on a Pi whose core clock is not fixed."""


class FaultSwitch(NamedTuple):
    """A fault that can be turned on and off."""

    is_on: Callable[[Plug], bool]
    turn: Callable[[Plug, bool], None]


def _fail_next(plug: Plug, on: bool) -> None:
    plug.fails_in = int(on)


def _ignore_writes(plug: Plug, on: bool) -> None:
    plug.nacks = on


def _hang(plug: Plug, on: bool) -> None:
    if on:
        plug.free.clear()
    else:
        plug.free.set()


def _block_bus(plug: Plug, on: bool) -> None:
    plug.bus.stuck = on


def _hold_up(plug: Plug, on: bool) -> None:
    plug.held_up = on


def _speed_up(plug: Plug, on: bool) -> None:
    plug.clock = WRONG_CLOCK if on else 1.0


FAULT_SWITCHES = {
    "fail next write": FaultSwitch(lambda plug: plug.fails_in > 0, _fail_next),
    "hang": FaultSwitch(lambda plug: not plug.free.is_set(), _hang),
    "no answer": FaultSwitch(lambda plug: plug.nacks, _ignore_writes),
    "bus stuck": FaultSwitch(lambda plug: plug.bus.stuck, _block_bus),
    "held-up reader": FaultSwitch(lambda plug: plug.held_up, _hold_up),
    "wrong clock": FaultSwitch(lambda plug: plug.clock != 1, _speed_up),
}

FAULTS_OF_BUS = {
    "I2C": ("fail next write", "hang", "no answer", "bus stuck"),
    "SPI": ("fail next write", "hang", "wrong clock"),
    "GPI": ("held-up reader",),
    "USB": (),
}
"""On SPI nobody answers, and no device can hold the bus; on I2C the clock hardly matters."""


def faults_of(plug: Plug) -> tuple[str, ...]:
    """The names of the faults that a device can be given."""
    return FAULTS_OF_BUS[plug.bus.name[:3]]
