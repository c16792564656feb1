"""Regenerates `constraints.txt`: every package in its section, with the hashes of all files of its version.

To pin another version, first change its number in the file. Dependencies are read from the metadata of the installed
packages, for every Python that pegboard runs on.
"""

import json
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from importlib import metadata
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from pegboard.install.building.source import BuildError
from pegboard.install.constraints import CONSTRAINTS, SECTION, SECTIONS, Pin, normal, pins

# --- audit: known vulnerabilities of pinned versions, from the package index ---


ACCEPTED_VULNERABILITIES: Mapping[str, str] = {}
"""Vulnerabilities that do not affect pegboard, by id, each with the reason."""


def known_vulnerabilities(report_of: Callable[[str, str], dict[str, Any]]) -> list[str]:
    """A sentence for each vulnerability of the pins, except accepted ones. `report_of` takes name and version.

    Raises:
        BuildError: the lookup of a package failed, so no list is complete.
    """
    return [_sentence(pin, one) for pin in pins() for one in _vulnerabilities(report_of(pin.name, pin.version))]


def _vulnerabilities(report: Mapping[str, Any]) -> list[dict[str, Any]]:
    known = [one for one in report["vulnerabilities"] if not one.get("withdrawn")]
    info = report.get("info") or {}
    if info.get("yanked"):
        known.append({"id": "withdrawn by its authors", "summary": info.get("yanked_reason")})
    return [one for one in known if one["id"] not in ACCEPTED_VULNERABILITIES]


def _sentence(pin: Pin, found: Mapping[str, Any]) -> str:
    cure = f"fixed in {', '.join(found['fixed_in'])}" if found.get("fixed_in") else "not fixed in any version yet"
    lines = str(found.get("summary") or found.get("details") or "").strip().splitlines()
    return f"{pin.name} {pin.version}: {found['id']}, {cure}. {lines[0][:200] if lines else ''}".rstrip(". ")


# --- package index client: file hashes and vulnerability reports ---


INDEX = "https://pypi.org"


TIMEOUT_S = 20.0
"""Timeout of a request in seconds."""


FILES = "application/vnd.pypi.simple.v1+json"
"""Media type of a list of files (PEP 691)."""


def file_hashes(index: str, name: str, version: str) -> list[str]:
    """The sorted SHA-256 hashes of every file of a version, except yanked files, each as 64 digits.

    Raises:
        BuildError: the index cannot be reached, or has no such version.
    """
    page = _read(f"{index}/simple/{normal(name)}/", FILES)
    files = [one for one in page["files"] if not one.get("yanked") and _is_of(one["filename"], version)]
    if not files:
        raise BuildError(f"{index} has no file of {name} {version}; name another version of it in constraints.txt")
    return sorted({str(one["hashes"]["sha256"]) for one in files})


def version_report(index: str, name: str, version: str) -> dict[str, Any]:
    """The index's report of a version: `info`, and its known `vulnerabilities`.

    Raises:
        BuildError: the index cannot be reached, or does not list vulnerabilities.
    """
    report = _read(f"{index}/pypi/{name}/{version}/json", "application/json")
    if not isinstance(report.get("vulnerabilities"), list):
        raise BuildError(f"{index} does not list known faults of {name} {version}")
    return report


def _is_of(file: str, version: str) -> bool:
    """Whether a wheel or source archive has this version."""
    parse = parse_wheel_filename if file.endswith(".whl") else parse_sdist_filename
    try:
        return parse(file)[1] == Version(version)
    except (InvalidWheelFilename, InvalidSdistFilename, InvalidVersion):
        return False


def _read(url: str, form: str) -> dict[str, Any]:
    request = urllib.request.Request(url, headers={"Accept": form})  # noqa: S310 - the developer names the index
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310
            values = json.load(answer)
    except urllib.error.HTTPError as error:
        raise BuildError(f"{url} answers {error.code} {error.reason}".rstrip()) from error
    except (OSError, ValueError) as error:
        raise BuildError(f"{url} cannot be read: {getattr(error, 'reason', error)}") from error
    if not isinstance(values, dict):
        raise BuildError(f"{url} gave an unexpected answer")
    return values


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
"""The requirements whose dependencies make up each section."""


def renew_pins(hashes_of: Callable[[str, str], list[str]]) -> str:
    """Regenerate the file; return a summary sentence. `hashes_of` takes name and version.

    Raises:
        BuildError: a required package is not pinned, or its hashes cannot be fetched.
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
    """The section of each required package, and the marker of its Pythons, by normalized name."""
    by_python = {python: _sections_on(python) for python in PYTHONS}
    found = {}
    for name in sorted(set().union(*by_python.values()) - {"pegboard"}):
        pythons = [python for python in PYTHONS if name in by_python[python]]
        section = min((by_python[python][name] for python in pythons), key=SECTIONS.index)
        marker = " or ".join(f'python_version == "{python}"' for python in pythons)
        found[name] = section, "" if len(pythons) == len(PYTHONS) else marker
    return found


def _sections_on(python: str) -> dict[str, str]:
    """The section of each package required on one Python."""
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
    """The requirements of a package on one Python, with one of its extras."""
    try:
        lines = metadata.requires(name) or []
    except metadata.PackageNotFoundError:  # only another Python needs it
        return []
    here = {"extra": extra, "python_version": python, "python_full_version": f"{python}.0"}
    every = [Requirement(line) for line in lines]
    return [one for one in every if one.marker is None or one.marker.evaluate(here)]


def _section(name: str, renewed: list[Pin]) -> str:
    lines = [" \\\n    ".join((pin.line, *pin.hash_options)) for pin in renewed if pin.section == name]
    return "\n".join((f"\n{SECTION}{name}: {HEADINGS[name]}", *lines, ""))
