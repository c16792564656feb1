"""Regeneration of `constraints.txt` with uv, and audit: known vulnerabilities of the pinned versions.

To pin another version, first change its number in the file. uv reads the dependencies from the package index, for every
Python, and adds the hashes of all files of a version.
"""

import json
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any

from packaging.markers import Marker

from pegboard.install.building.source import ROOT, BuildError, run_program
from pegboard.install.constraints import CONSTRAINTS, SECTION, SECTIONS, Pin, normal, pins, read_pins

# --- audit: known vulnerabilities of pinned versions, from the package index ---


ACCEPTED_VULNERABILITIES: Mapping[str, str] = {}
"""Vulnerabilities that do not affect pegboard, by id, each with the reason."""


def known_vulnerabilities(report_of: Callable[[str, str], dict[str, Any]]) -> list[str]:
    """A sentence for each vulnerability of the pins that is not accepted. `report_of` takes name and version.

    Raises:
        BuildError: the lookup of a package failed, so the list would be incomplete.
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


INDEX = "https://pypi.org"

TIMEOUT_S = 20.0
"""Timeout of a request in seconds."""


def version_report(index: str, name: str, version: str) -> dict[str, Any]:
    """The index's report of a version: `info`, and its known `vulnerabilities`.

    Raises:
        BuildError: the index cannot be reached, or does not list vulnerabilities.
    """
    url = f"{index}/pypi/{name}/{version}/json"
    try:
        with urllib.request.urlopen(url, timeout=TIMEOUT_S) as answer:  # noqa: S310 - the developer names the index
            report = json.load(answer)
    except urllib.error.HTTPError as error:
        raise BuildError(f"{url} answers {error.code} {error.reason}".rstrip()) from error
    except (OSError, ValueError) as error:
        raise BuildError(f"{url} cannot be read: {getattr(error, 'reason', error)}") from error
    if not isinstance(report, dict):
        raise BuildError(f"{url} gave an unexpected answer")
    if not isinstance(report.get("vulnerabilities"), list):
        raise BuildError(f"{index} does not list known faults of {name} {version}")
    return report


# --- pins ---


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

REQUIREMENTS = {
    "run": ("pyproject.toml", "--group=setup", "--extra=mqtt", "--no-build"),
    "build": ("pyproject.toml", "--group=setup", "--extra=mqtt", "--extra=build", "--no-build"),
    "dev": ("pyproject.toml", "--group=setup", "--extra=dev", "--no-build"),
    "elsewhere": ("--group=elsewhere", "--no-deps"),
}
"""What uv resolves for each section; a package is listed in the first section that needs it."""


def renew_pins(index: str) -> str:
    """Regenerate `constraints.txt`; return a summary. A package without a pin gets the newest version that fits.

    Raises:
        BuildError: the pinned versions do not fit together, the index lacks or has withdrawn a version, or is
            unreachable.
    """
    spelled = {normal(pin.name): pin.name for pin in pins()}
    found: dict[str, Pin] = {}
    for section in reversed(SECTIONS):
        for pin in _resolve(index, section):
            found[pin.name] = found.get(pin.name, pin)._replace(section=section)
    renewed = [pin._replace(name=spelled.get(name, name)) for name, pin in sorted(found.items())]
    CONSTRAINTS.write_text(TITLE + "".join(_section(name, renewed) for name in SECTIONS), "utf-8")
    return f"{CONSTRAINTS.name}: {len(renewed)} packages, {sum(len(pin.hashes) for pin in renewed)} hashes"


def _resolve(index: str, section: str) -> list[Pin]:
    """The packages that a section and the sections before it need on Linux, by their normalized names."""
    every_machine = ("--universal", f"--python-version={PYTHONS[0]}", "--fork-strategy=fewest")
    form = ("--generate-hashes", "--no-header", "--no-annotate")
    versions = (f"--default-index={index}/simple", f"--constraints={CONSTRAINTS}")
    uv = (sys.executable, "-m", "uv", "pip", "compile", f"--directory={ROOT}", "--no-python-downloads")
    ran = run_program(*uv, *every_machine, *form, *versions, *REQUIREMENTS[section])
    if ran.returncode or "is yanked" in ran.stderr:  # uv only warns of a withdrawn version
        raise BuildError(ran.stderr.strip())
    return [pin._replace(marker=_marker(pythons)) for pin in read_pins(ran.stdout) if (pythons := _pythons_of(pin))]


def _pythons_of(pin: Pin) -> list[str]:
    """The Pythons for which the pin's marker holds on this machine, which runs Linux."""
    each = ({"python_version": python, "python_full_version": f"{python}.0"} for python in PYTHONS)
    return [one["python_version"] for one in each if not pin.marker or Marker(pin.marker).evaluate(one)]


def _marker(pythons: list[str]) -> str:
    return "" if len(pythons) == len(PYTHONS) else " or ".join(f'python_version == "{one}"' for one in pythons)


def _section(name: str, renewed: list[Pin]) -> str:
    lines = [" \\\n    ".join((pin.line, *pin.hash_options)) for pin in renewed if pin.section == name]
    return "\n".join((f"\n{SECTION}{name}: {HEADINGS[name]}", *lines, ""))
