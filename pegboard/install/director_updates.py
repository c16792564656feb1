"""What a director may do about versions: see them, leave a newer package, and ask root to install it or to go back.

The service itself may change nothing that runs: it checks a package only so that whoever sends it reads at once what is
wrong with it. Root believes nothing of that, and checks again (`update_request`).
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

# --- what the service leaves for root: a request for another version, and the package that waits for it ---
#
# The service may have been broken into, so nothing here is believed: no link is followed, and what is installed must be
# signed whatever the request says.


REQUEST, PACKAGES = "update-request.json", "packages"
"""The request's name in the runtime folder; the folder of waiting packages in the state folder."""


MOST_BYTES = 4096


@dataclass(frozen=True, slots=True)
class UpdateRequest:
    """A request for another version.

    Attributes:
        do: "update" or "back".
        file: the name of the waiting package; "" to go back.
        during_game: even while a game is being played.
    """

    do: str
    file: str
    during_game: bool


def take_request(runtime: Path) -> UpdateRequest:
    """Read the request, and remove it.

    Raises:
        InstallError: there is none, or it is none.
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
    """The package of that name that waits in a state folder.

    Raises:
        OSError: it cannot be read, or it or its folder is a link.
    """
    with _opened_folder(state / PACKAGES) as folder:
        return read_regular(Path(name), LARGEST_PACKAGE, folder=folder)


def remove_package(state: Path, name: str) -> None:
    """Remove the package of that name that waits in a state folder, where it can be."""
    with contextlib.suppress(OSError), _opened_folder(state / PACKAGES) as folder:
        os.unlink(name, dir_fd=folder)


@contextlib.contextmanager
def _opened_folder(path: Path) -> Iterator[int]:
    """The descriptor of a folder that is no link, and stays that folder whatever becomes of its name."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        yield folder
    finally:
        os.close(folder)


def read_regular(path: Path, most: int, *, folder: int | None = None) -> bytes:
    """At most so many bytes of a regular file that is no link, in an open folder where one is given.

    Raises:
        OSError: it cannot be read, or is something else.
    """
    file = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)
    with open(file, "rb") as opened:  # noqa: PTH123 - a descriptor
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise OSError(f"{path.name} is not a file")
        return opened.read(most)


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
