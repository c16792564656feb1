"""What a director may do about versions: see them, leave a newer package, and ask root to install it or to go back.

The service itself may change nothing that runs: it checks a package only so that whoever sends it reads at once what is
wrong with it. Root believes nothing of that, and checks again (`update_request`).
"""

import contextlib
import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pegboard.install.installed_paths import INSTALLED, InstalledPaths, service_runtime_folder
from pegboard.install.version_order import version_order
from pegboard.install.versions.install_error import InstallError, InstallFailed
from pegboard.install.versions.installed_versions import InstalledVersions, require_newer
from pegboard.install.versions.package_file import FILE_NAME, build_of, file_name, members, tree_archive
from pegboard.install.versions.release_signature import require_signed, trusted_keys
from pegboard.install.versions.update_request import PACKAGES, REQUEST


class DirectorUpdates:
    """The versions of this machine, as its installed service sees them; any other program has none."""

    def __init__(self, state: Path, runtime: Path | None = None, paths: InstalledPaths = INSTALLED) -> None:
        """Packages wait in `state`, requests in `runtime`; None where pegboard did not come in its package."""
        self._waiting, self._runtime = state / PACKAGES, runtime
        self._versions = InstalledVersions(paths.trees)

    @staticmethod
    def of_service(state: Path) -> "DirectorUpdates":
        """Those of the service that systemd has started."""
        return DirectorUpdates(state, service_runtime_folder())

    @property
    def is_there(self) -> bool:
        """Whether another version can be asked for here."""
        return self._runtime is not None

    def report(self) -> dict[str, Any]:
        """The versions, JSON-ready.

        Returns:
            `current` and `previous`, None where there is none; `waiting`, each with `file`, `version` and `bytes`;
            `under_way`; and `last`, a `LastChange` or None.

        Raises:
            InstallError: pegboard did not come in its package.
        """
        runtime = self._require_there()
        versions = self._versions
        return {
            "current": versions.version(versions.current),
            "previous": versions.version(versions.previous),
            "waiting": [self._waiting_package(path) for path in self._packages()],
            "under_way": versions.proving is not None or (runtime / REQUEST).exists(),
            "last": None if versions.last is None else asdict(versions.last),
        }

    def keep(self, content: bytes, name: str) -> str:
        """Let a package wait here, in place of any other; the name that it has from now on.

        Args:
            content: the package.
            name: what its sender calls it, for what is wrong with it.

        Raises:
            InstallError: it is no signed, newer package of ours.
            InstallFailed: it cannot be written.
        """
        self._require_there()
        parts = members(content, name)
        require_signed(content, Path(name), trusted_keys())
        wanted = build_of(parts, name)
        tree_archive(parts, name)
        require_newer(name, wanted, self._versions.running)
        file = file_name(wanted.version)
        if not FILE_NAME.fullmatch(file):
            raise InstallError("install_package_foreign", file=name)
        try:
            self._write(file, content)
        except OSError as error:
            raise InstallFailed("install_package_not_kept", file=name) from error
        return file

    def request(self, do: str, file: str = "", *, during_game: bool = False) -> None:
        """Ask root to install the package `file` ("update"), or to go back ("back").

        Raises:
            InstallError: no such package waits, there is no earlier version, or pegboard did not come in its package.
            InstallFailed: another version is being installed, or the request cannot be written.
        """
        runtime = self._require_there()
        if do == "update" and file not in [path.name for path in self._packages()]:
            raise InstallError("install_package_gone", file=file)
        if do == "back" and self._versions.previous is None:
            raise InstallError("install_no_way_back")
        if self.report()["under_way"]:
            raise InstallFailed("install_under_way")
        new = runtime / f"{REQUEST}.new"
        try:
            new.write_text(json.dumps({"do": do, "file": file, "during_game": during_game}), "utf-8")
            new.replace(runtime / REQUEST)
        except OSError as error:
            raise InstallFailed("install_not_asked", error=error.strerror) from error

    def _packages(self) -> list[Path]:
        with contextlib.suppress(OSError):
            found = [path for path in self._waiting.iterdir() if FILE_NAME.fullmatch(path.name) and path.is_file()]
            return sorted(found, key=lambda path: version_order(_version_in(path)), reverse=True)
        return []

    def _waiting_package(self, path: Path) -> dict[str, Any]:
        return {"file": path.name, "version": _version_in(path), "bytes": path.stat().st_size}

    def _write(self, name: str, content: bytes) -> None:
        """Write a package whole, and remove the others."""
        self._waiting.mkdir(mode=0o700, exist_ok=True)
        new = self._waiting / "package.new"
        try:
            with new.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._waiting / name)
        except OSError:
            new.unlink(missing_ok=True)  # a full disk is not to stay full of it
            raise
        for path in self._packages():
            if path.name != name:
                path.unlink(missing_ok=True)

    def _require_there(self) -> Path:
        if self._runtime is None:
            raise InstallError("not_from_package")
        return self._runtime


def _version_in(path: Path) -> str:
    return path.name.split("_")[1]
