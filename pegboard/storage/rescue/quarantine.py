"""Quarantine of damaged or replaced journals, whose files are moved aside and never deleted; unreported findings."""

import contextlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from pegboard.messages import BAD_MESSAGE_ERRORS, Message
from pegboard.storage.schema import FILE, QUARANTINE
from pegboard.storage.state_files import FOLDER_MODE, read_values, replace_file, sync_folder, write_values

# --- unreported findings ---
#
# They are on disk before the journal is repaired, so that they are reported even if the process is killed meanwhile.


UNREPORTED_FILE = "findings.json"
"""File of findings in the state folder, kept until every display shows them."""


def save_unreported(folder: Path, findings: Sequence[Message]) -> None:
    """Save the findings not reported yet, replacing those saved before.

    Raises:
        OSError: the file cannot be written.
    """
    write_values(folder / UNREPORTED_FILE, [{"text": str(finding)} | finding.as_json() for finding in findings])


def read_unreported(folder: Path) -> list[Message]:
    """The saved findings not reported yet; empty if they cannot be read."""
    try:
        return [Message.from_json(values) for values in read_values(folder / UNREPORTED_FILE)]
    except (OSError, *BAD_MESSAGE_ERRORS):
        return []


def delete_unreported(folder: Path) -> None:
    """Delete the saved findings, after they were reported."""
    with contextlib.suppress(OSError):
        (folder / UNREPORTED_FILE).unlink()


FILES = (FILE, f"{FILE}-wal", f"{FILE}-shm")
"""The journal and the files that SQLite keeps beside it, which must be read together."""

OUTCOME = "outcome.json"
"""The file in a quarantine folder that says what replaced the journal."""


def quarantine(folder: Path) -> Path:
    """Move the journal in `folder` and the files beside it, together, into a new quarantine folder.

    After a power cut, either none or all of them are there; any that are still in the old place too are removed before
    another journal is put there (`clear_for_replacement`).

    Returns:
        The quarantine folder, named by the time (UTC).

    Raises:
        OSError: the files cannot be moved, and are unchanged.
    """
    rooms = folder / QUARANTINE
    if rooms.is_symlink():
        raise NotADirectoryError(f"{rooms} is a link")
    rooms.mkdir(mode=FOLDER_MODE, exist_ok=True)
    part = _new_folder(rooms / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}.part")
    for name in FILES:
        with contextlib.suppress(FileNotFoundError):
            _link(folder / name, part / name)
    sync_folder(part)
    room = _free_name(part.with_suffix(""))
    part.rename(room)
    sync_folder(rooms)
    sync_folder(folder)
    clear_for_replacement(folder, room)
    return room


def quarantine_folders(folder: Path) -> None:
    """Move folders that have the name of the journal or of a file beside it into quarantine.

    Raises:
        OSError: a folder cannot be moved.
    """
    for name in FILES:
        path = folder / name
        if path.is_dir() and not path.is_symlink():
            (folder / QUARANTINE).mkdir(mode=FOLDER_MODE, exist_ok=True)
            path.rename(_free_name(folder / QUARANTINE / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{name}"))


def clear_for_replacement(folder: Path, room: Path) -> None:
    """Clear `folder` for a new journal after the old one was moved to the quarantine folder `room`.

    Remaining names of the files in `room` are removed; a different journal is quarantined too.

    Raises:
        OSError: a file cannot be removed or moved.
    """
    for name in FILES:  # the journal first: without its log it would look complete, but be outdated
        if _is_same(folder / name, room / name):
            (folder / name).unlink()
    sync_folder(folder)
    if any(os.path.lexists(folder / name) for name in FILES):
        quarantine(folder)


def list_quarantined(folder: Path) -> list[Path]:
    """The quarantine folders that hold a journal, newest first."""
    found = (path for path in (folder / QUARANTINE).glob("*") if path.suffix != ".part" and path.is_dir())
    return sorted((path for path in found if any((path / name).exists() for name in FILES)), reverse=True)


def note_outcome(room: Path, values: Mapping[str, object]) -> None:
    """Record what replaced a quarantined journal; until then, its replacement is pending.

    Raises:
        OSError: the record cannot be written.
    """
    replace_file(room / OUTCOME, json.dumps(values, indent=1, ensure_ascii=False) + "\n")
    sync_folder(room)


def find_unsalvaged(folder: Path) -> Path | None:
    """The quarantine folder of a journal that was not replaced before a power cut, or None.

    None as soon as another journal is in the old place.
    """
    waiting = (room for room in list_quarantined(folder) if not (room / OUTCOME).exists())
    room = next(waiting, None)
    is_free = room is not None and (not (folder / FILE).exists() or _is_same(folder / FILE, room / FILE))
    return room if is_free else None


def _is_same(path: Path, other: Path) -> bool:
    try:
        return os.path.samestat(path.lstat(), other.lstat())
    except FileNotFoundError:
        return False


def _link(path: Path, target: Path) -> None:
    try:
        os.link(path, target, follow_symlinks=False)
    except FileNotFoundError:
        raise
    except OSError:  # a file system without hard links
        path.rename(target)


def _new_folder(path: Path) -> Path:
    for free in _names(path):
        with contextlib.suppress(FileExistsError):
            free.mkdir(mode=FOLDER_MODE)
            return free
    raise AssertionError


def _free_name(path: Path) -> Path:
    return next(free for free in _names(path) if not free.exists())


def _names(path: Path) -> Iterator[Path]:
    """The path, then the path with -2, -3, -4 ..., for several folders made within the same second."""
    return (path if n == 1 else path.with_stem(f"{path.stem}-{n}") for n in count(1))
