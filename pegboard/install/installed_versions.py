"""Installed versions: their trees' manifests and unpacking, the `current` symlink, the record of the last change."""

import contextlib
import hashlib
import io
import itertools
import json
import lzma
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pegboard.install.host import Build, is_newer
from pegboard.install.package_file import InstallError, InstallFailed

# --- manifest of a version's tree: version, requirements and file hashes ---


MANIFEST, RUN = "MANIFEST.json", "run.py"
"""Names of files in each tree: the manifest, and the program that runs the version."""

MIN_PYTHON = [3, 11]
"""The oldest Python that runs this version."""

HOST_FILES = 1
"""Edition of the systemd units and launcher; increase it when a version needs newer ones than earlier packages have."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """Manifest of a version's tree.

    Attributes:
        version: pegboard's version.
        python: the oldest Python that runs the version.
        host_files: the edition of units and launcher that the version needs.
        files: the SHA-256 of each file, by its path in the tree.
    """

    version: str
    python: tuple[int, ...]
    host_files: int
    files: dict[str, str]

    @property
    def digest(self) -> str:
        """The SHA-256 over version and file hashes; trees with the same digest are identical."""
        text = json.dumps([self.version, *sorted(self.files.items())])
        return hashlib.sha256(text.encode()).hexdigest()


def read_manifest(tree: Path) -> Manifest:
    """The manifest of a tree.

    Raises:
        InstallError: the manifest is missing or invalid.
    """
    try:
        values = json.loads((tree / MANIFEST).read_text("utf-8"))
        files = {str(path): str(digest) for path, digest in values["files"].items()}
        python = tuple(int(part) for part in values["python"])
        return Manifest(str(values["version"]), python, int(values["host_files"]), files)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise InstallError("install_tree_without_manifest", tree=tree.name) from error


def changed_files(tree: Path, manifest: Manifest) -> list[str]:
    """The paths of the manifest's files that are missing or differ from the build."""
    return [path for path, digest in manifest.files.items() if _digest(tree / path) != digest]


def _digest(path: Path) -> str:
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


# --- unpacking a version's archive: complete and synced to disk, or not at all ---


PART = ".part-"
"""Name prefix of a tree's folder that is not complete yet."""

REQUIRED_FREE_BYTES = 64 * 2**20
"""Free bytes needed for a tree with its compiled modules and for a copy of a journal of several years."""

MOST_BYTES = 32 * 2**20
"""Size limit of an unpacked tree in bytes; ours has a tenth of that."""


@contextlib.contextmanager
def unpack(archive: bytes, trees: Path, *, by_hand: bool) -> Iterator[tuple[Path, Manifest]]:
    """Unpack and compile a tree in a temporary folder beside the other trees; removed at the end unless renamed.

    With `by_hand`, the package has also installed matching units and launcher.

    Raises:
        InstallError: the archive is damaged, or its version does not run on this machine.
        InstallFailed: the tree does not fit on the disk.
    """
    _require_free_space(trees)
    folder = trees / f"{PART}{os.getpid()}"
    before = os.umask(0o022)
    try:
        _write_files(archive, folder)
        manifest = read_manifest(folder)
        _require_fit(manifest, by_hand=by_hand)
        if changed_files(folder, manifest):
            raise InstallError("install_tree_damaged", version=manifest.version)
        compile_tree(folder)
        os.sync()
        yield folder, manifest
    except OSError as error:
        raise InstallFailed("install_tree_not_written", folder=trees, error=error.strerror or str(error)) from error
    finally:
        os.umask(before)
        shutil.rmtree(folder, ignore_errors=True)


def remove_partial_trees(trees: Path) -> None:
    """Remove the incomplete trees that interrupted installations have left."""
    for folder in trees.glob(f"{PART}*"):
        shutil.rmtree(folder, ignore_errors=True)


def compile_tree(tree: Path) -> None:
    """Compile all modules of a tree for this machine's Python; modules that fail are left uncompiled."""
    subprocess.run([sys.executable, "-I", "-m", "compileall", "-q", str(tree)], stdout=subprocess.DEVNULL, check=False)  # noqa: S603


def _write_files(archive: bytes, folder: Path) -> None:
    """Extract an archive: regular files and folders only, inside `folder`, ignoring stored permissions."""
    folder.mkdir(mode=0o755)
    unpacked = 0
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:xz") as tar:
            for entry in tar:
                unpacked += entry.size
                if unpacked > MOST_BYTES:
                    raise InstallError("install_tree_damaged", version=entry.name)
                path = Path(entry.name)
                if not (entry.isfile() or entry.isdir()) or path.is_absolute() or ".." in path.parts:
                    raise InstallError("install_tree_damaged", version=entry.name)
                target = folder / path
                (target if entry.isdir() else target.parent).mkdir(mode=0o755, parents=True, exist_ok=True)
                content = tar.extractfile(entry)
                if content is not None:
                    target.write_bytes(content.read())
                    os.utime(target, (entry.mtime, entry.mtime))
    except (tarfile.TarError, EOFError, lzma.LZMAError) as error:
        raise InstallError("install_tree_damaged", version="?") from error


def _require_free_space(trees: Path) -> None:
    free = shutil.disk_usage(trees).free
    if free < REQUIRED_FREE_BYTES:
        raise InstallFailed(
            "install_tree_no_room", needed=REQUIRED_FREE_BYTES // 2**20, free=free // 2**20, folder=trees
        )


def _require_fit(manifest: Manifest, *, by_hand: bool) -> None:
    if sys.version_info[:2] < manifest.python:
        least = ".".join(str(part) for part in manifest.python)
        raise InstallError("install_tree_python", version=manifest.version, least=least, here=platform.python_version())
    if manifest.host_files > HOST_FILES and not by_hand:
        raise InstallError("install_tree_host_files", version=manifest.version)


DIGEST = re.compile(r"\+[0-9a-f]{8}(\.\d+)?$")
"""Suffix that `InstalledVersions.add` appends to the name of a second tree of the same version."""

OLDER = 2
"""The number of earlier versions that remain installed."""


@dataclass(frozen=True, slots=True)
class LastChange:
    """The last change of version, as `/settings` shows it.

    Attributes:
        what: the kind: "installed", "updated", "back", "failed" (rolled back automatically), "refused" (no change).
        version: the requested version.
        runs: the version that has run since.
        at: the time of the change, in seconds since 1970.
        why: for "failed" and "refused", the message as JSON: key, values and English text.
    """

    what: str
    version: str
    runs: str
    at: float
    why: dict[str, Any] | None = None


class InstalledVersions:
    """The folder of the trees. Every change is synced to disk before its method returns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._record, self._proving = folder / "versions.json", folder / "proving.json"

    @property
    def current(self) -> str | None:
        """The name of the tree that `current` links to, or None."""
        try:
            return (self.folder / "current").readlink().name
        except OSError:
            return None

    @property
    def order(self) -> list[str]:
        """The names of the trees that ran before and still exist, the latest first."""
        names = self._read(self._record).get("order", [])
        return [name for name in names if isinstance(name, str) and (self.folder / name).is_dir()]

    @property
    def previous(self) -> str | None:
        """The name of the tree to go back to, or None."""
        return next((name for name in self.order if name != self.current), None)

    @property
    def last(self) -> LastChange | None:
        """The last change, or None if unknown."""
        try:
            return LastChange(**self._read(self._record)["last"])
        except (KeyError, TypeError):
            return None

    @property
    def new_since(self) -> float | None:
        """When the running version was installed or updated, in seconds since 1970; None after any other change."""
        found = self._read(self._record).get("new_since")
        return found if isinstance(found, float) else None

    @property
    def proving(self) -> dict[str, Any] | None:
        """The switch on trial, or None: the trees `from` and `to`, and `what` to record as the change."""
        return self._read(self._proving) or None

    def version(self, name: str | None) -> str | None:
        """The version of the tree `name`, None for None; if its manifest is damaged, the version in its name."""
        if name is None:
            return None
        try:
            return read_manifest(self.folder / name).version
        except InstallError:
            return DIGEST.sub("", name)

    @property
    def running(self) -> Build | None:
        """The running build, or None. Its time is read from the manifest file, which keeps the time of the source."""
        version = self.version(self.current)
        if self.current is None or version is None:
            return None
        try:
            return Build(version, int((self.folder / self.current / MANIFEST).stat().st_mtime))
        except OSError:
            return Build(version, 0)

    def can_run(self, name: str) -> bool:
        """Whether a tree has its start program, `run.py`."""
        return (self.folder / name / RUN).is_file()

    def same_as(self, manifest: Manifest) -> str | None:
        """The name of an undamaged installed tree with the same digest as this manifest, or None."""
        for path in self._trees():
            with contextlib.suppress(InstallError):
                if read_manifest(path).digest == manifest.digest and not changed_files(path, manifest):
                    return path.name
        return None

    def add(self, part: Path, manifest: Manifest) -> str:
        """Name an unpacked tree after its version, with a suffix of digits if that name exists; return the name."""
        own = manifest.version, f"{manifest.version}+{manifest.digest[:8]}"
        more = (f"{own[1]}.{number}" for number in itertools.count(2))
        name = next(name for name in itertools.chain(own, more) if not (self.folder / name).exists())
        part.rename(self.folder / name)
        _sync(self.folder)
        return name

    def flip(self, name: str) -> None:
        """Point `current` at another tree, atomically."""
        new = self.folder / "current.new"
        new.unlink(missing_ok=True)
        new.symlink_to(name)
        new.replace(self.folder / "current")
        _sync(self.folder)

    def begin_trial(self, old: str | None, new: str, what: str) -> None:
        """Record that the new tree is on trial, so that `Switch.finish` can continue after a power cut."""
        self._write(self._proving, {"from": old, "to": new, "what": what})

    def end_trial(self) -> None:
        """Record that the trial is over: passed or rolled back."""
        self._proving.unlink(missing_ok=True)
        _sync(self.folder)

    def record(self, last: LastChange, order: list[str]) -> None:
        """Record the last change and which trees ran before, the latest first; remove older trees."""
        current = self.current
        kept = [name for name in dict.fromkeys(order) if name != current and (self.folder / name).is_dir()][:OLDER]
        since = last.at if last.what in {"installed", "updated"} else None
        if last.what == "refused":
            since = self.new_since
        self._write(self._record, {"order": kept, "last": asdict(last), "new_since": since})
        for path in self._trees():
            if path.name not in {current, *kept}:
                shutil.rmtree(path, ignore_errors=True)

    def _trees(self) -> list[Path]:
        return [
            path
            for path in sorted(self.folder.iterdir())
            if path.is_dir() and not path.is_symlink() and not path.name.startswith((PART, "."))
        ]

    @staticmethod
    def _read(path: Path) -> dict[str, Any]:
        try:
            values = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return values if isinstance(values, dict) else {}

    def _write(self, path: Path, values: dict[str, Any]) -> None:
        new = path.with_suffix(".new")
        with new.open("w", encoding="utf-8") as file:
            json.dump(values, file)
            file.flush()
            os.fsync(file.fileno())
        new.chmod(0o644)
        new.replace(path)
        _sync(self.folder)


def require_newer(file: str, wanted: Build, running: Build | None) -> None:
    """Refuse the package `file` unless its build is newer than the running build.

    Raises:
        InstallError: the package has the same version, or an older one.
    """
    if running is not None and not is_newer(wanted, running):
        key = "install_package_same" if wanted.version == running.version else "install_package_older"
        raise InstallError(key, file=file, version=wanted.version, running=running.version)


def _sync(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
