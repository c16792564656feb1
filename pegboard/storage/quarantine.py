"""Quarantine: damaged files of the journal are moved aside together."""

import os
from datetime import UTC, datetime
from pathlib import Path

from pegboard.storage.atomic_file import sync_folder
from pegboard.storage.private_files import FOLDER_MODE
from pegboard.storage.schema import FILE


def quarantine(folder: Path) -> Path:
    """Move the journal, its log and its index to a folder of their own under `quarantine`, and return that.

    Raises:
        OSError: they cannot be moved.
    """
    aside = folder / "quarantine" / f"{datetime.now(UTC):%Y-%m-%dT%H-%M-%S-%f}"
    aside.parent.mkdir(mode=FOLDER_MODE, exist_ok=True)
    aside.mkdir(mode=FOLDER_MODE)
    for name in (FILE, f"{FILE}-wal", f"{FILE}-shm"):
        if os.path.lexists(folder / name):
            (folder / name).rename(aside / name)
    for changed in (aside, aside.parent, folder):
        sync_folder(changed)
    return aside
