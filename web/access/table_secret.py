"""The secret of a table, which signs its cookies: a file that is there whole or not at all."""

import contextlib
import logging
import os
import secrets
from pathlib import Path

from pegboard.storage.state_files import FILE_MODE, open_owned, read_owned
from web.access.state_files import StateFileError

log = logging.getLogger(__name__)

SECRET_FILE, SECRET_BYTES = "secret", 32


def secret(folder: Path) -> bytes:
    """The table's secret, made when it is first needed; whoever can read it can pair.

    Raises:
        StateFileError: it can be neither read nor made.
    """
    path = folder / SECRET_FILE
    try:
        return _read_secret(path) or _make_secret(path)
    except OSError as error:
        raise StateFileError("secret_failed", path=path, error=error.strerror) from error


def _read_secret(path: Path) -> bytes | None:
    with contextlib.suppress(FileNotFoundError):
        with open(open_owned(path, os.O_RDONLY), "rb") as file:  # noqa: PTH123 - a descriptor
            content = file.read(SECRET_BYTES + 1)
            if len(content) == SECRET_BYTES:
                os.fchmod(file.fileno(), FILE_MODE)
                return content
        log.warning("%s is not a secret of this program; a new one is made, and every device must pair again", path)
        path.unlink()
    return None


def _make_secret(path: Path) -> bytes:
    """A new secret, in a file that is there whole or not at all; where another thread was quicker, that one's."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    file = open_owned(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
    try:
        os.write(file, secrets.token_bytes(SECRET_BYTES))
        os.fsync(file)
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(new)
        return read_owned(path, SECRET_BYTES)
    finally:
        os.close(file)
        new.unlink()
