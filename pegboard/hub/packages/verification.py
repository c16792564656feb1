"""Verify a package: its signature, who has signed it, and whether it re-derives; in one value and in sentences."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from pegboard.hub.packages.hub_key import fingerprint
from pegboard.hub.packages.night_package import SealedPackage, open_package
from pegboard.hub.packages.rederivation import Rederived, rederive
from pegboard.messages import Message

Json: TypeAlias = dict[str, Any]


@dataclass(frozen=True, slots=True)
class VerifiedPackage:
    """A package that is as it was signed.

    Attributes:
        sealed: what it holds, and who has signed it.
        signer: the name by which the signer is known; "" for one that is not known here.
        rederived: what it comes to, derived here, with the departures.
    """

    sealed: SealedPackage
    signer: str
    rederived: Rederived

    @property
    def fingerprint(self) -> str:
        """Of the signer's key."""
        return fingerprint(self.sealed.public)

    @property
    def is_known(self) -> bool:
        """Whether the signer is known here."""
        return bool(self.signer)

    @property
    def departures(self) -> tuple[Message, ...]:
        """What is not as the package says."""
        return self.rederived.departures


def verify_package(file: bytes, known: Mapping[bytes, str]) -> VerifiedPackage:
    """The package in a file; `known` are the names of hubs by their public keys.

    Raises:
        PackageRefused: it is no package, or altered.
    """
    sealed = open_package(file)
    return VerifiedPackage(sealed, known.get(sealed.public, ""), rederive(sealed.content))


def verified_lines(verified: VerifiedPackage) -> list[str]:
    """What there is to say of a package, line by line, in English."""
    content = verified.sealed.content
    signer = verified.signer if verified.is_known else "unknown hub"
    counts = ", ".join(f"{name} {_count(content, part)}" for name, part in COUNTED.items())
    return [
        f"{content.get('name')}, {content.get('date')}: {counts}",
        f"Signed by {verified.fingerprint} ({signer})",
        f"SHA-256 {verified.sealed.digest}",
        *(str(departure) for departure in verified.departures),
        _summary(verified),
    ]


COUNTED = {"players": "roster", "games": "games", "score sheets": "sheets", "log entries": "decisions"}
"""What is counted, and the part of the content."""


def _count(content: Json, part: str) -> int:
    found = content.get(part)
    return len(found) if isinstance(found, list | dict) else 0


def _summary(verified: VerifiedPackage) -> str:
    if verified.departures:
        return f"Differences: {len(verified.departures)}; the standings in the package count"
    return f"Standings, totals and score sheet margins ({verified.rederived.margins}) recomputed: all match"


def verified_json(verified: VerifiedPackage) -> Json:
    """The same for programs."""
    content = verified.sealed.content
    return {
        "event": content.get("event"),
        "name": content.get("name"),
        "date": content.get("date"),
        "finished": content.get("finished") is True,
        "digest": verified.sealed.digest,
        "fingerprint": verified.fingerprint,
        "signer": verified.signer,
        "known": verified.is_known,
        "margins": verified.rederived.margins,
        "departures": [departure.as_json() | {"text": str(departure)} for departure in verified.departures],
    }
