"""The versions on this machine: their folders, the link to the one that runs, and the record of the last change."""

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

# --- the manifest of a version's tree: what it is, what it needs, and the hash of each file ---


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


# --- unpacks the archive of a version's tree beside the others: whole and on disk, or not at all ---


PART = ".part-"
"""How the name of a folder begins that is not whole yet."""


ROOM_BYTES = 64 * 2**20
"""Free space that a tree with its compiled modules needs, and the copy of a journal of some years beside it."""


MOST_BYTES = 32 * 2**20
"""Bytes of all files of a tree, unpacked; ours has a tenth of that."""


@contextlib.contextmanager
def unpack(archive: bytes, trees: Path, *, by_hand: bool) -> Iterator[tuple[Path, Manifest]]:
    """A folder among the trees with the whole tree, compiled; it is removed unless it has been renamed meanwhile.

    With `by_hand`, units and launcher come along in the package.

    Raises:
        InstallError: the archive is damaged, or its version does not run here.
        InstallFailed: it does not fit onto the disk.
    """
    _require_room(trees)
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


def remove_parts(trees: Path) -> None:
    """Remove what installations have left that were cut off."""
    for folder in trees.glob(f"{PART}*"):
        shutil.rmtree(folder, ignore_errors=True)


def compile_tree(tree: Path) -> None:
    """Compile all modules of a tree for the Python of this machine; one that cannot be compiled stays as it is."""
    subprocess.run([sys.executable, "-I", "-m", "compileall", "-q", str(tree)], stdout=subprocess.DEVNULL, check=False)  # noqa: S603


def _write_files(archive: bytes, folder: Path) -> None:
    """Write the files of an archive, which are regular, below the folder and without rights of their own."""
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


def _require_room(trees: Path) -> None:
    free = shutil.disk_usage(trees).free
    if free < ROOM_BYTES:
        raise InstallFailed("install_tree_no_room", needed=ROOM_BYTES // 2**20, free=free // 2**20, folder=trees)


def _require_fit(manifest: Manifest, *, by_hand: bool) -> None:
    if sys.version_info[:2] < manifest.python:
        least = ".".join(str(part) for part in manifest.python)
        raise InstallError("install_tree_python", version=manifest.version, least=least, here=platform.python_version())
    if manifest.host_files > HOST_FILES and not by_hand:
        raise InstallError("install_tree_host_files", version=manifest.version)


DIGEST = re.compile(r"\+[0-9a-f]{8}(\.\d+)?$")
"""What `InstalledVersions.add` puts behind the version in the name of a second tree of that version."""


OLDER = 2
"""How many earlier versions stay."""


@dataclass(frozen=True, slots=True)
class LastChange:
    """The last change of version, as `/settings` shows it.

    Attributes:
        what: "installed", "updated" or "back"; "failed": it went back by itself; "refused": nothing was changed.
        version: the version that was to run.
        runs: the version that has run since.
        at: when, in seconds since 1970.
        why: for "failed" and "refused", the message as JSON: key, values and English text.
    """

    what: str
    version: str
    runs: str
    at: float
    why: dict[str, Any] | None = None


class InstalledVersions:
    """The folder of the trees. Every change of it is on disk when it returns."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._record, self._proving = folder / "versions.json", folder / "proving.json"

    @property
    def current(self) -> str | None:
        """The name of the tree that `current` links to; None where there is none."""
        try:
            return (self.folder / "current").readlink().name
        except OSError:
            return None

    @property
    def order(self) -> list[str]:
        """The names of the trees that ran before, the latest first, without those that have gone."""
        names = self._read(self._record).get("order", [])
        return [name for name in names if isinstance(name, str) and (self.folder / name).is_dir()]

    @property
    def previous(self) -> str | None:
        """The name of the tree to go back to; None where there is none."""
        return next((name for name in self.order if name != self.current), None)

    @property
    def last(self) -> LastChange | None:
        """The last change; None where none is known."""
        try:
            return LastChange(**self._read(self._record)["last"])
        except (KeyError, TypeError):
            return None

    @property
    def new_since(self) -> float | None:
        """When the version that runs was installed, in seconds since 1970; None where it is no new one."""
        found = self._read(self._record).get("new_since")
        return found if isinstance(found, float) else None

    @property
    def proving(self) -> dict[str, Any] | None:
        """What is being proved: the names `from` and `to`, and the `what` of its record; None for nothing."""
        return self._read(self._proving) or None

    def version(self, name: str | None) -> str | None:
        """The version of a tree; None for none. Of a damaged one it is the one that its name begins with."""
        if name is None:
            return None
        try:
            return read_manifest(self.folder / name).version
        except InstallError:
            return DIGEST.sub("", name)

    @property
    def running(self) -> Build | None:
        """The build that runs; None if there is none. The files of a tree keep the time of its source."""
        version = self.version(self.current)
        if self.current is None or version is None:
            return None
        try:
            return Build(version, int((self.folder / self.current / MANIFEST).stat().st_mtime))
        except OSError:
            return Build(version, 0)

    def can_run(self, name: str) -> bool:
        """Whether a tree has the program that Python is started with."""
        return (self.folder / name / RUN).is_file()

    def same_as(self, manifest: Manifest) -> str | None:
        """The name of the tree that is the same as the one with this manifest; a damaged one is another."""
        for path in self._trees():
            with contextlib.suppress(InstallError):
                if read_manifest(path).digest == manifest.digest and not changed_files(path, manifest):
                    return path.name
        return None

    def add(self, part: Path, manifest: Manifest) -> str:
        """Give an unpacked tree its name: its version, with some digits where another of that version is there."""
        own = manifest.version, f"{manifest.version}+{manifest.digest[:8]}"
        more = (f"{own[1]}.{number}" for number in itertools.count(2))
        name = next(name for name in itertools.chain(own, more) if not (self.folder / name).exists())
        part.rename(self.folder / name)
        _sync(self.folder)
        return name

    def flip(self, name: str) -> None:
        """Let `current` link to another tree, at once."""
        new = self.folder / "current.new"
        new.unlink(missing_ok=True)
        new.symlink_to(name)
        new.replace(self.folder / "current")
        _sync(self.folder)

    def begin_proving(self, old: str | None, new: str, what: str) -> None:
        """Note that the new tree is about to be proved, so that a power cut in between is made good."""
        self._write(self._proving, {"from": old, "to": new, "what": what})

    def end_proving(self) -> None:
        """Note that it is proved, or taken back."""
        self._proving.unlink(missing_ok=True)
        _sync(self.folder)

    def record(self, last: LastChange, order: list[str]) -> None:
        """Note the last change, and which trees ran before, the latest first; older ones are removed."""
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
    """Refuse the package `file` unless its build is newer than the one that runs.

    Raises:
        InstallError: it is the same, or older.
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
