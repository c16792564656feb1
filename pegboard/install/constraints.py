"""The versions that pegboard is tested with, as `constraints.txt` has them: each with the hash of every file of it.

They stand in sections, by who needs them: the program, what builds packages besides, what develops and tests besides,
and what is installed elsewhere alone. `make pins` writes them.
"""

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

CONSTRAINTS = Path(__file__).parent.parent.parent / "constraints.txt"

SECTIONS = ("run", "build", "dev", "elsewhere")
"""In the file's order; each extra of the set-up takes its own and those before it."""

SECTION = "## "
"""What the heading of a section begins with."""

HASH_OPTION = "--hash=sha256:"
"""What stands before a hash."""


class Pin(NamedTuple):
    """A package in one version.

    Attributes:
        name: as its index spells it.
        version: the only one that is taken.
        hashes: the SHA-256 of each of its files, as 64 digits.
        section: who needs it.
        marker: for which Pythons, as requirements have it; "" for all.
    """

    name: str
    version: str
    hashes: tuple[str, ...]
    section: str
    marker: str = ""

    @property
    def line(self) -> str:
        """The version as requirements and constraints have it."""
        return f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")

    @property
    def hash_options(self) -> list[str]:
        """The hashes as pip takes them behind a line."""
        return [f"{HASH_OPTION}{each}" for each in self.hashes]


def pins() -> list[Pin]:
    """Every pin, in the file's order."""
    found, section = [], SECTIONS[0]
    for line in CONSTRAINTS.read_text("utf-8").replace("\\\n", "").splitlines():
        if line.startswith(SECTION):
            section = line.removeprefix(SECTION).split()[0].rstrip(":")
        elif line and not line.startswith("#"):
            requirement, *hashes = line.split(HASH_OPTION)
            name, _, rest = requirement.partition("==")
            version, _, marker = (part.strip() for part in rest.partition(";"))
            found.append(Pin(name, version, tuple(map(str.strip, hashes)), section, marker))
    return found


def names_for(extra: str) -> list[str]:
    """The names of the packages that a set-up with this extra, or none, consists of."""
    sections = SECTIONS[: SECTIONS.index(extra or "run") + 1]
    return [pin.name for pin in pins() if pin.section in sections]


def plain_constraints(without: Collection[str] = ()) -> str:
    """The lines without hashes, which pip takes for packages alone and not for a folder such as this one.

    `without` are the normal names of packages to leave out.
    """
    return "".join(f"{pin.line}\n" for pin in pins() if normal(pin.name) not in without)


def hashed_requirements(names: Iterable[str], without: Collection[str] = ()) -> str:
    """The lines of some packages with their hashes, as `pip install --require-hashes` takes them.

    `without` are the normal names of packages to leave out.

    Raises:
        KeyError: a package has no line, or none with hashes.
    """
    hashed = {normal(pin.name): f"{pin.line} {' '.join(pin.hash_options)}\n" for pin in pins() if pin.hashes}
    return "".join(hashed[normal(name)] for name in names if normal(name) not in without)


def normal(name: str) -> str:
    """The name of a package as all its spellings have it (PEP 503)."""
    return re.sub(r"[-_.]+", "-", name).lower()
