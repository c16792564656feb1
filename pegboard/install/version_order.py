"""Which of two versions is the newer one, as Python's packaging (PEP 440) and Debian's dpkg have it."""

import re
from typing import TypeAlias

VersionOrder: TypeAlias = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
"""By what versions are ordered: the numbers of the release, then the stage and number of each part behind them."""

STAGES = {
    "dev": -5,
    "a": -4,
    "alpha": -4,
    "b": -3,
    "beta": -3,
    "c": -2,
    "rc": -2,
    "pre": -2,
    "preview": -2,
    "post": 2,
}
"""How far a part leads away from the version it is a part of: below 0 are those that come before it."""

BEFORE, WHOLE, AFTER = -1, (0, 0), 1
"""Stages of other parts, behind a tilde (deb-version(7)) or not, and what ends a version."""

_RELEASE = re.compile(r"\d+(?:\.\d+)*")
_PART = re.compile(r"(?P<tilde>~?)(?P<word>[a-z]*)[._-]?(?P<number>\d*)")


def version_order(version: str) -> VersionOrder:
    """By what versions are ordered: 1.5.0~rc1 comes before 1.5.0, which is 1.5 and comes before 1.5.0+1.

    A name of a file with a version in it is ordered by that; what has no number comes first.
    """
    found = _RELEASE.search(version)
    if found is None:
        return (), ()
    release = [int(part) for part in found[0].split(".")]
    while release and not release[-1]:
        release.pop()
    parts = [
        (STAGES.get(part["word"], BEFORE if part["tilde"] else AFTER), int(part["number"] or 0))
        for part in _PART.finditer(version.lower(), found.end())
        if part["number"] or part["word"] in STAGES
    ]
    return tuple(release), (*parts, WHOLE)
