"""What the service leaves for root: a request for another version, and the package that waits for it.

The service may have been broken into, so nothing here is believed: no link is followed, and what is installed must be
signed whatever the request says.
"""

import contextlib
import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pegboard.install.versions.install_error import InstallError
from pegboard.install.versions.package_file import FILE_NAME
from pegboard.install.versions.package_file import MOST_BYTES as LARGEST_PACKAGE

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
