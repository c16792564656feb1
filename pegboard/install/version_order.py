"""Which of two versions is newer, as Python's packaging (PEP 440) and Debian's dpkg say, and which of two builds."""

import re
from typing import NamedTuple, TypeAlias

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

_COMMIT = re.compile(r"\+g[0-9a-f]{7,40}(?:\.dirty)?(?![0-9a-z])")
"""The commit of a build between releases; letters and digits of two commits say nothing about their order."""

_RELEASE = re.compile(r"\d+(?:\.\d+)*")
_PART = re.compile(r"(?P<tilde>~?)(?P<word>[a-z]*)[._-]?(?P<number>\d*)")


def version_order(version: str) -> VersionOrder:
    """By what versions are ordered: 1.5.0~rc1 comes before 1.5.0, which is 1.5 and comes before 1.5.0+1.

    A commit comes directly after its release, and all commits of one release are equal here. A name of a file with a
    version in it is ordered by that; what has no number comes first.
    """
    version, commits = _COMMIT.subn("", version)
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
    return tuple(release), (*parts, *[(AFTER, 0)] * commits, WHOLE)


class Build(NamedTuple):
    """A build of a version.

    Attributes:
        version: of pegboard; between releases with its commit, such as 0.2.0+g1a2b3c4.
        source_time: when its source was committed, in seconds since 1970.
    """

    version: str
    source_time: int

    @property
    def order(self) -> tuple[VersionOrder, int]:
        """By what builds are ordered: the release, then the time of the source."""
        return version_order(_COMMIT.sub("", self.version)), self.source_time


def is_newer(build: Build, than: Build) -> bool:
    """Whether a build is newer: of a later release, or of the same one, from a later commit.

    Two builds of a release itself, without a commit in their versions, are never newer than each other.
    """
    (release, time), (other, since) = build.order, than.order
    between = build.version != than.version and any(_COMMIT.search(one.version) for one in (build, than))
    return release > other or (release == other and between and time > since)
