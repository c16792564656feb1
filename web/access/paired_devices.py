"""Paired devices: what is stored of each, what it may do, and how a browser is called in the list of them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Literal, TypeAlias

from pegboard.errors import PegboardError

Role: TypeAlias = Literal["scorer", "director"]
Anybody: TypeAlias = Literal["viewer"] | Role

MOST_DEVICES = 500
"""Paired devices that are stored; beyond that a scorer that has long been silent makes room, and no director ever."""

SILENT_S = 3600.0
"""Seconds without a request after which a scorer makes room for another device, and at once for a director."""

MOST_AGENT = 300
"""Letters of a User-Agent that are looked at."""

SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
BROWSERS = ("Firefox", "FxiOS", "Edg", "OPR", "SamsungBrowser", "CriOS", "Chrome", "Safari")
SHOWN = {"Macintosh": "Mac", "CrOS": "ChromeOS", "FxiOS": "Firefox", "Edg": "Edge", "OPR": "Opera", "CriOS": "Chrome"}
"""Words of a User-Agent, those first that stand beside others which they borrow, and what people call them."""


class TooManyPaired(PegboardError):
    """No further device can be paired."""

    code = "too_many_paired"


@dataclass(frozen=True, slots=True)
class PairedDevice:
    """A paired device.

    Attributes:
        id: its name in the list and for rate limits; no secret.
        session: the word in its cookie; another one unpairs it.
        role: what it may do.
        label: its system and browser, such as "Android, Firefox"; "" where it has told neither.
        since: when it was paired, in seconds of the table's time.
    """

    id: str
    session: str
    role: Role
    label: str
    since: float


@dataclass(frozen=True, slots=True)
class Session:
    """What a device may do.

    Attributes:
        role: "viewer", "scorer" or "director".
        device: the id of the paired device, "" for one that is not paired.
        until: when the session ends, in seconds of the table's time; None where it does not.
    """

    role: Anybody
    device: str = ""
    until: float | None = None


VIEWER = Session("viewer")


def label_of(agent: str) -> str:
    """System and browser of a User-Agent, no more of it: "iPhone, Safari"; its first word for a program."""
    agent = agent[:MOST_AGENT]
    found = [next((SHOWN.get(word, word) for word in words if word in agent), "") for words in (SYSTEMS, BROWSERS)]
    if any(found):
        return ", ".join(filter(None, found))
    program = re.match(r"[A-Za-z][A-Za-z0-9-]{0,23}", agent)
    return program[0] if program else ""


def with_device(
    devices: tuple[PairedDevice, ...],
    device: PairedDevice,
    ended: float,
    last_use: Callable[[PairedDevice], float] = attrgetter("since"),
) -> tuple[PairedDevice, ...]:
    """The devices with one more, in place of what it was before, and without those paired at `ended` or earlier.

    Where there are too many, the scorer that has been silent for longest makes room; `last_use` tells when it last
    sent something.

    Raises:
        TooManyPaired: none may make room.
    """
    others = [one for one in devices if one.id != device.id and one.since > ended]
    silent_since = device.since if device.role == "director" else device.since - SILENT_S
    gone = sorted((one for one in others if one.role == "scorer" and last_use(one) <= silent_since), key=last_use)
    beyond = max(0, len(others) - (MOST_DEVICES - 1))
    if len(gone) < beyond:
        raise TooManyPaired("too_many_paired", most=MOST_DEVICES)
    return (*(one for one in others if one not in gone[:beyond]), device)
