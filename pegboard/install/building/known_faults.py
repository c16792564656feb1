"""Looks up the known faults of every version that is pinned, in the package index's own list of them."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from pegboard.install.constraints import Pin, pins

ACCEPTED_FAULTS: Mapping[str, str] = {}
"""Faults that do not touch pegboard, by their id, each with the reason why not."""


class KnownFault(NamedTuple):
    """A fault of a pinned version; `mended_in` are the versions without it."""

    pin: Pin
    id: str
    summary: str
    mended_in: tuple[str, ...]

    def __str__(self) -> str:
        cure = f"fixed in {', '.join(self.mended_in)}" if self.mended_in else "not fixed in any version yet"
        return f"{self.pin.name} {self.pin.version}: {self.id}, {cure}. {self.summary}".rstrip(". ")


def known_faults(report_of: Callable[[str, str], dict[str, Any]]) -> list[KnownFault]:
    """The faults of all pins but those that are accepted. `report_of` takes name and version.

    Raises:
        BuildError: the faults of a package cannot be looked up, so nothing is known of any.
    """
    return [fault for pin in pins() for fault in _faults_of(pin, report_of(pin.name, pin.version))]


def _faults_of(pin: Pin, report: Mapping[str, Any]) -> list[KnownFault]:
    found = [
        KnownFault(
            pin, str(one["id"]), _line(one.get("summary") or one.get("details")), tuple(one.get("fixed_in") or ())
        )
        for one in report["vulnerabilities"]
        if not one.get("withdrawn") and one["id"] not in ACCEPTED_FAULTS
    ]
    info = report.get("info") or {}
    if info.get("yanked"):
        found.append(KnownFault(pin, "withdrawn by its authors", _line(info.get("yanked_reason")), ()))
    return found


def _line(text: object) -> str:
    """The first line of a text, not too long."""
    lines = str(text or "").strip().splitlines()
    return lines[0][:200] if lines else ""
