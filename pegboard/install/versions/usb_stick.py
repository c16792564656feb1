"""A USB stick with a newer version on it: its newest signed package is copied to where the director may choose it."""

import contextlib
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from pegboard.install.version_order import Build, is_newer
from pegboard.install.versions.install_error import InstallError
from pegboard.install.versions.package_file import FILE_NAME, MOST_BYTES, build_of, file_name, members
from pegboard.install.versions.release_signature import require_signed
from pegboard.install.versions.trial import run_as_service
from pegboard.install.versions.update_request import PACKAGES, read_regular

MOST_FILES = 32
"""Packages that are looked at on one stick."""

WRITE_S = 120.0
"""Seconds that a package may take to be written: a slow card takes some ten."""

MOUNT = ("mount", "-t", "vfat,exfat,ntfs3,iso9660", "-o", "ro,nosuid,nodev,noexec")
"""Read only, and only what sticks are formatted with: others repeat what a journal holds, which writes to the stick."""

WRITE = """
import os, sys
folder, name = sys.argv[1:]
os.makedirs(folder, mode=0o700, exist_ok=True)
new = os.path.join(folder, "package.new")
try:
    with open(new, "wb") as file:
        file.write(sys.stdin.buffer.read())
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, os.path.join(folder, name))
except OSError:
    os.path.lexists(new) and os.unlink(new)
    raise
"""
"""Run as the account that the folder belongs to: root follows no link that the service may have put there."""


@contextlib.contextmanager
def mount(device: Path) -> Iterator[Path]:
    """The files of a device, to be read only.

    Raises:
        InstallError: it cannot be mounted.
    """
    with tempfile.TemporaryDirectory(prefix="pegboard-stick-") as folder:
        ran = subprocess.run([*MOUNT, str(device), folder], capture_output=True, text=True, check=False)  # noqa: S603
        if ran.returncode:
            raise InstallError("stick_unreadable", device=device, error=" ".join(ran.stderr.split()))
        try:
            yield Path(folder)
        finally:
            subprocess.run(["umount", folder], check=False)  # noqa: S603, S607


def newest_package(folder: Path, keys: Sequence[bytes], newer_than: Build | None) -> tuple[str, bytes] | None:
    """The newest signed package in a folder: its name, by the version in it, and its content.

    None if none is newer than a build.
    """
    found = []
    names = sorted(path.name for path in folder.iterdir() if FILE_NAME.fullmatch(path.name))
    for name in names[:MOST_FILES]:
        with contextlib.suppress(InstallError, OSError):
            content = read_regular(folder / name, MOST_BYTES)
            parts = members(content, name)
            require_signed(content, folder / name, keys)
            found.append((build_of(parts, name), content))
    if not found:
        return None
    newest, content = max(found, key=lambda one: one[0].order)
    return (file_name(newest.version), content) if newer_than is None or is_newer(newest, newer_than) else None


def let_wait(state: Path, name: str, content: bytes) -> None:
    """Put a package where the service shows it to a director.

    Raises:
        InstallError: it cannot be written there.
    """
    words = [sys.executable, "-I", "-c", WRITE, str(state / PACKAGES), name]
    if run_as_service(words, WRITE_S, content).returncode:
        raise InstallError("install_package_not_kept", file=name)
