"""Builds the tree of a version: pegboard and its pure-Python packages in one folder, and the archive of it."""

import gzip
import hashlib
import io
import json
import lzma
import pickle
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from packaging.requirements import Requirement

from pegboard.install.building.source import BuildError, epoch
from pegboard.install.building.wheel import run_pip
from pegboard.install.constraints import Pin, hashed_requirements, normal, pins
from pegboard.install.versions.tree_manifest import HOST_FILES, LEAST_PYTHON, MANIFEST, RUN

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
