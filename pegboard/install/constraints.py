"""Reader of `constraints.txt`: pinned versions of dependencies, each with the hashes of all its files.

The file has sections by use: the program, then building packages, development and tests, and packages that are only
installed elsewhere. `make pins` regenerates it.
"""

import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import NamedTuple

CONSTRAINTS = Path(__file__).parent.parent.parent / "constraints.txt"

SECTIONS = ("run", "build", "dev", "elsewhere")
"""The sections in the file's order; each extra of the setup includes its own section and all sections before it."""

SECTION = "## "
"""Prefix of a section heading."""

HASH_OPTION = "--hash=sha256:"
"""Prefix of a hash."""


class Pin(NamedTuple):
    """A package pinned to one version.

    Attributes:
        name: the package's name, as the package index spells it.
        version: the only accepted version.
        hashes: the SHA-256 of each file of the version, as 64 digits.
        section: the section of the file, one of `SECTIONS`.
        marker: the environment marker for the Pythons that need the package; "" for all.
    """

    name: str
    version: str
    hashes: tuple[str, ...]
    section: str
    marker: str = ""

    @property
    def line(self) -> str:
        """The pin as a line of a requirements or constraints file."""
        return f"{self.name}=={self.version}" + (f" ; {self.marker}" if self.marker else "")

    @property
    def hash_options(self) -> list[str]:
        """The hashes as pip options, to follow the line."""
        return [f"{HASH_OPTION}{each}" for each in self.hashes]


def pins() -> list[Pin]:
    """Every pin, in the file's order."""
    return read_pins(CONSTRAINTS.read_text("utf-8"))


def read_pins(text: str) -> list[Pin]:
    """The pins in a text in the file's format."""
    found, section = [], SECTIONS[0]
    for line in text.replace("\\\n", "").splitlines():
        if line.startswith(SECTION):
            section = line.removeprefix(SECTION).split()[0].rstrip(":")
        elif line and not line.startswith("#"):
            requirement, *hashes = line.split(HASH_OPTION)
            name, _, rest = requirement.partition("==")
            version, _, marker = (part.strip() for part in rest.partition(";"))
            found.append(Pin(name, version, tuple(map(str.strip, hashes)), section, marker))
    return found


def names_for(extra: str) -> list[str]:
    """The names of the packages that setup installs with an extra, or without one ("")."""
    sections = SECTIONS[: SECTIONS.index(extra or "run") + 1]
    return [pin.name for pin in pins() if pin.section in sections]


def plain_constraints(without: Collection[str] = ()) -> str:
    """The pins as lines without hashes, since pip accepts no hash for a folder, such as this checkout.

    `without` are the normalized names of packages to leave out.
    """
    return "".join(f"{pin.line}\n" for pin in pins() if normal(pin.name) not in without)


def hashed_requirements(names: Iterable[str], without: Collection[str] = ()) -> str:
    """Requirements with hashes for some packages, for `pip install --require-hashes`.

    `without` are the normalized names of packages to leave out.

    Raises:
        KeyError: a package is not pinned, or has no hashes.
    """
    hashed = {normal(pin.name): f"{pin.line} {' '.join(pin.hash_options)}\n" for pin in pins() if pin.hashes}
    return "".join(hashed[normal(name)] for name in names if normal(name) not in without)


def normal(name: str) -> str:
    """The normalized name of a package (PEP 503), the same for all spellings."""
    return re.sub(r"[-_.]+", "-", name).lower()
