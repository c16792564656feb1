"""Paired devices: stored record and role, session, label from the User-Agent, and which make room for others."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Literal, TypeAlias

from pegboard.errors import PegboardError
from pegboard.messages import escape_control
from pegboard.values import Takes

LONGEST_TEXT = 1000
"""Maximum characters of any text in the pairing file; the longest is the command that starts a table."""

MOST_SECONDS = 1e12
"""Upper bound of times, beyond any real clock."""

SafeText: TypeAlias = Annotated[str, Takes(most=LONGEST_TEXT, test=lambda text: escape_control(text) == text)]
"""A text without control characters, so it is safe to show in a terminal."""

Seconds: TypeAlias = Annotated[float, Takes(test=lambda time_s: abs(time_s) < MOST_SECONDS)]

Role: TypeAlias = Literal["scorer", "director"]
Anybody: TypeAlias = Literal["viewer"] | Role

MOST_DEVICES = 500
"""Maximum stored devices; beyond that, a scorer that was silent for long makes room, but a director never does."""

SILENT_S = 3600.0
"""Seconds without a request before a scorer makes room for another scorer; for a director, any scorer makes room."""

MOST_AGENT = 300
"""Characters of a User-Agent that are examined."""

SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
BROWSERS = ("Firefox", "FxiOS", "Edg", "OPR", "SamsungBrowser", "CriOS", "Chrome", "Safari")
SHOWN = {"Macintosh": "Mac", "CrOS": "ChromeOS", "FxiOS": "Firefox", "Edg": "Edge", "OPR": "Opera", "CriOS": "Chrome"}
"""Words of a User-Agent and their labels; the most specific come first, because browsers also name others."""


class TooManyPaired(PegboardError):
    """No more devices can be paired."""

    code = "too_many_paired"


@dataclass(frozen=True, slots=True)
class PairedDevice:
    """A paired device.

    Attributes:
        id: the device's id in the list and for rate limits; not secret.
        session: the session id in the device's cookie; a new one unpairs the device.
        role: the device's role.
        label: the device's system and browser, such as "Android, Firefox"; "" if it sent neither.
        since: when the device was paired, in seconds of the table's time.
    """

    id: SafeText
    session: SafeText
    role: Role
    label: SafeText
    since: Seconds


@dataclass(frozen=True, slots=True)
class Session:
    """The session of a device.

    Attributes:
        role: "viewer", "scorer" or "director".
        device: the id of the paired device, "" for an unpaired one.
        until: when the session ends, in seconds of the table's time; None if it never does.
    """

    role: Anybody
    device: str = ""
    until: float | None = None


VIEWER = Session("viewer")


def label_of(agent: str) -> str:
    """System and browser from a User-Agent, such as "iPhone, Safari"; for a program its first word."""
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
    """Add or replace a device, and drop devices paired at `ended` or earlier.

    If there are too many, the scorers silent the longest make room; `last_use` returns when a device last sent a
    request.

    Raises:
        TooManyPaired: no device may make room.
    """
    others = [one for one in devices if one.id != device.id and one.since > ended]
    silent_since = device.since if device.role == "director" else device.since - SILENT_S
    gone = sorted((one for one in others if one.role == "scorer" and last_use(one) <= silent_since), key=last_use)
    beyond = max(0, len(others) - (MOST_DEVICES - 1))
    if len(gone) < beyond:
        raise TooManyPaired("too_many_paired", most=MOST_DEVICES)
    return (*(one for one in others if one not in gone[:beyond]), device)
