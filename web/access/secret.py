"""The secret that signs the cookies of paired devices, in a file that nobody else can read."""

import contextlib
import logging
import os
import secrets
from pathlib import Path

from web.access.pairing_file import StateFileError

log = logging.getLogger(__name__)

FILE = "secret"

SECRET_BYTES = 32


def secret(folder: Path) -> bytes:
    """The table's secret, made when it is first needed; whoever can read it can pair.

    Raises:
        StateFileError: it can be neither read nor made.
    """
    path = folder / FILE
    try:
        return _read(path) or _make(path)
    except OSError as error:
        raise StateFileError("secret_failed", path=path, error=error.strerror) from error


def _read(path: Path) -> bytes | None:
    try:
        content = path.read_bytes()
        if len(content) == SECRET_BYTES:
            path.chmod(0o600)
            return content
        log.warning("%s is no secret of this program; a new one is made, and every device must pair again", path)
        path.unlink()
    except FileNotFoundError:
        pass
    return None


def _make(path: Path) -> bytes:
    """A new secret, in a file that is there whole or not at all; where another thread was quicker, that one's."""
    new = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        os.write(file, secrets.token_bytes(SECRET_BYTES))
        os.fsync(file)
        with contextlib.suppress(FileExistsError):
            path.hardlink_to(new)
        return path.read_bytes()
    finally:
        os.close(file)
        new.unlink()
