"""Night hours, in which the strip is dimmed, by the clock on the wall; a night may last over midnight."""

import re
from typing import NamedTuple, TypeAlias

from pegboard.errors import DeviceError

Minutes: TypeAlias = int
"""Minutes since midnight."""


class NightHours(NamedTuple):
    """A night; one that ends when it begins never comes."""

    begins: Minutes
    ends: Minutes

    def covers(self, now: Minutes) -> bool:
        """Whether it is night."""
        if self.begins <= self.ends:
            return self.begins <= now < self.ends
        return now >= self.begins or now < self.ends


def night(begins: str, ends: str) -> NightHours:
    """The night from a time of day such as "22:00" until another; never, where it does not begin.

    Raises:
        DeviceError: one of them is no time of day.
    """
    return NightHours(_minutes("night_from", begins), _minutes("night_until", ends)) if begins else NightHours(0, 0)


def _minutes(setting: str, time: str) -> Minutes:
    parts = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)", time, re.ASCII)
    if parts is None:
        raise DeviceError("device_strip_time", f"strip.{setting}", setting=setting, value=repr(time))
    return 60 * int(parts[1]) + int(parts[2])
