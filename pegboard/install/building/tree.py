"""Builds the tree of a version: pegboard and its pure-Python packages in one folder, and the archive of it."""

import gzip
import hashlib
import io
import json
import lzma
import os
import pickle
import re
import shutil
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from pegboard.install.building.source import SOURCE, BuildError, copy_source, epoch, run_program
from pegboard.install.constraints import Pin, hashed_requirements, normal, pins
from pegboard.install.installed_versions import HOST_FILES, LEAST_PYTHON, MANIFEST, RUN

# --- builds the wheel, the same bytes from the same source ---


PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet")


def build_wheel(folder: Path, as_version: str) -> Path:
    """Build the wheel of a version into a folder; its file.

    Raises:
        BuildError: pip cannot build it.
    """
    with tempfile.TemporaryDirectory() as temporary:
        source, out = Path(temporary, "source"), Path(temporary, "out")
        copy_source(source, as_version)
        os.umask(0o022)  # the wheel holds the permissions of the files
        for path in source.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        own = ("--no-deps", "--no-build-isolation")  # setuptools is this environment's, whose hash was checked
        run_pip("wheel", *own, "--no-cache-dir", "--wheel-dir", str(out), str(source))
        (built,) = out.glob("*.whl")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / built.name).write_bytes(built.read_bytes())
        return folder / built.name


def run_pip(*words: str) -> None:
    """Run pip with the time of the source.

    Raises:
        BuildError: it fails.
    """
    with tempfile.TemporaryDirectory() as aside:  # where pip works: nothing of it is left when it is killed
        ran = run_program(*PIP, *words, environment={"SOURCE_DATE_EPOCH": str(epoch()), "TMPDIR": aside})
    if ran.returncode:
        raise BuildError(f"pip {words[0]} failed: {ran.stderr.strip()[-2000:]}")


# --- what a release hands out besides wheel and package: source archive, notes from the changelog, checksums ---


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


DEBIANS = frozenset({"pillow", "cbor2", "markupsafe"})
"""Compiled packages that Debian has; the package depends on Debian's."""


UNUSED = frozenset({"setuptools"})
"""Packages that others name without needing them at run time."""


NOT_SHIPPED = frozenset(
    f"pegboard.install.{name}" for name in ("set_up", "constraints", "pip_failure", "debian_modules")
)
"""Modules that are for checkouts alone."""


RUN_SOURCE = '''"""Runs this version of pegboard, whatever else this Python has installed."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent))
    sys.path.append("/usr/local/lib/pegboard")
    sys.argv[0] = "/usr/bin/pegboard"
    from pegboard.__main__ import main

    main()
'''


def make_tree(folder: Path, wheel: Path) -> None:
    """Make the tree of the version that the wheel holds.

    Raises:
        BuildError: a package cannot be had, or is not pure Python.
    """
    with tempfile.TemporaryDirectory() as temporary:
        wanted = Path(temporary, "requirements.txt")
        wanted.write_text(hashed_requirements(shipped_packages()), "utf-8")
        run_pip("install", "--no-deps", "--no-compile", "--require-hashes", "--target", str(folder), "-r", str(wanted))
    _keep_pure(folder)
    _keep_plural_rules(folder / "babel" / "locale-data")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)  # noqa: S202 - the wheel that has just been built
    for name in NOT_SHIPPED:
        _remove((folder / name.replace(".", "/")).with_suffix(".py"))
    for record in folder.glob("*.dist-info/*"):
        if record.name in {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}:
            record.unlink()
    (folder / RUN).write_text(RUN_SOURCE, "utf-8")
    write_manifest(folder, wheel.name.split("-")[1])


def shipped_packages() -> list[str]:
    """The names of the packages that the tree holds beside pegboard's own, in alphabetical order."""
    found: set[str] = set()
    _add_needed("pegboard", found)
    _add_needed("paho-mqtt", found)
    return sorted(found - DEBIANS - UNUSED - {"pegboard"})


def shipped_and_used() -> tuple[list[Pin], list[Pin]]:
    """The pins of what the tree holds, and those of all else."""
    shipped = {normal(name) for name in shipped_packages()}
    every = sorted(pins(), key=lambda pin: normal(pin.name))
    return [pin for pin in every if normal(pin.name) in shipped], [
        pin for pin in every if normal(pin.name) not in shipped
    ]


def _add_needed(name: str, found: set[str]) -> None:
    key = normal(name)
    if key in found:
        return
    found.add(key)
    for line in metadata.requires(name) or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": ""}):
            _add_needed(requirement.name, found)


def pack_tree(folder: Path) -> bytes:
    """The tree as a tar archive compressed with xz, the same bytes from the same files."""
    return lzma.compress(pack(folder), preset=9)


def pack(folder: Path) -> bytes:
    """The files in a folder as a tar archive, the same bytes from the same files."""
    written, time = io.BytesIO(), epoch()
    with tarfile.open(fileobj=written, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for path in _walk(folder):
            entry = tarfile.TarInfo(str(path.relative_to(folder)))
            entry.mtime, entry.mode = time, 0o755 if path.stat().st_mode & 0o100 else 0o644
            if path.is_dir():
                entry.type = tarfile.DIRTYPE
                archive.addfile(entry)
            else:
                content = path.read_bytes()
                entry.size = len(content)
                archive.addfile(entry, io.BytesIO(content))
    return written.getvalue()


def compress(text: bytes) -> bytes:
    """Text compressed with gzip, without a time."""
    return gzip.compress(text, 9, mtime=0)


def _keep_pure(folder: Path) -> None:
    """Remove what is compiled of packages that work without it, and the programs of all.

    Raises:
        BuildError: another package has something compiled.
    """
    for unused in ("bin", "share"):
        _remove(folder / unused)
    for compiled in folder.glob("_rjsmin*.so"):
        compiled.unlink()
    others = [path.name for path in folder.rglob("*.so*")]
    if others:
        raise BuildError(f"the package would contain compiled modules: {', '.join(others)}")


def _keep_plural_rules(folder: Path) -> None:
    """Keep of Babel's data (30 MB) the plural rules of each language, all that pegboard asks it for."""
    for path in folder.glob("*.dat"):
        if "_" in path.stem:
            path.unlink()
            continue
        with path.open("rb") as file:
            data = pickle.load(file)  # noqa: S301 - Babel's own, whose hash pip has checked
        kept = {name: data[name] for name in ("plural_form", "ordinal_form") if name in data}
        with path.open("wb") as file:
            pickle.dump(kept, file, 2)


def write_manifest(folder: Path, version: str) -> None:
    """Write the manifest of a tree into it: its version, what it needs, and the hash of each file."""
    files = {str(path.relative_to(folder)): _digest(path) for path in _walk(folder) if path.is_file()}
    manifest = {"version": version, "python": LEAST_PYTHON, "host_files": HOST_FILES, "files": files}
    (folder / MANIFEST).write_text(json.dumps(manifest, indent=0, sort_keys=True) + "\n", "utf-8")


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _walk(folder: Path) -> Iterator[Path]:
    return iter(sorted(folder.rglob("*")))


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
