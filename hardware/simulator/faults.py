"""What can go wrong with a device on the bench, by name: how to see whether it does, and how to have it so."""

from collections.abc import Callable
from typing import NamedTuple

from hardware.simulator.plug import Plug

WRONG_CLOCK = 1.25
"""A quarter too fast: what a Pi does whose core clock is not fixed."""


class FaultSwitch(NamedTuple):
    """One way to fail."""

    is_on: Callable[[Plug], bool]
    turn: Callable[[Plug, bool], None]


def _fail_next(plug: Plug, on: bool) -> None:
    plug.fails_in = int(on)


def _take_no_notice(plug: Plug, on: bool) -> None:
    plug.nacks = on


def _hang(plug: Plug, on: bool) -> None:
    if on:
        plug.free.clear()
    else:
        plug.free.set()


def _stick(plug: Plug, on: bool) -> None:
    plug.bus.stuck = on


def _hurry(plug: Plug, on: bool) -> None:
    plug.clock = WRONG_CLOCK if on else 1.0


FAULT_SWITCHES = {
    "fail next write": FaultSwitch(lambda plug: plug.fails_in > 0, _fail_next),
    "hang": FaultSwitch(lambda plug: not plug.free.is_set(), _hang),
    "no answer": FaultSwitch(lambda plug: plug.nacks, _take_no_notice),
    "bus stuck": FaultSwitch(lambda plug: plug.bus.stuck, _stick),
    "wrong clock": FaultSwitch(lambda plug: plug.clock != 1, _hurry),
}

OF_A_BUS = {
    "I2C": ("fail next write", "hang", "no answer", "bus stuck"),
    "SPI": ("fail next write", "hang", "wrong clock"),
    "USB": (),
}
"""On SPI nobody answers, and no device can hold the bus; on I2C the clock hardly matters."""


def faults_of(plug: Plug) -> tuple[str, ...]:
    """What can go wrong with that device."""
    return OF_A_BUS[plug.bus.name[:3]]
