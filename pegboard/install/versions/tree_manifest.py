"""The manifest of a version's tree: what it is, what it needs, and the hash of each file."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from pegboard.install.versions.install_error import InstallError

MANIFEST, RUN = "MANIFEST.json", "run.py"
"""Names of files in each tree: the manifest, and what runs the version."""

LEAST_PYTHON = [3, 11]
"""The oldest Python that runs this version."""

HOST_FILES = 1
"""Raised when a version needs other units, or another launcher, than the package of an earlier one has installed."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a tree is.

    Attributes:
        version: of pegboard.
        python: the oldest Python that runs it.
        host_files: which edition of units and launcher it needs.
        files: the SHA-256 of each file, by its path in the tree.
    """

    version: str
    python: tuple[int, ...]
    host_files: int
    files: dict[str, str]

    @property
    def digest(self) -> str:
        """One hash over all of it: two trees with the same one are the same."""
        text = json.dumps([self.version, *sorted(self.files.items())])
        return hashlib.sha256(text.encode()).hexdigest()


def read_manifest(tree: Path) -> Manifest:
    """The manifest of a tree.

    Raises:
        InstallError: there is none, or it is none.
    """
    try:
        values = json.loads((tree / MANIFEST).read_text("utf-8"))
        files = {str(path): str(digest) for path, digest in values["files"].items()}
        python = tuple(int(part) for part in values["python"])
        return Manifest(str(values["version"]), python, int(values["host_files"]), files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InstallError("install_tree_without_manifest", tree=tree.name) from error


def changed_files(tree: Path, manifest: Manifest) -> list[str]:
    """The paths of the manifest's files that are not there, or not as they were built."""
    return [path for path, digest in manifest.files.items() if _digest(tree / path) != digest]


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""
