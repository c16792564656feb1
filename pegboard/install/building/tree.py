"""Build of the wheel, the release files, and a version's tree: pegboard and its pure-Python packages in one folder."""

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
from pegboard.install.installed_versions import HOST_FILES, MANIFEST, MIN_PYTHON, RUN

# --- reproducible build of the wheel ---


PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet")


def build_wheel(folder: Path, as_version: str) -> Path:
    """Build the wheel of a version in a folder; return its path.

    Raises:
        BuildError: pip cannot build the wheel.
    """
    with tempfile.TemporaryDirectory() as temporary:
        source, out = Path(temporary, "source"), Path(temporary, "out")
        copy_source(source, as_version)
        os.umask(0o022)  # the wheel holds the permissions of the files
        for path in source.rglob("*"):
            path.chmod(0o755 if path.is_dir() else 0o644)
        own = ("--no-deps", "--no-build-isolation")  # this environment's setuptools, whose hash was checked
        run_pip("wheel", *own, "--no-cache-dir", "--wheel-dir", str(out), str(source))
        (built,) = out.glob("*.whl")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / built.name).write_bytes(built.read_bytes())
        return folder / built.name


def run_pip(*words: str) -> None:
    """Run pip with SOURCE_DATE_EPOCH set to the time of the source.

    Raises:
        BuildError: pip fails.
    """
    with tempfile.TemporaryDirectory() as aside:  # pip's temporary folder, removed even if pip is killed
        ran = run_program(*PIP, *words, environment={"SOURCE_DATE_EPOCH": str(epoch()), "TMPDIR": aside})
    if ran.returncode:
        raise BuildError(f"pip {words[0]} failed: {ran.stderr.strip()[-2000:]}")


# --- other release files: source archive, release notes, checksums ---


NOTES, CHECKSUMS = "RELEASE_NOTES.md", "SHA256SUMS"
"""Names of files in the folder of a release."""

_SECTION = re.compile(r"(?ms)^## \[?(?P<name>[^\]\s]+)\]?(?: - (?P<day>\S+))?$(?P<text>.*?)(?=^## |^\[[^\]]+\]: |\Z)")
"""A section of a changelog in the Keep a Changelog format, optionally followed by version links."""

_PAGE = re.compile(r"\[(?P<text>[^\]]+)\]\((?P<page>docs/[^)#]+)[^)]*\)")
"""A link to a page of the source, which would be broken in release notes."""


def build_source_archive(folder: Path, wheel: Path) -> Path:
    """Build the source archive of the wheel's version; return its path."""
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
    """Release notes: the section of a version in a changelog, under a title.

    A build between releases uses the section Unreleased; if that is empty, the section of its version. A link to a page
    of the source becomes its text and the page's path.

    Raises:
        BuildError: the section is missing or empty.
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
    """SHA-256 checksums of the files in a folder, in the format of `sha256sum --check`."""
    files = sorted(path for path in folder.iterdir() if path.name != CHECKSUMS)
    return "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in files)


DEBIANS = frozenset({"pillow", "cbor2", "markupsafe"})
"""Compiled packages that Debian has; pegboard's Debian package depends on them instead of containing them."""

UNUSED = frozenset({"setuptools"})
"""Packages that other packages require but do not need at run time."""

NOT_SHIPPED = frozenset(f"pegboard.install.{name}" for name in ("set_up", "constraints"))
"""Modules that only checkouts need."""

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
    """Create the tree of the wheel's version.

    Raises:
        BuildError: a package cannot be installed, or is not pure Python.
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
    """The names of the third-party packages in the tree, in alphabetical order."""
    return sorted(needed_packages("pegboard[mqtt]") - DEBIANS - UNUSED - {"pegboard"})


def shipped_and_used() -> tuple[list[Pin], list[Pin]]:
    """The pins of packages in the tree, and all other pins."""
    shipped = {normal(name) for name in shipped_packages()}
    every = sorted(pins(), key=lambda pin: normal(pin.name))
    return [pin for pin in every if normal(pin.name) in shipped], [
        pin for pin in every if normal(pin.name) not in shipped
    ]


def needed_packages(*roots: str) -> set[str]:
    """The normalized names of all packages that these requirements need here, by the metadata of installed packages."""
    found: set[tuple[str, str]] = set()
    waiting = [Requirement(root) for root in roots]
    while waiting:
        wanted = waiting.pop()
        for extra in {"", *wanted.extras}:
            if (need := (normal(wanted.name), extra)) not in found:
                found.add(need)
                every = map(Requirement, metadata.requires(wanted.name) or ())
                waiting += [one for one in every if one.marker is None or one.marker.evaluate({"extra": extra})]
    return {name for name, _ in found}


def pack_tree(folder: Path) -> bytes:
    """The tree as a reproducible tar archive compressed with xz."""
    return lzma.compress(pack(folder), preset=9)


def pack(folder: Path) -> bytes:
    """The files in a folder as a reproducible tar archive: the same files always give the same bytes."""
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
    """Text compressed with gzip, without a timestamp."""
    return gzip.compress(text, 9, mtime=0)


def _keep_pure(folder: Path) -> None:
    """Remove optional compiled modules, and the folders `bin` and `share`.

    Raises:
        BuildError: another package contains compiled modules.
    """
    for unused in ("bin", "share"):
        _remove(folder / unused)
    for compiled in folder.glob("_rjsmin*.so"):
        compiled.unlink()
    others = [path.name for path in folder.rglob("*.so*")]
    if others:
        raise BuildError(f"the package would contain compiled modules: {', '.join(others)}")


def _keep_plural_rules(folder: Path) -> None:
    """Keep only the plural rules of each language from Babel's data (30 MB); pegboard uses nothing else."""
    for path in folder.glob("*.dat"):
        if "_" in path.stem:
            path.unlink()
            continue
        with path.open("rb") as file:
            data = pickle.load(file)  # noqa: S301 - a file of Babel, whose hash pip has checked
        kept = {name: data[name] for name in ("plural_form", "ordinal_form") if name in data}
        with path.open("wb") as file:
            pickle.dump(kept, file, 2)


def write_manifest(folder: Path, version: str) -> None:
    """Write the manifest of a tree into it: the version, its requirements, and the hash of each file."""
    files = {str(path.relative_to(folder)): _digest(path) for path in _walk(folder) if path.is_file()}
    manifest = {"version": version, "python": MIN_PYTHON, "host_files": HOST_FILES, "files": files}
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
