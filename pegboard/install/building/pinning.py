"""Writes `constraints.txt` anew: every package in its section, with the hashes of all files of its version.

To take another version, write its number into the file first. Which packages are needed is read from the metadata of
those that are installed, for every Python that pegboard runs on.
"""

from collections.abc import Callable
from importlib import metadata

from packaging.requirements import Requirement

from pegboard.install.building.source import BuildError
from pegboard.install.constraints import CONSTRAINTS, SECTION, SECTIONS, Pin, normal, pins

PYTHONS = ("3.11", "3.12", "3.13")

TITLE = """\
# Tested versions of every package, with the hash of each of their files; setup installs nothing else.
# To use another version, change its number here and run `make pins`, which rewrites the rest of this file.
"""

HEADINGS = {
    "run": "the program and its setup",
    "build": "building packages",
    "dev": "development and tests",
    "elsewhere": "the extras pi and keypad",
}

ROOTS = {"run": ("pegboard[mqtt]", "setuptools"), "build": ("pegboard[build]",), "dev": ("pegboard[dev]",)}
"""What the packages of a section are needed for."""


def renew_pins(hashes_of: Callable[[str, str], list[str]]) -> str:
    """Write the file; returns a sentence that says of how many packages. `hashes_of` takes name and version.

    Raises:
        BuildError: a package that is needed has no pin, or the hashes of one cannot be had.
    """
    needed = needed_pins()
    known = {normal(pin.name): pin for pin in pins()}
    if lacking := sorted(set(needed) - set(known)):
        raise BuildError(f"constraints.txt has no version of {', '.join(lacking)}; add NAME==VERSION to it")
    renewed = []
    for key, pin in sorted(known.items()):
        section, marker = needed.get(key, (SECTIONS[-1], ""))
        hashes = tuple(hashes_of(pin.name, pin.version))
        renewed.append(pin._replace(hashes=hashes, section=section, marker=marker))
    CONSTRAINTS.write_text(TITLE + "".join(_section(name, renewed) for name in SECTIONS), "utf-8")
    return f"{CONSTRAINTS.name}: {len(renewed)} packages, {sum(len(pin.hashes) for pin in renewed)} hashes"


def needed_pins() -> dict[str, tuple[str, str]]:
    """The section of each package that is needed, and the marker of its Pythons, by its normal name."""
    by_python = {python: _sections_on(python) for python in PYTHONS}
    found = {}
    for name in sorted(set().union(*by_python.values()) - {"pegboard"}):
        pythons = [python for python in PYTHONS if name in by_python[python]]
        section = min((by_python[python][name] for python in pythons), key=SECTIONS.index)
        marker = " or ".join(f'python_version == "{python}"' for python in pythons)
        found[name] = section, "" if len(pythons) == len(PYTHONS) else marker
    return found


def _sections_on(python: str) -> dict[str, str]:
    """The section of each package that is needed on one Python."""
    found: dict[str, str] = {}
    for section, roots in ROOTS.items():
        seen: set[tuple[str, str]] = set()
        waiting = [Requirement(root) for root in roots]
        while waiting:
            wanted = waiting.pop()
            name = normal(wanted.name)
            found.setdefault(name, section)
            for extra in {"", *wanted.extras}:
                if (name, extra) not in seen:
                    seen.add((name, extra))
                    waiting += _requirements(name, extra, python)
    return found


def _requirements(name: str, extra: str, python: str) -> list[Requirement]:
    """What a package needs on a Python, with one of its extras."""
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:  # another Python needs it
        return []
    here = {"extra": extra, "python_version": python, "python_full_version": f"{python}.0"}
    every = [Requirement(line) for line in lines]
    return [one for one in every if one.marker is None or one.marker.evaluate(here)]


def _section(name: str, renewed: list[Pin]) -> str:
    lines = [" \\\n    ".join((pin.line, *pin.hash_options)) for pin in renewed if pin.section == name]
    return "\n".join((f"\n{SECTION}{name}: {HEADINGS[name]}", *lines, ""))
