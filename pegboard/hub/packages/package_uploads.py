"""Packages that come from another hub: each is stored once, however often it comes, and only if it verifies."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from pegboard.hub.packages.verification import VerifiedPackage, verify_package


class PackageStore(Protocol):
    """Where packages are stored: `pegboard.hub.ledger.uploaded_packages.UploadedPackages`."""

    def add(self, digest: str, event: str, content: bytes, /) -> bool:
        """Store a package; whether it was not there yet."""


@dataclass(frozen=True, slots=True)
class Upload:
    """A package that came; `is_new`: it was not there yet."""

    verified: VerifiedPackage
    is_new: bool


def receive_package(file: bytes, store: PackageStore, known: Mapping[bytes, str]) -> Upload:
    """Verify a package and store it; one that is there already changes nothing.

    Departures do not hinder: the package is stored as it was signed, and they are named each time that it is read.

    Raises:
        PackageRefused: it is no package, or altered; nothing was stored.
        LedgerNotStored: the store cannot store now.
    """
    verified = verify_package(file, known)
    event = str(verified.sealed.content.get("event", ""))
    return Upload(verified, store.add(verified.sealed.digest, event, file))
