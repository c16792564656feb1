"""Unpacks the archive of a version's tree beside the others: whole and on disk, or not at all."""

import contextlib
import io
import lzma
import os
import platform
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path

from pegboard.install.versions.install_error import InstallError, InstallFailed
from pegboard.install.versions.tree_manifest import HOST_FILES, Manifest, changed_files, read_manifest

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
