"""Files of the state folder on disk: small ones replaced so that a power cut leaves the old one or the new one."""

import os
from pathlib import Path

from pegboard.storage.private_files import open_private


def replace_file(path: Path, text: str) -> None:
    """Write `text` to disk under another name, then rename that file to `path`.

    Raises:
        OSError: it could not be written; the old file is as it was.
    """
    new = path.with_suffix(".new")
    with open(open_private(new, os.O_WRONLY | os.O_TRUNC), "w", encoding="utf-8") as file:  # noqa: PTH123 - a descriptor
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)


def sync_folder(folder: Path) -> None:
    """Write a folder to disk, without which a new file in it is not safe.

    Raises:
        OSError: it cannot be written.
    """
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
