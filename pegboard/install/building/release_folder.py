"""What a release hands out besides wheel and package: source archive, notes from the changelog, checksums."""

import hashlib
import re
import tempfile
import zipfile
from pathlib import Path

from pegboard.install.building.source import SOURCE, BuildError, copy_source
from pegboard.install.building.tree import compress, pack

NOTES, CHECKSUMS = "RELEASE_NOTES.md", "SHA256SUMS"
"""Names of files in the folder of a release."""

_SECTION = re.compile(r"(?ms)^## \[?(?P<name>[^\]\s]+)\]?(?: - (?P<day>\S+))?$(?P<text>.*?)(?=^## |^\[[^\]]+\]: |\Z)")
"""A section of a changelog in the form of Keep a Changelog, which links of versions may follow."""

_PAGE = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<page>docs/[^)#]+)[^)]*\)")
"""A link to a page of the source; notes stand where it leads nowhere."""


def build_source_archive(folder: Path, wheel: Path) -> Path:
    """Build the source archive of the version that the wheel holds; its file."""
    version = wheel.name.split("-")[1]
    with tempfile.TemporaryDirectory() as temporary:
        source = Path(temporary, f"pegboard-{version}")
        copy_source(source, version, SOURCE)
        with zipfile.ZipFile(wheel) as built:
            (source / "PKG-INFO").write_bytes(built.read(f"pegboard-{version}.dist-info/METADATA"))
        archive = folder / f"{source.name}.tar.gz"
        archive.write_bytes(compress(pack(Path(temporary))))
    return archive


def release_notes(changelog: str, version: str) -> str:
    """The section of a version in a changelog, under a title.

    A build between releases has what is unreleased; if that is nothing, the section of its own version. A link to a
    page of the source becomes its text and the page's name.

    Raises:
        BuildError: there is no such section, or nothing in it.
    """
    sections = {found["name"]: found for found in _SECTION.finditer(changelog) if found["text"].strip()}
    release, _, commit = version.partition("+")
    found = (sections.get("Unreleased") if commit else None) or sections.get(release)
    if found is None:
        raise BuildError(f"CHANGELOG.md says nothing about {release}; give it a section ## [{release}] - YYYY-MM-DD")
    day = f" ({found['day']})" if found["day"] else ""
    text = re.sub(rf"\({_PAGE.pattern}\)", r"(\g<text>: \g<page>)", found["text"].strip())
    text = _PAGE.sub(r"\g<text> (\g<page>)", text)
    pages = f"\nThe pages in docs are in pegboard-{version}.tar.gz.\n" if "docs/" in text else ""
    return f"# pegboard {version}{day}\n\n{text}\n{pages}"


def checksums(folder: Path) -> str:
    """The SHA-256 of each file in a folder, as `sha256sum --check` reads them."""
    files = sorted(path for path in folder.iterdir() if path.name != CHECKSUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)
