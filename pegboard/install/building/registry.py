"""What the package index says of a version: its files with their hashes, and its known faults."""

import json
import urllib.error
import urllib.request
from typing import Any

from packaging.utils import InvalidSdistFilename, InvalidWheelFilename, parse_sdist_filename, parse_wheel_filename
from packaging.version import InvalidVersion, Version

from pegboard.install.building.source import BuildError
from pegboard.install.constraints import normal

INDEX = "https://pypi.org"

TIMEOUT_S = 20.0
"""Seconds that an answer may take."""

FILES = "application/vnd.pypi.simple.v1+json"
"""The form of a list of files (PEP 691)."""


def file_hashes(index: str, name: str, version: str) -> list[str]:
    """The SHA-256 of every file of a version that was not withdrawn, in order, each as 64 digits.

    Raises:
        BuildError: the index cannot be reached, or has no such version.
    """
    page = _read(f"{index}/simple/{normal(name)}/", FILES)
    files = [one for one in page["files"] if not one.get("yanked") and _is_of(one["filename"], version)]
    if not files:
        raise BuildError(f"{index} has no file of {name} {version}; name another version of it in constraints.txt")
    return sorted({str(one["hashes"]["sha256"]) for one in files})


def version_report(index: str, name: str, version: str) -> dict[str, Any]:
    """What the index says of a version: `info`, and its known `vulnerabilities`.

    Raises:
        BuildError: the index cannot be reached, or says nothing of it.
    """
    report = _read(f"{index}/pypi/{name}/{version}/json", "application/json")
    if not isinstance(report.get("vulnerabilities"), list):
        raise BuildError(f"{index} does not list known faults of {name} {version}")
    return report


def _is_of(file: str, version: str) -> bool:
    """Whether a wheel or a source archive is of that version."""
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
