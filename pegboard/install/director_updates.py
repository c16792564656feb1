"""Director's software updates: installed versions, upload of packages, requests to root for an install or rollback.

The service itself cannot change the installed program. It checks an uploaded package only so that the director learns
at once what is wrong with it. Root does not trust that check, and repeats it (`installer`).
"""

import contextlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pegboard.install.host import INSTALLED, InstalledPaths, service_runtime_folder, version_order
from pegboard.install.installed_versions import InstalledVersions, require_newer
from pegboard.install.package_file import (
    FILE_NAME,
    InstallError,
    InstallFailed,
    build_of,
    file_name,
    members,
    require_signed,
    tree_archive,
    trusted_keys,
)
from pegboard.install.package_file import MOST_BYTES as LARGEST_PACKAGE

# --- update requests and packages, passed from the service to root ---
#
# The service may be compromised, so root trusts neither: it follows no link, and installs only signed packages,
# whatever the request says.


REQUEST, PACKAGES = "update-request.json", "packages"
"""The request file in the runtime folder; the folder of uploaded packages in the state folder."""

MOST_BYTES = 4096


@dataclass(frozen=True, slots=True)
class UpdateRequest:
    """A request for another version.

    Attributes:
        do: the action, "update" or "back".
        file: the name of the uploaded package; "" to go back.
        during_game: whether to change the version even during a game.
    """

    do: str
    file: str
    during_game: bool


def pop_request(runtime: Path) -> UpdateRequest:
    """Read and remove the request.

    Raises:
        InstallError: the request is missing or invalid.
    """
    path = runtime / REQUEST
    try:
        content = read_regular(path, MOST_BYTES)
    except OSError as error:
        raise InstallError("install_no_request") from error
    finally:
        with contextlib.suppress(OSError):
            path.unlink()
    return _parse(content)


def _parse(content: bytes) -> UpdateRequest:
    try:
        values: Any = json.loads(content)
        request = UpdateRequest(str(values["do"]), str(values.get("file", "")), values.get("during_game") is True)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise InstallError("install_no_request") from error
    if request.do != "back" and (request.do != "update" or not FILE_NAME.fullmatch(request.file)):
        raise InstallError("install_no_request")
    return request


def read_package(state: Path, name: str) -> bytes:
    """The content of an uploaded package in a state folder.

    Raises:
        OSError: the package cannot be read, or it or its folder is a link.
    """
    with _opened_folder(state / PACKAGES) as folder:
        return read_regular(Path(name), LARGEST_PACKAGE, folder=folder)


def remove_package(state: Path, name: str) -> None:
    """Remove an uploaded package from a state folder, if possible."""
    with contextlib.suppress(OSError), _opened_folder(state / PACKAGES) as folder:
        os.unlink(name, dir_fd=folder)


@contextlib.contextmanager
def _opened_folder(path: Path) -> Iterator[int]:
    """The descriptor of a folder that is not a link; it keeps referring to that folder even if its name changes."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield folder
    finally:
        os.close(folder)


def read_regular(path: Path, most: int, *, folder: int | None = None) -> bytes:
    """Up to `most` bytes of a regular file that is not a link; `folder` is a descriptor of the file's folder, or None.

    Raises:
        OSError: the file cannot be read, or is not a regular file.
    """
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with open(file, "rb") as opened:  # noqa: PTH123 - a descriptor
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(f"{path.name} is not a file")
        return opened.read(most)


class DirectorUpdates:
    """The versions on this machine, as the installed service sees them; not available to any other program."""

    def __init__(self, state: Path, runtime: Path | None = None, paths: InstalledPaths = INSTALLED) -> None:
        """Packages are stored in `state`, requests in `runtime`; None unless run from the Debian package."""
        self._waiting, self._runtime = state / PACKAGES, runtime
        self._versions = InstalledVersions(paths.trees)

    @staticmethod
    def of_service(state: Path) -> "DirectorUpdates":
        """The updates of the service that systemd has started."""
        return DirectorUpdates(state, service_runtime_folder())

    @property
    def is_there(self) -> bool:
        """Whether another version can be requested here."""
        return self._runtime is not None

    def report(self) -> dict[str, Any]:
        """The versions, JSON-ready.

        Returns:
            `current` and `previous`: versions or None; `waiting`: uploaded packages, each with `file`, `version` and
            `bytes`; `under_way`: whether a version is being installed; `last`: a `LastChange` or None.

        Raises:
            InstallError: pegboard was not installed from its package.
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
        """Store an uploaded package, replacing any other; return its new file name.

        Args:
            content: the content of the package.
            name: the sender's name of the package, for error messages.

        Raises:
            InstallError: `content` is not a signed, newer pegboard package, or pegboard was not installed from its
                package.
            InstallFailed: the package cannot be written.
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
            InstallError: there is no such package or earlier version, or pegboard was not installed from its package.
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
        """Write a package atomically, and remove the other packages."""
        self._waiting.mkdir(mode=0o700, exist_ok=True)
        new = self._waiting / "package.new"
        try:
            with new.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            new.replace(self._waiting / name)
        except OSError:
            new.unlink(missing_ok=True)  # do not keep a full disk full
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
